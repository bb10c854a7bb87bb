//! Jobs as the pages of results and studies show them: state, bar, rate, what is left, and how to stop them.

/** @import { Job, Kid } from "./types.js" */
import * as api from "./api.js";
import { el } from "./dom.js";
import { clock, grouped, rich, short, word } from "./words.js";

const STATES = /** @type {const} */ ({ waiting: "stateWaiting", running: "stateRunning", done: "stateDone", failed: "stateFailed", cancelled: "stateCancelled" });

/** @param {Job} job */
export const busy = (job) => job.state === "running" || job.state === "waiting";
/** @param {Job} job */
export const stateWord = (job) => word(pausable(job) && job.state === "cancelled" ? "statePaused" : STATES[job.state] ?? "stateRunning");
/** Whether what was done is kept row by row, so that it goes on where it was. @param {Job} job */
export const pausable = (job) => (job.rows ?? 0) > 0;

/** The step that says most of how far a job is. @param {Job} job */
export const step = (job) => job.progress.findLast((one) => one.total > 0) ?? job.progress.at(-1);

/**
 * How far a job is, from 0 to 1, if that is known.
 * @param {Job} job
 */
export function share(job) {
  if (job.state === "done") return 1;
  const now = step(job);
  return now && now.total > 0 ? Math.min(now.done / now.total, 1) : undefined;
}

/**
 * The bar of a job: solid where it runs or is done, hatched where it stopped.
 * @param {Job} job
 * @param {string} label
 */
export function bar(job, label) {
  const part = share(job);
  const stopped = job.state === "cancelled" || job.state === "failed";
  return el("div", { class: `prog ${stopped ? "stopped" : ""} ${part === undefined && busy(job) ? "open" : ""}`, role: "progressbar", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": part === undefined ? undefined : Math.floor(part * 100) },
    el("i", { css: { width: `${((part ?? 0) * 100).toFixed(1)}%` } }));
}

/**
 * The figures of a job.
 * @param {Job} job
 */
export function figures(job) {
  const now = step(job);
  const part = share(job);
  /** @type {[string, Kid][]} */
  const list = [[part === undefined ? stateWord(job) : `${(part * 100).toFixed(part > 0 && part < 1 ? 1 : 0)} %`, part === undefined ? "" : stateWord(job)]];
  if (now && now.done > 0) list.push([grouped(now.done), [now.total > 0 && `${word("of", { n: grouped(now.total) })} `, rich(now.what)]]);
  if (now?.rate && busy(job)) list.push([`${short(now.rate)} /s`, word("rate")]);
  list.push([clock(job.elapsed), word("elapsed")]);
  if (now?.left !== undefined && busy(job)) list.push([clock(now.left), word("left")]);
  if (job.rows) list.push([grouped(job.rows), word("rows")]);
  return el("div", { class: "figures" }, list.map(([big, small]) => el("div", {}, el("b", {}, big), small)));
}

/**
 * Looks at a job until it is over, or until nobody wants to know any more.
 * @param {string} id
 * @param {AbortSignal} signal
 * @param {(job: Job) => void} news
 */
export async function watch(id, signal, news) {
  let job = /** @type {Job} */ (await api.ask(`/api/jobs/${encodeURIComponent(id)}`, { signal }));
  news(job);
  while (busy(job) && !signal.aborted) {
    const since = performance.now();
    job = await api.ask(`/api/jobs/${encodeURIComponent(id)}?wait=500`, { signal });
    if (signal.aborted) return;
    news(job);
    // Numbers change twice a second, not more often.
    await new Promise((done) => setTimeout(done, Math.max(500 - (performance.now() - since), 50)));
  }
}

/**
 * A command to type, with a button that copies it.
 * @param {string} command
 */
export const commandLine = (command) =>
  el("div", { class: "cmd" }, el("code", {}, command), el("button", { class: "btn", type: "button", onclick: (/** @type {Event} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    navigator.clipboard?.writeText(command).then(() => {
      button.textContent = word("copied");
    }, () => {});
  } }, word("copy")));
