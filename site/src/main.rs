//! Makes the site: the page, the program as WebAssembly with its glue, and what a browser needs to install both and to
//! open them without a network. `cargo xtask site` builds the program and runs this.

use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// Every page is the same shell under its own name, so that any host of files can serve any address.
const PAGES: [&str; 6] = ["index", "board", "puzzle", "results", "studies", "check"];
/// What a browser asks for; the rest of the page's folder is for people who work on it.
const KINDS: [&str; 3] = ["js", "css", "svg"];
/// The policy of the page, as the server's: everything from here, nothing inline. A host of files sends no headers, so it
/// stands in the page, where `frame-ancestors` cannot.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";
const SUMMARY: &str = "Games solved exactly, in your browser: every move with its value, puzzles, papers recomputed, proofs checked. ゲームを読み切る。";
/// What all of it may take on the way to a reader.
const MOST: usize = 3_000_000;

/// Files by their place in the site.
type Files = BTreeMap<String, Vec<u8>>;

fn main() -> Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [wasm, root, out, address] = given.as_slice() else {
        bail!("usage: site WASM PROJECT OUT ADDRESS; `cargo xtask site` runs it")
    };
    let (root, out) = (Path::new(root), Path::new(out));
    ensure!(
        address.is_empty() || address.ends_with('/'),
        "ADDRESS: \"{address}\"; accepted: one that ends with /"
    );
    let files = files(Path::new(wasm), root, out, address)?;
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    for (place, bytes) in &files {
        let path = out.join(place);
        fs::create_dir_all(path.parent().context("no folder")?)?;
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    report(&files, out)
}

fn files(wasm: &Path, root: &Path, out: &Path, address: &str) -> Result<Files> {
    let web = root.join("web");
    let mut assets = Files::new();
    for entry in fs::read_dir(&web)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
        if entry.path().is_file() && KINDS.contains(&kind) {
            assets.insert(name, fs::read(entry.path())?);
        }
    }
    let read = |name: &str| -> Result<Vec<u8>> {
        let path = web.join("site").join(name);
        fs::read(&path).with_context(|| path.display().to_string())
    };
    // What workers load, and not the page.
    let workers = ["worker.js", "yomikiri.js"];
    assets.insert("worker.js".into(), read("worker.js")?);
    let glue: PathBuf = out.with_extension("glue");
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).out_name("yomikiri").typescript(false).web(true)?;
    bindgen.remove_name_section(true).remove_producers_section(true).generate(&glue)?;
    for name in ["yomikiri.js", "yomikiri_bg.wasm"] {
        assets.insert(name.into(), fs::read(glue.join(name))?);
    }
    fs::remove_dir_all(&glue)?;

    let mut all = Files::new();
    // Named by what is in it: nobody ever has a page of one version and a program of another.
    let folder = format!("assets-{}", digest(&assets));
    let modules: Vec<String> = assets
        .keys()
        .filter(|name| name.ends_with(".js") && !workers.contains(&name.as_str()))
        .cloned()
        .collect();
    all.extend(assets.into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)));
    // The last of them is something to try the checker on.
    for name in ["icon-192.png", "icon-512.png", "preview.png", "manifest.webmanifest", "example.jsonl.zst"] {
        all.insert(name.into(), read(name)?);
    }
    let shell = shell(&String::from_utf8(fs::read(web.join("index.html"))?)?, &folder, &modules, address)?;
    for page in PAGES {
        all.insert(format!("{page}.html"), shell.clone().into_bytes());
    }
    let names: Vec<String> =
        all.keys().filter(|name| *name != "preview.png").map(|name| format!("{name:?}")).collect();
    let before =
        format!("const VERSION = {:?};\nconst FILES = [\"./\", {}];\n", digest(&all), names.join(", "));
    all.insert("sw.js".into(), [before.into_bytes(), read("service-worker.js")?].concat());
    Ok(all)
}

/// The first letters of a digest of names and contents.
fn digest(files: &Files) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in files {
        hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }
    hasher.finalize().to_hex()[..12].to_owned()
}

/// The shell of the page, as it stands in a folder of files.
fn shell(served: &str, folder: &str, modules: &[String], address: &str) -> Result<String> {
    // All at once, and not one after another as each names the next.
    let preloads: String = modules
        .iter()
        .map(|name| format!("<link rel=\"modulepreload\" href=\"{folder}/{name}\">\n"))
        .collect();
    let head = format!(
        r##"<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="description" content="{SUMMARY}">
<meta name="theme-color" content="#edf0eb" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0d1311" media="(prefers-color-scheme: dark)">
<meta property="og:type" content="website">
<meta property="og:title" content="yomikiri 読み切り">
<meta property="og:description" content="{SUMMARY}">
<meta property="og:image" content="{address}preview.png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-192.png">
<script type="module" async src="{folder}/transport.js"></script>
{preloads}<title>"##
    );
    let mut shell = served.to_owned();
    for (old, new) in [
        ("<html lang=\"en\">", "<html lang=\"en\" data-api=\"worker\">"),
        ("<title>", &head),
        ("\"assets/", &format!("\"{folder}/")),
    ] {
        ensure!(shell.contains(old), "web/index.html has no {old}");
        shell = shell.replace(old, new);
    }
    Ok(shell)
}

/// Says how large everything is, and refuses what is too large.
fn report(files: &Files, out: &Path) -> Result<()> {
    let gzip = |bytes: &[u8]| -> Result<usize> {
        let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        to.write_all(bytes)?;
        Ok(to.finish()?.len())
    };
    let brotli = |mut bytes: &[u8]| -> Result<usize> {
        let mut to = Vec::new();
        let params = brotli::enc::BrotliEncoderParams { quality: 9, ..Default::default() };
        brotli::BrotliCompress(&mut bytes, &mut to, &params)?;
        Ok(to.len())
    };
    let mut rows: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for (place, bytes) in files {
        let kind = place.rsplit_once('.').map_or("", |(_, kind)| kind);
        let row = rows.entry(kind).or_default();
        for (sum, more) in row.iter_mut().zip([1, bytes.len(), gzip(bytes)?, brotli(bytes)?]) {
            *sum += more;
        }
    }
    println!("{:>12} {:>6} {:>12} {:>12} {:>12}", "", "files", "bytes", "gzip", "brotli");
    let mut all = [0; 4];
    for (kind, row) in &rows {
        println!("{kind:>12} {:>6} {:>12} {:>12} {:>12}", row[0], row[1], row[2], row[3]);
        all.iter_mut().zip(row).for_each(|(sum, more)| *sum += more);
    }
    println!("{:>12} {:>6} {:>12} {:>12} {:>12}", "all", all[0], all[1], all[2], all[3]);
    println!("{}", out.display());
    ensure!(all[2] <= MOST, "{} bytes by gzip; at most {MOST}", all[2]);
    Ok(())
}
