//! Zones: how things lie, how large they may be, and what stands out.

/** @import { Item, Move, Scene, Zone } from "./types.js" */
import { boardClasses, edgeAt, extent, ground, margin, namedOutside, namesOf, squaresOf, standing } from "./boards.js";
import { el } from "./dom.js";
import { exitSign, icon } from "./icons.js";
import { draw, isTall, name } from "./items.js";
import { plain, rich, word } from "./words.js";

/** Below this width there is little room. */
const NARROW = 480;
/** Height of a card over its width. */
const TALL = 1.4;
/** Room between rows of cards. */
const GAPS = 11;
/** The width of a card or square where there is room, if the scene does not say. */
const WIDTHS = { board: 110, grid: 52, row: 60, hand: 66, pile: 48, heap: 48 };
/** Room after a heap for its number, over the width of a counter. */
const COUNT = 0.8;

/**
 * How a scene is shown.
 * @typedef {object} How
 * @property {boolean} [mini] small and only to be looked at
 * @property {Set<string>} [closed] known cards that are shown as backs
 * @property {(place: Place) => void} [click] what a click does
 */

/**
 * A place that can be clicked and walked to: an item, or a square with what stands on it.
 * @typedef {object} Place
 * @property {string[]} ids what moves call it by
 * @property {HTMLElement} node
 * @property {string} label
 */

/** @param {Scene} scene */
export const picked = (scene) => scene.moves?.find((move) => move.pick);

/**
 * How an item stands out: by the move that is picked, or by itself.
 * @param {Scene} scene
 * @param {Item} item
 */
function mark(scene, item) {
  const move = picked(scene);
  if (move) {
    const on = move.on?.includes(item.id);
    if (on && (move.on?.length ?? 0) > 2) return "any";
    if (on || move.from === item.id) return "best";
    if (move.to === item.id) return "to";
    if (move.also?.includes(item.id)) return "any";
  }
  return item.mark;
}

/**
 * The moves whose chips stand under an item.
 * @param {Scene} scene
 * @param {string} id
 */
export const chipsOf = (scene, id) => (scene.moves ?? []).filter((move) => move.short && (move.from === id || ((move.on?.length ?? 0) <= 2 && move.on?.[0] === id)));

/**
 * A value in a small box.
 * @param {Move} move
 */
export function chip(move) {
  const tone = move.value?.tone === "+" ? "plus" : move.value?.tone === "-" ? "minus" : "zero";
  const yes = move.value?.mark;
  return el("span", { class: `chip ${tone}` }, rich(move.short), yes && icon(yes));
}

/**
 * Draws a zone and notes its places.
 * @param {Scene} scene
 * @param {Zone} zone
 * @param {How} how
 * @param {Place[]} places
 */
export function drawZone(scene, zone, how, places) {
  const label = plain(zone.label);
  const strange = !(zone.kind in WIDTHS);
  const cells = el("div", { class: "cells" });
  const node = el("section", { class: `zone z-${strange ? "strange" : zone.kind}${zone.spread ? " spread" : ""}${worded(zone) ? " worded" : ""}`, "data-zone": zone.id, "aria-label": label || (strange ? zone.kind : undefined) },
    zone.label && !how.mini && el("h3", {}, rich(zone.label)), cells);
  /** @param {HTMLElement} inside @param {string[]} ids @param {string} said @param {string} kind */
  const place = (inside, ids, said, kind) => {
    if (how.mini) return el("div", { class: kind }, inside);
    const button = el("button", { class: kind, type: "button", tabindex: -1, "aria-label": said, "data-place": ids[0] }, inside);
    const made = { ids, node: button, label: said };
    button.addEventListener("click", () => how.click?.(made));
    places.push(made);
    return button;
  };
  if (strange) {
    cells.append(el("span", { class: "kind" }, zone.kind));
    return node;
  }
  const piece = (/** @type {Item} */ item) => {
    const made = draw(item, how.closed?.has(item.id));
    const sign = mark(scene, item);
    made.dataset.item = item.id;
    if (sign) made.classList.add(`m-${sign}`);
    return made;
  };
  const chips = (/** @type {string} */ id) => (how.mini ? [] : chipsOf(scene, id).map(chip));
  if (zone.kind === "board") {
    node.classList.add(...boardClasses(zone).split(" "));
    const under = ground(zone);
    if (under) cells.append(under);
    const all = squaresOf(zone);
    for (const at of all) {
      const id = `${zone.id}/${at.name}`;
      const item = standing(zone, at.name);
      const exit = zone.exits?.[at.name];
      const said = [at.name, item ? name(item, how.closed?.has(item.id)) : word("emptySquare"), plain(item?.tag), exit && word("exit"), item?.mark === "last" && word("lastMove")].filter(Boolean).join(", ");
      const inside = el("span", { class: "inside" });
      if (exit) inside.append(exitSign(exit));
      const chosen = chosenSquare(scene, id);
      if (chosen) inside.append(el("span", { class: `spot m-${chosen}` }));
      if (item) inside.append(piece(item));
      if (item?.tag && !how.mini) inside.append(el("span", { class: "plate", "aria-hidden": "true" }, rich(item.tag)));
      const values = [...(how.mini ? [] : chipsOf(scene, id).filter((move) => !move.from).map(chip)), ...(item ? chips(item.id) : [])];
      if (values.length) inside.append(el("span", { class: item ? "tag low" : "tag", "aria-hidden": "true" }, values));
      if (!how.mini && !zone.bare && !namedOutside(zone) && (at.left || at.bottom)) {
        inside.append(el("span", { class: "coord", "aria-hidden": "true" }, at.left && at.bottom ? at.name : at.left ? String(at.row + 1) : at.name[0]));
      }
      const button = place(inside, item ? [id, item.id] : [id], said, "square");
      button.style.setProperty("--x", String(at.x));
      button.style.setProperty("--y", String(at.y));
      button.style.setProperty("grid-area", `${Math.round(at.y) + 1} / ${Math.round(at.x) + 1}`);
      cells.append(button);
    }
    // Lines on the edges of squares are places of their own.
    for (const item of zone.items) {
      const at = all.find((one) => one.name === item.at);
      if (!item.edge || !at) continue;
      const said = [at.name, name(item, how.closed?.has(item.id)), item.mark === "last" && word("lastMove")].filter(Boolean).join(", ");
      const drawn = draw(item, how.closed?.has(item.id));
      drawn.dataset.item = item.id;
      const sign = mark(scene, item);
      const line = place(drawn, [item.id], said, `edge e-${item.shape === "post" ? "post" : "bar"}${sign ? ` m-${sign}` : ""}`);
      for (const [key, value] of Object.entries(edgeAt(at, item.edge))) line.style.setProperty(key, String(value));
      if (chips(item.id).length) line.append(el("span", { class: "tag", "aria-hidden": "true" }, chips(item.id)));
      cells.append(line);
    }
    if (!how.mini) cells.append(...namesOf(zone));
    return node;
  }
  for (const item of zone.items) {
    const said = [name(item, how.closed?.has(item.id)), plain(item.tag), item.mark === "last" && word("lastMove")].filter(Boolean).join(", ");
    const slot = place(piece(item), [item.id], said, "slot");
    const values = chips(item.id);
    if (values.length || (item.tag && !how.mini)) slot.append(el("span", { class: "tag", "aria-hidden": "true" }, item.tag && el("span", { class: "words" }, rich(item.tag)), values));
    cells.append(slot);
  }
  if (zone.kind === "heap") {
    node.setAttribute("aria-label", word("heap", { label: label || word("form-disc"), n: zone.items.length }));
    if (!zone.items.length) cells.append(el("span", { class: "hollow" }));
    cells.append(el("span", { class: "count", "aria-hidden": "true" }, zone.items.length));
  }
  return node;
}

/**
 * How a square stands out by the move that is picked.
 * @param {Scene} scene
 * @param {string} id
 */
function chosenSquare(scene, id) {
  const move = picked(scene);
  if (move?.on?.includes(id)) return move.on.length > 2 ? "any" : "best";
  return move?.also?.includes(id) ? "any" : undefined;
}

/** @param {Zone} zone @param {boolean} narrow */
function columns(zone, narrow) {
  if (zone.kind === "board") return zone.cols ?? 1;
  const all = Math.max(zone.items.length, 1);
  const most = zone.kind === "grid" ? (narrow ? zone.narrow : zone.cols) : zone.kind === "row" ? (narrow ? zone.narrow : zone.per) : zone.kind === "heap" ? zone.per : all;
  return Math.min(Math.max(most ?? all, 1), all);
}

/** The height of an item over its width: that of cards, if there are any; where nothing lies yet, as elsewhere in the scene. @param {Zone} zone @param {Scene} scene */
const tallOf = (zone, scene) => {
  const like = zone.items.length ? zone.items : zone.kind === "heap" ? [] : scene.zones.flatMap((one) => one.items);
  return like.some(isTall) ? TALL : 1;
};

/** The width of a zone over that of an item, how many gaps there are, and what is beside it. @param {Zone} zone @param {number} cols */
function breadth(zone, cols) {
  if (zone.kind === "board") return { units: extent(zone).wide + margin(zone), gaps: 0, beside: (namedOutside(zone) ? 16 : 0) + (zone.rims ? 10 : 0) };
  return zone.kind === "heap" ? { units: cols + COUNT, gaps: cols, beside: 0 } : { units: cols, gaps: cols - 1, beside: 0 };
}

/** What a word under a card needs, as the styles have it. */
const WORDS = 48;

/** Whether words stand under the cards of a zone, so that they must not lie too close. @param {Zone} zone */
const worded = (zone) => zone.kind !== "board" && zone.items.some((item) => item.tag);

/** Room between cards, across. @param {Zone} zone @param {number} unit @returns {number} */
const gap = (zone, unit) => (worded(zone) ? Math.max(close(zone, unit), WORDS - unit) : close(zone, unit));

/** The least room between cards. @param {Zone} zone @param {number} unit */
const close = (zone, unit) => (zone.kind === "board" ? 0 : zone.kind === "heap" ? 4 : zone.kind === "grid" ? 6 : zone.kind === "pile" ? (zone.spread ? 4 : -0.42 * unit) : 7);

/** @param {Zone} zone */
const preferred = (zone) => zone.w ?? WIDTHS[/** @type {keyof typeof WIDTHS} */ (zone.kind)] ?? 60;

/**
 * What each row of a zone needs over and under its cards: room for arrows, chips, words, bars.
 * @param {Scene} scene
 * @param {Zone} zone
 * @param {number} cols
 */
function rooms(scene, zone, cols) {
  const best = picked(scene);
  const rows = [];
  for (let at = 0; zone.kind !== "board" && at < zone.items.length; at += cols) {
    const items = zone.items.slice(at, at + cols);
    const has = (/** @type {string | undefined} */ id) => items.some((item) => item.id === id);
    const arrow = (best?.to && has(best.from)) || (scene.arrows ?? []).some((one) => has(one.from));
    const chips = items.some((item) => item.tag || chipsOf(scene, item.id).length);
    const bars = best && (best.on?.length ?? 0) > 2 && best.on?.some(has);
    rows.push({ above: arrow ? 34 : 0, below: chips ? 26 : bars ? 10 : 0 });
  }
  // A piece that leaves goes over the edge.
  const leaving = [...(scene.moves ?? []), ...(scene.arrows ?? [])].filter((move) => zone.kind === "board" && move.from === move.to && move.from?.startsWith(`${zone.id}/`));
  const edges = leaving.map((move) => Number(move.from?.replace(/^.*\/[a-z]+/, "")));
  const [top, bottom] = zone.down ? [1, zone.rows ?? 0] : [zone.rows ?? 0, 1];
  return { rows, up: edges.includes(top), down: edges.includes(bottom) };
}

/**
 * The sizes of all zones for some room, as large as they may be.
 * @param {Scene} scene
 * @param {number} wide
 * @param {number} tall height to keep to where that is possible
 * @param {How} how
 */
export function sizes(scene, wide, tall, how) {
  const narrow = wide < NARROW && !how.mini;
  const lanes = scene.layout.map((lane) => lane.map((id) => scene.zones.find((zone) => zone.id === id)).filter((zone) => zone !== undefined));
  /** Zones that no move has to do with are only looked at, and may be smaller than what is to be hit. */
  const used = new Set((scene.moves ?? []).flatMap((move) => [move.from, move.to, ...(move.on ?? []), ...(move.each ?? []).map((one) => one.on)]));
  const idle = (/** @type {Zone} */ zone) => used.size > 0 && zone.kind !== "board" && !zone.items.some((item) => used.has(item.id));
  const plan = (/** @type {number} */ scale, rest = 1) => {
    /** @type {Map<string, {unit: number, cols: number, tall: number, across: number, rooms: ReturnType<typeof rooms>}>} */
    const all = new Map();
    /** @param {Zone} zone @param {Zone[]} lane */
    const fitting = (zone, lane) => {
      const cols = columns(zone, narrow);
      const several = zone.kind === "board" && lane.length > 2 ? 2 : 1;
      const room = wide / several - (several - 1) * 24 - 4;
      const { units: over, gaps, beside } = breadth(zone, cols);
      const fits = zone.kind === "pile" && !zone.spread ? room / (1 + 0.58 * (cols - 1)) : (room - beside - gaps * gap(zone, 0)) / over;
      return Math.max(Math.floor(Math.min(preferred(zone) * scale * (idle(zone) ? rest : 1), fits)), 8);
    };
    // Heaps are compared with each other, so their counters are of one size.
    const heaps = lanes.flatMap((lane) => lane.filter((zone) => zone.kind === "heap").map((zone) => fitting(zone, lane)));
    let height = 0;
    for (const lane of lanes) {
      const units = lane.map((zone) => fitting(zone, lane));
      let [line, across, tallest] = [0, 0, 0];
      for (const zone of lane) {
        // Zones side by side that ask for one size of card get one size.
        const unit = Math.min(...lane.map((other, k) => (preferred(other) === preferred(zone) ? units[k] : Infinity)), ...(zone.kind === "heap" ? heaps : []));
        const cols = columns(zone, narrow);
        const [space, ratio] = [breadth(zone, cols), tallOf(zone, scene)];
        const around = rooms(scene, zone, cols);
        const label = zone.label && !how.mini ? 24 : 0;
        const high = label + (zone.kind === "board"
          ? (extent(zone).tall + margin(zone) + (around.up ? 0.46 : 0) + (around.down ? 0.46 : 0)) * unit + space.beside
          : Math.max(around.rows.reduce((sum, row) => sum + unit * ratio + (how.mini ? 0 : row.above + row.below) + GAPS, -GAPS), unit));
        const width = space.units * unit + space.gaps * gap(zone, unit) + space.beside;
        // A lane that is too long is broken.
        if (across && across + 32 + width > wide) {
          line += tallest + 16;
          [across, tallest] = [0, 0];
        }
        across += width + (across ? 32 : 0);
        tallest = Math.max(tallest, high);
        all.set(zone.id, { unit, cols, tall: ratio, across: zone.kind === "board" ? extent(zone).wide : cols, rooms: around });
      }
      height += line + tallest + 16;
    }
    return { all, height };
  };
  // Cards smaller than this cannot be hit; then the page scrolls instead.
  const least = how.mini ? 0.06 : 0.62;
  const most = how.mini ? 1.1 : 1.75;
  let best = plan(least);
  for (let rest = 0.95; !how.mini && rest > 0.6 && best.height > tall; rest -= 0.05) best = plan(least, rest);
  for (let scale = most; scale > least; scale -= 0.03) {
    const made = plan(scale);
    if (made.height <= tall) {
      best = made;
      break;
    }
  }
  return best.all;
}
