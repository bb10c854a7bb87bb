//! The laws every registered game must obey, and the registry itself.

use yomikiri_games::GAMES;
use yomikiri_games::contract::Contract;
use yomikiri_games::params::Settings;

#[test]
fn contract_every_game_obeys_its_laws() {
    for game in GAMES {
        let mut contract = Contract::default();
        game.contract(&mut contract);
        contract.refusals(*game);
        contract.headline(*game);
        contract.scenes(*game, [None, Some(game.about().example)]);
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
            "changes lead to legal positions",
            "headlines say something",
        ] {
            let checked = contract.checked.get(law).copied().unwrap_or(0);
            assert!(checked > 0, "{id}: \"{law}\" was never checked: {:?}", contract.checked);
        }
    }
}

#[test]
fn contract_games_are_declared_whole() {
    for game in GAMES {
        let about = game.about();
        for text in [&about.name, &about.summary, &about.notation, &about.eval] {
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
fn contract_ids_are_unique() {
    let mut ids: Vec<&str> = GAMES.iter().map(|g| g.about().id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), GAMES.len());
}
