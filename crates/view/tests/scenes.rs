//! The pictures of scenes: well-formed, whole, inside their frame, and in colours that can be read.

use roxmltree::{Document, Node};
use std::collections::BTreeSet;
use yomikiri_core::{Lang, Run};
use yomikiri_games::GAMES;
use yomikiri_games::params::Settings;
use yomikiri_papers::{Effort, PAPERS, Paper};
use yomikiri_view::report::Block;
use yomikiri_view::scene::{Mark, Piece, Scene, Shape, Show, Tint};
use yomikiri_view::svg::TOKENS;
use yomikiri_view::svg::scene::{Look, RULES, svg};

/// Scenes of every game: the start and the example, for a player and for an onlooker.
fn scenes() -> Vec<Scene> {
    let mut all = Vec::new();
    for game in GAMES {
        let settings = Settings::new(game.params(), []).unwrap();
        for position in [None, Some(game.about().example)] {
            for viewer in [Some(0), None] {
                all.push(game.scene(&settings, position, viewer, &Run::default()).unwrap());
            }
        }
    }
    all
}

/// The pictures that parts of a paper show.
fn figures(paper: &Paper, parts: &[&str]) -> Vec<Scene> {
    let all = (paper.reproduction)(Effort::Quick);
    let mut scenes = Vec::new();
    for (at, label) in all.parts().into_iter().enumerate().filter(|(_, label)| parts.contains(&label.id)) {
        let blocks = all.run(at, &Run::default()).unwrap().blocks;
        let found = blocks.into_iter().filter_map(|block| match block {
            Block::Scene { scenes, caption, .. } => {
                assert!(!caption.is_empty() && !scenes.is_empty(), "{}", label.id);
                Some(scenes)
            }
            _ => None,
        });
        let before = scenes.len();
        scenes.extend(found.flatten());
        assert!(scenes.len() > before, "{} has no picture", label.id);
    }
    scenes
}

fn numbers(text: &str) -> impl Iterator<Item = f64> + '_ {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
        .filter(|word| word.chars().any(|c| c.is_ascii_digit()))
        .filter_map(|word| word.parse().ok())
}

/// Looks at a picture: what a browser would choke on, what is missing, what is outside.
fn check(scene: &Scene, look: &Look) {
    assert_eq!(scene.faults(), Vec::<String>::new());
    let text = svg(scene, look);
    let told = || format!("{} {} at {}", scene.game, scene.notation, look.width);
    assert!(!text.contains("NaN") && !text.contains("inf\""), "{}", told());
    let document = Document::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", told()));
    let root = document.root_element();
    let frame: Vec<f64> = numbers(root.attribute("viewBox").unwrap()).collect();
    assert_eq!(frame[2], look.width.max(240.0), "{}", told());
    assert!(frame[3] > 20.0 && frame[3] < 20_000.0, "{}: {frame:?}", told());
    assert!(!root.attribute("aria-label").unwrap().is_empty());

    // Every item is there once, with what it is.
    let titles = document.descendants().filter(|n| n.has_tag_name("title")).count();
    let items: Vec<&Piece> =
        scene.zones.iter().flat_map(|zone| &zone.items).map(|item| &item.piece).collect();
    assert_eq!(titles, items.len() + 1, "{}", told());
    let words: Vec<String> =
        document.descendants().filter(|n| n.has_tag_name("text")).map(|n| content(&n)).collect();
    for piece in items {
        let said = match piece {
            Piece::Card(Show::Up(face) | Show::Known(face)) => {
                face.trim_start_matches(['S', 'H', 'D', 'C']).replace('0', "10").replace("110", "10")
            }
            Piece::Num { n, .. } => n.to_string(),
            _ => continue,
        };
        assert!(words.contains(&said), "{}: {said} is not written", told());
    }

    // Nothing that is placed by numbers lies outside, the words' own width aside.
    for node in document.descendants().filter(|n| ["rect", "text"].contains(&n.tag_name().name())) {
        let at = |name: &str| node.attribute(name).and_then(|x| x.parse::<f64>().ok()).unwrap_or(0.0);
        let (x, w) = (at("x"), at("width"));
        assert!(
            x >= -1.0 && x + w <= frame[2] + 1.0,
            "{}: {:?} {}",
            told(),
            node.attributes(),
            content(&node)
        );
        assert!(at("width") >= 0.0 && at("height") >= 0.0, "{}", told());
    }

    // Every class has a rule, so that nothing is drawn black by mistake.
    for node in document.descendants() {
        for class in node.attribute("class").unwrap_or("").split_whitespace() {
            assert!(RULES.contains(&format!(".{class}")), "no rule for {class}");
        }
    }
}

fn content(node: &Node<'_, '_>) -> String {
    node.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect()
}

#[test]
fn law_every_game_is_drawn_whole_at_any_width_in_both_languages() {
    for scene in scenes() {
        for lang in [Lang::En, Lang::Ja] {
            for width in [100.0, 374.0, 760.0, 1280.0] {
                for sheet in [false, true] {
                    check(&scene, &Look { lang, width, sheet, alone: width < 500.0 });
                }
            }
        }
    }
}

#[test]
fn law_the_papers_pictures_are_drawn_whole() {
    let parts: [(&str, &[&str], usize); 5] = [
        ("memory", &["figure-2", "figure-3", "figure-4"], 9),
        (
            "geister",
            &[
                "figures-1-2",
                "figure-3",
                "figure-4",
                "figures-5-8",
                "figure-9",
                "figures-10-11",
                "figure-12",
                "figure-13",
                "figure-14",
                "figure-15",
                "figure-16",
                "figure-17",
                "figure-18",
                "figure-19",
            ],
            19,
        ),
        ("saichugen", &["figures-1-2"], 5),
        ("accordion", &["examples"], 3),
        ("sixtysix", &["figure-1"], 1),
    ];
    for (id, parts, least) in parts {
        let paper = PAPERS.of(id).unwrap();
        let scenes = figures(paper, parts);
        assert!(scenes.len() >= least, "{id}: {} pictures", scenes.len());
        for scene in scenes {
            for lang in [Lang::En, Lang::Ja] {
                check(&scene, &Look { lang, ..Look::default() });
                check(&scene, &Look { lang, width: 374.0, ..Look::default() });
            }
        }
    }
}

#[test]
fn law_a_line_of_play_is_one_board_a_move_and_each_follows_from_the_one_before() {
    let geister = PAPERS.of("geister").unwrap();
    for scene in figures(geister, &["figure-3", "figure-4", "figure-9", "figure-16"]) {
        let squares = |zone: usize| -> BTreeSet<(u8, String)> {
            let ghost = |piece: &Piece| match piece {
                Piece::Ghost { side, at, .. } => Some((*side, at.clone())),
                _ => None,
            };
            scene.zones[zone].items.iter().filter_map(|item| ghost(&item.piece)).collect()
        };
        assert!(scene.zones.len() > 3);
        for (i, arrow) in scene.arrows.iter().enumerate() {
            let (zone, from) = arrow.from.split_once('/').unwrap();
            let (_, to) = arrow.to.split_once('/').unwrap();
            assert_eq!(zone, scene.zones[i].id);
            if i + 1 == scene.zones.len() {
                continue;
            }
            let mut after = squares(i);
            let moved = after.iter().find(|piece| piece.1 == from).cloned().unwrap();
            after.remove(&moved);
            after.insert((moved.0, to.to_owned()));
            assert_eq!(after, squares(i + 1), "move {} of {}", i + 1, scene.variant.en);
        }
    }
}

#[test]
fn law_signs_and_words_are_drawn_for_every_kind_of_piece() {
    let mut scene = Scene { v: 1, ..scenes().remove(0) };
    scene.moves.clear();
    scene.zones.truncate(1);
    let zone = &mut scene.zones[0];
    zone.shape = Shape::Hand;
    zone.items.truncate(6);
    zone.items[0].piece = Piece::Card(Show::Up("D0".into()));
    zone.items[0].mark = Some(Mark::Best);
    zone.items[1].piece = Piece::Card(Show::Known("17".into()));
    zone.items[1].mark = Some(Mark::To);
    zone.items[2].piece = Piece::Card(Show::Down);
    zone.items[2].mark = Some(Mark::Any);
    zone.items[3].piece = Piece::Card(Show::Gone);
    zone.items[3].mark = Some(Mark::Last);
    zone.items[4].piece = Piece::Num { n: 128, pts: Some("−1/2".into()) };
    zone.items[4].tag = yomikiri_core::Text::same("a < b & {S7}");
    let text = svg(&scene, &Look { alone: false, ..Look::default() });
    for sign in ["y-best", "y-to\"", "y-any", "y-last", "y-down\"", "y-known\"", "y-gone", "y-face", "y-band"]
    {
        assert!(text.contains(sign), "{sign}");
    }
    for words in [">10<", ">17<", ">128<", ">−1/2<", "a &lt; b &amp; <tspan class=\"y-tS\">7♠</tspan>"] {
        assert!(text.contains(words), "{words}");
    }
    assert!(!text.contains("<style>"));
    for (col, sign) in [(Tint::Blue, "y-blue"), (Tint::Red, "y-red"), (Tint::Purple, "y-purple")] {
        let geister = scenes().into_iter().find(|s| s.game == "geister").unwrap();
        let mut scene = geister;
        scene.legend.clear();
        for item in &mut scene.zones[0].items {
            if let Piece::Ghost { col: own, secret, .. } = &mut item.piece {
                (*own, *secret) = (col, true);
            }
        }
        let text = svg(&scene, &Look { alone: false, ..Look::default() });
        assert_eq!(text.matches(sign).count(), scene.zones[0].items.len());
        assert_eq!(text.matches("y-secret").count(), scene.zones[0].items.len());
    }
}

#[test]
fn law_the_same_scene_is_the_same_bytes() {
    for scene in scenes() {
        let json = serde_json::to_string(&scene).unwrap();
        let back: Scene = serde_json::from_str(&json).unwrap();
        assert_eq!(svg(&scene, &Look::default()), svg(&back, &Look::default()));
    }
}

/// The colours of a token, light and dark, in six digits.
fn colours(name: &str) -> [String; 2] {
    let (light, dark) = TOKENS.split_once("@media").unwrap();
    // Suits in texts are those on cards, but for the dark.
    let suits = RULES.split_once("@media").unwrap().1;
    let find = |css: &str, name: &str| {
        let (_, rest) = css.split_once(&format!("--{name}:#"))?;
        let digits: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
        let twice = if digits.len() == 3 { 2 } else { 1 };
        Some(digits.chars().flat_map(|c| std::iter::repeat_n(c, twice)).collect::<String>())
    };
    let light = find(light, name.trim_start_matches("text-")).unwrap_or_else(|| panic!("no token {name}"));
    let dark = find(dark, name).or_else(|| find(suits, name));
    [light.clone(), dark.unwrap_or(light)]
}

/// The contrast of two colours by the formula of WCAG 2.
fn contrast(a: &str, b: &str) -> f64 {
    let light = |colour: &str| {
        let part = |at: usize| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
    };
    let (a, b) = (light(a), light(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn law_words_and_signs_can_be_read_in_light_and_dark() {
    let words = [
        ("mat-ink", "mat"),
        ("mat-ink", "mat-2"),
        ("ink", "sheet"),
        ("ink-2", "sheet"),
        ("ink-3", "sheet"),
        ("ink", "accent-soft"),
        ("ink-2", "accent-soft"),
        ("minus", "sheet"),
        ("sheet", "plus"),
        ("S", "card"),
        ("H", "card"),
        ("D", "card"),
        ("C", "card"),
        ("N", "card"),
        ("S", "veil"),
        ("H", "veil"),
        ("D", "veil"),
        ("C", "veil"),
        ("card", "N"),
        ("text-H", "sheet"),
        ("text-D", "sheet"),
        ("text-C", "sheet"),
        ("g-ink", "gb"),
        ("g-ink", "gr"),
        ("g-ink", "gp"),
        ("sheet", "ink"),
    ];
    let signs =
        [("accent", "mat"), ("plus", "sheet"), ("edge", "sheet"), ("mat-ink", "mat-2"), ("g-edge", "mat-2")];
    let words = words.map(|pair| (pair, 4.5));
    let signs = signs.map(|pair| (pair, 3.0));
    for ((front, back), least) in words.into_iter().chain(signs) {
        for (front_colour, back_colour) in colours(front).iter().zip(colours(back)) {
            let found = contrast(front_colour, &back_colour);
            assert!(found >= least, "{front} on {back}: {found:.2}");
        }
    }
}

#[test]
fn law_every_custom_property_is_defined() {
    let css = format!("{TOKENS}{RULES}");
    for used in RULES.split("var(--").skip(1) {
        let name = used.split(')').next().unwrap();
        assert!(css.contains(&format!("--{name}:")), "{name}");
    }
}
