//! Results: every paper with what was found, and each of its parts as it is computed.

/** @import { Game, Job, Part, View } from "./types.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { bar, busy, commandLine, figures, watch } from "./jobs.js";
import { badge, counts, drawReport } from "./report.js";
import { address, here } from "./route.js";
import { clock, plain, rich, word } from "./words.js";

/** @param {Job} job @returns {Part[]} */
const partsOf = (job) => job.result?.parts ?? [];

/**
 * What all parts of a job came to.
 * @param {Job} job
 */
function total(job) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const part of partsOf(job)) for (const [name, n] of Object.entries(part.tally ?? {})) sum[name] = (sum[name] ?? 0) + Number(n);
  return sum;
}

/**
 * The papers, or one of them.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @returns {View}
 */
export function results(root, leaving) {
  /** @type {Game[]} */
  let games = [];
  /** @type {Map<string, Job>} the latest run of each paper */
  const jobs = new Map();
  /** @type {(() => void)[]} */
  let fits = [];
  /** @type {string} */
  let refused = "";
  const only = () => here().get("game") ?? "";
  addEventListener("resize", () => fits.forEach((fit) => fit()), { signal: leaving });

  /** @param {Job} job */
  function follow(job) {
    jobs.set(job.game, job);
    let drawn = -1;
    watch(job.id, leaving, (now) => {
      jobs.set(now.game, now);
      // Parts stay as they are while nothing new is finished: whoever reads them is not disturbed.
      const finished = partsOf(now).length;
      if (finished !== drawn || !busy(now)) draw();
      else drawRun(now);
      drawn = finished;
    }).catch((error) => {
      if (!api.left(error)) refused = String(error.message);
    });
  }

  /** @param {Game} game */
  async function compute(game) {
    try {
      refused = "";
      follow(await api.ask("/api/jobs", { body: { kind: "reproduce", game: game.id }, once: true, signal: leaving }));
    } catch (error) {
      if (error instanceof api.Refused) refused = plain(error.fault.message);
      else if (api.left(error)) return;
      else refused = word("gone");
    }
    draw();
  }

  /** @param {Game} game */
  function tile(game) {
    const job = jobs.get(game.id);
    return el("article", { class: "paper", "data-game": game.id },
      el("h2", {}, el("a", { href: address("/results", { game: game.id }) }, plain(game.name))), el("p", { class: "cite" }, rich(game.paper?.citation)),
      job ? [counts(total(job)), busy(job) && bar(job, plain(game.name)), el("p", { class: "state" }, busy(job) ? word("partsDone", { n: partsOf(job).length, m: game.parts.length }) : clock(job.elapsed))] : el("p", { class: "state" }, `${word("parts", { n: game.parts.length })}, ${word("notYet")}`),
      el("p", { class: "row" }, el("a", { class: "btn", href: address("/results", { game: game.id }) }, word("results")), !job && el("button", { class: "btn", type: "button", onclick: () => compute(game) }, word("compute"))));
  }

  /** @param {Part} part */
  const section = (part) =>
    el("section", { class: "part", id: part.id }, el("h2", {}, rich(part.title)),
      el("div", { class: "meta" }, counts(part.tally), part.seconds !== undefined && el("span", {}, clock(part.seconds)), el("code", {}, part.command)),
      drawReport(part.report, fits));

  /** @param {Job} job */
  function errata(job) {
    const list = partsOf(job).flatMap((part) => (part.errata ?? []).map((one) => ({ part, one })));
    if (!list.length) return null;
    return el("section", { class: "part" }, el("h2", {}, word("errata")), el("div", { class: "tscroll", tabindex: 0, role: "region", "aria-label": word("errata") }, el("table", {},
      el("thead", {}, el("tr", {}, [word("erratumWhere"), word("published"), word("why"), word("corrected")].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, list.map(({ part, one }) => el("tr", {}, el("td", {}, el("a", { href: `#${part.id}` }, rich(one.place))), el("td", { class: "long" }, rich(one.statement)), el("td", { class: "long" }, rich(one.counterexample)), el("td", { class: "long" }, rich(one.corrected))))))));
  }

  /** @param {Job} job */
  function drawRun(job) {
    const place = root.querySelector(".run");
    if (!place) return;
    const game = games.find((one) => one.id === job.game);
    set(place, busy(job) && [bar(job, plain(job.title)), figures(job), el("p", { class: "row" }, el("span", {}, word("partsDone", { n: partsOf(job).length, m: game?.parts.length ?? 0 })),
      el("button", { class: "btn", type: "button", onclick: () => api.ask(`/api/jobs/${job.id}`, { method: "DELETE", once: true }).catch(() => {}) }, word("cancel")))],
      job.state === "failed" && el("p", { class: "error boxed", role: "alert" }, rich(job.error?.message)), job.state === "cancelled" && el("p", { class: "says" }, word("stopped")));
  }

  /** @param {Game} game */
  function one(game) {
    const job = jobs.get(game.id);
    const done = job ? partsOf(job) : [];
    document.title = `${plain(game.name)} · ${word("results")} · yomikiri`;
    const rest = game.parts.filter((part) => !done.some((made) => made.id === part.id));
    return [
      el("div", { class: "title" }, el("h1", {}, plain(game.name)), el("p", {}, rich(game.paper?.citation)),
        el("p", { class: "row" }, job && counts(total(job)), (!job || job.state === "failed" || job.state === "cancelled") && el("button", { class: "btn main", type: "button", onclick: () => compute(game) }, job ? word("recompute") : word("compute")),
          el("a", { class: "btn", href: address("/board", { game: game.id }) }, word("board")))),
      el("div", { class: "run", "aria-live": "polite" }),
      game.parts.length > 1 && el("nav", { class: "contents", "aria-label": word("contents") }, game.parts.map((part) => {
        const made = done.find((one) => one.id === part.id);
        const bad = Number(made?.tally?.differing ?? 0) > 0;
        const warn = Number(made?.tally?.erratum ?? 0) + Number(made?.tally?.open ?? 0) > 0;
        const inside = [el("i", { class: !made ? "none" : bad ? "bad" : warn ? "warn" : "" }), rich(part.title)];
        return made ? el("a", { href: `#${part.id}` }, inside) : el("span", {}, inside);
      })),
      done.map(section),
      rest.length > 0 && el("section", { class: "part" }, el("ul", { class: "rest" }, rest.map((part) => el("li", {}, rich(part.title), el("small", {}, job && busy(job) ? word("computing") : word("notYet"))))),
        !job && commandLine(`yomikiri reproduce ${game.id}`)),
      job && errata(job),
      game.questions.length > 0 && el("section", { class: "part" }, el("h2", {}, word("openQuestions")), game.questions.map((question) => el("div", { class: "question" }, el("b", {}, badge("open"), " ", rich(question.asked)), el("p", {}, rich(question.known))))),
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
      el("div", { class: "hero" }, el("h1", {}, word("results")), el("p", {}, word("resultsLead")), el("button", { class: "btn", type: "button", onclick: () => games.forEach((one) => !jobs.has(one.id) && compute(one)) }, word("computeAll"))),
      el("div", { class: "papers" }, games.map(tile)),
      el("section", { class: "part" }, el("h2", {}, word("openQuestions")), games.flatMap((one) => one.questions.map((question) => el("div", { class: "question" }, el("b", {}, badge("open"), ` ${plain(one.name)}: `, rich(question.asked)), el("p", {}, rich(question.known)))))),
    ];
    set(root, tabs, refused && el("p", { class: "error boxed", role: "alert" }, refused), all, game && one(game), only() && games.length > 0 && !game && el("p", { class: "says" }, word("noGame", { game: only() })));
    tabs.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
    const job = game && jobs.get(game.id);
    if (job) drawRun(job);
    fits.forEach((fit) => fit());
    scrollTo(0, y);
  }

  (async () => {
    games = (await api.games()).games.filter((game) => game.paper);
    if (leaving.aborted) return;
    draw();
    const { jobs: list } = await api.ask("/api/jobs", { signal: leaving });
    // The newest of a paper counts; one that went wrong does not hide one that is done.
    /** @type {Map<string, Job>} */
    const latest = new Map();
    for (const job of /** @type {Job[]} */ (list)) {
      if (job.kind !== "reproduce") continue;
      const old = latest.get(job.game);
      if (!old || busy(job) || job.state === "done" || !(old.state === "done" || busy(old))) latest.set(job.game, job);
    }
    for (const job of latest.values()) if (!only() || job.game === only()) follow(job);
  })().catch((error) => {
    if (!api.left(error)) throw error;
  });
  return { redraw: draw };
}
