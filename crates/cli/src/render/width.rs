//! The columns text takes on a terminal, and wrapping by them. East Asian letters take two.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns a text takes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Breaks text into lines of at most so many columns, between words and between wide letters; only a
/// word longer than a line makes one longer. Without a limit, only at its own line breaks.
pub fn wrap(text: &str, limit: Option<usize>) -> Vec<String> {
    let Some(limit) = limit else { return text.split('\n').map(str::to_owned).collect() };
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        let mut used = 0;
        let mut space = 0;
        for piece in pieces(paragraph) {
            if piece.trim().is_empty() {
                space = width(piece);
                continue;
            }
            let wide = width(piece);
            if used > 0 && used + space + wide > limit {
                lines.push(std::mem::take(&mut line));
                used = 0;
            } else {
                // Spaces at the beginning are an indent and stay.
                line.extend(std::iter::repeat_n(' ', space));
                used += space;
            }
            line.push_str(piece);
            used += wide;
            space = 0;
        }
        lines.push(line);
    }
    lines
}

/// Cuts text where a line may break: around spaces and between wide letters, but not before closing or
/// after opening marks.
fn pieces(text: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        if let Some(b) = before {
            let cut = match (b == ' ', c == ' ') {
                (true, true) => false,
                (true, false) | (false, true) => true,
                (false, false) => (is_wide(b) || is_wide(c)) && !closes(c) && !opens(b),
            };
            if cut {
                cuts.push(at);
            }
        }
        before = Some(c);
    }
    cuts.push(text.len());
    cuts.windows(2).map(|w| &text[w[0]..w[1]]).filter(|piece| !piece.is_empty()).collect()
}

fn is_wide(c: char) -> bool {
    UnicodeWidthChar::width(c) == Some(2)
}

fn closes(c: char) -> bool {
    "、。，．：；？！）」』】〕］｝〉》・ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々～%)]},.;:!?".contains(c)
}

fn opens(c: char) -> bool {
    "（「『【〔［｛〈《([{".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_no_wrapped_line_is_too_wide() {
        let text = "神経衰弱（しんけいすいじゃく）は、伏せたカードを2枚ずつめくるゲームです。Memory is a game of turning cards.";
        for limit in 12..60 {
            let lines = wrap(text, Some(limit));
            for line in &lines {
                assert!(width(line) <= limit, "{limit}: {line}");
                assert!(!line.starts_with(['、', '。', '）']), "{limit}: {line}");
                assert!(!line.ends_with('（'), "{limit}: {line}");
            }
            let letters = |s: &str| s.chars().filter(|c| *c != ' ').collect::<String>();
            assert_eq!(letters(&lines.concat()), letters(text));
        }
    }

    #[test]
    fn law_words_stay_whole_and_breaks_are_kept() {
        assert_eq!(wrap("one two  three", Some(7)), ["one two", "three"]);
        assert_eq!(wrap("a verylongword b", Some(5)), ["a", "verylongword", "b"]);
        assert_eq!(wrap("a\n\n  b", Some(5)), ["a", "", "  b"]);
        assert_eq!(wrap("one two", None), ["one two"]);
    }
}
