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

/** The names of characters in XML. */
const NAMES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Text of XML without its escapes.
 * @param {string} text
 */
const unescape = (text) => text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, ten, sixteen, name) => {
  if (name) return NAMES[/** @type {keyof typeof NAMES} */ (name)] ?? whole;
  const code = ten ? Number(ten) : parseInt(sixteen, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
});

/** Comments, declarations, verbatim text, an end, a beginning with its attributes, text: all there is in XML. */
const TOKENS = /<!--[^]*?-->|<[?!](?!\[CDATA\[)[^>]*>|<!\[CDATA\[([^]*?)\]\]>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTES = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Whether an attribute only says how something looks: no handlers, no addresses. @param {string} name @param {string} value */
const harmless = (name, value) => !/^(on|xmlns)|href$|^src$/i.test(name) && !/script:|url\((?!#)/i.test(value);

/**
 * A picture from its text, element by element. The text is read here and never given to a parser of the browser, so
 * nothing in it can run, and nothing is complained of; what is not well-formed is no picture.
 * @param {string} text
 * @returns {SVGElement | null}
 */
export function picture(text) {
  /** @type {SVGElement | null} */
  let root = null;
  /** The elements that are open, with those that are left out. @type {{ tag: string, node: SVGElement | null }[]} */
  const open = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < text.length) {
    const found = TOKENS.exec(text);
    if (!found) return null;
    const [, verbatim, end, tag, attributes, empty, words] = found;
    const top = open.at(-1);
    if (tag !== undefined) {
      /** @type {boolean} */
      const wanted = SHAPES.has(tag) && (top ? top.node !== null : tag === "svg" && !root);
      /** @type {SVGElement | null} */
      const node = wanted ? sv(/** @type {"g"} */ (tag)) : null;
      if (!top) {
        if (!node) return null;
        root = node;
      }
      for (const [, name, double, single] of node ? attributes.matchAll(ATTRIBUTES) : []) {
        const value = unescape(double ?? single ?? "");
        // A style attribute would be refused by the Content-Security-Policy; its rules as properties are allowed.
        const rules = name === "style" ? value.split(";") : [];
        for (const rule of rules) {
          const at = rule.indexOf(":");
          if (at > 0 && harmless(name, rule)) node?.style.setProperty(rule.slice(0, at).trim(), rule.slice(at + 1).trim());
        }
        if (name !== "style" && harmless(name, value)) node?.setAttribute(name, value);
      }
      if (node) top?.node?.append(node);
      if (!empty) open.push({ tag, node });
    } else if (end !== undefined) {
      if (open.pop()?.tag !== end) return null;
    } else if (verbatim !== undefined || words !== undefined) top?.node?.append(verbatim ?? unescape(words));
  }
  return open.length ? null : root;
}
