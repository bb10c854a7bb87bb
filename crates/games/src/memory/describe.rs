//! How Memory is written, named and seen: the cards by number, and a counted position as its notation.

use super::board;
use super::rules::{self, Objective};
use super::table::{Act, Card, CardTable, Layout, Stage};
use crate::describe::{Describe, Past};
use yomikiri_core::text::counted;
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Each, Move, Viewer};

/// Cards in a row where the ranks are those of a deck.
const DECK_ROW: usize = 13;
/// Columns a wider table may take.
const COLUMNS: usize = 80;

impl CardTable {
    /// The rank with a name, in either case.
    fn rank(&self, label: &str) -> Option<u8> {
        (0..self.memory().ranks()).map(|r| r as u8).find(|&r| self.label(r).eq_ignore_ascii_case(label))
    }

    /// The cards by number, in rows.
    pub(super) fn grid(&self, s: &Layout) -> String {
        let digits = s.cards.len().to_string().len();
        let name = (0..self.memory().ranks()).map(|r| self.label(r as u8).len()).max().unwrap_or(1);
        // A mark for the card that is face up or a blank, the number, a colon, the rank.
        let cell = digits + name + 2;
        let row = if self.memory().ranks() <= 13 { DECK_ROW } else { COLUMNS / cell };
        let show = |place: usize, card: &Card| {
            let mark = if s.stage.face_up() == Some(place as u16) { '>' } else { ' ' };
            match card {
                Card::Unknown => format!("{mark}{:>digits$}:{:<name$}", place + 1, "?"),
                Card::Known(rank) => format!("{mark}{:>digits$}:{:<name$}", place + 1, self.label(*rank)),
                Card::Gone { .. } => format!("{mark}{:>digits$} {:<name$}", "–", ""),
            }
        };
        let cells: Vec<String> = s.cards.iter().enumerate().map(|(place, card)| show(place, card)).collect();
        let rows: Vec<String> = cells.chunks(row).map(|row| row.concat().trim_end().to_string()).collect();
        rows.join("\n")
    }

    /// The unknown cards, by rank where that fits a line.
    pub(super) fn unknown_cards(&self, s: &Layout) -> String {
        let unseen = self.unseen(s);
        if self.memory().ranks() > 13 {
            return unseen.iter().map(|&n| u32::from(n)).sum::<u32>().to_string();
        }
        let ranks = (0..).zip(&unseen).filter(|(_, n)| **n > 0);
        let by_rank: Vec<String> = ranks.map(|(rank, n)| format!("{}×{n}", self.label(rank))).collect();
        if by_rank.is_empty() { "–".into() } else { by_rank.join(" ") }
    }

    /// Whose turn it is, in words.
    fn turn_line(&self, s: &Layout) -> Text {
        let mover = player(s.mover);
        if self.turn(s) == Turn::Terminal {
            return text("the game is over", "終局");
        }
        if let (Some(place), Some(rank)) = (s.stage.face_up(), s.face_up()) {
            let (number, label) = (place + 1, self.label(rank));
            return Text::of(
                format!("{} to choose the second card (card {number} is {})", mover.en, a(&label)),
                format!("{}が2枚目を選ぶ番（{number}番は{label}）", mover.ja),
            );
        }
        if s.passed {
            let other = player(1 - s.mover);
            return Text::of(
                format!("{} to move; {} has just passed; a pass ends it", mover.en, other.en),
                format!("{}の番（直前に{}がパス。続けてパスすると終局）", mover.ja, other.ja),
            );
        }
        Text::of(format!("{} to move", mover.en), format!("{}の番", mover.ja))
    }

    /// What a pass means: after the other's it ends the game.
    fn pass(&self, s: &Layout) -> Text {
        if !s.passed {
            return text("pass: show two known cards", "パス：既知のカードを2枚見せる");
        }
        let [own, other] = [s.mover, 1 - s.mover].map(|player| s.pairs(player));
        let (en, ja) = match own.cmp(&other) {
            std::cmp::Ordering::Greater => ("you win", "勝ち"),
            std::cmp::Ordering::Equal => ("a draw", "引き分け"),
            std::cmp::Ordering::Less => ("you lose", "負け"),
        };
        Text::of(
            format!("pass, which ends the game {own} to {other}: {en}"),
            format!("パス：ここで終局、{own}対{other}で{ja}"),
        )
    }

    /// The card a number typed by a person means at this stage.
    fn chosen(&self, s: &Layout, number: &str) -> Option<Act> {
        let place = number.parse::<u16>().ok()?.checked_sub(1)?;
        match (s.stage, *s.cards.get(usize::from(place))?) {
            (Stage::First, Card::Unknown) => Some(Act::Turn(place)),
            // A card whose partner is known: the pair.
            (Stage::First, Card::Known(rank)) => Some(Act::Take(rank)),
            (Stage::Second(_), Card::Unknown) => Some(Act::Unknown(place)),
            (Stage::Second(_), Card::Known(rank)) if Some(rank) == s.face_up() => Some(Act::Same(place)),
            (Stage::Second(_), Card::Known(_)) => Some(Act::Different(place)),
            _ => None,
        }
    }

    /// The first legal act of a kind.
    fn first_of(&self, s: &Layout, kind: impl Fn(&rules::Action) -> bool) -> Option<Act> {
        let legal = self.legal(&self.position(s));
        legal.into_iter().filter(kind).filter_map(|action| self.acts(s, action).next()).min()
    }

    /// What would be accepted where these counted actions are legal.
    pub(super) fn accepted(&self, s: &Layout, legal: &[rules::Action]) -> Text {
        let words = [
            (rules::Action::Flip, text("the number of an unknown card", "未知のカードの番号")),
            (rules::Action::Same, text("same", "同じ")),
            (rules::Action::Different, text("different", "別")),
            (rules::Action::Unknown, text("unknown", "未知")),
            (rules::Action::Pass, text("pass", "パス")),
        ];
        let mut words: Vec<Text> =
            words.into_iter().filter(|(action, _)| legal.contains(action)).map(|(_, word)| word).collect();
        if matches!(s.stage, Stage::Second(_)) {
            words.insert(0, text("the number of another card", "他のカードの番号"));
        }
        // One example stands for all pairs.
        if let Some(Act::Take(rank)) = self.first_of(s, |a| matches!(a, rules::Action::Take(_))) {
            let label = self.label(rank);
            let at = usize::from(legal.contains(&rules::Action::Flip));
            words.insert(at, Text::of(format!("take {label}"), format!("取る {label}")));
        }
        Text::of(
            words.iter().map(|t| t.en.as_ref()).collect::<Vec<_>>().join(", "),
            words.iter().map(|t| t.ja.as_ref()).collect::<Vec<_>>().join("、"),
        )
    }

    /// What is said of the card that chance turns up.
    fn turned(&self, s: &Layout, rank: u8) -> Text {
        let label = self.label(rank);
        match s.stage {
            Stage::Turning(place) | Stage::Pairing(_, place) => {
                let number = place + 1;
                Text::of(format!("card {number} is {}", a(&label)), format!("{number}番は{label}"))
            }
            _ => Text::same(label),
        }
    }
}

impl Describe for CardTable {
    fn parse(&self, text: &str) -> Result<Layout, Refusal> {
        Ok(self.deal(&self.memory().parse(text)?))
    }

    fn print(&self, s: &Layout) -> Option<String> {
        self.memory().print(&self.position(s))
    }

    fn action(&self, s: &Layout, a: Act) -> Move {
        let (id, label) = match a {
            Act::Take(rank) => {
                let label = self.label(rank);
                let what = Text::of(format!("take the pair of {label}"), format!("{label}のペアを取る"));
                (format!("take {label}"), what)
            }
            Act::Turn(place) => (number(place), text("turn an unknown card", "未知のカードをめくる")),
            Act::Pass => ("pass".into(), self.pass(s)),
            Act::Same(place) => {
                let label = s.face_up().map(|rank| self.label(rank)).unwrap_or_default();
                let what = Text::of(
                    format!("take the pair with the known {label}"),
                    format!("既知の{label}とのペアを取る"),
                );
                (number(place), what)
            }
            Act::Different(place) => {
                (number(place), text("choose a known card of another rank", "別のランクの既知のカードを選ぶ"))
            }
            Act::Unknown(place) => {
                (number(place), text("turn another unknown card", "未知のカードをもう1枚めくる"))
            }
            Act::Turned(rank) => (self.label(rank), self.turned(s, rank)),
        };
        // A pair may be clicked on either card.
        let each: Vec<u16> = match a {
            Act::Take(rank) => CardTable::known_places(s, rank).collect(),
            other => board::places(s, other),
        };
        Move {
            on: board::places(s, a).into_iter().map(board::item).collect(),
            each: each.into_iter().map(|place| Each { on: board::item(place), id: id.clone() }).collect(),
            ..Move::new(id, label)
        }
    }

    fn board(&self, s: &Layout, past: &Past<CardTable>, _: Viewer) -> Board {
        Board { say: self.turn_line(s), ..board::board(self, s, past) }
    }

    fn edit_board(&self, s: &Layout) -> Board {
        board::whole(self, s)
    }

    fn draw(&self, s: &Layout, _: Viewer) -> Text {
        let (grid, unknown, turn) = (self.grid(s), self.unknown_cards(s), self.turn_line(s));
        let (first, second) = (s.pairs(0), s.pairs(1));
        Text::of(
            format!("{grid}\nunknown: {unknown}\npairs: first {first}, second {second}\n{}", turn.en),
            format!("{grid}\n未知：{unknown}\nペア：先手 {first}、後手 {second}\n{}", turn.ja),
        )
    }

    fn measure(&self) -> Measure {
        match self.memory().objective() {
            Objective::Win => Measure::WinRate,
            Objective::Cards => Measure::Points { name: text("Pairs", "ペア差") },
        }
    }

    fn prompt(&self, s: &Layout) -> Text {
        let accepts = self.accepts(s);
        match s.stage {
            Stage::Second(_) => {
                Text::of(format!("second card? ({})", accepts.en), format!("2枚目は？（{}）", accepts.ja))
            }
            _ if self.turn(s) == Turn::Terminal => text("", ""),
            _ => Text::of(format!("first card? ({})", accepts.en), format!("1枚目は？（{}）", accepts.ja)),
        }
    }

    fn accepts(&self, s: &Layout) -> Text {
        self.accepted(s, &self.legal(&self.position(s)))
    }

    fn understand(&self, s: &Layout, text: &str) -> Option<Act> {
        let text = narrow(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["take" | "取る", label] => self.rank(label).map(Act::Take),
            ["pass" | "パス"] => Some(Act::Pass),
            ["same" | "同じ"] => self.first_of(s, |a| *a == rules::Action::Same),
            ["different" | "別"] => self.first_of(s, |a| *a == rules::Action::Different),
            ["unknown" | "未知"] => {
                self.first_of(s, |a| matches!(a, rules::Action::Flip | rules::Action::Unknown))
            }
            [number] => self.chosen(s, number),
            _ => None,
        }
    }

    fn alike(&self, s: &Layout, a: Act) -> Act {
        let lowest = |is: &dyn Fn(Card) -> bool, act: fn(u16) -> Act| {
            s.others().find(|(_, card)| is(*card)).map_or(a, |(place, _)| act(place))
        };
        let up = s.face_up();
        match a {
            Act::Take(rank) => {
                let patterns = self.patterns(s);
                let same = |other: &u8| patterns[usize::from(*other)] == patterns[usize::from(rank)];
                Act::Take((0..rank).find(same).unwrap_or(rank))
            }
            Act::Turn(_) => lowest(&|card| card == Card::Unknown, Act::Turn),
            Act::Unknown(_) => lowest(&|card| card == Card::Unknown, Act::Unknown),
            Act::Same(_) => lowest(&|card| matches!(card, Card::Known(r) if Some(r) == up), Act::Same),
            Act::Different(_) => {
                lowest(&|card| matches!(card, Card::Known(r) if Some(r) != up), Act::Different)
            }
            Act::Pass | Act::Turned(_) => a,
        }
    }

    fn happened(&self, before: &Layout, act: Act, after: &Layout) -> Text {
        let takes = |rank: u8| {
            let label = self.label(rank);
            Text::of(format!("takes the pair of {label}"), format!("{label}のペアを取る"))
        };
        match act {
            // What matters comes with the rank.
            Act::Turn(_) | Act::Unknown(_) => Text::same(""),
            Act::Take(rank) => takes(rank),
            Act::Same(_) => before.face_up().map_or(Text::same(""), takes),
            Act::Different(place) => {
                let (number, card) = (place + 1, before.cards.get(usize::from(place)));
                let label = if let Some(Card::Known(rank)) = card { self.label(*rank) } else { "?".into() };
                Text::of(
                    format!("chooses card {number}, a known {label}"),
                    format!("既知の{number}番（{label}）を選ぶ"),
                )
            }
            Act::Pass if after.stage == Stage::Over => {
                text("passes too, and the game is over", "続けてパスし、終局")
            }
            Act::Pass => text("passes", "パス"),
            Act::Turned(rank) => {
                let shown = self.turned(before, rank);
                match (before.stage, before.face_up() == Some(rank)) {
                    (Stage::Pairing(..), true) => Text::of(
                        format!("{}: {}", shown.en, takes(rank).en),
                        format!("{}、{}", shown.ja, takes(rank).ja),
                    ),
                    (Stage::Pairing(..), false) => {
                        Text::of(format!("{}, no pair", shown.en), format!("{}、ペアにならず", shown.ja))
                    }
                    _ => shown,
                }
            }
        }
    }

    fn result(&self, s: &Layout) -> Text {
        let pairs = [s.pairs(0), s.pairs(1)];
        if pairs[0] == pairs[1] {
            return Text::of(
                format!("a draw, {0} to {0}", pairs[0]),
                format!("引き分け（{0}対{0}）", pairs[0]),
            );
        }
        let winner = usize::from(pairs[1] > pairs[0]);
        let (more, fewer, name) = (pairs[winner], pairs[1 - winner], player(winner as u8));
        Text::of(
            format!("{} wins {more} to {fewer}", name.en),
            format!("{}の勝ち（{more}対{fewer}）", name.ja),
        )
    }

    fn why(&self, s: &Layout) -> Text {
        let left = self.memory().remaining(&self.position(s).counts);
        let pairs = counted(left as u64, "pair is", "pairs are");
        match (left, s.stage) {
            (0, _) => text("all pairs are taken", "すべてのペアが取られた"),
            (_, Stage::Over) => Text::of(
                format!("both players passed, and {pairs} left lying"),
                format!("双方が続けてパスし、{left}ペアが残った"),
            ),
            _ => Text::of(
                format!("only {pairs} left, too few to catch up"),
                format!("残りは{left}ペアで、もう追いつけない"),
            ),
        }
    }

    fn moment(&self, past: &Past<CardTable>, _: Viewer) -> Option<Board> {
        board::moment(self, past)
    }

    fn scores(&self, s: &Layout) -> Option<Vec<i64>> {
        Some([0, 1].map(|player| s.pairs(player) as i64).into())
    }

    /// Pairs that were taken, divided anew: only the difference matters.
    fn rescored(&self, s: &Layout, scores: &[i64]) -> Option<String> {
        let (now, &[first, second]) = (self.position(s), scores) else { return None };
        let taken = self.memory().total_pairs() - self.memory().remaining(&now.counts);
        if first < 0 || second < 0 || first.checked_add(second) != Some(taken as i64) {
            return None;
        }
        let diff = if s.mover == 0 { first - second } else { second - first };
        self.memory().print(&self.memory().legal(now.counts, diff, now.passed).ok()?)
    }

    fn edits(&self, s: &Layout) -> Vec<Move> {
        board::edits(self, s)
    }
}

/// What to type for a place: places count from 1 for people.
fn number(place: u16) -> String {
    (place + 1).to_string()
}

/// A player as people call them.
fn player(seat: u8) -> Text {
    if seat == 0 { text("the first player", "先手") } else { text("the second player", "後手") }
}

/// The name of a rank with its article.
pub(super) fn a(label: &str) -> String {
    let vowel = label.starts_with(['A', '8']) || label == "11" || label == "18";
    format!("{} {label}", if vowel { "an" } else { "a" })
}

/// Lower case, and full-width letters and digits as plain ones: what a Japanese keyboard types counts too.
fn narrow(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '！'..='～' => char::from_u32(c as u32 - '！' as u32 + '!' as u32).unwrap_or(c),
            other => other,
        })
        .collect::<String>()
        .to_lowercase()
}
