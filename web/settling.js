//! Estimates while they settle: each with its interval and what the paper says, as a table and as a picture.

/** @import { Estimate } from "./types.js" */
import { el, sv } from "./dom.js";
import { stamp } from "./sheet.js";
import { grouped, plain, rich, word } from "./words.js";

/** An estimate after so many items. @typedef {{ at: number, value: number, low: number, high: number }} Point */

/**
 * The estimates so far, each with its interval.
 * @param {Estimate[]} live
 */
export const estimates = (live) =>
  el("div", { class: "tbl" }, el("h3", {}, word("live"), " ", stamp("sampled")), el("p", { class: "says small" }, word("liveNote")), el("div", { class: "tscroll" }, el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, word("what")), el("th", { scope: "col", class: "n" }, word("estimate")), el("th", { scope: "col", class: "n" }, word("interval")))),
    el("tbody", {}, live.map((one) => el("tr", {}, el("td", {}, rich(one.name), told(one) && el("small", {}, `${word("published")} ${printed(one.published)}`)), el("td", { class: "n" }, minus(one) || figure(one.value, one.high - one.low)), el("td", { class: "n" }, `[${figure(one.low, one.high - one.low)}, ${figure(one.high, one.high - one.low)}]`)))))));

/** Whether the paper says something about it. @param {Estimate} one */
const told = (one) => one.published !== undefined && one.published !== null;

/** A number as the paper has it. @param {number | undefined} x */
const printed = (x) => String(Number((x ?? 0).toPrecision(6))).replace("-", "−");

/** The text of an estimate with real minus signs. @param {Estimate} one */
const minus = (one) => plain(one.text).replace(/-(?=[\d.])/g, "−");

/** A number with as many digits as its interval makes sense of. @param {number} x @param {number} wide */
function figure(x, wide) {
  const digits = Number.isFinite(wide) && wide > 0 ? Math.min(Math.max(Math.ceil(-Math.log10(wide)) + 1, 0), 8) : 4;
  return x.toFixed(digits).replace("-", "−");
}

/**
 * How an estimate settles: its interval as a band over the items that are done, and what the paper says as a line.
 * @param {Estimate} one
 * @param {Point[]} points
 * @param {number} total how many items there will be, if that is known
 */
export function settling(one, points, total) {
  // On a phone it is drawn smaller, so that its words are not.
  const [wide, tall, left, right, top, bottom] = [innerWidth > 640 ? 560 : 340, innerWidth > 640 ? 250 : 220, 62, 12, 16, 26];
  const shown = points.filter((p) => Number.isFinite(p.low) && Number.isFinite(p.high));
  const node = el("figure", { class: "plot" }, el("h3", {}, rich(one.name), ": ", minus(one)), el("p", {}, word("liveNote")));
  if (shown.length < 2) return node;
  // The first intervals are wide; the picture is of what they come to.
  const last = shown[shown.length - 1];
  const reach = Math.max(...shown.map((p) => Math.max(p.high - last.value, last.value - p.low)));
  const most = Math.max(Math.min(reach, 8 * Math.max(last.high - last.low, 1e-12)), told(one) ? Math.abs(Number(one.published) - last.value) * 1.1 : 0);
  const [low, high] = [last.value - most, last.value + most];
  const [from, to] = [0, Math.max(last.at, total, 1)];
  const x = (/** @type {number} */ t) => left + ((t - from) / (to - from)) * (wide - left - right);
  const y = (/** @type {number} */ v) => Math.min(Math.max(tall - bottom - ((v - low) / (high - low)) * (tall - top - bottom), top), tall - bottom);
  const path = (/** @type {[number, number][]} */ list) => list.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L");
  const band = [...shown.map((p) => /** @type {[number, number]} */ ([x(p.at), y(p.high)])), ...[...shown].reverse().map((p) => /** @type {[number, number]} */ ([x(p.at), y(p.low)]))];
  const ticks = [low, (low + last.value) / 2, last.value, (high + last.value) / 2, high];
  node.append(sv("svg", { viewBox: `0 0 ${wide} ${tall}`, class: "settle", role: "img", "aria-label": `${plain(one.name)} ${plain(one.text)}` },
    ticks.map((v) => [sv("line", { class: "grid", x1: left, x2: wide - right, y1: y(v), y2: y(v) }), sv("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, figure(v, most))]),
    sv("path", { class: "band", d: `M${path(band)}Z` }), sv("path", { class: "course", d: `M${path(shown.map((p) => [x(p.at), y(p.value)]))}` }),
    told(one) && [sv("line", { class: "said", x1: left, x2: wide - right, y1: y(Number(one.published)), y2: y(Number(one.published)) }), sv("text", { class: "said", x: wide - right, y: y(Number(one.published)) - 5, "text-anchor": "end" }, `${word("published")} ${printed(one.published)}`)],
    sv("text", { x: left, y: tall - 6 }, grouped(from)), sv("text", { x: (left + wide - right) / 2, y: tall - 6, "text-anchor": "middle" }, word("itemsDone")), sv("text", { x: wide - right, y: tall - 6, "text-anchor": "end" }, grouped(to))));
  return node;
}
