//! Scenes of any game: the board a viewer sees, the moves there are, and what an analysis says of them.

use crate::describe::{Describe, Past};
use yomikiri_core::{Game, Text, Turn, text};
use yomikiri_view::analysis::{Analysis, Played, Score, drawn};
use yomikiri_view::scene::{
    Board, Each, Line, LineStep, Mark, Move, Scene, Seat, Shape, VERSION, Value, Viewer, Worth,
};

/// What stands over a picture.
#[derive(Clone, Debug)]
pub struct Title {
    /// The word the game is called by.
    pub id: &'static str,
    /// The game.
    pub name: Text,
    /// Its parameters in words.
    pub variant: Text,
}

/// A move of a scene with the action that stands for it and all that are alike.
pub struct Listed<A> {
    /// The action.
    pub action: A,
    /// How many actions are alike, itself included.
    pub alike: usize,
    /// The move, with the places of all that are alike.
    pub shown: Move,
    /// Whether the game itself says what to type for each of its items.
    said: bool,
}

impl<A> Listed<A> {
    /// More on it: what the game says, or how many are alike.
    pub fn note(&self) -> Text {
        match self.alike {
            _ if !self.shown.note.is_empty() => self.shown.note.clone(),
            1 => Text::default(),
            n => Text::of(format!("any of {n}"), format!("{n}通りのどれでも")),
        }
    }
}

/// What to type to make a move with each of its items.
fn ways(m: &Move) -> Vec<Each> {
    if !m.each.is_empty() {
        return m.each.clone();
    }
    m.on.iter().map(|on| Each { on: on.clone(), id: m.id.clone() }).collect()
}

/// The moves of the player to move, those that are alike as one, in the game's order.
pub fn listed<G: Describe>(game: &G, s: &G::State) -> Vec<Listed<G::Action>> {
    let mut actions = Vec::new();
    if let Turn::Player(_) = game.turn(s)
        && !game.machine_moves(s)
    {
        game.actions(s, &mut actions);
    }
    let (mut stands, mut moves) = (Vec::with_capacity(actions.len()), Vec::with_capacity(actions.len()));
    for (at, &a) in actions.iter().enumerate() {
        let stand = game.alike(s, a);
        stands.push(actions.iter().position(|&b| b == stand).unwrap_or(at));
        moves.push(game.action(s, a));
    }
    let mut all = Vec::new();
    for Listed { action, alike, shown, said } in gathered(&stands, moves) {
        all.push(Listed { action: actions[action], alike, shown, said });
    }
    all
}

/// Moves by their numbers, those that are alike as one; `stands` says which stands for each.
fn gathered(stands: &[usize], moves: Vec<Move>) -> Vec<Listed<usize>> {
    let mut all: Vec<Listed<usize>> = Vec::new();
    for (a, (&stands, one)) in stands.iter().zip(&moves).enumerate() {
        match all.iter_mut().find(|m| m.action == stands) {
            Some(m) => {
                m.alike += 1;
                m.shown.each.extend(ways(one));
                // Two items are needed together: of such moves one is drawn.
                if one.on.len() < 2 {
                    m.shown.on.extend(one.on.iter().cloned());
                }
            }
            None => {
                let mut shown = moves[stands].clone();
                if stands == a {
                    shown.each = ways(one);
                }
                all.push(Listed { action: stands, alike: 1, shown, said: !one.each.is_empty() });
            }
        }
    }
    for (order, m) in (0..).zip(&mut all) {
        m.shown.order = order;
        // A move made with one thing in one way needs no list of ways.
        if !m.said && m.alike == 1 && m.shown.each.iter().all(|each| each.id == m.shown.id) {
            m.shown.each.clear();
        }
    }
    all
}

/// Draws what a viewer sees of a state: [`sight`] or [`board`].
pub type Painter<G> = fn(Title, &G, &<G as Game>::State, &Past<G>, Viewer) -> Scene;

/// What a viewer sees of a state, without moves: those come with their values, or by [`board`].
pub fn sight<G: Describe>(title: Title, game: &G, s: &G::State, past: &Past<G>, viewer: Viewer) -> Scene {
    let mut scene = laid_out(title, game, s, game.board(s, past, viewer), viewer);
    mark_last(game, past, &mut scene, viewer);
    scene
}

/// What a viewer sees of a state, with every move and without values.
pub fn board<G: Describe>(title: Title, game: &G, s: &G::State, past: &Past<G>, viewer: Viewer) -> Scene {
    let mut scene = sight(title, game, s, past, viewer);
    if told_to(game, s, viewer) {
        scene.moves = listed(game, s).into_iter().map(plain).collect();
    }
    scene
}

/// The picture on which a state is changed by hand: nothing is hidden from whoever does so.
pub fn edit_board<G: Describe>(title: Title, game: &G, s: &G::State) -> Scene {
    let scene = laid_out(title, game, s, game.edit_board(s), None);
    Scene { notation: game.print(s).unwrap_or_default(), ..scene }
}

/// A board as the scene of a state.
pub fn laid_out<G: Describe>(title: Title, game: &G, s: &G::State, board: Board, viewer: Viewer) -> Scene {
    // Whoever plays alone takes no turns.
    let turn = match game.turn(s) {
        Turn::Player(p) if G::PLAYERS > 1 => Some(p),
        _ => None,
    };
    let names = if board.seats.is_empty() { game.players() } else { Vec::new() };
    let prompt = if board.say.is_empty() { game.prompt(s) } else { Text::default() };
    placed(title, board, names, turn, prompt, game.written(s, viewer))
}

/// A board with what every game has around it.
fn placed(
    title: Title,
    board: Board,
    names: Vec<Text>,
    turn: Option<u8>,
    prompt: Text,
    notation: String,
) -> Scene {
    let seats = match board.seats.is_empty() {
        true => names.into_iter().map(Seat::named).collect(),
        false => board.seats,
    };
    Scene {
        v: VERSION,
        game: title.id.into(),
        title: title.name,
        variant: if board.variant.is_empty() { title.variant } else { board.variant },
        seats,
        turn,
        say: if board.say.is_empty() { prompt } else { board.say },
        zones: board.zones,
        layout: board.layout,
        legend: board.legend,
        arrows: board.arrows,
        notation,
        ..Scene::default()
    }
}

/// A move without a word on its value; notes come with the values.
fn plain<A>(m: Listed<A>) -> Move {
    Move { note: Text::default(), ..m.shown }
}

/// Marks where the last move of a player was made, unless the board has done so itself.
fn mark_last<G: Describe>(game: &G, past: &Past<G>, scene: &mut Scene, viewer: Viewer) {
    let last = past.iter().rev().find(|(s, _)| matches!(game.turn(s), Turn::Player(_)));
    if let Some((s, a)) = last
        && !game.conceals(s, *a, viewer)
    {
        mark(scene, game.action(s, *a));
    }
}

fn mark(scene: &mut Scene, last: Move) {
    let mut items = scene.zones.iter().flat_map(|zone| &zone.items);
    if items.any(|item| item.mark == Some(Mark::Last)) {
        return;
    }
    let places: Vec<String> = last.to.into_iter().chain(last.on).collect();
    // Counters of a heap are all the same: the one that was taken is not there any more.
    for zone in scene.zones.iter_mut().filter(|zone| !matches!(zone.shape, Shape::Heap { .. })) {
        for item in &mut zone.items {
            let square = item.square().map(|at| format!("{}/{at}", zone.id));
            if places.contains(&item.id) || square.is_some_and(|square| places.contains(&square)) {
                item.mark = Some(Mark::Last);
            }
        }
    }
}

/// Whether a viewer may see the moves of a state and what they are worth.
pub fn told_to<G: Describe>(game: &G, s: &G::State, viewer: Viewer) -> bool {
    let mover = |viewer: u8| game.turn(s) == Turn::Player(viewer);
    game.open() || viewer.is_none_or(mover)
}

/// A picture with what an analysis says of the position and of every move. Moves of which it says nothing come last, in
/// the game's order.
pub fn rated<G: Describe>(game: &G, s: &G::State, mut scene: Scene, analysis: &Analysis<G::Action>) -> Scene {
    if let Turn::Player(_) = game.turn(s) {
        let mut known = listed(game, s);
        let mut moves = Vec::with_capacity(known.len());
        for rated in &analysis.moves {
            let Some(at) = known.iter().position(|m| m.action == rated.action) else { continue };
            let Listed { shown, alike, said, .. } = known.remove(at);
            let m = Listed { action: (), alike, shown, said };
            let value = drawn(&rated.score, rated.rank, rated.loss, analysis.scale.mid);
            moves.push(with_value(m, rated.rank, &rated.note, &rated.score.short, value));
        }
        if let Some(first) = moves.first_mut() {
            first.pick = first.rank == Some(1);
            scene.scale = Some(analysis.scale.clone());
        }
        for m in known {
            moves.push(plain(m));
        }
        scene.moves = moves;
    }
    scene.value = analysis.value.as_ref().map(|value| worth(value, &analysis.of, &analysis.note));
    scene.line = analysis.aside.clone().or_else(|| drawn_line(&analysis.line));
    scene.trust = analysis.trust.clone();
    scene
}

fn with_value(m: Listed<()>, rank: u32, note: &Text, short: &Text, value: Value) -> Move {
    Move {
        rank: Some(rank),
        note: if note.is_empty() { m.note() } else { note.clone() },
        short: short.clone(),
        value: Some(value),
        ..m.shown
    }
}

fn worth(value: &Score, of: &Text, note: &Text) -> Worth {
    let notes = [&value.sub, note].into_iter().filter(|t| !t.is_empty());
    let notes: Vec<&Text> = notes.collect();
    let join = |pick: fn(&Text) -> &str, by: &str| notes.iter().map(|t| pick(t)).collect::<Vec<_>>().join(by);
    Worth {
        of: of.clone(),
        text: value.text.clone(),
        note: Text::of(join(|t| &t.en, ", "), join(|t| &t.ja, "、")),
        cert: value.certainty,
    }
}

fn drawn_line(line: &[Played]) -> Option<Line> {
    let steps: Vec<LineStep> = line
        .iter()
        .map(|step| LineStep {
            text: Text::same(step.id.clone()),
            sub: match step.chance {
                Some((weight, total)) => Text::same(format!("{weight}/{total}")),
                None => Text::default(),
            },
            seat: step.player,
        })
        .collect();
    (!steps.is_empty()).then(|| Line {
        title: text("How it goes on with best play", "最善手順"),
        note: Text::default(),
        list: false,
        steps,
    })
}
