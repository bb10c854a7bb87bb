//! Two checkers that share nothing but the page they were written from, `docs/certificates.md`: this crate and
//! `tests/check_certificate.py`. Right certificates are changed by chance in thousands of ways, some of which leave them
//! right, and both have to say the same of each.

use crate::maker::{File, Maker, Region, UNIT, turned};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use yomikiri_check::input::{Lines, Next};
use yomikiri_check::{Error, Limits, Reason, Unwatched, check};

/// Numbers by chance, the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

/// Entries of a certificate that is changed.
const MOST: usize = 60;

/// A certificate that can be changed.
#[derive(Clone)]
struct Draft {
    header: Value,
    entries: Vec<Value>,
}

impl Draft {
    fn new(text: &str) -> Draft {
        let mut lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        Draft { header: lines.next().unwrap(), entries: lines.collect() }
    }
    fn text(&self) -> String {
        std::iter::once(&self.header).chain(&self.entries).map(|line| format!("{line}\n")).collect()
    }
    fn upper(&self) -> bool {
        self.header.get("qden").is_some()
    }
    fn uses(&mut self, entry: usize) -> &mut Vec<Value> {
        self.entries[entry][5].as_array_mut().unwrap()
    }
    /// What an entry needs, with that entry as the first, if that is not too much.
    fn from(&self, root: usize, most: usize) -> Option<Draft> {
        let (mut order, mut index) = (vec![root], BTreeMap::from([(root as i64, 0)]));
        let mut next = 0;
        while let Some(number) = order.get(next).copied() {
            for used in self.entries[number][5].as_array().unwrap() {
                let child = used[4].as_i64().unwrap();
                if child >= 0 && !index.contains_key(&child) {
                    index.insert(child, order.len());
                    order.push(child as usize);
                    if order.len() > most {
                        return None;
                    }
                }
            }
            next += 1;
        }
        let mut draft = Draft {
            header: self.header.clone(),
            entries: order.iter().map(|n| self.entries[*n].clone()).collect(),
        };
        draft.renumber(|child| index[&child] as i64);
        draft.header["entries"] = draft.entries.len().into();
        Some(draft)
    }
    fn renumber(&mut self, number: impl Fn(i64) -> i64) {
        for entry in 0..self.entries.len() {
            for used in self.uses(entry) {
                let child = used[4].as_i64().unwrap();
                if child >= 0 {
                    used[4] = number(child).into();
                }
            }
        }
    }
    /// An entry with a use, if there is one near a place.
    fn used(&mut self, chance: &mut Chance) -> Option<(usize, usize)> {
        let count = self.entries.len();
        let begin = chance.below(count);
        let entry =
            (begin..count).chain(0..begin).find(|e| !self.entries[*e][5].as_array().unwrap().is_empty())?;
        let uses = self.uses(entry).len();
        Some((entry, chance.below(uses)))
    }
}

fn add(place: &mut Value, more: i64) {
    if let Some(number) = place.as_i64() {
        *place = number.saturating_add(more).into();
    }
}

/// All numbers of a value, to be changed.
fn numbers<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|v| numbers(v, found)),
        Value::Object(map) => map.values_mut().for_each(|v| numbers(v, found)),
        Value::Number(_) => found.push(value),
        _ => {}
    }
}

fn mirrored(square: i64) -> i64 {
    if square < 0 { square } else { square - square % 4 + 3 - square % 4 }
}

/// The mirror image of an entry: its children stand as they were, and are mirror images of what follows.
fn mirror(draft: &mut Draft, entry: usize) {
    let upper = draft.upper();
    let most = draft.header["qden"].as_i64().unwrap_or(0);
    let this = &mut draft.entries[entry];
    let three = this[1].as_array().unwrap().len();
    let order = |squares: &Value| {
        let mut order: Vec<(i64, usize)> = squares
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
            .map(|(i, s)| (mirrored(s.as_i64().unwrap()), i))
            .collect();
        order.sort_unstable();
        order
    };
    let (a, b) = (order(&this[1]), order(&this[2]));
    let permuted = |values: &Value, order: &[(i64, usize)]| {
        Value::from(order.iter().map(|(_, i)| values[*i].clone()).collect::<Vec<_>>())
    };
    if upper {
        if b[0].1 == 1 {
            this[3] = (most - this[3].as_i64().unwrap()).into();
        }
        this[4] = permuted(&this[4], &a);
    } else {
        this[3] = permuted(&this[3], &a);
        this[4] = permuted(&this[4], &b);
    }
    this[1] = a.iter().map(|(s, _)| *s).collect::<Vec<_>>().into();
    this[2] = b.iter().map(|(s, _)| *s).collect::<Vec<_>>().into();
    for used in this[5].as_array_mut().unwrap() {
        for at in 0..2 {
            used[at] = mirrored(used[at].as_i64().unwrap()).into();
        }
        if used[4] == json!(-1) {
            let posterior = used[5].as_i64().unwrap();
            used[5] = if !upper {
                (0..three).find(|i| a[*i].1 as i64 == posterior).unwrap_or(0).into()
            } else if b[0].1 == 1 {
                (most - posterior).into()
            } else {
                posterior.into()
            };
        }
    }
}

/// Changes a certificate.
type Change = fn(&mut Draft, &mut Chance);

/// Changes after which a right certificate is still right.
const HARMLESS: &[(&str, Change)] = &[
    ("a use in two halves", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let parts = 2 + c.below(3) as i64;
            let den = f.uses(e)[u][3].as_i64().unwrap();
            f.uses(e)[u][3] = (den * parts).into();
            let part = f.uses(e)[u].clone();
            (1..parts).for_each(|_| f.uses(e).push(part.clone()));
        }
    }),
    ("a fraction not in lowest terms", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let by = 2 + c.below(9) as i64;
            for at in 2..4 {
                f.uses(e)[u][at] = (f.uses(e)[u][at].as_i64().unwrap() * by).into();
            }
        }
    }),
    ("uses in another order", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let last = f.uses(e).len() - 1;
            f.uses(e).swap(u, last);
        }
    }),
    ("entries in another order", |f, c| {
        if f.entries.len() > 2 {
            let (x, y) = (1 + c.below(f.entries.len() - 1), 1 + c.below(f.entries.len() - 1));
            f.entries.swap(x, y);
            let (x, y) = (x as i64, y as i64);
            f.renumber(|n| {
                if n == x {
                    y
                } else if n == y {
                    x
                } else {
                    n
                }
            });
        }
    }),
    ("an entry mirrored", |f, c| {
        let entry = c.below(f.entries.len());
        mirror(f, entry);
    }),
    ("all entries mirrored", |f, _| (0..f.entries.len()).for_each(|entry| mirror(f, entry))),
    ("a finer unit", |f, c| {
        let by = 2 + c.below(5) as i64;
        let name = if f.upper() { "bden" } else { "aden" };
        f.header[name] = (f.header[name].as_i64().unwrap() * by).into();
        for entry in &mut f.entries {
            for part in entry[4].as_array_mut().unwrap() {
                *part = (part.as_i64().unwrap() * by).into();
            }
        }
    }),
    ("beliefs in other numbers", |f, c| {
        let by = 2 + c.below(5) as i64;
        if f.upper() {
            f.header["qden"] = (f.header["qden"].as_i64().unwrap() * by).into();
            for entry in &mut f.entries {
                entry[3] = (entry[3].as_i64().unwrap() * by).into();
                for used in entry[5].as_array_mut().unwrap() {
                    if used[4] == json!(-1) {
                        used[5] = (used[5].as_i64().unwrap() * by).into();
                    }
                }
            }
        } else {
            let entry = c.below(f.entries.len());
            for weight in f.entries[entry][3].as_array_mut().unwrap() {
                *weight = (weight.as_i64().unwrap() * by).into();
            }
        }
    }),
    ("a weaker claim of entry 0", |f, c| {
        let (worst, step) = if f.upper() { (1, 1) } else { (-1, -1) };
        let unit = f.header[if f.upper() { "bden" } else { "aden" }].as_i64().unwrap();
        let part = c.below(f.entries[0][4].as_array().unwrap().len());
        // Others may use it and lean on its strength; then it is a change like any other.
        if f.entries[0][4][part] != json!(worst * unit) {
            add(&mut f.entries[0][4][part], step);
        }
    }),
    ("an entry that nobody uses", |f, c| {
        let entry = c.below(f.entries.len());
        let copy = f.entries[entry].clone();
        f.entries.push(copy);
        f.header["entries"] = f.entries.len().into();
    }),
];

/// Changes after which it may be anything.
const HARMFUL: &[(&str, Change)] = &[
    ("a number one more or less", |f, c| {
        let (entry, more) = (c.below(f.entries.len()), [1, -1][c.below(2)]);
        let mut found = Vec::new();
        numbers(&mut f.entries[entry], &mut found);
        let at = c.below(found.len());
        add(found[at], more);
    }),
    ("a number negated or doubled", |f, c| {
        let (entry, by) = (c.below(f.entries.len()), [-1, 2, 3, 0][c.below(4)]);
        let mut found = Vec::new();
        numbers(&mut f.entries[entry], &mut found);
        let at = c.below(found.len());
        *found[at] = found[at].as_i64().unwrap_or(0).saturating_mul(by).into();
    }),
    ("another number", |f, c| {
        let odd = [0, 1, -1, -2, 2, 15, 16, 72, -72, i64::MAX, i64::MIN, 1 << 40];
        let (entry, odd) = (c.below(f.entries.len()), *c.pick(&odd));
        let mut found = Vec::new();
        numbers(&mut f.entries[entry], &mut found);
        let at = c.below(found.len());
        *found[at] = odd.into();
    }),
    ("the header's number", |f, c| {
        let (more, by) = ([1, -1, 0][c.below(3)], [1, 1, 2, 0, -1][c.below(5)]);
        let mut found = Vec::new();
        numbers(&mut f.header, &mut found);
        let at = c.below(found.len());
        *found[at] = (found[at].as_i64().unwrap_or(0).saturating_mul(by) + more).into();
    }),
    ("a use dropped", |f, c| {
        if let Some((e, u)) = f.used(c) {
            f.uses(e).remove(u);
        }
    }),
    ("a use twice", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let used = f.uses(e)[u].clone();
            f.uses(e).push(used);
        }
    }),
    ("children swapped", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let v = c.below(f.uses(e).len());
            let (x, y) = (f.uses(e)[u][4].clone(), f.uses(e)[v][4].clone());
            f.uses(e)[u][4] = y;
            f.uses(e)[v][4] = x;
        }
    }),
    ("moves swapped", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let v = c.below(f.uses(e).len());
            for at in 0..2 {
                let (x, y) = (f.uses(e)[u][at].clone(), f.uses(e)[v][at].clone());
                f.uses(e)[u][at] = y;
                f.uses(e)[v][at] = x;
            }
        }
    }),
    ("a child redirected", |f, c| {
        if let Some((e, u)) = f.used(c) {
            f.uses(e)[u][4] = c.below(f.entries.len()).into();
        }
    }),
    ("a child redirected to its like", |f, c| {
        // The same position with another belief or another claim, or its mirror image.
        let Some((e, u)) = f.used(c) else { return };
        let Some(child) = f.uses(e)[u][4].as_u64() else { return };
        let Some(place) =
            f.entries.get(child as usize).map(|entry| (entry[0].clone(), entry[1].clone(), entry[2].clone()))
        else {
            return;
        };
        let like: Vec<usize> = (0..f.entries.len())
            .filter(|n| {
                (&f.entries[*n][0], &f.entries[*n][1], &f.entries[*n][2]) == (&place.0, &place.1, &place.2)
            })
            .collect();
        f.uses(e)[u][4] = (*c.pick(&like)).into();
    }),
    ("weight from one use to another", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let v = c.below(f.uses(e).len());
            add(&mut f.uses(e)[u][2], 1);
            add(&mut f.uses(e)[v][2], -1);
        }
    }),
    ("a denominator one more or less", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let more = [1, -1][c.below(2)];
            add(&mut f.uses(e)[u][3], more);
        }
    }),
    ("a trivial end instead of a child", |f, c| {
        if let Some((e, u)) = f.used(c) {
            let posterior = c.below(3);
            let used = f.uses(e)[u].as_array_mut().unwrap();
            used.truncate(4);
            used.extend([json!(-1), json!(posterior)]);
            if c.below(2) == 0 {
                used[0] = (-1).into();
            }
        }
    }),
    ("another posterior", |f, c| {
        let most = f.header["qden"].as_i64().unwrap_or(2) as usize;
        if let Some((e, u)) = f.used(c)
            && f.uses(e)[u].as_array().unwrap().len() == 6
        {
            f.uses(e)[u][5] = c.below(most + 1).into();
        }
    }),
    ("another belief", |f, c| {
        let entry = c.below(f.entries.len());
        let more = [1, -1][c.below(2)];
        if f.upper() {
            add(&mut f.entries[entry][3], more);
        } else {
            let count = f.entries[entry][3].as_array().unwrap().len();
            let (x, y) = (c.below(count), c.below(count));
            add(&mut f.entries[entry][3][x], 1);
            add(&mut f.entries[entry][3][y], more);
        }
    }),
    ("a belief turned round", |f, c| {
        let entry = c.below(f.entries.len());
        if f.upper() {
            let most = f.header["qden"].as_i64().unwrap();
            f.entries[entry][3] = (most - f.entries[entry][3].as_i64().unwrap()).into();
        } else {
            f.entries[entry][3].as_array_mut().unwrap().reverse();
        }
    }),
    ("a stronger claim", |f, c| {
        let entry = c.below(f.entries.len());
        let step = if f.upper() { -1 } else { 1 };
        let part = c.below(f.entries[entry][4].as_array().unwrap().len());
        add(&mut f.entries[entry][4][part], step);
    }),
    ("a claim one weaker", |f, c| {
        let entry = c.below(f.entries.len());
        let step = if f.upper() { 1 } else { -1 };
        let part = c.below(f.entries[entry][4].as_array().unwrap().len());
        add(&mut f.entries[entry][4][part], step);
    }),
    ("components swapped", |f, c| {
        let entry = c.below(f.entries.len());
        f.entries[entry][4].as_array_mut().unwrap().swap(0, 1);
    }),
    ("the strongest claim", |f, c| {
        let entry = c.below(f.entries.len());
        let best = if f.upper() { -1 } else { 1 };
        let unit = f.header[if f.upper() { "bden" } else { "aden" }].as_i64().unwrap_or(1);
        for part in f.entries[entry][4].as_array_mut().unwrap() {
            *part = unit.saturating_mul(best).into();
        }
    }),
    ("a piece elsewhere", |f, c| {
        let (entry, side) = (c.below(f.entries.len()), 1 + c.below(2));
        let mut squares: Vec<i64> =
            f.entries[entry][side].as_array().unwrap().iter().filter_map(Value::as_i64).collect();
        let at = c.below(squares.len());
        if let Some(square) = squares.get_mut(at) {
            *square = c.below(16) as i64;
        }
        squares.sort_unstable();
        f.entries[entry][side] = squares.into();
    }),
    ("only the squares mirrored", |f, c| {
        let entry = c.below(f.entries.len());
        for side in 1..3 {
            let mut squares: Vec<i64> = f.entries[entry][side]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|s| Some(mirrored(s.as_i64()?)))
                .collect();
            squares.sort_unstable();
            f.entries[entry][side] = squares.into();
        }
    }),
    ("the other's turn", |f, c| {
        let entry = c.below(f.entries.len());
        f.entries[entry][0] = (1 - f.entries[entry][0].as_i64().unwrap_or(0)).into();
    }),
    ("entries swapped, children not", |f, c| {
        let (x, y) = (c.below(f.entries.len()), c.below(f.entries.len()));
        f.entries.swap(x, y);
    }),
    ("an entry lost", |f, c| {
        if f.entries.len() > 1 {
            f.entries.remove(c.below(f.entries.len()));
            f.header["entries"] = f.entries.len().into();
        }
    }),
    ("a part of an entry lost or doubled", |f, c| {
        let entry = c.below(f.entries.len());
        let at = 1 + c.below(5);
        if let Some(list) = f.entries[entry][at].as_array_mut() {
            match c.below(2) {
                0 => _ = list.pop(),
                _ => list.extend(list.first().cloned()),
            }
        }
    }),
    ("not a number", |f, c| {
        let (entry, odd) =
            (c.below(f.entries.len()), [json!(null), json!("1"), json!(true), json!(1.5), json!([])]);
        let odd = odd[c.below(odd.len())].clone();
        let mut found = Vec::new();
        numbers(&mut f.entries[entry], &mut found);
        let at = c.below(found.len());
        *found[at] = odd;
    }),
    ("another header", |f, c| {
        let map = f.header.as_object_mut().unwrap();
        match c.below(4) {
            0 => _ = map.insert("more".into(), 1.into()),
            1 => _ = map.remove("entries"),
            2 => _ = map.insert("entries".into(), "1".into()),
            _ => {
                let count = map["entries"].clone();
                f.header = json!({"aden": 72, "entries": count});
            }
        }
    }),
];

/// Changes of the text itself.
fn rewritten(text: &mut Vec<u8>, chance: &mut Chance) -> &'static str {
    let at = chance.below(text.len());
    let digit = |text: &[u8], at: usize| (at..text.len()).find(|i| text[*i].is_ascii_digit()).unwrap_or(0);
    match chance.below(12) {
        0 => {
            let place = (at..text.len()).find(|i| b",[]:{}".contains(&text[*i])).unwrap_or(0);
            let space = *chance.pick(b" \t\r");
            text.insert(place, space);
            "a space"
        }
        1 => {
            text.remove(at);
            "a byte lost"
        }
        2 => {
            let byte = *chance.pick(b"0123456789-,[]{}: \n\".e+x\xff\0");
            text[at] = byte;
            "another byte"
        }
        3 => {
            let byte = *chance.pick(b"0123456789-,[]{}: \n\".e+x\xff\0");
            text.insert(at, byte);
            "a byte more"
        }
        4 => {
            let place = digit(text, at);
            text.insert(place, b'0');
            "a leading zero"
        }
        5 => {
            let place = digit(text, at);
            let zeros = vec![b'0'; 1 + chance.below(240)];
            text.splice(place + 1..place + 1, zeros);
            "a long number"
        }
        6 => {
            let place = digit(text, at);
            text.splice(place + 1..place + 1, *b".0");
            "a fraction"
        }
        7 => {
            let ends: Vec<usize> = (0..text.len()).filter(|i| text[*i] == b'\n').collect();
            text.insert(*chance.pick(&ends), b'\n');
            "an empty line"
        }
        8 => {
            *text = String::from_utf8_lossy(text).replace('\n', "\r\n").into_bytes();
            "carriage returns"
        }
        9 => {
            text.pop();
            "no end of the last line"
        }
        10 => {
            let zero = String::from_utf8_lossy(text).replace(",0,", ",-0,");
            *text = zero.into_bytes();
            "minus nothing"
        }
        _ => {
            text.truncate(at);
            "cut off"
        }
    }
}

/// Right certificates, small ones of every kind.
fn right() -> Vec<Draft> {
    let mut all: Vec<Draft> = Vec::new();
    for (turn, a, b) in [
        (0, vec![9, 13, 14], [1, 2]),
        (1, vec![9, 13, 14], [1, 2]),
        (1, vec![4, 9, 13], [8, 10]),
        (0, vec![4, 9, 13], [8, 10]),
        (1, vec![5, 6], [8, 11]),
        (0, vec![4, 7], [9, 10]),
        (1, vec![2, 5, 10], [6, 9]),
        (0, vec![1, 4], [11, 14]),
        (1, vec![1, 6], [8, 15]),
        (0, vec![0, 7, 10], [6, 12]),
        (1, vec![8, 11], [1, 2]),
        // Whoever answers is about to leave: what a take is worth is what decides.
        (0, vec![4, 9], [8, 15]),
        (0, vec![4, 9, 13], [8, 15]),
        (1, vec![0, 7], [6, 11]),
        (1, vec![0, 7, 9], [6, 11]),
    ] {
        for depth in 0..3 {
            for q in 0..3 {
                all.push(Draft::new(&Maker::file(true, turn, &a, &b, &[q, 2 - q], depth).text()));
            }
            for law in [[1, 1, 1], [0, 1, 0], [3, 2, 1]] {
                all.push(Draft::new(&Maker::file(false, turn, &a, &b, &law[..a.len()], depth).text()));
            }
        }
    }
    // Proofs in which play may go round: to nothing, and to the end.
    let mut parts = |whole: &File, step: usize, most: usize| {
        let whole = Draft::new(&whole.text());
        let parts = (0..whole.entries.len()).step_by(step).filter_map(|root| whole.from(root, MOST));
        all.extend(parts.filter(|part| part.entries.len() > 2).take(most));
    };
    for (low, finite) in [(0, false), (-UNIT, true)] {
        let region = Region::new(low).file(finite);
        parts(&region, 29, 12);
        parts(&turned(&region), 31, 12);
    }
    all.retain(|draft| draft.entries.len() <= MOST);
    // Parts of a proof that was found by the solver.
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/two-first-lower.jsonl.xz");
    let mut lines = Lines::new(std::fs::File::open(data).unwrap(), u64::MAX);
    let mut text = String::new();
    while let Next::Line(line) = lines.next(&|| false).unwrap() {
        text += str::from_utf8(line).unwrap();
        text.push('\n');
    }
    let whole = Draft::new(&text);
    let parts = (0..whole.entries.len()).step_by(7).filter_map(|root| whole.from(root, MOST));
    all.extend(parts.filter(|part| part.entries.len() > 2).take(40));
    all
}

/// A certificate and what was done to it.
struct Mutant {
    text: Vec<u8>,
    how: Vec<&'static str>,
}

fn mutants(count: usize, seed: u64) -> Vec<Mutant> {
    let right = right();
    assert!(right.len() > 100, "{}", right.len());
    let mut chance = Chance(seed);
    let mut all = Vec::new();
    // Large ones in which play goes round without end for a claim below 0: wrong, and by nothing but that. The same
    // claims are right where play ends.
    let losses = Region::new(-UNIT);
    let endless = losses.file(false);
    let large = [endless.clone(), turned(&endless), turned(&losses.file(true))];
    for file in large.iter().take(count / 2000) {
        let mut draft = Draft::new(&file.text());
        let (name, change) = chance.pick(HARMLESS);
        change(&mut draft, &mut chance);
        all.push(Mutant { text: draft.text().into_bytes(), how: vec!["going round", *name] });
    }
    while all.len() < count {
        let mut draft = chance.pick(&right).clone();
        let mut how = Vec::new();
        for _ in 0..chance.below(4) {
            let (name, change) = chance.pick(HARMLESS);
            change(&mut draft, &mut chance);
            how.push(*name);
        }
        // A quarter stays right, most are wronged once, some more often.
        for _ in 0..[0, 1, 1, 1, 1, 2, 3, 0][chance.below(8)] {
            let (name, change) = chance.pick(HARMFUL);
            change(&mut draft, &mut chance);
            how.push(*name);
            // What is no longer a list of lists is not changed further.
            if *name == "another header" || draft.entries.iter().any(|entry| !well_formed(entry)) {
                break;
            }
        }
        let mut text = draft.text().into_bytes();
        if chance.below(8) == 0 {
            how.push(rewritten(&mut text, &mut chance));
        }
        all.push(Mutant { text, how });
    }
    all
}

/// Whether an entry can be changed by those who take its form for granted.
fn well_formed(entry: &Value) -> bool {
    let list = |at: usize| entry[at].as_array();
    let whole = |list: &Vec<Value>| list.len() >= 2 && list.iter().all(Value::is_i64);
    let uses = list(5).is_some_and(|uses| {
        uses.iter().all(|used| {
            used.as_array().is_some_and(|used| {
                used.len() >= 5
                    && used.iter().all(Value::is_i64)
                    && (used[4] == json!(-1)) == (used.len() == 6)
            })
        })
    });
    let belief = entry[3].is_i64()
        || list(3).is_some_and(|law| whole(law) && law.len() == list(1).map_or(0, Vec::len));
    entry[0].is_i64() && [1, 2, 4].iter().all(|at| list(*at).is_some_and(whole)) && belief && uses
}

/// What this crate says, in the words of the other.
fn ours(text: &[u8]) -> String {
    match check(Cursor::new(text.to_vec()), &Limits::default(), &Unwatched) {
        Ok(proved) => {
            let about = if proved.start { proved.subject() } else { "elsewhere" };
            format!("accepted {} {about}", proved.bound)
        }
        Err(Error::Rejected(rejection)) if matches!(rejection.reason, Reason::Cycle { .. }) => {
            "rejected for a circle".into()
        }
        Err(Error::Rejected(_)) => "rejected".into(),
        Err(Error::Unreadable(_)) => "unreadable".into(),
        Err(other) => panic!("{other}"),
    }
}

/// What the other checker says of all of them, in one process.
fn theirs(mutants: &[Mutant]) -> Vec<String> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/check_certificate.py");
    let mut python = Command::new("python3")
        .arg(script)
        .arg("--batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut stdin = python.stdin.take().expect("a pipe");
    let mut said = String::new();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for Mutant { text, .. } in mutants {
                stdin.write_all(format!("{}\n", text.len()).as_bytes()).expect("a pipe");
                stdin.write_all(text).expect("a pipe");
            }
        });
        python.stdout.take().expect("a pipe").read_to_string(&mut said).expect("text");
    });
    assert!(python.wait().expect("it ends").success());
    said.lines().map(str::to_owned).collect()
}

/// Asks both about so many certificates.
fn agree(count: usize, seed: u64) {
    let python = Command::new("python3")
        .args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"])
        .stderr(Stdio::null())
        .status();
    if !python.is_ok_and(|status| status.success()) {
        assert!(std::env::var_os("YOMIKIRI_NEEDS_PYTHON").is_none(), "python3 was there a moment ago");
        eprintln!(
            "\n!! There is no python3 (3.10 or newer): THE CHECKER IS NOT COMPARED WITH THE SECOND ONE.\n"
        );
        return;
    }
    let mutants = mutants(count, seed);
    let theirs = theirs(&mutants);
    assert_eq!(theirs.len(), mutants.len(), "an answer for each");
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for (Mutant { text, how }, theirs) in mutants.iter().zip(&theirs) {
        let ours = ours(text);
        let word = ours.split(' ').next().unwrap_or_default();
        let same = if word == "accepted" { ours == *theirs } else { theirs.split(' ').next() == Some(word) };
        assert!(
            same,
            "{how:?}: this crate says {ours:?}, the other {theirs:?}\n{}",
            String::from_utf8_lossy(&text[..text.len().min(6000)])
        );
        let kind = if how.iter().any(|name| HARMFUL.iter().any(|way| way.0 == *name)) {
            "wronged"
        } else {
            "kept right"
        };
        *verdicts
            .entry(match (word, kind) {
                ("accepted", "wronged") => "accepted though changed",
                ("accepted", _) => "accepted",
                ("rejected", _) if ours.ends_with("circle") => "rejected for a circle",
                ("rejected", _) => "rejected",
                _ => "unreadable",
            })
            .or_default() += 1;
    }
    println!("{count} certificates, both checkers agree on each: {verdicts:?}");
    // Neither says yes to everything or to nothing.
    let of = |word: &str| verdicts.get(word).copied().unwrap_or(0);
    assert!(
        of("accepted") > count / 10
            && of("rejected") > count / 3
            && of("rejected for a circle") > 0
            && of("unreadable") > 0,
        "{verdicts:?}"
    );
}

#[test]
fn law_two_checkers_written_apart_agree() {
    agree(2_400, 1);
}

mod full {
    #[test]
    fn law_two_checkers_written_apart_agree() {
        super::agree(45_000, 2);
    }
}
