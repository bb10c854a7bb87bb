//! Schnapsen and Sixty-six (シュナプセン、66) as they are played: suits, trumps, marriages, a talon that may be closed.

mod asked;
mod blind;
mod board;
mod notation;
pub mod rules;

use asked::Asked;
use blind::Blind;
use notation::NOTATION;
use rules::{Act, Cards, Kind, One, Table, each, set};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Hidden, Refusal, Run, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::analyse::Analyse;
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::Describe;
use yomikiri_games::family::{self, Family, Sample, Variant};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_games::searched::Searchable;
use yomikiri_solve::minimax::Contest;
use yomikiri_view::report::Outcome;

/// A deal: the table it begins with, and the hand of it that the other player does not see, if there is one.
pub struct Schnapsen {
    kind: Kind,
    start: Table,
    /// Whose hand is hidden from the other.
    hidden: [bool; 2],
    /// The cards that are not seen: those of that hand and those face down.
    pool: Cards,
    /// Cards of that hand.
    size: u8,
    /// What the other begins with, where that is asked about.
    forced: Vec<Act>,
}

/// The table; where something is hidden, also what was done since the start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    table: Table,
    line: Vec<Act>,
    /// Which acts of it declared a marriage, as bits: all at the table hear that.
    declared: u32,
}

impl State {
    /// Everything on the table.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl Schnapsen {
    /// Which of the two games it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }
    /// Whether a hand is hidden.
    fn conceals_cards(&self) -> bool {
        self.hidden != [false; 2]
    }
    /// Whether a hand is still to be dealt.
    fn undealt(&self, s: &State) -> bool {
        self.conceals_cards() && s.line.is_empty()
    }
    /// Whether the last cards were drawn in a deal with a hidden hand: now both players know everything.
    fn known(&self, s: &State) -> bool {
        self.conceals_cards() && s.table.left == 0 && s.table.closed.is_none()
    }
}

impl Game for Schnapsen {
    type State = State;
    type Action = Act;

    fn start(&self) -> State {
        State { table: self.start, line: Vec::new(), declared: 0 }
    }
    fn turn(&self, s: &State) -> Turn {
        match s.table.end {
            Some(_) => Turn::Terminal,
            None if self.undealt(s) => Turn::Chance,
            None if self.known(s) => Turn::Terminal,
            None => Turn::Player(s.table.mover()),
        }
    }
    fn actions(&self, s: &State, out: &mut Vec<Act>) {
        match s.line.len().checked_sub(1).and_then(|made| self.forced.get(made)) {
            Some(act) => out.push(*act),
            None => s.table.acts(self.kind, out),
        }
    }
    fn chance(&self, _: &State, out: &mut Vec<(Act, u32)>) {
        out.extend(self.deals().into_iter().map(|deal| (deal, 1)));
    }
    fn apply(&self, s: &State, act: Act) -> State {
        let mut next = State { line: s.line.clone(), ..*s };
        match act {
            Act::Deal(cards, down) => {
                next.table.hands[usize::from(self.hidden[1])] = cards;
                let drawn = self.face_down();
                next.table.talon[..drawn].copy_from_slice(&down[..drawn]);
            }
            Act::Play(one) if s.table.marriage(self.kind, one).is_some() && self.conceals_cards() => {
                next.declared |= 1 << s.line.len();
                next.table = s.table.after(self.kind, act);
            }
            _ => next.table = s.table.after(self.kind, act),
        }
        if self.conceals_cards() {
            next.line.push(act);
        }
        next
    }
    fn utility(&self, s: &State, player: u8) -> i32 {
        if s.table.end.is_none() && self.known(s) {
            let first = s.table.value(self.kind, -MOST, MOST);
            return if player == 0 { first } else { -first };
        }
        s.table.utility(player)
    }
}

/// Game points at most.
const MOST: i32 = 3;

impl Contest for Schnapsen {
    type Place = Table;
    fn place(&self, s: &State) -> Option<Table> {
        s.table.led.is_none().then_some(s.table)
    }
    fn bounds(&self, _: &State) -> (i32, i32) {
        (-MOST, MOST)
    }
    fn candidates(&self, s: &State, out: &mut Vec<Act>) {
        let table = &s.table;
        self.actions(s, out);
        if table.led.is_none() {
            // Marriages first, then strong cards; closing last.
            out.sort_by_key(|act| match act {
                Act::Exchange => 0,
                Act::Play(one) => 20 - u8::from(table.marriage(self.kind, *one).is_some()) * 10 - one % 6,
                _ => 30,
            });
        }
    }
}

impl Hidden for Schnapsen {
    /// The deal, if one sees it, what was done and declared, and one's own hand.
    type Info = (Option<Act>, Vec<Act>, u32, Cards);
    fn info(&self, s: &State, player: u8) -> Self::Info {
        let deal = s.line.first().copied().filter(|_| self.hidden[usize::from(player)]);
        let hand = s.table.hands[usize::from(player)];
        (deal, s.line.get(1..).unwrap_or_default().to_vec(), s.declared, hand)
    }
}

/// The deal of a seed at the beginning of a trick; the tricks before it were played at random.
fn dealt(kind: Kind, trick: usize, seed: u64) -> Table {
    let mut random = Random::stream(seed, 20);
    loop {
        let mut deck: Vec<One> = each(kind.deck()).collect();
        random.shuffle(&mut deck);
        let (hands, rest) = deck.split_at(2 * kind.hand());
        let (first, second) = hands.split_at(kind.hand());
        let mut talon = [0; 12];
        talon[..rest.len()].copy_from_slice(rest);
        let mut table = Table {
            hands: [set(first), set(second)],
            talon,
            left: rest.len() as u8,
            trump: rest.last().map_or(0, |up| up / 6),
            leader: 0,
            led: None,
            points: [0; 2],
            tricks: [false; 2],
            closed: None,
            end: None,
        };
        for _ in 1..trick {
            for _ in 0..2 {
                let mut acts = Vec::new();
                if table.end.is_none() {
                    table.acts(kind, &mut acts);
                }
                acts.retain(|act| matches!(act, Act::Play(_)));
                if !acts.is_empty() {
                    table = table.after(kind, acts[random.below(acts.len() as u64) as usize]);
                }
            }
        }
        if table.end.is_none() {
            return table;
        }
    }
}

/// Deals, each a game of its own.
pub struct Talon;

static ABOUT: About = About {
    id: "schnapsen",
    name: text("Schnapsen and Sixty-six", "シュナプセンと66"),
    summary: text(
        "tricks, trumps, marriages and a talon that may be closed: open deals exactly, the last draw with a hidden hand",
        "トリックと切り札、マリッジ、閉じられる山札：公開の配牌は厳密に、最後の引きは手札を伏せて",
    ),
    rules: Primer {
        goal: text(
            "Be the first with 66 points: ace 11, ten 10, king 4, queen 3, jack 2 (nine 0), and 20 for a marriage, 40 in trumps.",
            "先に66点を取る。A 11、10 10、K 4、Q 3、J 2（9 は 0）、マリッジは20点、切り札なら40点。",
        ),
        play: text(
            "One leads a card, the other answers; the higher of the suit led takes both, trumps beat all others. While cards are drawn any card may answer; the winner of the trick draws first, the last card drawn is the one turned up, and the winner leads. Whoever is to lead may exchange the trump jack (in Sixty-six the nine, once a trick is won) for the card turned up, and may close the talon: nobody draws any more. A king or queen led with the other of its suit in hand declares the marriage, which counts once a trick is won. Once the talon is empty or closed one must follow suit and beat if one can, else trump. In Sixty-six no marriages are declared then, and the last trick counts 10.",
            "1人がリードし、相手が応じる。リードのスートで高い方が取り、切り札は他のスートに勝つ。山札を引く間は何を出してもよい。勝者から引き、最後に引くのは表向きの札。勝者が次にリードする。リードする人は、切り札の J（66では 9、1トリック取った後）を表向きの札と交換でき、山札を閉じることもできる（以後は引かない）。K と Q を揃えてどちらかをリードすればマリッジを宣言し、トリックを取れば点になる。山札がなくなるか閉じられた後は、同じスートで、できれば勝つ札を、なければ切り札を出す。66ではその後マリッジはなく、最後のトリックに10点が付く。",
        ),
        end: text(
            "Whoever has 66 wins at once: 1 game point, 2 if the other has fewer than 33, 3 if the other has no trick. If nobody gets there, the last trick wins in Schnapsen, and nobody in Sixty-six. Whoever closes wins by what the other had then; without 66 the other wins 2, or 3 with no trick then.",
            "66点に達すればその場で勝ち。1点、相手が33点未満なら2点、1トリックも取っていなければ3点。だれも達しなければ、シュナプセンは最後のトリックを取った側の勝ち、66では勝者なし。閉じた側の勝ちは閉じた時の相手の状態で数え、66点に届かなければ相手が2点（閉じた時に1トリックもなければ3点）。",
        ),
        values: text(
            "A value is the game points that the player to move wins, from −3 to 3, if both play their best. With a hidden hand it is an average, against another player who sees everything; beside a move stands how often the strategy makes it.",
            "値は、双方最善のときに手番側が得るゲーム点（−3～3）。伏せた手札があるときは、すべてを知る相手に対する平均で、手の横に戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: NOTATION,
    example: "A:SK,SQ,H0,CA,CJ_B:SA,HK,DA,D0,CK_D:HA,HQ,DJ,SJ_P:22,13",
    eval: text("position, cards", "position、cards"),
    question: r#"{"position":"A:SK,SQ_B:SA,CK_T:S_P:40,30_L:B"}"#,
    players: 2,
};

const ALL: Domain = Domain::Choice(&[
    ("all", text("both hands and the talon are open", "両者の手札と山札を公開")),
    ("own", text("A sees only its own hand; B sees everything", "Aは自分の手札だけ、Bはすべてを見る")),
]);
const SIZES: Domain = Domain::Choice(&[
    ("20", text("Schnapsen: hands of five", "シュナプセン：手札5枚")),
    ("24", text("Sixty-six: hands of six, with nines", "66：9を加え手札6枚")),
]);

static PARAMS: [Param; 3] = [
    Param { name: "cards", domain: SIZES, default: "20", help: text("cards of the deck", "札の枚数") },
    Param { name: "seen", domain: ALL, default: "all", help: text("what A sees", "Aに見えるもの") },
    Param::int(
        "trick",
        1,
        12,
        "1",
        text(
            "the trick a deal begins with; those before are played at random",
            "始めるトリック。それまでは無作為に進める",
        ),
    ),
];

fn kind(settings: &Settings) -> Kind {
    if settings.word("cards") == "20" { Kind::Schnapsen } else { Kind::SixtySix }
}

impl Family for Talon {
    type Game = Schnapsen;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, seed: u64) -> Result<Schnapsen, Refusal> {
        let (kind, own) = (kind(settings), settings.word("seen") == "own");
        // With a hidden hand it is one of the last two tricks before the talon is empty.
        let last = kind.hand();
        let trick = if own && !settings.given("trick") { last } else { settings.int("trick") as usize };
        let (min, max) = if own { (last - 1, last) } else { (1, 2 * last) };
        if !(min..=max).contains(&trick) {
            let accepts =
                Text::of(format!("{min} to {max} with these cards"), format!("この設定では{min}～{max}"));
            return Err(Refusal::new("trick", trick, accepts));
        }
        let mut start = dealt(kind, trick, seed);
        let mut game =
            Schnapsen { kind, start, hidden: [false; 2], pool: 0, size: last as u8, forced: Vec::new() };
        if own {
            game.hidden[1] = true;
            let down = usize::from(start.left).saturating_sub(1);
            game.pool = start.hands[1] | set(&start.talon[..down]);
            start.hands[1] = 0;
            start.talon[..down].fill(0);
            game.start = start;
        }
        Ok(game)
    }
    /// A text is a whole game of its own.
    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(Schnapsen, State), Error> {
        let Some(given) = position else {
            let game = self.game(settings, run.seed)?;
            // Where every act has bounds of its own, they are what is asked about.
            let s = match game.bounded() {
                true => game.parse(&format!("{}/?", game.letters(&game.start)))?,
                false => game.start(),
            };
            return Ok((game, s));
        };
        let (root, line) = given.split_once('/').unwrap_or((given, ""));
        let game = notation::read(kind(settings), root.trim())?;
        let s = match line {
            // Whoever types a position with a hidden hand is asked what to do, and not what is dealt.
            "" if game.conceals_cards() => game.parse(&format!("{root}/?"))?,
            _ => game.parse(given)?,
        };
        Ok((game, s))
    }
    fn approach(&self) -> Option<&'static dyn Approach<Schnapsen>> {
        None
    }
    fn solver(
        &self,
        settings: &Settings,
        game: &Schnapsen,
        s: &State,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Schnapsen>>, Error> {
        let cards = settings.word("cards");
        match game.conceals_cards() {
            true if game.bounded() => {
                Ok(Box::new(Blind { name: format!("schnapsen {cards} {}", game.letters(&game.start)) }))
            }
            true => Ok(Box::new(Asked { name: format!("schnapsen {cards} {}", game.letters(&game.start)) })),
            // What was proved of a table holds in every deal.
            false => Searchable { large: |_| true }.solver(&format!("schnapsen {cards}"), game, s, run),
        }
    }
    fn playable(&self, settings: &Settings, game: &Schnapsen, _: &State, _: &Run<'_>) -> Result<(), Error> {
        if !game.bounded() {
            return Ok(());
        }
        // What is at fault is the trick, where the deal was not typed.
        let last = game.kind.hand();
        let (field, got, one) = match settings.int("trick") as usize == last - 1 {
            true => ("trick", (last - 1).to_string(), Text::same(last.to_string())),
            false => (
                "position",
                game.letters(&game.start),
                text("one card face down (D:?, and the card turned up)", "伏せ札1枚（D:?,表向きの札）"),
            ),
        };
        let accepts = Text::of(
            format!(
                "{} with a hidden hand; with three cards face down solve and show give bounds of every act, but no strategy to play by",
                one.en
            ),
            format!(
                "手札を伏せるときは{}。伏せ札3枚では solve と show が各行動の上下界を示すが、対戦用の戦略はない",
                one.ja
            ),
        );
        Err(Refusal::new(field, got, accepts).into())
    }
    fn variant(&self, _: &Settings, game: &Schnapsen) -> Text {
        let hidden = match game.conceals_cards() {
            true => text("one hand hidden", "片方の手札は非公開"),
            false => text("all cards open", "全札公開"),
        };
        let Text { en, ja } = match game.kind {
            Kind::Schnapsen => text("20 cards", "20枚"),
            Kind::SixtySix => text("24 cards", "24枚"),
        };
        Text::of(format!("{en}, {}", hidden.en), format!("{ja}、{}", hidden.ja))
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        let mut outcome = family::solve(self, settings, run)?;
        outcome.json["seed"] = run.seed.into();
        Ok(outcome)
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant {
                name: text("From the fourth trick", "4トリック目から"), settings: &[("trick", "4")]
            },
            Variant { name: text("A whole deal, open cards", "全札公開で最初から"), settings: &[] },
            Variant {
                name: text("The last draw, B's hand hidden", "最後の引き、Bの手札は非公開"),
                settings: &[("seen", "own")],
            },
            Variant {
                name: text("Sixty-six, from the fifth trick", "66、5トリック目から"),
                settings: &[("cards", "24"), ("trick", "5")],
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("trick", "5")], position: None },
            Sample { settings: &[("cards", "24"), ("trick", "8")], position: None },
            Sample { settings: &[], position: Some("A:SK,SQ_B:SA,CK_T:S_P:40,30_C:B2_L:B") },
            Sample { settings: &[], position: Some("A:H0,DA_B:?_T:S_X:SJ,HK,CQ_P:40,30_C:A1/?.HT") },
        ]
    }
}
