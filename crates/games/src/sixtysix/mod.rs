//! Generalised 66 (一般化66): a trick-taking game of one suit with open cards, and the paper about it, refereed.

mod analysis;
mod answer;
mod board;
pub mod closed;
pub mod dense;
mod levels;
pub mod points;
pub mod rules;
mod search;
pub mod solver;
pub mod strategies;
pub mod table;

use crate::about::{About, Claim, Evaluator, Primer};
use crate::analyse::Analyse;
use crate::approach::Approach;
use crate::erased::Erased;
use crate::family::{self, Family, Sample, Variant};
use crate::params::{Domain, Param, Settings};
use crate::tables::Tables;
use analysis::Analyst;
use answer::Requests;
use points::Points;
use rules::{MAX_CARD, State, shuffled};
use strategies::{Reply, Strategy};
use table::Table;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Number, Rational, Refusal, Run, Text, text};
use yomikiri_view::report::Outcome;

/// Deals of Generalised 66, each a game of its own.
pub struct Deals;

/// The registered game.
pub static SIXTYSIX: Erased<Deals> = Erased(&Deals);

static ABOUT: About = About {
    id: "sixtysix",
    name: text("Generalised 66", "一般化66"),
    summary: text(
        "open trick-taking for points: winner, exact difference, closed forms for one scoring card",
        "公開手札のトリックテイキング：勝者と厳密な得点差、得点札1枚の閉じた判定式",
    ),
    rules: Primer {
        goal: text(
            "Take tricks with points in them: as many points more than the other as possible, or past the target first, as agreed.",
            "点の付いた札をトリックで取る。得点差を大きくするか、取り決めにより先に目標点を超える。",
        ),
        play: text(
            "Cards are numbers that both players see, some of them with points. One leads a card, the other answers with any card. The larger one takes the trick with the points of both cards, and its player leads next. While there is a deck, which both see too, the winner of the trick draws first.",
            "札は双方に見える数で、点の付くものがある。1人が1枚出し、相手は任意の1枚で応じる。大きい方が両方の札の点を得て、次にリードする。山札（これも見える）がある間は勝者から順に引く。",
        ),
        end: text(
            "The game is over when all cards are played, or when somebody passes the target.",
            "札を出し切るか、だれかが目標を超えれば終わり。",
        ),
        values: text(
            "A value is how many points the player to move will be ahead, if both play their best. With a target it is win or loss.",
            "値は、双方最善のときの手番側の得点差。目標がある場合は勝ちか負け。",
        ),
    },
    notation: text(
        "parts joined by _: hands A: and B:, deck D: (next card first), points Q: (card=points, one card alone, or all=points), leader L:, points held W:, target T: (exceed) or R: (reach)",
        "_ で区切る：手札 A: と B:、山札 D:（上から）、得点 Q:（札=点、札だけなら1点、all=点）、先手 L:、既得点 W:、目標 T:（超える）か R:（達する）",
    ),
    example: "A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B",
    eval: text(
        "hand_a, hand_b, deck, points (worth of cards 1, 2, …), leader, pa, pb, tp, rule (exceeds, reaches); or q (the only scoring card); g (a card of the deck); objective (target, difference, tricks); or position",
        "hand_a、hand_b、deck、points（カード1, 2, …の得点）、leader、pa、pb、tp、rule（exceeds、reaches）。または q（唯一の得点札）、g（山札の札）、objective（target、difference、tricks）。または position",
    ),
    question: r#"{"hand_a":[1,4,6],"hand_b":[2,3,5],"deck":[7,8],"points":[0,0,0,3,0,0,1,0],"leader":"B"}"#,
    players: 2,
};

static PARAMS: [Param; 8] = [
    Param {
        name: "hand",
        domain: Domain::Int { min: 1, max: 20 },
        default: "5",
        help: text("cards in each hand", "手札の枚数"),
    },
    Param {
        name: "deck",
        domain: Domain::Int { min: 0, max: 120 },
        default: "10",
        help: text("cards in the deck, an even number", "山札の枚数（偶数）"),
    },
    Param {
        name: "points",
        domain: Domain::Choice(&[
            ("random", text("0 to 10 for each card", "各カード0～10点")),
            ("signed", text("−10 to 10 for each card", "各カード−10～10点")),
            ("one", text("one card scores", "得点札1枚")),
            ("hearts", text("one card costs a point", "失点札1枚")),
        ]),
        default: "random",
        help: text("what cards are worth; the seed decides", "カードの得点（シードで決まる）"),
    },
    Param {
        name: "objective",
        domain: Domain::Choice(&[
            ("difference", text("as many points more as possible", "得点差の最大化")),
            ("target", text("to pass the target first", "先に目標を超える")),
            ("tricks", text("whist: every card is worth a point", "ホイスト：全カード1点")),
        ]),
        default: "difference",
        help: text("what the players want", "目的"),
    },
    Param {
        name: "target",
        domain: Domain::Int { min: -100_000, max: 100_000 },
        default: "0",
        help: text("the target, if given; half of all points otherwise", "目標点（省略時は全得点の半分）"),
    },
    Param {
        name: "rule",
        domain: Domain::Choice(&[
            ("exceeds", text("the target must be exceeded", "目標を超える")),
            ("reaches", text("the target must be reached", "目標に達する")),
        ]),
        default: "exceeds",
        help: text("what passing the target means", "目標の判定"),
    },
    Param {
        name: "leader",
        domain: Domain::Choice(&[("A", text("A leads", "A先手")), ("B", text("B leads", "B先手"))]),
        default: "A",
        help: text("who leads", "先手"),
    },
    Param {
        name: "opponent",
        domain: Domain::Choice(&[
            ("best", text("plays the best card", "最善手")),
            (
                "strategy",
                text(
                    "plays the paper's strategy (one scoring card, no deck)",
                    "論文のストラテジー（得点札1枚・山札なし）",
                ),
            ),
        ]),
        default: "best",
        help: text("how the machine plays", "機械の打ち方"),
    },
];

/// The deal that the settings and a seed ask for.
fn dealt(settings: &Settings, seed: u64) -> Result<Table, Refusal> {
    let hand = settings.int("hand") as usize;
    let deck = settings.int("deck") as usize;
    if !deck.is_multiple_of(2) {
        return Err(Refusal::new("deck", deck, text("an even number of cards", "偶数枚")));
    }
    let cards = 2 * hand + deck;
    if cards > MAX_CARD {
        let most = Text::of(
            format!("at most {MAX_CARD} cards with the hands"),
            format!("手札と合わせて{MAX_CARD}枚まで"),
        );
        return Err(Refusal::new("deck", deck, most));
    }
    let mut random = Random::stream(seed, 66);
    let deal = shuffled(hand, deck, u8::from(settings.word("leader") == "B"), &mut random);
    let mut worth = vec![0; cards];
    let one = random.below(cards as u64) as usize;
    match settings.word("points") {
        _ if settings.word("objective") == "tricks" => worth.fill(1),
        "signed" => worth.iter_mut().for_each(|p| *p = random.below(21) as i32 - 10),
        "one" => worth[one] = 1,
        "hearts" => worth[one] = -1,
        _ => worth.iter_mut().for_each(|p| *p = random.below(11) as i32),
    }
    let target = (settings.word("objective") == "target").then(|| {
        let half = Rational::new(worth.iter().sum::<i32>().into(), 2.into());
        let target =
            if settings.given("target") { Rational::from_int(settings.int("target") as i32) } else { half };
        (target, settings.word("rule") == "reaches")
    });
    let worth: Vec<Rational> = worth.into_iter().map(Rational::from_int).collect();
    let zero = || Rational::from_int(0);
    Table::new(deal, Points::new(&worth)?, [zero(), zero()], target)
}

/// What the machine plays by, if it is not the best card.
fn strategy(settings: &Settings, table: &Table, s: &State) -> Result<Option<Strategy>, Refusal> {
    match settings.word("opponent") {
        "strategy" => Strategy::of(table.game(), s, Reply::Corrected).map(Some),
        _ => Ok(None),
    }
}

impl Family for Deals {
    type Game = Table;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, seed: u64) -> Result<Table, Refusal> {
        dealt(settings, seed)
    }
    /// A text is a whole game of its own.
    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(Table, State), Error> {
        let table = position.map_or_else(|| dealt(settings, run.seed), Table::read)?;
        let s = table.start();
        Ok((table, s))
    }
    fn approach(&self) -> Option<&'static dyn Approach<Table>> {
        None
    }
    fn solver(
        &self,
        _: &Settings,
        _: &Table,
        _: &State,
        _: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Table>>, Error> {
        Ok(Box::new(Analyst::default()))
    }
    fn hints(
        &self,
        settings: &Settings,
        table: &Table,
        s: &State,
        _: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Table>>, Error> {
        Ok(Box::new(Analyst::running(strategy(settings, table, s)?)))
    }
    fn playable(&self, settings: &Settings, table: &Table, s: &State, run: &Run<'_>) -> Result<(), Error> {
        strategy(settings, table, s)?;
        solver::within_reach(table.game(), s, run)
    }
    fn variant(&self, _: &Settings, table: &Table) -> Text {
        let deal = table.game().deal();
        let (cards, size, left) = (deal.cards(), deal.hand(), deal.deck.len());
        let goal = board::goal(table);
        let (en, ja) =
            goal.map(|goal| (format!(", {}", goal.en), format!("、{}", goal.ja))).unwrap_or_default();
        Text::of(
            format!("{cards} cards, hands of {size}, open deck of {left}{en}"),
            format!("{cards}枚、手札{size}枚、公開の山札{left}枚{ja}"),
        )
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        let mut outcome = family::solve(self, settings, run)?;
        outcome.json["seed"] = run.seed.into();
        Ok(outcome)
    }
    /// A small deal, and what it comes to.
    fn headline(&self, run: &Run<'_>) -> Result<Claim, Error> {
        let settings = Settings::new(&PARAMS, [])?;
        let deal = "A:3,4,5,6,10_B:2,7,9,11,13_Q:2=2,4=11,6=3,10=4";
        let (table, s) = self.position(&settings, Some(deal), run)?;
        let analysis = Analyst::default().analyse(&table, &s, None, run)?;
        let value = analysis.known()?;
        Ok(Claim {
            big: value.text.clone(),
            text: text(
                "points for A against B from these open hands, if A leads and both play best.",
                "この公開手札でAが先手、双方最善のときの得点差（A − B）。",
            ),
            cert: value.certainty,
            settings,
            position: Some(deal.to_owned()),
        })
    }
    fn requests(&self, exact: bool) -> Option<Box<dyn Evaluator>> {
        Some(Box::new(Requests::new(exact)))
    }
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text(
            "every deal is a game of its own, solved when it is asked for",
            "配牌ごとに別のゲームで、問われたときに解きます",
        ))
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant {
                name: text("Quick: hands of 3", "小：手札3枚"),
                settings: &[("hand", "3"), ("deck", "2")],
            },
            Variant { name: text("Hands of 5, deck of 10", "手札5枚、山札10枚"), settings: &[] },
            Variant {
                name: text("One card scores", "得点札1枚"),
                settings: &[("deck", "0"), ("points", "one")],
            },
            Variant {
                name: text("Whist: most tricks", "ホイスト：トリック数"),
                settings: &[("deck", "0"), ("objective", "tricks")],
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("hand", "3"), ("deck", "6")], position: None },
            Sample {
                settings: &[("hand", "4"), ("deck", "2"), ("objective", "target"), ("leader", "B")],
                position: None,
            },
            Sample {
                settings: &[("hand", "4"), ("deck", "0"), ("points", "one"), ("opponent", "strategy")],
                position: None,
            },
            Sample { settings: &[], position: Some("A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B") },
            Sample {
                settings: &[],
                position: Some("A:1,4,9_B:2,3,5_D:7,8,12,6_Q:4=3,7=-1/2,9=2/3_W:3,1_T:4"),
            },
            Sample { settings: &[], position: Some("A:1,4_B:2,3_R:3") },
            Sample { settings: &[], position: Some("A:1,5,7_B:2,3,9_Q:7") },
        ]
    }
}
