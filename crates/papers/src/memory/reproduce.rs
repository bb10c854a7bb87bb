//! The paper's tables and figures beside ours, and the studies.

use super::experiments::{self, Reading, Tree};
use super::figures;
use super::players;
use super::policies::Normal;
use super::rules_of_thumb::{self, DecisionList, RulesOfThumb};
use super::seven_lines;
use super::two_cards;
use super::unusual::{self, Oddity};
use crate::golden::{Computed, Golden, compare};
use crate::paper::Study;
use crate::reproduction::{Effort, Evidence, Lazy, Part, Piece, Question, Standing};
use serde_json::{Value, json};
use yomikiri_core::combin::binomial;
use yomikiri_core::{Error, Indexed, Run, Text, text};
use yomikiri_games::memory::asked;
use yomikiri_games::memory::levels::{Doubles, Keep, Levels};
use yomikiri_games::memory::lines::{SEVEN, SHARP};
use yomikiri_games::memory::party::rules::Aim;
use yomikiri_games::memory::rules::{Memory, Objective};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_solve::Solver;
use yomikiri_solve::induction::Induction;
use yomikiri_view::report::{
    Block, Cell, Certainty, Draw, List, Outcome, Plot, Record, Series, Table, Tone, grouped,
};

/// Ranks of the paper's game.
const RANKS: usize = 13;
/// Ranks of the paper's largest game.
const LARGE: usize = 35;
/// Ranks up to which figure 5 is continued in a quick and in a full reproduction.
const QUICK_RANKS: usize = 50;
const FULL_RANKS: usize = 100;
/// Positions listed for each of the figures 2 to 4.
const LISTED: usize = 6;
/// Rules in a list.
const RULES: usize = 5;
/// Pairs up to which the rule for two cards a rank is checked.
const PAIRS: usize = 24;

pub static GOLDEN: [Golden; 15] = [
    Golden { id: "counts", data: include_str!("golden/counts.toml") },
    Golden { id: "table-2", data: include_str!("golden/table-2.toml") },
    Golden { id: "table-3", data: include_str!("golden/table-3.toml") },
    Golden { id: "figure-5", data: include_str!("golden/figure-5.toml") },
    Golden { id: "table-4", data: include_str!("golden/table-4.toml") },
    Golden { id: "growth", data: include_str!("golden/growth.toml") },
    Golden { id: "zwick-paterson", data: include_str!("golden/zwick-paterson.toml") },
    Golden { id: "two-cards", data: include_str!("golden/two-cards.toml") },
    Golden { id: "players-pairs", data: include_str!("golden/players-pairs.toml") },
    Golden { id: "players-win", data: include_str!("golden/players-win.toml") },
    Golden { id: "forgetting", data: include_str!("golden/forgetting.toml") },
    Golden { id: "solitaire", data: include_str!("golden/solitaire.toml") },
    Golden { id: "passes", data: include_str!("golden/passes.toml") },
    Golden { id: "ties", data: include_str!("golden/ties.toml") },
    Golden { id: "habits", data: include_str!("golden/habits.toml") },
];

/// What the parts share.
pub struct Results {
    effort: Effort,
    solved: Lazy<(Memory, Levels<Doubles>)>,
    tree: Lazy<Tree>,
    large: Lazy<u64>,
}

impl Results {
    pub fn new(effort: Effort) -> Results {
        Results { effort, solved: Lazy::default(), tree: Lazy::default(), large: Lazy::default() }
    }

    /// The paper's game, solved.
    fn solved(&self, run: &Run<'_>) -> Result<&(Memory, Levels<Doubles>), Error> {
        self.solved.get(|| experiments::solved(RANKS, run))
    }

    /// The paper's game tree, expanded.
    fn tree(&self, run: &Run<'_>) -> Result<&Tree, Error> {
        let (game, table) = self.solved(run)?;
        self.tree.get(|| experiments::tree(game, table, run))
    }

    /// The positions of the paper's largest game; only a full reproduction has the time.
    fn large(&self, run: &Run<'_>) -> Result<Option<u64>, Error> {
        match self.effort {
            Effort::Quick => Ok(None),
            Effort::Full => {
                let large = Memory::new(LARGE, 4, Objective::Win)?;
                self.large.get(|| experiments::count_tree(&large, run)).map(|n| Some(*n))
            }
        }
    }
}

pub static PARTS: [Part<Results>; 19] = [
    Part {
        id: "counts",
        title: text("Sections 2 and 3: how many positions there are", "2、3節：局面数"),
        run: |shared, run| Ok(beside("counts", &counts(shared, run)?)),
    },
    Part {
        id: "table-2",
        title: text("Table 2: the best first card", "表2：1枚目の最善手"),
        run: |shared, run| Ok(beside("table-2", &table_2(shared.tree(run)?))),
    },
    Part {
        id: "table-3",
        title: text("Table 3: the best second card", "表3：2枚目の最善手"),
        run: |shared, run| Ok(beside("table-3", &table_3(&shared.solved(run)?.0, shared.tree(run)?))),
    },
    Part {
        id: "figure-2",
        title: text("Figure 2: passing is best", "図2：パスが最善の局面"),
        run: |shared, run| UNUSUAL[0].part(shared, run),
    },
    Part {
        id: "figure-3",
        title: text("Figure 3: a known card that cannot match is best", "図3：合わない既知の札が最善の局面"),
        run: |shared, run| UNUSUAL[1].part(shared, run),
    },
    Part {
        id: "figure-4",
        title: text("Figure 4: leaving a known pair is best", "図4：既知のペアを残すのが最善の局面"),
        run: |shared, run| UNUSUAL[2].part(shared, run),
    },
    Part {
        id: "figure-5",
        title: text("Figure 5: the first player's win rate by ranks", "図5：ランク数と先手の勝率"),
        run: figure_5,
    },
    Part {
        id: "table-4",
        title: text("Table 4: optimal play against normal play", "表4：最適戦略と通常戦略の対戦"),
        run: |shared, run| {
            let (game, table) = shared.solved(run)?;
            Ok(beside("table-4", &table_4(game, table, run)?))
        },
    },
    Part {
        id: "growth",
        title: text("How the number of positions grows", "局面数の増え方"),
        run: |shared, run| Ok(beside("growth", &growth(shared, run)?)),
    },
    Part {
        id: "rules",
        title: text("Rules of thumb, which the paper asks for", "指針（論文の課題）"),
        run: |shared, run| {
            let (game, table) = shared.solved(run)?;
            let found = rules_of_thumb(game, table, RULES, run)?;
            Ok(Piece::of(found.blocks).with("rules", found.json))
        },
    },
    Part {
        id: "passes",
        title: text("Where passing alone is best", "パスだけが最善の局面"),
        run: |shared, run| {
            let (game, table) = shared.solved(run)?;
            Ok(beside("passes", &seven_lines::computed(game, table, run)?))
        },
    },
    Part {
        id: "zwick-paterson",
        title: text("Two cards a rank: Zwick and Paterson's rule", "同ランク2枚：Zwick–Paterson の規則"),
        run: |_, run| Ok(beside("zwick-paterson", &zwick_paterson(run)?)),
    },
    Part {
        id: "two-cards",
        title: text("Two cards a rank: win rates", "同ランク2枚：勝率"),
        run: |_, run| Ok(beside("two-cards", &two_cards_a_rank(run)?)),
    },
    Part {
        id: "players-pairs",
        title: text("Three and four players: expected pairs", "3人と4人：ペア数の期待値"),
        run: |shared, run| players_part(shared, "players-pairs", Aim::Pairs, run),
    },
    Part {
        id: "players-win",
        title: text("Three and four players: shares of the win", "3人と4人：勝ちの分け前"),
        run: |shared, run| players_part(shared, "players-win", Aim::Win, run),
    },
    Part {
        id: "ties",
        title: text("How much the rule for equal moves matters", "同値の手の選び方の影響"),
        run: |shared, run| {
            let most = if shared.effort == Effort::Quick { 4 } else { 8 };
            Ok(beside("ties", &players::spreads(golden("ties"), most, run)?))
        },
    },
    Part {
        id: "habits",
        title: text("What happens in a game of best play", "最善手どうしの1局の中身"),
        run: |shared, run| {
            let quick = shared.effort == Effort::Quick;
            let most = |objective: &str| if quick && objective == "win" { 5 } else { 13 };
            Ok(beside("habits", &super::habits::computed(golden("habits"), most, run)?))
        },
    },
    Part {
        id: "forgetting",
        title: text("Players who forget", "忘れるプレイヤー"),
        run: |shared, run| {
            let most = if shared.effort == Effort::Quick { 12 } else { 28 };
            let wanted = |_, ranks: usize, copies: usize| ranks * copies <= most;
            Ok(beside("forgetting", &super::forgetting::computed(golden("forgetting"), wanted, run)?))
        },
    },
    Part {
        id: "solitaire",
        title: text("Playing alone: the least expected moves", "一人で：手数の期待値の最小"),
        run: |_, run| Ok(beside("solitaire", &super::solitaire::computed(golden("solitaire"), run)?)),
    },
];

/// More than two players, which the paper asks for; in a quick reproduction only small games.
fn players_part(shared: &Results, id: &str, aim: Aim, run: &Run<'_>) -> Result<Piece, Error> {
    let (most, exact) = match (shared.effort, aim) {
        (Effort::Quick, Aim::Win) => (5, 3),
        (Effort::Quick, _) => (6, 0),
        (Effort::Full, _) => (14, 5),
    };
    Ok(beside(id, &players::computed(golden(id), aim, most, exact, run)?))
}

pub static QUESTIONS: [Question; 5] = [
    Question {
        asked: text(
            "Under which conditions should each unusual strategy be used?",
            "通常と異なる各戦略はどのような条件で使うべきか。",
        ),
        known: text(
            "Part “rules”: seven lines to keep in mind win 49.83 % moving first against the best opponent (study memory rules --list sharp), where optimal play wins 49.90 %, the seven lines found first 49.71 %, lists of five learned rules 47.5 % and normal play 27.5 %. Passing alone is best at exactly 116 positions, which have a closed form (part “passes”).",
            "「rules」の項：覚えやすい7行の指針は、最強の相手に対して先手で 49.83 %（study memory rules --list sharp）。最適戦略 49.90 %、最初に見つかった7行 49.71 %、学習した規則5つ 47.5 %、通常戦略 27.5 %。パスだけが最善の局面はちょうど116で、閉じた形に書ける（「passes」の項）。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Part("rules"),
    },
    Question {
        asked: text("What about three and more players?", "3人以上ではどうなるか。"),
        known: text(
            "Solved for two to five players and three rules of passes (solve memory --players 3): every player's value, by backward induction with a stated rule for equal moves. Taking a free pair at once is no longer always best: 4x20,02 is worth 254/105 pairs by turning a card and 23/15 by taking. Which of equal moves is made changes a share of the win by up to 0.06 (part “ties”).",
            "2～5人、3通りのパスの取り決めで解いた（solve memory --players 3）：同値の手の規則を明示した後ろ向き帰納による全員の値。無条件に取れるペアをすぐ取るのが最善とは限らない：4x20,02 ではめくれば 254/105 ペア、取れば 23/15 ペア。同値の手の選び方で勝ちの分け前は最大 0.06 変わる（「ties」の項）。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Part("players-win"),
    },
    Question {
        asked: text("What if players do not remember everything?", "完全には記憶できないときはどうなるか。"),
        known: text(
            "Two players who both forget every known card with a chance, keep at most so many cards, or only the last two are stopping stochastic games: values enclosed from both sides, fractions for small games (solve memory --memory-model forget:0.1). Passing dies out first, from a chance of 0.3 on entirely for up to 7 ranks. Players who forget different cards are open.",
            "既知の札を一定の確率で忘れる、覚えられる枚数に上限がある、直前の2枚だけ覚える、という2人の場合は必ず終わる確率ゲームで、値を両側から挟んだ（小さいゲームは分数。solve memory --memory-model forget:0.1）。忘れやすいほどパスは早く消え、7ランクまでは確率0.3以上で一切なくなる。2人が別々の札を忘れる場合は未解決。",
        ),
        standing: Standing::Partly,
        evidence: Evidence::Part("forgetting"),
    },
    Question {
        asked: text(
            "What did “optimal” play in the mixed rows of table 4?",
            "表4の混合の行で「最適」は何を打ったのか。",
        ),
        known: text(
            "Not the equilibrium strategy, which would score 69.25 %. A best response under the paper’s prunings gives 71.95 %, the paper prints 71.93 %; one variant, picked after the fact, rounds to it (study memory readings).",
            "均衡戦略（69.25 %）ではない。論文の枝刈りの下での最適応答なら 71.95 %、論文は 71.93 %。後から選んだ1つの読みだけが丸めて一致する（study memory readings）。",
        ),
        standing: Standing::Partly,
        evidence: Evidence::Study("readings"),
    },
    Question {
        asked: text("What happens beyond 35 ranks?", "35ランクより先はどうなるか。"),
        known: text(
            "Figure 5 goes on here: exact values up to 50 ranks in a quick run and to 100 in a full one.",
            "図5をここで延長した：簡易計算では50ランク、完全計算では100ランクまでの厳密値。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Part("figure-5"),
    },
];

fn golden(id: &str) -> &'static Golden {
    GOLDEN.iter().find(|g| g.id == id).expect("a table of this game")
}

/// A golden table beside what we computed.
fn beside(id: &str, computed: &[Computed]) -> Piece {
    compare(golden(id), computed).into()
}

fn counts(shared: &Results, run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let tree = shared.tree(run)?;
    let mut counts = vec![
        Computed::count("card states, 13 ranks", binomial(RANKS as u64 + 8, 8)),
        Computed::count("positions, 13 ranks", tree.positions),
        Computed::count("with a known pair", tree.with_pair),
        Computed::count("without a known pair", tree.positions - tree.with_pair),
        Computed::count("known pair, yet turning is best", tree.leave),
    ];
    counts.extend(shared.large(run)?.map(|n| Computed::count("positions, 35 ranks", n)));
    Ok(counts)
}

fn growth(shared: &Results, run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let Some(large) = shared.large(run)? else { return Ok(Vec::new()) };
    let small = shared.tree(run)?.positions;
    let exponent = (large as f64 / small as f64).ln() / (LARGE as f64 / RANKS as f64).ln();
    Ok(vec![Computed::exact("growth exponent", exponent, format!("{exponent:.3}"))])
}

fn table_2(tree: &Tree) -> Vec<Computed> {
    vec![
        Computed::count("take a known pair", tree.first[0]),
        Computed::count("turn an unknown card", tree.first[1]),
        Computed::count("pass", tree.first[2]),
        Computed::count("total", tree.first.iter().sum()),
    ]
}

fn table_3(game: &Memory, tree: &Tree) -> Vec<Computed> {
    let mut cells = Vec::new();
    for (p, counts) in game.patterns().iter().zip(&tree.second).filter(|(p, _)| p.unknown > 0) {
        for (name, n) in ["same", "different", "unknown"].into_iter().zip(counts) {
            // Without a known card of the rank there is no "same"; the paper prints a dash.
            if p.known > 0 || name != "same" {
                cells.push(Computed::count(format!("({},{}) {name}", p.unknown, p.known), *n));
            }
        }
    }
    cells
}

fn figure_5(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let most = if shared.effort == Effort::Quick { QUICK_RANKS } else { FULL_RANKS };
    let game = Memory::new(most, 4, Objective::Win)?;
    let levels = Levels::solve(&game, Doubles, Keep::Window, &run.afresh())?;
    let rates: Vec<(usize, f64)> =
        (1..=most).filter_map(|n| Some((n, 50.0 * (1.0 + levels.root(n)?)))).collect();
    let cells: Vec<Computed> = rates
        .iter()
        .map(|&(n, rate)| Computed::exact(format!("n={n}"), rate, format!("{rate:.6}")))
        .collect();
    let mut piece = beside("figure-5", &cells);
    // What the text gives in digits are points; what it calls "about 50 %" is a range.
    let (mut printed, mut about) = (Vec::new(), Vec::new());
    for cell in golden("figure-5").read().cells {
        let Some(n) = cell.cell.strip_prefix("n=").and_then(|n| n.parse::<f64>().ok()) else { continue };
        if n < 2.0 {
            continue;
        }
        if cell.precision < 1.0 {
            printed.push((n, cell.published));
        } else {
            let half = cell.precision / 2.0;
            about.push((n, cell.published, (cell.published - half, cell.published + half)));
        }
    }
    let ours = |from: usize, to: usize| {
        rates.iter().filter(move |r| (from..=to).contains(&r.0)).map(|&(n, rate)| (n as f64, rate))
    };
    let mut plot = Plot::new(
        text("Figure 5: win rate of the first player", "図5：先手の勝率"),
        text("ranks n", "ランク数 n"),
        text("win rate, %", "勝率（%）"),
    );
    plot.note = Text::of(
        format!(
            "Exact for every n. The paper goes to n = {LARGE}, here to n = {most}{}. n = 1 (100 %) is left out. The paper's text gives numbers for few n, for the others \"about 50 %\".",
            if shared.effort == Effort::Quick { "; a full run goes to 100" } else { "" }
        ),
        format!(
            "全ての n で厳密。論文は n = {LARGE} まで、ここでは n = {most} まで{}。n = 1（100 %）は省く。論文の本文が数値を示すのは一部の n で、他は「概ね50 %」。",
            if shared.effort == Effort::Quick { "（完全計算では 100 まで）" } else { "" }
        ),
    );
    plot.series = vec![
        Series::with_intervals(text("\"about 50 %\" in the text", "本文の「概ね50 %」"), Draw::Band, about),
        Series::new(text("computed", "計算"), Draw::Line, ours(2, LARGE)),
        Series::new(text("computed beyond the paper", "論文の先の計算"), Draw::Line, ours(LARGE, most)),
        Series::new(text("published", "論文"), Draw::Diamonds, printed),
    ];
    plot.reference = Some(50.0);
    piece.blocks.insert(0, Block::Plot(plot));
    Ok(piece)
}

fn table_4(game: &Memory, table: &Levels<Doubles>, run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let percent = |cell: &str, rate: f64| {
        let rate = 100.0 * rate;
        Computed::exact(cell, rate, format!("{rate:.6}"))
    };
    let optimal = (1.0 + table.root(RANKS).unwrap_or(f64::NAN)) / 2.0;
    let readings = experiments::readings(game, table, run)?;
    let mut cells = vec![
        percent("optimal / optimal", optimal),
        percent("normal / normal", experiments::rate(game, &Normal, &Normal, run)?),
    ];
    // The likeliest reading stands beside the published figure; all of them below it.
    if let Some(reading) = readings.iter().find(|r| r.name == experiments::PAPERS_MOVES) {
        cells.push(percent("optimal / normal", reading.first));
        cells.push(percent("normal / optimal", reading.second));
    }
    for Reading { name, first, second } in &readings {
        let first_name = Text::of(format!("{} / normal", name.en), format!("{}／通常", name.ja));
        let second_name = Text::of(format!("normal / {}", name.en), format!("通常／{}", name.ja));
        cells.push(percent(&first_name.en, *first).labelled(first_name));
        cells.push(percent(&second_name.en, *second).labelled(second_name));
    }
    Ok(cells)
}

/// A figure that shows unusual positions.
struct Unusual {
    /// Its number.
    figure: u8,
    /// What is unusual.
    oddity: Oddity,
    /// What the search for others of its kind finds.
    title: Text,
    /// The head of the column of the usual move.
    usual: Text,
    /// The position that the paper's text describes closely enough to be written down, and how it does.
    described: (&'static str, Text),
}

static UNUSUAL: [Unusual; 3] = [
    Unusual {
        figure: 2,
        oddity: Oddity::Pass,
        title: text(
            "Figure 2, found by search: passing is the only best move",
            "図2の探索：パスだけが最善の局面",
        ),
        usual: text("turning>", "めくると>"),
        described: (
            "31,20,11",
            text("after an ace, 5 unknown cards; 2 and 3 can be matched", "Aの後に未知5枚、2と3は対がある"),
        ),
    },
    Unusual {
        figure: 3,
        oddity: Oddity::Different,
        title: text(
            "Figure 3, found by search: a known card of another rank is the only best second card",
            "図3の探索：2枚目に既知（異）だけが最善の局面",
        ),
        usual: text("second unknown>", "2枚目未知なら>"),
        described: (
            "31,2x20",
            text("A or 2, then a known 3, gives figure 2 (A)", "Aか2の後に既知の3で図2(A)になる"),
        ),
    },
    Unusual {
        figure: 4,
        oddity: Oddity::Leave,
        title: text(
            "Figure 4, found by search: leaving a known pair is the only best move",
            "図4の探索：既知ペアを残すことだけが最善の局面",
        ),
        usual: text("taking>", "取ると>"),
        described: (
            "2x22",
            text("two ranks of two unknown and two known cards", "未知2・既知2のランクが2つ"),
        ),
    },
];

impl Unusual {
    /// Positions that were found, for people and for programs.
    fn listed(&self, found: &[unusual::Found]) -> (Block, Value) {
        let value = |x: f64| Cell::from(format!("{x:.6}")).value(x);
        let heads =
            [text("position", "局面"), text("value>", "値>"), self.usual.clone(), text("kind", "種別")];
        let mut list = Table::new(self.title.clone(), &heads);
        for f in found {
            list.row([f.notation.as_str().into(), value(f.value), value(f.usual), Certainty::Exact.into()]);
        }
        let json = |f: &unusual::Found| json!({"position": f.notation, "value": f.value, "usual": f.usual});
        (Block::Table(list), found.iter().map(json).collect())
    }

    /// The figure: the position of the text, which must show what the text says, and others of its kind.
    fn part(&self, shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
        let (game, table) = shared.solved(run)?;
        let found = unusual::find(game, table, self.oddity, LISTED, run)?;
        let (notation, why) = &self.described;
        let positions: Vec<&str> =
            std::iter::once(*notation).chain(found.iter().map(|f| f.notation.as_str())).collect();
        let shows = unusual::shows(game, table, &game.parse(notation)?, self.oddity);
        let mut described = Table::new(
            text("the position the text describes", "本文の記述から復元した局面"),
            &[
                text("figure", "図"),
                text("position", "局面"),
                text("as described", "記述どおり"),
                text("why this one", "根拠"),
            ],
        );
        described.row([
            format!("{} (A)", self.figure).into(),
            (*notation).into(),
            Cell::from(if shows { text("yes", "はい") } else { text("NO", "いいえ") }).good(shows),
            why.clone().into(),
        ]);
        let (list, json) = self.listed(&found);
        let picture = figures::figure(self.figure, self.oddity, &positions, game, table);
        let piece = Piece::of([picture, Block::Table(described), list]).with("positions", json);
        Ok(Piece { faults: usize::from(!shows), ..piece })
    }
}

fn zwick_paterson(run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let broken = |n| Ok(Computed::count(format!("{n} pairs"), two_cards::check(n, run)?.broken));
    (1..=PAIRS).map(broken).collect()
}

fn two_cards_a_rank(run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let rate = |n| {
        let game = Memory::new(n, 2, Objective::Win)?;
        let root = Levels::solve(&game, Doubles, Keep::Window, &run.afresh())?.root(n).unwrap_or(f64::NAN);
        let rate = (1.0 + root) / 2.0;
        Ok(Computed::exact(format!("{n} ranks"), rate, format!("{rate:.9}")))
    };
    (2..=7).map(rate).collect()
}

/// Learns the lists and measures them.
fn rules_of_thumb(
    game: &Memory,
    table: &Levels<Doubles>,
    length: usize,
    run: &Run<'_>,
) -> Result<Outcome, Error> {
    let learned = RulesOfThumb::learn(game, table, length, run)?;
    let mut blocks = vec![Block::Paragraph(text(
        "Rules of thumb, derived from the solved table. Always take a pair that costs nothing and a match that is known; else read the list from the top.",
        "解いた表から導いた指針。無条件に取れるペアと既知の対は必ず取り、それ以外は上から順に読む。",
    ))];
    let mut lists = Vec::new();
    let decisions: [(&str, Text, &DecisionList, &[_]); 3] = [
        (
            "first",
            text("first card, no known pair", "1枚目：既知ペアなし"),
            &learned.quiet,
            &rules_of_thumb::QUIET,
        ),
        (
            "pair",
            text("first card, a known pair that is not free", "1枚目：残す選択もある既知ペアあり"),
            &learned.pair,
            &rules_of_thumb::PAIR,
        ),
        (
            "second",
            text(
                "second card, no known match (where turning was best)",
                "2枚目：既知の対なし（めくりが最善の局面）",
            ),
            &learned.second,
            &rules_of_thumb::SECOND,
        ),
    ];
    for (id, title, list, options) in decisions {
        let share = 100.0 * list.right as f64 / (list.cases.max(1)) as f64;
        let (right, cases) = (grouped(list.right), grouped(list.cases));
        let mut rules = List::new(Text::of(
            format!("{}: right in {right} of {cases} cases ({share:.2} %)", title.en),
            format!("{}：{cases}件中{right}件で最善（{share:.2} %）", title.ja),
        ));
        for (i, rule) in list.rules.iter().enumerate() {
            rules.push(
                Record::new()
                    .show(text("", ""), Cell::from((i + 1).to_string()).tone(Tone::Dim))
                    .words("if", text("if", "条件"), rule.condition())
                    .words(
                        "then",
                        text("then", "手"),
                        rules_of_thumb::option_name(game, options[rule.option]),
                    ),
            );
        }
        lists.push(json!({"decision": id, "rules": rules.json, "cases": list.cases, "right": list.right}));
        blocks.push(Block::Table(rules.table));
    }
    let best = (1.0 + table.root(game.ranks()).unwrap_or(f64::NAN)) / 2.0;
    let mut costs = List::new(text(
        "what a way of playing wins against the best opponent there is",
        "最強の相手に対する勝率",
    ));
    let seven = rules_of_thumb::against_best(game, &SEVEN, run)?;
    let sharp = rules_of_thumb::against_best(game, &SHARP, run)?;
    let ways: [(&str, Text, (f64, f64)); 5] = [
        ("optimal", text("optimally", "最適戦略"), (best, 1.0 - best)),
        ("sharp", text("by the sharper seven lines", "改良した7行の指針"), sharp),
        ("seven lines", text("by the seven lines", "7行の指針"), seven),
        ("rules", text("by these rules", "この指針"), rules_of_thumb::against_best(game, &learned, run)?),
        ("normal", text("normally", "通常戦略"), rules_of_thumb::against_best(game, &Normal, run)?),
    ];
    for (id, name, rates) in ways {
        costs.push(rules_of_thumb::costs(best, id, name, rates));
    }
    blocks.push(Block::Table(costs.table));
    let (cases, right) = learned.same;
    let (all, best) = (grouped(cases), grouped(right));
    blocks.push(Block::Paragraph(Text::of(
        format!("Where a match is known, taking it is best in {best} of {all} cases."),
        format!("既知の対があるとき、それを取るのが最善：{all}件中{best}件。"),
    )));
    let json = json!({"game": "memory", "ranks": game.ranks(), "lists": lists, "against_best": costs.json,
        "match_known": {"cases": cases, "right": right}});
    Ok(Outcome { blocks, json, good: true })
}

const fn ranks(max: i64, default: &'static str) -> Param {
    Param::int("ranks", 1, max, default, text("how many ranks there are", "ランクの数"))
}

pub static STUDIES: [Study; 11] = [
    Study {
        name: "rules",
        summary: text(
            "a short decision list from the solved table: how often it is right, and what playing by it costs",
            "解いた表から短い判断リストを導き、正答数と勝率の損を求める",
        ),
        params: &[
            ranks(20, "13"),
            Param::int("length", 1, 20, "5", text("rules in each list at most", "各リストの規則数の上限")),
            Param {
                name: "list",
                domain: Domain::Choice(&[
                    ("learned", text("lists derived from the solved table", "解いた表から導くリスト")),
                    (
                        "seven",
                        text(
                            "seven lines to keep in mind, and some of them left out",
                            "覚えやすい7行と、その一部を除いたもの",
                        ),
                    ),
                    (
                        "sharp",
                        text(
                            "the same with sharper lines for the second card: they lose less than half as much",
                            "2枚目の行を改良した7行（損は半分以下）",
                        ),
                    ),
                ]),
                default: "learned",
                help: text("which rules are measured", "測る指針"),
            },
        ],
        rows: &[],
        run: |settings, run| {
            if settings.word("list") != "learned" {
                return seven_lines::study(settings, run);
            }
            let (game, table) = experiments::solved(settings.int("ranks") as usize, run)?;
            rules_of_thumb(&game, &table, settings.int("length") as usize, run)
        },
    },
    Study {
        name: "forgetting",
        summary: text(
            "two players who forget: the first player's win rate and passes by what they remember",
            "忘れる2人：記憶と、先手の勝率・パスの関係",
        ),
        params: &super::forgetting::PARAMS,
        rows: &[],
        run: super::forgetting::study,
    },
    Study {
        name: "ties",
        summary: text(
            "three players and more: how much it matters which of equal moves is made",
            "3人以上：同値の手の選び方でどれだけ変わるか",
        ),
        params: &players::TIES,
        rows: &[],
        run: players::ties,
    },
    Study {
        name: "lines",
        summary: text(
            "the seven lines and the sharper ones against the best opponent, by ranks",
            "7行の指針と改良した7行の、ランク数ごとの勝率",
        ),
        params: &seven_lines::SIZES,
        rows: &[],
        run: seven_lines::by_ranks,
    },
    Study {
        name: "habits",
        summary: text(
            "what happens in a game of best play: passes, second cards, and how often passes end it",
            "最善手どうしの1局の中身：パス、2枚目の札、パスによる終局の割合",
        ),
        params: &super::habits::PARAMS,
        rows: &[],
        run: super::habits::study,
    },
    Study {
        name: "solitaire",
        summary: text(
            "playing alone: the least expected moves with two and four cards a rank, and their limits",
            "一人で：同ランク2枚・4枚の手数の期待値の最小と、その極限",
        ),
        params: &super::solitaire::PARAMS,
        rows: &[],
        run: super::solitaire::study,
    },
    Study {
        name: "unusual",
        summary: text(
            "the smallest positions where the best move is not the usual one (figures 2, 3 and 4)",
            "最善手が通常と異なる最小の局面（図2、3、4）",
        ),
        params: &[
            ranks(20, "13"),
            Param::int("most", 1, 1000, "10", text("positions of each kind", "種類ごとの局面数")),
        ],
        rows: &[],
        run: |settings, run| {
            let (game, table) = experiments::solved(settings.int("ranks") as usize, run)?;
            let (mut blocks, mut json) = (Vec::new(), Vec::new());
            for kind in &UNUSUAL {
                let most = settings.int("most") as usize;
                let (list, positions) = kind.listed(&unusual::find(&game, &table, kind.oddity, most, run)?);
                blocks.push(list);
                json.push(json!({"figure": kind.figure.to_string(), "positions": positions}));
            }
            Ok(Outcome { blocks, json: json.into(), good: true })
        },
    },
    Study {
        name: "tree",
        summary: text(
            "the size of the paper's game tree, by expanding it",
            "論文のゲーム木を展開して局面数を数える",
        ),
        params: &[ranks(40, "13")],
        rows: &[],
        run: |settings, run| {
            let game = Memory::new(settings.int("ranks") as usize, 4, Objective::Win)?;
            let n = experiments::count_tree(&game, run)?;
            let facts = vec![
                (text("ranks", "ランク数"), game.ranks().to_string().into()),
                (text("positions", "局面数"), Cell::from(grouped(n)).tone(Tone::Strong)),
                (text("kind", "種別"), Certainty::Exact.word().into()),
            ];
            let json = json!({"game": "memory", "ranks": game.ranks(), "positions": n, "kind": "exact"});
            Ok(Outcome { blocks: vec![Block::Facts(facts)], json, good: true })
        },
    },
    Study {
        name: "readings",
        summary: text("table 4 under every reading of \"optimal\"", "表4を「最適」の全ての読みで計算する"),
        params: &[ranks(16, "13")],
        rows: &[],
        run: readings_study,
    },
    Study {
        name: "check",
        summary: text(
            "every legal position by the generic induction and by Memory's own solver, compared",
            "全合法局面を汎用の帰納法と専用ソルバで解いて比較する",
        ),
        params: &[ranks(16, "8"), yomikiri_games::memory::COPIES, yomikiri_games::memory::OBJECTIVE],
        rows: &[],
        run: check_study,
    },
    Study {
        name: "two-cards",
        summary: text(
            "Zwick and Paterson's rule for two cards a rank, in exact fractions",
            "同ランク2枚のZwick–Paterson規則を分数で検証する",
        ),
        params: &[Param::int("pairs", 1, 100, "24", text("the largest number of pairs", "ペア数の上限"))],
        rows: &[],
        run: two_cards_study,
    },
];

fn readings_study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (game, table) = experiments::solved(settings.int("ranks") as usize, run)?;
    let mut list =
        List::new(text("win rate of the first player against normal play", "通常戦略に対する先手の勝率"));
    for Reading { name, first, second } in experiments::readings(&game, &table, run)? {
        let shown = |rate: f64| format!("{rate:.8}");
        list.push(
            Record::new()
                .words("reading", text("\"optimal\" is", "「最適」の読み"), name)
                .field("first", text("optimal / normal>", "最適／通常>"), shown(first), first)
                .field("second", text("normal / optimal>", "通常／最適>"), shown(second), second)
                .certainty(Certainty::Exact),
        );
    }
    let json = json!({"ranks": game.ranks(), "readings": list.json});
    Ok(Outcome { blocks: vec![Block::Table(list.table)], json, good: true })
}

fn check_study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let game = asked::game(settings)?;
    let generic = Induction::<f64>::new().solve(&game, run)?;
    let levels = Levels::solve(&game, Doubles, Keep::All, &run.afresh())?;
    let (mut positions, mut worst, mut place) = (0u64, 0.0f64, String::new());
    for tier in 0..game.tiers() {
        run.check()?;
        for (at, value) in generic.tier(tier).iter().enumerate() {
            let Some(s) = game.state((tier, at as u64)) else { continue };
            let ours = levels.lookup(&s.counts, s.diff).unwrap_or(f64::NAN);
            positions += 1;
            let gap = (ours - value).abs();
            if gap.is_nan() || gap > worst {
                worst = gap;
                place = game.print(&s).unwrap_or_default();
            }
        }
    }
    let equal = worst < 1e-11;
    let verdict = if equal { text("equal", "一致") } else { text("DIFFERENT", "不一致") };
    let facts = vec![
        (text("positions compared", "比較した局面数"), grouped(positions).into()),
        (text("largest difference", "最大の差"), format!("{worst:.3e}  {place}").into()),
        (text("verdict", "判定"), Cell::from(verdict).good(equal)),
    ];
    let json = json!({"positions": positions, "largest_difference": worst, "at": place, "equal": equal});
    Ok(Outcome { blocks: vec![Block::Facts(facts)], json, good: equal })
}

fn two_cards_study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let mut list =
        List::new(text("n pairs, k known cards: positions k = 0..n", "nペア、既知k枚（k = 0..n）"));
    let mut good = true;
    let most = settings.int("pairs") as u64;
    run.observer.begin(&text("pairs", "ペア数"), most);
    for n in 1..=most {
        run.check()?;
        let silent = Run { observer: &yomikiri_core::run::Silent, ..*run };
        let check = two_cards::check(n as usize, &silent)?;
        run.observer.done(n);
        let holds = check.broken == 0;
        good &= holds;
        let follow = Cell::from(grouped(check.positions - check.broken)).good(holds);
        list.push(
            Record::new()
                .count("pairs", text("n>", "n>"), n)
                .count("positions", text("positions>", "局面数>"), check.positions)
                .field("broken", text("follow the rule>", "規則どおり>"), follow, check.broken)
                .count("unique", text("only the rule's move is best>", "規則の手だけが最善>"), check.unique),
        );
    }
    run.observer.end();
    let json = json!({"rule": "Zwick and Paterson", "checks": list.json});
    Ok(Outcome { blocks: vec![Block::Table(list.table)], json, good })
}
