//! The record of a game: all its moves, and a cursor that says how many of them are on the board.

/** @import { Said } from "./types.js" */
/** @import { State } from "./route.js" */

/** Every move of the record. @param {State} state */
export const whole = (state) => [...state.moves, ...state.redo];

/** The same record with its cursor after some of the moves. @param {State} state @param {number} at @returns {State} */
export function seek(state, at) {
  const all = whole(state);
  const to = Math.min(Math.max(at, 0), all.length);
  return { ...state, moves: all.slice(0, to), redo: all.slice(to) };
}

/**
 * The record after a move. The one that stands next in it leads on; another drops what came after.
 * @param {State} state
 * @param {string} id
 * @param {number} next where the record goes on for whoever plays here
 * @returns {State}
 */
export const played = (state, id, next) => (state.redo[0] === id ? seek(state, next) : { ...state, moves: [...state.moves, id], redo: [] });

/** Whether a record of moves is another one's beginning. @param {string[]} begin @param {string[]} all */
export const begins = (begin, all) => begin.length <= all.length && begin.every((move, at) => all[at] === move);

/** Where the last decision before the cursor was made by whoever plays; -1 if there is none. @param {Said[]} said @param {number} at @param {number | null} seat */
export const decided = (said, at, seat) => (seat === null ? at - 1 : said.slice(0, at).findLastIndex((one) => one.seat === seat));

/** Where whoever plays decides next after a move: what others answered comes with it. @param {Said[]} said @param {number} at @param {number | null} seat */
export function decides(said, at, seat) {
  let to = Math.min(at + 1, said.length);
  while (seat !== null && to < said.length && said[to].seat !== seat) to += 1;
  return to;
}

/** How many moves two records begin with together. @param {string[]} a @param {string[]} b */
export function shared(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
