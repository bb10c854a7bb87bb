//! Zones: how things lie, how large they may be, and what stands out.

/** @import { Item, Move, Scene, Zone } from "./types.js" */
import { el } from "./dom.js";
import { exitSign, icon } from "./icons.js";
import { draw, name } from "./items.js";
import { plain, rich, word } from "./words.js";

/** Below this width there is little room. */
const NARROW = 480;
/** Height of a card over its width. */
const TALL = 1.4;
/** Room between rows of cards. */
const GAPS = 11;
/** The width of a card or square where there is room, if the scene does not say. */
const WIDTHS = { board: 110, grid: 52, row: 60, hand: 66, pile: 48 };

/**
 * How a scene is shown.
 * @typedef {object} How
 * @property {boolean} [mini] small and only to be looked at
 * @property {boolean} [closed] known cards are shown as backs
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
  const node = el("section", { class: `zone z-${strange ? "strange" : zone.kind}${zone.spread ? " spread" : ""}`, "data-zone": zone.id, "aria-label": label || (strange ? zone.kind : undefined) },
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
  if (zone.kind === "board") {
    const [cols, rows] = [zone.cols ?? 1, zone.rows ?? 1];
    for (let row = rows; row >= 1; row -= 1) {
      for (let col = 0; col < cols; col += 1) {
        const file = String.fromCharCode(97 + col);
        const square = file + row;
        const item = zone.items.find((one) => one.at === square);
        const exit = zone.exits?.[square];
        const said = [square, item ? name(item, how.closed) : word("emptySquare"), exit && word("exit"), item?.mark === "last" && word("lastMove")].filter(Boolean).join(", ");
        const inside = el("span", { class: "inside" });
        if (exit) inside.append(exitSign(exit));
        if (item) {
          const piece = draw(item, how.closed);
          piece.dataset.item = item.id;
          if (mark(scene, item)) piece.classList.add(`m-${mark(scene, item)}`);
          inside.append(piece);
        }
        if (!how.mini && (col === 0 || row === 1)) inside.append(el("span", { class: "coord", "aria-hidden": "true" }, col === 0 && row === 1 ? square : col === 0 ? String(row) : file));
        cells.append(place(inside, item ? [`${zone.id}/${square}`, item.id] : [`${zone.id}/${square}`], said, "square"));
      }
    }
    return node;
  }
  for (const item of zone.items) {
    const piece = draw(item, how.closed);
    const sign = mark(scene, item);
    piece.dataset.item = item.id;
    if (sign) piece.classList.add(`m-${sign}`);
    const said = [name(item, how.closed), plain(item.tag), item.mark === "last" && word("lastMove")].filter(Boolean).join(", ");
    const slot = place(piece, [item.id], said, "slot");
    if (!how.mini) {
      const chips = chipsOf(scene, item.id);
      if (chips.length || item.tag) slot.append(el("span", { class: "tag", "aria-hidden": "true" }, item.tag && el("span", { class: "words" }, rich(item.tag)), chips.map(chip)));
    }
    cells.append(slot);
  }
  return node;
}

/** @param {Zone} zone @param {boolean} narrow */
function columns(zone, narrow) {
  if (zone.kind === "board") return zone.cols ?? 1;
  const all = Math.max(zone.items.length, 1);
  const most = zone.kind === "grid" ? (narrow ? zone.narrow : zone.cols) : zone.kind === "row" ? (narrow ? zone.narrow : zone.per) : all;
  return Math.min(Math.max(most ?? all, 1), all);
}

/** Room between cards, across. @param {Zone} zone @param {number} unit */
const gap = (zone, unit) => (zone.kind === "board" ? 0 : zone.kind === "grid" ? 6 : zone.kind === "pile" ? (zone.spread ? 4 : -0.42 * unit) : 7);

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
  return { rows, up: edges.includes(zone.rows ?? 0), down: edges.includes(1) };
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
  const plan = (/** @type {number} */ scale) => {
    /** @type {Map<string, {unit: number, cols: number, rooms: ReturnType<typeof rooms>}>} */
    const all = new Map();
    let height = 0;
    for (const lane of lanes) {
      const units = lane.map((zone) => {
        const cols = columns(zone, narrow);
        const several = zone.kind === "board" && lane.length > 2 ? 2 : 1;
        const room = wide / several - (several - 1) * 24 - 4;
        const fits = zone.kind === "pile" && !zone.spread ? room / (1 + 0.58 * (cols - 1)) : (room - (cols - 1) * gap(zone, 0)) / cols;
        return Math.max(Math.floor(Math.min(preferred(zone) * scale, fits)), 8);
      });
      let [line, across, tallest] = [0, 0, 0];
      for (const zone of lane) {
        // Zones side by side that ask for one size of card get one size.
        const unit = Math.min(...lane.map((other, k) => (preferred(other) === preferred(zone) ? units[k] : Infinity)));
        const cols = columns(zone, narrow);
        const around = rooms(scene, zone, cols);
        const label = zone.label && !how.mini ? 24 : 0;
        const high = label + (zone.kind === "board"
          ? ((zone.rows ?? 1) + (around.up ? 0.46 : 0) + (around.down ? 0.46 : 0)) * unit
          : around.rows.reduce((sum, row) => sum + unit * TALL + (how.mini ? 0 : row.above + row.below) + GAPS, -GAPS));
        const width = cols * unit + (cols - 1) * gap(zone, unit);
        // A lane that is too long is broken.
        if (across && across + 32 + width > wide) {
          line += tallest + 16;
          [across, tallest] = [0, 0];
        }
        across += width + (across ? 32 : 0);
        tallest = Math.max(tallest, high);
        all.set(zone.id, { unit, cols, rooms: around });
      }
      height += line + tallest + 16;
    }
    return { all, height };
  };
  // Cards smaller than this cannot be hit; then the page scrolls instead.
  const least = how.mini ? 0.2 : 0.62;
  const most = how.mini ? 1.1 : 1.75;
  let best = plan(least);
  for (let scale = most; scale > least; scale -= 0.03) {
    const made = plan(scale);
    if (made.height <= tall) {
      best = made;
      break;
    }
  }
  return best.all;
}
