//! The tests every registered game must pass. A game hands over its rules with small parameters and gets
//! each law checked that its capabilities promise; what goes wrong is collected, not panicked over.

mod edit;
mod play;

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use yomikiri_core::cache::Lru;
use yomikiri_core::random::Random;
use yomikiri_core::{Canonical, Error, Game, Indexed, Look, Retro, Run, Turn};
use yomikiri_games::describe::Describe;
use yomikiri_games::entry::Entry;
use yomikiri_games::params::{Domain, Settings};
use yomikiri_games::rules::AnyState;
use yomikiri_proof::{Proved, Shows};
use yomikiri_solve::induction::successor_not_lower;
use yomikiri_view::scene::Scene;

/// Names that the page and the server give to something else in an address.
pub const RESERVED: [&str; 12] = [
    "game", "seed", "seat", "moves", "redo", "position", "hints", "lang", "see", "viewer", "exact", "machine",
];
/// Random games walked through from outside, and how many moves of each.
const WALKS: u64 = 2;
const LONG_WALK: usize = 60;
/// Random games played for each law.
const PLAYOUTS: u64 = 200;
/// Moves after which a game that has not ended is taken to be endless.
const ENDLESS: usize = 100_000;
/// Positions of an index that are checked one by one.
const INDEXED: u64 = 20_000;

/// The different places the actions of a state lead to.
fn successors<G: Retro>(game: &G, s: &G::State) -> Vec<u64> {
    let mut actions = Vec::new();
    game.actions(s, &mut actions);
    let mut places: Vec<u64> = actions.into_iter().map(|a| game.place(&game.apply(s, a))).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Places whose moves are taken back and made again.
const RETRO: u64 = 3_000;

/// What was checked, and what failed.
pub struct Contract {
    /// Cases checked, by law.
    pub checked: BTreeMap<&'static str, u64>,
    /// What failed, in words.
    pub failures: Vec<String>,
    /// What was solved for one law is there for the next.
    cache: Arc<Lru>,
}

impl Default for Contract {
    fn default() -> Self {
        Contract { checked: BTreeMap::new(), failures: Vec::new(), cache: Arc::new(Lru::new(1 << 30)) }
    }
}

impl Contract {
    fn check(&mut self, law: &'static str, holds: bool, told: impl FnOnce() -> String) {
        *self.checked.entry(law).or_default() += 1;
        // The first few of a kind say it all.
        if !holds && self.failures.len() < 20 {
            self.failures.push(format!("{law}: {}", told()));
        }
    }

    /// Random games from the start: every state has a turn and ordered actions, and games end.
    pub fn rules<G: Game>(&mut self, game: &G) {
        self.playouts(game, |_, _| {});
    }

    /// Keys do not change under the game's symmetries.
    pub fn keys<G: Canonical>(&mut self, game: &G) {
        self.playouts(game, |contract, s| {
            let mut images = Vec::new();
            game.symmetric(s, &mut images);
            for image in images {
                contract.check(
                    "keys are invariant under symmetries",
                    game.key(&image) == game.key(s),
                    || format!("{s:?} and {image:?}"),
                );
            }
        });
    }

    /// Positions that are written read back as themselves, broken ones are refused with the field, and every action has a
    /// name of its own.
    pub fn names<G: Describe>(&mut self, game: &G) {
        let mut random = Random::new(2);
        self.playouts(game, |contract, s| {
            if let Some(text) = game.print(s) {
                let again = game.parse(&text).map(|back| game.print(&back));
                contract.check(
                    "notation round-trips",
                    again.as_ref().is_ok_and(|t| t.as_ref() == Some(&text)),
                    || format!("{s:?} printed {text} and came back as {again:?}"),
                );
                // Broken notation is refused or means something; it does not crash.
                let mut broken: Vec<char> = text.chars().collect();
                if !broken.is_empty() {
                    let at = random.below(broken.len() as u64) as usize;
                    broken[at] = char::from(32 + random.below(95) as u8);
                }
                if let Err(refusal) = game.parse(&broken.into_iter().collect::<String>()) {
                    contract
                        .check("refusals name the field", !refusal.field.is_empty(), || format!("{refusal}"));
                }
            }
            let mut actions = Vec::new();
            if let Turn::Player(_) = game.turn(s) {
                game.actions(s, &mut actions);
            }
            let mut ids: Vec<String> = actions.iter().map(|a| game.action(s, *a).id).collect();
            ids.sort_unstable();
            ids.dedup();
            contract.check("actions have names of their own", ids.len() == actions.len(), || {
                format!("{s:?}: {ids:?}")
            });
        });
    }

    /// Index and state are inverse, and successors are in lower tiers.
    pub fn index<G: Canonical + Indexed>(&mut self, game: &G) {
        let total: u64 = (0..game.tiers()).map(|t| game.len(t)).sum();
        let step = total.div_ceil(INDEXED).max(1);
        let mut before = 0;
        for tier in 0..game.tiers() {
            let len = game.len(tier);
            let mut at = (step - before % step) % step;
            while at < len {
                let state = game.state((tier, at));
                let back = state.as_ref().and_then(|s| game.index(s));
                self.check("index and state are inverse", back == Some((tier, at)), || {
                    format!("({tier}, {at}) is {state:?}, which is at {back:?}")
                });
                if let Some(s) = &state {
                    let wrong = successor_not_lower(game, s);
                    self.check("successors are in lower tiers", wrong.is_none(), || {
                        format!("{s:?} leads to {wrong:?}")
                    });
                }
                at += step;
            }
            self.check("an index ends where it says", game.state((tier, len)).is_none(), || {
                format!("tier {tier} has a state past its end")
            });
            before += len;
        }
        self.playouts(game, |contract, s| {
            if let Some(at) = game.index(s) {
                let back = game.state(at);
                contract.check(
                    "state and index are inverse",
                    back.as_ref().and_then(|b| game.key(b)) == game.key(s),
                    || format!("{s:?} is at {at:?}, where {back:?} is"),
                );
            }
        });
    }

    /// Places and positions are inverse, and moves taken back are moves.
    pub fn retro<G: Retro>(&mut self, game: &G) {
        let step = game.places().div_ceil(RETRO).max(1);
        for place in (0..game.places()).step_by(step as usize) {
            let Some(s) = game.at(place) else { continue };
            self.check("place and position are inverse", game.place(&s) == place, || {
                format!("{place} is {s:?}, which is at {}", game.place(&s))
            });
            let mut after = successors(game, &s);
            self.check("the degree counts successors", game.degree(&s) as usize == after.len(), || {
                format!("{s:?}: {} and {after:?}", game.degree(&s))
            });
            after.truncate(3);
            for place_after in after {
                let mut before = Vec::new();
                if let Some(t) = game.at(place_after) {
                    game.predecessors(place_after, &t, &mut before);
                    self.check("the players take turns", game.mover(&t) != game.mover(&s), || {
                        format!("{s:?} and {t:?}")
                    });
                }
                self.check(
                    "moves can be taken back",
                    before.iter().filter(|q| **q == place).count() == 1,
                    || format!("{s:?} leads to {place_after}, which comes from {before:?}"),
                );
            }
            let mut before = Vec::new();
            game.predecessors(place, &s, &mut before);
            before.truncate(3);
            for q in before {
                let back = game.at(q);
                self.check(
                    "what is taken back is a move",
                    back.as_ref().is_some_and(|q| successors(game, q).contains(&place)),
                    || format!("{s:?} does not come from {back:?}"),
                );
            }
        }
        for place in (0..game.places()).step_by(step as usize) {
            self.together(game, place..game.places().min(place + 3));
        }
        let end = game.places();
        self.check("an index ends where it says", game.at(end).is_none(), || {
            format!("there is a position at {end}")
        });
    }

    /// What is quicker for neighbours, or in one question, is the same as one by one.
    fn together<G: Retro>(&mut self, game: &G, near: std::ops::Range<u64>) {
        let (mut all, mut single, mut walk) = (Vec::new(), Vec::new(), game.walk());
        game.backward(near.clone().map(|place| (place, place)), |place, mover, before| {
            all.push((place, mover, before));
        });
        for place in near {
            let (s, walked) = (game.at(place), walk(place));
            let same = s.as_ref().map(|s| game.place(s)) == walked.as_ref().map(|s| game.place(s));
            self.check("a walk meets what is there", same, || format!("{walked:?} instead of {s:?}"));
            let Some(s) = s else { continue };
            let over = game.turn(&s) == Turn::Terminal;
            let seen = match game.look(&s) {
                Look::Over(won) => over && won == game.utility(&s, 0),
                Look::Open(0) => !over || game.utility(&s, 0) == 0,
                Look::Open(moves) => !over && moves == game.degree(&s),
            };
            self.check("a state shows what it is", seen, || format!("{s:?}: {:?}", game.look(&s)));
            let mut before = Vec::new();
            game.predecessors(place, &s, &mut before);
            single.extend(before.into_iter().map(|before| (place, game.mover(&s), before)));
        }
        all.sort_unstable();
        single.sort_unstable();
        self.check("moves are taken back together as one by one", all == single, || {
            format!("{all:?} instead of {single:?}")
        });
    }

    /// What is not accepted is refused by the field's name, on every face.
    pub fn refusals(&mut self, entry: &dyn Entry) {
        for param in entry.params() {
            self.check("parameters have names of their own", !RESERVED.contains(&param.name), || {
                format!("{} means something else in an address", param.name)
            });
            let bad: Vec<String> = match param.domain {
                Domain::Int { min, max } => {
                    vec![
                        (min - 1).to_string(),
                        (max + 1).to_string(),
                        "1000000000".into(),
                        "many".into(),
                        String::new(),
                    ]
                }
                Domain::Choice(_) => vec!["no-such-word".into(), String::new()],
                Domain::Text { .. } => vec!["no such text".into(), "\u{0}".into(), "9".repeat(5000)],
            };
            for value in bad {
                let refused = Settings::new(entry.params(), [(param.name, value.as_str())]);
                self.check(
                    "refusals name the field",
                    refused.as_ref().is_err_and(|r| r.field == param.name),
                    || format!("{} = {value:?}: {refused:?}", param.name),
                );
            }
        }
        let unknown = Settings::new(entry.params(), [("no-such-parameter", "1")]);
        self.check("refusals name the field", unknown.is_err_and(|r| r.field == "no-such-parameter"), || {
            "an unknown parameter was accepted".into()
        });
        let Ok(settings) = Settings::new(entry.params(), []) else {
            self.check("defaults are accepted", false, || "they are not".into());
            return;
        };
        let run = Run::default();
        for position in ["", "?", "no such position", "\u{0}", "読み切り", &"9".repeat(5000)] {
            let shown = entry.show(&settings, Some(position), &run);
            self.check(
                "refusals name the field",
                matches!(&shown, Err(Error::Refused(r)) if !r.field.is_empty()),
                || format!("show {position:?} was not refused"),
            );
        }
        let evaluator = entry.evaluator(false);
        let question: Map<String, Value> = serde_json::from_str(entry.about().question).unwrap_or_default();
        let answer = evaluator
            .prepare(std::slice::from_ref(&question), &run)
            .and_then(|()| evaluator.answer(&question, &run));
        self.check("the question of the help text is answered", answer.is_ok(), || format!("{answer:?}"));
        let odd =
            [json!({}), json!({"no-such-field": 1}), json!({"counts": "many"}), json!({"counts": [[]]})];
        for request in odd {
            let request: Map<String, Value> = request.as_object().cloned().unwrap_or_default();
            let prepared = evaluator.prepare(std::slice::from_ref(&request), &run);
            let answer = evaluator.answer(&request, &run);
            let named = matches!(&answer, Err(Error::Refused(r)) if !r.field.is_empty());
            self.check("refusals name the field", prepared.is_ok() && named, || {
                format!("eval {request:?}: {answer:?}")
            });
        }
    }

    /// The pictures of some positions, as everybody sees them: each obeys the laws of scenes, reads back from JSON,
    /// and has no face for a card that lies face down. Without a position it is the start.
    pub fn scenes<'a>(&mut self, entry: &dyn Entry, positions: impl IntoIterator<Item = Option<&'a str>>) {
        let Ok(settings) = Settings::new(entry.params(), []) else { return };
        let cache = self.cache.clone();
        let run = Run { cache: &*cache, ..Run::default() };
        for position in positions {
            for viewer in std::iter::once(None).chain((0..entry.about().players).map(Some)) {
                let scene = match entry.scene(&settings, position, viewer, &run) {
                    Ok(scene) => scene,
                    Err(e) => {
                        self.check("positions have pictures", false, || format!("{position:?}: {e}"));
                        continue;
                    }
                };
                let faults = scene.faults();
                self.check("positions have pictures", faults.is_empty(), || {
                    format!("{position:?} for {viewer:?}: {faults:?}")
                });
                let json = serde_json::to_value(&scene).unwrap_or_default();
                let back = serde_json::from_value::<Scene>(json.clone());
                self.check("pictures read back from JSON", back.is_ok_and(|back| back == scene), || {
                    format!("{position:?}: {json}")
                });
                self.face_down(&json, || format!("{position:?} for {viewer:?}"));
            }
        }
    }

    /// What `show`, the page and `eval` say of a position comes from one analysis: the same value and the same best
    /// moves, in the same order.
    pub fn agree(&mut self, entry: &dyn Entry, given: &[(&str, &str)], position: Option<&str>) {
        const LAW: &str = "all faces call the same moves best";
        let Ok(settings) = Settings::new(entry.params(), given.iter().copied()) else { return };
        let cache = self.cache.clone();
        let run = Run { cache: &*cache, ..Run::default() };
        let told = format!("{} {given:?} {position:?}", entry.about().id);
        let (Ok(shown), Ok(scene)) =
            (entry.show(&settings, position, &run), entry.scene(&settings, position, None, &run))
        else {
            self.check(LAW, false, || format!("{told} is not shown"));
            return;
        };
        let programs = entry.told(&settings, position, &run);
        self.check(
            "programs are told what show says",
            programs.as_ref().is_ok_and(|json| *json == shown.json),
            || format!("{told}: {} by show and {programs:?}", shown.json),
        );
        let on_page: Vec<&str> =
            scene.moves.iter().filter(|m| m.rank == Some(1)).map(|m| m.id.as_str()).collect();
        let strings = |value: &Value| -> Vec<String> {
            value.as_array().into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
        };
        self.check(LAW, strings(&shown.json["best"]) == on_page, || {
            format!("{told}: {} by show and {on_page:?} on the page", shown.json["best"])
        });
        let mut request = Map::new();
        request.insert("position".into(), scene.notation.clone().into());
        request.extend(given.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())));
        let evaluator = entry.evaluator(false);
        let answer = evaluator
            .prepare(std::slice::from_ref(&request), &run)
            .and_then(|()| evaluator.answer(&request, &run));
        // Both from their text: a number that is read may differ in its last bit from the one that was written.
        let read = |text: String| serde_json::from_str::<Value>(&text).unwrap_or_default();
        let (answer, shown) = (answer.map(read).unwrap_or_default(), read(shown.json.to_string()));
        self.check(LAW, strings(&answer["best"]) == on_page && answer["value"] == shown["value"], || {
            format!("{told}: {answer} by eval, {shown} by show")
        });
    }

    /// A method that is none is refused, by games that have a choice and by those that have not.
    pub fn method(&mut self, entry: &dyn Entry, given: &[(&str, &str)]) {
        let Ok(settings) = Settings::new(entry.params(), given.iter().copied()) else { return };
        let solved = entry.solve(&settings, &Run { method: Some("guess"), ..Run::default() });
        let refused = matches!(&solved, Err(Error::Refused(refusal)) if refusal.field == "method");
        self.check("a method that is none is refused", refused, || format!("{} {given:?}", entry.about().id));
    }

    /// The rules that are asked from outside are those of the game: the same turns, choices, states and results.
    pub fn asked<G: Describe>(
        &mut self,
        entry: &dyn Entry,
        given: &[(&str, &str)],
        game: &G,
        start: &G::State,
    ) where
        G::State: 'static,
    {
        const LAW: &str = "rules can be asked from outside";
        let told = format!("{} {given:?}", entry.about().id);
        let settings = Settings::new(entry.params(), given.iter().copied()).map_err(Error::from);
        let rules = match settings.and_then(|settings| entry.rules(&settings, &Run::default())) {
            Ok(rules) => rules,
            Err(error) => {
                self.check(LAW, false, || format!("{told}: {error:?}"));
                return;
            }
        };
        let strange: AnyState = Arc::new("no state of any game");
        let silent = rules.turn(&strange).is_none() && rules.choices(&strange).is_none();
        self.check("states of other games are not taken for one's own", silent, || told.clone());
        let mut random = Random::new(11);
        for _ in 0..WALKS {
            let (mut s, mut at) = (start.clone(), rules.start());
            for _ in 0..LONG_WALK {
                let same = rules.key(&at) == Some(format!("{s:?}")) && rules.turn(&at) == Some(game.turn(&s));
                self.check(LAW, same, || format!("{told}: {s:?}"));
                let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
                match game.turn(&s) {
                    Turn::Terminal => {
                        let paid = (0..G::PLAYERS).map(|p| game.utility(&s, p as u8)).collect();
                        self.check(LAW, rules.utility(&at) == Some(paid), || format!("{told}: {s:?}"));
                        break;
                    }
                    Turn::Chance => game.chance(&s, &mut outcomes),
                    Turn::Player(p) => {
                        game.actions(&s, &mut actions);
                        let known = rules.info(&at, p).is_some() == rules.hidden();
                        self.check("what a player knows can be asked", known, || format!("{told}: {s:?}"));
                    }
                }
                outcomes.extend(actions.into_iter().map(|a| (a, 1)));
                let choices = rules.choices(&at).unwrap_or_default();
                let ids: std::collections::BTreeSet<&str> = choices.iter().map(|c| c.id.as_str()).collect();
                let weights: Vec<u32> = choices.iter().map(|c| c.weight).collect();
                let whole = weights == outcomes.iter().map(|o| o.1).collect::<Vec<_>>();
                self.check(LAW, whole && ids.len() == outcomes.len(), || {
                    format!("{told}: {s:?}: {choices:?}")
                });
                let chosen = random.below(outcomes.len() as u64) as usize;
                let Some(next) = rules.apply(&at, chosen) else {
                    self.check(LAW, false, || format!("{told}: {s:?}: nothing after choice {chosen}"));
                    break;
                };
                (s, at) = (game.apply(&s, outcomes[chosen].0), next);
            }
        }
    }

    /// What a game is worth is proved by what `certify` writes, and a proof with a line less or another number in it is
    /// refused.
    pub fn proves(&mut self, entry: &dyn Entry, given: &[(&str, &str)]) {
        const LAW: &str = "values are proved from the rules";
        let Ok(settings) = Settings::new(entry.params(), given.iter().copied()) else { return };
        if !entry.provable() {
            return;
        }
        let cache = self.cache.clone();
        let run = Run { cache: &*cache, ..Run::default() };
        let told = format!("{} {given:?}", entry.about().id);
        let proof = match entry.proof(&settings, &run) {
            Ok(proof) => proof,
            Err(error) => {
                self.check(LAW, false, || format!("{told}: {error:?}"));
                return;
            }
        };
        let lines: Vec<Vec<u8>> = proof.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        let header: Value =
            lines.first().and_then(|line| serde_json::from_slice(line).ok()).unwrap_or_default();
        let kind = header["proof"].as_str().unwrap_or_default();
        let body: Vec<Vec<u8>> = lines.iter().skip(1).filter(|line| !line.is_empty()).cloned().collect();
        let proved = entry.check(&settings, kind, &mut body.iter(), &run);
        // A game that has no one value says what its players get by some strategies, and could gain by leaving them.
        let said = entry.solve(&settings, &run).map(|outcome| outcome.json).unwrap_or_default();
        let fits = |p: &Proved| match p.shows {
            Shows::Value => p.exact(),
            Shows::Profile => p.bounds.iter().enumerate().all(|(at, (gets, most))| {
                said["payoffs"][at] == gets.to_string() && said["gains"][at] == (most - gets).to_string()
            }),
        };
        self.check(LAW, proved.as_ref().is_ok_and(fits), || format!("{told}: {proved:?}; {said}"));
        let shorter = entry.check(&settings, kind, &mut body[..body.len() - 1].iter(), &run);
        self.check(LAW, shorter.is_err(), || format!("{told}: accepted without its last line"));
        let mut other = body.clone();
        other[0] = b"[12345678]".to_vec();
        let other = entry.check(&settings, kind, &mut other.iter(), &run);
        self.check(LAW, kind != "values" || other.is_err(), || {
            format!("{told}: accepted with another value")
        });
    }

    /// No face on what lies face down, in the JSON of a scene.
    fn face_down(&mut self, json: &Value, told: impl Fn() -> String) {
        let items = json["zones"].as_array().into_iter().flatten();
        let items = items.flat_map(|zone| zone["items"].as_array().into_iter().flatten());
        for item in items.filter(|item| item["show"] == "down") {
            self.check("what lies face down has no face", item.get("face").is_none(), || {
                format!("{}: {item}", told())
            });
        }
    }

    /// The pictures of positions met in random games, so many of them.
    pub fn scenes_of<G: Describe>(&mut self, entry: &dyn Entry, game: &G, most: u64) {
        for playout in 0..most {
            let mut random = Random::stream(3, playout);
            let mut s = game.start();
            let mut last = None;
            for _ in 0..=random.below(24) {
                last = game.print(&s).or(last);
                let mut actions = Vec::new();
                match game.turn(&s) {
                    Turn::Terminal => break,
                    Turn::Player(_) => game.actions(&s, &mut actions),
                    Turn::Chance => {
                        let mut outcomes = Vec::new();
                        game.chance(&s, &mut outcomes);
                        actions.extend(random.draw(&outcomes));
                    }
                }
                let Some(&a) = actions.get(random.below(actions.len().max(1) as u64) as usize) else { break };
                s = game.apply(&s, a);
            }
            self.scenes(entry, [last.as_deref()]);
        }
    }

    /// Plays random games and looks at every state.
    fn playouts<G: Game>(&mut self, game: &G, mut look: impl FnMut(&mut Contract, &G::State)) {
        for playout in 0..PLAYOUTS {
            let mut random = Random::stream(1, playout);
            let mut s = game.start();
            let mut moves = 0;
            loop {
                look(self, &s);
                let next = match game.turn(&s) {
                    Turn::Terminal => {
                        let sum: i32 = (0..G::PLAYERS as u8).map(|p| game.utility(&s, p)).sum();
                        self.check("utilities add up to 0", G::PLAYERS != 2 || sum == 0, || {
                            format!("{s:?}: {sum}")
                        });
                        break;
                    }
                    Turn::Player(p) => {
                        let mut actions = Vec::new();
                        game.actions(&s, &mut actions);
                        self.check(
                            "players to move have ordered actions",
                            !actions.is_empty() && actions.is_sorted_by(|a, b| a < b),
                            || format!("{s:?}: {actions:?}"),
                        );
                        self.check("players to move exist", usize::from(p) < G::PLAYERS, || format!("{s:?}"));
                        if actions.is_empty() {
                            break;
                        }
                        actions[random.below(actions.len() as u64) as usize]
                    }
                    Turn::Chance => {
                        let mut outcomes = Vec::new();
                        game.chance(&s, &mut outcomes);
                        self.check(
                            "chance has positive weights",
                            !outcomes.is_empty() && outcomes.iter().all(|o| o.1 > 0),
                            || format!("{s:?}: {outcomes:?}"),
                        );
                        match random.draw(&outcomes) {
                            Some(a) => a,
                            None => break,
                        }
                    }
                };
                let after = game.apply(&s, next);
                self.check("an action changes the state", after != s, || format!("{s:?}: {next:?}"));
                s = after;
                moves += 1;
                if moves > ENDLESS {
                    self.check("games end", false, || format!("{s:?}"));
                    break;
                }
            }
        }
    }
}
