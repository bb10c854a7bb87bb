//! Small pictures of the page's own: signs on buttons and badges, pips.

import { sv } from "./dom.js";

/** Strokes on a field of 16 by 16. */
const LINES = {
  plus: "M8 2.5v11M2.5 8h11",
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H6",
  redo: "M10 3l3.5 3.500L10 10M13 6.500H6.500a4 4 0 0 0 0 8H10",
  ok: "M3 8.600 6.400 12.200 13 4",
  no: "M4 4l8 8m0-8l-8 8",
  wave: "M2 6.500c3-3 9 3 12 0M2 10.500c3-3 9 3 12 0",
  dash: "M4 8h8",
  bang: "M8 2.500v7M8 12v1.600",
  ring: "M8 3a5 5 0 1 0 .01 0z",
  edit: "M3 13l.8-3L11 2.800 13.200 5 6 12.200zM9.500 4.300l2.200 2.200",
  eye: "M1.500 8C4 4.300 12 4.300 14.500 8 12 11.700 4 11.700 1.500 8zM8 6.300a1.700 1.700 0 1 0 .01 0z",
  shut: "M1.500 8C4 4.300 12 4.300 14.500 8 12 11.700 4 11.700 1.500 8zM3 13 13 3",
  star: "M8 2.200l1.700 3.800 4.100.4-3.100 2.700.9 4L8 11l-3.600 2.100.9-4-3.100-2.700 4.100-.4z",
  gear: "M8 5.600a2.400 2.400 0 1 0 .01 0zM8 1.500v2.200M8 12.300v2.200M1.500 8h2.200M12.300 8h2.200M3.400 3.400l1.600 1.600M11 11l1.600 1.600M12.600 3.400 11 5M5 11l-1.600 1.600",
  left: "M10 3 5 8l5 5",
  right: "M6 3l5 5-5 5",
  first: "M4 3v10M12 3 7 8l5 5",
  last: "M12 3v10M4 3l5 5-5 5",
};

/** @typedef {keyof typeof LINES} Icon */

/**
 * A sign.
 * @param {Icon} name
 */
export const icon = (name) => sv("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, sv("path", { d: LINES[name] }));

/** A filled square: what is exact. */
export const block = () => sv("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, sv("rect", { x: 3, y: 3, width: 10, height: 10, class: "solid" }));

/** The project's sign: positions in a row, the last of them filled. */
export const sign = () =>
  sv("svg", { viewBox: "0 0 44 14", class: "sign", "aria-hidden": "true" },
    sv("path", { d: "M2 7h35" }),
    [5, 16.5, 28].map((x) => sv("circle", { cx: x, cy: 7, r: 3.3 })),
    sv("rect", { x: 35, y: 2.5, width: 9, height: 9 }));

/** Pips on a field of 100 by 100. */
const PIPS = {
  S: "M50 6C66 30 92 44 92 66c0 15-11 23-22 23-7 0-12-3-16-8 1 8 4 12 10 15H36c6-3 9-7 10-15-4 5-9 8-16 8C19 89 8 81 8 66 8 44 34 30 50 6z",
  H: "M50 94C20 66 6 52 6 32 6 18 16 8 29 8c9 0 17 6 21 15C54 14 62 8 71 8c13 0 23 10 23 24 0 20-14 34-44 62z",
  D: "M50 4 88 50 50 96 12 50z",
  C: "M50 5c13 0 23 10 23 22 0 7-3 12-7 16 3-1 6-2 9-2 12 0 21 10 21 22s-9 22-21 22c-8 0-15-4-19-11 1 9 4 14 10 18H34c6-4 9-9 10-18-4 7-11 11-19 11C13 85 4 75 4 63s9-22 21-22c3 0 6 1 9 2-4-4-7-9-7-16C27 15 37 5 50 5z",
};

/**
 * The pip of a suit.
 * @param {string} suit
 */
export const pip = (suit) => sv("svg", { viewBox: "0 0 100 100", class: "pip", "aria-hidden": "true" }, sv("path", { d: PIPS[/** @type {keyof typeof PIPS} */ (suit)] ?? PIPS.S }));

/**
 * Two chevrons that point out of a board.
 * @param {number} side
 */
export const exitSign = (side) =>
  sv("svg", { viewBox: "0 0 40 40", class: "exit", "aria-hidden": "true" }, sv("path", { transform: side === 1 ? undefined : "rotate(180 20 20)", d: "M13.500 12 20 5.500 26.500 12M13.500 17.500 20 11 26.500 17.500" }));
