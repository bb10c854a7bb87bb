//! Parameters: declared once by a game, checked in one place for every face.

use std::collections::BTreeMap;
use yomikiri_core::{Refusal, Text, text};

/// What a parameter takes.
#[derive(Clone, Debug)]
pub enum Domain {
    /// A whole number in a range, ends included.
    Int {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of some words, each with what it means.
    Choice(&'static [(&'static str, Text)]),
    /// Words of the game's own, such as a list or a position.
    Text {
        /// What is accepted, in words.
        accepts: Text,
        /// Says why a text is not accepted.
        check: fn(&str) -> Result<(), Refusal>,
    },
}

/// A parameter of a game or of a study.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name, which is also its flag.
    pub name: &'static str,
    /// What it takes.
    pub domain: Domain,
    /// Its value if none is given, as it would be typed.
    pub default: &'static str,
    /// What it is.
    pub help: Text,
}

impl Param {
    /// A whole number within bounds.
    pub const fn int(name: &'static str, min: i64, max: i64, default: &'static str, help: Text) -> Param {
        Param { name, domain: Domain::Int { min, max }, default, help }
    }

    /// What it accepts, in words.
    pub fn accepts(&self) -> Text {
        match &self.domain {
            Domain::Int { min, max } => {
                Text::of(format!("a whole number from {min} to {max}"), format!("{min}～{max}の整数"))
            }
            Domain::Choice(words) => Text::same(words.iter().map(|w| w.0).collect::<Vec<_>>().join(", ")),
            Domain::Text { accepts, .. } => accepts.clone(),
        }
    }

    fn check(&self, given: &str) -> Result<Setting, Refusal> {
        let refuse = || Refusal::new(self.name, format!("\"{given}\""), self.accepts());
        match &self.domain {
            Domain::Int { min, max } => match given.trim().parse::<i64>() {
                Ok(n) if (*min..=*max).contains(&n) => Ok(Setting::Int(n)),
                _ => Err(refuse()),
            },
            Domain::Choice(words) => match words.iter().find(|w| w.0 == given.trim()) {
                Some(word) => Ok(Setting::Word(word.0)),
                None => Err(refuse()),
            },
            // Whatever part of the text is at fault, the parameter is what a person can change.
            Domain::Text { check, .. } => match check(given) {
                Ok(()) => Ok(Setting::Text(given.to_owned())),
                Err(refusal) => Err(Refusal { field: self.name.into(), ..refusal }),
            },
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Setting {
    Int(i64),
    Word(&'static str),
    Text(String),
}

/// Checked values for all parameters of a game or study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    values: BTreeMap<&'static str, Setting>,
    given: Vec<&'static str>,
}

impl Settings {
    /// Checks what was given against the declarations; the rest takes its default.
    ///
    /// # Errors
    /// A parameter that is not declared and a value that is not accepted are refused by the name of the parameter.
    pub fn new<'a>(
        params: &[Param],
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Settings, Refusal> {
        let mut settings = Settings { values: BTreeMap::new(), given: Vec::new() };
        for param in params {
            // An empty text stands for none, which a person cannot give where something is wanted.
            let none = matches!(param.domain, Domain::Text { .. }) && param.default.is_empty();
            let default = if none { Setting::Text(String::new()) } else { param.check(param.default)? };
            settings.values.insert(param.name, default);
        }
        for (name, value) in given {
            let Some(param) = params.iter().find(|p| p.name == name) else {
                let names: Vec<&str> = params.iter().map(|p| p.name).collect();
                let names = if names.is_empty() { "–".to_owned() } else { names.join(", ") };
                return Err(Refusal::of(
                    name,
                    text("an unknown parameter", "未知のパラメータ"),
                    Text::same(names),
                ));
            };
            settings.values.insert(param.name, param.check(value)?);
            settings.given.push(param.name);
        }
        Ok(settings)
    }

    /// A number.
    ///
    /// # Panics
    /// If no such parameter is declared as a number: a mistake in the game, not in the input.
    pub fn int(&self, name: &str) -> i64 {
        match self.values.get(name) {
            Some(Setting::Int(n)) => *n,
            _ => panic!("parameter {name} is not declared as a number"),
        }
    }

    /// A word.
    ///
    /// # Panics
    /// If no such parameter is declared as a choice: a mistake in the game, not in the input.
    pub fn word(&self, name: &str) -> &'static str {
        match self.values.get(name) {
            Some(Setting::Word(word)) => word,
            _ => panic!("parameter {name} is not declared as a choice"),
        }
    }

    /// A text.
    ///
    /// # Panics
    /// If no such parameter is declared as a text: a mistake in the game, not in the input.
    pub fn text(&self, name: &str) -> &str {
        match self.values.get(name) {
            Some(Setting::Text(text)) => text,
            _ => panic!("parameter {name} is not declared as a text"),
        }
    }

    /// A name for what is made of these settings of something.
    pub fn named(&self, of: &str) -> String {
        let mut name = of.to_owned();
        for (param, value) in self.pairs() {
            name.push_str(&format!(" {param}={value:?}"));
        }
        name
    }

    /// The settings in words, if there are any.
    pub fn words(&self) -> Option<String> {
        let words: Vec<String> = self.pairs().map(|(name, value)| format!("{name} {value}")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// All parameters with their values, by name.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.values.iter().map(|(name, value)| {
            let value = match value {
                Setting::Int(n) => n.to_string(),
                Setting::Word(word) => (*word).to_owned(),
                Setting::Text(text) => text.clone(),
            };
            (*name, value)
        })
    }

    /// Whether a value was given rather than left to the default.
    pub fn given(&self, name: &str) -> bool {
        self.given.contains(&name)
    }
}
