//! A position changed by hand, one legal change after another. What it began with is kept until it is done.

/** @import { Fault, Kid, Scene } from "./types.js" */
import * as api from "./api.js";
import { el } from "./dom.js";
import { placesOf } from "./hand.js";
import * as sheet from "./sheet.js";
import { plain, rich, word } from "./words.js";

/** More changes than these are looked for by typing. */
const MANY = 16;

/**
 * A change between two items is made from either of them.
 * @param {Scene} scene
 * @returns {Scene}
 */
function bothWays(scene) {
  const items = new Set(scene.zones.flatMap((zone) => zone.items.map((item) => item.id)));
  const moves = scene.moves ?? [];
  const there = new Set(moves.map((move) => `${move.from}>${move.to}`));
  const back = moves.filter((move) => move.from && move.to && items.has(move.from) && items.has(move.to) && !there.has(`${move.to}>${move.from}`));
  return { ...scene, moves: [...moves, ...back.map((move) => ({ ...move, from: move.to, to: move.from }))] };
}

/**
 * The editor.
 * @param {object} on
 * @param {(at: string, signal: AbortSignal, scores?: string) => Promise<Scene>} on.load a position with its changes, with other scores perhaps
 * @param {() => void} on.changed
 * @param {(fault: Fault) => void} on.refused
 */
export function editor({ load, changed, refused }) {
  /** @type {Scene | undefined} */
  let scene;
  /** @type {string[]} positions before the changes, the first first */
  let before = [];
  /** @type {AbortController | undefined} */
  let asking;
  /** What is looked for among many changes. */
  let sought = "";

  /** Scores that were typed and are none, and why. @type {{ typed: string[], fault: Fault } | undefined} */
  let wrong;

  /** @param {string} at @param {() => void} [then] it was accepted @param {string} [scores] */
  async function show(at, then, scores) {
    asking?.abort();
    const control = new AbortController();
    asking = control;
    try {
      const got = await load(at, control.signal, scores);
      if (control.signal.aborted) return;
      wrong = undefined;
      then?.();
      scene = bothWays(got);
      changed();
    } catch (error) {
      if (api.left(error)) return;
      if (!(error instanceof api.Refused)) throw error;
      if (scores === undefined) return refused(error.fault);
      wrong = { typed: scores.split(","), fault: error.fault };
      changed();
    }
  }

  /** Fields for the scores of the seats that have one to type. @param {Scene} now @returns {Kid} */
  function scores(now) {
    const seats = now.seats ?? [];
    if (!seats.some((one) => one.typed)) return null;
    const told = seats.map((one) => plain(one.score).replace("−", "-"));
    const value = (/** @type {number} */ at) => wrong?.typed[at] ?? told[at];
    const fields = seats.map((one, at) => one.typed ? el("input", { id: `score-${at}`, type: "text", inputmode: "numeric", autocomplete: "off", value: value(at), "aria-invalid": wrong ? "true" : undefined, "aria-describedby": "score-error" }) : null);
    // All at once: one of them alone is seldom a position.
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const was = now.notation;
      show(was, () => before.push(was), fields.map((field, at) => (field ? field.value.trim() : told[at])).join(","));
    };
    return el("form", { class: "scores", "aria-label": word("editScores"), onsubmit: submit },
      fields.map((field, at) => field && el("div", { class: "field" }, el("label", { for: field.id }, rich(seats[at].name), seats[at].unit && [" ", el("small", {}, rich(seats[at].unit))]), field)),
      el("p", { class: "error", id: "score-error", role: "alert", hidden: !wrong }, wrong && word("editScoresNot", { what: plain(wrong.fault.accepts) || plain(wrong.fault.message) })),
      el("p", {}, el("button", { class: "btn", type: "submit" }, word("apply"))));
  }

  return {
    scene: () => scene,
    /** Whether anything was changed. */
    dirty: () => before.length > 0,
    /** @param {string} at */
    open(at) {
      before = [];
      sought = "";
      wrong = undefined;
      return show(at);
    },
    /** @param {string} to */
    change(to) {
      const was = scene?.notation ?? "";
      return show(to, () => before.push(was));
    },
    undo() {
      const last = before.at(-1);
      if (last !== undefined) show(last, () => before.pop());
    },
    /** Leaves it; where it led to, if anything was changed. */
    close() {
      asking?.abort();
      const to = before.length ? scene?.notation : undefined;
      scene = undefined;
      before = [];
      return to;
    },
    /**
     * What there is to change that has no place on the board, and how to end it.
     * @param {import("./sheet.js").OnMove} how
     * @param {{ done: () => void, discard: () => void }} end
     * @returns {Kid}
     */
    sheet(how, end) {
      if (!scene) return null;
      const now = scene;
      const loose = (now.moves ?? []).filter((move) => placesOf(move).length === 0);
      const list = el("div");
      const draw = () => {
        const some = loose.filter((move) => plain(move.label).toLowerCase().includes(sought.trim().toLowerCase()));
        list.replaceChildren();
        if (loose.length && !some.length) list.append(el("p", { class: "lead" }, word("seekNone")));
        for (const part of /** @type {HTMLElement[]} */ (sheet.moves({ ...now, moves: loose.length > MANY ? some.slice(0, MANY) : some }, how, word("edits")))) list.append(part);
      };
      const field = loose.length > MANY && el("label", { class: "seek" }, el("span", { class: "label" }, word("seekEdit", { n: loose.length })), el("input", { type: "search", value: sought, oninput: (/** @type {Event} */ event) => {
        sought = /** @type {HTMLInputElement} */ (event.target).value;
        draw();
      } }));
      draw();
      return [el("p", { class: "lead" }, word("editSheet")),
        el("p", { class: "row ends" }, el("button", { class: "btn main", type: "button", onclick: end.done }, word("editDone")), el("button", { class: "btn", type: "button", onclick: end.discard }, word("editDiscard"))),
        scores(now), field, list];
    },
  };
}
