//! Draws a position: `cargo run -p yomikiri-figure --example scene -- GAME [POSITION] [--ja] [--bare] [--json]
//! [--width N]` writes an SVG to the standard output, or the scene as JSON.

use yomikiri_core::{Lang, Run};
use yomikiri_games::params::Settings;
use yomikiri_view::svg::scene::{Look, svg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut words, mut look, mut json) =
        (Vec::new(), Look { width: 1180.0, sheet: true, ..Look::default() }, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--ja" => look.lang = Lang::Ja,
            "--bare" => look.sheet = false,
            "--json" => json = true,
            "--width" => look.width = args.next().unwrap_or_default().parse()?,
            _ => words.push(arg),
        }
    }
    let game = yomikiri_shelf::find(words.first().map_or("memory", String::as_str)).ok_or("no such game")?;
    let settings = Settings::new(game.params(), [])?;
    let scene = game.scene(&settings, words.get(1).map(String::as_str), Some(0), &Run::default())?;
    if json {
        println!("{}", serde_json::to_string_pretty(&scene)?);
    } else {
        println!("{}", svg(&scene, &look));
    }
    Ok(())
}
