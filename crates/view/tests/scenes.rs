//! The pictures of scenes: well-formed, whole, inside their frame, and in colours that can be read.

use roxmltree::{Document, Node};
use std::collections::{BTreeMap, BTreeSet};
use yomikiri_core::cache::Lru;
use yomikiri_core::{Lang, Run, Text, text};
use yomikiri_games::params::Settings;
use yomikiri_papers::{Effort, PAPERS, Paper};
use yomikiri_shelf::GAMES;
use yomikiri_view::report::Block;
use yomikiri_view::scene::{
    Edge, Form, Ground, Item, Looks, Mark, Move, Piece, Scene, Shape, Show, Squares, Tiling, Tint, Token,
    VERSION, Zone,
};
use yomikiri_view::svg::TOKENS;
use yomikiri_view::svg::scene::{Look, RULES, svg};

/// Scenes of every game: the start and the example, for a player and for an onlooker.
fn scenes() -> Vec<Scene> {
    let mut all = Vec::new();
    // A game is solved once for all four.
    let cache = Lru::new(1 << 30);
    let run = Run { cache: &cache, ..Run::default() };
    for game in GAMES {
        let settings = Settings::new(game.params(), []).unwrap();
        for position in [None, Some(game.about().example)] {
            for viewer in [Some(0), None] {
                all.push(game.scene(&settings, position, viewer, &run).unwrap());
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
            // Signs are paths; all other texts are written.
            Piece::Token(Token { text, .. }) if !["", "○", "×", "?"].contains(&text.get(look.lang)) => {
                text.get(look.lang).to_owned()
            }
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
        let squares = |zone: usize| -> BTreeSet<(bool, String)> {
            let ghost = |item: &Item| match &item.piece {
                Piece::Token(token) => Some((token.looks == Some(Looks::Up), item.at.clone())),
                Piece::Card(_) => None,
            };
            scene.zones[zone].items.iter().filter_map(ghost).collect()
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
    let mut scene = scenes().remove(0);
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
    zone.items[4].piece = Piece::Token(Token::num(128, Some("−1/2".into())));
    zone.items[4].tag = Text::same("a < b & {S7}");
    let text = svg(&scene, &Look { alone: false, ..Look::default() });
    for sign in [
        "y-best",
        "y-to\"",
        "y-any",
        "y-last",
        "y-down\"",
        "y-known\"",
        "y-gone",
        "y-face",
        "y-band",
        "y-paper",
    ] {
        assert!(text.contains(sign), "{sign}");
    }
    for words in [">10<", ">17<", ">128<", ">−1/2<", "a &lt; b &amp; <tspan class=\"y-tS\">7♠</tspan>"] {
        assert!(text.contains(words), "{words}");
    }
    assert!(!text.contains("<style>"));
    for (col, sign) in [(Tint::Blue, "y-k-blue"), (Tint::Red, "y-k-red"), (Tint::Purple, "y-k-purple")] {
        let geister = scenes().into_iter().find(|s| s.game == "geister").unwrap();
        let mut scene = geister;
        scene.legend.clear();
        for item in &mut scene.zones[0].items {
            if let Piece::Token(token) = &mut item.piece {
                *token = Token::ghost(1, col).secret(true);
            }
        }
        let text = svg(&scene, &Look { alone: false, ..Look::default() });
        assert_eq!(text.matches(sign).count(), scene.zones[0].items.len());
        assert_eq!(text.matches("y-secret").count(), scene.zones[0].items.len());
    }
}

/// A scene with one zone.
fn one(zone: Zone) -> Scene {
    let layout = vec![vec![zone.id.clone()]];
    let (title, variant) = (text("Made up", "見本"), Text::same("1"));
    Scene { v: VERSION, game: "toy".into(), title, variant, zones: vec![zone], layout, ..Scene::default() }
}

/// Every shape in every colour, on a board, where there is room for any.
fn bazaar() -> Scene {
    let mut items = Vec::new();
    for (row, shape) in (0u8..).zip(Form::ALL) {
        for (col, colour) in Tint::ALL.into_iter().enumerate() {
            // The texts tell those apart that differ in hue alone.
            let mut token = Token::new(shape.clone(), colour);
            token.text = Text::same(["A", "○", "×", "?", "10", "K", "Q", "王", "9"][col]);
            if shape.has_foot() {
                token.small = Text::same("12");
            }
            let name = yomikiri_view::scene::square(col as u8, row);
            items.push(Item::token(format!("{shape:?}{col}"), token).at(name));
        }
    }
    one(Zone::new("board", Shape::Board(Squares::new(9, 9)), Text::default(), items))
}

#[test]
fn law_every_shape_in_every_colour_is_drawn_and_another_is_a_box_with_its_name() {
    let scene = bazaar();
    for width in [374.0, 900.0] {
        check(&scene, &Look { width, ..Look::default() });
    }
    for (shape, colour) in
        Form::ALL.into_iter().flat_map(|shape| Tint::ALL.map(|colour| (shape.clone(), colour)))
    {
        let token = Token::new(shape.clone(), colour).text(Text::same("K"));
        let secret = token.clone().secret(true);
        let picture = |token: &Token| {
            let zone = Zone::new("hand", Shape::Hand, Text::default(), vec![Item::token("x", token.clone())]);
            check(&one(zone.clone()), &Look::default());
            svg(&one(zone), &Look { alone: false, ..Look::default() })
        };
        let text = picture(&token);
        let drawn = Document::parse(&text).unwrap();
        let class = format!("y-k-{}", format!("{colour:?}").to_lowercase());
        let group = drawn.descendants().find(|n| n.attribute("class") == Some(class.as_str())).unwrap();
        let bodies = group
            .descendants()
            .filter(|n| ["y-body", "y-paper"].contains(&n.attribute("class").unwrap_or("")))
            .count();
        assert_eq!(bodies, usize::from(shape != Form::None), "{shape:?} {colour:?}");
        assert!(group.descendants().any(|n| n.has_tag_name("text") && content(&n) == "K"));
        assert!(picture(&secret).contains("y-secret") && !text.contains("y-secret"), "{shape:?}");
        // Both languages have a name for it.
        for lang in [Lang::En, Lang::Ja] {
            let zone = Zone::new("hand", Shape::Hand, Text::default(), vec![Item::token("x", token.clone())]);
            let told = svg(&one(zone), &Look { lang, ..Look::default() });
            assert!(told.contains("<title>") && !told.contains("<title></title>"));
        }
    }
    let strange = Token::new(Form::Other("pyramid".into()), Tint::Blue);
    let zone = Zone::new("hand", Shape::Hand, Text::default(), vec![Item::token("x", strange)]);
    let text = svg(&one(zone), &Look::default());
    assert!(text.contains(">pyramid</text>") && text.contains("class=\"y-gone\""), "{text}");
}

#[test]
fn law_boards_of_every_tiling_are_drawn_with_what_stands_on_them() {
    for (tiling, down) in [Tiling::Square, Tiling::Points, Tiling::Lattice, Tiling::Honeycomb]
        .into_iter()
        .flat_map(|t| [(t, false), (t, true)])
    {
        let rims = BTreeMap::from([
            (Edge::Top, Tint::Black),
            (Edge::Bottom, Tint::Black),
            (Edge::Left, Tint::White),
            (Edge::Right, Tint::White),
        ]);
        let grounds = BTreeMap::from([
            ("a1".to_owned(), Ground::Dark),
            ("b2".to_owned(), Ground::Dot),
            ("c1".to_owned(), Ground::Hole),
        ]);
        for squares in [
            Squares { tiling, down, ..Squares::new(5, 4) },
            Squares { tiling, down, rims, grounds, bare: true, ..Squares::new(5, 4) },
        ] {
            let stone = |id: &str, colour| Item::token(id, Token::new(Form::Disc, colour));
            let mut items = vec![stone("b", Tint::Black).at("a1"), stone("w", Tint::White).at("b1")];
            items.push(Item::card("c", Show::Up("S7".into())).at("d3"));
            if tiling != Tiling::Honeycomb {
                items.push(Item::token("e", Token::new(Form::Bar, Tint::Grey)).at("b1").edge(Edge::Top));
                items.push(Item::token("f", Token::new(Form::Post, Tint::None)).at("b1").edge(Edge::Right));
            }
            let bare = squares.bare;
            let mut scene = one(Zone::new("board", Shape::Board(squares), Text::default(), items));
            scene.moves = vec![Move {
                on: vec!["board/d1".into()],
                short: Text::same("+1"),
                rank: Some(1),
                pick: true,
                ..Move::new("d1", Text::same("d1"))
            }];
            for width in [240.0, 374.0, 760.0] {
                check(&scene, &Look { width, sheet: true, ..Look::default() });
            }
            let text = svg(&scene, &Look { alone: false, ..Look::default() });
            assert_eq!(text.contains("y-rim2"), bare);
            assert_eq!(text.contains(">a1<"), !bare && tiling == Tiling::Square && !down);
            // The square that is best to choose stands out and says what it is worth.
            assert!(text.contains("y-best") && text.contains(">+1<"), "{text}");
        }
    }
}

#[test]
fn law_heaps_say_how_many_and_what_a_move_takes_stands_out() {
    for count in [0, 1, 3, 25] {
        let stones = (0..count).map(|n| Item::token(format!("s{n}"), Token::new(Form::Disc, Tint::Black)));
        let mut scene = one(Zone::new("heap", Shape::Heap { per: 10 }, text("heap", "山"), stones.collect()));
        if count == 25 {
            scene.moves = vec![Move {
                on: vec!["s2".into()],
                also: vec!["s0".into(), "s1".into()],
                rank: Some(1),
                pick: true,
                ..Move::new("3", text("Take 3", "3個取る"))
            }];
        }
        check(&scene, &Look { width: 374.0, ..Look::default() });
        let text = svg(&scene, &Look { alone: false, ..Look::default() });
        assert!(text.contains(&format!(">{count}</text>")), "{text}");
        assert_eq!(text.matches("y-any").count(), if count == 25 { 2 } else { 0 });
        assert_eq!(text.matches("y-best").count(), usize::from(count == 25));
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
        ("t-light", "t-black"),
        ("t-light", "t-grey"),
        ("t-light", "t-blue"),
        ("t-light", "t-red"),
        ("t-light", "t-purple"),
        ("t-light", "t-green"),
        ("t-dark", "t-white"),
        ("t-dark", "t-yellow"),
        ("sheet", "ink"),
    ];
    let signs =
        [("accent", "mat"), ("plus", "sheet"), ("edge", "sheet"), ("mat-ink", "mat-2"), ("t-edge", "mat-2")];
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
