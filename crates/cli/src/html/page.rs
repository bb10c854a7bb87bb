//! One page: the shell, the blocks of a part, the index.

use super::data::{json_place, place};
use super::{Done, Recomputed, Report};
use crate::lang::pick;
use yomikiri_api::reproduce_command;
use yomikiri_chart::{has_data, picture};
use yomikiri_core::Lang;
use yomikiri_papers::Effort;
use yomikiri_papers::golden::Tally;
use yomikiri_papers::reproduction::Evidence;
use yomikiri_view::report::{Align, Badge, Block, Cell, Certainty, Table, Tone, Verdict};
use yomikiri_view::svg::scene::{self, RULES};
use yomikiri_view::svg::{TOKENS, escaped};

const STYLE: &str = include_str!("style.css");
const BRAND: &str = "<svg viewBox=\"0 0 44 14\" aria-hidden=\"true\"><path d=\"M2 7H37\" stroke=\"currentColor\" stroke-width=\"1.4\"/><g fill=\"var(--sheet)\" stroke=\"currentColor\" stroke-width=\"1.4\"><circle cx=\"5\" cy=\"7\" r=\"3.3\"/><circle cx=\"16.5\" cy=\"7\" r=\"3.3\"/><circle cx=\"28\" cy=\"7\" r=\"3.3\"/></g><path d=\"M35 2.5h9v9h-9z\" fill=\"currentColor\"/></svg>";
/// Columns of a table beside which there is room for a figure.
const NARROW: usize = 7;

/// The address of a page in a language.
pub fn address(page: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{page}.html"),
        Lang::Ja => format!("{page}.ja.html"),
    }
}

/// A report as it looks in a language.
pub struct Look<'a> {
    /// What it says.
    pub report: &'a Report,
    /// The language.
    pub lang: Lang,
    /// The digest of its results.
    pub digest: &'a str,
}

impl Look<'_> {
    fn say(&self, en: &'static str, ja: &'static str) -> &'static str {
        pick(self.lang, en, ja)
    }

    fn text(&self, text: &yomikiri_core::Text) -> String {
        escaped(text.get(self.lang))
    }

    fn shell(&self, page: &str, title: &str, body: &str) -> String {
        let lang = if self.lang == Lang::Ja { "ja" } else { "en" };
        let other = |to: Lang, name: &str, code: &str| {
            if to == self.lang {
                format!("<span aria-current=\"true\" lang=\"{code}\">{name}</span>")
            } else {
                format!("<a href=\"{}\" lang=\"{code}\" hreflang=\"{code}\">{name}</a>", address(page, to))
            }
        };
        let tab = |id: &str, name: &str| {
            let current = if id == page { " aria-current=\"page\"" } else { "" };
            format!("<a href=\"{}\"{current}>{name}</a>", address(id, self.lang))
        };
        let mut tabs = tab("index", self.say("All papers", "全論文"));
        for paper in &self.report.papers {
            let about = paper.about();
            tabs.push_str(&tab(about.id, &self.text(&about.name)));
        }
        format!(
            "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"generator\" content=\"yomikiri {}\">\n<title>{title} · yomikiri</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"alternate\" hreflang=\"{}\" href=\"{}\">\n<style>{TOKENS}{RULES}{STYLE}</style>\n</head>\n<body>\n<header class=\"top\"><a class=\"brand\" href=\"{}\">{BRAND}<span>yomikiri</span><small lang=\"ja\">読み切り</small></a><span class=\"say\">{}</span><div class=\"seg\">{}{}</div></header>\n<main>\n<nav class=\"tabs\">{tabs}</nav>\n{body}\n{}\n</main>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION"),
            if self.lang == Lang::Ja { "en" } else { "ja" },
            address(page, if self.lang == Lang::Ja { Lang::En } else { Lang::Ja }),
            address("index", self.lang),
            self.say("The papers, computed again", "論文の再計算"),
            other(Lang::En, "EN", "en"),
            other(Lang::Ja, "日本語", "ja"),
            self.provenance(),
        )
    }

    /// Where the results come from; nothing about the machine that matters to them.
    fn provenance(&self) -> String {
        let report = self.report;
        let effort = if report.effort == Effort::Full { "--full" } else { "--quick" };
        let games: Vec<&str> = report.papers.iter().map(|p| p.about().id).collect();
        let total: f64 = report.papers.iter().map(|p| p.time().as_secs_f64()).sum();
        let rows = [
            (self.say("program", "プログラム"), format!("yomikiri {}", env!("CARGO_PKG_VERSION"))),
            (self.say("commit", "コミット"), crate::COMMIT.to_owned()),
            (
                self.say("parameters", "パラメータ"),
                format!("reproduce {effort} --seed {} {}", report.seed, games.join(" ")),
            ),
            (self.say("seed", "シード"), report.seed.to_string()),
            (
                self.say("threads", "スレッド数"),
                format!(
                    "{}{}",
                    report.threads,
                    self.say(" (results do not depend on it)", "（結果には影響しない）")
                ),
            ),
            (self.say("time", "時間"), seconds(total, self.lang)),
            (self.say("digest (BLAKE3)", "ダイジェスト（BLAKE3）"), self.digest.to_owned()),
        ];
        let rows: String = rows
            .iter()
            .map(|(name, value)| format!("<dt>{name}</dt><dd><code>{}</code></dd>", escaped(value)))
            .collect();
        let note = self.say(
            "Equal digests mean equal results: it is taken over results.json, which holds everything computed and no times. Times are of this run; what several parts share counts for the first of them.",
            "ダイジェストが等しければ結果も等しい。対象は results.json（計算結果の全て。時間は含まない）。時間は今回の実行のもので、複数の部分が共有する計算は最初の部分に含まれる。",
        );
        format!("<footer><dl>{rows}</dl><p>{note} <a href=\"results.json\">results.json</a></p></footer>")
    }

    fn badge(&self, verdict: Verdict, words: &str) -> String {
        let (class, icon) = match verdict {
            Verdict::Match => ("match", "M2 6.5 5 9.5 10.500 3"),
            Verdict::Consistent => {
                ("consistent", "M1.500 4.500C4 2 8 7 10.500 4.500M1.500 8.500C4 6 8 11 10.500 8.500")
            }
            Verdict::Untested => ("untested", "M3 6H9"),
            Verdict::Erratum => ("erratum", "M6 1.500V7.500M6 10V10.800"),
            Verdict::Open => ("open", "M9.500 6A3.500 3.500 0 1 1 2.500 6A3.500 3.500 0 1 1 9.500 6"),
            Verdict::Differs => ("differs", "M2.500 2.500 9.500 9.500M9.500 2.500 2.500 9.500"),
        };
        format!(
            "<span class=\"badge {class}\"><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><path d=\"{icon}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.800\" stroke-linecap=\"round\"/></svg>{words}</span>"
        )
    }

    fn counts(&self, tally: &Tally, faults: usize) -> String {
        let shown = tally.verdicts(faults).into_iter().filter(|(_, n)| *n > 0);
        shown
            .map(|(verdict, n)| {
                format!("<span>{} {n}</span>", self.badge(verdict, &self.text(&verdict.word())))
            })
            .collect()
    }

    /// The page of a paper.
    pub fn paper(&self, at: usize) -> String {
        let paper = &self.report.papers[at];
        let about = paper.about();
        let mut body = format!(
            "<div class=\"paper\"><h1>{}</h1><p>{}</p><p>{}</p></div><div class=\"tally\">{}</div>",
            self.text(&about.name),
            self.text(&paper.paper.citation),
            self.text(&about.summary),
            self.counts(&paper.tally(), paper.faults()),
        );
        let list: String = paper
            .parts
            .iter()
            .map(|part| {
                let tally = &part.piece.tally;
                let sign = match () {
                    () if !part.piece.good() => "bad",
                    () if tally.errata + tally.open > 0 => "warn",
                    () if tally.matches + tally.consistent > 0 => "",
                    () => "none",
                };
                format!(
                    "<a href=\"#{}\"><i class=\"{sign}\"></i>{}</a>",
                    part.label.id,
                    self.text(&part.label.title)
                )
            })
            .collect();
        body.push_str(&format!(
            "<nav class=\"contents\" aria-label=\"{}\">{list}</nav>",
            self.say("parts", "目次")
        ));
        for part in &paper.parts {
            body.push_str(&self.part(about.id, part));
        }
        self.shell(about.id, &self.text(&about.name), &body)
    }

    fn part(&self, game: &str, part: &Done) -> String {
        let id = part.label.id;
        let again = reproduce_command(game, &[id], self.report.effort, self.report.seed);
        let mut figures = Vec::new();
        let mut rest = Vec::new();
        let mut with_data = 0;
        let mut narrow = true;
        for block in &part.piece.blocks {
            with_data += usize::from(has_data(block));
            let html = self.block(block, game, id, with_data);
            let figure =
                matches!(block, Block::Plot(_) | Block::Heat(_) | Block::Bars(_) | Block::Scene { .. });
            if let Block::Table(table) = block {
                narrow &= table.columns.len() <= NARROW;
            }
            if figure { figures.push((rest.len(), html)) } else { rest.push(html) }
        }
        let charts =
            part.piece.blocks.iter().filter(|b| matches!(b, Block::Plot(_) | Block::Bars(_))).count();
        let beside = charts == 1 && figures.len() == 1 && !rest.is_empty() && narrow;
        let content = if beside {
            let figure: String = figures.into_iter().map(|f| f.1).collect();
            format!(
                "<div class=\"cols\"><div>{}</div><div class=\"side\">{figure}</div></div>",
                rest.concat()
            )
        } else {
            // Figures that follow each other share a row where there is room.
            let mut out = String::from("<div class=\"cols\" style=\"grid-template-columns:minmax(0,1fr)\">");
            let mut figures = figures.into_iter().peekable();
            for at in 0..=rest.len() {
                if figures.peek().is_some_and(|f| f.0 == at) {
                    out.push_str("<div class=\"figs\">");
                    while let Some((_, html)) = figures.next_if(|f| f.0 == at) {
                        out.push_str(&html);
                    }
                    out.push_str("</div>");
                }
                if let Some(html) = rest.get(at) {
                    out.push_str(html);
                }
            }
            out.push_str("</div>");
            out
        };
        format!(
            "<section class=\"part\" id=\"{id}\"><h2>{}</h2><div class=\"meta\">{}<code>{}</code><span>{}</span><a href=\"{}\">JSON</a></div>{content}</section>\n",
            self.text(&part.label.title),
            self.counts(&part.piece.tally, part.piece.faults),
            escaped(&again),
            seconds(part.seconds, self.lang),
            json_place(game, id),
        )
    }

    fn block(&self, block: &Block, game: &str, part: &str, n: usize) -> String {
        let links = |endings: &[(&str, &str)]| {
            let links: String = endings
                .iter()
                .map(|(name, ending)| format!("<a href=\"{}\">{name}</a>", place(game, part, n, ending)))
                .collect();
            format!("<div class=\"links\">{links}</div>")
        };
        let svg = if self.lang == Lang::Ja { "ja.svg" } else { "svg" };
        let figure = |title: &yomikiri_core::Text, note: &yomikiri_core::Text| {
            let drawn = picture(block, self.lang).unwrap_or_default();
            let note = self.text(note);
            let note = if note.is_empty() { note } else { format!("<p>{note}</p>") };
            format!(
                "<figure class=\"fig\"><figcaption><h3>{}</h3>{note}</figcaption><div class=\"box\">{drawn}</div>{}</figure>",
                self.text(title),
                links(&[("CSV", "csv"), ("SVG", svg)])
            )
        };
        match block {
            Block::Heading(words) => format!("<h3>{}</h3>", self.text(words)),
            Block::Paragraph(words) => format!("<p class=\"say\">{}</p>", self.text(words)),
            Block::Facts(facts) => {
                let rows: String = facts
                    .iter()
                    .map(|(name, cell)| format!("<dt>{}</dt><dd>{}</dd>", self.text(name), self.cell(cell)))
                    .collect();
                format!("<dl class=\"facts\">{rows}</dl>")
            }
            Block::Table(table) => {
                format!("<div class=\"tbl\">{}{}</div>", self.table(table), links(&[("CSV", "csv")]))
            }
            Block::Plot(plot) => figure(&plot.title, &plot.note),
            Block::Heat(heat) => figure(&heat.title, &heat.note),
            Block::Bars(bars) => figure(&bars.title, &bars.note),
            Block::Scene { caption, scenes, .. } => {
                let look = scene::Look { lang: self.lang, alone: false, ..scene::Look::default() };
                let drawn: String = scenes
                    .iter()
                    .map(|scene| {
                        format!("<div class=\"scene\" tabindex=\"0\">{}</div>", scene::svg(scene, &look))
                    })
                    .collect();
                let endings: Vec<String> = (1..=scenes.len()).map(|i| format!("{i}.{svg}")).collect();
                let endings: Vec<(&str, &str)> = endings.iter().map(|e| ("SVG", e.as_str())).collect();
                format!(
                    "<figure class=\"fig wide\"><figcaption><h3>{}</h3></figcaption><div class=\"scenes{}\">{drawn}</div>{}</figure>",
                    self.text(caption),
                    if scenes.len() == 1 { " one" } else { "" },
                    links(&endings)
                )
            }
            Block::Drawing(lines) => format!("<pre class=\"drawing\">{}</pre>", self.text(lines)),
        }
    }

    fn cell(&self, cell: &Cell) -> String {
        let words = self.text(&cell.text);
        let class = match cell.tone {
            Tone::Plain => "",
            Tone::Strong => "strong",
            Tone::Good => "good",
            Tone::Warn => "warn",
            Tone::Bad => "bad",
            Tone::Dim => "dim",
        };
        match cell.badge {
            Some(Badge::Verdict(verdict)) => self.badge(verdict, &words),
            Some(Badge::Certainty(certainty)) => {
                let class = match certainty {
                    Certainty::Exact => "exact",
                    Certainty::Bound => "bound",
                    Certainty::Sampled => "sampled",
                };
                format!("<span class=\"stamp {class}\">{words}</span>")
            }
            None if class.is_empty() || words.is_empty() => words,
            None => format!("<span class=\"{class}\">{words}</span>"),
        }
    }

    fn table(&self, table: &Table) -> String {
        let title = self.text(&table.title);
        let mut out = format!(
            "<h3>{title}</h3><div class=\"tscroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table><thead><tr>"
        );
        for column in &table.columns {
            let class = if column.align == Align::Right { " class=\"n\"" } else { "" };
            out.push_str(&format!("<th scope=\"col\"{class}>{}</th>", self.text(&column.head)));
        }
        out.push_str("</tr></thead><tbody>");
        for row in &table.rows {
            let mut verdicts = row.iter().filter_map(|c| match c.badge {
                Some(Badge::Verdict(verdict)) => Some(verdict),
                _ => None,
            });
            let class = match verdicts.next_back() {
                Some(Verdict::Erratum) => " class=\"erratum\"",
                Some(Verdict::Differs) => " class=\"differs\"",
                _ => "",
            };
            out.push_str(&format!("<tr{class}>"));
            for (cell, column) in row.iter().zip(&table.columns) {
                let long = cell.text.get(self.lang).chars().count() > 24;
                let class = match (column.align, cell.badge) {
                    (Align::Right, _) => "n",
                    (_, Some(_)) => "short",
                    _ if long => "text",
                    _ => "",
                };
                let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
                out.push_str(&format!("<td{class}>{}</td>", self.cell(cell)));
            }
            out.push_str("</tr>");
        }
        out.push_str("</tbody></table></div>");
        out
    }

    /// The first page: the state of each paper, the errata, the open questions.
    pub fn index(&self) -> String {
        let papers = &self.report.papers;
        let mut body = format!(
            "<div class=\"hero\"><h1>{}</h1><p>{}</p></div><div class=\"papers\">",
            self.say("The papers, computed again", "論文の再計算"),
            self.say(
                "Every published table and figure beside what this program computes from the rules. A verdict is “match” where they agree as printed, “consistent” where ours is sampled, could have shown a difference and shows none, “not tested” where the sample is too small to tell, “erratum” where the paper is wrong and we can show it, “open” where nobody can tell yet.",
                "論文の全ての表と図を、ルールから計算した値と並べる。判定は、印刷通りに合えば「一致」、標本で差を示せたはずなのに差がなければ「矛盾なし」、標本が小さく判定できなければ「判定不能」、論文の誤りを示せれば「訂正」、まだ分からなければ「未解決」。",
            ),
        );
        for paper in papers {
            body.push_str(&self.card(paper));
        }
        body.push_str("</div>");
        body.push_str(&self.errata());
        body.push_str(&self.questions());
        self.shell("index", self.say("The papers, computed again", "論文の再計算"), &body)
    }

    fn card(&self, paper: &Recomputed) -> String {
        let about = paper.about();
        let tally = paper.tally();
        let faults = paper.faults();
        let (figures, parts) = (self.text(&tally.figures()), paper.parts.len());
        let time = seconds(paper.time().as_secs_f64(), self.lang);
        let share = |n: usize, class: &str| {
            if n == 0 { String::new() } else { format!("<i class=\"{class}\" style=\"flex:{n}\"></i>") }
        };
        let bar = [
            share(tally.matches, "match"),
            share(tally.consistent, "consistent"),
            share(tally.errata, "erratum"),
            share(tally.open, "open"),
            share(tally.differing + faults, "differs"),
        ];
        format!(
            "<a class=\"card\" href=\"{}\"><h2>{}</h2><p>{}</p><div class=\"bar\" aria-hidden=\"true\">{}</div><div class=\"counts\">{}</div><p>{}</p></a>",
            address(about.id, self.lang),
            self.text(&about.name),
            self.text(&paper.paper.citation),
            bar.concat(),
            self.counts(&tally, faults),
            match self.lang {
                Lang::En => format!("{figures} compared in {parts} parts, {time}"),
                Lang::Ja => format!("{figures}を{parts}項目で比較、{time}"),
            },
        )
    }

    fn errata(&self) -> String {
        let mut out = format!(
            "<section class=\"sec\" id=\"errata\"><h2>{}</h2><p>{}</p>",
            self.say("Errata we found", "見つかった訂正"),
            self.say(
                "What is printed, the smallest counterexample or what else shows it, and what it should say.",
                "原文、最小の反例（または根拠）、正しい内容。",
            )
        );
        for paper in &self.report.papers {
            let game = paper.about();
            let errata: Vec<_> = paper
                .parts
                .iter()
                .flat_map(|p| p.piece.errata.iter().map(move |e| (p.label.id, e)))
                .collect();
            if errata.is_empty() {
                continue;
            }
            out.push_str(&format!("<h3>{}</h3>", self.text(&game.name)));
            for (part, e) in errata {
                out.push_str(&format!(
                    "<dl class=\"err\"><div><dt>{}</dt><dd class=\"where\"><a href=\"{}#{part}\">{}</a></dd></div><div><dt>{}</dt><dd>{}</dd></div><div><dt>{}</dt><dd>{}</dd></div><div><dt>{}</dt><dd>{}</dd></div></dl>",
                    self.say("where", "箇所"),
                    address(game.id, self.lang),
                    self.text(&e.place),
                    self.say("printed", "原文"),
                    self.text(&e.statement),
                    self.say("counterexample or evidence", "反例・根拠"),
                    self.text(&e.counterexample),
                    self.say("should be", "正しくは"),
                    self.text(&e.corrected),
                ));
            }
        }
        out.push_str("</section>");
        out
    }

    /// Where the answer to a question is: a part on its page, or the command of a study.
    fn evidence(&self, paper: &Recomputed, evidence: Evidence) -> String {
        let game = paper.about().id;
        match evidence {
            Evidence::Part(part) => match paper.parts.iter().find(|p| p.label.id == part) {
                Some(found) => {
                    let title = self.text(&found.label.title);
                    format!("<a href=\"{}#{part}\">{title}</a>", address(game, self.lang))
                }
                None => format!("<code>yomikiri reproduce {game} --only {part}</code>"),
            },
            Evidence::Study(study) => format!("<code>yomikiri study {game} {study}</code>"),
        }
    }

    fn questions(&self) -> String {
        let mut out = format!(
            "<section class=\"sec\" id=\"questions\"><h2>{}</h2><p>{}</p>",
            self.say("What the papers leave open", "論文が残した問い"),
            self.say(
                "The questions, and what we know now. Figures that come from long runs name the study that repeats them.",
                "問いと、現在分かっていること。長い計算による値には、再現する study の名を添える。",
            )
        );
        for paper in &self.report.papers {
            let questions = paper.paper.questions;
            if questions.is_empty() {
                continue;
            }
            out.push_str(&format!("<h3>{}</h3>", self.text(&paper.about().name)));
            for q in questions {
                out.push_str(&format!(
                    "<div class=\"q\"><b>{}</b><span><i>{}</i> {} {}</span></div>",
                    self.text(&q.asked),
                    self.text(&q.standing.word()),
                    self.text(&q.known),
                    self.evidence(paper, q.evidence)
                ));
            }
        }
        out.push_str("</section>");
        out
    }
}

/// A time as people say it.
fn seconds(s: f64, lang: Lang) -> String {
    let unit = |n: f64, decimals: usize, en: &str, ja: &str| match lang {
        Lang::En => format!("{n:.decimals$} {en}"),
        Lang::Ja => format!("{n:.decimals$} {ja}"),
    };
    match s {
        s if s < 0.995 => unit(1000.0 * s, 0, "ms", "ミリ秒"),
        s if s < 99.5 => unit(s, 1, "s", "秒"),
        s if s < 5400.0 => unit(s / 60.0, 1, "min", "分"),
        s => unit(s / 3600.0, 1, "h", "時間"),
    }
}
