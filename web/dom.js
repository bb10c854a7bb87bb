//! Elements without markup in strings: nothing that comes from the server is ever parsed as HTML.

/** @import { Kid } from "./types.js" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Gives an element its attributes: functions are listeners, `css` sets style properties (which a strict
 * Content-Security-Policy allows, unlike a style attribute), `false`, `null` and `undefined` leave an attribute out.
 * @param {Element} node
 * @param {Record<string, any>} attributes
 */
function dress(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "css") for (const [key, set] of Object.entries(value)) /** @type {HTMLElement} */ (node).style.setProperty(key, String(set));
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Puts things into an element, one after another.
 * @param {Element | DocumentFragment} node
 * @param {Kid[]} kids
 */
export function fill(node, kids) {
  for (const kid of kids) {
    if (Array.isArray(kid)) fill(node, kid);
    else if (kid !== null && kid !== undefined && kid !== false) node.append(kid instanceof Node ? kid : String(kid));
  }
}

/**
 * An element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Kid} kids
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...kids) {
  const node = document.createElement(tag);
  dress(node, attributes);
  fill(node, kids);
  return node;
}

/**
 * An element of a picture.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Kid} kids
 * @returns {SVGElementTagNameMap[T]}
 */
export function sv(tag, attributes = {}, ...kids) {
  const node = document.createElementNS(SVG, tag);
  dress(node, attributes);
  fill(node, kids);
  return node;
}

/**
 * Takes out what was inside and puts other things in.
 * @param {Element} node
 * @param {...Kid} kids
 */
export function set(node, ...kids) {
  node.replaceChildren();
  fill(node, kids);
}

/** What a picture of the server may consist of; scripts, links and other documents are not among it. */
const SHAPES = new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "desc", "defs", "clipPath", "pattern", "linearGradient", "stop"]);

/**
 * A picture from its text, element by element.
 * @param {string} text
 * @returns {SVGElement | null}
 */
export function picture(text) {
  // Style attributes would be refused (and complained of) while parsing; as properties they are allowed.
  const parsed = new DOMParser().parseFromString(text.replace(/\sstyle\s*=/g, " data-style="), "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") return null;
  /** @param {Element} from @returns {SVGElement | null} */
  const copy = (from) => {
    if (!SHAPES.has(from.localName)) return null;
    const node = /** @type {SVGElement} */ (document.createElementNS(SVG, from.localName));
    for (const { name, value } of from.attributes) {
      if (name === "data-style") {
        for (const rule of value.split(";")) {
          const [key, ...rest] = rule.split(":");
          if (rest.length) node.style.setProperty(key.trim(), rest.join(":").trim());
        }
      } else if (!name.startsWith("on") && !name.startsWith("xmlns") && !name.endsWith("href")) node.setAttribute(name, value);
    }
    for (const kid of from.childNodes) {
      if (kid.nodeType === Node.TEXT_NODE) node.append(kid.textContent ?? "");
      else if (kid instanceof Element) {
        const inner = copy(kid);
        if (inner) node.append(inner);
      }
    }
    return node;
  };
  return copy(parsed);
}
