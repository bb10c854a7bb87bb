//! Liar's dice (ライアーズダイス): secret dice, higher and higher bids on all of them, until somebody calls the other a liar.

use crate::grid::bits;
use crate::line::{self, Line, by_line};
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::hidden::PartSeen;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Form, Item, Move, Shape, Tint, Token, Viewer, Zone};

/// The rules: the dice of both players, their sides, and the face that counts as any.
pub struct LiarsDice {
    dice: [u8; 2],
    sides: u8,
    joker: Option<u8>,
}

/// How many dice show each face.
type Dice = [u8; 6];

/// The dice of both players once they are rolled, the bids so far, a bit each, and whether the last one was called.
/// Bids only rise, so that the set of them tells their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cups {
    rolled: [Option<Dice>; 2],
    bids: u64,
    called: bool,
}

/// What a player does, and what the dice do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// All dice of a player at once.
    Roll(Dice),
    /// To say that the last bid does not hold.
    Call,
    /// A bid by its place: first by quantity, then by face.
    Bid(u8),
}
use Act::{Bid, Call, Roll};

impl LiarsDice {
    fn bids(&self) -> u8 {
        (self.dice[0] + self.dice[1]) * self.sides
    }
    /// The quantity and the face of a bid.
    fn bid(&self, bid: u8) -> (u8, u8) {
        (bid / self.sides + 1, bid % self.sides + 1)
    }
    /// The last bid, and how many dice count for it.
    fn shown(&self, s: &Cups) -> ((u8, u8), u8) {
        let (quantity, face) = self.bid(last(s.bids).unwrap_or(0));
        let counts = |at: u8| at == face || Some(at) == self.joker;
        let shown = |dice: &Dice| (1..).zip(dice).filter(|(at, _)| counts(*at)).map(|(_, n)| n).sum::<u8>();
        ((quantity, face), s.rolled.iter().flatten().map(shown).sum())
    }
}

/// The last bid.
fn last(bids: u64) -> Option<u8> {
    bids.checked_ilog2().map(|bid| bid as u8)
}

fn digits(dice: &Dice) -> String {
    (1..).zip(dice).map(|(face, n): (u8, _)| face.to_string().repeat(usize::from(*n))).collect()
}

impl Game for LiarsDice {
    type State = Cups;
    type Action = Act;

    fn start(&self) -> Cups {
        Cups { rolled: [None; 2], bids: 0, called: false }
    }
    fn turn(&self, s: &Cups) -> Turn {
        match s.rolled {
            [_, None] => Turn::Chance,
            _ if s.called => Turn::Terminal,
            _ => Turn::Player((s.bids.count_ones() % 2) as u8),
        }
    }
    fn actions(&self, s: &Cups, out: &mut Vec<Act>) {
        let last = last(s.bids);
        out.extend(last.map(|_| Call));
        out.extend((last.map_or(0, |bid| bid + 1)..self.bids()).map(Bid));
    }
    fn chance(&self, s: &Cups, out: &mut Vec<(Act, u32)>) {
        let dice = self.dice[usize::from(s.rolled[0].is_some())];
        // Face by face, as many as there are dice left; as many ways as there are orders.
        let mut all = vec![Dice::default()];
        for face in 0..usize::from(self.sides) {
            let with =
                |rolled: Dice, n: u8| std::array::from_fn(|at| if at == face { n } else { rolled[at] });
            let left = |rolled: &Dice| dice - rolled.iter().sum::<u8>();
            all = all
                .into_iter()
                .flat_map(|rolled| (0..=left(&rolled)).map(move |n| with(rolled, n)))
                .collect();
        }
        all.retain(|rolled| rolled.iter().sum::<u8>() == dice);
        let factorial = |n: u8| (1..=u32::from(n)).product::<u32>();
        let ways = |rolled: &Dice| rolled.iter().fold(factorial(dice), |ways, n| ways / factorial(*n));
        out.extend(all.iter().map(|rolled| (Roll(*rolled), ways(rolled))));
    }
    fn apply(&self, s: &Cups, a: Act) -> Cups {
        let mut next = *s;
        match a {
            Roll(dice) => next.rolled[usize::from(s.rolled[0].is_some())] = Some(dice),
            Call => next.called = true,
            Bid(bid) => next.bids |= 1 << bid,
        }
        next
    }
    fn utility(&self, s: &Cups, player: u8) -> i32 {
        let ((quantity, _), shown) = self.shown(s);
        let holds = shown >= quantity;
        // Whoever would bid next has called.
        let caller = (s.bids.count_ones() % 2) as u8;
        if (player == caller) == holds { -1 } else { 1 }
    }
}

impl Hidden for LiarsDice {
    type Info = (Option<Dice>, u64);
    fn info(&self, s: &Cups, player: u8) -> Self::Info {
        (s.rolled[usize::from(player)], s.bids)
    }
}

impl Line for LiarsDice {
    fn line(&self, s: &Cups) -> Vec<Act> {
        let rolls = s.rolled.iter().flatten().map(|dice| Roll(*dice));
        let bids = bits(s.bids).map(Bid);
        rolls.chain(bids).chain(s.called.then_some(Call)).collect()
    }
    fn sees(&self, s: &Cups, before: &Cups, a: Act, viewer: Viewer) -> bool {
        !matches!(a, Roll(_)) || s.called || viewer == Some(u8::from(before.rolled[0].is_some()))
    }
}

impl Describe for LiarsDice {
    by_line!(ABOUT.notation);
    fn action(&self, _: &Cups, a: Act) -> Move {
        match a {
            Roll(dice) => {
                let shown = digits(&dice);
                let label = Text::of(format!("the dice show {shown}"), format!("目は {shown}"));
                Move::new(shown, label)
            }
            Call => Move::new("liar", text("call the bid a lie", "「うそ」と言う")),
            Bid(bid) => {
                let (n, face) = self.bid(bid);
                let label =
                    Text::of(format!("at least {n} of face {face}"), format!("{face}の目が{n}個以上"));
                Move::new(format!("{n}x{face}"), label)
            }
        }
    }
    fn board(&self, s: &Cups, _: &Past<LiarsDice>, viewer: Viewer) -> Board {
        let (names, viewer) = (self.players(), line::eyes(self, s, viewer));
        let cup = |player: usize| {
            let seen = s.called || viewer.map(usize::from) == Some(player);
            let faces: Vec<char> = match (&s.rolled[player], seen) {
                (None, _) => vec![],
                (Some(dice), true) => digits(dice).chars().collect(),
                (Some(_), false) => vec!['?'; self.dice[player].into()],
            };
            let die = |(at, face): (usize, &char)| {
                let token = Token::new(Form::Tile, Tint::White).text(Text::same(face.to_string()));
                Item::token(format!("d{player}{at}"), token)
            };
            let items = faces.iter().enumerate().map(die).collect();
            Zone::new(format!("p{player}"), Shape::Hand, names[player].clone(), items)
        };
        let bid = |bid: u8| {
            let id = self.action(s, Bid(bid)).id;
            Item::token(format!("b{id}"), Token::letter(Text::same(id)))
        };
        let bids = Zone::new("bids", Shape::Hand, text("Bids", "宣言"), bits(s.bids).map(bid).collect());
        Board::new(vec![cup(1), bids, cup(0)])
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("wins less losses", "勝ち−負け") }
    }
    fn happened(&self, before: &Cups, a: Act, _: &Cups) -> Text {
        if matches!(a, Roll(_)) { Text::default() } else { self.words(before, a) }
    }
    fn why(&self, s: &Cups) -> Text {
        let ((quantity, face), shown) = self.shown(s);
        let (en, ja) =
            if shown >= quantity { ("holds", "正しい") } else { ("does not hold", "嘘だった") };
        Text::of(
            format!("the bid of {quantity} × {face} {en}, as there are {shown}"),
            format!("「{face} が {quantity} 個」は{ja}（実際は {shown} 個）"),
        )
    }
}

/// The registered game.
pub struct UnderCups;

static ABOUT: About = About {
    id: "liarsdice",
    name: text("Liar's dice", "ライアーズダイス"),
    summary: text(
        "bid on dice of which you see only your own",
        "自分の目だけを見て、全員のさいころの目を宣言する",
    ),
    rules: Primer {
        goal: text(
            "Catch the other's bluff, and do not get caught.",
            "相手のうそを見抜き、自分のうそは見抜かれない。",
        ),
        play: text(
            "Each player rolls dice in secret. In turn they bid how many of all dice show a face at least; each bid must be higher than the last, by quantity first and then by face. Instead of a bid one may call the other a liar. With a joker, dice that show it count for every face.",
            "各自ひそかにさいころを振る。交互に「全部のさいころのうち、ある目が何個以上か」を宣言し、個数、次に目の順で、前より高くしなければならない。宣言の代わりに相手を「うそ」と言える。ジョーカーの目はどの目としても数える。",
        ),
        end: text(
            "After a call of liar the dice are shown. If the bid holds the caller loses, otherwise the bidder.",
            "「うそ」と言われたら目を開く。宣言どおりなら言った側の負け、そうでなければ宣言した側の負け。",
        ),
        values: text(
            "A value is the wins less the losses of the player to move on average, from −1 to +1, if both play by the strategies found here. Beside a move stands how often the strategy makes it.",
            "値は、双方がここで求めた戦略どおりに打つときの、手番側の勝ちから負けを引いた期待値（−1～+1）。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "the dice of both and what was said, joined by dots, e.g. 1.3.1x2.liar (1x2: at least one 2); ? for dice that are not known; start before the roll",
        "両者の目と宣言をドットで区切る。例：1.3.1x2.liar（1x2 は2の目が1個以上）。知らない目は ?。振る前は start",
    ),
    example: "1.?.1x2.1x3",
    eval: text(
        "position (dice and bids), first, second, sides, joker",
        "position（目と宣言）、first、second、sides、joker",
    ),
    question: r#"{"position":"1.?.1x2.1x3"}"#,
    players: 2,
};

static PARAMS: [Param; 4] = [
    Param::int("first", 1, 3, "1", text("dice of the first player", "先手のさいころの数")),
    Param::int("second", 1, 3, "1", text("dice of the second player", "後手のさいころの数")),
    Param::int("sides", 2, 6, "3", text("sides of a die", "さいころの面の数")),
    Param {
        name: "joker",
        domain: Domain::Choice(&[
            ("none", text("no face counts as any", "なし")),
            ("first", text("face 1 counts as any", "1の目がジョーカー")),
            ("last", text("the highest face counts as any", "最大の目がジョーカー")),
        ]),
        default: "none",
        help: text("the face that counts as any", "どの目としても数える目"),
    },
];

impl Family for UnderCups {
    type Game = LiarsDice;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<LiarsDice, Refusal> {
        let of = |name| settings.int(name) as u8;
        let joker = match settings.word("joker") {
            "first" => Some(1),
            "last" => Some(of("sides")),
            _ => None,
        };
        Ok(LiarsDice { dice: [of("first"), of("second")], sides: of("sides"), joker })
    }
    fn approach(&self) -> Option<&'static dyn Approach<LiarsDice>> {
        Some(&PartSeen)
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("One die each, 3 sides", "1個ずつ、3面"), settings: &[] },
            Variant { name: text("One die each, 6 sides", "1個ずつ、6面"), settings: &[("sides", "6")] },
            Variant { name: text("With a joker", "ジョーカーあり"), settings: &[("joker", "last")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample {
                settings: &[("first", "2"), ("sides", "2"), ("joker", "last")],
                position: Some("12.?.1x1"),
            },
        ]
    }
}
