//! Right certificates made wrong in many ways: each way is rejected for its reason. Works on any certificate: those made
//! here, every file in `tests/data`, and the one that the variable `YOMIKIRI_CERTIFICATE` names.

use crate::maker::{Maker, Region, UNIT, near, turned};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::PathBuf;
use yomikiri_check::input::{Lines, Next};
use yomikiri_check::{Error, Limits, Unwatched, check};

/// A certificate that can be taken apart.
#[derive(Clone)]
struct Lined {
    name: String,
    /// Whether no claim can be made stronger by one unit: so it is with those of the maker.
    tight: bool,
    header: Value,
    entries: Vec<Value>,
}

impl Lined {
    fn new(name: &str, tight: bool, text: &str) -> Lined {
        let mut lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        Lined { name: name.into(), tight, header: lines.next().unwrap(), entries: lines.collect() }
    }

    fn text(&self) -> String {
        let lines = std::iter::once(&self.header).chain(&self.entries);
        lines.map(|line| format!("{line}\n")).collect()
    }

    fn upper(&self) -> bool {
        self.header.get("qden").is_some()
    }

    fn unit(&self) -> i64 {
        self.header[if self.upper() { "bden" } else { "aden" }].as_i64().unwrap()
    }

    /// Whether the side to move is the one that keeps the belief and chooses.
    fn chooses(&self, entry: usize) -> bool {
        self.entries[entry][0] == json!(if self.upper() { 1 } else { 0 })
    }

    fn uses(&mut self, entry: usize) -> &mut Vec<Value> {
        self.entries[entry][5].as_array_mut().unwrap()
    }

    /// The squares of the side to move and of the other.
    fn sides(&self, entry: usize) -> (Vec<i64>, Vec<i64>) {
        let list = |i: usize| {
            self.entries[entry][i].as_array().unwrap().iter().map(|s| s.as_i64().unwrap()).collect()
        };
        if self.entries[entry][0] == json!(0) { (list(1), list(2)) } else { (list(2), list(1)) }
    }
}

fn verdict(text: String) -> Result<(), String> {
    match check(Cursor::new(text.into_bytes()), &Limits::default(), &Unwatched) {
        Ok(_) => Ok(()),
        Err(Error::Rejected(rejection)) => {
            assert!(!rejection.en().is_empty() && !rejection.ja().is_empty());
            Err(rejection.reason.code().into())
        }
        Err(other) => Err(other.to_string()),
    }
}

/// Does something to an entry; says whether there was anything to do it to.
type Deed = fn(&mut Lined, usize) -> bool;

/// Changes the first use for which it can be done.
fn some_use(file: &mut Lined, entry: usize, deed: impl Fn(&mut Vec<Value>) -> bool) -> bool {
    file.uses(entry).iter_mut().any(|used| deed(used.as_array_mut().unwrap()))
}

fn set(place: &mut Value, value: impl Into<Value>) -> bool {
    *place = value.into();
    true
}

fn add(place: &mut Value, more: i64) -> bool {
    let sum = place.as_i64().unwrap() + more;
    set(place, sum)
}

/// The ways, and the reasons each may be rejected for.
const WAYS: &[(&str, &[&str], Deed)] = &[
    ("turn 2", &["turn"], |f, e| set(&mut f.entries[e][0], 2)),
    ("turn true", &["syntax"], |f, e| set(&mut f.entries[e][0], true)),
    ("turn as text", &["syntax"], |f, e| set(&mut f.entries[e][0], "0")),
    ("turn null", &["syntax"], |f, e| set(&mut f.entries[e][0], Value::Null)),
    ("the other's turn", &["no-move", "ended", "elsewhere", "unanswered", "weights", "goes-on"], |f, e| {
        // A file may have the same entry for the other side, but not with these uses.
        let turn = 1 - f.entries[e][0].as_i64().unwrap();
        set(&mut f.entries[e][0], turn)
    }),
    ("unsorted", &["squares"], |f, e| {
        f.entries[e][1].as_array_mut().unwrap().swap(0, 1);
        true
    }),
    ("off the board", &["squares"], |f, e| set(&mut f.entries[e][2][1], 16)),
    ("below the board", &["squares"], |f, e| set(&mut f.entries[e][1][0], -1)),
    ("twice the same", &["squares"], |f, e| {
        let square = f.entries[e][2][0].clone();
        set(&mut f.entries[e][2][1], square)
    }),
    ("two on a square", &["overlap"], |f, e| {
        let mut squares = f.entries[e][1].as_array().unwrap().clone();
        squares[0] = f.entries[e][2][0].clone();
        squares.sort_by_key(|s| s.as_i64());
        set(&mut f.entries[e][1], squares)
    }),
    ("one piece", &["squares"], |f, e| set(&mut f.entries[e][1], json!([5]))),
    ("no pieces", &["squares"], |f, e| set(&mut f.entries[e][1], json!([]))),
    ("four pieces", &["squares"], |f, e| set(&mut f.entries[e][1], json!([0, 1, 2, 3]))),
    ("five pieces", &["syntax"], |f, e| set(&mut f.entries[e][1], json!([0, 1, 2, 3, 4]))),
    ("three against", &["squares"], |f, e| set(&mut f.entries[e][2], json!([0, 1, 2]))),
    (
        "a piece moved",
        &["elsewhere", "no-move", "ended", "unanswered", "overlap", "squares", "vector"],
        |f, e| {
            let (own, others) = f.sides(e);
            let Some(to) = (0..16).rev().find(|s| !own.contains(s) && !others.contains(s)) else {
                return false;
            };
            let mut squares = f.entries[e][2].as_array().unwrap().clone();
            squares[0] = to.into();
            squares.sort_by_key(|s| s.as_i64());
            set(&mut f.entries[e][2], squares) && f.uses(e).iter().any(|u| u[4] != json!(-1))
        },
    ),
    ("belief below 0", &["belief"], |f, e| {
        let place = if f.upper() { &mut f.entries[e][3] } else { &mut f.entries[e][3][0] };
        set(place, -1)
    }),
    ("belief above 1", &["belief"], |f, e| {
        let most = f.header["qden"].as_i64().unwrap_or(0);
        f.upper() && set(&mut f.entries[e][3], most + 1)
    }),
    ("belief in nothing", &["belief"], |f, e| {
        let zeros = vec![0; f.entries[e][1].as_array().unwrap().len()];
        !f.upper() && set(&mut f.entries[e][3], zeros)
    }),
    ("belief too long", &["belief"], |f, e| {
        !f.upper() && {
            f.entries[e][3].as_array_mut().unwrap().push(0.into());
            true
        }
    }),
    ("belief a float", &["syntax"], |f, e| {
        let place = if f.upper() { &mut f.entries[e][3] } else { &mut f.entries[e][3][0] };
        set(place, 0.5)
    }),
    ("belief of the other kind", &["syntax"], |f, e| {
        let other = if f.upper() { json!([1, 1]) } else { json!(1) };
        set(&mut f.entries[e][3], other)
    }),
    ("another belief", &["average", "vector"], |f, e| {
        if f.upper() {
            let (q, most) = (f.entries[e][3].as_i64().unwrap(), f.header["qden"].as_i64().unwrap());
            return set(&mut f.entries[e][3], if q < most { q + 1 } else { q - 1 });
        }
        let law = f.entries[e][3].as_array().unwrap();
        // Twice the same weights are the same belief.
        law.iter().filter(|w| **w != json!(0)).count() > 1 && add(&mut f.entries[e][3][0], 1)
    }),
    ("vector too long", &["length"], |f, e| {
        f.entries[e][4].as_array_mut().unwrap().push(0.into());
        true
    }),
    ("vector too short", &["length"], |f, e| f.entries[e][4].as_array_mut().unwrap().pop().is_some()),
    ("above 1", &["component"], |f, e| {
        let unit = f.unit();
        set(&mut f.entries[e][4][1], unit + 1)
    }),
    ("below -1", &["component"], |f, e| {
        let unit = f.unit();
        set(&mut f.entries[e][4][0], -unit - 1)
    }),
    ("vector a float", &["syntax"], |f, e| set(&mut f.entries[e][4][0], 1.0)),
    ("a stronger claim", &["vector"], |f, e| {
        let (best, step) = if f.upper() { (-f.unit(), -1) } else { (f.unit(), 1) };
        let open = f.entries[e][4].as_array().unwrap().iter().position(|part| *part != json!(best));
        f.tight && open.is_some_and(|i| add(&mut f.entries[e][4][i], step))
    }),
    ("claims swapped", &["vector"], |f, e| {
        let vector = f.entries[e][4].as_array_mut().unwrap();
        vector.swap(0, 1);
        f.tight && f.entries[e][4][0] != f.entries[e][4][1]
    }),
    ("weight 0", &["weight"], |f, e| some_use(f, e, |u| set(&mut u[2], 0))),
    ("weight below 0", &["weight"], |f, e| some_use(f, e, |u| set(&mut u[3], -1))),
    ("both below 0", &["weight"], |f, e| some_use(f, e, |u| set(&mut u[2], -1) && set(&mut u[3], -1))),
    ("over 0", &["weight"], |f, e| some_use(f, e, |u| set(&mut u[3], 0))),
    ("weight a float", &["syntax"], |f, e| some_use(f, e, |u| set(&mut u[2], 1.0))),
    ("more weight", &["weights"], |f, e| some_use(f, e, |u| add(&mut u[2], 1))),
    ("less weight", &["weights"], |f, e| some_use(f, e, |u| add(&mut u[3], 1))),
    ("used twice", &["weights"], |f, e| {
        let first = f.uses(e).first().cloned();
        first.is_some_and(|first| {
            f.uses(e).push(first);
            true
        })
    }),
    ("nothing used", &["weights", "unanswered"], |f, e| {
        let some = !f.uses(e).is_empty();
        f.uses(e).clear();
        some
    }),
    ("a move not answered", &["unanswered"], |f, e| {
        let Some(first) = f.uses(e).first().cloned() else { return false };
        f.uses(e).retain(|u| (&u[0], &u[1]) != (&first[0], &first[1]));
        !f.chooses(e)
    }),
    ("a piece of a lottery lost", &["weights"], |f, e| {
        let uses = f.uses(e).clone();
        let again = |i: &usize| uses[..*i].iter().any(|u| (&u[0], &u[1]) == (&uses[*i][0], &uses[*i][1]));
        let Some(found) = (0..uses.len()).find(again) else { return false };
        f.uses(e).remove(found);
        true
    }),
    ("from off the board", &["field"], |f, e| some_use(f, e, |u| set(&mut u[0], 16))),
    ("from far below", &["field"], |f, e| some_use(f, e, |u| set(&mut u[0], -2))),
    ("to off the board", &["field"], |f, e| some_use(f, e, |u| set(&mut u[1], 16))),
    ("to far below", &["field"], |f, e| some_use(f, e, |u| set(&mut u[1], -3))),
    ("child below -1", &["field"], |f, e| some_use(f, e, |u| set(&mut u[4], -2))),
    ("the other's piece moves", &["no-move"], |f, e| {
        let from = f.sides(e).1[0];
        some_use(f, e, |u| set(&mut u[0], from))
    }),
    ("a jump", &["no-move"], |f, e| {
        some_use(f, e, |u| {
            let from = u[0].as_i64().unwrap();
            from >= 0 && set(&mut u[1], if from < 8 { 15 } else { 0 })
        })
    }),
    ("onto one's own", &["no-move"], |f, e| {
        let own = f.sides(e).0;
        some_use(f, e, |u| {
            let from = u[0].as_i64().unwrap();
            from >= 0 && own.iter().find(|s| near(from).contains(s)).is_some_and(|to| set(&mut u[1], *to))
        })
    }),
    ("leaves from nowhere", &["no-move"], |f, e| {
        some_use(f, e, |u| {
            ![0, 3, 12, 15].contains(&u[0].as_i64().unwrap()) && u[0] != json!(-1) && set(&mut u[1], -2)
        })
    }),
    ("an answer to no move", &["no-move"], |f, e| !f.chooses(e) && some_use(f, e, |u| set(&mut u[0], -1))),
    ("an answer where it is over", &["ended"], |f, e| {
        let (own, others) = f.sides(e);
        let take = own.iter().flat_map(|from| near(*from).into_iter().map(move |to| (*from, to)));
        let Some((from, to)) = take.into_iter().find(|(_, to)| others.contains(to)) else { return false };
        f.uses(e).push(json!([from, to, 1, 1, -1, 0]));
        !f.chooses(e) && others.len() == 2
    }),
    ("a child where it is over", &["ended", "no-move"], |f, e| {
        f.chooses(e)
            && some_use(f, e, |u| {
                u[4] == json!(-1) && {
                    u[4] = 0.into();
                    u.pop().is_some()
                }
            })
    }),
    ("no child where it goes on", &["goes-on"], |f, e| {
        f.chooses(e)
            && some_use(f, e, |u| {
                u[4] != json!(-1) && set(&mut u[4], -1) && {
                    u.push(0.into());
                    true
                }
            })
    }),
    ("a child beyond the end", &["no-child"], |f, e| {
        let count = f.entries.len();
        some_use(f, e, |u| u[4] != json!(-1) && set(&mut u[4], count))
    }),
    ("itself as child", &["elsewhere"], |f, e| some_use(f, e, |u| u[4] != json!(-1) && set(&mut u[4], e))),
    ("no posterior", &["posterior"], |f, e| some_use(f, e, |u| u[4] == json!(-1) && u.pop().is_some())),
    ("a posterior too many", &["posterior"], |f, e| {
        some_use(f, e, |u| {
            u[4] != json!(-1) && {
                u.push(0.into());
                true
            }
        })
    }),
    ("posterior below 0", &["posterior-range"], |f, e| {
        some_use(f, e, |u| u[4] == json!(-1) && set(&mut u[5], -1))
    }),
    ("posterior above 1", &["posterior-range"], |f, e| {
        let most = f.header["qden"].as_i64().unwrap_or(2);
        some_use(f, e, |u| u[4] == json!(-1) && set(&mut u[5], most + 1))
    }),
    ("leaves with red", &["posterior-red"], |f, e| {
        let (own, most) = (f.sides(e).0, f.header["qden"].as_i64());
        f.chooses(e)
            && some_use(f, e, |u| {
                let piece = own.iter().position(|s| u[0] == json!(s)).unwrap_or(0) as i64;
                u[1] == json!(-2) && set(&mut u[5], most.map_or(piece, |most| (1 - piece) * most))
            })
    }),
    ("seven fields", &["syntax"], |f, e| {
        some_use(f, e, |u| {
            u.resize(7, 0.into());
            u[4] = (-1).into();
            u[5] = 0.into();
            true
        })
    }),
    ("five parts", &["syntax"], |f, e| f.entries[e].as_array_mut().unwrap().pop().is_some()),
    ("seven parts", &["syntax"], |f, e| {
        f.entries[e].as_array_mut().unwrap().push(0.into());
        true
    }),
    ("an object", &["syntax"], |f, e| set(&mut f.entries[e], json!({"turn": 0}))),
    ("promises one more", &["count"], |f, _| add(&mut f.header["entries"], 1)),
    ("promises one less", &["count"], |f, _| add(&mut f.header["entries"], -1)),
    ("promises less than nothing", &["count"], |f, _| set(&mut f.header["entries"], -1)),
    ("denominator 0", &["denominator"], |f, _| {
        let name = if f.upper() { "bden" } else { "aden" };
        set(&mut f.header[name], 0)
    }),
    ("denominator below 0", &["denominator"], |f, _| {
        let name = if f.upper() { "qden" } else { "aden" };
        set(&mut f.header[name], -1)
    }),
    ("the last line lost", &["count"], |f, _| f.entries.pop().is_some()),
    ("a line twice", &["count"], |f, e| {
        let entry = f.entries[e].clone();
        f.entries.push(entry);
        true
    }),
];

/// What can be done to any certificate.
fn corpus() -> Vec<Lined> {
    let mut all = Vec::new();
    for (turn, a, b) in [
        (1, vec![4, 9, 13], [8, 10]),
        (0, vec![4, 9, 13], [8, 10]),
        (1, vec![1, 6], [8, 15]),
        (0, vec![1, 4], [11, 14]),
        (0, vec![0, 7, 10], [6, 12]),
    ] {
        for depth in 0..3 {
            let name = format!("{turn} {a:?} {b:?} depth {depth}");
            let upper = Maker::file(true, turn, &a, &b, &[1, 1], depth);
            all.push(Lined::new(&format!("upper {name}"), true, &upper.text()));
            let lower = Maker::file(false, turn, &a, &b, &[1, 2, 3][..a.len()], depth);
            all.push(Lined::new(&format!("lower {name}"), true, &lower.text()));
        }
    }
    let region = Region::new(-UNIT).file(true);
    let roots = (0..region.entries.len()).step_by(97).map(|root| region.from(root));
    let region = roots.into_iter().find(|file| (100..400).contains(&file.entries.len())).unwrap();
    all.push(Lined::new("upper region", false, &region.text()));
    all.push(Lined::new("lower region", false, &turned(&region).text()));
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<PathBuf> = std::fs::read_dir(data)
        .map(|dir| dir.flatten().map(|file| file.path()).collect())
        .unwrap_or_default();
    files.extend(std::env::var_os("YOMIKIRI_CERTIFICATE").map(PathBuf::from));
    files.sort();
    for path in files {
        let mut lines = Lines::new(std::fs::File::open(&path).unwrap(), u64::MAX);
        let mut text = String::new();
        while let Next::Line(line) = lines.next(&|| false).unwrap() {
            text += str::from_utf8(line).unwrap();
            text.push('\n');
        }
        all.push(Lined::new(&path.display().to_string(), false, &text));
    }
    all
}

#[test]
fn law_every_corruption_is_rejected_for_its_reason() {
    let mut done = BTreeSet::new();
    for file in corpus() {
        assert_eq!(verdict(file.text()), Ok(()), "{}", file.name);
        // Small files at every entry, large ones here and there, a different place for each way.
        let count = file.entries.len();
        let step = if count < 30 { 1 } else { count.div_ceil(if count < 3000 { 3 } else { 1 }) };
        for (number, (way, codes, deed)) in WAYS.iter().enumerate() {
            for entry in (7919 * number % step..count).step_by(step) {
                // From there on, the first entry to which it can be done.
                let mut wrong = file.clone();
                let Some(at) = (entry..count.min(entry + 50)).find(|at| {
                    wrong.entries[*at] = file.entries[*at].clone();
                    let fits = deed(&mut wrong, *at);
                    if !fits {
                        wrong.entries[*at] = file.entries[*at].clone();
                    }
                    fits
                }) else {
                    continue;
                };
                done.insert(*way);
                match verdict(wrong.text()) {
                    Err(code) if codes.contains(&code.as_str()) => {}
                    other => panic!(
                        "{}: {way} at entry {at}: {other:?}\n{}",
                        file.name,
                        wrong.entries[at.min(wrong.entries.len() - 1)]
                    ),
                }
            }
        }
    }
    let idle: Vec<_> = WAYS.iter().map(|way| way.0).filter(|way| !done.contains(way)).collect();
    assert!(idle.is_empty(), "never tried: {idle:?}");
}

#[test]
fn law_broken_text_is_rejected_where_it_breaks() {
    let file = Maker::file(true, 1, &[4, 9, 13], &[8, 10], &[1, 1], 1).text();
    let lines: Vec<&str> = file.lines().collect();
    assert!(lines.len() > 6);
    for (wrong, said) in [
        ("", "byte 1: expected '['"),
        ("   ", "byte 4: expected '['"),
        ("[", "byte 2: expected a whole number"),
        ("null", "byte 1: expected '['"),
        ("[0,[4,9,13],[8,10],1,[1,1,1],[]] x", "byte 34: expected the end of the line"),
        ("[0,[4,9,13],[8,10],1,[1,1,1],[]", "byte 32: expected ']'"),
        ("[0,[4,9,13],[8,10],1,[1,1,1],[[]]]", "byte 32: expected a whole number"),
        ("[00,[4,9,13],[8,10],1,[1,1,1],[]]", "byte 2: expected a whole number"),
        ("[0,[4,9,,13],[8,10],1,[1,1,1],[]]", "byte 9: expected a whole number"),
        ("[0;[4,9,13],[8,10],1,[1,1,1],[]]", "byte 3: expected ','"),
    ] {
        let mut lines = lines.clone();
        lines[5] = wrong;
        let Err(Error::Rejected(rejection)) =
            check(Cursor::new(lines.join("\n").into_bytes()), &Limits::default(), &Unwatched)
        else {
            panic!("{wrong}")
        };
        assert_eq!(rejection.en(), format!("line 6 (entry 4): {said}"));
        assert!(rejection.ja().starts_with("6 行目（項目 4）：") && rejection.ja().ends_with("が必要です"));
    }
    let mut long = lines.clone();
    let spaces = " ".repeat(1 << 16) + lines[3];
    long[3] = &spaces;
    assert_eq!(verdict(long.join("\n")), Err("long-line".into()));
    assert_eq!(verdict("{\"aden\":1,\"entries\":0}".into()), Err("empty".into()));
    assert!(verdict("{\"entries\":0}".into()).unwrap_err().starts_with("not a certificate"));
    assert!(verdict("".into()).unwrap_err().starts_with("not a certificate"));
}
