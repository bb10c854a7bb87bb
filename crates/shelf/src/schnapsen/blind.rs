//! A deal with a hidden hand and several cards face down: too large for strategies in fractions. What is hidden goes through the
//! play side by side, all arrangements at once, and every act is worth what best responses leave open: bounds.

use super::rules::{Act, Closed, Table};
use super::{MOST, Schnapsen, State};
use rustc_hash::FxHashMap;
use yomikiri_core::error::bytes;
use yomikiri_core::text::grouped;
use yomikiri_core::{Error, Game, Number, Rational, Run, Text, Turn, text};
use yomikiri_games::analyse::Analyse;
use yomikiri_games::describe::Describe;
use yomikiri_solve::onesided::{Bounds, Solving, Spot, Tree, over};
use yomikiri_view::analysis::{Analysis, Score};
use yomikiri_view::report::{Cell, Certainty};
use yomikiri_view::scene::Viewer;

/// How close the bounds of an act that may be best are brought together, in game points.
const WIDTH: f64 = 0.01;
/// The same for an act that another is surely better than.
const ROUGH: f64 = 0.1;
/// Rounds after which an act keeps the bounds it has.
const ROUNDS: usize = 4000;

/// Tables laid out by what the player who does not see knows of them. That player is the first.
struct Layout<'a> {
    game: &'a Schnapsen,
    run: &'a Run<'a>,
    tree: Tree,
    /// Values of tables of which both know everything.
    known: FxHashMap<Table, i32>,
}

/// The same table with the players the other way round.
fn swapped(table: &Table) -> Table {
    let Table { hands: [a, b], points: [c, d], tricks: [e, f], .. } = *table;
    Table {
        hands: [b, a],
        points: [d, c],
        tricks: [f, e],
        leader: 1 - table.leader,
        closed: table.closed.map(|closed| Closed { by: 1 - closed.by, ..closed }),
        ..*table
    }
}

/// What the first player sees of a table.
fn seen(table: &Table) -> Table {
    let mut seen = Table { hands: [table.hands[0], 0], talon: [0; 12], ..*table };
    seen.talon[0] = table.up().unwrap_or(0);
    seen
}

impl Layout<'_> {
    /// Where tables go on of which the first player knows no more than that they are among them.
    fn alike(&mut self, tables: &[Table]) -> Result<Vec<Spot>, Error> {
        if let [table] = tables {
            let kind = self.game.kind;
            return Ok(vec![over(
                *self.known.entry(*table).or_insert_with(|| table.value(kind, -MOST, MOST)),
            )]);
        }
        let mut acts = Vec::new();
        let Some(first) = tables.first().filter(|table| table.end.is_none()) else {
            return Ok(tables.iter().map(|table| over(table.utility(0))).collect());
        };
        self.run.check()?;
        if first.mover() == 0 {
            first.acts(self.game.kind, &mut acts);
            let all: Result<_, Error> =
                acts.into_iter().map(|act| self.told(tables.iter().map(|t| (*t, act)))).collect();
            return self.tree.blind(all?);
        }
        let mut all = Vec::new();
        let mut ends = Vec::with_capacity(tables.len());
        for table in tables {
            acts.clear();
            table.acts(self.game.kind, &mut acts);
            all.extend(acts.iter().map(|act| (*table, *act)));
            ends.push(all.len());
        }
        let spots = self.told(all)?;
        let from = std::iter::once(0).chain(ends.iter().copied());
        self.tree.seeing(from.zip(&ends).map(|(from, to)| spots[from..*to].to_vec()).collect())
    }

    /// Where tables go on after an act each, apart by what the first player then sees.
    fn told(&mut self, acts: impl IntoIterator<Item = (Table, Act)>) -> Result<Vec<Spot>, Error> {
        let mut groups: Vec<Vec<Table>> = Vec::new();
        let mut numbers: FxHashMap<(Act, Table), usize> = FxHashMap::default();
        let mut places: Vec<FxHashMap<Table, usize>> = Vec::new();
        let mut of = Vec::new();
        for (table, act) in acts {
            let mut after = table.after(self.game.kind, act);
            if after.closed.is_some() {
                // Nobody will ever draw what lies there.
                after.talon = [0; 12];
            }
            let group = *numbers.entry((act, seen(&after))).or_insert_with(|| {
                groups.push(Vec::new());
                places.push(FxHashMap::default());
                groups.len() - 1
            });
            let tables = &mut groups[group];
            let place = *places[group].entry(after).or_insert_with(|| {
                tables.push(after);
                tables.len() - 1
            });
            of.push((group, place));
        }
        let spots: Result<Vec<Vec<Spot>>, Error> = groups.iter().map(|tables| self.alike(tables)).collect();
        let spots = spots?;
        Ok(of.into_iter().map(|(group, place)| spots[group][place]).collect())
    }
}

/// A deal whose acts are bounded.
pub struct Blind {
    /// The name under which its bounds are kept.
    pub name: String,
}

impl Schnapsen {
    /// Whether more cards lie face down than strategies in fractions have room for.
    pub fn bounded(&self) -> bool {
        self.conceals_cards() && self.face_down() > 1
    }

    /// Cards that will be drawn and lie face down.
    pub fn face_down(&self) -> usize {
        if self.start.strict() { 0 } else { usize::from(self.start.left).saturating_sub(1) }
    }

    /// All tables it may be, as the blind player's first.
    fn tables(&self) -> Vec<Table> {
        let (blind, mut deals) = (usize::from(!self.hidden[1]), Vec::new());
        self.chance(&self.start(), &mut deals);
        let table = |(deal, _): (Act, u32)| {
            let table = self.apply(&self.start(), deal).table;
            if blind == 1 { swapped(&table) } else { table }
        };
        deals.into_iter().map(table).collect()
    }

    /// What the blind player gets in all, after some acts of its own: at least and at most.
    pub fn guarantee(
        &self,
        begun: &[Act],
        width: f64,
        enough: &dyn Fn(&Bounds) -> bool,
        run: &Run<'_>,
    ) -> Result<(Bounds, usize), Error> {
        let mut layout = Layout { game: self, run, tree: Tree::new(run), known: FxHashMap::default() };
        let mut tables = self.tables();
        run.observer.begin(&text("the tree", "ゲーム木"), 0);
        let (last, before) = match begun {
            [before @ .., last] => (Some(*last), before),
            [] => (None, begun),
        };
        for act in before {
            tables = tables.iter().map(|table| table.after(self.kind, *act)).collect();
        }
        let spots = match last {
            Some(act) => layout.told(tables.iter().map(|table| (*table, act)))?,
            None => layout.alike(&tables)?,
        };
        let chance = 1.0 / spots.len() as f64;
        let roots: Vec<(Spot, f64)> = spots.into_iter().map(|spot| (spot, chance)).collect();
        let tree = layout.tree;
        run.observer.end();
        if tree.places() > 0 {
            let (places, taken) = (grouped(tree.places() as u64), bytes(tree.bytes()));
            run.observer.note(&Text::of(
                format!("{places} places with a choice, {taken} of memory: solving begins"),
                format!("選択のある{places}か所、メモリ{taken}：求解を始めます"),
            ));
        }
        run.observer.begin(&text("rounds of CFR+", "CFR+の反復"), ROUNDS as u64);
        let bounds = Solving::new(&tree, &roots, run)?.approach(width, ROUNDS, enough, run)?;
        run.observer.end();
        Ok((bounds, tree.places()))
    }
}

impl Blind {
    /// The bounds of what a deal that begins with some acts of the blind player is worth to it.
    fn bounds(&self, game: &Schnapsen, begun: &[Act], better: f64, run: &Run<'_>) -> Result<Bounds, Error> {
        // How well it has to be known belongs to the name: what is found must not depend on what was asked before.
        let kept = run.cached(&format!("{} bounds {begun:?} {better}", self.name), || {
            // What is surely worse than another act need not be known well.
            let enough = |bounds: &Bounds| bounds.high < better && bounds.width() <= ROUGH;
            let (bounds, _) = game.guarantee(begun, WIDTH, &enough, run)?;
            Ok((bounds, size_of::<Bounds>() as u64))
        })?;
        Ok(*kept)
    }
}

/// A score as bounds have it.
fn score(game: &Schnapsen, low: f64, high: f64) -> Score {
    let measure = game.measure();
    if low == high {
        // No choice matters: a mean of whole numbers over all deals.
        let deals = game.deals().len() as i32;
        let sum = (low * f64::from(deals)).round() as i32;
        return measure.score(&(Rational::from_int(sum) / Rational::from_int(deals)), None);
    }
    let (low, high) = (low.max(f64::from(-MOST)), high.min(f64::from(MOST)));
    let score = measure.score(&(low + (high - low) / 2.0), None);
    Score { certainty: Certainty::Bound, interval: Some((low, high)), ..score }
}

/// The ends of bounds in words.
fn ends((low, high): (f64, f64)) -> Text {
    Text::of(format!("{low:.5} to {high:.5}"), format!("{low:.5}～{high:.5}"))
}

/// The same analysis with where its value lies, and why.
fn told_bounds(mut analysis: Analysis<Act>) -> Analysis<Act> {
    let interval = analysis.value.as_ref().and_then(|value| value.interval);
    analysis.facts.extend(interval.map(|interval| (text("bounds", "上下界"), Cell::from(ends(interval)))));
    Analysis { trust: TRUST, ..analysis }
}

const TRUST: Text = text(
    "Bounds: what its best strategy found guarantees the player with one hand in view, and what a strategy of the other, who sees all, concedes, each by an exact best response. Acts whose bounds overlap share a place.",
    "上下界：自分の手札だけを見る側が見つけた戦略で保証できる値と、すべてを見る相手の戦略が許す値を、それぞれ厳密な最適応答で求めた。区間が重なる手は同順位とする。",
);
const LATER: Text = text(
    "Once the player who sees everything has acted, nothing is claimed: what an act then tells depends on the strategies.",
    "すべてを見る側が行動した後は値を示さない。その行動が何を教えるかは戦略による。",
);

impl Analyse<Schnapsen> for Blind {
    fn analyse(&self, game: &Schnapsen, s: &State, _: Viewer, run: &Run<'_>) -> Result<Analysis<Act>, Error> {
        let measure = game.measure();
        if game.turn(s) == Turn::Terminal {
            let value = measure.score(&Rational::from_int(game.utility(s, 0)), None);
            let of = measure.of_first();
            return Ok(Analysis { of, ..Analysis::new(&measure, Some(value), Vec::new(), 0.0) });
        }
        let begun = game.begun(s);
        if s.line.len() > begun.len() + 1 {
            return Ok(Analysis::unknown(&measure, LATER));
        }
        let blind = u8::from(!game.hidden[1]);
        let turn = match game.turn(s) {
            // Before the deal: whoever leads is to act after it.
            Turn::Chance => Turn::Player(game.start.mover()),
            turn => turn,
        };
        // A value is told to whoever is to move, and to the first player where nobody is.
        let owner = if let Turn::Player(p) = game.turn(s) { p } else { 0 };
        let told = |b: Bounds| {
            if owner == blind { score(game, b.low, b.high) } else { score(game, -b.high, -b.low) }
        };
        if turn != Turn::Player(blind) {
            let bounds = self.bounds(game, &begun, f64::NEG_INFINITY, run)?;
            let mut analysis = Analysis::new(&measure, Some(told(bounds)), Vec::new(), 0.0);
            if game.undealt(s) {
                analysis.of = measure.of_first();
            }
            return Ok(told_bounds(analysis));
        }
        let (mut acts, mut moves) = (Vec::new(), Vec::new());
        let (mut better, mut high) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        s.table.acts(game.kind, &mut acts);
        for act in acts {
            let all: Vec<Act> = begun.iter().copied().chain([act]).collect();
            let bounds = self.bounds(game, &all, better, run)?;
            better = better.max(bounds.low);
            high = high.max(bounds.high);
            moves.push((act, score(game, bounds.low, bounds.high)));
        }
        let value = Some(told(Bounds { low: better, high, rounds: 0 }));
        if game.undealt(s) {
            let of = measure.of_first();
            return Ok(told_bounds(Analysis { of, ..Analysis::new(&measure, value, Vec::new(), 0.0) }));
        }
        let mut analysis = Analysis::new(&measure, value, moves, 0.0);
        // Nobody knows which of these is the best.
        let open = |score: &Score| score.interval.map_or(score.x, |ends| ends.1) >= better;
        for rated in analysis.moves.iter_mut().filter(|m| open(&m.score)) {
            (rated.rank, rated.loss) = (1, 0.0);
        }
        analysis.moves.sort_by_key(|rated| rated.rank);
        // Nothing is in it yet.
        let mut intervals = std::mem::take(&mut analysis.json);
        for rated in &mut analysis.moves {
            if let Some((low, high)) = rated.score.interval {
                rated.note = ends((low, high));
                intervals.insert(game.action(s, rated.action).id, vec![low, high].into());
            }
        }
        analysis.json.insert("intervals".into(), intervals.into());
        Ok(told_bounds(analysis))
    }

    fn method(&self) -> Option<&'static str> {
        Some("cfr")
    }
}
