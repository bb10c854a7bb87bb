//! An analysis as a game that is asked about: its positions, every move, and what they are worth by its table.

use super::analysis::{Act, Kind, Rules, Solved, Test};
use super::answer::{self, reached};
use super::asked::{self, Asked, asked, too_low};
use super::board::{Colour, Position, Side};
use super::kind::materials;
use super::notation::{self, fraction};
use super::space::Material;
use super::tables::Tables;
use super::{drawing, on_disk, scene};
use crate::analyse::Analyse;
use crate::describe::{Describe, Past};
use crate::params::Settings;
use std::sync::Arc;
use yomikiri_core::text::counted;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_view::analysis::{Analysis, Measure, Played, Score};
use yomikiri_view::report::Block;
use yomikiri_view::scene::{Board, Move, Viewer};

/// An analysis on a board.
pub struct Question {
    /// Its rules.
    pub rules: Rules,
    tables: Tables,
    materials: Vec<Material>,
    start: Standing,
}

/// Where an analysis stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// The position as the analysis has it.
    pub at: Position,
    /// The colours of player 2, if they are told where the analysis hides them: values do not depend on them.
    told: Option<Side>,
    /// Whether the player to move has just decided it.
    decided: bool,
}

impl Standing {
    /// The position with the colours that are told.
    fn told(&self) -> Position {
        Position { turn: self.at.turn, sides: [self.at.sides[0], self.told.unwrap_or(self.at.sides[1])] }
    }
}

impl Question {
    /// The analysis and the position that are asked for: the basic one unless another is named, and its start.
    pub fn asked(
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(Question, Standing), Error> {
        let Asked { kind, tables, pieces, written } = asked(settings, position)?;
        let kind = kind.unwrap_or(Kind::Basic);
        let materials = materials(kind, pieces.0, pieces.1)?;
        let given = written.map(|w| Position { turn: w.turn.unwrap_or(0), sides: w.sides });
        let given = given.map(|p| asked::seen(kind, &p, &materials)).transpose()?;
        if !kind.needs().is_empty() {
            within_reach(&tables, kind, &materials, run)?;
        }
        let rules = tables.rules(kind, &materials, run)?;
        let (at, told) = match given {
            Some(given) => given,
            None => (*rules.starts().first().ok_or_else(|| too_low(tables.board()))?, None),
        };
        let start = Standing { at, told, decided: false };
        Ok((Question { rules, tables, materials, start: start.clone() }, start))
    }

    /// Its table, as far as a position needs it.
    pub fn solved(&self, s: &Standing, run: &Run<'_>) -> Result<Arc<Solved>, Error> {
        let Question { rules, tables, materials, .. } = self;
        within_reach(tables, rules.kind, materials, run)?;
        match rules.kind {
            // Of the open game only what the position can lead to: all of it is 25 times as much.
            Kind::Open => tables.get(rules.kind, &reached(materials, &Material::of(&s.at)), run),
            kind => tables.get(kind, materials, run),
        }
    }

    /// Which analysis it is, and of how many pieces.
    pub fn variant(&self) -> Text {
        let (id, Text { en, ja }) = (self.rules.kind.id(), scene::variant(&self.rules.board, &self.start.at));
        Text::of(format!("{id}, {en}"), format!("{id}、{ja}"))
    }

    fn standing(&self, p: &Position) -> Result<Standing, Refusal> {
        let (at, told) = asked::seen(self.rules.kind, p, &self.materials)?;
        Ok(Standing { at, told, decided: false })
    }
}

/// Refuses what would not fit before anything is computed, unless it is there already.
fn within_reach(tables: &Tables, kind: Kind, materials: &[Material], run: &Run<'_>) -> Result<(), Error> {
    if on_disk::alone(run) { Ok(()) } else { run.fits(tables.memory(kind, materials)) }
}

impl Game for Question {
    type State = Standing;
    type Action = Act;

    fn start(&self) -> Standing {
        self.start.clone()
    }
    fn turn(&self, s: &Standing) -> Turn {
        let over = s.decided || self.rules.acts(&s.at).is_empty();
        if over { Turn::Terminal } else { Turn::Player(s.at.turn) }
    }
    fn actions(&self, s: &Standing, out: &mut Vec<Act>) {
        out.extend(self.rules.acts(&s.at).into_iter().map(|(act, _)| act));
    }
    fn apply(&self, s: &Standing, act: Act) -> Standing {
        let Act::Quiet(step) = act else { return Standing { decided: true, ..s.clone() } };
        let told = s.told.map(|_| self.rules.apply(&s.told(), step).sides[1]);
        Standing { at: self.rules.apply(&s.at, step), told, decided: false }
    }
    fn utility(&self, s: &Standing, player: u8) -> i32 {
        match s.decided {
            true if s.at.turn == player => 1,
            true => -1,
            false => 0,
        }
    }
}

impl Describe for Question {
    fn parse(&self, given: &str) -> Result<Standing, Refusal> {
        let written = notation::read(given)?;
        if let Some(kind) = written.kind
            && kind != self.rules.kind
        {
            return Err(Refusal::new("analysis", kind.id(), Text::same(self.rules.kind.id())));
        }
        notation::same_size(&written.board, &self.rules.board)?;
        self.standing(&Position { turn: written.turn.unwrap_or(0), sides: written.sides })
    }
    fn print(&self, s: &Standing) -> Option<String> {
        (!s.decided).then(|| notation::written(self.rules.kind.id(), &self.rules.board, &s.told()))
    }
    /// Colours that only one player knows are not part of the position.
    fn written(&self, s: &Standing, _: Viewer) -> String {
        notation::written(self.rules.kind.id(), &self.rules.board, &s.at)
    }
    fn action(&self, _: &Standing, act: Act) -> Move {
        scene::step(&notation::act(&self.rules.board, act))
    }
    fn board(&self, s: &Standing, _: &Past<Question>, viewer: Viewer) -> Board {
        let own = s.told.is_some() && viewer == Some(1);
        scene::table(&self.rules.board, &if own { s.told() } else { s.at }, [false, own])
    }
    fn edit_board(&self, s: &Standing) -> Board {
        scene::table(&self.rules.board, &s.told(), [false; 2])
    }
    fn draw(&self, s: &Standing, _: Viewer) -> Text {
        drawing::board(&self.rules.board, &s.at, 0)
    }
    fn players(&self) -> Vec<Text> {
        scene::players(0)
    }
    fn draws_lines(&self) -> bool {
        true
    }
    fn why(&self, s: &Standing) -> Text {
        match (s.decided, s.at.turn) {
            (true, 0) => text("the payoff that is asked for is secured", "目標の利得を確保した"),
            (true, _) => text("the payoff that is asked for is prevented", "目標の利得を阻止した"),
            (false, _) => text("nobody can move", "誰も動けない"),
        }
    }
    fn edits(&self, s: &Standing) -> Vec<Move> {
        scene::changes(&self.rules.board, &s.told(), &|p| self.print(&self.standing(p).ok()?))
    }
}

/// The table of an analysis as it answers.
pub struct Verdicts(pub Arc<Solved>);

/// What a move decides, or lets the other player decide.
fn note(ends: Option<Test>, allows: Option<Test>) -> Text {
    let then =
        |word: Text| Text::of(format!("then the other player {}", word.en), format!("次に相手が{}", word.ja));
    ends.map(Test::word).or_else(|| allows.map(|test| then(test.word()))).unwrap_or_default()
}

/// What a value says.
pub fn meaning(verdict: GameValue) -> Text {
    match verdict {
        GameValue::Won { by: 0, plies } => Text::of(
            format!(
                "player 1 reaches the target, at most {} from here",
                counted(u64::from(plies) + 1, "move", "moves")
            ),
            format!("プレイヤー1が{}手以内に目標を達成できる", plies + 1),
        ),
        GameValue::Won { plies, .. } => Text::of(
            format!(
                "player 2 prevents it, at most {} from here",
                counted(u64::from(plies) + 1, "move", "moves")
            ),
            format!("プレイヤー2が{}手以内に阻止できる", plies + 1),
        ),
        GameValue::Drawn => text(
            "neither in finitely many moves: endless play, payoff 0",
            "有限手ではどちらもできない：千日手、利得0",
        ),
    }
}

impl Analyse<Question> for Verdicts {
    fn analyse(&self, game: &Question, s: &Standing, _: Viewer, _: &Run<'_>) -> Result<Analysis<Act>, Error> {
        let (solved, p, kind) = (&self.0, &s.at, game.rules.kind);
        let moves = answer::moves(solved, p);
        let scores = moves.iter().map(|m| (m.act, scene::score(m.verdict, p.turn))).collect();
        let verdict = solved.verdict(p);
        let long = Text::same(notation::verdict_text(verdict));
        // How far it is is told by what the value means.
        let value = Score { long, sub: Text::default(), ..scene::score(verdict, p.turn) };
        let mut analysis = Analysis::new(&Measure::Result, Some(value), scores, 0.0);
        for m in &mut analysis.moves {
            let known = moves.iter().find(|known| known.act == m.action);
            m.note = known.map(|known| note(known.ends, known.allows)).unwrap_or_default();
        }
        let (target, question) = (fraction(kind.target()), kind.question());
        analysis.of = Text::of(
            format!("{} (payoff {target})", question.en),
            format!("{}（目標{target}）", question.ja),
        );
        analysis.note = meaning(verdict);
        analysis.scale = scene::first_scale();
        analysis.trust = scene::trust(solved);
        let line = drawing::line(solved, p);
        analysis.aside = scene::beside(&line, |player| player);
        let played = |(p, name): &(Position, Option<String>)| {
            let id = name.clone()?;
            let (label, before) = (scene::label(&id), notation::written(kind.id(), &game.rules.board, p));
            Some(Played { id, label, player: Some(p.turn), chance: None, before })
        };
        analysis.line = line.steps.iter().filter_map(played).collect();
        analysis.json = serde_json::from_str(&answer::to_text(solved, p)).unwrap_or_default();
        analysis.json.insert("analysis".into(), kind.id().into());
        analysis.json.insert("target".into(), notation::ratio(kind.target()).into());
        Ok(analysis)
    }

    fn detail(
        &self,
        game: &Question,
        s: &Standing,
        analysis: &mut Analysis<Act>,
        _: bool,
        _: &Run<'_>,
    ) -> Result<(), Error> {
        let kind = game.rules.kind;
        analysis.of = text("value for player 1", "プレイヤー1の値");
        analysis.facts.extend([
            (text("question", "問い"), kind.question().into()),
            (text("target", "目標"), fraction(kind.target()).into()),
            (text("meaning", "意味"), meaning(self.0.verdict(&s.at)).into()),
        ]);
        let line = drawing::line(&self.0, &s.at);
        analysis.details.extend([
            Block::Heading(text("a line of best play", "最善の進行例")),
            Block::Drawing(line.draw(&game.rules.board)),
            Block::Paragraph(line.ending()),
        ]);
        if s.at.sides.iter().any(|side| side.of(Colour::Purple) != 0) {
            analysis.details.push(Block::Paragraph(text(
                "Capitals are player 1, the owner of the strategy; B blue, R red, P hidden. Takes of hidden pieces appear only where they decide.",
                "大文字はプレイヤー1（戦略の持ち主）。Bは青、Rは赤、Pは紫（色不明）。紫駒を取る手は決着する場合だけ示す。",
            )));
        }
        Ok(())
    }
}
