//! Boards: where their squares lie, whatever the tiling, and the lines under what stands on them. The report lays them out the same way.

/** @import { Edge, Item, Scene, Zone } from "./types.js" */
import { el, sv } from "./dom.js";
import { tint } from "./tokens.js";

/** From one row of hexagons to the next, and the height of a hexagon, over its width. */
const [STEP, HIGH] = [0.866025, 1.154701];

/**
 * A square of a board, measured in squares from the upper left.
 * @typedef {object} Square
 * @property {string} name
 * @property {number} col
 * @property {number} row
 * @property {number} x
 * @property {number} y
 * @property {boolean} bottom whether it is in the lowest row
 * @property {boolean} left whether it is in the column on the left
 */

/** @param {Zone} zone */
const size = (zone) => ({ cols: zone.cols ?? 1, rows: zone.rows ?? 1, honeycomb: zone.tiling === "honeycomb" });

/** @param {Zone} zone */
const holes = (zone) => Object.values(zone.grounds ?? {}).includes("hole");

/** Whether the plain squares of the style sheet are all there is. @param {Zone} zone */
const plainly = (zone) => (zone.tiling ?? "square") === "square" && !holes(zone);

/** Whether the names of files and ranks stand beside the board; otherwise inside its squares. @param {Zone} zone */
export const namedOutside = (zone) => !zone.bare && ((zone.tiling ?? "square") !== "square" || Object.keys(zone.grounds ?? {}).length > 0);

/** Room around a board for lines and points on its edges, in squares, left and right together. @param {Zone} zone */
export const margin = (zone) => (zone.tiling === "lattice" ? 0.24 : 0);

/** The width and the height of a board in squares. @param {Zone} zone */
export function extent(zone) {
  const { cols, rows, honeycomb } = size(zone);
  return honeycomb ? { wide: cols + (rows - 1) / 2, tall: (rows - 1) * STEP + HIGH } : { wide: cols, tall: rows };
}

/** Every square that is there, row by row from the top; from the last file on the left where the board is turned. @param {Zone} zone @returns {Square[]} */
export function squaresOf(zone) {
  const { cols, rows, honeycomb } = size(zone);
  const all = [];
  for (let line = 0; line < rows; line += 1) {
    const row = (zone.down ?? false) !== (zone.turned ?? false) ? line : rows - 1 - line;
    for (let at = 0; at < cols; at += 1) {
      const col = zone.turned ? cols - 1 - at : at;
      const name = String.fromCharCode(97 + col) + (row + 1);
      if (zone.grounds?.[name] === "hole") continue;
      all.push({ name, col, row, x: honeycomb ? at + row / 2 : at, y: honeycomb ? line * STEP + (HIGH - 1) / 2 : line, bottom: line === rows - 1, left: at === 0 });
    }
  }
  return all;
}

/** The corners of a hexagon around a square, from the top on clockwise. @param {Square} at */
function hexagon({ x, y }) {
  const [cx, cy] = [x + 0.5, y + 0.5];
  return [[cx, cy - HIGH / 2], [x + 1, cy - HIGH / 4], [x + 1, cy + HIGH / 4], [cx, cy + HIGH / 2], [x, cy + HIGH / 4], [x, cy - HIGH / 4]];
}

/** @param {number[][]} points */
const through = (points) => points.map(([x, y], at) => `${at ? "L" : "M"}${x} ${y}`).join("");

/** A side of the whole board. @param {Zone} zone @param {Edge} edge @param {Square[]} all */
function rim(zone, edge, all) {
  const { cols, rows, honeycomb } = size(zone);
  if (!honeycomb) return { top: `M0 0h${cols}`, bottom: `M0 ${rows}h${cols}`, left: `M0 0v${rows}`, right: `M${cols} 0v${rows}` }[edge];
  const line = (/** @type {Square} */ at) => (zone.down ? at.row : rows - 1 - at.row);
  const on = { top: (/** @type {Square} */ at) => line(at) === 0, bottom: (/** @type {Square} */ at) => line(at) === rows - 1, left: (/** @type {Square} */ at) => at.col === 0, right: (/** @type {Square} */ at) => at.col === cols - 1 }[edge];
  // Ranks further from the first lie further to the right, so the sides of the board take two edges of a hexagon.
  const corners = { top: [5, 0, 1], bottom: [4, 3, 2], left: zone.down ? [5, 4, 3] : [0, 5, 4], right: zone.down ? [0, 1, 2] : [1, 2, 3] }[edge];
  return all.filter(on).map((at) => through(corners.map((corner) => hexagon(at)[corner]))).join("");
}

/**
 * What lies under the squares of a board.
 * @param {Zone} zone
 */
export function ground(zone) {
  const all = squaresOf(zone);
  const { wide, tall } = extent(zone);
  const tiling = zone.tiling ?? "square";
  const layer = sv("svg", { class: "ground", viewBox: `0 0 ${wide} ${tall}`, "aria-hidden": "true" });
  const cell = (/** @type {Square} */ at, /** @type {string} */ kind) => (tiling === "honeycomb" ? sv("path", { class: kind, d: `${through(hexagon(at))}z` }) : sv("rect", { class: kind, x: at.x, y: at.y, width: 1, height: 1 }));
  if (tiling === "honeycomb" || (tiling === "square" && holes(zone))) layer.append(...all.map((at) => cell(at, "cell")));
  if (tiling === "points") {
    const lines = all.flatMap((at) => all.filter((to) => (to.col === at.col + 1 && to.row === at.row) || (to.col === at.col && to.row === at.row + 1)).map((to) => through([[at.x + 0.5, at.y + 0.5], [to.x + 0.5, to.y + 0.5]])));
    layer.append(sv("path", { class: "lines", d: lines.join("") }));
  }
  for (const at of all) {
    const kind = zone.grounds?.[at.name];
    if (kind === "dark") layer.append(cell(at, "dark"));
    if (kind === "dot") layer.append(sv("circle", { class: "point", cx: at.x + 0.5, cy: at.y + 0.5, r: 0.06 }));
    if (tiling === "lattice") layer.append(...[[0, 0], [1, 0], [0, 1], [1, 1]].map(([dx, dy]) => sv("circle", { class: "point", cx: at.x + dx, cy: at.y + dy, r: 0.07 })));
  }
  for (const [edge, colour] of Object.entries(zone.rims ?? {})) {
    const d = rim(zone, /** @type {Edge} */ (edge), all);
    layer.append(sv("g", { class: tint(colour) }, sv("path", { class: "rim under", d }), sv("path", { class: "rim", d })));
  }
  return layer.childNodes.length ? layer : null;
}

/** Names of files and ranks beside a board. @param {Zone} zone */
export function namesOf(zone) {
  if (!namedOutside(zone)) return [];
  const made = [];
  for (const at of squaresOf(zone)) {
    const css = { "--x": at.x, "--y": at.y };
    if (at.left) made.push(el("span", { class: "name rank-name", "aria-hidden": "true", css }, String(at.row + 1)));
    if (at.bottom) made.push(el("span", { class: "name file-name", "aria-hidden": "true", css }, at.name[0]));
  }
  return made;
}

/** The classes of a board. @param {Zone} zone */
export const boardClasses = (zone) => `t-${zone.tiling ?? "square"}${plainly(zone) ? " plainly" : ""}${namedOutside(zone) ? " names" : ""}${zone.rims ? " rims" : ""}`;

/** Where the middle of a line on an edge is, in squares. @param {Square} at @param {Edge} edge */
export function edgeAt(at, edge) {
  const [dx, dy] = { top: [0, -0.5], right: [0.5, 0], bottom: [0, 0.5], left: [-0.5, 0] }[edge];
  return { "--x": at.x + dx, "--y": at.y + dy };
}

/**
 * A scene from the other side of the table: what was above is below, and what looked down looks up.
 * @param {Scene} scene
 * @returns {Scene}
 */
export function turned(scene) {
  const item = (/** @type {Item} */ one) => (one.looks ? { ...one, looks: one.looks === "up" ? /** @type {const} */ ("down") : /** @type {const} */ ("up") } : one);
  const exits = (/** @type {Record<string, number> | undefined} */ all) => all && Object.fromEntries(Object.entries(all).map(([square, side]) => [square, 3 - side]));
  const signs = /** @type {Record<string, string>} */ ({ "▲": "▼", "▼": "▲" });
  return {
    ...scene,
    seats: scene.seats?.map((seat) => (seat.looks && typeof seat.score === "string" ? { ...seat, score: signs[seat.score] ?? seat.score } : seat)),
    zones: scene.zones.map((zone) => ({ ...zone, items: zone.items.map(item), exits: exits(zone.exits), turned: zone.kind === "board" })),
    layout: [...scene.layout].reverse(),
  };
}

/** The item that stands in the middle of a square. @param {Zone} zone @param {string} square */
export const standing = (zone, square) => zone.items.find((one) => one.at === square && !one.edge);
