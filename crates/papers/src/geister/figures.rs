//! The paper's boards: set-ups from the rules, positions of a kind found in the tables, lines of play move by move.

use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_games::geister::analysis::{Kind, Solved, Test};
use yomikiri_games::geister::board::{Board, Position, Side};
use yomikiri_games::geister::drawing::{self, End, Line};
use yomikiri_games::geister::notation::step;
use yomikiri_games::geister::scene::{gallery, line, picture};
use yomikiri_games::geister::tables::Tables;
use yomikiri_view::report::Block;
use yomikiri_view::scene::Arrow;

/// Moves of the mirror strategy's example at most.
const MIRRORED: usize = 16;

/// Boards one under the other in lines of text.
fn plain(boards: &[(&Board, Position)]) -> Text {
    let all: Vec<String> = boards.iter().map(|(board, p)| drawing::lines(board, p, 0).join("\n")).collect();
    Text::same(all.join("\n\n"))
}

/// A line of play as a block.
pub fn played(caption: Text, board: &Board, line_: &Line) -> Block {
    Block::Scene { caption, scenes: vec![line(board, line_, [false; 2])], plain: line_.draw(board) }
}

/// A position as a block.
pub fn position(caption: Text, board: &Board, p: &Position) -> Block {
    Block::Scene { caption, scenes: vec![picture(board, p, [false; 2])], plain: plain(&[(board, *p)]) }
}

/// The pieces of a player on these squares, in a row of colours: B, R or P.
fn side(board: &Board, squares: &[&str], colours: &str) -> Side {
    use yomikiri_games::geister::board::Colour;
    let mut side = Side::default();
    for (name, colour) in squares.iter().zip(colours.chars()) {
        let colour = match colour {
            'B' => Colour::Blue,
            'R' => Colour::Red,
            _ => Colour::Purple,
        };
        side = board.square(name).map_or(side, |square| side.with(colour, square));
    }
    side
}

/// Figure 1: the set-ups of Geister and of Mini-Geister as player 1 sees them.
pub fn figure_1() -> Result<Block, Error> {
    let (large, small) = (Board::new(6, 6)?, Board::new(4, 4)?);
    let home = ["b1", "c1", "d1", "e1", "b2", "c2", "d2", "e2"];
    let away = ["b6", "c6", "d6", "e6", "b5", "c5", "d5", "e5"];
    let geister =
        Position { turn: 0, sides: [side(&large, &home, "BRBRRBRB"), side(&large, &away, "PPPPPPPP")] };
    let mini =
        Position { turn: 0, sides: [side(&small, &["b1", "c1"], "BR"), side(&small, &["b4", "c4"], "PP")] };
    let boards = [
        (text("Geister", "ガイスター"), &large, geister),
        (text("Mini-Geister", "ミニガイスター"), &small, mini),
    ];
    Ok(Block::Scene {
        caption: text(
            "Figure 1: set-ups of Geister and of Mini-Geister as player 1, who moves first, sees them; the colours of Geister's pieces are an example",
            "図1：ガイスターとミニガイスターの初期配置例（先手のプレイヤー1から見た盤面。ガイスターの配色は一例）",
        ),
        scenes: vec![gallery(&boards, 60, [true, false])],
        plain: plain(&[(&large, geister), (&small, mini)]),
    })
}

/// The deciding moves of a position as arrows.
fn deciding(solved: &Solved, p: &Position, zone: &str) -> Vec<Arrow> {
    let board = &solved.rules.board;
    let place = |square: u8| format!("{zone}/{}", board.name(u32::from(square)));
    let ends = solved.rules.deciding(p).into_iter().filter_map(|(act, _)| act.step());
    ends.map(|s| Arrow { from: place(s.from), to: place(s.to), text: Text::default() }).collect()
}

/// Figure 2: positions where an average payoff of 0 is certain, by leaving and by taking either piece.
pub fn figure_2(tables: &Tables, run: &Run<'_>) -> Result<Block, Error> {
    let basic = tables.solve(Kind::Basic, run)?;
    let board = &basic.rules.board;
    let all =
        || (0..basic.table.places()).filter_map(|place| basic.rules.space.at(place)).filter(|p| p.turn == 0);
    let leaves = all().find(|p| {
        basic.rules.leavers(p).count_ones() == 1
            && basic.rules.takes(p).is_empty()
            && board.exits[1] & p.occupied() == 0
    });
    let takes = all().find(|p| {
        let two = basic.rules.takes(p);
        basic.rules.test(p) == Some(Test::TakeAny)
            && two.len() == 2
            && two[0].0 != two[1].0
            && (board.exits[0] | board.exits[1]) & p.occupied() == 0
    });
    let words = [
        text("A piece on an exit leaves: blue or red with equal chance", "脱出マスの駒が脱出：青赤は半々"),
        text(
            "Either enemy piece can be taken: one is, at random",
            "相手の駒をどちらも取れる：無作為に一方を取る",
        ),
    ];
    let found: Vec<Position> = [leaves, takes].into_iter().flatten().collect();
    let boards: Vec<(Text, &Board, Position)> =
        words.into_iter().zip(&found).map(|(words, p)| (words, board, *p)).collect();
    let mut scene = gallery(&boards, 78, [false; 2]);
    for (i, p) in found.iter().enumerate() {
        scene.arrows.extend(deciding(&basic, p, &format!("b{}", i + 1)));
    }
    let lines: Vec<(&Board, Position)> = found.iter().map(|p| (board, *p)).collect();
    Ok(Block::Scene {
        caption: text(
            "Figure 2, positions of its kind, player 1 to move: an average payoff of 0 is certain",
            "図2に相当する配置の例（手番プレイヤー1）：引き分け（平均利得0）確定",
        ),
        scenes: vec![scene],
        plain: plain(&lines),
    })
}

/// Figure 9: player 1 plays its best moves, player 2 mirrors each of them.
pub fn figure_9(tables: &Tables, run: &Run<'_>) -> Result<Block, Error> {
    let basic = tables.solve(Kind::Basic, run)?;
    let rules = &basic.rules;
    let board = &rules.board;
    let mirrored = |square: u8| {
        let (width, height) = (board.width, board.height);
        (height - 1 - square / width) * width + square % width
    };
    let mut now = rules.start();
    let mut steps: Vec<(Position, Option<String>)> = Vec::new();
    let end = loop {
        if let Some(test) = rules.test(&now).filter(|_| now.turn == 0) {
            let last =
                yomikiri_games::geister::answer::moves(&basic, &now).into_iter().find(|m| m.ends.is_some());
            steps.push((now, last.map(|m| m.name)));
            break End::Test(test);
        }
        if steps.len() >= MIRRORED || steps.iter().any(|s| s.0 == now) {
            steps.push((now, None));
            break End::Again;
        }
        let mut actions = Vec::new();
        rules.actions(&now, &mut actions);
        // Player 1 goes for its target by quiet moves.
        let rank = |a: &yomikiri_games::geister::analysis::Step| {
            basic.verdict(&rules.apply(&now, *a)).before().rank(0)
        };
        let Some(first) = actions.iter().rev().max_by_key(|a| rank(a)).copied() else {
            steps.push((now, None));
            break End::Stuck;
        };
        steps.push((now, Some(step(board, first))));
        now = rules.apply(&now, first);
        let answer =
            yomikiri_games::geister::analysis::Step { from: mirrored(first.from), to: mirrored(first.to) };
        steps.push((now, Some(step(board, answer))));
        now = rules.apply(&now, answer);
    };
    Ok(played(
        text(
            "Figure 9, a line of its kind: player 2 mirrors every move of player 1 top to bottom",
            "図9に相当する進行例：プレイヤー2が上下鏡像対称戦略を採用",
        ),
        board,
        &Line { steps, end },
    ))
}

/// Figures 10 and 11: the set-ups of three against two.
pub fn figures_10_and_11(tables: &Tables, run: &Run<'_>) -> Result<Vec<Block>, Error> {
    let list = [
        (
            Kind::BbrThreeThird,
            text(
                "Figure 10: the set-up of three against two, either side to move",
                "図10：3駒対2駒の初期配置",
            ),
        ),
        (
            Kind::RrbThree,
            text(
                "Figure 11: the set-up of red-red-blue: the piece in front is red, the two behind are not looked at",
                "図11：赤赤青側の初期配置（前の駒は赤、後ろの2駒は本人も見ない）",
            ),
        ),
    ];
    let mut blocks = Vec::new();
    for (kind, caption) in list {
        let rules = tables.rules(kind, &kind.materials(), run)?;
        let Some(p) = rules.starts().first().copied() else { continue };
        let both = [0, 1].map(|turn| Position { turn, ..p });
        let boards = both.map(|p| {
            let player = p.turn + 1;
            let label = Text::of(format!("player {player} to move"), format!("手番プレイヤー{player}"));
            (label, &rules.board, p)
        });
        let lines: Vec<(&Board, Position)> = both.iter().map(|p| (&rules.board, *p)).collect();
        let scenes = vec![gallery(&boards, 78, [false; 2])];
        blocks.push(Block::Scene { caption, scenes, plain: plain(&lines) });
    }
    Ok(blocks)
}
