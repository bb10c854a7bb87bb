//! Whether a row and what follows every move can be won, as every face shows it.

use super::answer::{limit_text, to_json};
use super::board::braced;
use super::known::Rows;
use super::method::{Answer, Engine, Winnable, greedy_end};
use super::notation::name;
use super::rules::{Accordion, Row, Rules, Step};
use super::sliced::{Machine, Sliced};
use crate::analyse::Analyse;
use crate::describe::Describe;
use yomikiri_core::text::counted;
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_view::analysis::{Analysis, Played, Score};
use yomikiri_view::report::{Cell, Certainty, Tone, grouped};
use yomikiri_view::scene::{self, Line, LineStep, Scale, Viewer};

/// Moves of a winning line that are listed beside a picture.
const LISTED: usize = 16;

/// An answer as a value: 1 if a row can be won, 0 if not, between them if nobody knows.
pub fn score(answer: &Answer) -> Score {
    let sure = |x: f64, words: Text, mark: scene::Tick| Score { mark: Some(mark), ..Score::new(x, words) };
    match &answer.winnable {
        Winnable::Yes(line) if line.is_empty() => sure(1.0, text("success", "成功"), scene::Tick::Ok),
        Winnable::Yes(line) => {
            let n = line.len();
            let sub = Text::of(format!("in {}", counted(n as u64, "move", "moves")), format!("{n}手"));
            Score { sub, ..sure(1.0, text("can be won", "成功可能"), scene::Tick::Ok) }
        }
        Winnable::No => {
            let n = grouped(answer.states);
            let sub = Text::of(
                match answer.states {
                    1 => "no move is left".to_owned(),
                    _ => format!("all {n} rows that can be reached were looked at"),
                },
                match answer.states {
                    1 => "動かせる札がない".to_owned(),
                    _ => format!("到達可能な全{n}状態を調べた"),
                },
            );
            Score { sub, ..sure(0.0, text("cannot be won", "成功不可能"), scene::Tick::No) }
        }
        Winnable::Unknown(limit) => {
            let limit = limit_text(*limit);
            let sub = Text::of(
                format!("the limit of {} was hit", limit.en),
                format!("上限（{}）に達した", limit.ja),
            );
            let unknown = Score::new(0.5, text("not known", "不明"));
            Score { sub, certainty: Certainty::Bound, interval: Some((0.0, 1.0)), ..unknown }
        }
    }
}

/// What else there is to say of a row and its answer.
pub fn facts(rules: &Rules, row: &Row, answer: &Answer) -> Vec<(Text, Cell)> {
    let states = grouped(answer.states);
    let engine = match answer.engine {
        Engine::Fast => Text::of(
            format!(
                "fast, {} generated in {}, solution replayed",
                counted(answer.states, "row", "rows"),
                counted(answer.tries.into(), "try", "tries")
            ),
            format!("fast（{}回の試行で{states}状態を生成、解は再生して確認）", answer.tries),
        ),
        Engine::Exact => Text::of(
            format!("exact, {} generated", counted(answer.states, "row", "rows")),
            format!("exact（{states}状態を生成）"),
        ),
    };
    vec![
        (text("engine", "方法"), Cell::from(engine).tone(Tone::Dim)),
        (text("legal first moves", "最初の合法手"), rules.steps(row).len().to_string().into()),
        (
            text("cards left by the paper's greedy play", "力まかせ法で残る枚数"),
            greedy_end(&Machine::new(rules), &Sliced::of(row)).to_string().into(),
        ),
    ]
}

/// The cards near a place, which is in brackets.
fn around(row: &Row, place: usize) -> String {
    let (from, to) = (place.saturating_sub(4), (place + 5).min(row.cards.len()));
    let mut words: Vec<String> = row.cards[from..to].iter().map(ToString::to_string).collect();
    words[place - from] = format!("[{}]", words[place - from]);
    let (before, behind) = (if from > 0 { "… " } else { "" }, if to < row.cards.len() { " …" } else { "" });
    format!("{before}{}{behind}", words.join(" "))
}

/// The beginning of a winning line, for pictures.
fn aside(line: &[(Row, Step)]) -> Line {
    let steps = line.iter().take(LISTED).map(|(row, step)| {
        let card = |place: u8| braced(row.cards[usize::from(place)]);
        LineStep {
            text: Text::same(format!("{}→{}", card(step.x), card(step.y))),
            sub: Text::default(),
            seat: None,
        }
    });
    let length = line.len();
    Line {
        title: text("A winning line", "成功手順"),
        note: match length.saturating_sub(LISTED) {
            0 => Text::of(counted(length as u64, "move", "moves"), format!("{length}手")),
            more => Text::of(
                format!("{length} moves, {more} more not shown"),
                format!("{length}手（残り{more}手は省略）"),
            ),
        },
        list: false,
        steps: steps.collect(),
    }
}

impl Rows {
    /// The moves of a row with whether the rest can be won, in the game's order.
    fn moves(
        &self,
        game: &Accordion,
        row: &Row,
        whole: &Answer,
        run: &Run<'_>,
    ) -> Result<Vec<(Step, Score)>, Error> {
        let mut steps = Vec::new();
        game.actions(row, &mut steps);
        let mut moves = Vec::with_capacity(steps.len());
        run.observer.begin(&text("trying every move", "すべての手を調べています"), steps.len() as u64);
        for step in steps {
            let after = match &whole.winnable {
                // What cannot be won cannot be won after a move either.
                Winnable::No => whole.clone(),
                Winnable::Yes(line) if line.first() == Some(&step) => {
                    Answer { winnable: Winnable::Yes(line[1..].to_vec()), ..whole.clone() }
                }
                _ => self.answer(&game.apply(row, step), run)?,
            };
            let n = grouped(after.states);
            let short = Text::same((step.x - step.y).to_string());
            let sub = Text::of(counted(after.states, "row", "rows"), format!("{n}状態"));
            moves.push((step, Score { short, sub, ..score(&after) }));
            run.observer.done(moves.len() as u64);
        }
        run.observer.end();
        Ok(moves)
    }
}

impl Analyse<Accordion> for Rows {
    fn analyse(&self, game: &Accordion, s: &Row, _: Viewer, run: &Run<'_>) -> Result<Analysis<Step>, Error> {
        let rules = game.rules();
        let answer = self.answer(s, run)?;
        let moves = self.moves(game, s, &answer, run)?;
        let mut analysis = Analysis::new(&game.measure(), Some(score(&answer)), moves, 0.0);
        analysis.of = text("This row", "この列");
        analysis.scale = Scale {
            min: 0.0,
            mid: 0.5,
            max: 1.0,
            name: text("The rest", "その後"),
            ticks: vec![(0.0, text("no", "不可")), (1.0, text("yes", "可"))],
        };
        analysis.trust = text(
            "“Cannot be won” is a proof: every row that can follow was generated. A solution is replayed by the rules.",
            "「成功不可能」は証明：後に続く列をすべて生成した。解は規則で再生して確かめた。",
        );
        analysis.facts = facts(rules, s, &answer);
        analysis.json = to_json(rules, s, &answer);
        // There the values of the moves are.
        analysis.json.remove("moves");
        analysis.json.insert("engine".into(), answer.engine.word().into());
        analysis.good = matches!(answer.winnable, Winnable::Yes(_));
        if let Winnable::Yes(steps) = &answer.winnable
            && let Ok(rows) = rules.replay(s, steps)
            && !steps.is_empty()
        {
            let (alive, count) = (analysis.best().count(), analysis.moves.len());
            analysis.note = Text::of(
                format!(
                    "{alive} of {} {} it alive",
                    counted(count as u64, "move", "moves"),
                    if alive == 1 { "keeps" } else { "keep" }
                ),
                format!("{count}手中{alive}手で可能性が残る"),
            );
            let line: Vec<(Row, Step)> = rows.into_iter().zip(steps.iter().copied()).collect();
            analysis.aside = Some(aside(&line));
            let played = |(row, step): &(Row, Step)| Played {
                id: name(row, *step),
                label: game.words(row, *step),
                player: Some(0),
                chance: None,
                before: around(row, usize::from(step.x)),
            };
            analysis.line = line.iter().map(played).collect();
        }
        Ok(analysis)
    }

    /// One question instead of one for every move, some of which can only be answered by going through everything.
    fn best(&self, game: &Accordion, s: &Row, run: &Run<'_>) -> Result<Option<Step>, Error> {
        Ok(match self.answer(s, run)?.winnable {
            Winnable::Yes(line) => line.first().copied(),
            Winnable::No => game.rules().steps(s).into_iter().min(),
            Winnable::Unknown(_) => self.analyse(game, s, None, run)?.pick(),
        })
    }

    fn good(&self, game: &Accordion, s: &Row, a: Step, run: &Run<'_>) -> Result<bool, Error> {
        let won = matches!(self.answer(&game.apply(s, a), run)?.winnable, Winnable::Yes(_));
        Ok(won || self.answer(s, run)?.winnable == Winnable::No)
    }
}
