//! Tables and labelled values in columns.

use super::width::{width, wrap};
use super::{Look, Tone};
use yomikiri_core::Text;
use yomikiri_view::report::{Align, Cell, Table};

/// Space between columns.
const GAP: usize = 2;
/// A column of words is not wrapped into less than this ...
const NARROWEST: usize = 20;
/// ... unless the table would be too wide all the same.
const CRAMPED: usize = 12;

/// A table: title, heads, a rule, rows.
pub fn table(table: &Table, look: &Look, out: &mut String) {
    let columns = table.columns.len();
    let mut widths: Vec<usize> = table.columns.iter().map(|c| width(c.head.get(look.lang))).collect();
    for row in &table.rows {
        for (cell, most) in row.iter().zip(&mut widths) {
            let widest = cell.text.get(look.lang).lines().map(width).max().unwrap_or(0);
            *most = (*most).max(widest);
        }
    }
    // Words may wrap, the widest column first, and numbers never.
    let natural = widths.clone();
    if let Some(limit) = look.width {
        for least in [NARROWEST, CRAMPED] {
            loop {
                let excess = (widths.iter().map(|w| w + GAP).sum::<usize>()).saturating_sub(limit + GAP);
                let wraps = |at: &usize| table.columns[*at].align == Align::Left && widths[*at] > least;
                let widest = (0..columns).filter(wraps).max_by_key(|at| widths[*at]);
                match widest {
                    Some(at) if excess > 0 => widths[at] = widths[at].saturating_sub(excess).max(least),
                    _ => break,
                }
            }
        }
    }

    let title = table.title.get(look.lang);
    if !title.is_empty() {
        out.push_str(&look.paint(title, Tone::Strong));
        out.push('\n');
    }
    let mut line = |cells: &[(Vec<String>, Tone)]| {
        let height = cells.iter().map(|c| c.0.len()).max().unwrap_or(0);
        for part in 0..height {
            let mut filled = String::new();
            let mut owed = 0;
            for (at, (lines, tone)) in cells.iter().enumerate() {
                let words = lines.get(part).map_or("", String::as_str);
                let spare = widths.get(at).copied().unwrap_or(0).saturating_sub(width(words));
                let right = table.columns.get(at).is_some_and(|c| c.align == Align::Right);
                owed += if right { spare } else { 0 };
                if !words.is_empty() {
                    // Spaces are owed until something follows, so that no line ends in them.
                    filled.extend(std::iter::repeat_n(' ', owed));
                    owed = 0;
                    filled.push_str(&look.paint(words, *tone));
                }
                owed += if right { 0 } else { spare } + GAP;
            }
            out.push_str(&filled);
            out.push('\n');
        }
    };
    let heads: Vec<_> =
        table.columns.iter().map(|c| (vec![c.head.get(look.lang).to_owned()], Tone::Plain)).collect();
    if heads.iter().any(|h| !h.0[0].is_empty()) {
        line(&heads);
        let rules: Vec<_> = widths.iter().map(|w| (vec!["─".repeat(*w)], Tone::Dim)).collect();
        line(&rules);
    }
    for row in &table.rows {
        let cells: Vec<_> = row
            .iter()
            .enumerate()
            .map(|(at, cell)| {
                let limit = widths.get(at).copied().filter(|w| natural.get(at) > Some(w));
                (wrap(cell.text.get(look.lang), limit), cell.tone)
            })
            .collect();
        line(&cells);
    }
}

/// Labels on the left, their values in a column beside them.
pub fn facts(facts: &[(Text, Cell)], look: &Look, out: &mut String) {
    let widest = facts.iter().map(|f| width(f.0.get(look.lang))).max().unwrap_or(0);
    let room = look.width.map(|limit| limit.saturating_sub(widest + GAP).max(NARROWEST));
    for (label, value) in facts {
        let label = label.get(look.lang);
        for (at, line) in wrap(value.text.get(look.lang), room).iter().enumerate() {
            let (first, used) = if at == 0 { (label, width(label)) } else { ("", 0) };
            out.push_str(first);
            if !line.is_empty() {
                out.extend(std::iter::repeat_n(' ', widest - used + GAP));
                out.push_str(&look.paint(line, value.tone));
            }
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plain;
    use super::*;
    use yomikiri_core::{Lang, text};

    fn moves() -> Table {
        let mut table = Table::new(
            text("Moves", "手"),
            &[text("move", "手"), text("value>", "値>"), text("what it does", "内容")],
        );
        table.row([
            text("flip", "めくる").into(),
            "0.5".into(),
            text("turns a card", "カードをめくる").into(),
        ]);
        table.row([text("pass", "パスする").into(), "-12.25".into(), text("ends", "終わる").into()]);
        table
    }

    fn drawn(look: &Look) -> String {
        let mut out = String::new();
        table(&moves(), look, &mut out);
        out
    }

    #[test]
    fn law_japanese_columns_line_up() {
        assert_eq!(
            drawn(&plain(Lang::Ja)),
            "手\n\
             手            値  内容\n\
             ────────  ──────  ──────────────\n\
             めくる       0.5  カードをめくる\n\
             パスする  -12.25  終わる\n"
        );
        assert_eq!(
            drawn(&plain(Lang::En)),
            "Moves\n\
             move   value  what it does\n\
             ────  ──────  ────────────\n\
             flip     0.5  turns a card\n\
             pass  -12.25  ends\n"
        );
    }

    #[test]
    fn law_words_wrap_and_numbers_never() {
        let mut wide = Table::new(text("", ""), &[text("number>", "数>"), text("note", "備考")]);
        wide.row(["123456789".into(), "a note of many words that does not fit at all in one line".into()]);
        let mut out = String::new();
        table(&wide, &Look { lang: Lang::En, color: false, width: Some(40) }, &mut out);
        assert!(out.lines().all(|line| width(line) <= 40), "{out}");
        assert!(out.contains("\n           "), "continued under its column: {out}");

        let mut both = Table::new(text("", ""), &[text("words", "語"), text("n>", "n>"), text("more", "語")]);
        both.row([
            "one two three ".repeat(4).trim_end().into(),
            "12".into(),
            "four five ".repeat(3).trim_end().into(),
        ]);
        let mut out = String::new();
        table(&both, &Look { lang: Lang::En, color: false, width: Some(60) }, &mut out);
        assert!(out.lines().all(|line| width(line) <= 60), "{out}");
        assert!(out.contains("12  four five four five four five\n"), "only the widest had to wrap: {out}");

        let mut numbers = Table::new(text("", ""), &[text("a", "a"), text("n>", "n>")]);
        numbers.row(["x".into(), "1".repeat(60).into()]);
        let mut out = String::new();
        table(&numbers, &Look { lang: Lang::En, color: false, width: Some(40) }, &mut out);
        assert!(out.contains(&"1".repeat(60)));
    }

    #[test]
    fn law_colours_do_not_move_columns() {
        let mut out = String::new();
        let mut toned = moves();
        toned.rows[0][1].tone = Tone::Good;
        table(&toned, &Look { lang: Lang::En, color: true, width: None }, &mut out);
        let bare =
            out.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[32m", "").replace("\x1b[0m", "");
        assert_eq!(bare, drawn(&plain(Lang::En)));
        assert!(out.contains("\x1b[32m0.5\x1b[0m"));
    }

    #[test]
    fn law_long_facts_hang_beside_their_label() {
        let value = "words and more words and even more words than fit in a line";
        let mut out = String::new();
        facts(
            &[(text("label", "名"), value.into())],
            &Look { lang: Lang::En, color: false, width: Some(40) },
            &mut out,
        );
        assert!(out.lines().count() > 1);
        assert!(out.lines().skip(1).all(|line| line.starts_with("       ") && width(line) <= 40), "{out}");
    }
}
