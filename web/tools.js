//! The tools under the board: back and forth, a new game, hints, and what is done less often.

/** @import { Kid } from "./types.js" */
/** @import { State } from "./route.js" */
import { el, set } from "./dom.js";
import { segments } from "./form.js";
import { icon } from "./icons.js";
import { word } from "./words.js";

/**
 * What the tools need to know and may do.
 * @typedef {object} Host
 * @property {boolean} editing
 * @property {boolean} playable whether the person is to move
 * @property {boolean} over
 * @property {boolean} sees known cards are shown
 * @property {State["hints"]} hints
 * @property {boolean} known there are known cards that lie face down
 * @property {boolean} back there is something to take back
 * @property {boolean} forth there is something that was taken back
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} fresh
 * @property {() => void} suggest
 * @property {() => void} optimal
 * @property {() => void} toggleEdit
 * @property {() => void} see
 * @property {(hints: State["hints"]) => void} hint
 */

/** A button with its key. @param {string} label @param {string} key @param {Record<string, any>} more @param {...Kid} kids */
export const button = (label, key, more, ...kids) =>
  el("button", { type: "button", title: key ? `${label} (${key})` : label, "aria-label": label, "aria-keyshortcuts": key || undefined, ...more, class: `btn ${more.class ?? ""}` }, ...kids);

/** A word that is seen where there is room for no more. @param {string} text */
const brief = (text) => el("span", { class: "brief" }, text);

/**
 * What is done less often: on a phone it stands with the notation.
 * @param {Host} on
 * @param {"wide" | "narrow"} where
 */
export function extras(on, where) {
  const edit = word(on.editing ? "editDone" : "edit");
  return el("span", { class: `extras ${where}` },
    button(word("hint"), "F", { onclick: on.suggest, disabled: on.editing || !on.playable }, el("span", {}, word("hint"))),
    button(word("optimal"), "P", { class: "sq", onclick: on.optimal, disabled: on.editing || on.over }, icon("star"), brief(word("optimal"))),
    button(edit, "E", { class: on.editing ? "main" : "", onclick: on.toggleEdit, "aria-pressed": String(on.editing) }, icon("edit"), el("span", {}, edit)),
    on.known && button(word("seeThrough"), "T", { class: "sq", onclick: on.see, "aria-pressed": String(on.sees), title: `${word("seeTip")} (T)` }, icon(on.sees ? "eye" : "shut"), brief(word("seeThrough"))));
}

/** @param {HTMLElement} node @param {Host} on */
export function drawTools(node, on) {
  const levels = [{ value: /** @type {const} */ ("none"), text: word("none") }, { value: /** @type {const} */ ("best"), text: word("bestOnly") }, { value: /** @type {const} */ ("all"), text: word("all") }];
  set(node,
    button(word("undo"), "U", { class: "sq", onclick: on.undo, disabled: !on.back }, icon("undo"), brief(word("undoBrief"))),
    button(word("redo"), "R", { class: "sq", onclick: on.redo, disabled: on.editing || !on.forth }, icon("redo"), brief(word("redoBrief"))),
    button(word("fresh"), "N", { class: "new", onclick: on.fresh, disabled: on.editing }, icon("plus"), el("span", { class: "full" }, word("fresh")), brief(word("freshBrief"))),
    extras(on, "wide"),
    el("span", { class: "levels" }, el("span", { class: "label" }, word("show")), segments(word("show"), levels, on.hints, on.hint)));
}
