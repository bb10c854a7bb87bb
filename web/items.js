//! Cards and tokens: what each kind of item looks like and how it is read aloud.
//! A kind this page does not know is an empty box with its name, never an error.

/** @import { Item } from "./types.js" */
import { el } from "./dom.js";
import { pip } from "./icons.js";
import { drawToken, tokenName } from "./tokens.js";
import { faceName, rankName, word } from "./words.js";

/** @param {string} face */
const split = (face) => (/^[SHDC]./.test(face) ? { suit: face[0], rank: rankName(face.slice(1)) } : { suit: "", rank: face });

/**
 * What is printed on a card; long ranks get smaller, so that they stay on it.
 * @param {string} face
 */
function print(face) {
  const { suit, rank } = split(face);
  return [el("span", { class: "rank", css: rank.length > 2 ? { "--shrink": 2 / rank.length } : {} }, rank), suit && pip(suit)];
}

/**
 * An item; `closed` draws what lies face down as a back even if it is known.
 * @param {Item} item
 * @param {boolean} [closed]
 * @returns {HTMLElement}
 */
export function draw(item, closed = false) {
  if (item.t === "card") {
    const show = item.show === "known" && closed ? "down" : item.show ?? "up";
    const face = show === "up" || show === "known" ? item.face ?? "" : "";
    return el("span", { class: `card ${show} s${split(face).suit || "N"}` }, face && print(face));
  }
  if (item.t === "token") return drawToken(item);
  return el("span", { class: "card strange" }, el("span", { class: "kind" }, item.t));
}

/**
 * An item in words.
 * @param {Item} item
 * @param {boolean} [closed]
 */
export function name(item, closed = false) {
  if (item.t === "card") {
    if (item.show === "gone") return word("emptyPlace");
    if (item.show === "down" || (item.show === "known" && closed)) return word("unknownCard");
    const face = faceName(item.face ?? "");
    return item.show === "known" ? word("knownCard", { card: face }) : face;
  }
  if (item.t === "token") return tokenName(item);
  return item.t;
}

/**
 * Whether an item is higher than it is wide.
 * @param {Item} item
 */
export const isTall = (item) => item.t !== "token" || item.shape === "card";
