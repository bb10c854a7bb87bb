//! Reports: text, facts, tables with badges, charts, scenes, in the order in which they were made.

/** @import { Block, Cell, Kid, Report, Scene } from "./types.js" */
import { el, picture } from "./dom.js";
import { block as square, icon } from "./icons.js";
import { address } from "./route.js";
import * as sheet from "./sheet.js";
import { stage } from "./stage.js";
import { file } from "./transport.js";
import { language, plain, raw, rich, word } from "./words.js";

/** @typedef {"match" | "consistent" | "not_tested" | "erratum" | "open" | "differs"} Found */

const SIGNS = /** @type {const} */ ({ match: "ok", consistent: "wave", not_tested: "dash", erratum: "bang", open: "ring", differs: "no" });

/**
 * What a published figure beside a computed one comes to.
 * @param {Found} found
 */
export const badge = (found) => el("span", { class: `badge ${found}` }, icon(SIGNS[found]), word(found));

/** The word of a badge, however it is wrapped. @param {any} given @returns {string} */
const inner = (given) => (given && typeof given === "object" ? inner(Object.values(given)[0]) : String(given ?? "").toLowerCase());

/**
 * How often each verdict was found.
 * @param {Record<string, number> | undefined} tally
 */
export const counts = (tally) => {
  const of = (/** @type {Found} */ found) => Number(tally?.[found === "differs" ? "differing" : found] ?? 0);
  const list = /** @type {Found[]} */ (Object.keys(SIGNS)).filter((found) => of(found) > 0);
  return list.length ? el("p", { class: "tally" }, list.map((found) => el("span", {}, badge(found), " ", of(found)))) : null;
};

/** @param {Cell} cell @returns {Kid} */
function content(cell) {
  const name = inner(cell.badge);
  if (name in SIGNS) return badge(/** @type {Found} */ (name));
  if (name === "exact" || name === "bound" || name === "sampled") return el("span", { class: `stamp ${name}` }, name === "exact" ? square() : name === "sampled" ? icon("ring") : null, rich(cell.text));
  return rich(cell.text);
}
/** @param {Cell} cell */
const tone = (cell) => `t-${inner(cell.tone) || "plain"}`;

/**
 * A scene of a report: the picture, and the way to the board.
 * @param {Scene} scene
 * @param {boolean} bare without values and moves
 * @param {(() => void)[]} fits
 */
function picturePart(scene, bare, fits) {
  const drawn = stage(scene, {});
  for (const place of drawn.places) {
    place.node.tabIndex = -1;
    place.node.setAttribute("aria-disabled", "true");
  }
  fits.push(drawn.fit);
  const idle = { play: () => {}, point: () => {}, idle: true };
  const way = scene.notation && el("a", { href: address("/board", { game: scene.game, position: scene.notation }) }, word("playOn"));
  return el("div", { class: bare ? "scene bare" : "scene" },
    el("div", { class: "mat" }, scene.say && el("p", { class: "say" }, rich(scene.say)), drawn.node,
      scene.legend?.length ? el("div", { class: "legend" }, scene.legend.map((entry) => el("span", {}, rich(entry.text)))) : null,
      bare && way && el("p", { class: "way" }, way)),
    !bare && el("div", { class: "sheet" }, scene.value && sheet.verdict(scene.value), scene.moves?.length ? sheet.moves(scene, idle) : null, scene.line && sheet.line(scene.line, scene.turn),
      way && el("p", { class: "trust" }, way)));
}

/**
 * A block of a report.
 * @param {Block} block
 * @param {(() => void)[]} fits
 * @returns {Kid}
 */
function draw(block, fits) {
  const csv = "csv" in block && block.csv ? el("p", { class: "links" }, el("a", file(block.csv), word("csv"))) : null;
  switch (block.type) {
    case "text":
      return block.heading ? el("h3", { class: "heading" }, rich(block.text)) : el("p", { class: "says" }, rich(block.text));
    case "facts":
      return el("dl", { class: "facts" }, block.rows.map(([name, cell]) => [el("dt", {}, rich(name)), el("dd", { class: tone(cell) }, content(cell))]));
    case "table": {
      // On a phone the verdicts stay in sight while the rest is scrolled.
      const last = block.columns.length - 1;
      const pin = block.rows.some((row) => inner(row[last]?.badge) in SIGNS) ? " pin" : "";
      // On a phone a row with words is a card of its own; tables of numbers are scrolled.
      const stack = block.columns.length > 3 && (block.columns.length < 8 || block.rows.some((row) => row.some((cell) => plain(cell.text).length > 28)));
      return el("div", { class: stack ? "tbl stack" : "tbl" }, block.title && plain(block.title) && el("h3", {}, rich(block.title)),
        el("div", { class: "tscroll", tabindex: 0, role: "region", "aria-label": plain(block.title) || undefined }, el("table", {},
          el("thead", {}, el("tr", {}, block.columns.map((column, at) => el("th", { scope: "col", class: (inner(column.align) === "right" ? "n" : "") + (at === last ? pin : "") }, rich(column.head))))),
          el("tbody", {}, block.rows.map((row) => {
            const found = row.map((cell) => inner(cell.badge)).find((name) => name === "erratum" || name === "differs");
            return el("tr", { class: found }, row.map((cell, at) => el("td", { "data-head": plain(block.columns[at]?.head), class: `${inner(block.columns[at]?.align) === "right" ? "n" : plain(cell.text).length > 28 ? "long" : ""} ${tone(cell)}${at === last ? pin : ""}` }, content(cell))));
          })))), csv);
    }
    case "drawing":
      return el("pre", { class: "drawing" }, raw(block.text));
    case "chart":
      return el("figure", { class: "plot" }, el("h3", {}, rich(block.title)), block.note && el("p", {}, rich(block.note)), el("div", { class: "box" }, picture(block.svg[language()] ?? block.svg.en)), csv);
    case "scenes":
      return el("figure", { class: "scenes" }, block.caption && el("figcaption", {}, rich(block.caption)), block.scenes.map((scene) => picturePart(scene, block.plain === true || (!scene.value && !scene.moves?.length), fits)));
    default:
      return el("p", { class: "says strange" }, String(/** @type {any} */ (block).type));
  }
}

/**
 * A report; charts stand beside the rest where there is room. `fits` gets what is to be called when it is on the screen.
 * @param {Report} report
 * @param {(() => void)[]} fits
 */
export function drawReport(report, fits) {
  const aside = report.blocks.filter((block) => block.type === "chart");
  const rest = report.blocks.filter((block) => block.type !== "chart");
  // Wide tables need the whole width.
  const wide = rest.some((block) => block.type === "scenes" || (block.type === "table" && (block.columns.length > 7 || block.rows.some((row) => row.some((cell) => plain(cell.text).length > 48)))));
  if (!aside.length || !rest.length || wide) return el("div", { class: "blocks" }, report.blocks.map((block) => draw(block, fits)));
  return el("div", { class: "cols" }, el("div", { class: "blocks" }, rest.map((block) => draw(block, fits))), el("div", { class: "blocks side" }, aside.map((block) => draw(block, fits))));
}
