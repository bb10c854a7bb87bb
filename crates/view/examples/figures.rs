//! The papers' pictures of positions on one page: `cargo run --release -p yomikiri-view --example figures -- [--ja]
//! [--width N] GAME PART…` writes HTML to the standard output, such as `figures geister figure-3 figures-5-8`.

use yomikiri_core::{Lang, Run};
use yomikiri_papers::{Effort, PAPERS};
use yomikiri_view::report::Block;
use yomikiri_view::svg::TOKENS;
use yomikiri_view::svg::scene::{Look, RULES, svg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut words, mut look) = (Vec::new(), Look { alone: false, ..Look::default() });
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--ja" => look.lang = Lang::Ja,
            "--width" => look.width = args.next().unwrap_or_default().parse()?,
            _ => words.push(arg),
        }
    }
    let paper = PAPERS.of(words.first().map_or("geister", String::as_str)).ok_or("no such game")?;
    let parts = (paper.reproduction)(Effort::Quick);
    println!("<!doctype html><meta charset=\"utf-8\"><style>{TOKENS}{RULES}</style>");
    for (at, label) in parts.parts().into_iter().enumerate() {
        if !words[1..].iter().any(|word| word == label.id) {
            continue;
        }
        for block in parts.run(at, &Run::default())?.blocks {
            if let Block::Scene { caption, scenes, .. } = block {
                println!("<p>{}</p>", caption.get(look.lang));
                scenes.iter().for_each(|scene| println!("<p>{}</p>", svg(scene, &look)));
            }
        }
    }
    Ok(())
}
