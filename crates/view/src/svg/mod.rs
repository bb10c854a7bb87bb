//! Pictures of reports as SVG: text stays text, fonts are named by family, and colours are CSS variables, so that one
//! picture serves a light and a dark page. The variables are those of [`TOKENS`].

pub mod scene;

use yomikiri_core::Lang;

/// The colours of pages and pictures: CSS variables for light, and for dark where the reader prefers it.
pub const TOKENS: &str = include_str!("../../../../web/tokens.css");

/// Text that may stand in HTML, SVG and their attributes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Control characters are not allowed in XML, line breaks and tabs aside.
            c if c.is_control() && !"\n\t".contains(c) => {}
            c => out.push(c),
        }
    }
    out
}

/// A picture as a file of its own: with the colours it needs and a ground to stand on.
pub fn standalone(svg: &str, lang: Lang) -> String {
    let language = if lang == Lang::Ja { "ja" } else { "en" };
    match svg.split_once('>') {
        Some((head, rest)) => format!(
            "{head} lang=\"{language}\" style=\"background:var(--sheet)\"><style>{TOKENS}</style>{rest}\n"
        ),
        None => svg.to_owned(),
    }
}
