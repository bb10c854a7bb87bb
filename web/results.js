//! Results: every paper with what was found, and each of its parts as it is computed.

/** @import { Game, Job, Part, View } from "./types.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { bar, busy, commandLine, figures, watch } from "./jobs.js";
import { counts, drawReport } from "./report.js";
import { keep, kept } from "./kept.js";
import { isLong, longVersions } from "./long.js";
import { known, standing } from "./questions.js";
import { address, here } from "./route.js";
import { send } from "./transport.js";
import { clock, plain, rich, word } from "./words.js";

/** A part that took longer than this, in seconds, waits until the others are there. */
const DEAR = 2;

/** How long parts took when they were last computed, in seconds. @returns {Record<string, number>} */
function costs() {
  try {
    return JSON.parse(kept("costs") ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/**
 * The papers, or one of them. What is missing is computed as soon as somebody looks, what is cheap first; the server keeps it.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @returns {View}
 */
export function results(root, leaving) {
  /** @type {Game[]} */
  let games = [];
  /** @type {Map<string, Map<string, Part>>} what is known of each paper, part by part */
  const found = new Map();
  /** @type {Map<string, Job>} the run of each paper that was looked at last */
  const jobs = new Map();
  /** @type {Map<string, "busy" | "done">} parts that are verified again */
  const verified = new Map();
  /** @type {(() => void)[]} */
  let fits = [];
  /** @type {string} */
  let refused = "";
  /** Whether somebody stopped it: then nothing begins by itself. */
  let stopped = false;
  const only = () => here().get("game") ?? "";
  let wanted = here().get("part") ?? "";
  addEventListener("resize", () => fits.forEach((fit) => fit()), { signal: leaving });
  // What began by itself ends when nobody looks any more; its finished parts are kept.
  leaving.addEventListener("abort", () => {
    for (const job of jobs.values()) if (busy(job) && own.has(job.id)) send(`/api/jobs/${job.id}`, { method: "DELETE", keepalive: true }).catch(() => {});
  });
  /** @type {Set<string>} */
  const own = new Set();

  /** The parts of a paper that are there, in its order. @param {Game} game @returns {Part[]} */
  const done = (game) => {
    const there = found.get(game.id) ?? new Map();
    // The long version may have more of them.
    const more = [...there.values()].filter((part) => !game.parts.some((one) => one.id === part.id));
    return [...game.parts.flatMap((part) => there.get(part.id) ?? []), ...more];
  };
  /** What all parts came to. @param {Game} game */
  function total(game) {
    /** @type {Record<string, number>} */
    const sum = {};
    for (const part of done(game)) for (const [name, n] of Object.entries(part.tally ?? {})) sum[name] = (sum[name] ?? 0) + Number(n);
    return sum;
  }

  /** Takes in what a run has found; whether anything was new. @param {Job} job @param {boolean} [over] it replaces what was there */
  function take(job, over = false) {
    const known = found.get(job.game) ?? new Map();
    found.set(job.game, known);
    let fresh = over;
    const took = costs();
    for (const part of /** @type {Part[]} */ (job.result?.parts ?? [])) {
      const old = known.get(part.id);
      if (over || !old || (isLong(part) && !isLong(old))) {
        known.set(part.id, part);
        fresh = true;
      }
      if (part.seconds !== undefined && !isLong(part)) took[`${job.game}/${part.id}`] = part.seconds;
    }
    if (fresh) keep("costs", JSON.stringify(took));
    return fresh;
  }

  const long = longVersions(leaving, (now) => {
    const game = games.find((one) => one.id === now.game);
    if (take(now)) draw();
    else if (game && game.id === only()) long.redraw(game);
  });

  /** Looks at a run until it is over. @param {Job} job */
  async function follow(job) {
    jobs.set(job.game, job);
    await watch(job.id, leaving, (now) => {
      jobs.set(now.game, now);
      // Parts stay as they are while nothing new is finished: whoever reads them is not disturbed.
      if (take(now) || !busy(now)) draw();
      else drawRun(now);
    });
    return jobs.get(job.game);
  }

  /** What is still missing of a paper, in the order of what it cost, as far as that is known. @param {Game} game @returns {{ parts: string[], all: boolean } | undefined} */
  function missing(game) {
    const took = costs();
    const cost = (/** @type {string} */ id) => took[`${game.id}/${id}`] ?? 0;
    const rest = game.parts.map((part) => part.id).filter((id) => !found.get(game.id)?.has(id));
    const cheap = rest.filter((id) => cost(id) < DEAR);
    const parts = cheap.length ? cheap : rest;
    return rest.length ? { parts, all: parts.length === game.parts.length } : undefined;
  }

  /** Computes what is missing of a paper, batch by batch. @param {Game} game */
  async function compute(game) {
    refused = "";
    try {
      for (let want = missing(game); want && !stopped && !leaving.aborted; want = missing(game)) {
        const job = await api.ask("/api/jobs", { body: { kind: "reproduce", game: game.id, ...(want.all ? {} : { parts: want.parts }) }, once: true, signal: leaving });
        own.add(job.id);
        const last = await follow(job);
        if (last?.state !== "done") break;
      }
    } catch (error) {
      if (api.left(error)) return;
      refused = error instanceof api.Refused ? plain(error.fault.message) : word("gone");
      draw();
    }
  }

  /** Computes a part once more. @param {Game} game @param {string} id @param {boolean} long */
  async function verify(game, id, long) {
    const name = `${game.id}/${id}`;
    verified.set(name, "busy");
    draw();
    try {
      const job = await api.ask("/api/jobs", { body: { kind: "reproduce", game: game.id, parts: [id], again: true, ...(long ? { full: true } : {}) }, once: true, signal: leaving });
      await watch(job.id, leaving, (now) => {
        if (now.state === "done") take(now, true);
      });
      verified.set(name, "done");
    } catch (error) {
      if (api.left(error)) return;
      verified.delete(name);
      refused = error instanceof api.Refused ? plain(error.fault.message) : word("gone");
    }
    draw();
  }

  /** @param {Game} game */
  function tile(game) {
    const job = jobs.get(game.id);
    const made = done(game);
    return el("article", { class: "paper", "data-game": game.id },
      el("h2", {}, el("a", { href: address("/results", { game: game.id }) }, plain(game.name))), el("p", { class: "cite" }, rich(game.paper?.citation)),
      made.length > 0 && counts(total(game)), job && busy(job) && bar(job, plain(game.name)),
      el("p", { class: "state" }, made.length < game.parts.length ? word("partsDone", { n: made.length, m: game.parts.length }) : `${word("parts", { n: made.length })}, ${clock(made.reduce((sum, part) => sum + (part.seconds ?? 0), 0))}`),
      el("p", { class: "row" }, el("a", { class: "btn", href: address("/results", { game: game.id }) }, word("results"))));
  }

  /** @param {Game} game @param {Part} part */
  function section(game, part) {
    const state = verified.get(`${game.id}/${part.id}`);
    return el("section", { class: "part", id: part.id }, el("h2", {}, rich(part.title)),
      el("div", { class: "meta" }, counts(part.tally), isLong(part) && el("span", { class: "standing" }, word("longPart")), part.seconds !== undefined && el("span", {}, clock(part.seconds)), el("code", {}, part.command),
        el("button", { class: "btn verify", type: "button", disabled: state === "busy", onclick: () => verify(game, part.id, isLong(part)) }, state === "busy" ? word("verifying") : word("verify")),
        el("span", { role: "status" }, state === "done" ? word("verifiedNow") : "")),
      drawReport(part.report, fits));
  }

  /** @param {Game} game */
  function errata(game) {
    const list = done(game).flatMap((part) => (part.errata ?? []).map((one) => ({ part, one })));
    if (!list.length) return null;
    const heads = [word("erratumWhere"), word("published"), word("why"), word("corrected")];
    const cell = (/** @type {number} */ at, /** @type {import("./types.js").Kid} */ inside) => el("td", { class: at ? "long" : "", "data-head": heads[at] }, inside);
    return el("section", { class: "part stack" }, el("h2", {}, word("errata")), el("div", { class: "tscroll", tabindex: 0, role: "region", "aria-label": word("errata") }, el("table", {},
      el("thead", {}, el("tr", {}, heads.map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, list.map(({ part, one }) => el("tr", {}, cell(0, el("a", { href: `#${part.id}` }, rich(one.place))), cell(1, rich(one.statement)), cell(2, rich(one.counterexample)), cell(3, rich(one.corrected))))))));
  }

  /** @param {Job} job */
  function drawRun(job) {
    const place = root.querySelector(".run");
    if (!place) return;
    const game = games.find((one) => one.id === job.game);
    set(place, busy(job) && [bar(job, plain(job.title)), figures(job), el("p", { class: "row" }, el("span", {}, word("partsDone", { n: game ? done(game).length : 0, m: game?.parts.length ?? 0 })),
      el("button", { class: "btn", type: "button", onclick: () => {
        stopped = true;
        api.ask(`/api/jobs/${job.id}`, { method: "DELETE", once: true }).catch(() => {});
      } }, word("cancel")))],
      job.state === "failed" && el("p", { class: "error boxed", role: "alert" }, rich(job.error?.message)), job.state === "cancelled" && el("p", { class: "says" }, word("stopped")));
  }

  /** @param {Game} game */
  function one(game) {
    const job = jobs.get(game.id);
    const made = done(game);
    document.title = `${plain(game.name)} · ${word("results")} · yomikiri`;
    const rest = game.parts.filter((part) => !made.some((one) => one.id === part.id));
    return [
      el("div", { class: "title" }, el("h1", {}, plain(game.name)), el("p", {}, rich(game.paper?.citation)),
        el("p", { class: "row" }, made.length > 0 && counts(total(game)), rest.length > 0 && job && !busy(job) && job.state !== "done" && el("button", { class: "btn main", type: "button", onclick: () => {
          stopped = false;
          compute(game);
        } }, word("resume")),
          el("a", { class: "btn", href: address("/board", { game: game.id }) }, word("board")))),
      el("div", { class: "run", "aria-live": "polite" }),
      game.parts.length > 1 && el("nav", { class: "contents", "aria-label": word("contents") }, game.parts.map((part) => {
        const there = made.find((one) => one.id === part.id);
        const bad = Number(there?.tally?.differing ?? 0) > 0;
        const warn = Number(there?.tally?.erratum ?? 0) + Number(there?.tally?.open ?? 0) > 0;
        const inside = [el("i", { class: !there ? "none" : bad ? "bad" : warn ? "warn" : "" }), rich(part.title)];
        return there ? el("a", { href: `#${part.id}` }, inside) : el("span", {}, inside);
      })),
      made.map((part) => section(game, part)),
      rest.length > 0 && el("section", { class: "part" }, el("ul", { class: "rest" }, rest.map((part) => el("li", {}, rich(part.title), el("small", {}, job && busy(job) ? word("computing") : word("notYet"))))),
        commandLine(`yomikiri reproduce ${game.id}`)),
      errata(game),
      long.section(game),
      game.questions.length > 0 && el("section", { class: "part" }, el("h2", {}, word("answers")), game.questions.map((question) => el("div", { class: "question" }, el("b", {}, standing(question), " ", rich(question.asked)), known(game, question)))),
    ];
  }

  function draw() {
    fits = [];
    const game = games.find((one) => one.id === only());
    const tabs = el("nav", { class: "tabs", "aria-label": word("results") }, el("a", { href: address("/results"), "aria-current": only() ? undefined : "page" }, word("results")),
      games.map((one) => el("a", { href: address("/results", { game: one.id }), "aria-current": one.id === only() ? "page" : undefined }, plain(one.name))));
    const y = scrollY;
    if (!game) document.title = `${word("results")} · yomikiri`;
    const all = games.length > 0 && !only() && [
      el("div", { class: "hero" }, el("h1", {}, word("results")), el("p", {}, word("resultsLead"))),
      el("div", { class: "papers" }, games.map(tile)),
      el("section", { class: "part" }, el("h2", {}, word("answers")), games.flatMap((one) => one.questions.map((question) => el("div", { class: "question" }, el("b", {}, standing(question), ` ${plain(one.name)}: `, rich(question.asked)), known(one, question))))),
    ];
    set(root, tabs, refused && el("p", { class: "error boxed", role: "alert" }, refused), all, game && one(game), only() && games.length > 0 && !game && el("p", { class: "says" }, word("noGame", { game: only() })));
    tabs.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
    const job = game && jobs.get(game.id);
    if (job) drawRun(job);
    fits.forEach((fit) => fit());
    scrollTo(0, y);
    // Whoever came for one part sees it as soon as it is there.
    const part = wanted ? root.querySelector(`#${CSS.escape(wanted)}`) : null;
    if (part) {
      part.scrollIntoView();
      wanted = "";
    }
  }

  (async () => {
    games = (await api.games()).games.filter((game) => game.paper);
    if (leaving.aborted) return;
    draw();
    const { jobs: list } = await api.ask("/api/jobs", { signal: leaving });
    const shown = games.filter((game) => !only() || game.id === only());
    const past = /** @type {Job[]} */ (list).filter((job) => job.kind === "reproduce" && shown.some((game) => game.id === job.game));
    // Everything that was found before is taken first, the newest of it last.
    await Promise.all(past.filter((job) => !busy(job)).map(async (job) => take(await api.ask(`/api/jobs/${job.id}`, { signal: leaving }))));
    // A run of single parts that are verified again is not the long version.
    for (const job of past.filter((job) => isLong(job) && !/ --only /.test(job.command))) {
      long.know(job);
      if (busy(job)) long.follow(job).catch(() => {});
    }
    draw();
    const running = past.filter((job) => busy(job) && !isLong(job));
    await Promise.all(running.map(follow));
    // One paper after the other, that with the fewest parts first.
    for (const game of [...shown].sort((a, b) => a.parts.length - b.parts.length)) if (!stopped && !leaving.aborted) await compute(game);
  })().catch((error) => {
    if (!api.left(error)) throw error;
  });
  return { redraw: draw };
}
