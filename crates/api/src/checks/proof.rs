//! Proofs of what any game is worth, checked by the rules of the game, in words and for programs.

use super::{ANY, Claim, ProofLines, Unchecked, verdict};
use serde_json::{Value, json};
use yomikiri_check::input;
use yomikiri_core::{Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_proof::{Fault, Header, Proved, Shows};
use yomikiri_view::report::{Block, Cell, Outcome, Tone, grouped};

/// Checks a proof by the rules of the game it names.
pub fn check(
    games: &[&'static dyn Entry],
    header: &Header,
    lines: input::Lines,
    claim: &Claim,
    run: &Run<'_>,
) -> Result<Outcome, Unchecked> {
    let Some(game) = games.iter().copied().find(|game| game.about().id == header.game) else {
        return Err(Unchecked::Unreadable(Text::of(
            format!("it is about \"{}\", and there is no such game", header.game),
            format!("「{}」についての証明ですが、そのようなゲームはありません", header.game),
        )));
    };
    if header.version != 1 {
        return Err(Unchecked::Unreadable(Text::of(
            format!("it has version {}; accepted: 1", header.version),
            format!("版が {} です（1 のみ）", header.version),
        )));
    }
    let failed = |error| Unchecked::Failed(game, error);
    let given = header.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let settings = Settings::new(game.params(), given).map_err(|refusal| failed(refusal.into()))?;
    let after = ProofLines::after_header(lines, run);
    let checked = after.and_then(|mut lines| game.check(&settings, &header.kind, &mut lines, run));
    let about = match header.settings.is_empty() {
        true => game.about().name.clone(),
        false => Text::of(
            format!("{}, {}", game.about().name.en, words(header)),
            format!("{}、{}", game.about().name.ja, words(header)),
        ),
    };
    match checked {
        Ok(proved) => Ok(judged(header, about, &proved, claim)),
        Err(Fault::Rejected { line, reason }) => Ok(rejected(about, line, &reason)),
        Err(Fault::Failed(error)) => Err(failed(error)),
    }
}

/// The settings of a proof, as they are written over pictures.
fn words(header: &Header) -> String {
    header.settings.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

fn judged(header: &Header, about: Text, proved: &Proved, claim: &Claim) -> Outcome {
    let (low, high) = &proved.bounds[0];
    let profile = proved.shows == Shows::Profile;
    let value = match low == high {
        true => low.to_string(),
        false => format!("{low} ≤ … ≤ {high}"),
    };
    let unproved = match (&claim.bound, &claim.about) {
        (_, Some(word)) if *word != header.game && word != ANY => Some(Text::of(
            format!("the claim is about {word}, and the proof is about {}", header.game),
            format!("主張は {word} についてのものですが、証明は {} についてのものです", header.game),
        )),
        (Some(_), _) if profile && !proved.exact() => Some(text(
            "the strategies are no equilibrium: they prove nothing of what the game is worth",
            "この戦略は均衡ではなく、ゲームの値を証明しません",
        )),
        (Some(bound), _) if low != bound || high != bound => Some(Text::of(
            format!("the claim = {bound} does not follow from {value}"),
            format!("{value} から主張 = {bound} は導けません"),
        )),
        _ => None,
    };
    let good = unproved.is_none();
    let mut facts = vec![(text("verdict", "判定"), verdict(good))];
    if let Some(why) = &unproved {
        facts.push((text("reason", "理由"), why.clone().into()));
    }
    facts.push((text("about", "対象"), about.into()));
    for (player, (low, high)) in proved.bounds.iter().enumerate() {
        let name = match player {
            _ if profile => {
                Text::of(format!("player {} gets", player + 1), format!("プレイヤー{}の利得", player + 1))
            }
            0 => text("value for the first player", "先手の値"),
            1 => text("value for the second player", "後手の値"),
            n => Text::of(format!("value for player {}", n + 1), format!("プレイヤー{}の値", n + 1)),
        };
        let value = match low == high {
            true => Text::same(low.to_string()),
            false if profile => {
                let gain = high - low;
                Text::of(
                    format!("{low}; {gain} more by leaving its strategy"),
                    format!("{low}。戦略を離れると {gain} 多い"),
                )
            }
            false => Text::same(format!("{low} … {high}")),
        };
        facts.push((name, Cell::from(value).tone(Tone::Strong)));
    }
    if profile {
        let equilibrium = match proved.exact() {
            true => {
                text("a Nash equilibrium: nobody gains by leaving it", "ナッシュ均衡：誰も離れて得をしない")
            }
            false => {
                text("no equilibrium: somebody gains by leaving them", "均衡ではない：離れて得をする者がいる")
            }
        };
        facts.push((text("strategies", "戦略"), equilibrium.into()));
    }
    facts.push((text("positions", "局面"), grouped(proved.positions).into()));
    let bounds: Vec<Value> =
        proved.bounds.iter().map(|(low, high)| json!([low.to_string(), high.to_string()])).collect();
    let json = json!({
        "accepted": good,
        "reason": unproved.map_or(Value::Null, |why| json!({"code": "claim", "en": why.en, "ja": why.ja})),
        "line": null,
        "proved": {
            "kind": header.kind,
            "game": header.game,
            "shows": if profile { "profile" } else { "value" },
            "bounds": bounds,
            "exact": proved.exact(),
            "positions": proved.positions,
        },
        "claim": {"bound": claim.bound.as_ref().map(ToString::to_string), "about": claim.about},
    });
    Outcome { blocks: vec![Block::Facts(facts)], json, good }
}

fn rejected(about: Text, line: u64, reason: &Text) -> Outcome {
    let facts = vec![
        (text("verdict", "判定"), verdict(false)),
        (text("about", "対象"), about.into()),
        // The header is a line, too.
        (text("line", "行"), Cell::from((line + 1).to_string())),
        (text("reason", "理由"), reason.clone().into()),
    ];
    let json = json!({
        "accepted": false,
        "reason": {"code": "line", "en": reason.en, "ja": reason.ja},
        "line": line + 1,
        "proved": null,
    });
    Outcome { blocks: vec![Block::Facts(facts)], json, good: false }
}
