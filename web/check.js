//! Proofs and certificates, checked where they are read: a file is dropped, chosen or linked to, and what it shows is told,
//! or the line where it fails.

/** @import { Job, Report, View } from "./types.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { bar, commandLine, figures } from "./jobs.js";
import { drawReport } from "./report.js";
import { ALONE, ROOT, address, here } from "./route.js";
import { plain, rich, word } from "./words.js";

/** A certificate that lies beside the page, to try it with. */
const EXAMPLE = "example.jsonl.zst";

/**
 * The page of checks.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @returns {View}
 */
export function check(root, leaving) {
  let name = "";
  /** @type {{ job: Job, cancel: () => void } | "reading" | "stopped" | undefined} */
  let working;
  /** @type {Report | undefined} */
  let found;
  /** @type {import("./types.js").Fault | undefined} */
  let refused;
  /** @type {AbortController | undefined} */
  let asking;
  leaving.addEventListener("abort", () => asking?.abort());

  /** @param {string} called @param {(signal: AbortSignal) => Promise<Blob>} take */
  async function look(called, take) {
    asking?.abort();
    const control = new AbortController();
    asking = control;
    [name, working, found, refused] = [called, "reading", undefined, undefined];
    draw();
    try {
      const file = await take(control.signal);
      const report = await api.checked(file, { signal: control.signal, news(job, cancel) {
        working = { job, cancel };
        draw();
      } });
      if (control.signal.aborted) return;
      [working, found] = [undefined, report];
    } catch (error) {
      if (api.left(error) || control.signal.aborted) return;
      if (error instanceof api.Cancelled) working = "stopped";
      else {
        working = undefined;
        refused = error instanceof api.Refused ? error.fault : { code: "read", message: error instanceof Error ? error.message : String(error) };
      }
    }
    draw();
  }

  /** @param {string} place */
  const linked = (place) => look(place, async (signal) => {
    const at = new URL(place, ROOT);
    // The page asks nobody but its own host: files of others are chosen or dropped.
    if (at.origin !== ROOT.origin) throw new Error(word("checkElsewhere", { host: at.host }));
    const answer = await fetch(at, { signal });
    if (!answer.ok) throw new Error(`${at.pathname}: ${answer.status} ${answer.statusText}`);
    return answer.blob();
  });
  /** @param {File | null | undefined} file */
  const given = (file) => void (file && look(file.name, async () => file));

  const input = el("input", { type: "file", id: "proof", class: "hide", onchange: () => {
    given(input.files?.[0]);
    input.value = "";
  } });
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    root.classList.toggle("dropping", event.type !== "dragleave");
  };
  for (const kind of /** @type {const} */ (["dragenter", "dragover", "dragleave"])) root.addEventListener(kind, over, { signal: leaving });
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    root.classList.remove("dropping");
    given(event.dataTransfer?.files[0]);
  }, { signal: leaving });

  function draw() {
    document.title = `${word("check")} · yomikiri`;
    const focused = document.activeElement === input;
    set(root,
      el("div", { class: "hero" }, el("h1", {}, word("checkTitle")), el("p", {}, word(ALONE ? "checkLead" : "checkLeadServed"))),
      el("section", { class: "drop" }, input, el("label", { class: "btn main", for: "proof" }, word("checkChoose")), el("p", {}, word("checkDrop")), ALONE && el("p", {}, el("a", { href: address("/check", { file: EXAMPLE }) }, word("checkExample")))),
      el("section", { class: "part", role: "status", "aria-live": "polite" },
        name && el("h2", { class: "filename" }, name),
        working === "reading" && el("p", { class: "says" }, word("checking")),
        working === "stopped" && el("p", { class: "says" }, word("stopped")),
        working !== undefined && typeof working === "object" && [bar(working.job, word("checking")), figures(working.job), el("p", { class: "row" }, el("button", { class: "btn", type: "button", onclick: working.cancel }, word("cancel")))],
        refused && [el("p", { class: "error boxed", role: "alert" }, rich(refused.message)), refused.command && commandLine(refused.command)],
        found && [el("p", { class: `proved ${found.good ? "good" : "bad"}` }, word(found.good ? "checkGood" : "checkBad")), drawReport(found, [])]),
      el("section", { class: "part" }, el("h2", {}, word("checkHow")), el("p", { class: "says" }, word("checkMake")), commandLine("yomikiri certify GAME --out ."), el("p", { class: "says" }, word("checkAgain")), commandLine(`yomikiri check ${/^[\w.-]+$/.test(name) ? name : "FILE"}`)));
    if (focused) input.focus();
  }
  draw();
  const link = here().get("file");
  if (link) linked(link);
  return {
    redraw: draw,
    moved() {
      const next = here().get("file");
      if (next) linked(next);
      return plain(next ?? "") !== "";
    },
  };
}
