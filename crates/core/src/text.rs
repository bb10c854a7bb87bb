//! Text in the two languages yomikiri speaks.

use serde::{Deserialize, Serialize};
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    /// The wording in one language.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Ja => &self.ja,
        }
    }
}
