//! The paper's tables and figures recomputed, its slips shown, and every table verified.

use super::analysis::{Kind, Slip, Solved, distance, value};
use super::board::{Board, Position, Side, squares};
use super::boards;
use super::drawing;
use super::notation::board_text;
use super::start;
use super::summary::{both, conclusions, conclusions_json, conclusions_table, signed, tally};
use super::tables::{Tables, verify};
use crate::entry::Effort;
use crate::golden::{Computed, Golden, compare};
use crate::report::{Block, Cell, Outcome, Table, Tone, grouped};
use serde_json::{Value, json};
use std::collections::HashSet;
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_solve::retrograde;

/// The published tables.
pub static GOLDEN: [Golden; 5] = [
    Golden { id: "table-1", data: include_str!("golden/table-1.toml") },
    Golden { id: "two-two", data: include_str!("golden/two-two.toml") },
    Golden { id: "three-two", data: include_str!("golden/three-two.toml") },
    Golden { id: "program", data: include_str!("golden/program.toml") },
    Golden { id: "boards", data: include_str!("golden/boards.toml") },
];

/// The figures whose example lines are played out, with the analysis and who is to move.
const LINES: [(u8, Kind, u8); 10] = [
    (3, Kind::Basic, 0),
    (4, Kind::Basic, 1),
    (12, Kind::RrbThree, 0),
    (13, Kind::RrbThree, 1),
    (14, Kind::RrbTwo, 0),
    (15, Kind::RrbTwo, 1),
    (16, Kind::BbrThreeThird, 0),
    (17, Kind::BbrThreeThird, 1),
    (18, Kind::BbrTwoHalf, 0),
    (19, Kind::BbrTwoHalf, 1),
];

/// A signed whole number as a computed figure.
fn whole(cell: impl Into<String>, value: i8) -> Computed {
    Computed::exact(cell, f64::from(value), signed(value))
}

fn moves(cell: impl Into<String>, verdict: retrograde::Verdict) -> Computed {
    Computed::count(cell, u64::from(distance(verdict).unwrap_or(0)))
}

/// The start of an analysis; for the assumed blue piece the one on player 2's home rank at the left.
fn first(solved: &Solved) -> Position {
    start::positions(&solved.rules)[0]
}

/// The parity of section 2, over everything quiet moves reach from the start: how many positions are
/// reached, and how many break it.
pub fn parity(solved: &Solved) -> (u64, u64) {
    let rules = &solved.rules;
    let board = &rules.board;
    let shade = |side: &Side| {
        squares(side.all()).map(|s| s % u32::from(board.width) + s / u32::from(board.width)).sum::<u32>() % 2
    };
    let start = first(solved);
    let origin = start.sides.map(|side| shade(&side));
    let (mut seen, mut open, mut broken) = (HashSet::from([start]), vec![start], 0);
    while let Some(p) = open.pop() {
        // The distance both players' pieces have gone, by parity: equal means the same player is to move.
        let gone = [0, 1].map(|i| (shade(&p.sides[i]) + origin[i]) % 2);
        broken += u64::from((gone[0] == gone[1]) != (p.turn == start.turn));
        let mut actions = Vec::new();
        rules.actions(&p, &mut actions);
        for a in actions {
            let next = rules.apply(&p, a);
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    (seen.len() as u64, broken)
}

/// Solves an analysis with a slip of the published program.
fn slipped(tables: &Tables, kind: Kind, slip: Slip, run: &Run<'_>) -> Result<Solved, Error> {
    let rules = tables.rules(kind, &kind.materials(), run)?.with(slip);
    let table = retrograde::solve(&rules, "geister/slip", run)?;
    Ok(Solved { rules, table })
}

/// What the published program does otherwise: how many values change, and whether a start's does.
struct Slipped {
    changed: u64,
    start_changed: bool,
    won: u64,
}

fn slip(tables: &Tables, kind: Kind, slip: Slip, run: &Run<'_>) -> Result<Slipped, Error> {
    let right = tables.solve(kind, run)?;
    let wrong = slipped(tables, kind, slip, run)?;
    let differs = |place: &u64| value(right.table.get(*place)) != value(wrong.table.get(*place));
    let start = first(&right);
    Ok(Slipped {
        changed: (0..right.table.places()).filter(differs).count() as u64,
        start_changed: both(&right, &start).map(value) != both(&wrong, &start).map(value),
        won: tally(&wrong).values[2],
    })
}

/// Slips of the text that are not figures: where, what is printed, what it should be, and the evidence.
fn slips(tables: &Tables, one: &Slipped, takes: &Slipped, run: &Run<'_>) -> Result<Table, Error> {
    let mut table = Table::new(
        text("slips in the text and in the published program", "本文と公開プログラムの誤り"),
        &[
            text("where", "箇所"),
            text("printed", "原文"),
            text("should be", "正しくは"),
            text("evidence", "根拠"),
        ],
    );
    let two = tables.solve(Kind::BbrTwoHalf, run)?;
    let half = both(&two, &first(&two)).map(value);
    let rrb = tables.solve(Kind::RrbTwo, run)?;
    let ones = both(&rrb, &first(&rrb)).map(value);
    let rows = [
        (
            text("section 2", "2節"),
            text("four pieces each on the board", "盤面には常に駒が4つずつ"),
            text("four pieces in all, two each", "合わせて4つ（2つずつ）"),
            text(
                "the count 2·C(16,2)·C(14,2) = 21,840 in the same section",
                "同じ節の 2·C(16,2)·C(14,2) = 21,840",
            ),
        ),
        (
            text("section 6.1.1", "6.1.1節"),
            text("figures 16 and 17", "図16、図17"),
            text("figures 12 and 13", "図12、図13"),
            text("the captions of figures 12 and 13", "図12、図13の説明文"),
        ),
        (
            text("sections 6.1.2, 6.2.1", "6.1.2節、6.2.1節"),
            text(
                "value 1 means that player 2 cannot prevent it in finitely many moves",
                "値1は「有限手で阻止できない」を意味する",
            ),
            text(
                "value 1 means that player 1 reaches it in finitely many moves",
                "値1は「有限手で達成できる」を意味する",
            ),
            Text::of(
                format!(
                    "section 5's definition; values at the start {} and {}",
                    signed(ones[0]),
                    signed(ones[1])
                ),
                format!("5節の定義。初期配置の値は {} と {}", signed(ones[0]), signed(ones[1])),
            ),
        ),
        (
            text("section 6.2, heading and first sentence", "6.2節の見出しと最初の文"),
            text("red-red-blue", "赤赤青"),
            text("red-blue-blue", "赤青青"),
            text("sections 6.2.1 and 6.2.2", "6.2.1節、6.2.2節の内容"),
        ),
        (
            text("section 6.2.2, conclusion", "6.2.2節の結論"),
            text("player 1 reaches payoff 0", "平均利得0を達成できる"),
            text("player 1 reaches payoff −1/2", "平均利得−1/2を達成できる"),
            Text::of(
                format!(
                    "the target is −1/2; values at the start {} and {}",
                    signed(half[0]),
                    signed(half[1])
                ),
                format!("目標は−1/2。初期配置の値は {} と {}", signed(half[0]), signed(half[1])),
            ),
        ),
        (
            text("published program, red-red-blue", "公開プログラム、赤赤青側"),
            text("a guess is tested with one own colouring", "推測の判定で自分の配色を1通りだけ調べる"),
            text("with both", "2通りとも調べる"),
            Text::of(
                format!("{} of 262,080 values change, the start values do not", grouped(one.changed)),
                format!("262,080個中{}個の値が変わる（初期配置は不変）", grouped(one.changed)),
            ),
        ),
        (
            text("published program, payoff −1/2", "公開プログラム、利得−1/2"),
            text("moves that take are counted", "取る手の数を数える"),
            text("pieces that can be taken", "取れる駒の数を数える"),
            Text::of(
                format!(
                    "{} values change ({} positions at +1), the start values do not",
                    grouped(takes.changed),
                    grouped(takes.won)
                ),
                format!(
                    "{}個の値が変わる（+1が{}個、初期配置は不変）",
                    grouped(takes.changed),
                    grouped(takes.won)
                ),
            ),
        ),
    ];
    for (place, printed, right, evidence) in rows {
        table.row([place.into(), printed.into(), right.into(), Cell::from(evidence).tone(Tone::Dim)]);
    }
    Ok(table)
}

/// Positions of the kind figures 5 and 8 show; the pictures are not spelled out in the text.
fn figures_5_and_8(tables: &Tables, run: &Run<'_>) -> Result<(Vec<Block>, Value), Error> {
    let (basic, extended) = (tables.solve(Kind::Basic, run)?, tables.solve(Kind::Extended, run)?);
    let board = &extended.rules.board;
    let corner = board.square("a1").unwrap_or(0);
    let all = || (0..extended.table.places()).filter_map(|place| extended.rules.space.at(place));
    // An enemy piece on a1 that can be taken; guessing it red wins the open game as well.
    let five = all().find(|p| {
        p.turn == 0
            && p.sides[1].all() >> corner & 1 == 1
            && board.near(corner) & p.sides[0].all() != 0
            && extended.rules.leavers(p) == 0
            && distance(extended.verdict(p)) == Some(1)
            && basic.value(p) != 1
    });
    let eight = all().find(|p| p.turn == 0 && value(extended.verdict(p)) == 0);
    let mut blocks = Vec::new();
    let mut json = json!({});
    if let Some(p) = five {
        blocks.push(Block::Heading(text(
            "Figure 5, a position of its kind: not reached by the basic rule, reached by a guess",
            "図5に相当する配置の例：基本規則では達成できず、推測で達成できる",
        )));
        blocks.push(Block::Drawing(drawing::board(board, &p, 0)));
        json["figure 5"] = json!(board_text(board, &p.sides));
        // Figures 6 and 7: the guess is right, one's own colours are either way.
        let open = tables.get(Kind::Open, &Kind::Extended.guessed(), run)?;
        for (figure, own) in [6, 7].into_iter().zip(super::analysis::colourings(&p.sides[0])) {
            let enemy = p.sides[1].all();
            let enemy = Side([enemy & !(1 << corner), enemy & (1 << corner), 0]);
            let known = Position { turn: 0, sides: [own, enemy] };
            let line = drawing::line(&open, &known);
            blocks.push(Block::Heading(Text::of(
                format!("Figure {figure}: the enemy on a1 is guessed red, rightly"),
                format!("図{figure}：a1の相手駒を赤と推測し、当たった場合"),
            )));
            blocks.push(Block::Drawing(line.draw(board)));
            json[format!("figure {figure}")] = line.steps.iter().filter_map(|s| s.1.clone()).collect();
        }
    }
    if let Some(p) = eight {
        blocks.push(Block::Heading(text(
            "Figure 8, a position of its kind: neither reached nor prevented",
            "図8に相当する配置の例：達成も阻止もできない",
        )));
        blocks.push(Block::Drawing(drawing::line(&extended, &p).draw(board)));
        json["figure 8"] = json!(board_text(board, &p.sides));
    }
    Ok((blocks, json))
}

/// Recomputes everything.
pub fn reproduce(effort: Effort, run: &Run<'_>) -> Result<Outcome, Error> {
    let run = &run.afresh();
    let tables = Tables::new(Board::new(4, 4)?, false);
    let mut solved = Vec::new();
    for kind in Kind::ALL {
        solved.push(tables.solve(kind, run)?);
    }
    let of = |kind: Kind| &solved[Kind::ALL.iter().position(|k| *k == kind).unwrap_or(0)];
    let starts = |kind: Kind| both(of(kind), &first(of(kind)));

    let basic = tally(of(Kind::Basic));
    let table_1: Vec<Computed> = (basic.by_distance.iter().enumerate())
        .map(|(i, n)| Computed::count(format!("{} moves", i + 1), *n))
        .collect();

    let extended = tally(of(Kind::Extended));
    let (reached, broken) = parity(of(Kind::Basic));
    let mirror = super::exploit::mirror(of(Kind::Basic), run)?;
    let start = starts(Kind::Basic);
    let two_two = vec![
        Computed::count("2: positions", of(Kind::Basic).rules.all_positions()),
        Computed::count("2: parity, exceptions", broken),
        Computed::count("3: positions that reach payoff 0", basic.values[2]),
        Computed::count("3: ... with the player to move", 2 * basic.won[0]),
        Computed::count("3: most moves", basic.by_distance.len() as u64),
        moves("3: start, player 1 to move", start[0]),
        moves("3: start, player 2 to move", start[1]),
        Computed::count("4: positions that reach payoff 0", extended.values[2]),
        Computed::count("5: positions with value 0", extended.values[1]),
        mirror.computed("5: mirror strategy, payoff for player 1"),
    ];

    let mut three_two = Vec::new();
    let published = GOLDEN[2].read();
    for (kind, section) in [
        (Kind::RrbThree, "6.1.1 red-red-blue, payoff 0"),
        (Kind::RrbTwo, "6.1.2 two pieces, payoff 0"),
        (Kind::BbrThreeThird, "6.2.1 red-blue-blue, payoff 1/3"),
        (Kind::BbrTwoThird, "6.2.2 two pieces, payoff −1/3, three takes"),
        (Kind::BbrTwoGuess, "6.2.2 two pieces, payoff −1/3, a piece taken to be blue"),
        (Kind::BbrTwoHalf, "6.2.2 two pieces, payoff −1/2"),
    ] {
        for (turn, verdict) in starts(kind).into_iter().enumerate() {
            let cell = format!("{section}, player {} to move", turn + 1);
            debug_assert!(published.cells.iter().any(|c| c.cell == cell));
            three_two.push(whole(cell, value(verdict)));
        }
    }

    let takes = slip(&tables, Kind::BbrTwoHalf, Slip::TakesNotPieces, run)?;
    let one = slip(&tables, Kind::RrbThree, Slip::OneColouring, run)?;
    let mut program = vec![
        Computed::count("open: positions", of(Kind::Open).rules.all_positions()),
        Computed::count("bbr-two-half: positions at +1", tally(of(Kind::BbrTwoHalf)).values[2]),
        Computed::count("bbr-two-half: positions at +1, takes counted", takes.won),
        Computed::count("rrb-three: values that one own colouring changes", one.changed),
    ];
    for kind in [Kind::Extended, Kind::RrbTwo, Kind::BbrThreeThird, Kind::BbrTwoThird, Kind::BbrTwoGuess] {
        for (turn, verdict) in starts(kind).into_iter().enumerate() {
            program.push(moves(format!("{}: start, player {} to move", kind.id(), turn + 1), verdict));
        }
    }

    let found = boards::all(if effort == Effort::Full { "large" } else { "small" }, run)?;
    let computed: Vec<Computed> = found.iter().flat_map(boards::Found::computed).collect();

    let compared = [
        compare(&GOLDEN[0], &table_1),
        compare(&GOLDEN[1], &two_two),
        compare(&GOLDEN[2], &three_two),
        compare(&GOLDEN[3], &program),
        compare(&GOLDEN[4], &computed),
    ];
    let wrong = verify(&tables, run)?;
    let conclusions = conclusions(&tables, run)?;
    let exploits = super::exploit::claims(&tables, run)?;
    let slips_kept = !takes.start_changed && !one.start_changed;
    let held = conclusions.iter().all(|c| c.holds) && exploits.iter().all(|e| e.holds) && slips_kept;
    let differing: usize = compared.iter().map(|c| c.differing).sum();
    let count: usize = compared.iter().map(|c| c.compared).sum();

    let mut blocks = vec![Block::Heading(text(
        "Mini-Geister: T. Tanaka and S. Takaoka, Nash equilibrium strategies for Mini-Geister",
        "ミニガイスター：田中哲朗・高岡峻「ミニガイスターのナッシュ均衡戦略」",
    ))];
    blocks.extend(compared.iter().map(|c| Block::Table(c.table.clone())));
    blocks.push(Block::Table(conclusions_table(&conclusions)));
    blocks.push(Block::Table(super::exploit::claims_table(&exploits)));
    blocks.push(Block::Table(slips(&tables, &one, &takes, run)?));
    blocks.push(Block::Table(boards::table(&found)));
    let mut figures = json!({});
    for (figure, kind, turn) in LINES {
        let p = Position { turn, ..first(of(kind)) };
        let line = drawing::line(of(kind), &p);
        blocks.push(Block::Heading(Text::of(
            format!("Figure {figure}, a line of its kind: {}, player {} to move", kind.id(), turn + 1),
            format!("図{figure}に相当する進行例：{}、手番プレイヤー{}", kind.id(), turn + 1),
        )));
        blocks.push(Block::Drawing(line.draw(&of(kind).rules.board)));
        blocks.push(Block::Paragraph(line.ending()));
        figures[format!("figure {figure}")] = line.steps.iter().filter_map(|s| s.1.clone()).collect();
    }
    let (more, examples) = figures_5_and_8(&tables, run)?;
    blocks.extend(more);
    let positions: u64 = tables.built().iter().map(|s| s.table.places()).sum();
    blocks.push(Block::Facts(vec![
        (
            text("tables verified position by position", "全局面を順方向の規則で検証"),
            match wrong {
                None => Cell::from(Text::of(
                    format!("{} positions, none wrong", grouped(positions)),
                    format!("{}局面、誤りなし", grouped(positions)),
                ))
                .tone(Tone::Good),
                Some((kind, wrong)) => Cell::from(format!("{}: {wrong:?}", kind.id())).tone(Tone::Bad),
            },
        ),
        (
            text("parity of section 2", "2節の偶奇性"),
            Text::of(
                format!("{} positions reached, {broken} exceptions", grouped(reached)),
                format!("到達{}配置、例外{broken}", grouped(reached)),
            )
            .into(),
        ),
        (text("mirror strategy of section 5", "5節の上下鏡像対称戦略"), mirror.said().into()),
    ]));
    let good = differing == 0 && wrong.is_none() && held && mirror.holds;
    blocks.push(Block::Paragraph(Text::of(
        format!("Mini-Geister: {count} published figures compared, {differing} differ."),
        format!("ミニガイスター：公表された数値{count}個を照合、不一致{differing}個。"),
    )));
    let names = board_text(tables.board(), &first(of(Kind::Basic)).sides);
    Ok(Outcome {
        blocks,
        json: json!({"game": "geister", "paper": "geister-tanaka-takaoka", "start": names,
            "tables": compared.iter().map(|c| c.json.clone()).collect::<Vec<_>>(),
            "conclusions": conclusions_json(&conclusions), "exploit": super::exploit::claims_json(&exploits),
            "lines": figures, "examples": examples,
            "verified": {"positions": positions, "wrong": wrong.is_some()},
            "parity": {"positions": reached, "exceptions": broken},
            "slips": {"one_colouring": one.changed, "takes_counted": takes.changed},
            "compared": count, "differing": differing}),
        good,
    })
}
