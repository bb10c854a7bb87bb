//! Text in the two languages yomikiri speaks.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Japanese.
    Ja,
}

/// A piece of text in both languages; whoever shows it picks one. It cannot be printed without picking.
/// In JSON it is `{"en": …, "ja": …}`, or a plain string where both languages say the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The English wording.
    pub en: Cow<'static, str>,
    /// The Japanese wording.
    pub ja: Cow<'static, str>,
}

/// A fixed text, usable in constants.
pub const fn text(en: &'static str, ja: &'static str) -> Text {
    Text { en: Cow::Borrowed(en), ja: Cow::Borrowed(ja) }
}

impl Text {
    /// A text made at run time, with the wording of each language.
    pub fn of(en: impl Into<String>, ja: impl Into<String>) -> Text {
        Text { en: Cow::Owned(en.into()), ja: Cow::Owned(ja.into()) }
    }

    /// Words that are the same in both languages: numbers, notation, commands.
    pub fn same(both: impl Into<String>) -> Text {
        let both = both.into();
        Text { en: Cow::Owned(both.clone()), ja: Cow::Owned(both) }
    }

    /// Whether it says nothing in either language.
    pub fn is_empty(&self) -> bool {
        self.en.is_empty() && self.ja.is_empty()
    }

    /// The wording in one language.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Ja => &self.ja,
        }
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.en == self.ja {
            return to.serialize_str(&self.en);
        }
        let mut both = to.serialize_struct("Text", 2)?;
        both.serialize_field("en", &self.en)?;
        both.serialize_field("ja", &self.ja)?;
        both.end()
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Same(String),
            Both { en: String, ja: String },
        }
        Ok(match Written::deserialize(from)? {
            Written::Same(both) => Text::same(both),
            Written::Both { en, ja } => Text::of(en, ja),
        })
    }
}

/// So many of something in English.
///
/// ```
/// use yomikiri_core::text::counted;
/// assert_eq!((counted(1, "ply", "plies"), counted(1_000, "row", "rows")), ("1 ply".into(), "1,000 rows".into()));
/// ```
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A whole number with separators between thousands, as both languages write it.
///
/// ```
/// assert_eq!(yomikiri_core::text::grouped(1_234_567), "1,234,567");
/// ```
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
