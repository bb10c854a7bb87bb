//! The stage: a scene's zones in lanes, fitted to the room there is, with arrows and chips over them.
//! It knows zones, items and moves; it knows no game.

/** @import { Scene } from "./types.js" */
/** @import { How, Place } from "./zones.js" */
import { el, sv } from "./dom.js";
import { chip, drawZone, picked, sizes } from "./zones.js";
import { rich } from "./words.js";

/** The height of the tools on a phone, with what stands under a board. */
const TOOLS = 84;

/**
 * A scene on the screen.
 * @typedef {object} Stage
 * @property {HTMLElement} node
 * @property {Place[]} places
 * @property {() => void} fit fits it to the room it has
 * @property {(id: string) => Element | undefined} find the element of a place
 * @property {(ids: string[]) => void} hover shows some places
 */

/**
 * Draws a scene.
 * @param {Scene} scene
 * @param {How} how
 * @returns {Stage}
 */
export function stage(scene, how) {
  /** @type {Place[]} */
  const places = [];
  const inner = el("div", { class: "lanes" });
  const node = el("div", { class: how.mini ? "stage mini" : "stage" }, inner);
  for (const lane of scene.layout) {
    const row = el("div", { class: "lane" });
    for (const id of lane) {
      const zone = scene.zones.find((one) => one.id === id);
      if (zone) row.append(drawZone(scene, zone, how, places));
    }
    inner.append(row);
  }
  if (places.length) places[0].node.tabIndex = 0;
  const find = (/** @type {string} */ id) => places.find((place) => place.ids.includes(id))?.node ?? node.querySelector(`[data-item="${CSS.escape(id)}"]`) ?? undefined;
  /** Where the page scrolls: what the window has left below the top of the board, on a phone over the tools, which stay in sight. */
  const free = () => (innerWidth > 640 ? innerHeight * 0.72 : innerHeight - (node.getBoundingClientRect().top + scrollY) - TOOLS);
  let [width, height] = [0, 0];
  const fit = () => {
    const style = getComputedStyle(node);
    const side = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    const ends = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
    // Only where the stage has a height of its own is there anything to keep to.
    const bounded = how.mini || style.getPropertyValue("--bounded").trim() === "1";
    [width, height] = [node.clientWidth - side, bounded ? node.clientHeight - ends : Math.max(free() - ends, 340)];
    if (width <= 0) return;
    for (const [id, size] of sizes(scene, width, height, how)) {
      const zone = /** @type {HTMLElement | null} */ (node.querySelector(`[data-zone="${CSS.escape(id)}"]`));
      zone?.style.setProperty("--u", `${size.unit}px`);
      zone?.style.setProperty("--cols", String(size.cols));
      zone?.style.setProperty("--tall", String(size.tall));
      zone?.style.setProperty("--across", String(size.across));
      zone?.querySelectorAll(".slot").forEach((slot, at) => {
        const room = how.mini ? undefined : size.rooms.rows[Math.floor(at / size.cols)];
        /** @type {HTMLElement} */ (slot).style.setProperty("--above", `${room?.above ?? 0}px`);
        /** @type {HTMLElement} */ (slot).style.setProperty("--below", `${room?.below ?? 0}px`);
      });
      zone?.classList.toggle("small", size.unit < 64);
      zone?.classList.toggle("leaves-up", size.rooms.up && !how.mini);
      zone?.classList.toggle("leaves-down", size.rooms.down && !how.mini);
    }
    if (!how.mini) arrows(inner, scene, find);
  };
  const hover = (/** @type {string[]} */ ids) => {
    for (const old of node.querySelectorAll(".m-hover")) old.classList.remove("m-hover");
    for (const id of ids) find(id)?.classList.add("m-hover");
  };
  return { node, places, fit, find, hover };
}

/**
 * Draws the arrows of moves over the zones, and the chips of those on boards.
 * @param {HTMLElement} inner
 * @param {Scene} scene
 * @param {(id: string) => Element | undefined} find
 */
function arrows(inner, scene, find) {
  for (const old of inner.querySelectorAll(":scope > .arrows, :scope > .chip")) old.remove();
  const base = inner.getBoundingClientRect();
  const box = (/** @type {string} */ id) => {
    const found = find(id);
    if (!found) return undefined;
    const square = found.classList.contains("square");
    const card = square ? found : found.querySelector(".card, .figure") ?? found;
    const r = card.getBoundingClientRect();
    return { x: r.left + r.width / 2 - base.left, y: r.top + r.height / 2 - base.top, top: r.top - base.top, w: r.width, square, found };
  };
  const layer = sv("svg", { class: "arrows", "aria-hidden": "true" });
  /** Chips with where they stand, and the way along which they can make room. @type {[HTMLElement, number, number, number, number][]} */
  const chips = [];
  /** @param {string} from @param {string} to @param {boolean} best @param {HTMLElement | null} said @param {boolean} [played] */
  const arrow = (from, to, best, said, played = false) => {
    const [p, q] = [box(from), box(to)];
    if (!p || !q) return;
    const kind = played ? "played" : best ? "best" : "other";
    if (p.square) {
      const around = p.found.parentElement?.getBoundingClientRect();
      const lower = around !== undefined && p.y + base.top > around.top + around.height / 2;
      const sign = (/** @type {number} */ d) => (Math.abs(d) < 1 ? 0 : Math.sign(d));
      // It leaves the board: up from the upper edge, down from the lower one.
      const [dx, dy] = from === to ? [0, lower ? 1 : -1] : [sign(q.x - p.x), sign(q.y - p.y)];
      const [thick, half] = best ? [clamp(p.w * 0.05, 2.4, 5), clamp(p.w * 0.09, 4.4, 9)] : [2, clamp(p.w * 0.06, 3.6, 6)];
      // A move to a square further away has its value there; of those only the best one and what was played get an arrow.
      const long = Math.hypot(q.x - p.x, q.y - p.y);
      if (from !== to && long > p.w * 1.5) {
        const [ux, uy] = [(q.x - p.x) / long, (q.y - p.y) / long];
        const [ex, ey] = [q.x - ux * p.w * 0.3, q.y - uy * p.w * 0.3];
        if (best) layer.append(sv("g", { class: kind },
          sv("path", { class: "shaft", "stroke-width": thick, d: `M${p.x + ux * p.w * 0.4} ${p.y + uy * p.w * 0.4}L${ex} ${ey}` }),
          sv("path", { class: "tip", d: `M${ex + ux * half * 1.4} ${ey + uy * half * 1.4}L${ex - uy * half} ${ey + ux * half}L${ex + uy * half} ${ey - ux * half}Z` })));
        if (said) chips.push([said, q.x, q.y, dx * p.w, dy * p.w]);
        return;
      }
      const [ex, ey] = [p.x + dx * p.w * 0.78, p.y + dy * p.w * 0.78];
      layer.append(sv("g", { class: kind },
        sv("path", { class: "shaft", "stroke-width": thick, d: `M${p.x + dx * p.w * 0.4} ${p.y + dy * p.w * 0.4}L${ex} ${ey}` }),
        sv("path", { class: "tip", d: `M${ex + dx * half * 1.4} ${ey + dy * half * 1.4}L${ex - dy * half} ${ey - dx * half}L${ex + dy * half} ${ey + dx * half}Z` })));
      if (said) chips.push([said, p.x + dx * p.w * 0.6, p.y + dy * p.w * 0.6, dx * p.w, dy * p.w]);
    } else if (Math.abs(p.top - q.top) < 4) {
      const y = p.top - 7;
      const up = Math.min(14 + Math.abs(p.x - q.x) * 0.1, 26);
      layer.append(sv("g", { class: kind },
        sv("path", { class: "shaft", "stroke-width": best ? 3 : 2, d: `M${p.x} ${y}C${p.x} ${y - up} ${q.x} ${y - up} ${q.x} ${y - 9}` }),
        sv("path", { class: "tip", d: `M${q.x} ${y + 1}l-6 -11h12z` })));
      if (said) chips.push([said, (p.x + q.x) / 2, y - up, 0, 0]);
    }
  };
  // The best comes last, so that it lies on top.
  const best = picked(scene);
  for (const move of [...(scene.moves ?? [])].reverse()) {
    if (!move.from || !move.to) continue;
    const square = find(move.from)?.classList.contains("square");
    // Without values arrows would only be noise; between cards only the best is drawn.
    if (square ? move.value === undefined && move.rank === undefined : move !== best) continue;
    arrow(move.from, move.to, move === best, square && move.short ? chip(move) : null);
  }
  for (const one of scene.arrows ?? []) arrow(one.from, one.to, true, one.text ? el("span", { class: "chip zero" }, rich(one.text)) : null, one.played);
  if (layer.childNodes.length) inner.append(layer);
  /** @type {DOMRect[]} */
  const taken = [];
  // The best is placed first.
  for (const [said, x, y, dx, dy] of chips.reverse()) {
    said.setAttribute("aria-hidden", "true");
    inner.append(said);
    for (const step of [0, -0.16, 0.16, 0.32, 0.5, 0]) {
      said.style.setProperty("left", `${x + dx * step}px`);
      said.style.setProperty("top", `${y + dy * step}px`);
      const box = said.getBoundingClientRect();
      if (!taken.some((one) => box.left < one.right && one.left < box.right && box.top < one.bottom && one.top < box.bottom)) break;
    }
    taken.push(said.getBoundingClientRect());
  }
}

/** @param {number} x @param {number} low @param {number} high */
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/**
 * The place next to one in the direction of an arrow key.
 * @param {Place[]} places
 * @param {Element} from
 * @param {string} key
 */
function beside(places, from, key) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!step) return undefined;
  const middle = (/** @type {Element} */ node) => {
    const r = node.getBoundingClientRect();
    return [r.left + r.width / 2, r.top + r.height / 2];
  };
  const [x, y] = middle(from);
  let [best, least] = [/** @type {Place | undefined} */ (undefined), Infinity];
  for (const place of places) {
    const [px, py] = middle(place.node);
    const ahead = (px - x) * step[0] + (py - y) * step[1];
    const aside = Math.abs((px - x) * step[1]) + Math.abs((py - y) * step[0]);
    if (place.node === from || ahead < 4) continue;
    const far = ahead + 3 * aside;
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

/** Lets the arrow keys walk from place to place; the board is one stop of the Tab key. @param {Stage} on */
export function walkable(on) {
  on.node.addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    beside(on.places, /** @type {Element} */ (event.target), event.key)?.node.focus();
  });
  on.node.addEventListener("focusin", (event) => {
    for (const place of on.places) place.node.tabIndex = place.node === event.target ? 0 : -1;
  });
}
