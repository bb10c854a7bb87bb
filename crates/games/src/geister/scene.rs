//! The picture of a board, as a player or an onlooker sees it, and of lines of play.

use super::analysis::{Kind, Solved, distance, value};
use super::answer;
use super::board::{Board, Colour, Position, Side, squares};
use super::drawing::{self, Line as Played};
use super::kind::{self, hide};
use super::notation::{self, signed};
use super::strategy::truths;
use super::summary::{self, fraction};
use super::tables::Tables;
use crate::about::Headline;
use crate::params::Settings;
use yomikiri_core::{Error, Notation, Run, Text, text};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::{
    Arrow, Item, Legend, Line, LineStep, Mark, Move, Piece, Scale, Scene, Seat, Shape, Squares, Tint, Token,
    Tone, VERSION, Value, Viewer, Worth, Zone, ranked,
};

fn tint(colour: Colour) -> Tint {
    match colour {
        Colour::Blue => Tint::Blue,
        Colour::Red => Tint::Red,
        Colour::Purple => Tint::Purple,
    }
}

/// The board as a zone. Pieces of `secret` sides are dashed: the other side does not know their colours.
pub fn zone(board: &Board, sides: &[Side; 2], id: &str, secret: [bool; 2]) -> Zone {
    let mut items = Vec::new();
    for (player, side) in sides.iter().enumerate() {
        for square in squares(side.all()) {
            let Some(colour) = side.at(square) else { continue };
            let name = board.name(square);
            let ghost = Token::ghost(player as u8 + 1, tint(colour));
            let ghost = ghost.secret(secret[player] && colour != Colour::Purple);
            items.push(Item::token(format!("{id}:{name}"), ghost).at(name));
        }
    }
    let exits = [0u8, 1].into_iter().flat_map(|player| {
        squares(board.exits[usize::from(player)]).map(move |square| (board.name(square), player + 1))
    });
    let squares = Squares { exits: exits.collect(), ..Squares::new(board.width, board.height) };
    Zone::new(id, Shape::Board(squares), Text::default(), items)
}

/// What the signs on a board mean, as far as they are there.
pub fn legend(zones: &[Zone]) -> Vec<Legend> {
    let all = || {
        zones.iter().flat_map(|zone| &zone.items).filter_map(|item| match &item.piece {
            Piece::Token(token) => Some(token),
            Piece::Card(_) => None,
        })
    };
    let words = [
        (Tint::Blue, text("blue", "青")),
        (Tint::Red, text("red", "赤")),
        (Tint::Purple, text("not known", "紫（不明）")),
    ];
    let mut list: Vec<Legend> = Vec::new();
    for (tint, words) in words {
        if all().any(|ghost| ghost.colour == tint) {
            let item = Piece::Token(Token::ghost(1, tint));
            list.push(Legend { item: Some(item), text: words });
        }
    }
    if all().any(|ghost| ghost.secret) {
        list.push(Legend {
            item: None,
            text: text("Dashed: hidden from the other side.", "破線：相手には見えない。"),
        });
    }
    list.push(Legend {
        item: None,
        text: text(
            "The head points the way a side goes; chevrons are its exits.",
            "頭の向きが進む向き。山形は脱出口。",
        ),
    });
    list
}

fn seats(board: &Board) -> Vec<Seat> {
    let seat = |player: u8| {
        let exits: Vec<String> = squares(board.exits[usize::from(player)]).map(|s| board.name(s)).collect();
        let exits = exits.join(" ");
        Seat {
            name: Text::of(format!("Player {}", player + 1), format!("プレイヤー{}", player + 1)),
            score: Text::same(if player == 0 { "▲" } else { "▼" }),
            unit: Text::of(format!("exits {exits}"), format!("脱出口 {exits}")),
        }
    };
    vec![seat(0), seat(1)]
}

/// A board with the pieces on it and nothing else.
pub fn picture(board: &Board, p: &Position, secret: [bool; 2]) -> Scene {
    let zones = vec![zone(board, &p.sides, "board", secret)];
    let Board { width, height, .. } = *board;
    let pieces = p.sides.map(|side| side.all().count_ones());
    Scene {
        v: VERSION,
        game: "geister".into(),
        title: text("Mini-Geister", "ミニガイスター"),
        variant: Text::of(
            format!("{width} × {height}, {} v {}", pieces[0], pieces[1]),
            format!("{width}×{height}、{}対{}", pieces[0], pieces[1]),
        ),
        seats: seats(board),
        turn: Some(p.turn),
        say: Text::of(format!("Player {} to move", p.turn + 1), format!("プレイヤー{}の手番", p.turn + 1)),
        legend: legend(&zones),
        zones,
        layout: vec![vec!["board".into()]],
        notation: format!("{}_{}", p.turn + 1, notation::board_text(board, &p.sides)),
        ..Scene::default()
    }
}

/// Boards side by side, each with what is said of it.
pub fn gallery(boards: &[(Text, &Board, Position)], w: u16, secret: [bool; 2]) -> Scene {
    let Some((_, board, p)) = boards.first() else { return Scene { v: VERSION, ..Scene::default() } };
    let mut scene = picture(board, p, secret);
    let zones = boards.iter().enumerate().map(|(i, (label, board, p))| {
        let zone = zone(board, &p.sides, &format!("b{}", i + 1), secret).wide(w);
        Zone { label: label.clone(), ..zone }
    });
    scene.zones = zones.collect();
    scene.layout = vec![scene.zones.iter().map(|zone| zone.id.clone()).collect()];
    scene.legend = legend(&scene.zones);
    scene.notation = String::new();
    (scene.say, scene.turn) = (Text::default(), None);
    scene.seats.clear();
    scene
}

/// The squares of a move's name: two squares, or one and `exit`. A guess has none.
fn ends(name: &str) -> Option<(String, String)> {
    let (from, to) = (name.get(..2)?, name.get(2..)?);
    match to {
        "exit" => Some((from.to_owned(), from.to_owned())),
        _ if to.len() == 2 => Some((from.to_owned(), to.to_owned())),
        _ => None,
    }
}

/// A move's name as people read it.
fn label(name: &str) -> Text {
    match ends(name) {
        Some((from, to)) if from == to => Text::of(format!("{from} leaves"), format!("{from}から脱出")),
        Some((from, to)) => Text::same(format!("{from}–{to}")),
        None => text("guess the colours", "色を推測する"),
    }
}

/// Marks the piece that has just come to a square of the board.
pub fn mark_last(scene: &mut Scene, square: &str) {
    let id = format!("board:{square}");
    let items = scene.zones.iter_mut().flat_map(|zone| &mut zone.items);
    items.filter(|item| item.id == id).for_each(|item| item.mark = Some(Mark::Last));
}

/// A move by its name, without a value.
pub fn step(name: &str) -> Move {
    let place = |square: String| format!("board/{square}");
    let (from, to) = ends(name).map(|(from, to)| (place(from), place(to))).unzip();
    Move { from, to, ..Move::new(name, label(name)) }
}

/// A verdict as the value of a move, and in a few letters. A quicker win is a longer bar: `longest` is the longest
/// distance there is.
pub fn worth(verdict: GameValue, longest: u16) -> (Value, Text) {
    let worth = value(verdict);
    let x = match distance(verdict) {
        Some(d) => f64::from(worth) * (1.0 - (f64::from(d) - 1.0) / (f64::from(longest) + 1.0)),
        None => 0.0,
    };
    let short = match distance(verdict) {
        Some(d) => format!("{}{d}", if worth > 0 { "+" } else { "−" }),
        None => "0".into(),
    };
    let sub = match distance(verdict) {
        Some(1) => text("1 ply", "1手"),
        Some(d) => Text::of(format!("{d} plies"), format!("{d}手")),
        None => text("endless", "千日手"),
    };
    let value = Value {
        x,
        text: Text::same(signed(worth)),
        sub,
        tone: Tone::of(f64::from(worth), 0.0),
        cert: Certainty::Exact,
        interval: None,
        mark: None,
    };
    (value, Text::same(short))
}

/// The ruler from −1 to 1.
pub fn scale(name: Text) -> Scale {
    let ticks = vec![(-1.0, Text::same("−1")), (0.0, Text::same("0")), (1.0, Text::same("+1"))];
    Scale { min: -1.0, mid: 0.0, max: 1.0, name, ticks }
}

/// The ruler of values for player 1.
pub fn first_scale() -> Scale {
    scale(text("Value for player 1", "プレイヤー1の値"))
}

/// What a position of an analysis is worth.
pub fn verdict(solved: &Solved, p: &Position) -> Worth {
    let (verdict, kind) = (solved.verdict(p), solved.rules.kind);
    let (target, question) = (fraction(kind.target()), kind.question());
    Worth {
        of: Text::of(
            format!("{} (payoff {target})", question.en),
            format!("{}（目標{target}）", question.ja),
        ),
        text: Text::same(signed(value(verdict))),
        note: summary::meaning(verdict),
        cert: Certainty::Exact,
    }
}

/// A line of best play from a position.
pub fn best_play(solved: &Solved, p: &Position) -> Option<Line> {
    let played = drawing::line(solved, p);
    let step = |(p, name): &(Position, Option<String>)| {
        Some(LineStep { text: label(name.as_ref()?), sub: Text::default(), seat: Some(p.turn) })
    };
    let steps: Vec<LineStep> = played.steps.iter().filter_map(step).collect();
    let title = text("Best play", "最善手順");
    (!steps.is_empty()).then(|| Line { title, note: played.ending(), list: false, steps })
}

/// How the values of an analysis were computed.
pub fn trust(solved: &Solved) -> Text {
    let (positions, id) =
        (yomikiri_view::report::grouped(solved.rules.all_positions()), solved.rules.kind.id());
    Text::of(
        format!("Exact: retrograde analysis of {positions} positions ({id})."),
        format!("厳密：{positions}局面の後退解析（{id}）。"),
    )
}

/// The picture of a position of an analysis with every move, its value, and a line of best play.
pub fn valued(solved: &Solved, p: &Position, seen: &[Side; 2], secret: [bool; 2]) -> Scene {
    let rules = &solved.rules;
    let mut scene = picture(&rules.board, &Position { turn: p.turn, sides: *seen }, secret);
    let longest = solved.longest();
    let moves = answer::moves(solved, p).into_iter().map(|m| {
        let note = match (m.ends, m.allows) {
            (Some(test), _) => test.word(),
            (None, Some(test)) => {
                let word = test.word();
                Text::of(format!("then the other player {}", word.en), format!("次に相手が{}", word.ja))
            }
            (None, None) => Text::default(),
        };
        let (value, short) = worth(m.verdict, longest);
        let shown = Move { note, short, value: Some(value), ..step(&m.name) };
        (shown, (f64::from(m.verdict.rank(p.turn)), m.best))
    });
    scene.moves = ranked(moves.collect(), |m| m.0, |m| m.1);
    scene.scale = Some(first_scale());
    scene.value = Some(verdict(solved, p));
    scene.line = best_play(solved, p);
    scene.trust = trust(solved);
    // Colours that only the viewer knows are not part of the position.
    scene.notation = rules.print(p).unwrap_or_default();
    scene
}

/// A line of play, a board a move, each with the move that is made in it.
pub fn line(board: &Board, played: &Played, secret: [bool; 2]) -> Scene {
    let mut scene = match played.steps.first() {
        Some((p, _)) => picture(board, p, secret),
        None => Scene { v: VERSION, ..Scene::default() },
    };
    scene.zones.clear();
    scene.say = played.ending();
    let mut lane = Vec::new();
    let mut came: Option<(u8, String)> = None;
    for (i, (p, name)) in played.steps.iter().enumerate() {
        let id = format!("s{}", i + 1);
        let number = i + 1;
        let mut zone = zone(board, &p.sides, &id, secret).wide(37);
        let who = if p.turn == 0 { "▲" } else { "▼" };
        zone.label = match name {
            Some(name) => {
                let label = label(name);
                Text::of(format!("{number}  {who} {}", label.en), format!("{number}  {who} {}", label.ja))
            }
            None => Text::same(format!("{number}  {who}")),
        };
        // Where the piece went that moved before.
        if let Some((_, square)) = came.take()
            && let Some(item) = zone.items.iter_mut().find(|item| item.id == format!("{id}:{square}"))
        {
            item.mark = Some(Mark::Last);
        }
        if let Some((from, to)) = name.as_deref().and_then(ends) {
            scene.arrows.push(Arrow {
                from: format!("{id}/{from}"),
                to: format!("{id}/{to}"),
                text: Text::default(),
            });
            came = Some((p.turn, to));
        }
        lane.push(id);
        scene.zones.push(zone);
    }
    scene.layout = vec![lane];
    scene.legend = legend(&scene.zones);
    scene
}

/// The scene that is asked for. A position may tell the colours of player 2 where the analysis hides them: only
/// player 2 sees them then, and the values do not depend on them.
pub fn asked(
    settings: &Settings,
    position: Option<&str>,
    viewer: Viewer,
    run: &Run<'_>,
) -> Result<Scene, Error> {
    let Some(given) = position else {
        let (_, solved, p) = summary::found(settings, None, run)?;
        return Ok(valued(&solved, &p, &p.sides, [false; 2]));
    };
    let written = notation::read(given)?;
    let asked = summary::asked(settings)?;
    let kind = summary::agreed(asked.kind, Some(&written))?.unwrap_or(Kind::Basic);
    let told = Position { turn: written.turn.unwrap_or(0), sides: written.sides };
    let (hidden, own) = hide(kind, &told);
    let Some(own) = own else {
        let (_, solved, p) = summary::found(settings, Some(given), run)?;
        return Ok(valued(&solved, &p, &p.sides, [false; 2]));
    };
    let plain =
        format!("{}_{}_{}", kind.id(), hidden.turn + 1, notation::board_text(&written.board, &hidden.sides));
    let (_, solved, p) = summary::found(settings, Some(&plain), run)?;
    let seen = if viewer == Some(1) { [p.sides[0], own] } else { p.sides };
    Ok(valued(&solved, &p, &seen, [false, true]))
}

/// A position to be changed by hand: a piece to any empty square, two pieces of a side that change colours, the other
/// side to move.
pub fn edits(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
    let asked = summary::asked(settings)?;
    let written = position.map(notation::read).transpose()?;
    let kind = summary::agreed(asked.kind, written.as_ref())?.unwrap_or(Kind::Basic);
    let materials = kind::materials(kind, asked.pieces.0, asked.pieces.1)?;
    let first = {
        let rules = asked.tables.rules(kind, &materials, run)?;
        *rules.starts().first().ok_or_else(|| summary::too_low(asked.tables.board()))?
    };
    let print = |board: &Board, p: &Position| {
        format!("{}_{}_{}", kind.id(), p.turn + 1, notation::board_text(board, &p.sides))
    };
    let start = print(asked.tables.board(), &first);
    let (board, p) = match written {
        Some(w) => (w.board, Position { turn: w.turn.unwrap_or(0), sides: w.sides }),
        None => (asked.tables.board().clone(), first),
    };
    // Colours of player 2 may be told where the analysis hides them.
    let legal = |p: &Position| {
        let (plain, told) = hide(kind, p);
        let fits = told.is_none_or(|told| truths(kind, &plain)[1].contains(&told));
        notation::check(kind, &plain.sides, &materials).map(|()| fits)
    };
    legal(&p)?;
    let mut scene = picture(&board, &p, [false; 2]);
    scene.notation = print(&board, &p);
    Ok(scene.editing(&start, changes(&board, &p, &print, &|p| legal(p).unwrap_or(false))))
}

/// The changes of a position that lead to legal ones.
pub fn changes(
    board: &Board,
    p: &Position,
    print: &dyn Fn(&Board, &Position) -> String,
    legal: &dyn Fn(&Position) -> bool,
) -> Vec<Move> {
    let mut changes = Vec::new();
    let mut change = |after: Position, m: Move| {
        if legal(&after) {
            changes.push(Move { id: print(board, &after), ..m });
        }
    };
    let turn = 1 - p.turn;
    let label =
        Text::of(format!("Player {} to move", turn + 1), format!("プレイヤー{}の手番にする", turn + 1));
    change(Position { turn, ..*p }, Move::new("", label));
    let place = |square: u32| Some(format!("board/{}", board.name(square)));
    for player in 0..2 {
        let side = p.sides[player];
        let with = |changed: Side| {
            let mut sides = p.sides;
            sides[player] = changed;
            Position { turn: p.turn, sides }
        };
        for from in squares(side.all()) {
            let Some(colour) = side.at(from) else { continue };
            for to in squares(((1 << board.squares()) - 1) & !p.occupied()) {
                let (a, b) = (board.name(from), board.name(to));
                let label = Text::of(format!("{a} to {b}"), format!("{a}を{b}へ"));
                let m = Move { from: place(from), to: place(to), ..Move::new("", label) };
                change(with(side.step(from, to)), m);
            }
            for to in squares(side.all()).filter(|to| *to > from) {
                let Some(other) = side.at(to).filter(|other| *other != colour) else { continue };
                let (a, b) = (board.name(from), board.name(to));
                let label =
                    Text::of(format!("{a} and {b} change colours"), format!("{a}と{b}の色を入れ替える"));
                let m = Move { from: place(from), to: place(to), ..Move::new("", label) };
                let rest = side.without(1 << from | 1 << to);
                change(with(rest.with(other, from).with(colour, to)), m);
            }
        }
    }
    changes
}

/// The paper's first result: how soon player 1 reaches its target from the start.
pub fn headline(run: &Run<'_>) -> Result<Headline, Error> {
    let tables = Tables::new(Board::new(4, 4)?, false);
    let solved = tables.solve(Kind::Basic, run)?;
    let start = *solved.rules.starts().first().ok_or_else(|| summary::too_low(tables.board()))?;
    let verdict = solved.verdict(&start);
    let target = fraction(Kind::Basic.target());
    let big = match distance(verdict) {
        Some(d) => Text::of(format!("{d} plies"), format!("{d}手")),
        None => text("endless", "千日手"),
    };
    let words = match value(verdict) {
        1 => Text::of(
            format!(
                "from the start until player 1 has secured an average payoff of {target}, without knowing a colour."
            ),
            format!("で、プレイヤー1は色を知らずに平均利得{target}を確保する（初期配置から）。"),
        ),
        _ => Text::of(
            format!("from the start: player 1 does not secure an average payoff of {target}."),
            format!("プレイヤー1は初期配置から平均利得{target}を確保できない。"),
        ),
    };
    let scene = picture(tables.board(), &start, [false; 2]).small();
    Ok(Headline { big, text: words, cert: Certainty::Exact, scene })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;

    #[test]
    fn law_colours_of_player_2_are_seen_by_player_2_alone() {
        let entry = GAMES.iter().find(|g| g.about().id == "geister").unwrap();
        let settings = Settings::new(entry.params(), []).unwrap();
        let seen = |position: &str, viewer| {
            let scene = entry.scene(&settings, Some(position), viewer, &Run::default()).unwrap();
            assert_eq!(scene.faults(), Vec::<String>::new());
            serde_json::to_string(&scene).unwrap()
        };
        let both = ["2v2-basic_2_.br./..../..../.PP.", "2v2-basic_2_.rb./..../..../.PP."];
        for viewer in [None, Some(0)] {
            let [one, other] = both.map(|p| seen(p, viewer));
            assert_eq!(one, other);
            assert_eq!(one, seen("2v2-basic_2_.pp./..../..../.PP.", viewer));
            assert!(!one.contains("\"blue\"") && !one.contains("\"red\""));
        }
        let [one, other] = both.map(|p| seen(p, Some(1)));
        assert_ne!(one, other);
        assert!(one.contains("\"secret\":true"));
    }
}
