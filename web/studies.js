//! Studies: computations that anybody may start, watched while they run and kept when they are done.

/** @import { Game, Job, Study, View } from "./types.js" */
/** @import { Point } from "./settling.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { form } from "./form.js";
import { bar, busy, commandLine, figures, pausable, stateWord, step, watch } from "./jobs.js";
import { drawReport } from "./report.js";
import { keep, kept } from "./kept.js";
import { address, here } from "./route.js";
import { estimates, settling } from "./settling.js";
import { file } from "./transport.js";
import { clock, plain, raw, rich, word } from "./words.js";

/** How many points of a live estimate are kept for its picture. */
const POINTS = 240;

/** How the estimates of each run have settled so far; it stays while other pages are looked at. @type {Map<string, Map<string, Point[]>>} */
const courses = new Map();

/** So many runs are remembered by how far they were. */
const RUNS = 30;

/** A run that has stopped, with how far it was: the server keeps its rows, and forgets how many there were to be. @param {Job} job @returns {Job} */
function resting(job) {
  /** @type {[string, Job["progress"]][]} */
  let known = [];
  try {
    known = JSON.parse(kept("runs") ?? "[]");
  } catch {
    // Then the bar is empty.
  }
  if (busy(job) && (step(job)?.done ?? 0) > 0) keep("runs", JSON.stringify([...known.filter(([id]) => id !== job.id).slice(1 - RUNS), [job.id, job.progress]]));
  const last = known.find(([id]) => id === job.id)?.[1];
  return job.state === "cancelled" && !job.progress.length && last ? { ...job, progress: last } : job;
}

/**
 * The studies, or one of their runs.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @returns {View}
 */
export function studies(root, leaving) {
  return here().get("job") ? run(root, leaving, here().get("job") ?? "") : list(root, leaving);
}

/**
 * All studies of all games with their forms, and the runs there are.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @returns {View}
 */
function list(root, leaving) {
  /** @type {Game[]} */
  let games = [];
  /** @type {Job[]} */
  let jobs = [];
  const runs = el("section", { class: "runs" });

  function drawRuns() {
    const kept = jobs.filter((job) => job.kind === "study");
    const example = games.flatMap((game) => game.studies.map((study) => `yomikiri study ${game.id} ${study.name}`))[0] ?? "yomikiri study";
    set(runs, el("h2", {}, word("jobs")), kept.length === 0 ? el("p", { class: "says" }, word("noJobs", { command: example })) : el("ul", {}, kept.map((job) =>
      el("li", {}, el("div", {}, el("a", { href: address("/studies", { job: job.id }) }, rich(job.title)), el("code", {}, job.command)), bar(resting(job), plain(job.title)), el("span", {}, `${stateWord(job)}, ${clock(job.elapsed)}`)))));
  }

  /** @param {Game} game @param {Study} study */
  function card(game, study) {
    const fields = form(study.params, {});
    const seed = el("input", { type: "text", inputmode: "numeric", value: "1", id: `seed-${game.id}-${study.name}`, autocomplete: "off" });
    const wrong = el("p", { class: "error", role: "alert", hidden: true });
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      fields.fault(null);
      wrong.hidden = true;
      try {
        const typed = seed.value.trim();
        const body = { kind: "study", game: game.id, study: study.name, settings: fields.values(), seed: /^\d{1,16}$/.test(typed) ? Number(typed) : typed };
        const job = await api.ask("/api/jobs", { body, once: true, signal: leaving });
        history.pushState(null, "", address("/studies", { job: job.id }));
        dispatchEvent(new PopStateEvent("popstate"));
      } catch (error) {
        if (api.left(error)) return;
        const message = error instanceof api.Refused ? plain(error.fault.message) + (error.retry ? ` (${clock(error.retry)})` : "") : word("gone");
        if (error instanceof api.Refused && study.params.some((param) => param.name === error.fault.field)) fields.fault(error.fault);
        else {
          wrong.textContent = message;
          wrong.hidden = false;
        }
      }
    };
    return el("details", { class: "study", name: "study", "data-study": `${game.id}/${study.name}`, open: game.id === here().get("game") && study.name === here().get("study") }, el("summary", {}, el("b", {}, rich(study.summary)), el("code", {}, study.name)),
      el("form", { onsubmit: submit }, fields.node, el("div", { class: "field" }, el("label", { for: seed.id }, word("seed")), seed), wrong, el("p", { class: "row" }, el("button", { class: "btn main", type: "submit" }, word("start")))));
  }

  function draw() {
    document.title = `${word("studies")} · yomikiri`;
    drawRuns();
    set(root, el("div", { class: "hero" }, el("h1", {}, word("studies")), el("p", {}, word("studiesLead"))), runs,
      games.filter((game) => game.studies.length).map((game) => el("section", { class: "part" }, el("h2", {}, plain(game.name)), game.studies.map((study) => card(game, study)))));
  }

  (async () => {
    games = (await api.games()).games;
    if (leaving.aborted) return;
    draw();
    root.querySelector("details.study[open]")?.scrollIntoView({ block: "center" });
    while (!leaving.aborted) {
      ({ jobs } = await api.ask("/api/jobs", { signal: leaving }));
      drawRuns();
      await new Promise((done) => setTimeout(done, jobs.some(busy) ? 1000 : 5000));
    }
  })().catch((error) => {
    if (!api.left(error)) throw error;
  });
  return { redraw: draw };
}

/**
 * One run: how far it is, its estimates, its result.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @param {string} id
 * @returns {View}
 */
function run(root, leaving, id) {
  /** @type {Job | undefined} */
  let job;
  /** @type {Map<string, Point[]>} */
  const course = courses.get(id) ?? new Map();
  courses.set(id, course);
  /** @type {(() => void)[]} */
  let fits = [];
  let refused = "";
  addEventListener("resize", () => fits.forEach((fit) => fit()), { signal: leaving });

  /** @param {string} path @param {string} method */
  const tell = async (path, method) => {
    try {
      refused = "";
      await api.ask(path, { method, once: true, signal: leaving });
    } catch (error) {
      if (error instanceof api.Refused) refused = plain(error.fault.message);
    }
  };
  const resume = async () => {
    await tell(`/api/jobs/${id}/resume`, "POST");
    begin();
  };
  const forget = async () => {
    await tell(`/api/jobs/${id}`, "DELETE");
    history.pushState(null, "", address("/studies"));
    dispatchEvent(new PopStateEvent("popstate"));
  };

  function draw() {
    if (!job) return;
    const now = job;
    document.title = `${plain(now.title)} · yomikiri`;
    fits = [];
    set(root,
      el("p", { class: "crumb" }, el("a", { href: address("/studies") }, word("allStudies"))),
      el("div", { class: "runhead" }, el("div", { class: "title" }, el("h1", {}, rich(now.title)), el("p", {}, stateWord(now), now.seed !== undefined && ` · ${word("seed")} ${now.seed}`)),
        el("div", { class: "row" }, busy(now) && el("button", { class: "btn", type: "button", onclick: () => tell(`/api/jobs/${id}`, "DELETE") }, word(pausable(now) ? "pause" : "cancel")),
          (now.state === "cancelled" || now.state === "failed") && el("button", { class: "btn main", type: "button", onclick: resume }, word("resume")),
          !busy(now) && el("button", { class: "btn", type: "button", onclick: forget }, word("forget")))),
      refused && el("p", { class: "error boxed", role: "alert" }, refused),
      bar(now, plain(now.title)), figures(now),
      now.state === "cancelled" && pausable(now) && el("p", { class: "says" }, word("kept")),
      now.state === "failed" && [el("p", { class: "error boxed", role: "alert" }, rich(now.error?.message)), now.error?.command && el("p", { class: "says" }, word("commandInstead"))],
      el("div", { class: now.live?.length ? "cols" : "" }, now.live?.length > 0 && el("div", { class: "blocks" }, now.live.slice(0, 1).map((one) => settling(one, course.get(raw(one.name, "en")) ?? [], step(now)?.total ?? 0))),
        el("div", { class: "blocks" }, now.live?.length > 0 && estimates(now.live),
          el("div", {}, el("h3", { class: "label" }, word("repeat")), commandLine(now.command)),
          now.rows ? el("p", {}, el("a", { class: "btn", ...file(`/api/jobs/${id}/rows.csv`) }, word("download"))) : null,
          now.notes?.length > 0 && el("div", { class: "log" }, el("h3", { class: "label" }, word("log")), el("ul", {}, now.notes.map((note) => el("li", {}, rich(note))))))),
      now.state === "done" && now.result?.blocks && drawReport(now.result, fits));
    fits.forEach((fit) => fit());
  }

  function begin() {
    watch(id, leaving, (now) => {
      job = resting(now);
      // What has stopped says nothing new.
      for (const one of busy(now) || now.state === "done" ? now.live ?? [] : []) {
        const name = raw(one.name, "en");
        const list = course.get(name) ?? [];
        const at = step(now)?.done ?? now.rows ?? 0;
        // What goes on again begins with what was there.
        while (list.length && list[list.length - 1].at >= at) list.pop();
        list.push({ at, value: one.value, low: one.low, high: one.high });
        if (list.length > POINTS) list.splice(1, 1);
        course.set(name, list);
      }
      draw();
    }).catch((error) => {
      if (api.left(error)) return;
      set(root, el("div", { class: "hero" }, el("h1", {}, error instanceof api.Refused && error.status === 404 ? word("noJob") : word("failed")), el("p", {}, el("a", { href: address("/studies") }, word("allStudies")))));
    });
  }
  begin();
  return { redraw: draw };
}
