//! Which language to speak: known before the arguments are parsed, because their help is in it.

use std::ffi::OsString;
use yomikiri_core::Lang;

/// One of two fixed wordings.
pub fn pick(lang: Lang, en: &'static str, ja: &'static str) -> &'static str {
    match lang {
        Lang::En => en,
        Lang::Ja => ja,
    }
}

/// The language a word of `--lang` stands for.
pub fn parse(word: &str) -> Option<Lang> {
    match word {
        "en" => Some(Lang::En),
        "ja" => Some(Lang::Ja),
        _ => None,
    }
}

/// The language of a command line: `--lang`, else the first locale variable that is set.
pub fn detect(args: &[OsString], env: impl Fn(&str) -> Option<String>) -> Lang {
    if let Some(lang) = flag_value(args, "--lang").and_then(parse) {
        return lang;
    }
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| env(name).filter(|value| !value.is_empty()))
        .unwrap_or_default();
    if locale.starts_with("ja") { Lang::Ja } else { Lang::En }
}

/// The last value a flag is given, read without knowing the rest of the command line.
pub fn flag_value<'a>(args: &'a [OsString], flag: &str) -> Option<&'a str> {
    let mut found = None;
    let mut words = args.iter().skip(1).map(|a| a.to_str().unwrap_or(""));
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if word == flag {
            found = words.next().or(found);
        } else if let Some(value) = word.strip_prefix(flag).and_then(|rest| rest.strip_prefix('=')) {
            found = Some(value);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn law_the_flag_wins_over_the_locale() {
        let japanese = |name: &str| (name == "LANG").then(|| "ja_JP.UTF-8".to_owned());
        assert_eq!(detect(&args("yomikiri games"), japanese), Lang::Ja);
        assert_eq!(detect(&args("yomikiri games --lang en"), japanese), Lang::En);
        assert_eq!(detect(&args("yomikiri --lang=ja games"), |_| None), Lang::Ja);
        assert_eq!(detect(&args("yomikiri --lang xx games"), |_| None), Lang::En);
        assert_eq!(detect(&args("yomikiri -- --lang ja"), |_| None), Lang::En);
        assert_eq!(detect(&args("yomikiri --lang"), |_| None), Lang::En);
    }

    #[test]
    fn law_the_first_locale_variable_that_is_set_decides() {
        let env = |name: &str| match name {
            "LC_ALL" => Some(String::new()),
            "LC_MESSAGES" => Some("C".to_owned()),
            _ => Some("ja_JP.UTF-8".to_owned()),
        };
        assert_eq!(detect(&args("yomikiri"), env), Lang::En);
    }
}
