//! What a table is, as JSON beside its arrays.

use crate::npy;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use yomikiri_core::Text;
use yomikiri_games::params::Settings;
use yomikiri_games::tables::{Number, Plan, Tier};

/// The file's name.
pub const MANIFEST: &str = "manifest.json";
/// What the manifest of a table calls itself.
const FORMAT: &str = "yomikiri table";
/// The version of the format. Another one means something else and is refused.
const VERSION: u64 = 1;
/// The longest manifest that is looked at: one of a game a hundred times as large as any that fits a disk.
pub(crate) const LONGEST: u64 = 64 << 20;
/// A digest as it is written.
const DIGEST: usize = 64;

/// A file of a table as the manifest lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// What the plan says about it.
    pub tier: Tier,
    /// Bytes of the file.
    pub bytes: u64,
    /// BLAKE3 of the file, in hexadecimal digits.
    pub blake3: String,
}

impl Listed {
    /// The name of the file of a tier.
    pub fn file(tier: &Tier) -> String {
        format!("{}.npy", tier.name)
    }

    /// Bytes of the file of a tier; beyond what a number can hold, the most it can.
    pub fn length(tier: &Tier) -> u64 {
        let header = npy::write(tier.number, tier.count).len() as u64;
        tier.count.saturating_mul(tier.number.bytes()).saturating_add(header)
    }
}

/// What the manifest of a table says, words for people aside.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The program that built it.
    pub program: String,
    /// The game.
    pub game: String,
    /// Its parameters as they are typed.
    pub parameters: BTreeMap<String, String>,
    /// How positions are numbered.
    pub index: Value,
    /// The arrays.
    pub files: Vec<Listed>,
    /// Whether it is as it was written.
    pub seal: Seal,
}

/// What a manifest says of itself: BLAKE3 of all the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// The digest is right.
    Right,
    /// Something was changed.
    Wrong,
    /// There is none: older programs wrote none.
    Missing,
}

/// The key of the digest.
const SEAL: &str = "blake3";

/// The digest of a manifest: of its JSON without the digest, in one line, with the keys of objects in order.
fn seal(manifest: &Value) -> String {
    let mut rest = manifest.clone();
    rest.as_object_mut().map(|all| all.remove(SEAL));
    blake3::hash(rest.to_string().as_bytes()).to_hex().to_string()
}

impl Manifest {
    /// The manifest of a finished table.
    pub fn of(game: &str, settings: &Settings, plan: &Plan, digests: &[String]) -> Manifest {
        let files = plan.tiers.iter().zip(digests).map(|(tier, digest)| Listed {
            tier: tier.clone(),
            bytes: Listed::length(tier),
            blake3: digest.clone(),
        });
        Manifest {
            program: format!("yomikiri {}", env!("CARGO_PKG_VERSION")),
            game: game.to_owned(),
            parameters: settings.pairs().map(|(name, value)| (name.to_owned(), value)).collect(),
            index: plan.index.clone(),
            files: files.collect(),
            seal: Seal::Right,
        }
    }

    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.bytes))
    }

    /// Numbers in all arrays together.
    pub fn values(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.tier.count))
    }

    /// The text of the file, one line a key and a line a tier, with the plan's words for people.
    pub fn to_text(&self, plan: &Plan) -> String {
        let tiers: Vec<String> = self
            .files
            .iter()
            .map(|f| {
                format!(
                    "    {{\"file\": {}, \"numbers\": \"{}\", \"count\": {}, \"bytes\": {}, \"blake3\": \"{}\", \"about\": {}}}",
                    json!(Listed::file(&f.tier)),
                    f.tier.number.descr(),
                    f.tier.count,
                    f.bytes,
                    f.blake3,
                    Value::Object(f.tier.about.clone())
                )
            })
            .collect();
        let index = json!({"words": plan.words, "rule": self.index});
        let lines = [
            ("format", json!(FORMAT)),
            ("version", json!(VERSION)),
            ("program", json!(self.program)),
            ("game", json!(self.game)),
            ("parameters", json!(self.parameters)),
            ("objective", json!(plan.objective)),
            ("exactness", json!(plan.exactness)),
            ("index", index),
            ("values", json!(self.values())),
            ("bytes", json!(self.bytes())),
        ];
        let lines: Vec<String> = lines.iter().map(|(key, value)| format!("  \"{key}\": {value}")).collect();
        let text = |last: &str| {
            format!("{{\n{},\n  \"tiers\": [\n{}\n  ]{last}\n}}\n", lines.join(",\n"), tiers.join(",\n"))
        };
        let digest = serde_json::from_str(&text("")).map(|all| seal(&all)).unwrap_or_default();
        text(&format!(",\n  \"{SEAL}\": \"{digest}\""))
    }

    /// Reads the text of a manifest; what is wrong with it, if anything is.
    pub fn read(text: &str) -> Result<Manifest, Text> {
        let all: Value = serde_json::from_str(text)
            .map_err(|e| Text::of(format!("it is not JSON: {e}"), format!("JSON ではありません：{e}")))?;
        let all = Node { path: String::new(), value: &all };
        if all.get("format")?.text()? != FORMAT {
            return Err(all.get("format")?.refuse(&format!("\"{FORMAT}\""), &format!("\"{FORMAT}\"")));
        }
        let version = all.get("version")?;
        if version.number()? != VERSION {
            return Err(version.refuse(
                &format!("{VERSION}, the version of the format this program knows"),
                &format!("{VERSION}（このプログラムの知る形式の版）"),
            ));
        }
        let mut parameters = BTreeMap::new();
        for (name, value) in all.get("parameters")?.object()? {
            let path = format!("parameters.{name}");
            parameters.insert(name.clone(), Node { path, value }.text()?.to_owned());
        }
        let mut files = Vec::new();
        for (i, value) in all.get("tiers")?.list()?.iter().enumerate() {
            files.push(Node { path: format!("tiers[{i}]"), value }.listed()?);
        }
        let seal = match all.value.get(SEAL) {
            None => Seal::Missing,
            Some(digest) if *digest == seal(all.value) => Seal::Right,
            Some(_) => Seal::Wrong,
        };
        let manifest = Manifest {
            seal,
            program: all.get("program")?.text()?.to_owned(),
            game: all.get("game")?.text()?.to_owned(),
            parameters,
            index: all.get("index")?.get("rule")?.value.clone(),
            files,
        };
        for (key, is) in [("values", manifest.values()), ("bytes", manifest.bytes())] {
            let said = all.get(key)?;
            if said.number()? != is {
                return Err(
                    said.refuse(&format!("{is}, the sum over the tiers"), &format!("{is}（各階層の合計）"))
                );
            }
        }
        Ok(manifest)
    }

    /// What differs from the table the game would build, if anything does.
    pub fn differs(&self, plan: &Plan) -> Option<Text> {
        let differs = |path: &str, said: String, is: String| {
            Some(Text::of(
                format!("{path}: {said}, where the game has {is}"),
                format!("{path}：{said} ですが、ゲームでは {is} です"),
            ))
        };
        if self.index != plan.index {
            return Some(Text::of(
                "index.rule: positions are numbered in another way than by this program",
                "index.rule：局面の番号の付け方がこのプログラムと違います",
            ));
        }
        if self.files.len() != plan.tiers.len() {
            return differs("tiers", self.files.len().to_string(), plan.tiers.len().to_string());
        }
        for (i, (file, tier)) in self.files.iter().zip(&plan.tiers).enumerate() {
            let Tier { name, number, count, about } = &file.tier;
            let at = |key: &str| format!("tiers[{i}].{key}");
            if *name != tier.name {
                return differs(&at("file"), name.clone(), tier.name.clone());
            }
            if *number != tier.number {
                return differs(&at("numbers"), number.descr().into(), tier.number.descr().into());
            }
            if *count != tier.count {
                return differs(&at("count"), count.to_string(), tier.count.to_string());
            }
            if *about != tier.about {
                return differs(&at("about"), short(about), short(&tier.about));
            }
            let length = Listed::length(tier);
            if file.bytes != length {
                return differs(&at("bytes"), file.bytes.to_string(), length.to_string());
            }
        }
        None
    }
}

fn short(about: &Map<String, Value>) -> String {
    cut(Value::Object(about.clone()).to_string())
}

/// As much of a text as fits a line.
fn cut(mut text: String) -> String {
    if let Some((at, _)) = text.char_indices().nth(80) {
        text.truncate(at);
        text.push('…');
    }
    text
}

/// A part of a manifest and where it is.
struct Node<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> Node<'a> {
    fn refuse(&self, en: &str, ja: &str) -> Text {
        let (path, got) = (&self.path, cut(self.value.to_string()));
        let path = if path.is_empty() { "." } else { path };
        Text::of(
            format!("{path}: got {got}; accepted: {en}"),
            format!("{path}：{got} は受け付けられません。受け付けるもの：{ja}"),
        )
    }

    fn get(&self, key: &str) -> Result<Node<'a>, Text> {
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{key}", self.path);
        match self.object()?.get(key) {
            Some(value) => Ok(Node { path, value }),
            None => Err(Text::of(format!("{path} is missing"), format!("{path} がありません"))),
        }
    }

    fn object(&self) -> Result<&'a Map<String, Value>, Text> {
        self.value.as_object().ok_or_else(|| self.refuse("an object", "オブジェクト"))
    }

    fn list(&self) -> Result<&'a Vec<Value>, Text> {
        self.value.as_array().ok_or_else(|| self.refuse("a list", "配列"))
    }

    fn text(&self) -> Result<&'a str, Text> {
        self.value.as_str().ok_or_else(|| self.refuse("a text", "文字列"))
    }

    fn number(&self) -> Result<u64, Text> {
        self.value.as_u64().ok_or_else(|| self.refuse("a whole number from 0", "0以上の整数"))
    }

    fn listed(&self) -> Result<Listed, Text> {
        let file = self.get("file")?;
        let name = file.text()?.strip_suffix(".npy").filter(|name| {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
            (1..=100).contains(&name.len()) && name.chars().all(plain)
        });
        let name = name.ok_or_else(|| {
            file.refuse(
                "letters, digits and hyphens that end in .npy",
                "英数字とハイフンで .npy で終わる名前",
            )
        })?;
        let numbers = self.get("numbers")?;
        let descr = numbers.text()?;
        let number = Number::ALL.into_iter().find(|n| n.descr() == descr);
        let number = number.ok_or_else(|| numbers.refuse("\"<f8\", \"<u2\"", "\"<f8\", \"<u2\""))?;
        let digest = self.get("blake3")?;
        let hex = |c: char| matches!(c, '0'..='9' | 'a'..='f');
        let blake3 = digest.text()?;
        if blake3.len() != DIGEST || !blake3.chars().all(hex) {
            return Err(digest.refuse("64 hexadecimal digits", "64桁の16進数"));
        }
        Ok(Listed {
            tier: Tier {
                name: name.to_owned(),
                number,
                count: self.get("count")?.number()?,
                about: self.get("about")?.object()?.clone(),
            },
            bytes: self.get("bytes")?.number()?,
            blake3: blake3.to_owned(),
        })
    }
}
