//! Reports for the terminal.

mod plot;
mod table;
mod width;

use std::io::{self, IsTerminal};
use yomikiri_core::Lang;
use yomikiri_view::report::{Block, Tone};

/// How to draw for whoever looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The language.
    pub lang: Lang,
    /// Whether to use colours.
    pub color: bool,
    /// Columns to wrap words at; none where lines may be as long as they are, as in a file.
    pub width: Option<usize>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl When {
    /// The words of `--color`.
    pub fn parse(word: &str) -> Option<When> {
        match word {
            "auto" => Some(When::Auto),
            "always" => Some(When::Always),
            "never" => Some(When::Never),
            _ => None,
        }
    }

    /// Whether to use colours on a stream.
    pub fn holds(self, stream: &impl IsTerminal) -> bool {
        match self {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}

impl Look {
    /// The look of standard output.
    pub fn of_stdout(lang: Lang, when: When) -> Look {
        let width = io::stdout()
            .is_terminal()
            .then(|| terminal_size::terminal_size().map_or(80, |size| usize::from(size.0.0)));
        Look { lang, color: when.holds(&io::stdout()), width }
    }

    /// Text in a tone.
    pub fn paint(&self, text: &str, tone: Tone) -> String {
        let code = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Strong => "1",
            Tone::Good => "32",
            Tone::Warn => "33",
            Tone::Bad => "1;31",
            Tone::Dim => "2",
        };
        self.ansi(text, code)
    }

    fn ansi(&self, text: &str, code: &str) -> String {
        if self.color && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A report, with an empty line between its blocks.
pub fn report(blocks: &[Block], look: &Look) -> String {
    let mut out = String::new();
    for block in blocks {
        if !out.is_empty() {
            out.push('\n');
        }
        match block {
            Block::Heading(words) => {
                out.push_str(&look.paint(words.get(look.lang), Tone::Strong));
                out.push('\n');
            }
            Block::Paragraph(words) => {
                for line in width::wrap(words.get(look.lang), look.width) {
                    out.push_str(&line);
                    out.push('\n');
                }
            }
            Block::Facts(facts) => table::facts(facts, look, &mut out),
            Block::Table(table) => table::table(table, look, &mut out),
            Block::Plot(plot) => plot::plot(plot, look, &mut out),
            Block::Heat(heat) => table::table(&heat.table(), look, &mut out),
            Block::Bars(bars) => table::table(&bars.table(), look, &mut out),
            Block::Scene { caption, plain, .. } => {
                out.push_str(&look.paint(caption.get(look.lang), Tone::Strong));
                out.push('\n');
                let lines = plain.get(look.lang).trim_end_matches('\n');
                if !lines.is_empty() {
                    out.push_str(lines);
                    out.push('\n');
                }
            }
            Block::Drawing(lines) => {
                out.push_str(lines.get(look.lang));
                if !out.ends_with('\n') {
                    out.push('\n');
                }
            }
        }
    }
    if look.color { suits(&out) } else { out }
}

/// Cards in the colours of their suits, four of them as on the page; spades as everything else. Whatever tone they stand in
/// goes on after them.
fn suits(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['♥', '♦', '♣']) {
        let (before, card) = rest.split_at(at);
        let code = match card.chars().next() {
            Some('♥') => "31",
            Some('♦') => "94",
            _ => "32",
        };
        // The sign and the rank after it.
        let rank = card.char_indices().skip(1).find(|(_, c)| !c.is_ascii_alphanumeric());
        let (card, after) = card.split_at(rank.map_or(card.len(), |(end, _)| end));
        out.push_str(&format!("{before}\x1b[{code}m{card}\x1b[39m"));
        rest = after;
    }
    out + rest
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use yomikiri_core::text;
    use yomikiri_view::report::Cell;

    /// A look without colours or wrapping.
    pub fn plain(lang: Lang) -> Look {
        Look { lang, color: false, width: None }
    }

    #[test]
    fn law_blocks_are_set_apart() {
        let blocks = [
            Block::Heading(text("Values", "値")),
            Block::Paragraph(text("All of them.", "すべての値。")),
            Block::Facts(vec![
                (text("win rate", "勝率"), Cell::from("1/2").tone(Tone::Strong)),
                (text("n", "数"), "7".into()),
            ]),
            Block::Drawing(text("[ ] [ ]\n", "［ ］［ ］\n")),
        ];
        assert_eq!(
            report(&blocks, &plain(Lang::En)),
            "Values\n\nAll of them.\n\nwin rate  1/2\nn         7\n\n[ ] [ ]\n"
        );
        assert_eq!(
            report(&blocks, &plain(Lang::Ja)),
            "値\n\nすべての値。\n\n勝率  1/2\n数    7\n\n［ ］［ ］\n"
        );
    }

    #[test]
    fn law_colours_are_only_added() {
        let look = Look { lang: Lang::En, color: true, width: None };
        assert_eq!(look.paint("x", Tone::Bad), "\x1b[1;31mx\x1b[0m");
        assert_eq!(look.paint("x", Tone::Plain), "x");
        assert_eq!(plain(Lang::En).paint("x", Tone::Bad), "x");
    }
}
