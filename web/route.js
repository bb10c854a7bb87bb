//! The address of the page: everything there is to restore stands in it.

/** @import { Game } from "./types.js" */

/** The words of the board's query that are not parameters of a game. */
const OURS = ["game", "seed", "seat", "moves", "redo", "position", "hints", "lang", "see", "vs"];

/**
 * Where the board is.
 * @typedef {object} State
 * @property {string} game
 * @property {Record<string, string>} settings parameters that are not as always
 * @property {string} position where the game begins; empty: as a deal begins
 * @property {string} seed
 * @property {string} seat `all` or a number; empty: not chosen
 * @property {string} vs the opponent's name for the server; empty: as always
 * @property {string[]} moves
 * @property {string[]} redo moves that were taken back, the next first
 * @property {"none" | "best" | "all"} hints
 * @property {boolean} [see] whether known cards are shown, if somebody chose
 */

const list = (/** @type {string | null} */ text) => (text ? text.split("~") : []);

/**
 * The board's state from the address.
 * @param {URLSearchParams} query
 * @returns {State}
 */
export function read(query) {
  /** @type {Record<string, string>} */
  const settings = {};
  for (const [name, value] of query) if (!OURS.includes(name)) settings[name] = value;
  const hints = query.get("hints");
  return {
    game: query.get("game") ?? "",
    settings,
    position: query.get("position") ?? "",
    seed: query.get("seed") ?? "1",
    seat: query.get("seat") ?? "",
    vs: query.get("vs") ?? "",
    moves: list(query.get("moves")),
    redo: list(query.get("redo")),
    hints: hints === "none" || hints === "best" ? hints : "all",
    see: { 0: false, 1: true }[query.get("see") ?? ""],
  };
}

/**
 * The address of a state: what is as always is left out.
 * @param {State} state
 * @param {Game} [game]
 */
export function write(state, game) {
  const query = new URLSearchParams({ game: state.game });
  for (const [name, value] of Object.entries(state.settings)) {
    const param = game?.params.find((one) => one.name === name);
    if (!param || String(param.default) !== value) query.set(name, value);
  }
  if (state.position) query.set("position", state.position);
  if (state.seed !== "1") query.set("seed", state.seed);
  if (state.seat) query.set("seat", state.seat);
  if (state.vs) query.set("vs", state.vs);
  if (state.moves.length) query.set("moves", state.moves.join("~"));
  if (state.redo.length) query.set("redo", state.redo.join("~"));
  if (state.hints !== "all") query.set("hints", state.hints);
  if (state.see !== undefined) query.set("see", state.see ? "1" : "0");
  return query;
}

/** Where the page lives: its files are in a folder beside it. */
export const ROOT = new URL("..", import.meta.url);

/** Whether it is a folder of files without a server: then it answers itself, and its addresses are names of files. */
export const ALONE = document.documentElement.dataset.api === "worker";

/**
 * The page that an address shows: `/`, `/board`.
 * @param {string} pathname
 */
export function page(pathname) {
  const name = pathname.startsWith(ROOT.pathname) ? pathname.slice(ROOT.pathname.length).replace(/\.html$/, "") : pathname;
  return name === "" || name === "index" ? "/" : `/${name}`;
}

/** The query of the address. */
export const here = () => new URLSearchParams(location.search);

/**
 * An address of the page; a language that was chosen stays chosen.
 * @param {string} path
 * @param {URLSearchParams | Record<string, string>} [query]
 */
export function address(path, query = {}) {
  const all = new URLSearchParams(query);
  const lang = here().get("lang");
  if (lang && !all.has("lang")) all.set("lang", lang);
  // These may stand as they are, and are easier to read.
  const text = all.toString().replace(/%(7E|2C|2F|3A)/g, (code) => decodeURIComponent(code));
  const place = ROOT.pathname + path.slice(1) + (ALONE && path !== "/" ? ".html" : "");
  return text ? `${place}?${text}` : place;
}
