//! What a certificate of bounds shows, in words and for programs.

use super::{ANY, Claim, verdict};
use serde_json::{Value, json};
use yomikiri_check::{Proved, Rejection, Side, Words, decimal};
use yomikiri_core::{Text, text};
use yomikiri_view::report::{Block, Cell, Outcome, Tone, grouped};

impl Claim {
    /// What is claimed and not proved.
    fn unproved(&self, proved: &Proved) -> Option<Text> {
        if !proved.start && self.about.as_deref() != Some(ANY) {
            return Some(text(
                "nothing is proved on the start: entry 0 is another position (--about any accepts that)",
                "項目 0 が別の局面なので、初期局面については何も証明されていません（--about any なら受け付けます）",
            ));
        }
        if let Some(about) = self.about.as_ref().filter(|about| *about != ANY && *about != proved.subject()) {
            let (is, Words { en, ja }) = (proved.subject(), proved.position());
            return Some(Text::of(
                format!("the claim is about {about}, and the certificate is about {is}: {en}"),
                format!("主張は {about} についてのものですが、証明書は {is}（{ja}）についてのものです"),
            ));
        }
        let bound = self.bound.as_ref().filter(|bound| !proved.implies(bound))?;
        let (sign, said) = (sign(proved.side), &proved.bound);
        Some(Text::of(
            format!("the claim {sign} {bound} does not follow from {sign} {said}"),
            format!("{sign} {said} から主張 {sign} {bound} は導けません"),
        ))
    }

    /// What a certificate that is right comes to.
    pub(super) fn judge(&self, proved: &Proved) -> Outcome {
        let unproved = self.unproved(proved);
        let good = unproved.is_none();
        let (sign, bound) = (sign(proved.side), &proved.bound);
        let mut facts = vec![(text("verdict", "判定"), verdict(good))];
        if let Some(why) = &unproved {
            facts.push((text("reason", "理由"), why.clone().into()));
        }
        let both = |words: Words| text(words.en, words.ja);
        facts.push((text("position", "局面"), both(proved.position()).into()));
        facts.push((text("about", "対象"), proved.subject().into()));
        let value = format!("{sign} {bound} ({sign} {})", decimal(bound, proved.side));
        facts.push((both(proved.quantity()), Cell::from(value).tone(Tone::Strong)));
        facts.push((text("entries", "項目"), grouped(proved.entries).into()));
        facts.push((text("uses", "使用"), grouped(proved.uses).into()));
        let mut blocks = vec![Block::Facts(facts)];
        if !proved.start {
            blocks.push(Block::Paragraph(text(
                "Every entry is right, but entry 0 is not the start: nothing is proved on the start.",
                "どの項目も正しいのですが、項目 0 が初期局面ではないので、初期局面については何も証明されていません。",
            )));
        }
        let json = json!({
            "accepted": good,
            "reason": unproved.map_or(Value::Null, |why| json!({"code": "claim", "en": why.en, "ja": why.ja})),
            "line": null,
            "entry": null,
            "proved": {
                "side": match proved.side { Side::Upper => "upper", Side::Lower => "lower" },
                "about": proved.subject(),
                "bound": bound.to_string(),
                "start": proved.start,
                "entries": proved.entries,
                "uses": proved.uses,
            },
            "claim": {
                "bound": self.bound.as_ref().map(ToString::to_string),
                "about": self.about,
            },
        });
        Outcome { blocks, json, good }
    }
}

/// What one that is wrong comes to.
pub fn rejected(rejection: &Rejection) -> Outcome {
    let why = Text::of(rejection.en(), rejection.ja());
    let facts = vec![(text("verdict", "判定"), verdict(false)), (text("reason", "理由"), why.into())];
    let reason = &rejection.reason;
    let json = json!({
        "accepted": false,
        "reason": {"code": reason.code(), "en": reason.en(), "ja": reason.ja()},
        "line": rejection.line,
        "entry": rejection.entry,
        "proved": null,
    });
    Outcome { blocks: vec![Block::Facts(facts)], json, good: false }
}

fn sign(side: Side) -> &'static str {
    match side {
        Side::Upper => "≤",
        Side::Lower => "≥",
    }
}
