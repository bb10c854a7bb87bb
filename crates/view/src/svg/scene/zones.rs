//! Where zones and their items go, and how they are drawn there.

use super::items;
use super::pen::{Anchor, Pen, Rect, n, plain, width, wrap};
use super::tokens;
use super::tokens::TALL;
use crate::scene::{
    Edge, Ground, Item, Mark, Move, Piece, Scene, Shape, Show, Squares, Tick, Tiling, Tone, Zone,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use yomikiri_core::Lang;

/// Room between the words over a zone and the zone, and for a line of them.
const LABEL: (f64, f64) = (6.0, 16.0);
/// Words over a narrow zone beside others are broken from this width on.
const LABEL_WIDE: f64 = 130.0;
/// Room for chips or words under an item.
const BELOW: f64 = 24.0;
/// Room for arrows over a row.
const ABOVE: f64 = 34.0;
/// Below this size of a square its names stand outside the board.
const NAMED: f64 = 64.0;
/// Below this width there is little room.
const NARROW: f64 = 480.0;
/// From one row of hexagons to the next, and the height of a hexagon, over its width.
const HEX: (f64, f64) = (0.866_025, 1.154_701);
/// Room after a heap for its number, over the width of a counter.
const COUNT: f64 = 0.8;

/// A zone with its place and sizes.
pub struct Placed<'a> {
    /// The zone.
    pub zone: &'a Zone,
    /// The width of a card or square.
    unit: f64,
    columns: usize,
    rooms: Rooms,
    /// Where the rows of items begin, from the top of them all.
    tops: Vec<f64>,
    /// The words over it, in lines.
    words: Vec<String>,
    at: Rect,
}

/// Room that a zone's items need around them.
#[derive(Clone, Copy, Default)]
struct Rooms {
    above: f64,
    below: f64,
    left: f64,
    right: f64,
}

/// A place on the picture.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Its box.
    pub rect: Rect,
    /// Whether it is a square of a board.
    pub square: bool,
}

/// The places by name.
pub type Spots = BTreeMap<String, Spot>;

fn preferred(zone: &Zone) -> f64 {
    zone.w.map_or(
        match zone.shape {
            Shape::Board(_) => 96.0,
            Shape::Grid { .. } => 52.0,
            Shape::Row { .. } => 58.0,
            Shape::Hand => 64.0,
            Shape::Pile { .. } => 46.0,
            Shape::Heap { .. } => 44.0,
        },
        f64::from,
    )
}

fn columns(zone: &Zone, narrow: bool) -> usize {
    let items = zone.items.len();
    let most = match zone.shape {
        Shape::Board(Squares { cols, .. }) => return usize::from(cols),
        Shape::Heap { per } => usize::from(per),
        Shape::Grid { cols, narrow: few } | Shape::Row { per: cols, narrow: few } => {
            usize::from(if narrow { few } else { cols })
        }
        Shape::Hand | Shape::Pile { .. } => items,
    };
    most.clamp(1, items.max(1))
}

/// The distance from a card to the next beyond its own width.
fn gap(zone: &Zone, unit: f64) -> f64 {
    match zone.shape {
        Shape::Board(_) => 0.0,
        Shape::Heap { .. } => 4.0,
        Shape::Grid { .. } => 6.0,
        Shape::Row { .. } | Shape::Hand => 7.0,
        Shape::Pile { spread: true } => 4.0,
        Shape::Pile { spread: false } => -0.42 * unit,
    }
}

/// The width of a zone over that of an item, and how many gaps there are.
fn across(zone: &Zone, columns: usize) -> (f64, f64) {
    let columns = columns as f64;
    match &zone.shape {
        Shape::Board(squares) if squares.tiling == Tiling::Honeycomb => {
            (columns + f64::from(squares.rows.saturating_sub(1)) / 2.0, 0.0)
        }
        Shape::Heap { .. } => (columns + COUNT, columns),
        _ => (columns, columns - 1.0),
    }
}

/// The height of an item over its width: that of cards, if there are any.
fn tall(zone: &Zone) -> f64 {
    let cards = zone.items.iter().any(|item| items::is_tall(&item.piece));
    if cards || (zone.items.is_empty() && !matches!(zone.shape, Shape::Heap { .. })) { TALL } else { 1.0 }
}

/// Where the names of files and ranks stand: inside squares where there is room, otherwise beside the board.
fn named_inside(squares: &Squares, unit: f64) -> bool {
    unit >= NAMED && squares.tiling == Tiling::Square && squares.grounds.is_empty()
}

/// The moves whose chips stand under an item.
fn chips<'a>(scene: &'a Scene, id: &'a str) -> impl Iterator<Item = &'a Move> {
    scene.moves.iter().filter(move |m| {
        let here = m.from.as_deref() == Some(id) || m.on.first().is_some_and(|on| on == id);
        here && !m.short.is_empty() && m.on.len() <= 2
    })
}

fn rooms(scene: &Scene, zone: &Zone, unit: f64) -> Rooms {
    if let Shape::Board(squares) = &zone.shape {
        let mut rooms = Rooms::default();
        if !squares.bare && !named_inside(squares, unit) {
            (rooms.left, rooms.below) = (12.0, 14.0);
        }
        if !squares.rims.is_empty() {
            (rooms.left, rooms.right) = (rooms.left + 5.0, 5.0);
            (rooms.above, rooms.below) = (5.0, rooms.below + 5.0);
        }
        if squares.tiling == Tiling::Lattice {
            let more = 0.12 * unit;
            (rooms.left, rooms.right) = (rooms.left + more, rooms.right + more);
            (rooms.above, rooms.below) = (rooms.above + more, rooms.below + more);
        }
        // A piece that leaves goes over the edge.
        let leaves = |high: u8| {
            let on = |place: &str| {
                let on_it = place.strip_prefix(zone.id.as_str()).and_then(|rest| rest.strip_prefix('/'));
                squares.all().any(|(_, row, name)| squares.height(row) == high && on_it == Some(&name))
            };
            scene.arrows.iter().any(|a| a.from == a.to && on(&a.from))
                || scene
                    .moves
                    .iter()
                    .any(|m| m.from.is_some() && m.from == m.to && m.from.as_deref().is_some_and(on))
        };
        if leaves(squares.rows.saturating_sub(1)) {
            rooms.above = (0.46 * unit).max(rooms.above);
        }
        if leaves(0) {
            rooms.below = (0.46 * unit).max(rooms.below);
        }
        return rooms;
    }
    Rooms::default()
}

/// Room over and under the items of a row: for arrows, and for chips or words.
fn around(scene: &Scene, items: &[Item]) -> (f64, f64) {
    let lies = |id: &str| items.iter().any(|item| item.id == id);
    let drawn = scene.arrows.iter().any(|a| lies(&a.from))
        || scene.moves.iter().any(|m| m.pick && m.to.is_some() && m.from.as_deref().is_some_and(lies));
    let said = items.iter().any(|i| !i.tag.is_empty() || chips(scene, &i.id).next().is_some());
    let barred = items.iter().any(|i| sign(scene, i) == Some(Mark::Any));
    let below = if said { BELOW } else { 0.0 };
    (if drawn { ABOVE } else { 0.0 }, if barred { 7f64.max(below) } else { below })
}

/// How an item stands out: by itself, or by the move that is picked.
fn sign(scene: &Scene, item: &Item) -> Option<Mark> {
    let of_move = scene.moves.iter().filter(|m| m.pick).find_map(|m| {
        let on = m.on.contains(&item.id);
        match () {
            _ if on && m.on.len() > 2 => Some(Mark::Any),
            _ if on || m.from.as_ref() == Some(&item.id) => Some(Mark::Best),
            _ if m.to.as_ref() == Some(&item.id) => Some(Mark::To),
            _ if m.also.contains(&item.id) => Some(Mark::Any),
            _ => None,
        }
    });
    of_move.or(item.mark)
}

impl Placed<'_> {
    fn rows(&self) -> usize {
        match self.zone.shape {
            Shape::Board(Squares { rows, .. }) => usize::from(rows),
            _ => self.zone.items.len().div_ceil(self.columns).max(1),
        }
    }

    fn label(&self) -> f64 {
        if self.words.is_empty() { 0.0 } else { LABEL.0 + LABEL.1 * self.words.len() as f64 }
    }

    /// Works out its width and height, and where its rows begin; its words may be so wide, or as it is itself.
    fn size(&mut self, scene: &Scene, lang: Lang, most: f64) {
        let unit = self.unit;
        let (units, gaps) = across(self.zone, self.columns);
        let inside = units * unit + gaps * gap(self.zone, unit);
        if !self.zone.label.is_empty() {
            self.words = wrap(self.zone.label.get(lang), 12.0, most.max(inside));
        }
        let label = self.words.iter().map(|line| width(&plain(line), 12.0, false)).fold(0.0, f64::max);
        let mut y = 0.0;
        match &self.zone.shape {
            Shape::Board(squares) => {
                let rows = self.rows() as f64;
                let rows =
                    if squares.tiling == Tiling::Honeycomb { (rows - 1.0) * HEX.0 + HEX.1 } else { rows };
                y = rows * unit + self.rooms.above + self.rooms.below;
            }
            _ => {
                let tall = tall(self.zone);
                for row in self.zone.items.chunks(self.columns) {
                    let (above, below) = around(scene, row);
                    y += if y > 0.0 { 10.0 } else { 0.0 };
                    self.tops.push(y + above);
                    y += above + unit * tall + below;
                }
                // A heap with nothing in it still says so.
                if matches!(self.zone.shape, Shape::Heap { .. }) && self.tops.is_empty() {
                    y = unit;
                }
            }
        }
        self.at.w = (inside + self.rooms.left + self.rooms.right).max(label);
        self.at.h = self.label() + y;
    }

    /// Where the items begin.
    fn origin(&self) -> (f64, f64) {
        (self.at.x + self.rooms.left, self.at.y + self.label() + self.rooms.above)
    }
}

/// How wide an item of a zone may be at most, so that the zone fits a width beside others of its lane.
fn fitting(zone: &Zone, columns: usize, most: f64, lane: usize) -> f64 {
    let (across, gaps) = across(zone, columns);
    match zone.shape {
        // Several boards: two beside each other at least.
        Shape::Board(_) if lane > 2 => ((most - 24.0) / 2.0 - 14.0) / across,
        Shape::Board(Squares { tiling: Tiling::Lattice, .. }) => (most - 24.0) / (across + 0.24),
        Shape::Board(_) => (most - 24.0) / across,
        Shape::Pile { spread: false } => most / (1.0 + 0.58 * (across - 1.0)),
        _ => (most - 8.0 - gaps * gap(zone, 0.0)) / across,
    }
}

/// Puts the zones of a scene into a width, from a corner on; the height they take.
pub fn place<'a>(scene: &'a Scene, lang: Lang, corner: (f64, f64), most: f64) -> (Vec<Placed<'a>>, f64) {
    let narrow = most < NARROW;
    // Heaps are compared with each other, so their counters are of one size.
    let heaps = scene.zones.iter().filter(|zone| matches!(zone.shape, Shape::Heap { .. }));
    let heaps = heaps
        .map(|zone| fitting(zone, columns(zone, narrow), most, 1).min(preferred(zone)))
        .fold(f64::INFINITY, f64::min);
    let mut all = Vec::new();
    let mut y = corner.1;
    for lane in &scene.layout {
        let zones: Vec<&Zone> =
            lane.iter().filter_map(|id| scene.zones.iter().find(|zone| zone.id == *id)).collect();
        let mut placed: Vec<Placed<'a>> = zones
            .iter()
            .map(|zone| {
                let columns = columns(zone, narrow);
                let fits = match zone.shape {
                    Shape::Heap { .. } => heaps,
                    _ => fitting(zone, columns, most, lane.len()),
                };
                let unit = preferred(zone).min(fits).max(4.0);
                Placed {
                    zone,
                    unit,
                    columns,
                    rooms: Rooms::default(),
                    tops: Vec::new(),
                    words: Vec::new(),
                    at: Rect::default(),
                }
            })
            .collect();
        // Zones side by side that ask for one size of card get one size.
        let units: Vec<(f64, f64)> = placed.iter().map(|p| (preferred(p.zone), p.unit)).collect();
        for p in &mut placed {
            let same = units.iter().filter(|u| u.0 == preferred(p.zone)).map(|u| u.1);
            p.unit = same.fold(p.unit, f64::min);
            p.rooms = rooms(scene, p.zone, p.unit);
            p.size(scene, lang, if units.len() == 1 { most } else { LABEL_WIDE });
        }
        let boards = placed.iter().all(|p| matches!(p.zone.shape, Shape::Board(_)));
        let between = if boards { 24.0 } else { 32.0 };
        let mut rest = placed.into_iter().peekable();
        while rest.peek().is_some() {
            let mut line: Vec<Placed<'a>> = Vec::new();
            let mut wide = 0.0;
            while let Some(p) = rest.next_if(|p| line.is_empty() || wide + between + p.at.w <= most) {
                wide += p.at.w + if line.is_empty() { 0.0 } else { between };
                line.push(p);
            }
            let tall = line.iter().map(|p| p.at.h).fold(0.0, f64::max);
            // Boards of a line of play stand in columns; all else is centred.
            let many = boards && zones.len() > line.len();
            let full = all.iter().rev().find(|p: &&Placed<'_>| lane.contains(&p.zone.id)).is_some();
            let mut x = match all.iter().find(|p: &&Placed<'_>| lane.contains(&p.zone.id)) {
                Some(first) if many && full => first.at.x,
                _ => corner.0 + (most - wide) / 2.0,
            };
            for mut p in line {
                p.at.x = x;
                p.at.y = y + tall - p.at.h;
                x += p.at.w + between;
                all.push(p);
            }
            y += tall + 18.0;
        }
    }
    (all, (y - 18.0 - corner.1).max(0.0))
}

/// Draws a zone and notes where its places are.
pub fn draw(pen: &mut Pen, scene: &Scene, p: &Placed<'_>, spots: &mut Spots) {
    for (i, line) in p.words.iter().enumerate() {
        pen.text("", p.at.x, p.at.y + 12.0 + LABEL.1 * i as f64, Anchor::Start, line);
    }
    match &p.zone.shape {
        Shape::Board(squares) => board(pen, scene, p, squares, spots),
        shape => {
            let ((x, y), tall) = (p.origin(), tall(p.zone));
            for (i, item) in p.zone.items.iter().enumerate() {
                let (col, row) = ((i % p.columns) as f64, i / p.columns);
                let rect = Rect {
                    x: x + col * (p.unit + gap(p.zone, p.unit)),
                    y: y + p.tops[row],
                    w: p.unit,
                    h: p.unit * tall,
                };
                spots.insert(item.id.clone(), Spot { rect, square: false });
            }
            if matches!(shape, Shape::Heap { .. }) {
                let top = p.tops.first().copied().unwrap_or(0.0);
                if p.zone.items.is_empty() {
                    pen.rect("y-gone", Rect { x, y, w: p.unit, h: p.unit }.grown(-0.75), p.unit * 0.5);
                }
                let x = x + p.columns as f64 * (p.unit + gap(p.zone, p.unit)) + p.unit * COUNT / 2.0;
                let count = p.zone.items.len().to_string();
                pen.text("y-count", x, y + top + p.unit / 2.0 + 6.0, Anchor::Middle, &count);
            }
        }
    }
    for item in &p.zone.items {
        let Some(Spot { rect, .. }) = spots.get(&item.id).copied() else { continue };
        let title = items::placed(item, pen.lang);
        pen.open(&title);
        // On a square there is some room around it.
        let inset = if item.at.is_empty() || item.edge.is_some() { 0.0 } else { -0.09 * rect.w };
        if item.edge.is_some() {
            pen.out.push_str(r#"<g class="y-edge">"#);
            items::draw(pen, &item.piece, rect);
            pen.close();
        } else {
            items::draw(pen, &item.piece, rect.grown(inset));
        }
        if let Some(mark) = sign(scene, item) {
            let cards = items::is_tall(&item.piece);
            let thin = 0.33 * rect.w;
            let body = match item.edge {
                Some(Edge::Top | Edge::Bottom) => Rect { y: rect.y + thin, h: rect.h - 2.0 * thin, ..rect },
                Some(Edge::Left | Edge::Right) => Rect { x: rect.x + thin, w: rect.w - 2.0 * thin, ..rect },
                None if cards => tokens::upright(rect.grown(inset)),
                None => rect.grown(inset),
            };
            items::mark(pen, mark, body, if cards { body.w * 0.1 } else { 6.0 });
        }
        pen.close();
        if !item.tag.is_empty() {
            let tag = pen.say(&item.tag).to_owned();
            pen.text("", rect.x + rect.w / 2.0, rect.y + rect.h + 16.0, Anchor::Middle, &tag);
        }
    }
}

/// The box of a square: hexagons are higher than their boxes.
fn cell(squares: &Squares, (x, y): (f64, f64), unit: f64, col: u8, row: u8) -> Rect {
    let below = f64::from(squares.rows.saturating_sub(1) - squares.height(row));
    let (x, y) = match squares.tiling {
        Tiling::Honeycomb => (
            x + (f64::from(col) + f64::from(row) / 2.0) * unit,
            y + (below * HEX.0 + (HEX.1 - 1.0) / 2.0) * unit,
        ),
        _ => (x + f64::from(col) * unit, y + below * unit),
    };
    Rect { x, y, w: unit, h: unit }
}

/// The corners of a hexagon around a box, from the top on clockwise.
fn hexagon(r: Rect) -> [(f64, f64); 6] {
    let ((x, y), high, half) = (r.middle(), r.w * HEX.1 / 2.0, r.w * HEX.1 / 4.0);
    let (left, right) = (r.x, r.x + r.w);
    [(x, y - high), (right, y - half), (right, y + half), (x, y + high), (left, y + half), (left, y - half)]
}

/// A line through points.
fn through(points: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{} {}", if i == 0 { "M" } else { "L" }, n(*x), n(*y));
    }
    d
}

/// The lines of a board, whatever lies on it.
fn ground(pen: &mut Pen, squares: &Squares, origin: (f64, f64), unit: f64) {
    let ((x, y), cols, rows) = (origin, squares.cols, squares.rows);
    let whole = Rect { x, y, w: f64::from(cols) * unit, h: f64::from(rows) * unit };
    let cell = |col: u8, row: u8| cell(squares, origin, unit, col, row);
    let there: BTreeSet<(u8, u8)> = squares.all().map(|(col, row, _)| (col, row)).collect();
    let holes = squares.grounds.values().any(|g| *g == Ground::Hole);
    let mut lines = String::new();
    match squares.tiling {
        Tiling::Square if !holes => {
            pen.rect("y-board", whole, 0.0);
            for col in 1..cols {
                let _ = write!(lines, "M{} {}v{}", n(x + f64::from(col) * unit), n(y), n(whole.h));
            }
            for row in 1..rows {
                let _ = write!(lines, "M{} {}h{}", n(x), n(y + f64::from(row) * unit), n(whole.w));
            }
        }
        Tiling::Square => {
            for (col, row, _) in squares.all() {
                pen.rect("y-cell", cell(col, row), 0.0);
            }
        }
        Tiling::Points => {
            pen.rect("y-ground", whole, 4.0);
            for (col, row, _) in squares.all() {
                let here = cell(col, row).middle();
                for (c, r) in [(col + 1, row), (col, row + 1)] {
                    if there.contains(&(c, r)) {
                        lines += &through(&[here, cell(c, r).middle()]);
                    }
                }
            }
        }
        Tiling::Lattice => pen.rect("y-ground", whole.grown(unit * 0.12), 4.0),
        Tiling::Honeycomb => {
            for (col, row, _) in squares.all() {
                pen.path("y-cell", &(through(&hexagon(cell(col, row))) + "z"));
            }
        }
    }
    if !lines.is_empty() {
        pen.path("y-lines", &lines);
    }
    for (col, row, name) in squares.all() {
        let r = cell(col, row);
        match (squares.grounds.get(&name), squares.tiling) {
            (Some(Ground::Dark), Tiling::Honeycomb) => pen.path("y-dark", &(through(&hexagon(r)) + "z")),
            (Some(Ground::Dark), _) => pen.rect("y-dark", r, 0.0),
            (Some(Ground::Dot), _) => {
                let (x, y) = r.middle();
                pen.circle("y-point", x, y, (unit * 0.06).max(1.6));
            }
            _ => {}
        }
        if squares.tiling == Tiling::Lattice {
            for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                pen.circle("y-point", r.x + dx * unit, r.y + dy * unit, (unit * 0.07).max(1.8));
            }
        }
    }
    let thick = (unit * 0.1).clamp(3.0, 7.0);
    for (edge, tint) in &squares.rims {
        let _ = write!(pen.out, r#"<g class="{}">"#, tokens::class(*tint));
        let d = rim(squares, *edge, whole, &cell);
        pen.stroke("y-rim2", &d, thick + 2.0);
        pen.stroke("y-rim", &d, thick);
        pen.close();
    }
}

/// A side of the whole board.
fn rim(squares: &Squares, edge: Edge, whole: Rect, cell: &dyn Fn(u8, u8) -> Rect) -> String {
    let Rect { x, y, w, h } = whole;
    if squares.tiling != Tiling::Honeycomb {
        return match edge {
            Edge::Top => format!("M{} {}h{}", n(x), n(y), n(w)),
            Edge::Bottom => format!("M{} {}h{}", n(x), n(y + h), n(w)),
            Edge::Left => format!("M{} {}v{}", n(x), n(y), n(h)),
            Edge::Right => format!("M{} {}v{}", n(x + w), n(y), n(h)),
        };
    }
    // Ranks further from the first lie further to the right, so the sides of the board take two edges of a hexagon.
    let (first, last) = (0, squares.rows.saturating_sub(1));
    let (top, bottom) = if squares.down { (first, last) } else { (last, first) };
    let corners = match (edge, squares.down) {
        (Edge::Top, _) => [5, 0, 1],
        (Edge::Bottom, _) => [4, 3, 2],
        (Edge::Left, false) => [0, 5, 4],
        (Edge::Left, true) => [5, 4, 3],
        (Edge::Right, false) => [1, 2, 3],
        (Edge::Right, true) => [0, 1, 2],
    };
    squares
        .all()
        .filter(|(col, row, _)| match edge {
            Edge::Top => *row == top,
            Edge::Bottom => *row == bottom,
            Edge::Left => *col == 0,
            Edge::Right => col + 1 == squares.cols,
        })
        .map(|(col, row, _)| through(&corners.map(|at| hexagon(cell(col, row))[at])))
        .collect()
}

fn board(pen: &mut Pen, scene: &Scene, p: &Placed<'_>, squares: &Squares, spots: &mut Spots) {
    let (origin, unit) = (p.origin(), p.unit);
    ground(pen, squares, origin, unit);
    let inside = named_inside(squares, unit);
    let picked = scene.moves.iter().find(|m| m.pick);
    for (col, row, name) in squares.all() {
        let rect = cell(squares, origin, unit, col, row);
        if let Some(side) = squares.exits.get(&name) {
            exit(pen, rect, *side);
        }
        let place = format!("{}/{name}", p.zone.id);
        if let Some(m) = picked.filter(|m| m.on.contains(&place) || m.also.contains(&place)) {
            let mark = if m.on.len() <= 2 && m.on.contains(&place) { Mark::Best } else { Mark::Any };
            items::mark(pen, mark, rect.grown(-unit * 0.14), 6.0);
        }
        spots.insert(place, Spot { rect, square: true });
        let (left, bottom) = (col == 0, squares.height(row) == 0);
        let file = char::from(b'a' + col.min(25)).to_string();
        let (_, middle) = rect.middle();
        // Beside a coloured side there is no room for letters.
        let aside = if squares.rims.is_empty() { 0.0 } else { 4.0 };
        let aside = if squares.tiling == Tiling::Lattice { aside + 0.12 * unit } else { aside };
        if squares.bare {
            continue;
        } else if !inside {
            let under =
                if squares.tiling == Tiling::Honeycomb { rect.y + unit * 1.08 } else { rect.y + unit };
            if left {
                let (x, rank) = (rect.x - 4.0 - aside, (row + 1).to_string());
                pen.text("y-s11", x, middle + 4.0, Anchor::End, &rank);
            }
            if bottom {
                pen.text("y-s11", rect.x + unit / 2.0, under + 12.0 + aside, Anchor::Middle, &file);
            }
        } else if left || bottom {
            let shown = match (left, bottom) {
                (true, true) => name,
                (true, false) => (row + 1).to_string(),
                _ => file,
            };
            pen.text("y-s11", rect.x + 5.0, rect.y + unit - 6.0, Anchor::Start, &shown);
        }
    }
    for item in &p.zone.items {
        if let Some(spot) = spots.get(&format!("{}/{}", p.zone.id, item.at)).copied() {
            let (dx, dy) = match item.edge {
                None => (0.0, 0.0),
                Some(Edge::Top) => (0.0, -0.5),
                Some(Edge::Bottom) => (0.0, 0.5),
                Some(Edge::Left) => (-0.5, 0.0),
                Some(Edge::Right) => (0.5, 0.0),
            };
            let rect = Rect { x: spot.rect.x + dx * unit, y: spot.rect.y + dy * unit, ..spot.rect };
            spots.insert(item.id.clone(), Spot { rect, square: false });
        }
    }
}

/// Two chevrons that point out of the board.
fn exit(pen: &mut Pen, r: Rect, side: u8) {
    let unit = r.w;
    let (x, up) = (r.x + unit / 2.0, if side == 1 { 1.0 } else { -1.0 });
    let edge = if side == 1 { r.y } else { r.y + r.h };
    let (half, tall) = (unit * 0.15, unit * 0.15);
    let chevron = |at: f64| {
        format!(
            "M{} {}L{} {}L{} {}",
            n(x - half),
            n(edge + up * (at + tall)),
            n(x),
            n(edge + up * at),
            n(x + half),
            n(edge + up * (at + tall))
        )
    };
    pen.path("y-exit", &(chevron(unit * 0.15) + &chevron(unit * 0.28)));
}

/// An arrow between two places, if both are there.
fn arrow(pen: &mut Pen, spots: &Spots, from: &str, to: &str, best: bool) -> Option<(f64, f64)> {
    let (p, q) = (spots.get(from)?, spots.get(to)?);
    let (line, head) = if best { ("y-bestarrow", "y-besthead") } else { ("y-arrow", "y-arrowhead") };
    let ((px, py), (qx, qy)) = (p.rect.middle(), q.rect.middle());
    if p.square {
        let unit = p.rect.w;
        let (dx, dy) = if from == to {
            // It leaves the board: up from the upper edge, down from the lower one.
            let lowest = spots.iter().filter(|s| s.0.split('/').next() == from.split('/').next());
            let lower = lowest.filter(|s| s.1.square).all(|s| s.1.rect.y <= p.rect.y + 0.1);
            (0.0, if lower { 1.0 } else { -1.0 })
        } else {
            let sign = |d: f64| if d.abs() < 0.1 { 0.0 } else { d.signum() };
            (sign(qx - px), sign(qy - py))
        };
        let (thick, half) = if best {
            ((unit * 0.05).clamp(2.4, 5.0), (unit * 0.09).clamp(4.4, 9.0))
        } else {
            (2.0, (unit * 0.06).clamp(3.6, 6.0))
        };
        let (sx, sy) = (px + dx * unit * 0.40, py + dy * unit * 0.40);
        let (ex, ey) = (px + dx * unit * 0.78, py + dy * unit * 0.78);
        pen.stroke(line, &format!("M{} {}L{} {}", n(sx), n(sy), n(ex), n(ey)), thick);
        let d = format!(
            "M{} {}L{} {}L{} {}Z",
            n(ex + dx * half * 1.4),
            n(ey + dy * half * 1.4),
            n(ex - dy * half),
            n(ey - dx * half),
            n(ex + dy * half),
            n(ey + dx * half)
        );
        pen.path(head, &d);
        return Some((px + dx * unit * 0.60, py + dy * unit * 0.60));
    }
    let (ptop, qtop) = (p.rect.y - 7.0, q.rect.y - 7.0);
    if (ptop - qtop).abs() > 4.0 {
        return None;
    }
    let up = (14.0 + (px - qx).abs() * 0.1).min(ABOVE - 8.0);
    let d = format!(
        "M{} {}C{} {} {} {} {} {}",
        n(px),
        n(ptop),
        n(px),
        n(ptop - up),
        n(qx),
        n(ptop - up),
        n(qx),
        n(qtop - 9.0)
    );
    pen.stroke(line, &d, if best { 3.0 } else { 2.0 });
    pen.path(head, &format!("M{} {}l-6 -11h12z", n(qx), n(qtop + 1.0)));
    Some(((px + qx) / 2.0, ptop - up))
}

/// Draws arrows and chips over the zones.
pub fn moves(pen: &mut Pen, scene: &Scene, spots: &Spots) {
    let mut later = Vec::new();
    // The best comes last, so that it lies on top.
    for m in scene.moves.iter().rev() {
        let (Some(from), Some(to)) = (&m.from, &m.to) else { continue };
        let on_board = spots.get(from).is_some_and(|s| s.square);
        if !on_board && !m.pick {
            continue;
        }
        if let Some(at) = arrow(pen, spots, from, to, m.pick)
            && on_board
            && !m.short.is_empty()
        {
            later.push((m, at));
        }
    }
    for a in &scene.arrows {
        if let Some((x, y)) = arrow(pen, spots, &a.from, &a.to, true)
            && !a.text.is_empty()
        {
            let text = pen.say(&a.text).to_owned();
            chip(pen, &text, None, None, (x, y));
        }
    }
    for (m, at) in later {
        move_chip(pen, m, at);
    }
    // Moves that are made by choosing a square say there what they are worth.
    for m in scene.moves.iter().filter(|m| !m.short.is_empty() && m.from.is_none() && m.on.len() <= 2) {
        if let Some(Spot { rect, square: true }) = m.on.first().and_then(|place| spots.get(place)).copied() {
            move_chip(pen, m, rect.middle());
        }
    }
    for item in scene.zones.iter().flat_map(|z| &z.items) {
        let Some(Spot { rect, square: false }) = spots.get(&item.id).copied() else { continue };
        // On a board there is no room under an item, so chips lie on its foot.
        let foot = if item.at.is_empty() { rect.y + rect.h + 15.0 } else { rect.y + rect.h * 0.82 };
        let list: Vec<&Move> = chips(scene, &item.id).collect();
        let wide: Vec<f64> = list.iter().map(|m| chip_width(pen.say(&m.short), mark_of(m))).collect();
        let mut x =
            rect.x + rect.w / 2.0 - (wide.iter().sum::<f64>() + 3.0 * (wide.len().max(1) - 1) as f64) / 2.0;
        for (m, w) in list.into_iter().zip(wide) {
            move_chip(pen, m, (x + w / 2.0, foot));
            x += w + 3.0;
        }
    }
}

fn mark_of(m: &Move) -> Option<Tick> {
    m.value.as_ref().and_then(|v| v.mark)
}

fn move_chip(pen: &mut Pen, m: &Move, at: (f64, f64)) {
    let text = pen.say(&m.short).to_owned();
    chip(pen, &text, m.value.as_ref().map(|v| v.tone), mark_of(m), at);
}

fn chip_width(text: &str, mark: Option<Tick>) -> f64 {
    width(text, 11.0, true) + 10.0 + if mark.is_some() { 12.0 } else { 0.0 }
}

/// A value in a small box around a point.
fn chip(pen: &mut Pen, text: &str, tone: Option<Tone>, mark: Option<Tick>, (x, y): (f64, f64)) {
    let class = match tone {
        Some(Tone::Plus) => " y-plus",
        Some(Tone::Minus) => " y-minus",
        _ => "",
    };
    let w = chip_width(text, mark);
    pen.rect(&format!("y-chip{class}"), Rect { x: x - w / 2.0, y: y - 8.5, w, h: 17.0 }, 4.0);
    let shift = if mark.is_some() { 6.0 } else { 0.0 };
    pen.text(&format!("y-ct{class}"), x - shift, y + 4.0, Anchor::Middle, text);
    if let Some(mark) = mark {
        tick(pen, mark, class, x + w / 2.0 - 15.0, y - 5.0);
    }
}

/// A tick or a cross in a box of 10 by 10.
pub fn tick(pen: &mut Pen, mark: Tick, class: &str, x: f64, y: f64) {
    let d = match mark {
        Tick::Ok => format!("M{} {}l2.6 2.8 4.6-6.2", n(x + 1.4), n(y + 5.2)),
        Tick::No => format!("M{} {}l6 6m0-6l-6 6", n(x + 2.0), n(y + 2.0)),
    };
    pen.path(&format!("y-tick{class}"), &d);
}

/// The legend, from a corner on; the height it takes.
pub fn legend(pen: &mut Pen, scene: &Scene, (left, top): (f64, f64), most: f64) -> f64 {
    if scene.legend.is_empty() {
        return 0.0;
    }
    let (mut x, mut y) = (left, top);
    for entry in &scene.legend {
        let text = pen.say(&entry.text).to_owned();
        let icon = if entry.item.is_some() { 24.0 } else { 0.0 };
        let wide = icon + width(&plain(&text), 12.0, false);
        if x > left && x + wide > left + most {
            (x, y) = (left, y + 24.0);
        }
        if let Some(piece) = &entry.item {
            let rect = if items::is_tall(piece) {
                Rect { x: x + 1.0, y, w: 15.0, h: 21.0 }
            } else {
                Rect { x: x - 1.0, y, w: 21.0, h: 21.0 }
            };
            // Cards are too small to read: only how they lie is shown.
            let mut bare = piece.clone();
            match &mut bare {
                Piece::Card(Show::Known(face) | Show::Up(face)) => *face = " ".into(),
                Piece::Token(token) if items::is_tall(piece) => {
                    (token.text, token.small) = (Default::default(), Default::default());
                }
                _ => {}
            }
            items::draw(pen, &bare, rect);
        }
        let lines = wrap(&text, 12.0, most - icon);
        for (i, line) in lines.iter().enumerate() {
            pen.text("", x + icon, y + 15.0 + 16.0 * i as f64, Anchor::Start, line);
        }
        y += 16.0 * (lines.len() - 1) as f64;
        x += wide + 18.0;
    }
    y + 26.0 - top
}
