//! Dōbutsu shōgi (どうぶつしょうぎ) and its little sisters: lions and friends on three columns, what is taken changes sides.

use crate::grid::{self, Grid, refused};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer, RESULT};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::scene::{Board, Form, Item, Looks, Move, Seat, Shape, Tint, Token, Viewer, Zone};

/// The rules with the rows of the board and the lions' friends.
pub struct Dobutsu {
    grid: Grid,
    /// Whether each player has a giraffe, an elephant, a chick.
    friends: [bool; 3],
}

/// What stands where, what both hold, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Animals {
    /// Four bits a square: 0, or 1 and the place of its sign in [`SIGNS`].
    squares: u64,
    /// Giraffes, elephants and chicks in the hands of each player.
    hands: [[u8; 3]; 2],
    mover: u8,
}

/// Lion, giraffe, elephant, chick and hen of the first player, then of the second.
const SIGNS: &str = "LGECHlgech.";
const KINDS: u8 = 5;
const LION: u8 = 0;
const CHICK: u8 = 3;
const HEN: u8 = 4;
/// Where drops begin among the squares that actions start from: what is dropped is told by its kind.
const HAND: u8 = 32;

/// The steps of each kind, to the right and forwards.
const STEPS: [&[(i8, i8)]; 5] = [
    &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
    &[(0, -1), (-1, 0), (1, 0), (0, 1)],
    &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
    &[(0, 1)],
    &[(0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
];

const NAMES: [(Text, Text); 5] = [
    (text("lion", "ライオン"), text("L", "ラ")),
    (text("giraffe", "きりん"), text("G", "き")),
    (text("elephant", "ぞう"), text("E", "ぞ")),
    (text("chick", "ひよこ"), text("C", "ひ")),
    (text("hen", "にわとり"), text("H", "に")),
];

impl Animals {
    /// What stands on a square: its kind and whose it is.
    fn at(&self, at: u8) -> Option<(u8, u8)> {
        let piece = (self.squares >> (4 * at) & 15) as u8;
        piece.checked_sub(1).map(|piece| (piece % KINDS, piece / KINDS))
    }
    fn put(&mut self, at: u8, piece: Option<(u8, u8)>) {
        let piece = piece.map_or(0, |(kind, owner)| 1 + kind + KINDS * owner);
        self.squares = self.squares & !(15 << (4 * at)) | u64::from(piece) << (4 * at);
    }
}

impl Dobutsu {
    fn pieces(&self, s: &Animals) -> impl Iterator<Item = (u8, u8, u8)> {
        (0..self.grid.squares()).filter_map(|at| s.at(at).map(|(kind, owner)| (at, kind, owner)))
    }
    /// The squares a piece can step to, whatever stands there.
    fn steps(&self, at: u8, kind: u8, owner: u8) -> impl Iterator<Item = u8> {
        let ahead = if owner == 0 { 1 } else { -1 };
        STEPS[usize::from(kind)]
            .iter()
            .filter_map(move |&(right, up)| self.grid.step(at, right * ahead, up * ahead))
    }
    fn last_row(&self, at: u8, owner: u8) -> bool {
        at / self.grid.cols == if owner == 0 { self.grid.rows - 1 } else { 0 }
    }
    fn lion(&self, s: &Animals, owner: u8) -> Option<u8> {
        self.pieces(s).find(|&(_, kind, whose)| (kind, whose) == (LION, owner)).map(|piece| piece.0)
    }
    fn moves(&self, s: &Animals) -> impl Iterator<Item = (u8, u8)> {
        let own = self.pieces(s).filter(|piece| piece.2 == s.mover);
        let steps = own.flat_map(|(from, kind, owner)| {
            let mut ends: Vec<u8> = self.steps(from, kind, owner).collect();
            ends.retain(|to| s.at(*to).is_none_or(|piece| piece.1 != s.mover));
            ends.sort_unstable();
            ends.into_iter().map(move |to| (from, to))
        });
        let held = (0u8..).zip(s.hands[usize::from(s.mover)]).filter(|(_, n)| *n > 0);
        let drops = held.flat_map(|(kind, _)| {
            let free = (0..self.grid.squares()).filter(|at| s.at(*at).is_none());
            free.map(move |to| (HAND + 1 + kind, to))
        });
        steps.chain(drops)
    }
    /// Who has won: by taking the lion, by a lion on the last row that cannot be taken or was not, or because the other
    /// cannot move.
    fn winner(&self, s: &Animals) -> Option<u8> {
        let other = 1 - s.mover;
        let (Some(mine), Some(theirs)) = (self.lion(s, s.mover), self.lion(s, other)) else {
            return Some(other);
        };
        if self.last_row(mine, s.mover) {
            return Some(s.mover);
        }
        let taken = |at: u8| {
            self.pieces(s).any(|(from, kind, owner)| {
                owner == s.mover && self.steps(from, kind, owner).any(|to| to == at)
            })
        };
        let safe = self.last_row(theirs, other) && !taken(theirs);
        (safe || self.moves(s).next().is_none()).then_some(other)
    }
}

impl Game for Dobutsu {
    type State = Animals;
    /// From which square to which; what is dropped starts beyond the squares.
    type Action = (u8, u8);

    fn start(&self) -> Animals {
        let mut s = Animals { squares: 0, hands: [[0; 3]; 2], mover: 0 };
        let last = self.grid.squares() - 1;
        // Everybody's giraffe stands to the right of the lion, the elephant to the left and the chick before it.
        for (at, kind) in [(1, LION), (2, 1), (0, 2), (1 + self.grid.cols, CHICK)] {
            if kind == LION || self.friends[usize::from(kind) - 1] {
                s.put(at, Some((kind, 0)));
                s.put(last - at, Some((kind, 1)));
            }
        }
        s
    }
    fn turn(&self, s: &Animals) -> Turn {
        if self.winner(s).is_some() { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Animals, out: &mut Vec<(u8, u8)>) {
        out.extend(self.moves(s));
    }
    fn apply(&self, s: &Animals, (from, to): (u8, u8)) -> Animals {
        let mut after = Animals { mover: 1 - s.mover, ..*s };
        let hand = &mut after.hands[usize::from(s.mover)];
        let kind = match s.at(to) {
            _ if from > HAND => {
                hand[usize::from(from - HAND - 1)] -= 1;
                from - HAND
            }
            taken => {
                // A hen is a chick again; a lion is held by nobody.
                if let Some((taken @ 1.., _)) = taken {
                    hand[usize::from(taken.min(CHICK)) - 1] += 1;
                }
                let kind = s.at(from).map_or(LION, |piece| piece.0);
                after.put(from, None);
                if kind == CHICK && self.last_row(to, s.mover) { HEN } else { kind }
            }
        };
        after.put(to, Some((kind, s.mover)));
        after
    }
    fn utility(&self, s: &Animals, player: u8) -> i32 {
        if self.winner(s) == Some(player) { 1 } else { -1 }
    }
}

impl Describe for Dobutsu {
    fn parse(&self, given: &str) -> Result<Animals, Refusal> {
        let (rest, mover) = grid::mover(given)?;
        let (board, held) = rest.split_once('_').unwrap_or((rest, "-"));
        let mut s = Animals { squares: 0, hands: [[0; 3]; 2], mover };
        let mut count = [[0; 2]; 4];
        for (at, sign) in (0..).zip(self.grid.read(board, SIGNS)?).filter(|(_, sign)| *sign < 2 * KINDS) {
            let (kind, owner) = (sign % KINDS, sign / KINDS);
            s.put(at, Some((kind, owner)));
            count[usize::from(if kind == HEN { CHICK } else { kind })][usize::from(owner)] += 1;
        }
        for sign in held.chars().filter(|sign| *sign != '-') {
            let piece = (0..)
                .zip(SIGNS.chars())
                .find(|(at, known)| *known == sign && (1..=3).contains(&(at % KINDS)));
            let Some((piece, _)) = piece.filter(|_| !held.contains('-')) else {
                let accepts = text(
                    "letters of GEC for the first player and gec for the second, or -",
                    "先手は GEC、後手は gec の文字、または -",
                );
                return Err(Refusal::new("hands", format!("\"{held}\""), accepts));
            };
            let (kind, owner) = (usize::from(piece % KINDS), usize::from(piece / KINDS));
            let n = &mut s.hands[owner][kind - 1];
            *n = u8::min(*n + 1, 3);
            count[kind][owner] += 1;
        }
        let lions = count[0][usize::from(mover)] <= 1 && count[0][usize::from(1 - mover)] == 1;
        let all = count[1..].iter().zip(self.friends).all(|(n, there)| n[0] + n[1] == 2 * i32::from(there));
        if !lions || !all {
            let letters: String =
                "GEC".chars().zip(self.friends).filter(|friend| friend.1).map(|friend| friend.0).collect();
            let accepts = Text::of(
                format!(
                    "a lion of each player (the one to move may have lost it) and two of every friend ({letters}, H counts as C) on the board and in the hands"
                ),
                format!(
                    "双方のライオン（手番側は取られた後でもよい）と、盤上と持ち駒を合わせて2枚ずつの {letters}（H は C に数える）"
                ),
            );
            return Err(refused(given, accepts));
        }
        Ok(s)
    }
    fn print(&self, s: &Animals) -> Option<String> {
        let sign = |kind: u8, owner: u8| SIGNS.chars().nth(usize::from(kind + KINDS * owner)).unwrap_or('.');
        let board = self.grid.write(|at| s.at(at).map_or('.', |(kind, owner)| sign(kind, owner)));
        let held = |owner: u8| {
            (1u8..)
                .zip(s.hands[usize::from(owner)])
                .flat_map(move |(kind, n)| (0..n).map(move |_| sign(kind, owner)))
        };
        let held: String = held(0).chain(held(1)).collect();
        Some(format!("{board}_{}_{}", if held.is_empty() { "-" } else { &held }, s.mover + 1))
    }
    fn action(&self, s: &Animals, (from, to): (u8, u8)) -> Move {
        let end = self.grid.name(to);
        if from > HAND {
            let (name, letter) = &NAMES[usize::from(from - HAND)];
            let label = Text::of(format!("{} to {end}", name.en), format!("{end} に{}を打つ", name.ja));
            // On the square: from the hand there would be as many arrows as there are free squares.
            return Move {
                on: vec![self.grid.place(to)],
                ..Move::new(format!("{}*{end}", letter.en), label)
            };
        }
        let (name, _) = &NAMES[usize::from(s.at(from).map_or(LION, |piece| piece.0))];
        let id = format!("{}{end}", self.grid.name(from));
        let sign = if s.at(to).is_some() { "×" } else { "-" };
        let squares = format!("{}{sign}{end}", self.grid.name(from));
        let label = Text::of(format!("{} {squares}", name.en), format!("{} {squares}", name.ja));
        Move { from: Some(self.grid.place(from)), to: Some(self.grid.place(to)), ..Move::new(id, label) }
    }
    fn board(&self, s: &Animals, _: &Past<Dobutsu>, _: Viewer) -> Board {
        let token = |kind: u8, owner: u8| {
            let (name, letter) = NAMES[usize::from(kind)].clone();
            let (looks, tint) = [(Looks::Up, Tint::White), (Looks::Down, Tint::Yellow)][usize::from(owner)];
            let small = |letter: &str| if owner == 0 { letter.to_owned() } else { letter.to_lowercase() };
            let letter = Text::of(small(&letter.en), letter.ja);
            Token::new(Form::Tile, tint).text(letter).looking(looks).named(name)
        };
        let hand = |owner: u8| {
            let held = (1u8..).zip(s.hands[usize::from(owner)]).filter(|(_, n)| *n > 0);
            let items = held.map(|(kind, n)| {
                let times = if n > 1 { format!("×{n}") } else { String::new() };
                let id = format!("{}{}", owner + 1, NAMES[usize::from(kind)].1.en);
                Item::token(id, token(kind, owner).small(Text::same(times)))
            });
            let label = Text::of(
                format!("hand of player {}", owner + 1),
                ["先手の持ち駒", "後手の持ち駒"][usize::from(owner)],
            );
            Zone::new(format!("hand{}", owner + 1), Shape::Hand, label, items.collect())
        };
        let board = self.grid.board(|at| s.at(at).map(|(kind, owner)| token(kind, owner))).zones;
        let seat = |(name, looks)| Seat { looks: Some(looks), ..Seat::named(name) };
        let seats = self.players().into_iter().zip([Looks::Up, Looks::Down]).map(seat).collect();
        Board { seats, ..Board::new([vec![hand(1)], board, vec![hand(0)]].concat()) }
    }
    fn repetitions(&self) -> Option<usize> {
        Some(3)
    }
    fn why(&self, s: &Animals) -> Text {
        match [0, 1].map(|player| self.lion(s, player)) {
            [Some(mine), Some(theirs)] => match self.last_row(mine, 0) || self.last_row(theirs, 1) {
                true => text("the lion has reached the far row", "ライオンが最奥の段に着いた（トライ）"),
                false => text("the other side cannot move", "相手が動けない"),
            },
            _ => text("the other lion is caught", "相手のライオンを捕まえた"),
        }
    }
}

/// The registered game.
pub struct LittleLions;

static ABOUT: About = About {
    id: "dobutsu",
    name: text("Dōbutsu shōgi, small", "どうぶつしょうぎ（小）"),
    summary: text(
        "catch the lion, or walk yours to the far side",
        "ライオンを捕まえるか、向こう側まで歩かせる",
    ),
    rules: Primer {
        goal: text(
            "Catch the other lion, or walk yours to the far side.",
            "相手のライオンを捕まえるか、自分のライオンを向こう側まで歩かせる。",
        ),
        play: text(
            "Each player has a lion in the middle of the first row and some friends: a giraffe to its right, an elephant to its left, a chick before it. The lion goes one step in any direction, the giraffe straight, the elephant diagonally, the chick forwards. A chick that steps onto the last row becomes a hen, which goes one step in any direction but diagonally backwards. What you take is yours: instead of moving you may drop it onto any empty square, a hen as a chick again; a chick dropped onto the last row stays a chick. The usual game has all friends on 4 rows: a quarter of a billion positions, more than fit here.",
            "各自、手前の段の中央にライオン、右にきりん、左にぞう、前にひよこ（使う駒は選べる）。ライオンは全方向、きりんは縦横、ぞうは斜め、ひよこは前に1マス進む。ひよこは一番奥の段に進むとにわとりになり、斜め後ろ以外に1マス進む。取った駒は持ち駒になり、動く代わりに空いたマスに打てる（にわとりはひよこに戻る。奥の段に打ったひよこはそのまま）。4段で全部の駒を使う普通の「どうぶつしょうぎ」は約2億5千万局面あり、ここには入りきらない。",
        ),
        end: text(
            "You win by taking the lion, or by walking your lion onto the last row if it is not taken at once. Who cannot move loses. Endless play is a draw.",
            "相手のライオンを取るか、自分のライオンが一番奥の段に入り、すぐに取られなければ勝ち。動けなければ負け。終わらなければ引き分け。",
        ),
        values: RESULT,
    },
    notation: text(
        "rows from the top, joined by /: L lion, G giraffe, E elephant, C chick, H hen (in small letters the second player's) or . for each square; then _ and the letters of what both hold, or -; then _ and the player to move, 1 or 2",
        "上の段から / で区切る。L ライオン、G きりん、E ぞう、C ひよこ、H にわとり（小文字は後手）、.。次に _ と両者の持ち駒の文字（なければ -）、最後に _ と手番（1か2）",
    ),
    example: "l../.../.L./..._Cc_2",
    eval: text("position (board and hands), rows, friends", "position（盤と持ち駒）、rows、friends"),
    question: r#"{"position":".l./.../.C./.L._C_2"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("rows", 3, 5, "4", text("rows of the board", "盤の段数")),
    Param {
        name: "friends",
        domain: Domain::Choice(&[
            ("none", text("lions alone", "ライオンだけ")),
            ("C", text("a chick", "ひよこ")),
            ("E", text("an elephant", "ぞう")),
            ("G", text("a giraffe", "きりん")),
            ("GE", text("giraffe and elephant", "きりんとぞう")),
            ("EC", text("elephant and chick", "ぞうとひよこ")),
            ("GC", text("giraffe and chick", "きりんとひよこ")),
            ("GEC", text("all three, the usual game", "三つとも（普通のどうぶつしょうぎ）")),
        ]),
        default: "C",
        help: text("the lions' friends", "ライオンの仲間"),
    },
];

impl Family for LittleLions {
    type Game = Dobutsu;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Dobutsu, Refusal> {
        let (rows, word) = (settings.int("rows") as u8, settings.word("friends"));
        let friends = ['G', 'E', 'C'].map(|friend| word.contains(friend));
        if rows == 3 && friends[2] {
            let accepts = text(
                "no chick on 3 rows, where both would stand in the middle",
                "3段ではひよこなし（中央でぶつかるため）",
            );
            return Err(Refusal::new("friends", word, accepts));
        }
        Ok(Dobutsu { grid: Grid { rows, cols: 3 }, friends })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Lions and chicks", "ライオンとひよこ"), settings: &[] },
            Variant {
                name: text("Lions and giraffes, 3 rows", "ライオンときりん、3段"),
                settings: &[("rows", "3"), ("friends", "G")],
            },
            Variant { name: text("Lions alone", "ライオンだけ"), settings: &[("friends", "none")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("rows", "3"), ("friends", "G")], position: Some("gl./.../.LG_-_2") },
        ]
    }
}
