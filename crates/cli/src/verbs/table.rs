//! `table`: solved games as files that outlive the program, and `--table`, which answers from them.

use super::{Session, of};
use crate::args;
use crate::fail::{Failure, printable, refuse};
use crate::store::Files;
use clap::ArgMatches;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use yomikiri_core::cache::Lru;
use yomikiri_core::error::bytes;
use yomikiri_core::{Error, OpenTables, Refusal, Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::tables::{Checked, Extent, Tables};
use yomikiri_tables::{Builder, Damage, Fault, Manifest, Opened, Wishes};
use yomikiri_view::report::{Block, Cell, Outcome, Tone, grouped};

/// Builds, describes or checks a table.
pub fn table(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    match matches.subcommand() {
        Some(("build", matches)) => {
            let (id, matches) = matches.subcommand().unwrap_or(("", matches));
            build(session, session.find(id)?, matches, out)
        }
        Some(("info", matches)) => {
            let opened = open(session, &folder(matches))?;
            session.show(&info(&opened), out)
        }
        Some((_, matches)) => verify(session, matches, out),
        None => Ok(crate::fail::YES),
    }
}

/// The folder an argument names.
fn folder(matches: &ArgMatches) -> PathBuf {
    matches.get_one::<PathBuf>("dir").cloned().unwrap_or_default()
}

fn open(session: &Session<'_>, path: &Path) -> Result<Opened, Failure> {
    Opened::new(path, session.games, &session.run).map_err(|fault| failure("table", fault))
}

/// What a fault is to the user.
fn failure(game: &'static str, fault: Fault) -> Failure {
    match fault {
        Fault::NotATable { path, why } => Failure::Unreadable(printable(&path), why),
        Fault::Refused(refusal) => Failure::Usage(refusal),
        Fault::Output { path, why } => Failure::Save(path, why),
        Fault::Game(error) => Failure::Game(game, error),
    }
}

/// The tables of a game, or its reason for having none.
fn tables_of(game: &dyn Entry) -> Result<&'static dyn Tables, Failure> {
    game.tables().map_err(|why| {
        let id = game.about().id;
        let got = Text::of(
            format!("{id}, which has no tables: {}", why.en),
            format!("{id}（表はありません：{}）", why.ja),
        );
        let accepts = text("a game whose positions can be tabulated", "全局面を表にできるゲーム");
        Failure::Usage(Refusal::of("game", got, accepts))
    })
}

fn build(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let started = Instant::now();
    let id = game.about().id;
    let tables = tables_of(game)?;
    let settings = args::settings(id, tables.params(), matches)?;
    let Some(folder) = matches.get_one::<PathBuf>("out") else {
        let nothing = text("nothing", "値なし");
        let accepts = text("the name of a folder to make", "作るフォルダの名前");
        return Err(Refusal::of("--out", nothing, accepts).into());
    };
    let wishes = Wishes { force: matches.get_flag("force"), resume: matches.get_flag("resume") };
    let plan = tables.plan(&settings, &session.run).map_err(of(game))?;
    let begun = Builder::begin(folder, id, &settings, &plan, wishes, &session.run);
    let mut builder = begun.map_err(|fault| failure(id, fault))?;
    // What solvers keep while they are at it belongs to this table, and goes with it.
    let store = Files::new(builder.checkpoints(), u64::MAX);
    let run = Run { store: &store, ..session.run };
    let built = tables.build(&settings, &plan, &mut builder, &run);
    if built.is_err() {
        let ((there, of), part) = (builder.done(), builder.part().display());
        run.observer.note(&Text::of(
            format!("{there} of {of} files are finished and kept in {part}"),
            format!("{of} 個のうち {there} 個のファイルは完成し、{part} に保存してあります"),
        ));
    }
    match built {
        Err(Error::Cancelled) => return Err(Failure::Resumable),
        other => other.map_err(of(game))?,
    }
    let manifest = builder.finish().map_err(|fault| failure(id, fault))?;
    let mut facts = facts(folder, &manifest);
    let seconds = started.elapsed().as_secs_f64();
    facts.push((
        text("time", "計算時間"),
        Cell::from(Text::of(format!("{seconds:.2} s"), format!("{seconds:.2} 秒"))).tone(Tone::Dim),
    ));
    let mut json = described(folder, &manifest);
    json["seconds"] = seconds.into();
    session.show(&Outcome { blocks: vec![Block::Facts(facts)], json, good: true }, out)
}

fn facts(folder: &Path, manifest: &Manifest) -> Vec<(Text, Cell)> {
    let parameters: Vec<String> =
        manifest.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    vec![
        (text("table", "表"), printable(&folder.display().to_string()).into()),
        (text("game", "ゲーム"), manifest.game.as_str().into()),
        (text("parameters", "パラメータ"), parameters.join(", ").into()),
        (text("files", "ファイル数"), grouped(manifest.files.len() as u64).into()),
        (text("values", "値の数"), grouped(manifest.values()).into()),
        (text("size", "大きさ"), bytes(manifest.bytes()).into()),
        (text("built by", "作成プログラム"), printable(&manifest.program).into()),
    ]
}

fn described(folder: &Path, manifest: &Manifest) -> Value {
    json!({
        "table": folder.display().to_string(),
        "game": manifest.game,
        "parameters": manifest.parameters,
        "files": manifest.files.len(),
        "values": manifest.values(),
        "bytes": manifest.bytes(),
        "program": manifest.program,
    })
}

fn info(opened: &Opened) -> Outcome {
    let Opened { path, manifest, plan, .. } = opened;
    let mut facts = facts(path, manifest);
    facts.push((text("what the values are", "値の意味"), plan.objective.clone().into()));
    facts.push((text("exactness", "精度"), plan.exactness.clone().into()));
    let mut json = described(path, manifest);
    json["objective"] = json!(plan.objective);
    json["exactness"] = json!(plan.exactness);
    json["index"] = json!({"words": plan.words, "rule": plan.index});
    json["tiers"] = manifest
        .files
        .iter()
        .map(|file| {
            json!({
                "file": format!("{}.npy", file.tier.name),
                "numbers": file.tier.number.descr(),
                "count": file.tier.count,
                "bytes": file.bytes,
                "blake3": file.blake3,
                "about": file.tier.about,
            })
        })
        .collect();
    let blocks = vec![Block::Facts(facts), Block::Paragraph(plan.words.clone())];
    Outcome { blocks, json, good: true }
}

/// What a check of a table found.
enum Verdict {
    Damaged(Vec<Damage>),
    Checked(Checked),
}

fn verify(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let extent = match matches.get_one::<String>("sample") {
        None => Extent::All,
        Some(given) => match given.trim().parse() {
            Ok(n @ 1..) => Extent::Sample(n),
            _ => {
                let accepts = text("a whole number from 1", "1以上の整数");
                return Err(refuse("--sample", given, accepts).into());
            }
        },
    };
    let opened = open(session, &folder(matches))?;
    let stopped = |error: Error| match error {
        Error::Cancelled => Failure::Interrupted,
        other => of(opened.game)(other),
    };
    let verdict = match opened.arrays(&session.run).map_err(stopped)? {
        Err(damages) => Verdict::Damaged(damages),
        Ok(arrays) => {
            let Opened { settings, plan, .. } = &opened;
            let checked = opened.tables().check(settings, plan, &arrays, extent, &session.run);
            // A file may have been cut while it was checked.
            let checked = checked.and_then(|found| {
                arrays.iter().try_for_each(|array| array.sound())?;
                Ok(found)
            });
            Verdict::Checked(checked.map_err(stopped)?)
        }
    };
    session.show(&judged(&opened, extent, &verdict), out)
}

fn judged(opened: &Opened, extent: Extent, verdict: &Verdict) -> Outcome {
    let mut facts = facts(&opened.path, &opened.manifest);
    let mut json = described(&opened.path, &opened.manifest);
    let good = match verdict {
        Verdict::Damaged(damages) => {
            for damage in damages {
                let Damage { file, why } = damage;
                let said = Text::of(format!("{file}: {}", why.en), format!("{file}：{}", why.ja));
                facts.push((text("damaged", "破損"), Cell::from(said).tone(Tone::Bad)));
            }
            json["damaged"] =
                damages.iter().map(|damage| json!({"file": damage.file, "why": damage.why})).collect();
            false
        }
        Verdict::Checked(Checked { positions, how, wrong }) => {
            let sampled = extent != Extent::All;
            let n = grouped(*positions);
            let said = if sampled {
                Text::of(format!("{n}, drawn by the seed"), format!("{n}（乱数の種による抽出）"))
            } else {
                Text::of(format!("{n}, all of them"), format!("{n}（全部）"))
            };
            facts
                .push((text("digests", "ダイジェスト"), text("all as in the manifest", "すべて一致").into()));
            facts.push((text("positions checked", "検査した局面"), said.into()));
            facts.push((text("how", "方法"), how.clone().into()));
            json["checked"] = json!({"positions": positions, "sampled": sampled, "how": how});
            if let Some(wrong) = wrong {
                let file = format!("{}.npy", opened.plan.tiers[wrong.tier].name);
                let (place, position) = (wrong.place, &wrong.position);
                let (table, rules) = (&wrong.table, &wrong.rules);
                let said = Text::of(
                    format!(
                        "{file}, place {place}, position {position}: {table}; by the rules it is {rules}"
                    ),
                    format!("{file} の {place} 番、局面 {position}：{table}。規則では {rules}"),
                );
                facts.push((text("wrong", "誤り"), Cell::from(said).tone(Tone::Bad)));
                json["wrong"] = json!({
                    "file": file, "place": place, "position": position, "table": table, "rules": rules
                });
            }
            wrong.is_none()
        }
    };
    let said = if good {
        Cell::from(text("sound", "合格")).tone(Tone::Good)
    } else {
        Cell::from(text("not to be trusted", "不合格")).tone(Tone::Bad)
    };
    facts.push((text("verdict", "判定"), said));
    json["good"] = good.into();
    Outcome { blocks: vec![Block::Facts(facts)], json, good }
}

/// Opens the tables that were named for a server, which solves what they do not hold.
pub fn beside(session: &Session<'_>, matches: &ArgMatches) -> Result<OpenTables, Failure> {
    let mut tables = OpenTables::beside();
    for path in matches.get_many::<PathBuf>("table").into_iter().flatten() {
        add(&mut tables, &open(session, path)?)?;
    }
    Ok(tables)
}

fn add(tables: &mut OpenTables, opened: &Opened) -> Result<(), Failure> {
    let table = opened.table().map_err(|fault| failure(opened.game.about().id, fault))?;
    tables.add(table).map_err(|refusal| Refusal { field: "--table".into(), ..refusal }.into())
}

/// The tables that were named for a verb that asks nothing else.
pub struct Named {
    /// What the game works out from them once.
    cache: Lru,
    tables: OpenTables,
    /// The parameters of each.
    parameters: Vec<BTreeMap<String, String>>,
}

impl Named {
    /// Opens them; each must be of the game.
    pub fn open(
        session: &Session<'_>,
        game: &'static dyn Entry,
        matches: &ArgMatches,
    ) -> Result<Named, Failure> {
        let id = game.about().id;
        let cache = Lru::new(session.run.memory / 4);
        let mut named = Named { cache, tables: OpenTables::alone(), parameters: Vec::new() };
        for path in matches.get_many::<PathBuf>("table").into_iter().flatten() {
            tables_of(game)?;
            let opened = open(session, path)?;
            if opened.game.about().id != id {
                let other = opened.game.about().id;
                let shown = path.display();
                let got =
                    Text::of(format!("{shown}, a table of {other}"), format!("{shown}（{other} の表）"));
                let accepts = Text::of(format!("a table of {id}"), format!("{id} の表"));
                return Err(Refusal::of("--table", got, accepts).into());
            }
            add(&mut named.tables, &opened)?;
            named.parameters.push(opened.manifest.parameters);
        }
        Ok(named)
    }

    /// The run that asks them.
    pub fn run<'a>(&'a self, session: &Session<'a>) -> Run<'a> {
        // What is solved for one question serves the next.
        let run = Run { cache: &self.cache, ..session.run };
        if self.tables.is_empty() { run } else { Run { tables: &self.tables, ..run } }
    }

    /// The settings that were typed; the rest is as in the first table that agrees with them.
    pub fn settings(&self, game: &'static dyn Entry, matches: &ArgMatches) -> Result<Settings, Failure> {
        let params = game.params();
        let typed = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let agrees = |table: &&BTreeMap<String, String>| {
            table.iter().all(|(name, value)| {
                !params.iter().any(|param| param.name == name)
                    || typed(name).is_none_or(|typed| typed == value)
            })
        };
        let Some(table) = self.parameters.iter().find(agrees).or(self.parameters.first()) else {
            return args::settings(game.about().id, params, matches);
        };
        let given = params.iter().filter_map(|param| {
            let tabled = table.get(param.name).map(String::as_str);
            Some((param.name, typed(param.name).or(tabled)?))
        });
        Settings::new(params, given).map_err(|refusal| of(game)(Error::Refused(refusal)))
    }
}
