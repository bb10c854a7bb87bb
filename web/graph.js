//! The value over a whole game as a small graph, asked for position by position while nothing else is waited for.

/** @import { Table } from "./types.js" */
import { el, sv } from "./dom.js";
import { raw } from "./words.js";

/** Games longer than this have no graph: too much would be asked for. */
const LONGEST = 160;

/** What is known of a position: who is to move, what the best move is worth to them and what each move is. @typedef {{ turn: number | null, best?: number, mid: number, name: string, each: Map<string, number> }} Known */

/** @param {Table} table @returns {Known} */
function known(table) {
  const { scale, moves = [] } = table.scene;
  /** @type {Map<string, number>} */
  const each = new Map();
  for (const move of moves) {
    if (!move.value) continue;
    for (const id of [move.id, ...(move.each ?? []).map((one) => one.id)]) each.set(id, move.value.x);
  }
  return { turn: table.turn, best: moves.find((move) => move.rank === 1)?.value?.x, mid: scale?.mid ?? 0, name: raw(scale?.name), each };
}

/**
 * The values of a game that is being looked at.
 * @param {(moves: string[], signal: AbortSignal) => Promise<Table>} ask a position with its values; refuses what takes long
 * @param {() => void} changed more is known
 */
export function course(ask, changed) {
  /** @type {Map<string, Known | null>} */
  let all = new Map();
  let of = "";
  /** @type {AbortController | undefined} */
  let asking;
  /** The games that were asked for, wholly or in vain. @type {Set<string>} */
  let tried = new Set();
  /** Whether more is on its way. */
  let pending = false;
  const key = (/** @type {string[]} */ moves) => moves.join("~");

  /** Asks for what is missing, from the end of the game to its beginning: what went before is remembered by the server. @param {string[]} line */
  async function complete(line) {
    asking?.abort();
    const control = new AbortController();
    asking = control;
    let news = 0;
    for (let at = line.length - 1; at >= 0; at -= 1) {
      const moves = line.slice(0, at);
      if (all.has(key(moves))) continue;
      const found = await ask(moves, control.signal).then(known, () => null);
      if (control.signal.aborted) return;
      all.set(key(moves), found);
      news += 1;
      // A position that cannot be valued says that the others cannot either.
      if (!found && news === 1) break;
    }
    pending = false;
    if (news) changed();
  }

  return {
    /** A position that was asked for anyhow. @param {string[]} moves @param {Table} table */
    note(moves, table) {
      if (table.scene.moves?.some((move) => move.value)) all.set(key(moves), known(table));
    },
    /**
     * The graph; what is missing is asked for.
     * @param {string} game what tells games apart: where they begin
     * @param {string[]} line
     * @param {{ at: number, seat: number | null, players: number, wrong: number[], made: (at: number) => string | undefined, label: string, score?: number, go: (at: number) => void }} how `made` is what a move of the machine was, `score` what the game has brought
     */
    draw(game, line, how) {
      if (of !== game) {
        of = game;
        all = new Map();
        tried = new Set();
      }
      if (line.length < 2 || line.length > LONGEST) return null;
      if (!tried.has(key(line))) {
        tried.add(key(line));
        pending = line.some((_, at) => !all.has(key(line.slice(0, at))));
        if (pending) queueMicrotask(() => complete(line));
      }
      const own = how.seat ?? 0;
      // To one person: what is good for the other of two is bad for them; of three nobody knows.
      const seen = (/** @type {Known} */ one, /** @type {number} */ x) => (one.turn === own || one.turn === null || how.players < 2 ? x : how.players === 2 ? 2 * one.mid - x : undefined);
      /** @type {{ at: number, y: number }[]} */
      const points = [];
      line.forEach((move, at) => {
        const one = all.get(key(line.slice(0, at)));
        const y = one && one.best !== undefined ? seen(one, one.best) : undefined;
        if (y !== undefined) points.push({ at, y });
        // The end is worth what it brought, or what the last move was worth.
        const last = one && at === line.length - 1 ? one.each.get(how.made(at) ?? move) : undefined;
        const z = at < line.length - 1 ? undefined : how.score ?? (one && last !== undefined ? seen(one, last) : undefined);
        if (z !== undefined) points.push({ at: line.length, y: z });
      });
      // While values are on their way their place is kept, so that nothing jumps.
      if (points.length < 2 && !pending) return null;
      return picture(points, line.length, [...all.values()].find((one) => one?.best !== undefined)?.mid ?? 0, how);
    },
  };
}

/**
 * @param {{ at: number, y: number }[]} points
 * @param {number} length
 * @param {number} mid
 * @param {{ at: number, wrong: number[], label: string, go: (at: number) => void }} how
 */
function picture(points, length, mid, how) {
  const [wide, tall, edge] = [400, 84, 8];
  const [least, most] = [Math.min(mid, ...points.map((one) => one.y)), Math.max(mid, ...points.map((one) => one.y))];
  // Where nothing changes the line is in the middle.
  const [low, reach] = most > least ? [least, most - least] : [least - 0.5, 1];
  const x = (/** @type {number} */ at) => edge + (at / length) * (wide - 2 * edge);
  const y = (/** @type {number} */ v) => tall - edge - ((v - low) / reach) * (tall - 2 * edge);
  if (!points.length) points = [{ at: 0, y: mid }];
  const path = points.map((one, at) => `${at ? "L" : "M"}${x(one.at).toFixed(1)} ${y(one.y).toFixed(1)}`).join("");
  const node = sv("svg", { class: "course", viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": how.label },
    sv("line", { class: "mid", x1: 0, x2: wide, y1: y(mid), y2: y(mid) }),
    sv("line", { class: "cursor", x1: x(how.at), x2: x(how.at), y1: 0, y2: tall }),
    sv("path", { class: "way", d: path }),
    points.map((one) => sv("circle", { class: how.wrong.includes(one.at - 1) ? "wrong" : "", cx: x(one.at), cy: y(one.y), r: how.wrong.includes(one.at - 1) ? 4.5 : 2.4 })));
  // A click goes to the position under it; the keys and the list do the same.
  node.addEventListener("click", (event) => {
    const box = node.getBoundingClientRect();
    how.go(Math.round((((event.clientX - box.left) / box.width) * wide - edge) / (wide - 2 * edge) * length));
  });
  return el("figure", { class: "courses" }, el("figcaption", {}, how.label), node);
}
