//! What was played: the moves with a cursor, the mistakes, how many moves were best, and how to try again from anywhere.

/** @import { Kid, Mistake, Said, Table } from "./types.js" */
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { raw, rich, word } from "./words.js";

/** @param {number} x */
export const amount = (x) => (Number.isInteger(x) ? String(x) : x.toFixed(5).replace(/0+$/, "")).replace("-", "−");

/**
 * The record as it is shown.
 * @typedef {object} Shown
 * @property {Table} end the table after all moves
 * @property {number} at the cursor: how many of them are on the board
 * @property {number | null} seat whose mistakes count
 * @property {string[]} names of the seats
 * @property {boolean} told whether mistakes may be told
 * @property {(at: number) => void} go puts the cursor after so many moves
 * @property {(at: number) => void} again plays on from there, without what came after
 * @property {number} dropped how many moves another one dropped
 * @property {() => void} restore brings them back
 * @property {boolean} veiled whether the moves would give away what is to be remembered
 */

/** The mistakes that count. @param {Shown} of */
const mine = ({ end, seat }) => (seat === null ? end.mistakes : end.mistakes.filter((one) => one.seat === seat));

/**
 * What was lost, move by move; each leads to the position before it.
 * @param {Shown} of
 */
export function mistakes(of) {
  const list = mine(of);
  if (!list.length && !(of.end.over && of.told)) return null;
  const total = list.reduce((sum, one) => sum + one.lost, 0);
  const entry = (/** @type {Mistake} */ one) =>
    el("li", { class: one.at === of.at ? "on" : "" },
      el("button", { class: "link", type: "button", title: word("review"), "aria-current": one.at === of.at ? "step" : undefined, onclick: () => of.go(one.at) },
        of.seat === null && of.names[one.seat] ? `${of.names[one.seat]}: ` : "", rich(word("playedBest", { played: raw(one.played), best: raw(one.best) }))),
      el("b", {}, `−${amount(one.lost)}`),
      el("button", { class: "link again", type: "button", onclick: () => of.again(one.at) }, word("tryAgain")));
  return el("section", { class: "sec mistakes" },
    el("h2", {}, el("span", {}, word("mistakes")), el("span", { class: "note" }, list.length ? word("totalLost", { n: amount(total) }) : word("mistakesNone"))),
    list.length > 0 && el("ol", {}, list.map(entry)));
}

/** How many moves of a seat, or of all, were best. @param {Table} end @param {number | null} seat */
export function tally(end, seat) {
  const made = end.said.filter((one) => one.seat !== null && (seat === null || one.seat === seat)).length;
  const wrong = new Set(end.mistakes.filter((one) => seat === null || one.seat === seat).map((one) => one.at)).size;
  return { made, best: Math.max(made - wrong, 0), wrong };
}

/**
 * All moves of the game with the cursor among them.
 * @param {Shown} of
 * @param {Kid} graph
 */
export function record(of, graph) {
  const { said } = of.end;
  if (!said.length) return null;
  const wrong = new Set(mine(of).map((one) => one.at));
  const last = said.length;
  const entry = (/** @type {Said | null} */ one, /** @type {number} */ after) =>
    el("li", {}, el("button", { type: "button", class: `${after === of.at ? "on" : ""}${wrong.has(after - 1) ? " wrong" : ""}`, "aria-current": after === of.at ? "step" : undefined, tabindex: after === of.at ? 0 : -1, onclick: () => of.go(after) },
      one ? [el("i", {}, after), el("span", {}, rich(one.text)), wrong.has(after - 1) && el("span", { class: "sign", title: word("mistake"), role: "img", "aria-label": word("mistake") }, "?")] : el("span", {}, word("startOf"))));
  const list = el("ol", { class: "record" }, entry(null, 0), said.map((one, at) => entry(one, at + 1)));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    of.go(of.at + step);
  });
  const turn = (/** @type {import("./icons.js").Icon} */ sign, /** @type {string} */ label, /** @type {string} */ key, /** @type {number} */ to) =>
    el("button", { class: "btn sq", type: "button", "aria-label": label, title: `${label} (${key})`, disabled: to === of.at || to < 0 || to > last, onclick: () => of.go(to) }, icon(sign));
  const node = el("section", { class: "sec past" },
    el("h2", {}, el("span", {}, word("record")), el("span", { class: "note" }, word("moveOf", { n: of.at, m: last }))),
    graph,
    el("div", { class: "turns", role: "group", "aria-label": word("record") }, turn("first", word("toStart"), "Home", 0), turn("left", word("stepBack"), "←", of.at - 1), turn("right", word("stepOn"), "→", of.at + 1), turn("last", word("toEnd"), "End", last)),
    of.veiled && el("p", { class: "dropped" }, word("recordVeiled")),
    of.dropped > 0 && el("p", { class: "dropped" }, word("droppedMoves", { n: of.dropped }), " ", el("button", { class: "link", type: "button", onclick: of.restore }, word("bringBack"))),
    !of.veiled && list);
  return node;
}

/** Keeps the move at the cursor in sight, without moving the page. @param {ParentNode} inside */
export function follow(inside) {
  const list = /** @type {HTMLElement | null} */ (inside.querySelector(".record"));
  const on = /** @type {HTMLElement | null} */ (list?.querySelector(".on") ?? null);
  if (!list || !on) return;
  const [box, row] = [list.getBoundingClientRect(), on.getBoundingClientRect()];
  if (row.top < box.top) list.scrollTop += row.top - box.top - 4;
  else if (row.bottom > box.bottom) list.scrollTop += row.bottom - box.bottom + 4;
}

/**
 * How a game ended, with what it came to; it stays while one looks back.
 * @param {Shown} of
 * @param {{ fresh: () => void, undo: (() => void) | undefined, against: string | undefined, more: Kid }} on
 */
export function ended(of, on) {
  const { end, at } = of;
  const there = at === end.said.length;
  const { made, best, wrong } = tally(end, of.seat);
  return el("div", { class: there ? "verdict over" : "verdict after" }, el("div", { class: "of" }, el("span", {}, word(there ? "over" : "looking", { n: at, m: end.said.length })), on.against && el("span", { class: "against" }, word("against", { name: on.against }))),
    el("div", { class: "worth" }, el("b", { class: "words" }, rich(end.result ?? end.scene.say))),
    // A win, a draw and a loss are said in words already.
    end.score !== undefined && end.score !== null && Math.abs(end.score) > 1 && el("p", {}, word("finalScore", { n: amount(end.score) })),
    of.told && made > 0 && el("p", { class: "tallied" }, word(of.seat === null ? "talliedAll" : "tallied", { made, best, wrong })),
    on.more,
    el("p", { class: "row" }, el("button", { class: "btn main", type: "button", onclick: on.fresh }, icon("plus"), word("fresh")),
      there ? el("button", { class: "btn", type: "button", onclick: on.undo, disabled: !on.undo }, icon("undo"), word("undo")) : el("button", { class: "btn", type: "button", onclick: () => of.go(end.said.length) }, icon("last"), word("toEnd"))));
}
