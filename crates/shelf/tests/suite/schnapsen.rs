//! Schnapsen and Sixty-six against a twin that shares nothing with their rules but the notation: lists of letters, and
//! plain recursion over everything. Where a hand is hidden, against what Martin Tompa has published.

use yomikiri_core::random::Random;
use yomikiri_core::{Game, Run, Turn};
use yomikiri_games::describe::Describe;
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_shelf::find;
use yomikiri_shelf::schnapsen::{Schnapsen, Talon};
use yomikiri_solve::minimax::NullWindow;

/// A suit and a rank, as they are written.
type Letters = (char, char);

/// From the weakest to the strongest, with what they count.
const RANKS: [(char, i32); 6] = [('9', 0), ('J', 2), ('Q', 3), ('K', 4), ('0', 10), ('A', 11)];

fn strength(card: Letters) -> usize {
    RANKS.iter().position(|rank| rank.0 == card.1).unwrap()
}

/// A table as it lies there: player 0 is A.
#[derive(Clone, Debug)]
struct Twin {
    nines: bool,
    hands: [Vec<Letters>; 2],
    talon: Vec<Letters>,
    trump: char,
    leader: usize,
    led: Option<Letters>,
    points: [i32; 2],
    tricks: [bool; 2],
    /// Who closed, what that wins, and what it loses.
    closed: Option<(usize, i32, i32)>,
}

impl Twin {
    fn read(notation: &str, nines: bool) -> Twin {
        let part = |key: &str| notation.split('_').find_map(|part| part.strip_prefix(key)).unwrap_or("");
        let cards = |key: &str| -> Vec<Letters> {
            let two = |card: &str| (card.chars().next().unwrap(), card.chars().nth(1).unwrap());
            part(key).split(',').filter(|card| !card.is_empty()).map(two).collect()
        };
        let numbers =
            |key: &str| -> Vec<i32> { part(key).split(',').filter_map(|n| n.parse().ok()).collect() };
        let talon = cards("D:");
        let points = <[i32; 2]>::try_from(numbers("P:")).unwrap_or([0, 0]);
        let tricks = <[i32; 2]>::try_from(numbers("N:")).map_or(points.map(|p| p > 0), |n| n.map(|n| n > 0));
        let closed = part("C:").chars().next().map(|by| {
            let wins = part("C:")[1..].parse().unwrap();
            (usize::from(by == 'B'), wins, if wins == 3 { 3 } else { 2 })
        });
        Twin {
            nines,
            hands: [cards("A:"), cards("B:")],
            trump: talon.last().map_or_else(|| part("T:").chars().next().unwrap(), |up| up.0),
            talon,
            leader: usize::from(part("L:") == "B"),
            led: cards("E:").first().copied(),
            points,
            tricks,
            closed,
        }
    }

    fn follows(&self) -> bool {
        self.closed.is_some() || self.talon.is_empty()
    }

    fn mover(&self) -> usize {
        if self.led.is_none() { self.leader } else { 1 - self.leader }
    }

    fn lowest(&self) -> Letters {
        (self.trump, if self.nines { '9' } else { 'J' })
    }

    /// What may be done, as it is typed.
    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let hand = &self.hands[self.mover()];
        if self.led.is_none() && !self.follows() {
            moves.push("close".to_owned());
            if hand.contains(&self.lowest()) && (!self.nines || self.tricks[self.leader]) {
                moves.push("exchange".to_owned());
            }
        }
        let mut cards: Vec<Letters> = hand.clone();
        if let (Some(led), true) = (self.led, self.follows()) {
            let same: Vec<Letters> = hand.iter().copied().filter(|card| card.0 == led.0).collect();
            let better: Vec<Letters> =
                same.iter().copied().filter(|card| strength(*card) > strength(led)).collect();
            let trumps: Vec<Letters> = hand.iter().copied().filter(|card| card.0 == self.trump).collect();
            if !better.is_empty() {
                cards = better;
            } else if !same.is_empty() {
                cards = same;
            } else if !trumps.is_empty() {
                cards = trumps;
            }
        }
        moves.extend(cards.into_iter().map(|(suit, rank)| format!("{suit}{rank}")));
        moves.sort();
        moves
    }

    fn score(&self, player: usize) -> i32 {
        if self.tricks[player] { self.points[player] } else { 0 }
    }

    /// What the other would win of a player who loses.
    fn price(&self, loser: usize) -> i32 {
        if !self.tricks[loser] {
            3
        } else if self.points[loser] < 33 {
            2
        } else {
            1
        }
    }

    /// Game points of A if the deal is over.
    fn over(&self) -> Option<i32> {
        let win = |winner: usize| {
            let points = match self.closed {
                None => self.price(1 - winner),
                Some((by, wins, _)) if by == winner => wins,
                Some((_, _, loses)) => loses,
            };
            if winner == 0 { points } else { -points }
        };
        for player in [0, 1] {
            if self.score(player) >= 66 {
                return Some(win(player));
            }
        }
        if self.led.is_some() || !self.hands[0].is_empty() || !self.hands[1].is_empty() {
            return None;
        }
        match self.closed {
            Some((by, ..)) => Some(win(1 - by)),
            None if self.nines => Some(0),
            None => Some(win(self.leader)),
        }
    }

    fn after(&self, typed: &str) -> Twin {
        let mut next = self.clone();
        let leader = self.leader;
        match typed {
            "close" => {
                let other = 1 - leader;
                next.closed = Some((leader, self.price(other), if self.tricks[other] { 2 } else { 3 }));
            }
            "exchange" => {
                let up = next.talon.pop().unwrap();
                next.talon.push(self.lowest());
                next.hands[leader].retain(|card| *card != self.lowest());
                next.hands[leader].push(up);
            }
            _ => next.play((typed.chars().next().unwrap(), typed.chars().nth(1).unwrap())),
        }
        next
    }

    fn play(&mut self, card: Letters) {
        let mover = self.mover();
        let held = self.hands[mover].len();
        self.hands[mover].retain(|own| *own != card);
        assert_eq!(self.hands[mover].len() + 1, held);
        let Some(led) = self.led else {
            let mate = match card.1 {
                'K' => Some((card.0, 'Q')),
                'Q' => Some((card.0, 'K')),
                _ => None,
            };
            if mate.is_some_and(|mate| self.hands[mover].contains(&mate)) && !(self.nines && self.follows()) {
                self.points[mover] += if card.0 == self.trump { 40 } else { 20 };
            }
            self.led = Some(card);
            return;
        };
        let answered = match card.0 == led.0 {
            true => strength(card) > strength(led),
            false => card.0 == self.trump,
        };
        let winner = if answered { mover } else { self.leader };
        self.led = None;
        self.leader = winner;
        self.tricks[winner] = true;
        self.points[winner] += RANKS[strength(card)].1 + RANKS[strength(led)].1;
        let last = self.hands[0].is_empty() && self.hands[1].is_empty();
        if last && self.nines && self.closed.is_none() {
            self.points[winner] += 10;
        }
        if self.over().is_none() && !self.follows() {
            for player in [winner, 1 - winner] {
                let drawn = self.talon.remove(0);
                self.hands[player].push(drawn);
            }
        }
    }

    /// Game points of A with the best play of both.
    fn value(&self) -> i32 {
        if let Some(points) = self.over() {
            return points;
        }
        let values = self.moves().into_iter().map(|typed| self.after(&typed).value());
        if self.mover() == 0 { values.max().unwrap() } else { values.min().unwrap() }
    }
}

fn settings(given: &[(&str, &str)]) -> Settings {
    Settings::new(Talon.params(), given.iter().copied()).unwrap()
}

/// A deal of a seed at the beginning of a trick.
fn dealt(cards: &str, trick: usize, seed: u64) -> Schnapsen {
    Talon.game(&settings(&[("cards", cards), ("trick", &trick.to_string())]), seed).unwrap()
}

/// Random deals are played side by side.
fn played_alike(deals: u64) {
    let mut ends = 0;
    for (cards, seed) in (0..deals).flat_map(|seed| [("20", seed), ("24", seed)]) {
        let game = dealt(cards, 1, seed);
        let mut s = game.start();
        let mut twin = Twin::read(&game.print(&s).unwrap(), cards == "24");
        let mut random = Random::new(seed);
        while let Turn::Player(mover) = game.turn(&s) {
            assert_eq!(twin.over(), None);
            assert_eq!(usize::from(mover), twin.mover());
            let mut actions = Vec::new();
            game.actions(&s, &mut actions);
            let mut typed: Vec<String> = actions.iter().map(|a| game.action(&s, *a).id).collect();
            typed.sort();
            assert_eq!(typed, twin.moves(), "{:?}", game.print(&s));
            let mut chosen = actions[random.below(actions.len() as u64) as usize];
            if game.action(&s, chosen).id == "close" && random.below(3) > 0 {
                chosen = actions[actions.len() - 1];
            }
            twin = twin.after(&game.action(&s, chosen).id);
            s = game.apply(&s, chosen);
            let again = Twin::read(&game.print(&s).unwrap(), cards == "24");
            assert_eq!((twin.points, twin.tricks), (again.points, again.tricks), "{:?}", game.print(&s));
        }
        assert_eq!(twin.over(), Some(game.utility(&s, 0)), "{:?}", game.print(&s));
        ends |= 1 << (game.utility(&s, 0) + 3);
    }
    assert_eq!(ends & !0b1000, 0b1110111, "all results come up");
}

/// Values of positions at the beginning of some tricks.
fn valued_alike(cards: &str, tricks: std::ops::RangeInclusive<usize>, deals: std::ops::Range<u64>) {
    let run = Run::default();
    for (trick, seed) in tricks.flat_map(|trick| deals.clone().map(move |seed| (trick, seed))) {
        let game = dealt(cards, trick, seed);
        let s = game.start();
        let value = Twin::read(&game.print(&s).unwrap(), cards == "24").value();
        let found = NullWindow::new(1 << 30, &run).value(&game, &s, &run).unwrap();
        assert_eq!(found, value, "{:?}", game.print(&s));
        assert_eq!(s.table().value(game.kind(), -3, 3), value, "{:?}", game.print(&s));
    }
}

#[test]
fn law_deals_are_played_as_by_the_twin() {
    played_alike(1000);
}

#[test]
fn law_the_second_phase_has_the_values_of_the_twin() {
    valued_alike("20", 6..=9, 0..500);
    valued_alike("24", 8..=11, 0..250);
}

#[test]
fn law_the_last_draws_have_the_values_of_the_twin() {
    valued_alike("20", 5..=5, 0..40);
    valued_alike("24", 7..=7, 0..20);
}

/// What is shown of a position.
fn shown(position: &str) -> serde_json::Value {
    find("schnapsen").unwrap().show(&settings(&[]), Some(position), &Run::default()).unwrap().json
}

/// The value of a move of a position.
fn worth(json: &serde_json::Value, typed: &str) -> f64 {
    json["moves"][typed].as_f64().unwrap_or_else(|| panic!("{typed}: {json}"))
}

/// Columns 39 and 148 of The Schnapsen Log (psellos.com): what closing the talon brings on average, by counting the six
/// cards that may lie face down.
#[test]
fn golden_closing_the_talon_at_the_last_draw() {
    let odds = shown("A:SA,HT,CQ,DA,DK_B:?_D:?,DJ_X:HJ,CA,CT,CK,DT,DQ_P:41,38");
    assert_eq!(worth(&odds, "close"), 0.5, "5/6 · 1 − 1/6 · 2");
    let stock = shown("A:CA,CT,DA,DK,DJ_B:?_D:?,SK_X:SJ,HK,HJ,CK,CJ,DQ_P:34,27");
    assert_eq!(worth(&stock, "close"), 0.0, "1/2 · 2 − 1/2 · 2");
}

#[test]
fn law_a_hidden_hand_is_worth_no_more_than_an_open_one() {
    let mut looked = 0;
    for seed in 0..8 {
        let game = Talon.game(&settings(&[("seen", "own")]), seed).unwrap();
        let root = game.print(&game.start()).unwrap();
        // Where B leads it sees everything, and its moves have a value in each deal alone.
        if root.contains("_L:B") {
            continue;
        }
        looked += 1;
        let json = shown(&root);
        let value = json["value"].as_f64().unwrap();
        let moves = json["moves"].as_object().unwrap();
        let best = moves.values().map(|v| v.as_f64().unwrap()).fold(f64::MIN, f64::max);
        assert_eq!(value, best, "{root}");
        // With everything seen, in each of the six deals.
        let mut hands = Vec::new();
        game.chance(&game.start(), &mut hands);
        assert_eq!(hands.len(), 6, "{root}");
        let open: i32 = hands
            .iter()
            .map(|hand| game.apply(&game.start(), hand.0).table().value(game.kind(), -3, 3))
            .sum();
        assert!(value <= f64::from(open) / 6.0 + 1e-12, "{root}: {value} and {open}/6");
    }
    assert!(looked > 1);
}

/// A deal with a hidden hand that begins with a trick.
fn concealed(trick: &str, seed: u64) -> Schnapsen {
    Talon.game(&settings(&[("seen", "own"), ("trick", trick)]), seed).unwrap()
}

/// Bounds of every act against the exact values.
fn enclosed(deals: std::ops::Range<u64>) {
    let run = Run::default();
    let mut chosen = 0;
    for seed in deals {
        let game = concealed("5", seed);
        let root = game.print(&game.start()).unwrap();
        let json = shown(&root);
        if root.contains("_L:B") {
            let exact = Talon.solve(&settings(&[("seen", "own")]), &Run { seed, ..run }).unwrap().json;
            let (bounds, _) = game.guarantee(&[], 0.01, &|_| false, &run).unwrap();
            let value = exact["value"].as_f64().unwrap();
            assert!(
                bounds.low <= value + 1e-12 && value <= bounds.high + 1e-12,
                "{root}: {value} {bounds:?}"
            );
            continue;
        }
        let s = game.parse(&format!("{root}/?")).unwrap();
        let mut acts = Vec::new();
        game.actions(&s, &mut acts);
        for act in acts {
            let exact = worth(&json, &game.action(&s, act).id);
            let (bounds, places) = game.guarantee(&[act], 0.01, &|_| false, &run).unwrap();
            assert!(
                bounds.low <= exact + 1e-12 && exact <= bounds.high + 1e-12,
                "{root} {act:?}: {exact} {bounds:?}"
            );
            assert!(bounds.width() <= 0.02, "{root} {act:?}: {bounds:?}");
            chosen += usize::from(places > 0);
        }
    }
    assert!(chosen > 0, "somebody has a choice that matters");
}

#[test]
fn law_bounds_enclose_the_exact_values_of_the_last_draw() {
    enclosed(20..30);
}

/// Where whoever sees everything leads, the bounds are all there is to say of a deal.
#[test]
fn law_bounds_are_told_in_words() {
    let led_by_b = |game: &Schnapsen| game.print(&game.start()).unwrap().contains("_L:B");
    let game = (0..).map(|seed| concealed("4", seed)).find(led_by_b).unwrap();
    let root = game.print(&game.start()).unwrap();
    let told = find("schnapsen").unwrap().show(&settings(&[]), Some(&root), &Run::default()).unwrap();
    let [low, high] = [0, 1].map(|end| told.json["interval"][end].as_f64().unwrap());
    assert!(low < high);
    assert!(format!("{:?}", told.blocks).contains(&format!("{low:.5} to {high:.5}")), "{:?}", told.blocks);
}

/// With three cards face down: an act is worth no more than in open deals, and bounds of one player are those of the other.
#[test]
fn law_bounds_of_three_cards_face_down_are_bounds() {
    let run = Run::default();
    let game = (0..)
        .map(|seed| concealed("4", seed))
        .find(|game| !game.print(&game.start()).unwrap().contains("_L:B"));
    let game = game.unwrap();
    let root = game.print(&game.start()).unwrap();
    let s = game.parse(&format!("{root}/?")).unwrap();
    let (mut acts, mut deals) = (Vec::new(), Vec::new());
    game.actions(&s, &mut acts);
    game.chance(&game.start(), &mut deals);
    assert_eq!(deals.len(), 336);
    for act in acts.into_iter().rev().take(1) {
        let (bounds, places) = game.guarantee(&[act], 0.2, &|_| false, &run).unwrap();
        assert!(bounds.low <= bounds.high && bounds.width() <= 0.2 && places > 0, "{bounds:?}");
        let open = |deal: &(_, u32)| {
            game.apply(&game.apply(&game.start(), deal.0), act).table().value(game.kind(), -3, 3)
        };
        let open = deals.iter().map(open).sum::<i32>();
        assert!(bounds.low <= f64::from(open) / 336.0, "{root} {act:?}: {bounds:?}");
    }
    // Refused by the field that asked for it.
    for (given, field) in [(&[("seen", "own"), ("trick", "4")][..], "trick"), (&[], "position")] {
        let refused = Talon.playable(&settings(given), &game, &game.start(), &run);
        assert!(matches!(refused, Err(yomikiri_core::Error::Refused(refusal)) if refusal.field == field));
    }
}

#[test]
fn law_what_is_no_position_is_refused() {
    let game = find("schnapsen").unwrap();
    for bad in [
        "A:SA,SA_B:HA,HK_T:S",
        "A:SA_B:HA,HK_T:S",
        "A:SA_B:HA",
        "A:SA_B:H9_T:S",
        "A:SA_B:HA_T:S_P:70,80",
        "A:SA_B:HA_T:S_P:11,0_N:0,0",
        "A:SA_B:HA_T:S_C:A4",
        "A:SA_B:HA_T:S_L:C",
        "A:SA_B:HA_T:S_E:SK,SQ",
        "A:SA_B:HA_T:S_A:SK",
        "A:SA_B:?_T:S_X:HA,HK",
        "A:?_B:?_T:S_X:HA,HK_C:A1",
        "A:SA,HT,CQ,DA,DK_B:?_D:?,DJ_X:HJ,CA,CT,CK,DT_P:41,38",
        "A:SA,HT,CQ,DA,DK_B:?_D:?,DJ_X:HJ,CA,CT,CK,DT,DQ_P:41,38/?.C0",
        "A:SA_B:HA_T:S/SA",
    ] {
        assert!(game.show(&settings(&[]), Some(bad), &Run::default()).is_err(), "{bad}");
    }
    // As people write them.
    let [first, second] = ["A:♠A,♥10_B:HA,DQ_T:S_P:40,40", "A:SA,HT B:♥a,dq T:S P:40,40"].map(shown);
    assert_eq!(first["position"], second["position"]);
}

mod full {
    #[test]
    fn law_the_last_draws_have_the_values_of_the_twin() {
        super::enclosed(10..60);
        super::valued_alike("20", 5..=6, 1000..2000);
        super::valued_alike("24", 6..=7, 1000..1020);
    }
}
