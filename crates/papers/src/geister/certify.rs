//! `certify`: bounds with proofs that a separate checker accepts.

use super::certificate::Certificate;
use crate::paper::{Certifier, Save};
use num_rational::Ratio;
use serde_json::json;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::geister::belief::{Grid, Open};
use yomikiri_games::geister::board::Board;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::report::{Block, Cell, Certainty, List, Outcome, Record, Tone};

/// The certificates of three pieces against two.
pub static CERTIFIER: Certifier = Certifier {
    summary: text(
        "bounds on the value of three pieces against two, with proofs",
        "3駒対2駒の値の上下界とその証明書",
    ),
    params: &[
        Param {
            name: "first",
            domain: Domain::Choice(&[
                ("two", text("the side with two pieces moves first", "2駒側が先手")),
                ("three", text("the side with three pieces moves first", "3駒側が先手")),
            ]),
            default: "two",
            help: text("who moves first", "先手"),
        },
        Param {
            name: "side",
            domain: Domain::Choice(&[
                ("both", text("a lower and an upper bound", "下界と上界")),
                ("lower", text("a lower bound: a strategy of the three", "下界：3駒側の戦略")),
                ("upper", text("an upper bound: a strategy of the two", "上界：2駒側の戦略")),
            ]),
            default: "both",
            help: text("which bound to prove", "証明する限界"),
        },
        Param {
            name: "grid",
            domain: Domain::Choice(&[
                (
                    "auto",
                    text(
                        "coarse if the two move first, else fine",
                        "2駒側先手なら coarse、3駒側先手なら fine",
                    ),
                ),
                ("coarse", text("seconds", "数秒")),
                ("fine", text("a minute or some", "1分から数分")),
                ("adaptive", text("minutes more, the closest bounds", "さらに数分、最も狭い上下界")),
            ]),
            default: "auto",
            help: text("how finely a side's belief is cut", "信念の細かさ"),
        },
        Param {
            name: "gap",
            domain: Domain::Text {
                accepts: text("a fraction such as 1/100", "分数（例 1/100）"),
                check: gap,
            },
            default: "",
            help: text(
                "with the adaptive grid: stop when the bounds are nearer than this",
                "adaptive の場合：上下界の差がこれ未満になれば終える",
            ),
        },
        Param {
            name: "bound",
            domain: Domain::Text {
                accepts: text("a fraction such as 1/3", "分数（例 1/3）"),
                check: claimed,
            },
            default: "",
            help: text("fail if the bound found is weaker", "見つけた限界値がこれより弱ければ失敗とする"),
        },
    ],
    files: |settings| sides(settings).map(|(_, side)| file(settings, side)).collect(),
    run: certify,
};

fn fraction(given: &str) -> Option<Ratio<i64>> {
    let (p, q) = given.split_once('/').unwrap_or((given, "1"));
    let (p, q): (i64, i64) = (p.trim().parse().ok()?, q.trim().parse().ok()?);
    (q > 0 && p.abs() <= 1 << 40 && q <= 1 << 40).then(|| Ratio::new(p, q))
}

fn claimed(given: &str) -> Result<(), Refusal> {
    if fraction(given).is_some() {
        return Ok(());
    }
    Err(Refusal::new("bound", format!("\"{given}\""), text("a fraction such as 1/3", "分数（例 1/3）")))
}

fn gap(given: &str) -> Result<(), Refusal> {
    if fraction(given).is_some_and(|gap| gap >= Ratio::from_integer(0)) {
        return Ok(());
    }
    let accepts = text("a fraction such as 1/100", "分数（例 1/100）");
    Err(Refusal::new("gap", format!("\"{given}\""), accepts))
}

/// The bounds that are asked for: whose strategy proves it, and its name.
fn sides(settings: &Settings) -> impl Iterator<Item = (usize, &'static str)> {
    let asked = |side| ["both", side].contains(&settings.word("side"));
    [(0, "lower"), (1, "upper")].into_iter().filter(move |(_, side)| asked(side))
}

/// What the file with a proof is called.
fn file(settings: &Settings, side: &str) -> String {
    format!("{}-first-{side}.jsonl", settings.word("first"))
}

fn certify(settings: &Settings, run: &Run<'_>, save: &mut Save<'_>) -> Result<Outcome, Error> {
    let turn = usize::from(settings.word("first") == "two");
    let grid = match (settings.word("grid"), turn) {
        ("coarse", _) | ("auto", 1) => Grid::Coarse,
        ("adaptive", _) => Grid::Adaptive,
        _ => Grid::Fine,
    };
    let claim = fraction(settings.text("bound"));
    let gap = fraction(settings.text("gap")).map_or(0.0, |gap| *gap.numer() as f64 / *gap.denom() as f64);
    let open = Open::new(&Board::new(4, 4)?, run)?;
    let mut list = List::new(text("certificates", "証明書"));
    let mut good = true;
    // The adaptive grid is made for both sides at once, and only where it is needed.
    let mut pair = match grid {
        Grid::Adaptive => open.closest(turn, gap, run)?.map(Some),
        _ => [None, None],
    };
    for (holder, side) in sides(settings) {
        let bound = pair[holder].take().map_or_else(|| open.bound(holder, grid, run), Ok)?;
        let at = open.graph.find(&open.starts[turn]).unwrap_or_default();
        let (belief, level) = bound.best(at);
        let lattice = bound.lattice();
        let value = Ratio::new(i64::from(if holder == 0 { level } else { -level }), i64::from(lattice));
        let proof = bound.prove(at, belief, level, run)?;
        drop(bound);
        let certificate =
            Certificate { rules: &open.rules, graph: &open.graph, proof: &proof, holder, lattice };
        let name = save(&file(settings, side), &mut |out| certificate.write(out))?;
        let strong = claim.is_none_or(|claim| if holder == 0 { value >= claim } else { value <= claim });
        good &= strong;
        let sign = if holder == 0 { "≥" } else { "≤" };
        let uses: usize = proof.entries.iter().map(|e| e.uses.len()).sum();
        let float = *value.numer() as f64 / *value.denom() as f64;
        let name_of_bound = if holder == 0 { text("lower", "下界") } else { text("upper", "上界") };
        let bound = format!("{sign} {value}");
        let bound = Cell::from(bound).tone(if strong { Tone::Strong } else { Tone::Bad });
        list.push(
            Record::new()
                .field("side", text("bound", "限界"), name_of_bound, side)
                .field("bound", text("value for the three>", "3駒側の値>"), bound, value.to_string())
                .field("decimal", text("decimal>", "小数>"), format!("{float:.6}"), float)
                .count("entries", text("entries>", "項目>"), proof.entries.len() as u64)
                .count("uses", text("uses>", "使用>"), uses as u64)
                .field("file", text("file", "ファイル"), name.as_str(), name.as_str())
                .data("first", settings.word("first"))
                .data("certainty", "bound")
                .data("claim_reached", strong),
        );
    }
    let mut blocks = vec![Block::Table(list.table)];
    if !good {
        blocks.push(Block::Paragraph(Text::of(
            format!("The claim {} was not reached.", settings.text("bound")),
            format!("主張 {} には届きませんでした。", settings.text("bound")),
        )));
    }
    blocks.push(Block::Paragraph(Text::of(
        format!("Each is a {}; the checker accepts or rejects it.", Certainty::Bound.word().en),
        format!("いずれも{}です。検査プログラムで検査できます。", Certainty::Bound.word().ja),
    )));
    Ok(Outcome { blocks, json: json!({ "certificates": list.json }), good })
}
