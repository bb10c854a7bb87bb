//! Three against two as a game that is asked about: where the pieces stand, what is believed of their colours, and bounds on
//! what every move brings.

use super::ask::{self, ID, Spot};
use super::both::{Between, Both, Split, View, belief_words};
use super::proved::PROVED;
use super::rules::Public;
use super::summary::{self, kind_id, number, value_words};
use crate::analyse::Analyse;
use crate::approach::Approach;
use crate::describe::{Describe, Past};
use crate::entry::Entry;
use crate::family::Family;
use crate::geister::analysis::Step;
use crate::geister::board::{Board, Position};
use crate::geister::{asked, drawing, notation, scene};
use crate::params::Settings;
use serde_json::{Value, json};
use std::sync::Arc;
use yomikiri_core::number::approx;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_solve::belief::Belief;
use yomikiri_view::analysis::{Analysis, Measure, Score};
use yomikiri_view::report::{Block, Certainty, Outcome, grouped};
use yomikiri_view::scene::{Board as Picture, Move, Viewer};

/// What both sides can be sure of, on a board.
pub struct Sure {
    both: Arc<Both>,
    start: Believed,
}

/// Where it stands: pieces, and what is believed of them, both as the tables have them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Believed {
    view: View,
    beliefs: [Belief; 2],
    after: After,
}

/// What has just happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum After {
    /// Nothing that has to be found out.
    Quiet,
    /// A move whose outcome depends on colours, by its number.
    Move(usize),
    /// This player has won.
    Won(u8),
}

/// What a player or chance does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turned {
    /// A piece goes; leaving is a step from a square to itself.
    Step(Step),
    /// The colours end the game for this player.
    Ends(u8),
    /// The colours let it go on.
    On,
}

impl Sure {
    fn board(&self) -> &Board {
        &self.both.open.rules.board
    }

    /// What a move leads to, by its number.
    fn split(&self, s: &Believed, number: usize) -> Split {
        Split::new(&self.both.open.rules.all(&s.view.public)[number], &s.beliefs)
    }

    /// Where it goes on after a move.
    fn next(&self, s: &Believed, number: usize, alive: [Belief; 2]) -> Believed {
        let rules = &self.both.open.rules;
        let view = s.view.after(rules, rules.steps(&s.view.public)[number]);
        Believed { view, beliefs: alive, after: After::Quiet }
    }
}

/// Reads a position with beliefs instead of colours.
fn read(given: &str) -> Result<Spot, Refusal> {
    let spot = ask::read(given)?;
    let Some(side) = spot.told.iter().position(Option::is_some) else { return Ok(spot) };
    let player = side + 1;
    Err(Refusal::of(
        "board",
        Text::of(format!("colours of player {player}"), format!("プレイヤー{player}の色")),
        text("hidden pieces P and p, and beliefs such as 0:1:0", "紫駒 P、p と信念（例 0:1:0）"),
    ))
}

/// A position that can come up, with beliefs; those that are left out are even.
fn believed(both: &Both, public: Public, given: &[Option<Belief>; 2]) -> Result<Believed, Refusal> {
    let view = View::of(&both.open.rules, public);
    both.find(&view)?;
    Ok(Believed { view, beliefs: both.beliefs(&view, given), after: After::Quiet })
}

impl Game for Sure {
    type State = Believed;
    type Action = Turned;

    fn start(&self) -> Believed {
        self.start.clone()
    }
    fn turn(&self, s: &Believed) -> Turn {
        match s.after {
            After::Quiet => Turn::Player(s.view.public.turn),
            After::Move(_) => Turn::Chance,
            After::Won(_) => Turn::Terminal,
        }
    }
    fn actions(&self, s: &Believed, out: &mut Vec<Turned>) {
        let steps = self.both.open.rules.steps(&s.view.public).into_iter();
        out.extend(steps.map(|at| Turned::Step(s.view.step(self.board(), at))));
        out.sort_unstable();
    }
    fn chance(&self, s: &Believed, out: &mut Vec<(Turned, u32)>) {
        let After::Move(number) = s.after else { return };
        let Split { ended: [won, lost], alive } = self.split(s, number);
        let on = alive.iter().map(|b| b.iter().sum::<i64>()).product();
        let all = [(Turned::Ends(0), won), (Turned::Ends(1), lost), (Turned::On, on)];
        out.extend(all.into_iter().filter(|o| o.1 > 0).map(|(what, weight)| (what, weight as u32)));
    }
    fn apply(&self, s: &Believed, a: Turned) -> Believed {
        let number = match (a, s.after) {
            (Turned::Ends(player), _) => return Believed { after: After::Won(player), ..s.clone() },
            (Turned::On, After::Move(number)) => Some(number),
            (Turned::On, _) => None,
            (Turned::Step(step), _) => s.view.number(&self.both.open.rules, step),
        };
        let Some(number) = number else { return s.clone() };
        let Split { ended, alive } = self.split(s, number);
        match a {
            Turned::Step(_) if ended != [0; 2] => Believed { after: After::Move(number), ..s.clone() },
            _ => self.next(s, number, alive),
        }
    }
    fn utility(&self, s: &Believed, player: u8) -> i32 {
        match s.after {
            After::Won(winner) if winner == player => 1,
            After::Won(_) => -1,
            _ => 0,
        }
    }
}

impl Describe for Sure {
    fn parse(&self, given: &str) -> Result<Believed, Refusal> {
        let spot = read(given)?;
        notation::same_size(&spot.board, self.board())?;
        believed(&self.both, spot.public(), &spot.beliefs)
    }
    fn print(&self, s: &Believed) -> Option<String> {
        let Believed { view, beliefs, after: After::Quiet } = s else { return None };
        let weights = [0, 1].map(|side| {
            let mut on_table: Vec<(u32, i64)> =
                view.squares(self.board(), side).into_iter().zip(beliefs[side]).collect();
            on_table.sort_unstable();
            on_table.iter().map(|(_, w)| w.to_string()).collect::<Vec<_>>().join(":")
        });
        let written = notation::written(ID, self.board(), &view.position(self.board(), [None; 2]));
        Some(format!("{written}_{}_{}", weights[0], weights[1]))
    }
    fn action(&self, _: &Believed, a: Turned) -> Move {
        match a {
            Turned::Step(step) => scene::step(&notation::step(self.board(), step)),
            Turned::Ends(0) => Move::new("1", text("player 1 wins", "プレイヤー1の勝ち")),
            Turned::Ends(_) => Move::new("2", text("player 2 wins", "プレイヤー2の勝ち")),
            Turned::On => Move::new("on", text("the game goes on", "続行")),
        }
    }
    fn board(&self, s: &Believed, _: &Past<Sure>, _: Viewer) -> Picture {
        scene::table(self.board(), &s.view.position(self.board(), [None; 2]), [false; 2])
    }
    fn draw(&self, s: &Believed, _: Viewer) -> Text {
        drawing::board(self.board(), &s.view.position(self.board(), [None; 2]), 0)
    }
    fn players(&self) -> Vec<Text> {
        scene::players(0)
    }
    fn edits(&self, s: &Believed) -> Vec<Move> {
        let print = |p: &Position| {
            let public = Public { turn: p.turn, sides: p.sides.map(|side| side.all()) };
            self.print(&believed(&self.both, public, &[None; 2]).ok()?)
        };
        scene::changes(self.board(), &s.view.position(self.board(), [None; 2]), &print)
    }
}

/// What both sides can be sure of, as it answers.
struct Bounded;

fn certainty(b: &Between) -> Certainty {
    if b.exact() { Certainty::Exact } else { Certainty::Bound }
}

/// What a player can be sure of, in words for player 1.
fn score(b: &Between, player: u8) -> Score {
    let [low, high] = b.decimals();
    let [lower, upper] = [&b.lower, &b.upper].map(approx);
    let (bar, own) = if player == 0 { (lower, lower) } else { (upper, -upper) };
    let words = if b.exact() { low.clone() } else { format!("{low}…{high}") };
    Score {
        bar: Some(bar),
        short: Text::same(if player == 0 { low } else { high }),
        certainty: certainty(b),
        interval: (!b.exact()).then_some((lower, upper)),
        ..Score::new(own, Text::same(words))
    }
}

impl Analyse<Sure> for Bounded {
    fn analyse(&self, game: &Sure, s: &Believed, _: Viewer, _: &Run<'_>) -> Result<Analysis<Turned>, Error> {
        let (both, board, Believed { view, beliefs, .. }) = (&game.both, game.board(), s);
        let (here, after) = both.at(view, beliefs)?;
        let turn = view.public.turn;
        let other = view.public.sides[usize::from(1 - turn)];
        let steps = both.open.rules.steps(&view.public);
        let mut known: Vec<(Turned, Text, Between)> = steps
            .into_iter()
            .zip(after)
            .map(|(at, b)| {
                let note = match at.1 {
                    None => {
                        text("a red piece may not leave; counted as a loss", "赤駒は脱出不可（負けと数える）")
                    }
                    Some(to) if other >> to & 1 == 1 => text("takes a piece", "駒を取る"),
                    Some(_) => Text::default(),
                };
                (Turned::Step(view.step(board, at)), note, b)
            })
            .collect();
        known.sort_unstable_by_key(|m| m.0);
        let scores = known.iter().map(|(a, _, b)| (*a, score(b, turn))).collect();
        let value = Score { text: value_words(&here), ..score(&here, turn) };
        let mut analysis = Analysis::new(&Measure::Result, Some(value), scores, 0.0);
        let mut moves = Vec::new();
        for (a, note, b) in known {
            let Some(m) = analysis.moves.iter_mut().find(|m| m.action == a) else { continue };
            m.note = note;
            moves.push(json!({"move": game.action(s, a).id, "lower": number(&b.lower),
                "upper": number(&b.upper), "kind": kind_id(b.exact()), "best": m.rank == 1}));
        }
        analysis.of = text("For player 1, both beliefs known", "プレイヤー1の値（信念は双方に既知）");
        analysis.scale = scene::first_scale();
        let positions = grouped(both.open.graph.positions.len() as u64);
        analysis.trust = Text::of(
            format!(
                "Bounds proved by strategies of both sides over {positions} positions; after a move they hold if it is made whatever the mover's colours are."
            ),
            format!(
                "{positions}局面にわたる双方の戦略が保証する上下界。着手後の値は、色によらずその手を指す場合。"
            ),
        );
        let fields = [
            ("analysis", json!(ID)),
            ("grid", json!(both.grid.id())),
            ("turn", json!(turn + 1)),
            ("lower", number(&here.lower)),
            ("upper", number(&here.upper)),
            ("moves", Value::Array(moves)),
        ];
        analysis.json = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(analysis)
    }

    fn detail(
        &self,
        game: &Sure,
        s: &Believed,
        analysis: &mut Analysis<Turned>,
        _: bool,
        _: &Run<'_>,
    ) -> Result<(), Error> {
        let [one, two] = [0, 1].map(|side| belief_words(game.board(), &s.view, side, &s.beliefs[side]));
        analysis.facts.extend([
            (text("player 1", "プレイヤー1"), one.into()),
            (text("player 2", "プレイヤー2"), two.into()),
            (text("grid of beliefs", "信念の刻み"), game.both.grid.id().into()),
        ]);
        analysis.details.push(Block::Paragraph(text(
            "Values are player 1's. Both know both beliefs. The bounds after a move hold if it is made whatever the mover's colours are, so that the belief about the mover does not change; the bounds of the position also count lotteries that depend on the colours. * a move with which the mover can be sure of most.",
            "値はプレイヤー1のもの。信念は双方に既知。着手後の上下界は、色によらずその手を指す（手番側への信念が変わらない）場合。局面の上下界は色に応じた混合も含む。* は手番側の保証が最大の手。",
        )));
        Ok(())
    }
}

/// Three against two with all colours hidden, as a family of the same parameters as the analyses.
pub struct Bounds;

impl Family for Bounds {
    type Game = Sure;

    of_mini_geister!();
    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(Sure, Believed), Error> {
        let grid = ask::grid(settings)?;
        let spot = position.map(read).transpose()?;
        let board = spot.as_ref().map_or_else(|| asked::board(settings), |spot| Ok(spot.board.clone()))?;
        let both = Both::new(&board, grid, run)?;
        let start = believed(&both, both.open.starts[0], &[None; 2])?;
        let s = match &spot {
            Some(spot) => believed(&both, spot.public(), &spot.beliefs)?,
            None => start.clone(),
        };
        Ok((Sure { both, start }, s))
    }
    fn table(&self, _: &Settings) -> Option<&'static dyn Entry> {
        Some(&PROVED)
    }
    fn approach(&self) -> Option<&'static dyn Approach<Sure>> {
        None
    }
    fn solver(
        &self,
        _: &Settings,
        _: &Sure,
        _: &Believed,
        _: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Sure>>, Error> {
        Ok(Box::new(Bounded))
    }
    fn variant(&self, _: &Settings, game: &Sure) -> Text {
        let start = game.start.view.position(game.board(), [None; 2]);
        let Text { en, ja } = scene::variant(game.board(), &start);
        Text::of(format!("{ID}, {en}"), format!("{ID}、{ja}"))
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        summary::solve(settings, run)
    }
}
