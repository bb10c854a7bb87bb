//! The laws every registered game must obey, and the registry itself.

use yomikiri_core::{Error, Game, Run, Text};
use yomikiri_games::Entry;
use yomikiri_games::describe::Describe;
use yomikiri_games::erased::Erased;
use yomikiri_games::family::{Family, Visit};
use yomikiri_games::geister::analysis::Kind;
use yomikiri_games::geister::board::Board;
use yomikiri_games::geister::tables::Tables;
use yomikiri_games::params::Settings;
use yomikiri_games::saichugen::SAICHUGEN;
use yomikiri_games::saichugen::player::House;
use yomikiri_games::saichugen::rules::{LAST_ROUND, TURNS};
use yomikiri_games::saichugen::seats::{Lineup, Party};
use yomikiri_games::saichugen::view::{LastRound, View};
use yomikiri_games::saichugen::whole::Saichugen;
use yomikiri_shelf::{GAMES, registry};
use yomikiri_testkit::contract::Contract;

/// The laws of every position and every game, whoever's they are.
fn everywhere(game: &dyn Entry, mut contract: Contract) {
    contract.refusals(game);
    contract.headline(game);
    contract.scenes(game, [None, Some(game.about().example)]);
    let id = game.about().id;
    assert!(contract.failures.is_empty(), "{id}: {:#?}", contract.failures);
    for law in [
        "players to move have ordered actions",
        "notation round-trips",
        "refusals name the field",
        "positions have pictures",
        "pictures read back from JSON",
        "a scene without its values is the board",
        "what is listed is accepted",
        "all faces call the same moves best",
        "changes lead to legal positions",
        "headlines say something",
        "headlines lead to their board",
        "boards show what headlines claim",
    ] {
        let checked = contract.checked.get(law).copied().unwrap_or(0);
        assert!(checked > 0, "{id}: \"{law}\" was never checked: {:?}", contract.checked);
    }
}

/// Goes through the samples of one family of so many.
struct Laws {
    seen: usize,
    part: usize,
}

/// Tests the families are shared out to, so that none takes long.
const PARTS: usize = 4;

impl Visit for Laws {
    fn game<F: Family>(&mut self, family: &'static F) {
        self.seen += 1;
        if self.seen % PARTS != self.part {
            return;
        }
        let (entry, mut contract) = (Erased(family), Contract::default());
        for sample in family.samples() {
            contract.edits(&entry, sample.settings, sample.position);
            contract.agree(&entry, sample.settings, sample.position);
            contract.proves(&entry, sample.settings);
            contract.method(&entry, sample.settings);
            contract.plays(&entry, sample.settings, sample.position, 2);
            let settings = Settings::new(family.params(), sample.settings.iter().copied());
            let run = Run { seed: 1, ..Run::default() };
            let found = settings.map_err(Error::from);
            let game = found.and_then(|settings| match family.instead(&settings, sample.position)? {
                // Another family answers.
                Some(_) => Ok(None),
                None => family.position(&settings, sample.position, &run).map(Some),
            });
            match game {
                Ok(Some((game, _))) => {
                    contract.rules(&game);
                    contract.names(&game);
                }
                Ok(None) => {}
                Err(refusal) => contract.failures.push(refusal.to_string()),
            }
        }
        for sample in family.samples() {
            let settings = Settings::new(family.params(), sample.settings.iter().copied());
            // A family that needs a position has no rules of its own to be asked, and one may answer for another.
            if let Ok(settings) = settings
                && let Ok(None) = family.instead(&settings, None)
                && let Ok((game, start)) = family.position(&settings, None, &Run::default())
            {
                contract.asked(&entry, sample.settings, &game, &start);
            }
        }
        everywhere(&entry, contract);
    }
}

fn obeys(part: usize) {
    let mut laws = Laws { seen: 0, part };
    registry::visit(&mut laws);
    assert_eq!(laws.seen, GAMES.len());
}

#[test]
fn contract_every_family_obeys_the_laws() {
    obeys(0);
}

#[test]
fn contract_every_family_obeys_the_laws_second_part() {
    obeys(1);
}

#[test]
fn contract_every_family_obeys_the_laws_third_part() {
    obeys(2);
}

#[test]
fn contract_every_family_obeys_the_laws_fourth_part() {
    obeys(3);
}

#[test]
fn contract_geister_has_an_index_of_every_analysis() {
    let mut contract = Contract::default();
    for (width, height) in [(4, 4), (3, 3), (5, 4)] {
        for mirror in [false, true] {
            let tables = Tables::new(Board::new(width, height).unwrap(), mirror);
            for kind in Kind::ALL {
                let rules = tables.rules(kind, &kind.materials(), &Run::default()).unwrap();
                contract.rules(&rules);
                contract.retro(&rules);
                contract.keys(&rules);
            }
        }
    }
    assert!(contract.failures.is_empty(), "{:#?}", contract.failures);
}

#[test]
fn contract_saichugen_obeys_the_laws_in_every_turn() {
    let mut contract = Contract::default();
    let lineup = Lineup::parse("random,random,random").unwrap();
    for turn in LAST_ROUND..=TURNS {
        let table = Party::new(lineup, House::default()).until(turn, 1, u64::from(turn)).table;
        let game = LastRound::new(View::of(&table, usize::from(turn % 3))).unwrap();
        contract.rules(&game);
        contract.keys(&game);
        contract.names(&game);
        contract.scenes(&SAICHUGEN, [game.print(&game.start()).as_deref()]);
    }
    // What is played is another game than what is asked about.
    let whole = Saichugen::new(lineup, House::default(), 1, 1);
    contract.rules(&whole);
    contract.names(&whole);
    assert!(contract.failures.is_empty(), "{:#?}", contract.failures);
}

#[test]
fn contract_games_are_declared_whole() {
    for game in GAMES {
        let about = game.about();
        let rules: Vec<&Text> = about.rules.parts().map(|part| part.2).collect();
        assert_eq!(rules.len(), 4, "{} says goal, moves, end and values", about.id);
        for text in [&about.name, &about.summary, &about.notation, &about.eval].into_iter().chain(rules) {
            assert!(!text.en.is_empty() && !text.ja.is_empty(), "{}: {text:?}", about.id);
        }
        let settings = Settings::new(game.params(), []).expect("defaults are accepted");
        for param in game.params() {
            assert!(!param.help.en.is_empty() && !param.help.ja.is_empty(), "{}", param.name);
            assert!(!settings.given(param.name));
        }
    }
}

#[test]
fn contract_variants_have_names_and_can_be_played() {
    for game in GAMES {
        let (id, mut seen) = (game.about().id, std::collections::BTreeSet::new());
        for name in game.advanced() {
            assert!(game.params().iter().any(|param| param.name == *name), "{id} has no {name}");
        }
        for variant in game.variants() {
            assert!(
                !variant.name.en.is_empty() && !variant.name.ja.is_empty(),
                "{id}: {:?}",
                variant.settings
            );
            assert!(seen.insert(variant.settings), "{id}: {:?} has two names", variant.settings);
            let settings = Settings::new(game.params(), variant.settings.iter().copied())
                .unwrap_or_else(|refusal| panic!("{id}, {}: {refusal:?}", variant.name.en));
            let play = game.play(&settings, None, &Run::default());
            let play = play.unwrap_or_else(|error| panic!("{id}, {}: {error}", variant.name.en));
            assert!(play.turn().is_some(), "{id}: {} is over before it begins", variant.name.en);
        }
    }
}

#[test]
fn contract_ids_are_unique() {
    let mut ids: Vec<&str> = GAMES.iter().map(|g| g.about().id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), GAMES.len());
}
