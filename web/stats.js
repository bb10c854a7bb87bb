//! How somebody has done in each game: kept in their browser, sent to nobody, and erased when they say so.

/** @import { Game, Opponent, Table } from "./types.js" */
import { el } from "./dom.js";
import { briefly } from "./head.js";
import { keep, kept } from "./kept.js";
import { amount } from "./record.js";
import { word } from "./words.js";

/** @typedef {{ played: number, won: number, made: number, best: number, high?: number }} Score */

/** The opponent that is met unless somebody chooses. */
const USUAL = "perfect";

/** Under which name the games of somebody are counted: apart for every opponent. @param {Game} game @param {string | undefined} against */
const key = (game, against) => (against && against !== USUAL ? `${game.id}/${against}` : game.id);

/** So many games are remembered, so that none is counted twice. */
const COUNTED = 200;

/** @returns {{ games: Record<string, Score>, counted: string[] }} */
function all() {
  try {
    const read = JSON.parse(kept("statistics") ?? "");
    if (read && typeof read.games === "object" && Array.isArray(read.counted)) return read;
  } catch {
    // Nothing was kept, or nothing that can be read.
  }
  return { games: {}, counted: [] };
}

/**
 * Counts a game that has come to its end; one deal counts once, however often it is played again.
 * @param {Game} game
 * @param {string} deal
 * @param {Table} end
 * @param {{ made: number, best: number }} moves
 */
export function count(game, deal, end, moves) {
  const known = all();
  if (known.counted.includes(deal)) return;
  const name = key(game, end.strengths?.length ? end.strength : undefined);
  const old = known.games[name] ?? { played: 0, won: 0, made: 0, best: 0 };
  const score = end.score ?? undefined;
  // A draw is worth half a win or nothing; alone there is nobody to win against, and the score counts.
  const won = (game.players ?? 1) > 1 && score !== undefined && score > 0.5;
  const high = (game.players ?? 1) > 1 || score === undefined ? old.high : Math.max(score, old.high ?? -Infinity);
  known.games[name] = { played: old.played + 1, won: old.won + Number(won), made: old.made + moves.made, best: old.best + moves.best, ...(high === undefined ? {} : { high }) };
  known.counted = [...known.counted.slice(1 - COUNTED), deal];
  keep("statistics", JSON.stringify(known));
}

/** Whether there is anything to erase. */
export const counted = () => Object.keys(all().games).length > 0;

/** Forgets everything, or one game. @param {string} [game] */
export function erase(game) {
  if (game === undefined) return keep("statistics", null);
  const known = all();
  for (const name of Object.keys(known.games)) if (name === game || name.startsWith(`${game}/`)) delete known.games[name];
  keep("statistics", JSON.stringify(known));
}

/**
 * How somebody has done in a game.
 * @param {Game} game
 * @param {Opponent | undefined} against
 * @param {() => void} changed
 */
export function statistics(game, against, changed) {
  const one = all().games[key(game, against?.id)];
  if (!one) return null;
  /** @type {[string, string][]} */
  const facts = [[String(one.played), word("statPlayed")]];
  if ((game.players ?? 1) > 1) facts.push([String(one.won), word("statWon")]);
  else if (one.high !== undefined) facts.push([amount(one.high), word("statHigh")]);
  if (one.made > 0) facts.push([`${Math.round((one.best / one.made) * 100)} %`, word("statBest")]);
  return el("div", { class: "stats", role: "group", "aria-label": word("statTitle") }, el("span", { class: "label" }, against ? word("statAgainst", { name: briefly(against) ?? "" }) : word("statTitle")),
    facts.map(([big, small]) => el("span", {}, el("b", {}, big), " ", small)),
    el("button", { class: "link", type: "button", onclick: () => {
      erase(game.id);
      changed();
    } }, word("statErase")));
}
