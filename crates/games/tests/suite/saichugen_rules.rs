//! Saichugen's rules, players and notation.

use yomikiri_core::random::Random;
use yomikiri_core::text;
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::notation::{print, read};
use yomikiri_games::saichugen::player::{House, Model, Ties, choose};
use yomikiri_games::saichugen::rules::{
    Card, Cards, LAST_ROUND, Table, explain_game, explain_round, explain_turn, kept, middle, payoffs, sum,
    turn_winner, winners,
};
use yomikiri_games::saichugen::seats::{Lineup, Party, deal, drawn, ranks};
use yomikiri_games::saichugen::view::View;

fn card(name: &str) -> Card {
    Card::parse(name).unwrap()
}

#[test]
fn law_cards_are_ordered_by_rank_then_spades_hearts_diamonds_clubs() {
    let order = ["CA", "DA", "HA", "SA", "C2", "SQ", "CK", "DK", "HK", "SK"];
    assert!(order.map(card).is_sorted_by(|a, b| a < b));
    for place in 0..52 {
        let card = Card::new(place).unwrap();
        assert_eq!(Card::parse(&card.to_string()), Ok(card));
    }
    assert_eq!(["SA", "HT", "DJ", "CK"].map(|c| card(c).points()), [1, 10, 11, 13]);
    assert_eq!([card("h10"), card("H0")].map(|c| c.to_string()), ["HT", "HT"]);
    assert!(Card::new(52).is_none() && Card::parse("S1").is_err());
    assert_eq!(Cards::ALL.iter().count(), 52);
}

#[test]
fn law_the_card_in_the_middle_wins_the_turn() {
    let cards = ["D5", "H5", "CK"].map(card);
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let played = order.map(|i| cards[i]);
        assert_eq!(played[turn_winner(played)], card("H5"), "{played:?}");
    }
}

#[test]
fn law_everybody_with_the_middle_total_wins() {
    for (totals, keeps) in [
        ([5, 5, 9], [5, 5, 0]),
        ([5, 9, 9], [0, 9, 9]),
        ([0, 0, 7], [0, 0, 0]),
        ([4, 4, 4], [4, 4, 4]),
        ([9, 3, 6], [0, 0, 6]),
    ] {
        assert_eq!(kept(totals), keeps, "{totals:?}");
    }
    assert_eq!(winners([0, 0, 7]), [true, true, false]);
    assert_eq!(payoffs([5, 5, 9]), [1, 1, -2]);
    assert_eq!(payoffs([9, 3, 6]), [-1, -1, 2]);
    assert_eq!(payoffs([7, 7, 7]), [0, 0, 0]);
    for totals in (0..1000u16).map(|n| [n / 100, n / 10 % 10, n % 10].map(|x| x as u8)) {
        let mut sorted = totals;
        sorted.sort_unstable();
        assert_eq!(middle(totals), sorted[1]);
        assert_eq!(payoffs(totals).iter().sum::<i8>(), 0, "{totals:?}");
    }
}

#[test]
fn law_explanations_name_the_winner() {
    let names = [&text("you", "あなた"), &text("left", "左"), &text("right", "右")];
    let turn = explain_turn(names, ["D5", "HT", "C7"].map(card));
    assert_eq!(turn.en, "♦5 < ♣7 < ♥10: ♣7 is in the middle, right wins 7");
    assert!(explain_round(names, [5, 9, 9]).en.contains("left, right win the round and keep 9"));
    assert!(explain_game(names, [5, 9, 7]).en.contains("right alone wins +2"));
    assert!(explain_game(names, [5, 9, 5]).ja.contains("あなた, 右の2人"));
}

#[test]
fn law_a_game_has_five_rounds_and_leaves_two_cards() {
    let deck: [Card; 52] = std::array::from_fn(|i| Card::new((i * 5 % 52) as u8).unwrap());
    let mut table = Table::deal(&deck);
    while !table.over() {
        let (turn, unknown) = (table.turn, table.unknown(0).len());
        assert_eq!(unknown, 35 - 2 * (usize::from(turn) - 1));
        table.play(table.hands.map(|hand| hand.nth(0).unwrap()));
        assert_eq!(table.round == [0; 3], turn % 3 == 0);
    }
    assert_eq!(table.history.len(), 15);
    assert_eq!(table.hands.map(Cards::len), [2; 3]);
    // Replayed by hand from the history.
    let mut scores = [0; 3];
    for round in table.history.chunks(3) {
        let mut totals = [0; 3];
        for turn in round {
            let mut sorted = *turn;
            sorted.sort_unstable();
            let winner = turn.iter().position(|c| *c == sorted[1]).unwrap();
            totals[winner] += sorted[1].points();
        }
        scores = sum(scores, kept(totals));
    }
    assert_eq!(scores, table.scores);
}

#[test]
fn law_lineups_are_three_known_players() {
    assert_eq!(Lineup::parse("search, random,search").unwrap().name(), "search,random,search");
    for bad in ["", "search", "search,search", "search,search,search,search", "search,search,human", ",,"] {
        let refusal = Lineup::parse(bad).map(|l| l.name()).unwrap_err();
        assert_eq!(refusal.field, "seats");
        assert!(refusal.accepts.en.contains("random, search"), "{refusal}");
    }
}

#[test]
fn law_equals_share_the_better_rank() {
    assert_eq!(ranks([9, 3, 5]), [1, 3, 2]);
    assert_eq!(ranks([5, 3, 5]), [1, 3, 1]);
    assert_eq!(ranks([5, 9, 5]), [2, 1, 2]);
    assert_eq!(ranks([5, 5, 5]), [1, 1, 1]);
}

#[test]
fn law_the_same_index_is_the_same_place_in_every_hand() {
    let (table, mut random) = deal(3, 5);
    for _ in 0..20 {
        let cards = drawn(Model::SameIndex, &table, &mut random);
        let places = [0, 1, 2].map(|seat: usize| table.hands[seat].below(cards[seat]));
        assert!(places[0] == places[1] && places[1] == places[2]);
    }
}

#[test]
fn law_rounds_one_to_four_do_not_depend_on_who_sits_there() {
    let lineups = ["search,search,search", "random,search,random", "random,random,random"];
    for game in 0..20 {
        let tables = lineups.map(|lineup| {
            Party::new(Lineup::parse(lineup).unwrap(), House::default()).until(LAST_ROUND, 1, game).table
        });
        assert!(tables[0] == tables[1] && tables[1] == tables[2]);
        assert_eq!(tables[0].turn, LAST_ROUND);
    }
}

#[test]
fn law_ties_are_broken_as_told() {
    let mut kernel = Kernel::new();
    let mut random = Random::new(1);
    let (mut tied, mut both) = (0, [false; 2]);
    for game in 0..200 {
        let lineup = Lineup::parse("search,search,search").unwrap();
        let table = Party::new(lineup, House::default()).until(15, 1, game).table;
        let best: Cards = kernel.values(&View::of(&table, 0)).best_cards().collect();
        let lowest = best.nth(0);
        assert_eq!(choose(best, Ties::Lowest, &mut random), lowest);
        assert_eq!(choose(best, Ties::Highest, &mut random), best.iter().last());
        let any = choose(best, Ties::Random, &mut random);
        assert!(any.is_some_and(|any| best.has(any)));
        if best.len() > 1 {
            tied += 1;
            both[usize::from(any == lowest)] = true;
        }
    }
    assert!(tied > 20 && both == [true; 2], "{tied}");
}

#[test]
fn law_views_that_are_none_are_refused_by_field() {
    let good = "D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5";
    assert_eq!(print(&read(good).unwrap()), format!("{good}/0,0,0"));
    for (bad, field) in [
        ("", "position"),
        ("D3", "position"),
        ("D3_C5/CA/0,0,0", "hand"),
        ("D3_D3_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5", "hand"),
        ("D3_X5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5", "hand"),
        ("D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ/8,11,5", "unknown"),
        ("D3_C5_S5_HT_CK/D3_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5", "unknown"),
        ("D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11", "scores"),
        ("D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,-5", "scores"),
        ("D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,51,0", "scores"),
        ("D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5/1,0,0", "round"),
        ("D3_C5_S5_HT/CA_H2_S2_C4_S6_D7_H8_S9_DT/8,11,5/1,2,0", "round"),
        ("D3_C5_S5_HT/CA_H2_S2_C4_S6_D7_H8_S9_DT/8,11,5", "round"),
        // All four tens are still to be played.
        ("ST_HT_C5/DT_CT_S2_C4_S6_D7_H8/8,11,5/10,3,0", "round"),
    ] {
        assert_eq!(read(bad).unwrap_err().field, field, "{bad}");
    }
}
