//! The picture of a board, as a player or an onlooker sees it, and of lines of play.

use super::analysis::{Solved, distance, value};
use super::board::{Board, Colour, Position, Side, squares};
use super::drawing::Line as Played;
use super::notation::{self, signed};
use yomikiri_core::text::counted;
use yomikiri_core::{Text, text};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_view::analysis::Score;
use yomikiri_view::scene::{
    Arrow, Board as Table, Item, Legend, Line, LineStep, Looks, Mark, Move, Piece, Scale, Scene, Seat, Shape,
    Squares, Tint, Token, VERSION, Zone,
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
            looks: Some(if player == 0 { Looks::Up } else { Looks::Down }),
            name: players(player).swap_remove(0),
            score: Text::same(if player == 0 { "▲" } else { "▼" }),
            unit: Text::of(format!("exits {exits}"), format!("脱出口 {exits}")),
            ..Seat::default()
        }
    };
    vec![seat(0), seat(1)]
}

/// Whose turn it is.
fn to_move(player: u8) -> Text {
    Text::of(format!("Player {} to move", player + 1), format!("プレイヤー{}の手番", player + 1))
}

/// The names of the players, whoever moves first before the other.
pub fn players(first: u8) -> Vec<Text> {
    let name = |player: u8| Text::of(format!("Player {}", player + 1), format!("プレイヤー{}", player + 1));
    vec![name(first), name(1 - first)]
}

/// The size of a board and the pieces on it, in words.
pub fn variant(board: &Board, p: &Position) -> Text {
    let Board { width, height, .. } = *board;
    let [one, two] = p.sides.map(|side| side.all().count_ones());
    Text::of(format!("{width} × {height}, {one} v {two}"), format!("{width}×{height}、{one}対{two}"))
}

/// A board with the pieces on it, as far as they are to be seen.
pub fn table(board: &Board, p: &Position, secret: [bool; 2]) -> Table {
    let zones = vec![zone(board, &p.sides, "board", secret)];
    Table { seats: seats(board), say: to_move(p.turn), legend: legend(&zones), ..Table::new(zones) }
}

/// The same as a picture of its own.
pub fn picture(board: &Board, p: &Position, secret: [bool; 2]) -> Scene {
    let Table { seats, zones, layout, legend, say, .. } = table(board, p, secret);
    Scene {
        v: VERSION,
        game: "geister".into(),
        title: text("Mini-Geister", "ミニガイスター"),
        variant: variant(board, p),
        seats,
        turn: Some(p.turn),
        say,
        legend,
        zones,
        layout,
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
pub fn label(name: &str) -> Text {
    match ends(name) {
        Some((from, to)) if from == to => Text::of(format!("{from} leaves"), format!("{from}から脱出")),
        Some((from, to)) => Text::same(format!("{from}–{to}")),
        None => text("guess the colours", "色を推測する"),
    }
}

/// A move by its name, without a value.
pub fn step(name: &str) -> Move {
    let place = |square: String| format!("board/{square}");
    let (from, to) = ends(name).map(|(from, to)| (place(from), place(to))).unzip();
    Move { from, to, ..Move::new(name, label(name)) }
}

/// Moves more by which a win's bar is half as long.
const HALF: f64 = 20.0;

/// A verdict as a player's score, in words for player 1. A quicker win is a longer bar.
pub fn score(verdict: GameValue, player: u8) -> Score {
    let worth = value(verdict);
    let own = if player == 0 { worth } else { -worth };
    let (short, sub, length) = match distance(verdict) {
        Some(d) => {
            let sub = Text::of(counted(d.into(), "ply", "plies"), format!("{d}手"));
            let short = format!("{}{d}", if worth > 0 { "+" } else { "−" });
            (short, sub, HALF / (HALF + f64::from(d) - 1.0))
        }
        None => ("0".into(), text("endless", "千日手"), 0.0),
    };
    Score {
        bar: Some(f64::from(worth) * length),
        order: i64::from(verdict.rank(player)),
        short: Text::same(short),
        sub,
        ..Score::new(f64::from(own), Text::same(signed(worth)))
    }
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

/// A line of play beside the moves; `seat` is where a player sits.
pub fn beside(played: &Played, seat: impl Fn(u8) -> u8) -> Option<Line> {
    let step = |(p, name): &(Position, Option<String>)| {
        Some(LineStep { text: label(name.as_ref()?), sub: Text::default(), seat: Some(seat(p.turn)) })
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

/// The changes of a position by hand: the other side to move, a piece to any empty square, two pieces of a side that
/// change colours. `print` writes the positions that are legal.
pub fn changes(board: &Board, p: &Position, print: &dyn Fn(&Position) -> Option<String>) -> Vec<Move> {
    let mut changes = Vec::new();
    let mut change = |after: Position, m: Move| changes.extend(print(&after).map(|id| Move { id, ..m }));
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
