//! Asking: waiting for long work, refusals, a server that is busy or gone.

/** @import { Cost, Fault, Game, Headline, Job, Scene, Table } from "./types.js" */
import { send } from "./transport.js";

/** The server said no, and why. */
export class Refused extends Error {
  /** @param {number} status @param {Fault} fault @param {number} [retry] seconds until it may be tried again */
  constructor(status, fault, retry) {
    super(typeof fault.message === "string" ? fault.message : fault.message.en);
    this.status = status;
    this.fault = fault;
    this.retry = retry;
  }
}

/** Work that somebody cancelled. */
export class Cancelled extends Error {}

/**
 * What is known of the line to the server; the page shows it in a bar.
 * @typedef {{ state: "good" } | { state: "gone" } | { state: "token" } | { state: "broken", why: string } | { state: "busy", seconds: number }} Line
 */

/** @type {(line: Line) => void} */
let tell = () => {};
/** @type {(() => void) | undefined} */
let hurry;

/** @param {(line: Line) => void} listener */
export const onLine = (listener) => {
  tell = listener;
};
/** Tries again at once. */
export const retryNow = () => hurry?.();

/** @param {number} seconds @param {AbortSignal} [signal] @returns {Promise<void>} */
function pause(seconds, signal) {
  return new Promise((done, fail) => {
    const end = () => {
      clearTimeout(timer);
      hurry = undefined;
      done();
    };
    const timer = setTimeout(end, seconds * 1000);
    hurry = end;
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      fail(new DOMException("left", "AbortError"));
    }, { once: true });
  });
}

/** @param {unknown} error */
export const left = (error) => error instanceof DOMException && error.name === "AbortError";

/**
 * @typedef {object} Asking
 * @property {string} [method]
 * @property {unknown} [body] sent as JSON, or as it is where it is a file
 * @property {AbortSignal} [signal]
 * @property {(job: Job, cancel: () => void) => void} [news] hears of work that takes long
 * @property {boolean} [once] does not try again by itself
 */

/**
 * Asks the server; long work is waited for, and its result is the answer.
 * @param {string} path
 * @param {Asking} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, how = {}) {
  const { signal } = how;
  const raw = how.body instanceof Blob;
  for (let wait = 1; ; wait = Math.min(wait * 1.6, 8)) {
    /** @type {Response} */
    let answer;
    try {
      answer = await send(path, {
        method: how.method ?? (how.body === undefined ? "GET" : "POST"),
        headers: how.body === undefined ? {} : { "content-type": raw ? "application/octet-stream" : "application/json" },
        body: how.body === undefined ? undefined : raw ? /** @type {Blob} */ (how.body) : JSON.stringify(how.body),
        signal,
        cache: "no-store",
      });
    } catch (error) {
      if (left(error)) throw error;
      tell({ state: "gone" });
      if (how.once) throw error;
      await pause(wait, signal);
      continue;
    }
    if ((answer.status === 429 || answer.status === 503) && !how.once) {
      const seconds = Math.min(Math.max(Number(answer.headers.get("retry-after")) || 1, 1), 60);
      tell({ state: "busy", seconds });
      await pause(seconds, signal);
      continue;
    }
    if (answer.status === 204) return null;
    /** @type {any} */
    let said = null;
    try {
      said = /json/.test(answer.headers.get("content-type") ?? "json") ? await answer.json() : await answer.text();
    } catch (error) {
      if (left(error)) throw error;
      // An answer that breaks off is none; a refusal may come without words.
      if (answer.ok) {
        tell({ state: "gone" });
        if (how.once) throw error;
        await pause(wait, signal);
        continue;
      }
    }
    tell(answer.status === 401 ? { state: "token" } : answer.status === 501 ? { state: "broken", why: String(said?.error?.message ?? "") } : { state: "good" });
    if (!answer.ok) {
      const fault = said?.error ?? { code: String(answer.status), message: `${answer.status} ${answer.statusText}` };
      throw new Refused(answer.status, fault, Number(answer.headers.get("retry-after")) || undefined);
    }
    return answer.status === 202 ? follow(said, how) : said;
  }
}

/**
 * Waits for work to be done. Whoever leaves tells the server, so that nobody computes for nobody.
 * @param {Job} job
 * @param {Asking} how
 * @returns {Promise<any>}
 */
async function follow(job, how) {
  const { signal } = how;
  const drop = () => {
    send(`/api/jobs/${job.id}`, { method: "DELETE", keepalive: true }).catch(() => {});
  };
  signal?.addEventListener("abort", drop, { once: true });
  try {
    for (let now = job; ; now = await ask(`/api/jobs/${job.id}?wait=500`, { signal })) {
      how.news?.(now, drop);
      if (now.state === "done") return now.result;
      if (now.state === "cancelled") throw new Cancelled();
      if (now.state === "failed") throw new Refused(500, now.error ?? { code: "failed", message: "failed" });
    }
  } finally {
    signal?.removeEventListener("abort", drop);
  }
}

/** @type {Promise<{version: string, games: Game[]}> | undefined} */
let known;

/** The games, asked for once: whoever leaves while they are on their way does not take them from the next page. */
export function games() {
  known ??= ask("/api/games").catch((error) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** @param {Record<string, string>} settings @param {string} [position] */
const query = (settings, position) => new URLSearchParams({ ...settings, ...(position ? { position } : {}) }).toString();

/** @param {string} game @param {Asking} how @returns {Promise<Headline>} */
export const headline = (game, how) => ask(`/api/headline/${encodeURIComponent(game)}`, how);

/** A position with its changes, with other scores perhaps. @param {string} game @param {Record<string, string>} settings @param {string} position @param {Asking} how @param {string} [scores] @returns {Promise<Scene>} */
export const edits = (game, settings, position, how, scores) => ask(`/api/edit/${encodeURIComponent(game)}?${query({ ...settings, ...(scores === undefined ? {} : { scores }) }, position)}`, how);

/** How large a variant is, and whether it gets values here. @param {string} game @param {Record<string, string>} settings @param {Asking} how @returns {Promise<Cost>} */
export const cost = (game, settings, how) => ask(`/api/cost/${encodeURIComponent(game)}?${query(settings)}`, how);

/** @param {string} game @param {object} body @param {Asking} how @returns {Promise<Table>} */
export const play = (game, body, how) => ask(`/api/play/${encodeURIComponent(game)}`, { ...how, body });

/** The position of a game at the table as SVG, with its values. @param {string} game @param {object} body @param {string} lang @param {Asking} how @returns {Promise<string>} */
export const picture = (game, body, lang, how) => ask(`/api/picture/${encodeURIComponent(game)}?lang=${lang}`, { ...how, body });

/** A position in which one move is best. @param {string} game @param {string} number @param {Asking} how @returns {Promise<import("./types.js").Puzzle>} */
export const puzzle = (game, number, how) => ask(`/api/puzzle/${encodeURIComponent(game)}?${new URLSearchParams({ number })}`, how);

/** What a proof or certificate shows. @param {Blob} file @param {Asking} how @returns {Promise<import("./types.js").Report>} */
export const checked = (file, how) => ask("/api/check", { ...how, body: file });
