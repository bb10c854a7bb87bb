//! The paper's tables and figures recomputed, its slips shown, and every table verified.

use super::exploit::{self, mirror_on};
use super::{boards, figures, interval, play};
use crate::golden::{Computed, Erratum, Golden, compare};
use crate::reproduction::{Effort, Evidence, Lazy, Part, Piece, Question, Standing};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_games::geister::analysis::{Kind, Slip, Solved, distance, value};
use yomikiri_games::geister::belief::Grid;
use yomikiri_games::geister::belief::both::Both;
use yomikiri_games::geister::board::{Board, Position, Side, squares};
use yomikiri_games::geister::drawing;
use yomikiri_games::geister::notation::{board_text, signed};
use yomikiri_games::geister::summary::{both, conclusions, conclusions_json, conclusions_table, tally};
use yomikiri_games::geister::tables::{Tables, verify};
use yomikiri_solve::retrograde;
use yomikiri_view::report::{Bars, Block, Cell, Certainty, List, Record, Table, Tone, grouped};

pub static GOLDEN: [Golden; 5] = [
    Golden { id: "table-1", data: include_str!("golden/table-1.toml") },
    Golden { id: "two-two", data: include_str!("golden/two-two.toml") },
    Golden { id: "three-two", data: include_str!("golden/three-two.toml") },
    Golden { id: "program", data: include_str!("golden/program.toml") },
    boards::GOLDEN,
];

/// A signed whole number as a computed figure.
fn whole(cell: impl Into<String>, value: i8) -> Computed {
    Computed::exact(cell, f64::from(value), signed(value))
}

fn moves(cell: impl Into<String>, verdict: retrograde::GameValue) -> Computed {
    Computed::count(cell, u64::from(distance(verdict).unwrap_or(0)))
}

/// The start of an analysis; for the assumed blue piece the one on player 2's home rank at the left.
fn first(solved: &Solved) -> Position {
    solved.rules.starts()[0]
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
    Ok(Solved::new(rules, table))
}

/// What the published program does otherwise: how many values change, and whether a start's does.
pub struct Slipped {
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
fn slips(tables: &Tables, one: &Slipped, takes: &Slipped, run: &Run<'_>) -> Result<Vec<Erratum>, Error> {
    let starts = |kind| {
        let solved = tables.solve(kind, run)?;
        Ok::<_, Error>(both(&solved, &first(&solved)).map(|verdict| signed(value(verdict))))
    };
    let ([half, other], [one_first, one_second]) = (starts(Kind::BbrTwoHalf)?, starts(Kind::RrbTwo)?);
    let (guessed, counted, won) = (grouped(one.changed), grouped(takes.changed), grouped(takes.won));
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
                format!("section 5's definition; values at the start {one_first} and {one_second}"),
                format!("5節の定義。初期配置の値は {one_first} と {one_second}"),
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
                format!("the target is −1/2; values at the start {half} and {other}"),
                format!("目標は−1/2。初期配置の値は {half} と {other}"),
            ),
        ),
        (
            text("published program, red-red-blue", "公開プログラム、赤赤青側"),
            text("a guess is tested with one own colouring", "推測の判定で自分の配色を1通りだけ調べる"),
            text("with both", "2通りとも調べる"),
            Text::of(
                format!("{guessed} of 262,080 values change, the start values do not"),
                format!("262,080個中{guessed}個の値が変わる（初期配置は不変）"),
            ),
        ),
        (
            text("published program, payoff −1/2", "公開プログラム、利得−1/2"),
            text("moves that take are counted", "取る手の数を数える"),
            text("pieces that can be taken", "取れる駒の数を数える"),
            Text::of(
                format!("{counted} values change ({won} positions at +1), the start values do not"),
                format!("{counted}個の値が変わる（+1が{won}個、初期配置は不変）"),
            ),
        ),
    ];
    let erratum = |(place, statement, corrected, counterexample)| Erratum {
        place,
        statement,
        counterexample,
        corrected,
    };
    Ok(rows.map(erratum).into())
}

fn slips_table(slips: &[Erratum]) -> Table {
    let mut list =
        List::new(text("slips in the text and in the published program", "本文と公開プログラムの誤り"));
    for slip in slips.iter().cloned() {
        list.push(
            Record::new()
                .show(text("where", "箇所"), slip.place)
                .show(text("printed", "原文"), slip.statement)
                .show(text("should be", "正しくは"), slip.corrected)
                .show(text("evidence", "根拠"), Cell::from(slip.counterexample).tone(Tone::Dim)),
        );
    }
    list.table
}

/// Positions of the kind figures 5 and 8 show; the pictures are not spelled out in the text.
fn figures_5_to_8(tables: &Tables, run: &Run<'_>) -> Result<(Vec<Block>, Value), Error> {
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
        let caption = text(
            "Figure 5, a position of its kind: not reached by the basic rule, reached by a guess",
            "図5に相当する配置の例：基本規則では達成できず、推測で達成できる",
        );
        blocks.push(figures::position(caption, board, &p));
        json["figure 5"] = json!(board_text(board, &p.sides));
        // Figures 6 and 7: the guess is right, one's own colours are either way.
        let open = tables.get(Kind::Open, &Kind::Extended.guessed(), run)?;
        for (figure, own) in
            [6, 7].into_iter().zip(yomikiri_games::geister::analysis::colourings(&p.sides[0]))
        {
            let enemy = p.sides[1].all();
            let enemy = Side([enemy & !(1 << corner), enemy & (1 << corner), 0]);
            let known = Position { turn: 0, sides: [own, enemy] };
            let line = drawing::line(&open, &known);
            let caption = Text::of(
                format!("Figure {figure}, a line of its kind: the enemy on a1 is guessed red, rightly"),
                format!("図{figure}に相当する進行例：a1の相手駒を赤と推測し、当たった場合"),
            );
            blocks.push(figures::played(caption, board, &line));
            json[format!("figure {figure}")] = line.steps.iter().filter_map(|s| s.1.clone()).collect();
        }
    }
    if let Some(p) = eight {
        let caption = text(
            "Figure 8, a position of its kind and a line: neither reached nor prevented",
            "図8に相当する配置と進行例：達成も阻止もできない",
        );
        blocks.push(figures::played(caption, board, &drawing::line(&extended, &p)));
        json["figure 8"] = json!(board_text(board, &p.sides));
    }
    Ok((blocks, json))
}

/// What the parts share: the tables of the paper's board, each built once.
pub struct Results {
    effort: Effort,
    board: Tables,
    built: Lazy<()>,
    slipped: Lazy<(Slipped, Slipped)>,
    both: Lazy<Arc<Both>>,
}

impl Results {
    pub fn new(effort: Effort) -> Results {
        let board = Board::new(4, 4).expect("the paper's board");
        let board = Tables::new(board, false);
        Results { effort, board, built: Lazy::default(), slipped: Lazy::default(), both: Lazy::default() }
    }

    /// The tables of all analyses, built in one order whichever part asks first.
    fn tables(&self, run: &Run<'_>) -> Result<&Tables, Error> {
        self.built
            .get(|| Kind::ALL.iter().try_for_each(|kind| self.board.solve(*kind, &run.afresh()).map(drop)))?;
        Ok(&self.board)
    }

    fn solved(&self, kind: Kind, run: &Run<'_>) -> Result<Arc<Solved>, Error> {
        self.tables(run)?.solve(kind, &run.afresh())
    }

    /// The start of an analysis with either player to move.
    fn starts(&self, kind: Kind, run: &Run<'_>) -> Result<[retrograde::GameValue; 2], Error> {
        let solved = self.solved(kind, run)?;
        Ok(both(&solved, &first(&solved)))
    }

    /// Three against two with all colours hidden: what both sides can be sure of.
    fn both(&self, run: &Run<'_>) -> Result<&Arc<Both>, Error> {
        let grid = if self.effort == Effort::Full { Grid::Adaptive } else { Grid::Coarse };
        self.both.get(|| Both::new(self.board.board(), grid, &run.afresh()))
    }

    /// The program's slips: one own colouring, and takes counted.
    fn slipped(&self, run: &Run<'_>) -> Result<&(Slipped, Slipped), Error> {
        let (tables, run) = (self.tables(run)?, &run.afresh());
        self.slipped.get(|| {
            Ok((
                slip(tables, Kind::RrbThree, Slip::OneColouring, run)?,
                slip(tables, Kind::BbrTwoHalf, Slip::TakesNotPieces, run)?,
            ))
        })
    }
}

/// The part that plays out the line of a figure: what it shows, the analysis, and who is to move.
macro_rules! line_of {
    ($figure:literal, $en:literal, $ja:literal, $kind:expr, $turn:literal) => {
        Part {
            id: concat!("figure-", $figure),
            title: text(concat!("Figure ", $figure, ": ", $en), concat!("図", $figure, "：", $ja)),
            run: |shared, run| line($figure, $kind, $turn, shared, run),
        }
    };
}

pub static PARTS: [Part<Results>; 24] = [
    Part {
        id: "figures-1-2",
        title: text(
            "Figures 1 and 2: the set-up, and payoff 0 for certain",
            "図1、2：初期配置と引き分け確定の配置",
        ),
        run: |shared, run| {
            let two = figures::figure_2(shared.tables(run)?, &run.afresh())?;
            Ok(Piece::of([figures::figure_1()?, two]))
        },
    },
    Part {
        id: "two-two",
        title: text("Sections 2 to 5: two pieces against two", "2～5節：2対2"),
        run: two_two,
    },
    Part {
        id: "table-1",
        title: text("Table 1: positions by the moves they take", "表1：手数ごとの配置数"),
        run: table_1,
    },
    line_of!(3, "2 against 2, player 1 to move", "2対2、手番プレイヤー1", Kind::Basic, 0),
    line_of!(4, "2 against 2, player 2 to move", "2対2、手番プレイヤー2", Kind::Basic, 1),
    Part {
        id: "figures-5-8",
        title: text("Figures 5 to 8: positions of section 4", "図5～8：4節の配置"),
        run: |shared, run| {
            let (blocks, json) = figures_5_to_8(shared.tables(run)?, &run.afresh())?;
            Ok(Piece::of(blocks).with("examples", json))
        },
    },
    Part {
        id: "figure-9",
        title: text("Figure 9: the mirror strategy", "図9：上下鏡像対称戦略"),
        run: |shared, run| Ok(Piece::of([figures::figure_9(shared.tables(run)?, &run.afresh())?])),
    },
    Part {
        id: "figures-10-11",
        title: text("Figures 10 and 11: the set-ups of section 6", "図10、11：6節の初期配置"),
        run: |shared, run| Ok(Piece::of(figures::figures_10_and_11(shared.tables(run)?, &run.afresh())?)),
    },
    Part {
        id: "three-two", title: text("Section 6: three pieces against two", "6節：3対2"), run: three_two
    },
    line_of!(12, "red-red-blue, player 1 to move", "赤赤青、手番プレイヤー1", Kind::RrbThree, 0),
    line_of!(13, "red-red-blue, player 2 to move", "赤赤青、手番プレイヤー2", Kind::RrbThree, 1),
    line_of!(14, "against red-red-blue, player 1 to move", "赤赤青の相手、手番プレイヤー1", Kind::RrbTwo, 0),
    line_of!(15, "against red-red-blue, player 2 to move", "赤赤青の相手、手番プレイヤー2", Kind::RrbTwo, 1),
    line_of!(16, "red-blue-blue, player 1 to move", "赤青青、手番プレイヤー1", Kind::BbrThreeThird, 0),
    line_of!(17, "red-blue-blue, player 2 to move", "赤青青、手番プレイヤー2", Kind::BbrThreeThird, 1),
    line_of!(
        18,
        "against red-blue-blue, player 1 to move",
        "赤青青の相手、手番プレイヤー1",
        Kind::BbrTwoHalf,
        0
    ),
    line_of!(
        19,
        "against red-blue-blue, player 2 to move",
        "赤青青の相手、手番プレイヤー2",
        Kind::BbrTwoHalf,
        1
    ),
    Part {
        id: "conclusions",
        title: text("The paper's conclusions", "論文の結論"),
        run: |shared, run| {
            let found = conclusions(shared.tables(run)?, &run.afresh())?;
            let piece = Piece::of([Block::Table(conclusions_table(&found))]);
            let faults = found.iter().filter(|c| !c.holds).count();
            Ok(Piece { faults, ..piece.with("conclusions", conclusions_json(&found)) })
        },
    },
    Part {
        id: "exploit",
        title: text("What the strategies get against those that know them", "戦略を知る相手に対する利得"),
        run: |shared, run| {
            let (list, faults) = exploit::claims(shared.tables(run)?, &run.afresh())?;
            Ok(Piece { faults, ..Piece::of([Block::Table(list.table)]).with("exploit", list.json) })
        },
    },
    Part {
        id: "program",
        title: text("The published program and slips of the text", "公開プログラムと本文の誤り"),
        run: program,
    },
    Part {
        id: "boards",
        title: text("Other boards, which the paper asks for", "他の盤（論文の課題）"),
        run: |shared, run| {
            let size = if shared.effort == Effort::Full { "large" } else { "small" };
            let found = boards::all(size, &run.afresh())?;
            let mut piece = Piece::from(boards::compared(&found));
            piece.block(Block::Table(boards::list(&found).table));
            Ok(piece)
        },
    },
    Part {
        id: "verified",
        title: text("Every table, verified by the rules", "全ての表の検証"),
        run: verified,
    },
    Part {
        id: "interval",
        title: text("Section 6.2: the interval that is left open", "6.2節：未解決の区間"),
        run: |shared, run| interval::part(shared.both(run)?, &run.afresh()),
    },
    Part {
        id: "three-two-play",
        title: text("Section 6.2: how play goes, three against two", "6.2節：3対2の最善の戦い方"),
        run: |shared, run| play::part(shared.both(run)?, &run.afresh()),
    },
];

pub static QUESTIONS: [Question; 3] = [
    Question {
        asked: text("What is the value of red-blue-blue against two pieces?", "赤青青対2駒の値はいくつか。"),
        known: text(
            "Part “interval”: if the two move first, exactly 1/3; if the three move first, at least 2833/6930 (0.4088) and at most 1033/2520 (0.4100). All four bounds have certificates, which anybody can check (yomikiri certify geister, then yomikiri check).",
            "「interval」の項：2駒側が先手ならちょうど 1/3、3駒側が先手なら 2833/6930（0.4088）以上 1033/2520（0.4100）以下。4つの限界値すべてに、誰でも検査できる証明書がある（yomikiri certify geister、yomikiri check）。",
        ),
        standing: Standing::Partly,
        evidence: Evidence::Part("interval"),
    },
    Question {
        asked: text("What about other boards and more pieces?", "他の盤や駒数ではどうか。"),
        known: text(
            "Part “boards”: on every board from 3x3 to 6x6 the first player reaches payoff 0 under the basic rule; the second does except on 4x5 and on boards of height 6 (the extended rule gains 4x5).",
            "「boards」の項：3x3～6x6の全ての盤で、先手は基本規則で利得0を達成する。後手も4x5と高さ6の盤を除き達成する（4x5は拡張規則で達成）。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Part("boards"),
    },
    Question {
        asked: text(
            "Does the mirror strategy of section 5 work on any board?",
            "5節の鏡像戦略はどの盤でも成り立つか。",
        ),
        known: text(
            "It needs an even number of ranks: on 4x3, 4x5 or 5x5 a red piece is offered on the middle rank and must be taken.",
            "段数が偶数の盤に限る。4x3、4x5、5x5 では中央の段で赤駒を差し出され、取らざるを得ない。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Study("exploit"),
    },
];

fn table_1(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let basic = tally(&*shared.solved(Kind::Basic, run)?);
    let counts = || (1..).zip(&basic.by_distance);
    let computed: Vec<Computed> =
        counts().map(|(moves, n)| Computed::count(format!("{moves} moves"), *n)).collect();
    let mut piece = Piece::of([Block::Bars(Bars {
        title: text("Table 1 as bars: positions by moves to go", "表1の棒グラフ：手数と配置数"),
        note: text("exact counts", "厳密な数"),
        x: text("moves", "手数"),
        y: text("positions", "配置数"),
        series: vec![text("computed", "計算")],
        bars: counts().map(|(moves, n)| (Text::same(moves.to_string()), vec![*n as f64])).collect(),
    })]);
    piece.compared(compare(&GOLDEN[0], &computed));
    Ok(piece)
}

fn two_two(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let solved = shared.solved(Kind::Basic, run)?;
    let basic = tally(&solved);
    let extended = tally(&*shared.solved(Kind::Extended, run)?);
    let (reached, broken) = parity(&solved);
    let mirror = mirror_on(shared.board.board());
    let start = shared.starts(Kind::Basic, run)?;
    let computed = vec![
        Computed::count("2: positions", solved.rules.all_positions()),
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
    let mut piece = Piece::from(compare(&GOLDEN[1], &computed));
    piece.faults += usize::from(!mirror.holds);
    piece.block(Block::Facts(vec![
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
    piece.data("start", board_text(shared.board.board(), &first(&solved).sides));
    piece.data("parity", json!({"positions": reached, "exceptions": broken}));
    Ok(piece)
}

fn three_two(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let mut computed = Vec::new();
    let published = GOLDEN[2].read();
    for (kind, section) in [
        (Kind::RrbThree, "6.1.1 red-red-blue, payoff 0"),
        (Kind::RrbTwo, "6.1.2 two pieces, payoff 0"),
        (Kind::BbrThreeThird, "6.2.1 red-blue-blue, payoff 1/3"),
        (Kind::BbrTwoThird, "6.2.2 two pieces, payoff −1/3, three takes"),
        (Kind::BbrTwoGuess, "6.2.2 two pieces, payoff −1/3, a piece taken to be blue"),
        (Kind::BbrTwoHalf, "6.2.2 two pieces, payoff −1/2"),
    ] {
        for (turn, verdict) in shared.starts(kind, run)?.into_iter().enumerate() {
            let cell = format!("{section}, player {} to move", turn + 1);
            debug_assert!(published.cells.iter().any(|c| c.cell == cell));
            computed.push(whole(cell, value(verdict)));
        }
    }
    Ok(compare(&GOLDEN[2], &computed).into())
}

fn program(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let (one, takes) = shared.slipped(run)?;
    let mut computed = vec![
        Computed::count("open: positions", shared.solved(Kind::Open, run)?.rules.all_positions()),
        Computed::count(
            "bbr-two-half: positions at +1",
            tally(&*shared.solved(Kind::BbrTwoHalf, run)?).values[2],
        ),
        Computed::count("bbr-two-half: positions at +1, takes counted", takes.won),
        Computed::count("rrb-three: values that one own colouring changes", one.changed),
    ];
    for kind in [Kind::Extended, Kind::RrbTwo, Kind::BbrThreeThird, Kind::BbrTwoThird, Kind::BbrTwoGuess] {
        for (turn, verdict) in shared.starts(kind, run)?.into_iter().enumerate() {
            computed.push(moves(format!("{}: start, player {} to move", kind.id(), turn + 1), verdict));
        }
    }
    let mut piece = Piece::from(compare(&GOLDEN[3], &computed));
    let slips = slips(shared.tables(run)?, one, takes, &run.afresh())?;
    piece.block(Block::Table(slips_table(&slips)));
    piece.errata.extend(slips);
    // The slips of the program must not touch what the paper says of the start.
    piece.faults += usize::from(takes.start_changed) + usize::from(one.start_changed);
    piece.data("slips", json!({"one_colouring": one.changed, "takes_counted": takes.changed}));
    Ok(piece)
}

/// A part that plays out the example line of a figure: its analysis, and who is to move.
fn line(figure: u8, kind: Kind, turn: u8, shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let solved = shared.solved(kind, run)?;
    let line = drawing::line(&solved, &Position { turn, ..first(&solved) });
    let (id, player) = (kind.id(), turn + 1);
    let caption = Text::of(
        format!("Figure {figure}, a line of its kind: {id}, player {player} to move"),
        format!("図{figure}に相当する進行例：{id}、手番プレイヤー{player}"),
    );
    let steps: Vec<String> = line.steps.iter().filter_map(|s| s.1.clone()).collect();
    let picture = figures::played(caption, &solved.rules.board, &line);
    Ok(Piece::of([picture, Block::Paragraph(line.ending())]).with("line", steps))
}

/// Checks every table of the paper's board.
fn verified(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let wrong = verify(shared.tables(run)?, &run.afresh())?;
    let mut positions = 0;
    for kind in Kind::ALL {
        positions += shared.solved(kind, run)?.table.places();
    }
    let json = json!({"positions": positions, "wrong": wrong.is_some()});
    let n = grouped(positions);
    let faults = usize::from(wrong.is_some());
    let said = match wrong {
        None => Text::of(format!("{n} positions, none wrong"), format!("{n}局面、誤りなし")),
        Some((kind, wrong)) => Text::same(format!("{}: {wrong:?}", kind.id())),
    };
    let facts = vec![
        (
            text("tables verified position by position", "全局面を順方向の規則で検証"),
            Cell::from(said).good(faults == 0),
        ),
        (text("kind", "種別"), Certainty::Exact.into()),
    ];
    Ok(Piece { faults, ..Piece::of([Block::Facts(facts)]).with("verified", json) })
}
