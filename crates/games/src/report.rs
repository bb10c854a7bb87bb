//! What a computation has to say, without saying how it looks: blocks of text, facts, tables and plots
//! that the terminal, the page and files each show in their way, beside the same content as JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use yomikiri_core::{Text, text};

/// What kind of number a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Computed without any error, or to the last digit shown.
    Exact,
    /// Proved to lie on one side.
    Bound,
    /// Estimated from a sample; the interval is shown with it.
    Sampled,
}

impl Certainty {
    /// The word for it.
    pub fn word(self) -> Text {
        match self {
            Certainty::Exact => text("exact", "厳密"),
            Certainty::Bound => text("bound", "上下界"),
            Certainty::Sampled => text("sampled", "標本推定"),
        }
    }
}

/// How a cell wants to be seen; never the only carrier of its meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// Text with a tone.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What it says.
    pub text: Text,
    /// How it wants to be seen.
    pub tone: Tone,
}

impl Cell {
    /// The same cell in another tone.
    pub fn tone(mut self, tone: Tone) -> Cell {
        self.tone = tone;
        self
    }
}

impl From<Text> for Cell {
    fn from(text: Text) -> Cell {
        Cell { text, tone: Tone::Plain }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its head.
    pub head: Text,
    /// Where its text stands.
    pub align: Align,
}

/// A table. Every row has a cell for every column.
#[derive(Clone, Debug)]
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

/// How numbers are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equally long.
    #[default]
    Linear,
    /// Equal factors are equally long; numbers that are not above 0 are left out.
    Log,
}

/// A plot of one or more series over the same axes.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: Text,
    /// The horizontal axis.
    pub x: Text,
    /// The vertical axis.
    pub y: Text,
    /// How the vertical axis is laid out.
    pub scale: Scale,
    /// The series: a name and its points.
    pub series: Vec<(Text, Vec<(f64, f64)>)>,
    /// A horizontal line to compare with.
    pub reference: Option<f64>,
}

/// A piece of a report.
#[derive(Clone, Debug)]
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
    /// Lines whose layout matters, such as a board.
    Drawing(Text),
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

/// A whole number with separators between thousands.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
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
