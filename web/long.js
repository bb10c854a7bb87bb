//! The long version of a paper's results: its own sizes and more. It is started by hand, goes on when nobody looks, and
//! what it has finished takes the place of the short version.

/** @import { Game, Job } from "./types.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { bar, busy, commandLine, figures, watch } from "./jobs.js";
import { plain, rich, word } from "./words.js";

/** Whether a run or a part of one is of the long version. @param {{ command: string }} of */
export const isLong = (of) => / --full\b/.test(of.command);

/**
 * The long versions of all papers.
 * @param {AbortSignal} leaving
 * @param {(job: Job) => void} news hears of every run that is looked at
 */
export function longVersions(leaving, news) {
  /** @type {Map<string, Job>} */
  const runs = new Map();
  /** @type {Map<string, string>} */
  const refused = new Map();
  const node = el("div", { "aria-live": "polite" });

  /** @param {Job} job */
  async function follow(job) {
    await watch(job.id, leaving, (now) => {
      runs.set(now.game, now);
      news(now);
    });
  }

  /** @param {Game} game */
  async function start(game) {
    refused.delete(game.id);
    try {
      await follow(await api.ask("/api/jobs", { body: { kind: "reproduce", game: game.id, full: true }, once: true, signal: leaving }));
    } catch (error) {
      if (api.left(error)) return;
      refused.set(game.id, error instanceof api.Refused ? plain(error.fault.message) : word("gone"));
      draw(game);
    }
  }

  /** @param {Game} game */
  function draw(game) {
    const job = runs.get(game.id);
    const wrong = refused.get(game.id) ?? (job?.state === "failed" ? rich(job.error?.message) : "");
    // Who was on its button stays there.
    const inside = node.contains(document.activeElement);
    set(node, job && job.state !== "done" && [bar(job, word("longTitle")), figures(job)], wrong.length > 0 && el("p", { class: "error boxed", role: "alert" }, wrong),
      job?.state === "cancelled" && el("p", { class: "says" }, word("longKept")), job?.state === "done" && el("p", { class: "says" }, word("longDone")),
      el("p", { class: "row" }, job && busy(job) ? el("button", { class: "btn", type: "button", onclick: () => api.ask(`/api/jobs/${job.id}`, { method: "DELETE", once: true }).catch(() => {}) }, word("cancel"))
        : job?.state !== "done" && el("button", { class: "btn", type: "button", onclick: () => start(game) }, word(job ? "resume" : "longStart"))));
    if (inside) node.querySelector("button")?.focus();
  }

  return {
    follow,
    /** What is there is known without anybody looking on. @param {Job} job */
    know: (job) => runs.set(job.game, job),
    redraw: draw,
    /** @param {Game} game */
    section(game) {
      draw(game);
      return el("section", { class: "part long", id: "long" }, el("h2", {}, word("longTitle")), el("p", { class: "says" }, word("longLead")), node, commandLine(`yomikiri reproduce ${game.id} --full`));
    },
  };
}
