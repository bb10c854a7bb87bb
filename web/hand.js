//! The hand: what a click on the board means. It plays, takes up a piece, or asks which of several moves is meant.

/** @import { Move } from "./types.js" */
/** @import { Place } from "./zones.js" */
/** @import { Stage } from "./stage.js" */
import { el } from "./dom.js";
import { drag } from "./drag.js";
import { rich, word } from "./words.js";

/** The places a move is made with. @param {Move} move */
export const placesOf = (move) => [move.from, move.to, ...(move.on ?? []), ...(move.each ?? []).map((one) => one.on)].filter((id) => id !== undefined);

/** What stands out where a move is pointed at: its places, and what is taken along. @param {Move} move */
export const shownBy = (move) => [...placesOf(move), ...(move.also ?? [])];

/** @param {string | undefined} id @param {Place} at */
const inside = (id, at) => id !== undefined && at.ids.includes(id);
/** Whether a move is made with two items, one after the other. @param {Move} move */
const pair = (move) => move.on?.length === 2 && !move.each;

/** The moves that begin at a place and end elsewhere. @param {Move[]} moves @param {Place} at */
const begin = (moves, at) => moves.filter((move) => inside(move.from, at) || (pair(move) && move.on?.some((id) => inside(id, at))));

/** The moves that lead from one place to another. @param {Move[]} moves @param {Place} from @param {Place} to */
const aims = (moves, from, to) =>
  moves.filter((move) => (inside(move.from, from) && inside(move.to, to)) || (from !== to && pair(move) && move.on?.some((id) => inside(id, from)) && move.on.some((id) => inside(id, to))));

/** The moves that are made with a place alone. @param {Move[]} moves @param {Place} at */
const alone = (moves, at) => moves.filter((move) => !pair(move) && (move.on?.some((id) => inside(id, at)) || move.each?.some((one) => inside(one.on, at))));

/** Zones out of which an item is played by putting it anywhere else. */
const HANDS = "z-hand z-row z-pile".split(" ");

/**
 * Whether an item can be dragged: to another place, or out of a hand.
 * @param {Move[]} moves
 * @param {Place} place
 */
export function grabbable(moves, place) {
  const zone = place.node.closest(".zone");
  if (!place.node.querySelector("[data-item]")) return false;
  return begin(moves, place).length > 0 || (alone(moves, place).length > 0 && HANDS.some((kind) => zone?.classList.contains(kind)));
}

/** The best-known move; none where nothing is told. @param {Move[]} moves */
export const bestMove = (moves) => moves.find((move) => move.pick) ?? moves.find((move) => move.rank === 1);

/** The best-known move that a place has to do with; none where nothing is told. @param {Move[]} moves @param {Place} place */
export function bestOf(moves, place) {
  const some = moves.filter((move) => move.rank !== undefined && placesOf(move).some((id) => inside(id, place)));
  return some.find((move) => move.pick) ?? some.reduce((best, move) => (best === undefined || (move.rank ?? 0) < (best.rank ?? 0) ? move : best), /** @type {Move | undefined} */ (undefined));
}

/**
 * What a click comes to: a move, several to choose from, a place that is taken up, or nothing.
 * @param {Move[]} moves
 * @param {Place} place
 * @param {Place | undefined} held what was taken up before
 * @returns {{ play: Move[] } | { take: Place, or?: Move[] } | null}
 */
export function meaning(moves, place, held) {
  const starts = begin(moves, place);
  if (held) {
    const some = aims(moves, held, place);
    if (some.length) return { play: some };
    // The same place again: it is put down.
    if (held === place) return null;
  }
  const single = alone(moves, place);
  // What can go somewhere, too, is taken up; what else can be done with it is asked beside it.
  if (single.length) return starts.length ? { take: place, or: single } : { play: single };
  // Where there is one way to go, nobody is asked which.
  return starts.length === 1 ? { play: starts } : starts.length ? { take: place } : null;
}

/**
 * The hand over a board.
 * @param {HTMLElement} holder where the board is, and where menus open
 * @param {() => { moves: Move[], stage: Stage | undefined, under?: Set<string> }} now `under`: what is not to be told apart
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
    const { moves, stage, under } = now();
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
        if (node && node !== place.node && !under?.has(id ?? "")) node.classList.add("m-aim");
      }
    }
  }

  /** @param {Place} place @param {Move[]} list @param {boolean} [goes] whether the focus goes there */
  function menu(place, list, goes = true) {
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
    if (goes) buttons[0]?.focus();
  }

  /** The place of the last click: twice on one plays its best move. @type {Element | undefined} */
  let first;
  const dragging = drag(holder, {
    place: (node) => now().stage?.places.find((one) => node instanceof Node && one.node.contains(node)),
    lift: (place) => {
      close();
      take(place);
      if (alone(now().moves, place).length) holder.classList.add("throwing");
    },
    drop(from, to, outside) {
      const { moves } = now();
      holder.classList.remove("throwing");
      take(undefined);
      // A piece that leaves the board, or a card that is played, goes anywhere outside.
      const meant = to && to !== from ? aims(moves, from, to) : [];
      const out = outside ? [...moves.filter((move) => inside(move.from, from) && inside(move.to, from)), ...alone(moves, from)] : [];
      const list = meant.length ? meant : out;
      if (list.length === 1) act(list[0], from);
      else if (list.length) menu(to ?? from, list);
      return list.length > 0;
    },
  });
  holder.addEventListener("dblclick", (event) => {
    const { moves, stage } = now();
    const place = stage?.places.find((one) => event.target instanceof Node && one.node.contains(event.target));
    // If the first click has played already, this is another board.
    if (!place || first !== place.node) return;
    const best = bestOf(moves, place);
    take(undefined);
    close();
    if (best) act(best, place);
  });

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
      dragging.stop();
      holder.classList.remove("throwing");
    },
    /** Whether it meant anything. @param {Place} place */
    click(place) {
      const had = held === place;
      const meant = meaning(now().moves, place, held);
      close();
      first = place.node;
      take(undefined);
      if (!meant) return had;
      if ("take" in meant) {
        take(meant.take);
        if (meant.or) menu(place, meant.or, false);
      }
      else if (meant.play.length === 1) act(meant.play[0], place);
      else menu(place, meant.play);
      return true;
    },
  };
}
