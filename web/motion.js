//! What moves when a board is drawn anew: items slide, cards are turned over, a hint stands out for a moment.

/** @import { Stage } from "./stage.js" */

/** Whether the reader wants nothing to move. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How long an item slides, and how long a card takes for each half of its turn, in milliseconds. */
const SLIDE = 180;
const HALF = 130;
/** How long a hint is seen, in milliseconds. */
const SEEN = 2200;

/** An item as it lay on a board. @typedef {{ box: DOMRect, node: HTMLElement }} Spot */

/** Whether one sees the back of a card. @param {Element} node */
const back = (node) => node.matches(".card.down");
/** Whether one sees its face. @param {Element} node */
const face = (node) => node.matches(".card.up, .card.known");

/**
 * Where the items of a stage are, by their ids: for moves that slide.
 * @param {Stage} from
 */
export function spots(from) {
  /** @type {Map<string, Spot>} */
  const all = new Map();
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (from.node.querySelectorAll("[data-item]"))) all.set(node.dataset.item ?? "", { box: node.getBoundingClientRect(), node });
  return all;
}

/**
 * Lets every item that lies elsewhere now slide there from where it was, and turns the cards of which one sees the other side now.
 * @param {Stage} to
 * @param {Map<string, Spot>} before
 */
export function slide(to, before) {
  if (still()) return;
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (to.node.querySelectorAll("[data-item]"))) {
    const old = before.get(item.dataset.item ?? "");
    const now = item.getBoundingClientRect();
    if (!old || !now.width) continue;
    const [dx, dy] = [old.box.left - now.left, old.box.top - now.top];
    if (Math.abs(dx) + Math.abs(dy) >= 3) {
      const slot = item.closest(".slot, .square, .edge");
      slot?.classList.add("sliding");
      const run = item.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
      run.onfinish = () => slot?.classList.remove("sliding");
    } else if ((back(old.node) && face(item)) || (face(old.node) && back(item))) turn(item, old.node);
  }
}

/** Turns a card over: first its old side goes, then the other comes. @param {HTMLElement} item @param {HTMLElement} was */
function turn(item, was) {
  const gone = /** @type {HTMLElement} */ (was.cloneNode(true));
  delete gone.dataset.item;
  gone.classList.add("turning");
  gone.setAttribute("aria-hidden", "true");
  item.after(gone);
  const [flat, edge] = ["perspective(600px) rotateY(0deg)", "perspective(600px) rotateY(90deg)"];
  gone.animate([{ transform: flat }, { transform: edge }], { duration: HALF, easing: "ease-in", fill: "forwards" }).onfinish = () => gone.remove();
  item.animate([{ transform: edge.replace("90", "-90") }, { transform: flat }], { duration: HALF, delay: HALF, easing: "ease-out", fill: "backwards" });
}

/** Lets some places stand out for a moment. @param {Stage} on @param {string[]} ids */
export function pulse(on, ids) {
  for (const id of ids) {
    const node = on.find(id);
    node?.classList.add("m-pulse");
    setTimeout(() => node?.classList.remove("m-pulse"), SEEN);
  }
}
