//! A game at the table. A list of moves tells the whole game, so that nothing is kept for anybody; running games are
//! remembered all the same, so that the next move does not play them again from the start.

use crate::answer::{Content, SVG};
use crate::fault::text_json;
use crate::job::Title;
use crate::request::{Fields, LARGEST};
use crate::{Api, Fault, Reply, Request};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::play::{MACHINE, Made, Play};
use yomikiri_games::strength::{PERFECT, Strength};
use yomikiri_view::scene::Scene;
use yomikiri_view::svg::scene::{Look, svg};

/// Moves of a game; no game comes near.
const LONGEST: usize = 4000;
/// How many moves back a remembered game is looked for.
const BACK: usize = 16;

/// How wide a picture is: board and values stand side by side.
const WIDE: f64 = 1000.0;

/// What was asked.
struct Wish {
    game: &'static dyn Entry,
    settings: Settings,
    position: Option<String>,
    seed: u64,
    /// Where the person sits, if that is said.
    seat: Option<Option<u8>>,
    moves: Vec<String>,
    hints: &'static str,
    /// How well the machine plays from here on.
    strength: String,
    machine: bool,
}

/// A move that was made.
#[derive(Clone)]
struct Said {
    seat: u8,
    text: Text,
    made: Made,
}

/// A running game.
pub struct Running {
    play: Box<dyn Play>,
    /// Where the person sits.
    seat: Option<u8>,
    moves: Vec<String>,
    said: Vec<Said>,
}

/// What a body asks for, and what that is called.
fn wish(api: &Api, ask: &Request) -> Result<(Wish, Title), Fault> {
    let game = api.game(ask.part("game"))?;
    let mut fields = Fields::new(&ask.body)?;
    let wish = Wish {
        game,
        settings: fields.settings("settings", game.about().id, game.params())?,
        position: fields.text("position")?,
        seed: fields.number("seed", LARGEST)?.unwrap_or(api.config.seed),
        seat: match fields.said("seat") {
            false => None,
            true => Some(
                fields
                    .number("seat", u64::from(game.about().players).saturating_sub(1))?
                    .map(|seat| seat as u8),
            ),
        },
        moves: fields.texts("moves", LONGEST)?.unwrap_or_default(),
        hints: fields.word("hints", &["none", "best", "all"])?,
        strength: fields.text("strength")?.unwrap_or_else(|| PERFECT.into()),
        machine: fields.flag("machine")?,
    };
    fields.end()?;
    let mut command = format!("yomikiri play {}", game.about().id);
    if let Some(position) = &wish.position {
        command.push_str(&format!(" --position {}", crate::word(position)));
    }
    if let Some(Some(seat)) = wish.seat {
        command.push_str(&format!(" --seat {}", seat + 1));
    }
    command.push_str(&crate::flags(game.params(), &wish.settings));
    command.push_str(&format!(" --seed {}", wish.seed));
    let title = Title { seed: wish.seed, ..api.request(game, command) };
    Ok((wish, title))
}

/// `POST /api/play/{game}`
pub fn play(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let (wish, title) = wish(api, &ask)?;
    api.compute(title, ask, move |api, _, run| {
        let run = Run { seed: wish.seed, ..*run };
        Ok(Content::json(&wish.answer(api, &run, Wish::table)?))
    })
}

/// `POST /api/picture/{game}`
pub fn picture(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&["lang"])?;
    let lang = ask.lang()?;
    let (wish, title) = wish(api, &ask)?;
    api.compute(title, ask, move |api, _, run| {
        let run = Run { seed: wish.seed, ..*run };
        let scene = wish.answer(api, &run, Wish::scene)?;
        let look = Look { lang, width: WIDE, sheet: wish.hints != "none", alone: true };
        Ok(Content::text(SVG, svg(&scene, &look)))
    })
}

impl Wish {
    fn fault(&self, error: impl Into<Error>) -> Fault {
        Fault::of(self.game.about().id, error.into())
    }

    /// What a running game is remembered by. What was sent is quoted, so that no two games share a key.
    fn key(&self, moves: &[String]) -> String {
        let mut key = format!("{} {} {:?}", self.game.about().id, self.seed, self.seat);
        for (name, value) in self.settings.pairs() {
            key.push_str(&format!("\n{name}={value:?}"));
        }
        key.push_str(&format!("\n{:?}", self.position));
        for m in moves {
            key.push_str(&format!("\n{m:?}"));
        }
        key
    }

    /// The game up to some of the moves: remembered, or new.
    fn begin(&self, api: &Api, run: &Run<'_>) -> Result<Running, Fault> {
        for back in 0..=self.moves.len().min(BACK) {
            let moves = &self.moves[..self.moves.len() - back];
            if !moves.is_empty()
                && let Some(running) = api.running().take(&self.key(moves))
            {
                return Ok(running);
            }
        }
        let play = self.game.play(&self.settings, self.position.as_deref(), run);
        let mut play = play.map_err(|e| self.fault(e))?;
        let seats = play.seats();
        // Nobody has chosen: the first there is.
        let seat = self.seat.unwrap_or_else(|| seats.first().copied().flatten());
        if !seats.contains(&seat) {
            let name = |seat: Option<u8>| seat.map_or("null".to_owned(), |s| s.to_string());
            let accepts = seats.iter().map(|seat| name(*seat)).collect::<Vec<_>>().join(", ");
            return Err(self.fault(Refusal::new("seat", name(seat), Text::same(accepts))));
        }
        if let Some(seat) = seat {
            play.sit(seat);
        }
        Ok(Running { play, seat, moves: Vec::new(), said: Vec::new() })
    }

    /// Plays the moves, and the machine's if it is to play; `told` is asked about the game as it stands then.
    fn answer<T>(
        &self,
        api: &Api,
        run: &Run<'_>,
        told: fn(&Wish, &Running, &Run<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut running = self.begin(api, run)?;
        for typed in &self.moves[running.moves.len()..] {
            run.check().map_err(|e| self.fault(e))?;
            if let Err(fault) = self.make(&mut running, typed, run) {
                // A move that is refused changes nothing: another will be tried.
                if fault.status == 400 {
                    self.put_aside(api, running);
                }
                return Err(fault);
            }
        }
        if self.machine && running.seat.is_some() {
            while running.play.turn().is_some_and(|turn| Some(turn) != running.seat) {
                run.check().map_err(|e| self.fault(e))?;
                if running.moves.len() >= LONGEST {
                    break;
                }
                let strength = if self.strength == PERFECT { "" } else { &self.strength };
                self.make(&mut running, &format!("{MACHINE}{strength}"), run)?;
            }
        }
        let answer = told(self, &running, run);
        // Also if the values could not be had: the next question may not need them.
        self.put_aside(api, running);
        answer
    }

    /// Remembers a running game until the next question. What it has solved stays in the cache, as long as there is room.
    fn put_aside(&self, api: &Api, mut running: Running) {
        running.play.rest();
        let key = self.key(&running.moves);
        let said =
            running.said.iter().map(|said| said.text.en.len() + said.text.ja.len() + 200).sum::<usize>();
        let bytes = running.play.bytes() + said + 2 * key.len();
        api.running().put(key, bytes, running);
    }

    fn make(&self, running: &mut Running, typed: &str, run: &Run<'_>) -> Result<(), Fault> {
        let Running { play, seat: own, moves, said } = running;
        let at = moves.len();
        let refuse = |accepts: Text| {
            let got =
                Text::of(format!("\"{typed}\" as move {}", at + 1), format!("{}手目の \"{typed}\"", at + 1));
            self.fault(Refusal::of("moves", got, accepts))
        };
        let Some(seat) = play.turn() else {
            return Err(refuse(text("nothing, the game is over", "なし（終局しています）")));
        };
        let text = if let Some(strength) = typed.strip_prefix(MACHINE) {
            play.answer(if strength.is_empty() { PERFECT } else { strength }, run)
                .map_err(|e| self.fault(e))?
        } else if own.is_some_and(|own| own != seat) {
            return Err(refuse(text("*: the machine is to move", "*（機械の手番です）")));
        } else {
            play.input(typed).map_err(|refusal| refuse(refusal.accepts))?
        };
        let made = play.made(*own).unwrap_or_default();
        moves.push(typed.to_owned());
        said.push(Said { seat, text, made });
        Ok(())
    }

    /// The position as the person sees it, with as many hints as are wanted.
    fn scene(&self, running: &Running, run: &Run<'_>) -> Result<Scene, Fault> {
        let Running { play, seat: own, .. } = running;
        let mut scene = match self.hints {
            "none" => play.board(*own),
            _ => play.scene(*own, run).map_err(|e| self.fault(e))?,
        };
        match self.hints {
            "none" => scene.without_values(),
            "best" => scene.only_best(),
            _ => {}
        }
        Ok(scene)
    }

    fn table(&self, running: &Running, run: &Run<'_>) -> Result<Value, Fault> {
        let Running { play, seat: own, moves, said } = running;
        let own = *own;
        let over = play.turn().is_none();
        let scene = self.scene(running, run)?;
        let mut mistakes = Vec::new();
        if over || self.hints != "none" {
            let seats = match own {
                Some(seat) => seat..seat + 1,
                None => 0..play.players() as u8,
            };
            for seat in seats {
                for m in play.mistakes(seat, run).map_err(|e| self.fault(e))? {
                    mistakes.push((m.at, seat, m));
                }
            }
        }
        mistakes.sort_by_key(|m| m.0);
        let mistakes: Vec<Value> = mistakes
            .into_iter()
            .map(|(at, seat, m)| {
                let words = Text::of(
                    format!("{}; best was {} (lost {})", m.played.en, m.best.en, short(m.lost)),
                    format!("{}。最善は{}（損失 {}）", m.played.ja, m.best.ja, short(m.lost)),
                );
                json!({"seat": seat, "decision": m.decision, "at": at, "played": text_json(&m.played),
                    "best": text_json(&m.best), "lost": m.lost, "text": text_json(&words)})
            })
            .collect();
        let said: Vec<Value> = said.iter().map(Said::to_json).collect();
        let sides: Vec<Value> =
            play.seats().iter().map(|seat| json!({"seat": seat, "name": text_json(&side(*seat))})).collect();
        let mut table = Map::new();
        table.insert("scene".into(), serde_json::to_value(scene).unwrap_or_default());
        table.insert("seat".into(), json!(own));
        table.insert("moves".into(), json!(moves));
        table.insert("said".into(), said.into());
        table.insert("turn".into(), json!(play.turn()));
        table.insert("over".into(), over.into());
        if let Some(result) = play.result() {
            table.insert("result".into(), text_json(&result));
        }
        if let Some(score) = play.score(own.unwrap_or(0)) {
            table.insert("score".into(), score.into());
        }
        table.insert("prompt".into(), text_json(&play.prompt()));
        table.insert("sides".into(), sides.into());
        let strengths = play.strengths();
        // Where there is no such strength it would be refused at the machine's next move.
        if strengths.iter().any(|strength| strength.id == self.strength) {
            table.insert("strength".into(), json!(self.strength));
        }
        let strength = |strength: &Strength| json!({"id": strength.id, "name": text_json(&strength.name), "note": text_json(&strength.note)});
        table.insert("strengths".into(), strengths.iter().map(strength).collect());
        // The list of games has those that it has as always.
        if !std::ptr::eq(play.rules(), &raw const self.game.about().rules) {
            table.insert("rules".into(), crate::games::rules(play.rules()));
        }
        if let Some(moment) = play.moment(own) {
            table.insert("moment".into(), serde_json::to_value(moment).unwrap_or_default());
        }
        table.insert("mistakes".into(), mistakes.into());
        Ok(Value::Object(table))
    }
}

impl Said {
    fn to_json(&self) -> Value {
        let mut said = Map::new();
        said.insert("seat".into(), self.seat.into());
        said.insert("text".into(), text_json(&self.text));
        for (name, value) in [("move", &self.made.input), ("from", &self.made.from), ("to", &self.made.to)] {
            if let Some(value) = value {
                said.insert(name.into(), value.clone().into());
            }
        }
        Value::Object(said)
    }
}

/// What a seat is called where a person chooses one.
fn side(seat: Option<u8>) -> Text {
    match seat {
        None => text("every seat", "全員"),
        Some(0) => text("first player", "先手"),
        Some(1) => text("second player", "2番手"),
        Some(2) => text("third player", "3番手"),
        Some(n) => Text::of(format!("player {}", u32::from(n) + 1), format!("{}番手", u32::from(n) + 1)),
    }
}

/// A number with up to four decimals, none of them idle zeros.
fn short(n: f64) -> String {
    let text = format!("{n:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
