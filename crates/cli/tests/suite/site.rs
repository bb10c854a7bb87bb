//! The page without a server: in a real browser, from a plain host of files, with the network and without. It has to be
//! made first (`cargo xtask site`), which takes minutes, so all of it is among the long cases.

mod full {
    use anyhow::Result;
    use serde_json::{Value, json};
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::time::Duration;
    use yomikiri_api::{Api, Config, Host, Limits, Request};
    use yomikiri_games::Entry;
    use yomikiri_testkit::browser::{Browser, find};
    use yomikiri_testkit::files::Files;

    /// Where the site is, below its host.
    const BELOW: &str = "/some/where/";

    /// The module that carries questions, as an expression on the page.
    const TRANSPORT: &str = "document.querySelector('script').src.replace('main.js', 'transport.js')";

    /// A browser and a host; nothing where there is no Chromium, or the site was not made.
    fn visit() -> Option<(Browser, Files)> {
        let Some(folder) = std::env::var_os("YOMIKIRI_SITE").map(PathBuf::from) else {
            eprintln!("SKIPPED: YOMIKIRI_SITE names no site, so it was not looked at");
            return None;
        };
        if find().is_none() {
            assert!(std::env::var_os("YOMIKIRI_NEEDS_BROWSER").is_none(), "there is no Chromium");
            eprintln!("SKIPPED: there is no Chromium, so the site was not looked at");
            return None;
        }
        let files = Files::serve(&folder, BELOW).unwrap();
        let mut browser = Browser::start().unwrap();
        browser.resize(1280, 800).unwrap();
        browser.prefer(false, true).unwrap();
        Some((browser, files))
    }

    fn quiet(browser: &mut Browser, files: &Files) {
        let heard = browser.heard().unwrap();
        assert!(heard.complaints.is_empty(), "{:#?}", heard.complaints);
        let host = &files.address[..files.address.len() - BELOW.len()];
        let strange: Vec<&String> = heard
            .requests
            .iter()
            .filter(|to| {
                !to.starts_with(host)
                    && !to.starts_with("data:")
                    && !to.starts_with("about:")
                    && !to.starts_with("blob:")
            })
            .collect();
        assert!(strange.is_empty(), "{strange:?}");
    }

    /// Asks the program in the browser: the status, and the body as text.
    fn ask(browser: &mut Browser, method: &str, path: &str, body: Option<&str>) -> Result<(u64, String)> {
        let body = body.map_or(Value::Null, Value::from);
        // What takes long is a job, in which the answer stands as it is.
        let said = browser.eval(&format!(
            "(async () => {{ const {{ send }} = await import({TRANSPORT}); const body = {body}; \
             const answer = await send({path}, {{ method: {method}, ...(body === null ? {{}} : {{ body, headers: {{ 'content-type': 'application/json' }} }}) }}); \
             let text = await answer.text(); \
             if (answer.status !== 202) return [answer.status, text]; \
             const {{ id }} = JSON.parse(text); let job; \
             do {{ text = await (await send('/api/jobs/' + id + '?wait=500')).text(); job = JSON.parse(text); }} while (job.state === 'waiting' || job.state === 'running'); \
             if (job.error) return [0, JSON.stringify({{ error: job.error }})]; \
             return [200, typeof job.result === 'string' ? job.result : text.slice(text.indexOf(',\"result\":') + 10, -1)]; }})()",
            path = Value::from(path),
            method = Value::from(method),
        ))?;
        Ok((said[0].as_u64().unwrap_or(0), said[1].as_str().unwrap_or_default().to_owned()))
    }

    /// No threads, no clock: what is to be done is done at once.
    struct Here;

    impl Host for Here {
        fn now(&self) -> Duration {
            Duration::ZERO
        }
        fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
            work();
        }
    }

    /// The same questions as a page asks, about a game: method, path, body.
    fn questions(game: &dyn Entry) -> Vec<(&'static str, String, Option<String>)> {
        let (id, example) = (game.about().id, game.about().example);
        let quoted: String = example.bytes().map(|b| format!("%{b:02X}")).collect();
        let mut all = vec![
            ("GET", format!("/api/headline/{id}"), None),
            ("GET", format!("/api/scene/{id}"), None),
            ("GET", format!("/api/scene/{id}?viewer=0"), None),
            ("GET", format!("/api/show/{id}?position={quoted}"), None),
            ("GET", format!("/api/show/{id}?position=%3F%3F"), None),
            ("GET", format!("/api/edit/{id}?position={quoted}"), None),
            ("GET", format!("/api/show/{id}?no-such=1"), None),
            ("POST", format!("/api/eval/{id}"), Some(game.about().question.to_owned())),
            ("POST", format!("/api/eval/{id}?exact=1"), Some(game.about().question.to_owned())),
        ];
        for (hints, moves) in [("all", &[][..]), ("none", &["*"]), ("best", &["*", "*", "*"])] {
            let body = json!({"seed": 7, "moves": moves, "hints": hints, "machine": true}).to_string();
            all.push(("POST", format!("/api/play/{id}"), Some(body.clone())));
            all.push(("POST", format!("/api/picture/{id}?lang=ja"), Some(body)));
        }
        all
    }

    #[test]
    fn law_the_browser_answers_as_the_program_does_byte_for_byte() {
        let Some((mut browser, files)) = visit() else { return };
        let config = Config {
            limits: Limits { computing: 1, ..Limits::of(1, 1) },
            ..Config::new(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, 1, 4 << 30)
        };
        let api = Api::new(config, Arc::new(Here));
        browser.goto(&files.address).unwrap();
        let mut all =
            vec![("GET", "/api/games".to_owned(), None), ("GET", "/api/openapi.json".to_owned(), None)];
        all.extend(yomikiri_shelf::GAMES.iter().flat_map(|game| questions(*game)));
        let mut differing = Vec::new();
        for (method, path, body) in &all {
            let (status, text) = ask(&mut browser, method, path, body.as_deref()).unwrap();
            let (place, query) = path.split_once('?').unwrap_or((path, ""));
            let kind = if body.is_some() { "application/json" } else { "" };
            let request = Request::url(method, place, query).unwrap();
            let request =
                Request { kind: kind.into(), body: body.clone().unwrap_or_default().into(), ..request };
            let answer = api.ask(request).now();
            let same =
                (u64::from(answer.status), String::from_utf8(answer.bytes().unwrap().to_vec()).unwrap());
            if text != same.1 || (status != same.0 && status != 0) {
                let at = text.bytes().zip(same.1.bytes()).position(|(a, b)| a != b).unwrap_or(0);
                let cut = |text: &str| text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>();
                differing.push(format!(
                    "{method} {path}: {status} {} / {} {}",
                    cut(&text),
                    same.0,
                    cut(&same.1)
                ));
            }
        }
        assert!(differing.is_empty(), "{} of {}:\n{}", differing.len(), all.len(), differing.join("\n"));
        quiet(&mut browser, &files);
    }

    #[test]
    fn law_what_was_opened_once_opens_without_a_network() {
        let Some((mut browser, files)) = visit() else { return };
        browser.goto(&files.address).unwrap();
        browser.until("document.querySelectorAll('.game .headline b').length > 3").unwrap();
        browser
            .until("navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)")
            .unwrap();
        let address = files.address.clone();
        quiet(&mut browser, &files);
        // The host is gone: nothing is left but what was kept.
        drop(files);
        let game = yomikiri_shelf::GAMES[0].about().id;
        for (page, shown) in [
            ("", "document.querySelectorAll('.game .headline b').length > 3".to_owned()),
            (&*format!("board.html?game={game}&seed=3"), "document.querySelectorAll('.sheet [data-move]').length > 0 && document.querySelector('.sheet .verdict') !== null".to_owned()),
            (&*format!("board?game={game}"), "document.querySelectorAll('.sheet [data-move]').length > 0".to_owned()),
            (&*format!("results.html?game={game}"), "document.querySelector('h1') !== null".to_owned()),
            ("studies.html?lang=ja", "document.querySelectorAll('details.study').length > 3".to_owned()),
            ("check.html?file=example.jsonl.zst", "document.querySelector('.proved.good') !== null".to_owned()),
        ] {
            browser.goto(&format!("{address}{page}")).unwrap();
            browser.until(&shown).unwrap();
        }
        let heard = browser.heard().unwrap();
        assert!(heard.complaints.is_empty(), "{:#?}", heard.complaints);
    }

    #[test]
    fn law_a_study_is_watched_stopped_resumed_and_saved() {
        let Some((mut browser, files)) = visit() else { return };
        browser.goto(&format!("{}studies.html", files.address)).unwrap();
        browser.until("document.querySelectorAll('details.study').length > 3").unwrap();
        let body =
            r#"{"kind":"study","game":"accordion","study":"solvable","settings":{"deals":3000},"seed":1}"#;
        let (status, job) = ask(&mut browser, "POST", "/api/jobs", Some(body)).unwrap();
        let job: Value = serde_json::from_str(&job).unwrap();
        assert_eq!(status, 201, "{job}");
        let id = job["id"].as_str().unwrap();
        browser.goto(&format!("{}studies.html", files.address)).unwrap();
        // Another visit is another program: the page does not pretend to know the job.
        browser.goto(&format!("{}studies.html?job={id}", files.address)).unwrap();
        browser.until("document.querySelector('h1')?.textContent").unwrap();
        // By hand, on one page.
        browser.goto(&format!("{}studies.html", files.address)).unwrap();
        browser.click("[data-study='accordion/solvable'] summary").unwrap();
        browser
            .until("(document.querySelector(\"[data-study='accordion/solvable'] input\").value = '3000')")
            .unwrap();
        browser.click("[data-study='accordion/solvable'] button[type=submit]").unwrap();
        browser.until("document.querySelector('.figures b')?.textContent.match(/^[1-9]/)").unwrap();
        browser.click(".runhead .btn").unwrap();
        browser.until("document.querySelector('.runhead .btn.main')").unwrap();
        let kept =
            browser.until("document.querySelector('.prog').getAttribute('aria-valuenow') ?? 'none'").unwrap();
        browser.click(".runhead .btn.main").unwrap();
        browser
            .until("document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') === '100'")
            .unwrap();
        browser.until("document.querySelector('a[href$=\"rows.csv\"]')").unwrap();
        let rows = browser
            .eval("(async () => { const { send } = await import(document.querySelector('script').src.replace('main.js', 'transport.js')); const { jobs } = await (await send('/api/jobs')).json(); return (await (await send('/api/jobs/' + jobs[0].id + '/rows.csv')).text()); })()")
            .unwrap();
        assert_eq!(rows.as_str().unwrap().lines().count(), 3001, "{kept}");
        // The rows are those of the command line.
        let folder = tempfile::tempdir().unwrap();
        let out = crate::run(
            folder.path(),
            "study accordion solvable --deals 3000 --seed 1 --out rows.csv --quiet",
        );
        assert!(out.status.success());
        assert_eq!(std::fs::read_to_string(folder.path().join("rows.csv")).unwrap(), rows.as_str().unwrap());
        quiet(&mut browser, &files);
    }

    #[test]
    fn law_a_certificate_is_checked_in_the_browser_and_a_wrong_one_refused() {
        let Some((mut browser, files)) = visit() else { return };
        browser.goto(&format!("{}check.html?file=example.jsonl.zst", files.address)).unwrap();
        browser.until("document.querySelector('.proved.good')").unwrap();
        // A proof of any game, made by the program, right and spoiled, dropped on the page.
        let folder = tempfile::tempdir().unwrap();
        assert!(crate::run(folder.path(), "certify kuhn --out . --quiet").status.success());
        let mut made = std::fs::read_dir(folder.path()).unwrap().flatten().map(|e| e.path());
        let file = made.find(|path| path.to_string_lossy().contains(".jsonl")).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        let mut drop = |bytes: &[u8], name: &str| {
            browser.eval(&format!(
                "(() => {{ const data = new DataTransfer(); data.items.add(new File([new Uint8Array({bytes:?})], {name:?})); \
                 document.querySelector('main').dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()"
            )).unwrap();
            browser.until(&format!("document.querySelector('.filename')?.textContent === {name:?} && document.querySelector('.proved, .error') !== null && ['.proved', '.facts', '.error'].map((what) => document.querySelector(what)?.textContent ?? '').join(' ')")).unwrap()
        };
        drop(&bytes, "right.jsonl.zst");
        // A bound with its strategy.
        let bound = include_bytes!("../../../check/tests/data/two-first-lower.jsonl.xz");
        let shown = drop(bound, "bound.jsonl.xz");
        assert!(shown.as_str().unwrap().contains('≥'), "{shown}");
        let shown = drop(
            b"{\"proof\":\"values\",\"version\":1,\"game\":\"nim\",\"settings\":{}}\n[1]\n",
            "wrong.jsonl",
        );
        assert!(shown.as_str().unwrap().contains("proves nothing"), "{shown}");
        drop(b"no proof at all", "letter.txt");
        let heard = browser.heard().unwrap();
        assert!(heard.complaints.is_empty(), "{:#?}", heard.complaints);
    }
}
