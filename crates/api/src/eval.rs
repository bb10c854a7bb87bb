//! `eval`: one JSON object, or lines of them, answered as the command line does.

use crate::answer::{Content, JSON, LINES};
use crate::{Api, Fault, Reply, Request};
use std::sync::Arc;
use yomikiri_core::run::Silent;
use yomikiri_core::{Error, Lang, Refusal, Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::eval::{Answers, question, write};
use yomikiri_solve::on_threads;

/// Lines of a request.
const MOST_LINES: usize = 20_000;
/// Bytes of the answers to a request.
const MOST_BYTES: usize = 8 << 20;
/// Lines answered before it is looked how many bytes that took.
const BATCH: usize = 512;

/// `POST /api/eval/{game}`
pub fn eval(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    let game = api.game(ask.part("game"))?;
    ask.only(&["exact", "lang"])?;
    let exact = ask.flag("exact")?;
    let lang = ask.lang()?;
    let command = format!("yomikiri eval {}{}", game.about().id, if exact { " --exact" } else { "" });
    let title = api.request(game, command);
    api.compute(title, ask, move |_, ask, run| {
        if ask.kind == LINES {
            lines(game, &ask.body, exact, lang, run)
        } else {
            object(game, &ask.body, exact, run)
        }
    })
}

/// One object.
fn object(game: &dyn Entry, body: &[u8], exact: bool, run: &Run<'_>) -> Result<Content, Fault> {
    let of = |e: Error| Fault::of(game.about().id, e);
    let (id, request) = question(Some(body));
    // What is a line there is the body here.
    let request = request.map_err(|refusal| Refusal { field: "body".into(), ..refusal })?;
    let evaluator = game.evaluator(exact);
    evaluator.prepare(std::slice::from_ref(&request), run).map_err(of)?;
    let one = Run { threads: 1, observer: &Silent, ..*run };
    let answer = evaluator.answer(&request, &one).map_err(of)?;
    let mut text = String::new();
    write(&mut text, id.as_deref(), &Ok(answer));
    text.truncate(text.trim_end().len());
    Ok(Content::text(JSON, text))
}

/// Lines.
fn lines(game: &dyn Entry, body: &[u8], exact: bool, lang: Lang, run: &Run<'_>) -> Result<Content, Fault> {
    let id = game.about().id;
    let evaluator = game.evaluator(exact);
    let answers = Answers { game: id, evaluator: evaluator.as_ref(), run: *run, lang };
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let mut all: Vec<Option<&[u8]>> = body.split(|b| *b == b'\n').map(Some).collect();
    // The end of the last line begins no other.
    if all.last().is_some_and(|last| last.is_some_and(<[u8]>::is_empty)) {
        all.pop();
    }
    let accepts = text("fewer lines a request, or the command line", "1回の行数を減らすか、コマンドライン");
    if all.len() > MOST_LINES {
        let got = Text::of(format!("{} lines", all.len()), format!("{}行", all.len()));
        let most = Text::of(
            format!("at most {MOST_LINES}: {}", accepts.en),
            format!("{MOST_LINES}行まで：{}", accepts.ja),
        );
        return Err(Fault { status: 413, code: "size", ..Refusal::of("body", got, most).into() });
    }
    let answered = on_threads(run, || -> Result<String, Fault> {
        let mut text = String::new();
        for batch in all.chunks(BATCH) {
            run.check().map_err(|e| Fault::of(id, e))?;
            let (texts, _) = answers.batch(batch).map_err(|e| Fault::of(id, e))?;
            texts.iter().for_each(|t| text.push_str(t));
            if text.len() > MOST_BYTES {
                let got = Text::of(
                    format!("lines whose answers take more than {MOST_BYTES} bytes"),
                    format!("答えが {MOST_BYTES} バイトを超える行"),
                );
                return Err(Fault {
                    status: 413,
                    code: "size",
                    ..Refusal::of("body", got, accepts.clone()).into()
                });
            }
        }
        Ok(text)
    });
    Ok(Content::text(LINES, answered.map_err(|e| Fault::of(id, e))??))
}
