//! The hand: what a click on the board means. It plays, takes up a piece, or asks which of several moves is meant.

/** @import { Move } from "./types.js" */
/** @import { Place } from "./zones.js" */
/** @import { Stage } from "./stage.js" */
import { el } from "./dom.js";
import { rich, word } from "./words.js";

/** The places a move is made with. @param {Move} move */
export const placesOf = (move) => [move.from, move.to, ...(move.on ?? []), ...(move.each ?? []).map((one) => one.on)].filter((id) => id !== undefined);

/** What stands out where a move is pointed at: its places, and what is taken along. @param {Move} move */
export const shownBy = (move) => [...placesOf(move), ...(move.also ?? [])];

/** @param {string | undefined} id @param {Place} at */
const inside = (id, at) => id !== undefined && at.ids.includes(id);
/** Whether a move is made with two items, one after the other. @param {Move} move */
const pair = (move) => move.on?.length === 2 && !move.each;

/**
 * What a click comes to: a move, several to choose from, a place that is taken up, or nothing.
 * @param {Move[]} moves
 * @param {Place} place
 * @param {Place | undefined} held what was taken up before
 * @returns {{ play: Move[] } | { take: Place } | null}
 */
export function meaning(moves, place, held) {
  const begins = (/** @type {Place} */ at) => moves.filter((move) => inside(move.from, at) || (pair(move) && move.on?.some((id) => inside(id, at))));
  if (held) {
    const other = held !== place;
    const aims = moves.filter((move) => (inside(move.from, held) && inside(move.to, place)) || (other && pair(move) && move.on?.some((id) => inside(id, held)) && move.on.some((id) => inside(id, place))));
    if (aims.length) return { play: aims };
    // The same place again: its only move, or it is put down.
    if (!other) return begins(held).length === 1 ? { play: begins(held) } : null;
  }
  const single = moves.filter((move) => !pair(move) && (move.on?.some((id) => inside(id, place)) || move.each?.some((one) => inside(one.on, place))));
  const starts = begins(place);
  if (single.length) return { play: [...single, ...starts] };
  return starts.length ? { take: place } : null;
}

/**
 * The hand over a board.
 * @param {HTMLElement} holder where the board is, and where menus open
 * @param {() => { moves: Move[], stage: Stage | undefined }} now
 * @param {(move: Move, place: Place) => void} act
 */
export function hand(holder, now, act) {
  /** @type {Place | undefined} */
  let held;
  /** @type {HTMLElement | undefined} */
  let open;

  function close() {
    open?.remove();
    open = undefined;
  }

  /** @param {Place | undefined} place */
  function take(place) {
    held = place;
    const { moves, stage } = now();
    if (!stage) return;
    for (const old of stage.node.querySelectorAll(".m-held, .m-aim")) old.classList.remove("m-held", "m-aim");
    for (const one of stage.places) one.node.removeAttribute("aria-pressed");
    if (!place) return;
    place.node.classList.add("m-held");
    place.node.setAttribute("aria-pressed", "true");
    for (const move of moves) {
      const aims = inside(move.from, place) ? [move.to] : pair(move) && move.on?.some((id) => inside(id, place)) ? move.on : [];
      for (const id of aims) {
        const node = id === undefined ? undefined : stage.find(id);
        if (node && node !== place.node) node.classList.add("m-aim");
      }
    }
  }

  /** @param {Place} place @param {Move[]} list */
  function menu(place, list) {
    close();
    const box = place.node.getBoundingClientRect();
    const around = holder.getBoundingClientRect();
    const made = el("div", { class: "menu", role: "menu", "aria-label": word("choose") }, list.map((move) => el("button", { type: "button", role: "menuitem", onclick: () => act(move, place) }, rich(move.label), move.note && el("small", {}, rich(move.note)))));
    open = made;
    holder.append(made);
    const left = Math.min(Math.max(box.left - around.left, 8), Math.max(around.width - made.offsetWidth - 8, 8));
    const top = Math.min(box.bottom - around.top + 8, Math.max(around.height - made.offsetHeight - 8, 8));
    made.style.setProperty("left", `${left}px`);
    made.style.setProperty("top", `${top}px`);
    const buttons = [...made.querySelectorAll("button")];
    made.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      buttons[(at + step + buttons.length) % buttons.length].focus();
    });
    buttons[0]?.focus();
  }

  return {
    close,
    /** Puts down what was taken up, or shuts the menu; whether there was anything. */
    drop() {
      const had = open !== undefined || held !== undefined;
      if (open) close();
      else take(undefined);
      return had;
    },
    /** Forgets what was taken up: the board is another. */
    forget() {
      held = undefined;
      close();
    },
    /** @param {Place} place */
    click(place) {
      const meant = meaning(now().moves, place, held);
      take(undefined);
      if (!meant) return;
      if ("take" in meant) take(meant.take);
      else if (meant.play.length === 1) act(meant.play[0], place);
      else menu(place, meant.play);
    },
  };
}
