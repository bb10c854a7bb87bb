//! A game written in Python on the page: values of every move, play, hints.

use crate::expand::Expanded;
use crate::run::{Options, work};
use crate::solved::for_players;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::Arc;
use yomikiri_core::{Text, text};
use yomikiri_games::Entry;
use yomikiri_games::about::{About, Primer};
use yomikiri_games::erased::Erased;
use yomikiri_games::given::{CHANCE, Given, Names, Taken};
use yomikiri_papers::PAPERS;
use yomikiri_shelf::GAMES;
use yomikiri_view::analysis::Measure;

/// What a game is called, and what is in it, for people.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Called {
    id: String,
    name: String,
    rules: String,
    states: Vec<String>,
    drawn: Vec<String>,
    actions: Vec<String>,
    infos: Vec<String>,
}

impl Called {
    /// Words that stay as long as the program, as those of all games do.
    fn about(&self, players: usize) -> &'static About {
        let kept = |word: &str| -> &'static str { Box::leak(word.to_owned().into_boxed_str()) };
        let example = self.states.first().map_or("", String::as_str);
        let question = serde_json::json!({"position": example}).to_string();
        Box::leak(Box::new(About {
            id: kept(&self.id),
            name: Text::same(self.name.clone()),
            summary: text("a game written in Python", "Python で書かれたゲーム"),
            rules: Primer::brief(Text::same(self.rules.clone())),
            notation: text("a state as the game writes it", "ゲームの状態の表記"),
            example: kept(example),
            eval: text("position (a state as the game writes it)", "position（状態の表記）"),
            question: kept(&question),
            players: players as u8,
        }))
    }
}

/// The game as all others are seen, for as long as the program runs.
fn entry(
    expanded: &Expanded,
    payoffs: Vec<i32>,
    scale: u64,
    opposed: bool,
    called: Called,
) -> &'static dyn Entry {
    let (arrays, payoffs) = (Arc::clone(&expanded.arrays), Arc::<[i32]>::from(payoffs));
    let (hidden, players) = (expanded.is_hidden(), expanded.players());
    let about = called.about(players);
    let chance = hidden || arrays.turns.contains(&CHANCE);
    let results = players == 2 && opposed && payoffs.iter().all(|x| (-1..=1).contains(x));
    let measure = match (results, chance, scale) {
        (true, false, _) => Measure::Result,
        (true, true, _) => Measure::WinRate,
        (false, _, 1) => Measure::Points { name: text("", "") },
        (false, _, scale) => Measure::Points { name: Text::same(format!("/{scale}")) },
    };
    let index: HashMap<String, u32> = called.states.iter().cloned().zip(0..).collect();
    let Called { states, drawn, actions, infos, .. } = called;
    let names = Arc::new(Names { states, drawn, actions, infos, index });
    for_players!(players, opposed, Players, {
        let game: Players = Given { arrays, payoffs, names, hidden, measure };
        Box::leak(Box::new(Erased(Box::leak(Box::new(Taken { about, game })))))
    })
}

/// Serves a game on this machine until a signal comes. `ready` is called with the address.
#[pyfunction]
#[pyo3(signature = (expanded, payoffs, scale, opposed, called, port, ready, options))]
#[allow(clippy::too_many_arguments)]
pub fn serve(
    py: Python<'_>,
    expanded: &Expanded,
    payoffs: Vec<i32>,
    scale: u64,
    opposed: bool,
    called: Called,
    port: u16,
    ready: Py<PyAny>,
    options: Options,
) -> PyResult<()> {
    let fault = |e: std::io::Error| PyOSError::new_err(format!("port: got {port}; {e}"));
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(fault)?;
    let address = listener.local_addr().map_err(fault)?;
    let own = entry(expanded, payoffs, scale, opposed, called);
    let games: Vec<&'static dyn Entry> = std::iter::once(own).chain(GAMES.iter().copied()).collect();
    let games: &'static [&'static dyn Entry] = Box::leak(games.into_boxed_slice());
    ready.call1(py, (format!("http://{address}/"), address.port()))?;
    work(py, &options, move |run| {
        let api = yomikiri_api::Config {
            seed: run.seed,
            ..yomikiri_api::Config::new(games, PAPERS, run.threads, run.memory)
        };
        let config = yomikiri_serve::Config {
            api,
            host: "127.0.0.1".to_owned(),
            limits: yomikiri_serve::Limits::default(),
            token: None,
            assets: None,
        };
        yomikiri_serve::serve(listener, config, run.cancel)?;
        Ok(())
    })
}
