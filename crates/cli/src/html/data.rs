//! The data behind tables and figures: CSV and JSON for programs, SVG for slides.

use super::Recomputed;
use serde_json::{Map, Value, json};
use yomikiri_chart::{csv, has_data, picture};
use yomikiri_core::Lang;
use yomikiri_view::report::Block;
use yomikiri_view::svg::scene::{self, Look};
use yomikiri_view::svg::standalone;

/// The place of a part's JSON.
pub fn json_place(game: &str, part: &str) -> String {
    format!("data/{game}/{part}.json")
}

/// The place of the data of a part's block: the n-th of those that have data, from 1.
pub fn place(game: &str, part: &str, n: usize, ending: &str) -> String {
    format!("data/{game}/{part}-{n}.{ending}")
}

/// The data files of a paper.
pub fn files(paper: &Recomputed) -> Vec<(String, Vec<u8>)> {
    let game = paper.about().id;
    let mut files = Vec::new();
    for part in &paper.parts {
        let id = part.label.id;
        let mut shown = Vec::new();
        for (n, block) in part.piece.blocks.iter().filter(|b| has_data(b)).enumerate() {
            files.extend(csv(block).map(|csv| (place(game, id, n + 1, "csv"), csv)));
            for (lang, ending) in [(Lang::En, "svg"), (Lang::Ja, "ja.svg")] {
                if let Some(svg) = picture(block, lang) {
                    files.push((place(game, id, n + 1, ending), standalone(&svg, lang).into_bytes()));
                }
            }
            if let Block::Scene { scenes, .. } = block {
                for (lang, ending) in [(Lang::En, "svg"), (Lang::Ja, "ja.svg")] {
                    for (i, scene) in scenes.iter().enumerate() {
                        let svg = scene::svg(scene, &Look { lang, ..Look::default() });
                        let ending = format!("{}.{ending}", i + 1);
                        files.push((place(game, id, n + 1, &ending), svg.into_bytes()));
                    }
                }
            }
            shown.push(serde_json::to_value(block).unwrap_or_default());
        }
        let mut json: Map<String, Value> = part.piece.json.clone();
        json.insert("game".into(), game.into());
        json.insert("part".into(), id.into());
        json.insert("title".into(), json!(part.label.title));
        json.insert("shown".into(), shown.into());
        let text = format!("{:#}\n", Value::Object(json));
        files.push((json_place(game, id), text.into_bytes()));
    }
    files
}
