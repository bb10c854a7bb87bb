//! Tokens: a piece of any game is a shape, a colour and a text, drawn on a field of 64 by 64. The report draws the same paths
//! (`tokens.rs` of the view). A shape this page does not know is a box with its name, never an error.

/** @import { Item } from "./types.js" */
import { el, sv } from "./dom.js";
import { plain, word } from "./words.js";

/** The bodies of the shapes that have one on the field. */
const BODIES = {
  disc: "M32 5a27 27 0 1 0 .01 0z",
  tile: "M13 6H51a7 7 0 0 1 7 7V51a7 7 0 0 1 -7 7H13a7 7 0 0 1 -7 -7V13a7 7 0 0 1 7 -7z",
  ring: "M32 5a27 27 0 1 0 .01 0zM32 19a13 13 0 1 1 -.01 0z",
  cross: "M15 7 32 24 49 7 57 15 40 32 57 49 49 57 32 40 15 57 7 49 24 32 7 15z",
  bar: "M11 28H53a4 4 0 0 1 0 8H11a4 4 0 0 1 0 -8z",
  post: "M28 11a4 4 0 0 1 8 0V53a4 4 0 0 1 -8 0z",
  ghost: "M32 3.5C43 3.5 48.5 12 50 25L56 55.5C56.6 59.5 53 61 50.8 58 47.5 54 43 54 40.3 58.3 38.3 61.5 34.9 61.3 33.9 58.3 33.1 55.9 30.9 55.9 30.1 58.3 29.1 61.3 25.7 61.5 23.7 58.3 21 54 16.5 54 13.2 58 11 61 7.4 59.5 8 55.5L14 25C15.5 12 21 3.5 32 3.5Z",
};
/** A tile that looks somewhere. */
const POINTED = "M32 3 52 13 58 60H6L12 13z";
/** Signs that are paths of our own, so that they look the same in every font. */
const SIGNS = { "○": "M0 -4.5a4.5 4.5 0 1 0 .01 0z", "×": "M-4.5 -4.5l9 9m0 -9l-9 9", "?": "M-4.5 -3.5c0 -6 9 -6 9 -.6 0 3.6 -4.5 3.4 -4.5 6.6M0 7v.01" };

const TINTS = ["none", "black", "white", "grey", "blue", "red", "purple", "green", "yellow"];
const FORMS = [...Object.keys(BODIES), "card", "none"];

/**
 * The class that gives the colours of a token to all that is drawn of it.
 * @param {string | undefined} colour
 */
export const tint = (colour) => `k-${colour !== undefined && TINTS.includes(colour) ? colour : "none"}`;

/** How wide a text is in its own size, about, and at least a letter. @param {string} text */
const ems = (text) => Math.max([...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) >= 0x2e80 ? 1 : 0.62), 0), 0.62);

/**
 * Where the text of a shape stands: its middle, its largest size, and how wide it may be.
 * @param {Item} item
 * @returns {[number, number, number]}
 */
function room(item) {
  const [small, down] = [plain(item.small) !== "", item.looks === "down"];
  if (item.shape === "ghost") return [down ? 23 : 41, 14, 24];
  if (item.shape === "disc") return small ? [26, 24, 40] : [32, 30, 42];
  if (item.shape === "tile") return small ? [26, 26, 44] : item.looks ? [down ? 28 : 36, 30, 38] : [32, 32, 46];
  if (item.shape === "ring") return [32, 18, 22];
  if (item.shape === "cross") return [32, 14, 16];
  if (item.shape === "bar") return [32, 8, 40];
  if (item.shape === "post") return [32, 8, 8];
  return small ? [25, 40, 60] : [32, 50, 60];
}

/** Words on the field, their middle at a height. @param {string} text @param {number} at @param {number} size @param {string} kind */
const words = (text, at, size, kind) => sv("text", { class: `on ${kind}`, x: 32, y: at + size * 0.36, "font-size": size, "text-anchor": "middle" }, text);

/** A text on the field, or the sign it stands for. @param {string} text @param {number} at @param {number} size @param {string} kind */
function sign(text, at, size, kind) {
  const strokes = SIGNS[/** @type {keyof typeof SIGNS} */ (text)];
  if (!strokes) return words(text, at, size, kind);
  const path = (/** @type {string} */ name) => sv("path", { class: name, d: strokes });
  return sv("g", { transform: `translate(32 ${at}) scale(${size / 14})` }, kind === "alone" ? [path("sign under"), path("sign over")] : path(`sign ${kind}`));
}

/**
 * A token.
 * @param {Item} item
 * @returns {HTMLElement}
 */
export function drawToken(item) {
  const shape = item.shape ?? "";
  const [text, small] = [plain(item.text), plain(item.small)];
  if (!FORMS.includes(shape)) return el("span", { class: "card strange" }, el("span", { class: "kind" }, shape));
  if (shape === "card") {
    return el("span", { class: `card paper ${tint(item.colour)}${item.secret ? " hidden" : ""}` },
      text && el("span", { class: "rank", css: ems(text) > 1.24 ? { "--shrink": 1.24 / ems(text) } : {} }, text),
      small && el("span", { class: "band", css: ems(small) > 2.48 ? { "--shrink": 2.48 / ems(small) } : {} }, small));
  }
  const alone = shape === "none";
  const body = shape === "tile" && item.looks ? POINTED : BODIES[/** @type {keyof typeof BODIES} */ (shape)];
  // What has no room for a line inside gets one around it.
  const inner = alone || shape === "cross" ? BODIES.tile : shape === "ring" ? BODIES.disc : body;
  const shrunk = shape === "ghost" ? "translate(32 33) scale(.86) translate(-32 -33)" : "translate(32 32) scale(.84) translate(-32 -32)";
  // Words in a hole stand on the board.
  const kind = alone ? "alone" : shape === "ring" ? "hole" : "";
  const [at, most, wide] = room(item);
  const foot = Math.min(12, 36 / ems(small));
  return el("span", { class: `figure f-${shape} ${tint(item.colour)}` },
    sv("svg", { viewBox: "0 0 64 64", "aria-hidden": "true" },
      sv("g", { transform: item.looks === "down" ? "rotate(180 32 32)" : undefined },
        body && sv("path", { class: "body", d: body }),
        item.secret === true && sv("path", { class: "secret", d: inner, transform: shrunk }),
        shape === "ghost" && [25, 39].map((x) => [sv("circle", { class: "eye", cx: x, cy: 20.5, r: 4.7 }), sv("circle", { class: "pupil", cx: x, cy: 18.6, r: 2.3 })])),
      // Words and signs stay upright whichever way the token looks.
      text && sign(text, at, Math.min(most, wide / ems(text)), kind),
      small && ["disc", "tile", "none"].includes(shape) && words(small, alone ? 56 : 47, foot, kind)));
}

/**
 * What a token is called: its own name, or its colour, shape and texts.
 * @param {Item} item
 */
export function tokenName(item) {
  const own = plain(item.name);
  if (own) return own;
  const said = [plain(item.text), plain(item.small)].filter(Boolean).join(", ");
  const shape = item.shape ?? "";
  if (shape === "none" && said) return said;
  const colour = item.colour !== undefined && item.colour !== "none" && TINTS.includes(item.colour) ? word(/** @type {import("./words.js").Word} */ (`tint-${item.colour}`)) : "";
  const form = shape === "none" ? "" : FORMS.includes(shape) ? word(/** @type {import("./words.js").Word} */ (`form-${shape}`)) : shape;
  const look = colour && form ? word("tinted", { colour, form }) : colour || form;
  return said ? word("written", { look, said }) : look;
}
