//! What a computation has to say, without saying how it looks: blocks of text, facts, tables and pictures
//! that the terminal, the page and files each show in their way, beside the same content as JSON.

pub use crate::certainty::Certainty;

use crate::scene::Scene;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
pub use yomikiri_core::text::grouped;
use yomikiri_core::{Text, text};

/// How a cell wants to be seen; never the only carrier of its meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tone {
    /// As everything else.
    #[default]
    Plain,
    /// What to look at: a best move.
    Strong,
    /// As it should be.
    Good,
    /// Worth a look.
    Warn,
    /// Not as it should be.
    Bad,
    /// In the background.
    Dim,
}

/// What a published figure beside a computed one comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// They agree as printed, as they should.
    Match,
    /// Ours is sampled, could have shown a difference, and shows none.
    Consistent,
    /// Ours is sampled and too small to show a difference.
    Untested,
    /// The published one is wrong, and it shows.
    Erratum,
    /// Nobody can tell yet.
    Open,
    /// They do not agree, or an erratum does not show: a fault of ours until explained.
    Differs,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> Text {
        match self {
            Verdict::Match => text("match", "一致"),
            Verdict::Consistent => text("consistent", "矛盾なし"),
            Verdict::Untested => text("not tested", "判定不能"),
            Verdict::Erratum => text("erratum", "訂正"),
            Verdict::Open => text("open", "未解決"),
            Verdict::Differs => text("DIFFERS", "不一致"),
        }
    }

    /// How it wants to be seen.
    pub fn tone(self) -> Tone {
        match self {
            Verdict::Match | Verdict::Consistent => Tone::Good,
            Verdict::Untested => Tone::Dim,
            Verdict::Erratum | Verdict::Open => Tone::Warn,
            Verdict::Differs => Tone::Bad,
        }
    }
}

/// What a cell stands for beyond its text, for faces that have a sign for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Badge {
    /// A verdict.
    Verdict(Verdict),
    /// A kind of number.
    Certainty(Certainty),
}

/// Text with a tone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// What it says.
    pub text: Text,
    /// How it wants to be seen.
    pub tone: Tone,
    /// What it stands for beyond its text.
    pub badge: Option<Badge>,
    /// The number behind the text, for data files; without one they take the text.
    pub value: Option<f64>,
}

impl Cell {
    /// The same cell in another tone.
    pub fn tone(mut self, tone: Tone) -> Cell {
        self.tone = tone;
        self
    }

    /// The same cell as it should be, or not as it should be.
    pub fn good(self, good: bool) -> Cell {
        self.tone(if good { Tone::Good } else { Tone::Bad })
    }

    /// The same cell, worth a look in some cases.
    pub fn warn(self, when: bool) -> Cell {
        if when { self.tone(Tone::Warn) } else { self }
    }

    /// The same cell with the number behind its text; one that is not finite is none.
    pub fn value(mut self, value: f64) -> Cell {
        self.value = Some(value).filter(|v| v.is_finite());
        self
    }
}

impl From<Verdict> for Cell {
    fn from(verdict: Verdict) -> Cell {
        Cell { badge: Some(Badge::Verdict(verdict)), ..Cell::from(verdict.word()).tone(verdict.tone()) }
    }
}

impl From<Certainty> for Cell {
    fn from(certainty: Certainty) -> Cell {
        Cell { badge: Some(Badge::Certainty(certainty)), ..Cell::from(certainty.word()).tone(Tone::Dim) }
    }
}

impl From<Text> for Cell {
    fn from(text: Text) -> Cell {
        Cell { text, tone: Tone::Plain, badge: None, value: None }
    }
}

impl From<String> for Cell {
    fn from(both: String) -> Cell {
        Text::same(both).into()
    }
}

impl From<&str> for Cell {
    fn from(both: &str) -> Cell {
        Text::same(both).into()
    }
}

/// Where the text of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Column {
    /// Its head.
    pub head: Text,
    /// Where its text stands.
    pub align: Align,
}

/// A table. Every row has a cell for every column.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: Text,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows. A column whose head ends in `>` holds numbers and stands to the right.
    pub fn new(title: Text, heads: &[Text]) -> Table {
        let columns = heads
            .iter()
            .map(|head| match (head.en.strip_suffix('>'), head.ja.strip_suffix('>')) {
                (Some(en), Some(ja)) => Column { head: Text::of(en, ja), align: Align::Right },
                _ => Column { head: head.clone(), align: Align::Left },
            })
            .collect();
        Table { title, columns, rows: Vec::new() }
    }

    /// Adds a row; it must have a cell for every column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }
}

/// A list told twice: to people as a table, to programs as an array of objects. Every row names its fields once.
///
/// ```
/// use yomikiri_core::text;
/// use yomikiri_view::report::{List, Record};
///
/// let mut list = List::new(text("hands", "手札"));
/// list.push(Record::new().count("hand", text("h>", "h>"), 2).show(text("share>", "割合>"), "94 %").data("right", 17));
/// assert_eq!(list.table.columns.len(), 2);
/// assert_eq!(list.json[0]["right"], 17);
/// ```
#[derive(Clone, Debug)]
pub struct List {
    /// For people; its columns are those of the first row.
    pub table: Table,
    /// For programs: an object a row.
    pub json: Vec<Value>,
}

impl List {
    /// A list without rows.
    pub fn new(title: Text) -> List {
        List { table: Table::new(title, &[]), json: Vec::new() }
    }

    /// Adds a row; all rows have the same columns.
    pub fn push(&mut self, row: Record) {
        let (heads, cells): (Vec<Text>, Vec<Cell>) = row.cells.into_iter().unzip();
        if self.table.rows.is_empty() {
            self.table.columns = Table::new(Text::default(), &heads).columns;
        }
        self.table.row(cells);
        self.json.push(Value::Object(row.json));
    }
}

/// A row of a [`List`], field by field. As in [`Table::new`], a head that ends in `>` is that of numbers.
#[derive(Clone, Debug, Default)]
pub struct Record {
    cells: Vec<(Text, Cell)>,
    json: Map<String, Value>,
}

impl Record {
    /// A row without fields.
    pub fn new() -> Record {
        Record::default()
    }

    /// A field for people alone.
    pub fn show(mut self, head: Text, cell: impl Into<Cell>) -> Record {
        self.cells.push((head, cell.into()));
        self
    }

    /// A field for programs alone.
    pub fn data(mut self, key: &str, value: impl Into<Value>) -> Record {
        self.json.insert(key.to_owned(), value.into());
        self
    }

    /// A field for both: what people read, and what programs do.
    pub fn field(self, key: &str, head: Text, cell: impl Into<Cell>, value: impl Into<Value>) -> Record {
        self.show(head, cell).data(key, value)
    }

    /// A whole number, for both.
    pub fn count(self, key: &str, head: Text, n: u64) -> Record {
        self.field(key, head, grouped(n), n)
    }

    /// Words, for both; programs read the English ones.
    pub fn words(self, key: &str, head: Text, words: Text) -> Record {
        let english = words.en.to_string();
        self.field(key, head, words, english)
    }

    /// What kind of numbers the row has, for people.
    pub fn certainty(self, certainty: Certainty) -> Record {
        self.show(text("kind", "種別"), certainty)
    }
}

/// How numbers are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// Equal steps are equally long.
    #[default]
    Linear,
    /// Equal factors are equally long; numbers that are not above 0 are left out.
    Log,
}

/// An axis of a plot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Axis {
    /// What runs along it, with the unit.
    pub name: Text,
    /// How it is laid out.
    pub scale: Scale,
    /// Places along it that have names rather than numbers; where there are any, they are the only ticks.
    pub names: Vec<(f64, Text)>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Draw {
    /// A line through the points.
    Line,
    /// Points alone.
    Dots,
    /// What is published: hollow diamonds, whatever else is drawn.
    Diamonds,
    /// The area between the ends of the points' intervals.
    Band,
}

/// A point of a series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Where along the horizontal axis.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// The ends of its interval, if it has one.
    pub interval: Option<(f64, f64)>,
}

/// A series of a plot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Series {
    /// Its name.
    pub name: Text,
    /// How it is drawn.
    pub draw: Draw,
    /// Its points.
    pub points: Vec<Point>,
}

impl Series {
    /// A series of points without intervals; those that are not finite are left out.
    pub fn new(name: Text, draw: Draw, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let points = points.into_iter().map(|(x, y)| Point { x, y, interval: None });
        Series { name, draw, points: points.filter(finite).collect() }
    }

    /// A series of points, each with the ends of its interval; those that are not finite are left out.
    pub fn with_intervals(
        name: Text,
        draw: Draw,
        points: impl IntoIterator<Item = (f64, f64, (f64, f64))>,
    ) -> Series {
        let points = points.into_iter().map(|(x, y, ends)| Point { x, y, interval: Some(ends) });
        Series { name, draw, points: points.filter(finite).collect() }
    }
}

fn finite(p: &Point) -> bool {
    let (low, high) = p.interval.unwrap_or_default();
    [p.x, p.y, low, high].iter().all(|n| n.is_finite())
}

/// A plot of one or more series over the same axes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plot {
    /// What it shows.
    pub title: Text,
    /// How to read it, where that has to be said; else empty.
    pub note: Text,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series.
    pub series: Vec<Series>,
    /// A horizontal line to compare with.
    pub reference: Option<f64>,
}

impl Plot {
    /// A plot without series over linear axes of these names.
    pub fn new(title: Text, x: Text, y: Text) -> Plot {
        let axis = |name| Axis { name, scale: Scale::Linear, names: Vec::new() };
        Plot { title, note: text("", ""), x: axis(x), y: axis(y), series: Vec::new(), reference: None }
    }
}

/// A table whose cells are coloured by their numbers, which are printed in them as well.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heat {
    /// What it shows.
    pub title: Text,
    /// How to read it, where that has to be said; else empty.
    pub note: Text,
    /// What the columns are.
    pub x: Text,
    /// What the rows are.
    pub y: Text,
    /// The names of the columns.
    pub columns: Vec<Text>,
    /// The names of the rows.
    pub rows: Vec<Text>,
    /// For every row and column the number and how it is printed; none where there is nothing.
    pub cells: Vec<Vec<Option<(f64, Text)>>>,
    /// The number that is neither one colour nor the other; without one, colours run from the least number up.
    pub middle: Option<f64>,
}

/// Named bars, side by side for each of several series.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bars {
    /// What it shows.
    pub title: Text,
    /// How to read it, where that has to be said; else empty.
    pub note: Text,
    /// What the bars are.
    pub x: Text,
    /// What their length is.
    pub y: Text,
    /// The names of the series.
    pub series: Vec<Text>,
    /// For every bar its name and its length in each series.
    pub bars: Vec<(Text, Vec<f64>)>,
}

impl Heat {
    /// The same without colours.
    pub fn table(&self) -> Table {
        let corner =
            Text::of(format!("{} \\ {}", self.y.en, self.x.en), format!("{} \\ {}", self.y.ja, self.x.ja));
        let mut heads = vec![corner];
        heads.extend(self.columns.iter().map(|c| Text::of(format!("{}>", c.en), format!("{}>", c.ja))));
        let mut table = Table::new(self.title.clone(), &heads);
        for (name, cells) in self.rows.iter().zip(&self.cells) {
            let cells = cells.iter().map(|cell| match cell {
                Some((value, text)) => Cell::from(text.clone()).value(*value),
                None => "".into(),
            });
            table.row(std::iter::once(Cell::from(name.clone())).chain(cells));
        }
        table
    }
}

impl Bars {
    /// The same in numbers.
    pub fn table(&self) -> Table {
        let mut heads = vec![self.x.clone()];
        heads.extend(
            self.series.iter().map(|s| {
                Text::of(format!("{}, {}>", self.y.en, s.en), format!("{}（{}）>", self.y.ja, s.ja))
            }),
        );
        let mut table = Table::new(self.title.clone(), &heads);
        for (name, lengths) in &self.bars {
            let cells = lengths.iter().map(|&n| {
                let whole = n.fract() == 0.0 && (0.0..1e15).contains(&n);
                Cell::from(if whole { grouped(n as u64) } else { n.to_string() }).value(n)
            });
            table.row(std::iter::once(Cell::from(name.clone())).chain(cells));
        }
        table
    }
}

/// A piece of a report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Block {
    /// A heading.
    Heading(Text),
    /// A paragraph.
    Paragraph(Text),
    /// Labelled values.
    Facts(Vec<(Text, Cell)>),
    /// A table.
    Table(Table),
    /// A plot.
    Plot(Plot),
    /// A table in colours.
    Heat(Heat),
    /// A table of bars.
    Bars(Bars),
    /// A position, or a line of play in several pictures.
    Scene {
        /// What it shows.
        caption: Text,
        /// The pictures, in order.
        scenes: Vec<Scene>,
        /// The same in lines of text, for where there are no pictures; may be empty.
        plain: Text,
    },
    /// Lines whose layout matters, such as a board.
    Drawing(Text),
}

impl Block {
    /// Pictures with what they say in place of a text.
    pub fn pictures(caption: Text, scenes: Vec<Scene>) -> Block {
        let said = |of: fn(&Text) -> &str| {
            let lines: Vec<&str> = scenes.iter().map(|scene| of(&scene.say)).collect();
            lines.join("\n")
        };
        Block::Scene { caption, plain: Text::of(said(|t| &t.en), said(|t| &t.ja)), scenes }
    }
}

/// The answer to a question: for people and for programs.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// For people.
    pub blocks: Vec<Block>,
    /// For programs.
    pub json: Value,
    /// Whether the answer is yes, or all figures are as expected; the exit status follows it.
    pub good: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_thousands_are_separated() {
        for (n, s) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (362_931, "362,931"), (82_725_530, "82,725,530")]
        {
            assert_eq!(grouped(n), s);
        }
    }
}
