//! Yahtzee (ヤッツィー) with any few categories: five dice, two rolls more of those one likes, one category a turn.

use yomikiri_core::text::counted;
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Form, Item, Move, Shape, Tint, Token, Viewer, Zone};

/// The rules with the categories that are played.
pub struct Yahtzee {
    /// A bit for every category.
    categories: u16,
}

/// How many dice show each face.
type Dice = [u8; 6];

/// The dice that lie on the table, five unless the others are in the air; rolls left in the turn, categories left,
/// points so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turns {
    dice: Dice,
    rolls: u8,
    left: u16,
    points: u16,
}

/// What a player does, and what the dice do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// Keep these dice and roll the others.
    Keep(Dice),
    /// Score the dice in a category.
    Score(usize),
    /// The dice show this.
    Roll(Dice),
}

/// The categories by name.
const CATEGORIES: [&str; 10] =
    ["aces", "twos", "threes", "fours", "fives", "sixes", "sum", "straight", "four", "five"];
/// Rolls of a turn after the first.
const AGAIN: u8 = 2;
const FULL: u8 = 5;
/// More points than can be scored.
const MOST: u16 = 200;

fn count(dice: &Dice) -> u8 {
    dice.iter().sum()
}

/// The points of dice in a category.
fn score(dice: &Dice, category: usize) -> u16 {
    let worth = |face: usize| u16::from(dice[face]) * (face as u16 + 1);
    let equal = |n: u8| u16::from(dice.iter().any(|count| *count >= n));
    match category {
        6 => (0..6).map(worth).sum(),
        7 => u16::from(dice.windows(4).any(|run| run.iter().all(|count| *count > 0))),
        8 => equal(4),
        9 => equal(5),
        face => worth(face),
    }
}

/// All dice within some, in order; with a number only those of so many dice.
fn within(most: &Dice, size: Option<u8>) -> Vec<Dice> {
    let mut all = vec![[0; 6]];
    for (face, most) in most.iter().enumerate() {
        let with = |dice: Dice, n: u8| std::array::from_fn(|at| if at == face { n } else { dice[at] });
        all = all.into_iter().flat_map(|dice| (0..=*most).map(move |n| with(dice, n))).collect();
    }
    all.retain(|dice| size.is_none_or(|size| count(dice) == size));
    all
}

/// The dice as digits.
fn digits(dice: &Dice) -> String {
    (0u8..)
        .zip(dice)
        .flat_map(|(face, n)| std::iter::repeat_n(char::from(b'1' + face), usize::from(*n)))
        .collect()
}

impl Yahtzee {
    fn read(&self, given: &str) -> Option<Turns> {
        let parts: Vec<&str> = given.split('_').collect();
        let [signs, rolls, names, points] = parts[..] else { return None };
        let (mut dice, mut left) = ([0; 6], 0);
        for sign in signs.chars().take(usize::from(FULL)).filter(|sign| *sign != '.') {
            *dice.get_mut((sign as usize).checked_sub('1' as usize)?)? += 1;
        }
        for name in names.split(',').filter(|name| !name.is_empty()) {
            left |= categories(name).ok()? & self.categories;
        }
        let s = Turns { dice, rolls: rolls.parse().ok()?, left, points: points.parse().ok()? };
        // After the last category no dice are rolled.
        let over = left > 0 || (dice, s.rolls) == ([0; 6], AGAIN);
        (signs.len() == usize::from(FULL) && s.rolls <= AGAIN && s.points < MOST && over).then_some(s)
    }
}

impl Game for Yahtzee {
    type State = Turns;
    type Action = Act;
    const PLAYERS: usize = 1;

    fn start(&self) -> Turns {
        Turns { dice: [0; 6], rolls: AGAIN, left: self.categories, points: 0 }
    }
    fn turn(&self, s: &Turns) -> Turn {
        match s.left {
            0 => Turn::Terminal,
            _ if count(&s.dice) < FULL => Turn::Chance,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self, s: &Turns, out: &mut Vec<Act>) {
        if s.rolls > 0 {
            out.extend(within(&s.dice, None).into_iter().filter(|kept| *kept != s.dice).map(Act::Keep));
        }
        out.extend(open(s.left).map(Act::Score));
    }
    fn chance(&self, s: &Turns, out: &mut Vec<(Act, u32)>) {
        let air = FULL - count(&s.dice);
        let factorial = |n: u8| (1..=u32::from(n)).product::<u32>();
        for rolled in within(&[air; 6], Some(air)) {
            let ways = rolled.iter().fold(factorial(air), |ways, n| ways / factorial(*n));
            out.push((Act::Roll(std::array::from_fn(|face| s.dice[face] + rolled[face])), ways));
        }
    }
    fn apply(&self, s: &Turns, a: Act) -> Turns {
        match a {
            Act::Keep(dice) => Turns { dice, rolls: s.rolls - 1, ..*s },
            Act::Roll(dice) => Turns { dice, ..*s },
            Act::Score(category) => {
                let points = s.points + score(&s.dice, category);
                Turns { dice: [0; 6], rolls: AGAIN, left: s.left & !(1 << category), points }
            }
        }
    }
    fn utility(&self, s: &Turns, _: u8) -> i32 {
        s.points.into()
    }
}

impl Describe for Yahtzee {
    fn parse(&self, given: &str) -> Result<Turns, Refusal> {
        let refusal = || Refusal::new("position", format!("\"{given}\""), ABOUT.notation.clone());
        self.read(given.trim()).ok_or_else(refusal)
    }
    fn print(&self, s: &Turns) -> Option<String> {
        let left: Vec<&str> = open(s.left).map(|c| CATEGORIES[c]).collect();
        Some(format!("{:.<5}_{}_{}_{}", digits(&s.dice), s.rolls, left.join(","), s.points))
    }
    fn action(&self, s: &Turns, a: Act) -> Move {
        let (id, en, ja) = match a {
            Act::Keep(dice) => {
                let kept = digits(&dice);
                (
                    format!("keep{kept}"),
                    format!("keep {kept}, roll the others"),
                    format!("{kept} を残して振る"),
                )
            }
            Act::Score(category) => {
                let (name, points) = (CATEGORIES[category], score(&s.dice, category));
                (name.to_owned(), format!("{name}: {points}"), format!("{name}：{points}点"))
            }
            Act::Roll(dice) => {
                let shown = digits(&dice);
                (shown.clone(), format!("the dice show {shown}"), format!("目は {shown}"))
            }
        };
        Move::new(id, Text::of(en, ja))
    }
    fn board(&self, s: &Turns, _: &Past<Yahtzee>, _: Viewer) -> Board {
        let token = |face: char| Token::new(Form::Tile, Tint::White).text(Text::same(face.to_string()));
        let dice = digits(&s.dice);
        let items =
            (0..).zip(dice.chars()).map(|(at, face): (u8, _)| Item::token(format!("d{at}"), token(face)));
        let Turns { rolls, points, .. } = s;
        let label = Text::of(
            format!(
                "{}, {}",
                counted((*points).into(), "point", "points"),
                counted((*rolls).into(), "more roll", "more rolls")
            ),
            format!("{points}点、振り直しあと{rolls}回"),
        );
        Board::new(vec![Zone::new("dice", Shape::Hand, label, items.collect())])
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("points", "点") }
    }
}

/// The categories of a set.
fn open(set: u16) -> impl Iterator<Item = usize> {
    (0..CATEGORIES.len()).filter(move |c| set >> c & 1 == 1)
}

/// The set of categories that are typed by name.
fn categories(given: &str) -> Result<u16, Refusal> {
    let find = |name: &str| Some(1 << CATEGORIES.iter().position(|c| *c == name.trim())?);
    let found = given.split(',').map(find).try_fold(0, |all, c: Option<u16>| Some(all | c?));
    found.ok_or_else(|| Refusal::new("categories", format!("\"{given}\""), ACCEPTED))
}

const ACCEPTED: Text = text(
    "names joined by commas: aces, twos, threes, fours, fives, sixes, sum, straight, four, five",
    "カンマ区切りの名前：aces、twos、threes、fours、fives、sixes、sum、straight、four、five",
);

/// The registered game.
pub struct FiveDice;

static ABOUT: About = About {
    id: "yahtzee",
    name: text("Yahtzee turns", "ヤッツィー"),
    summary: text(
        "five dice, two rolls more, a few categories: most points expected",
        "さいころ5個、振り直し2回、少数の種目：得点の期待値を最大に",
    ),
    rules: Primer {
        goal: text("Score as many points as possible.", "できるだけ多く得点する。"),
        play: text(
            "In a turn five dice are rolled; twice, any of them may be rolled again. Then the dice are scored in a category that has not been used. aces to sixes score the sum of that face, sum all dice; straight (four faces in a row), four (four equal dice) and five (five equal dice) score 1.",
            "毎回5個のさいころを振り、2回まで好きなものを振り直せる。その後、未使用の種目を1つ選んで得点する。aces～sixes はその目の合計、sum は全部の合計。straight（4つ続き）、four（同じ目4つ）、five（同じ目5つ）は1点。",
        ),
        end: text(
            "There are as many turns as categories. Points are added up.",
            "種目の数だけ行い、得点を合計する。",
        ),
        values: text(
            "A value is the points that the whole game brings on average. A category that scores 1 is alone worth its probability.",
            "値は、ゲーム全体の得点の期待値。1点の種目は、単独なら値が確率になる。",
        ),
    },
    notation: text(
        "five dice, . for one in the air; _ and the rolls left; _ and the categories left; _ and the points",
        "さいころ5個（空中は .）、_ と残りの振り直し、_ と残りの種目、_ と得点",
    ),
    example: "11446_1_sum_0",
    eval: text(
        "position (dice, rolls, categories, points), categories",
        "position（さいころ、振り直し、種目、得点）、categories",
    ),
    question: r#"{"position":"11446_1_sum_0"}"#,
    players: 1,
};

static PARAMS: [Param; 1] = [Param {
    name: "categories",
    domain: Domain::Text { accepts: ACCEPTED, check: |given| categories(given).map(drop) },
    default: "sum",
    help: text("the categories that are played", "使う種目"),
}];

impl Family for FiveDice {
    type Game = Yahtzee;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Yahtzee, Refusal> {
        Ok(Yahtzee { categories: categories(settings.text("categories"))? })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("The sum of all dice", "目の合計"), settings: &[] },
            Variant { name: text("Five equal dice", "同じ目5つ"), settings: &[("categories", "five")] },
            Variant { name: text("Sixes", "6の目"), settings: &[("categories", "sixes")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("categories", "five")], position: None },
            Sample { settings: &[], position: Some("11446_1_sum_0") },
        ]
    }
}
