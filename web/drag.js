//! Dragging: an item follows the finger or the mouse, and is put down where it can go or goes back to where it was.

/** @import { Place } from "./zones.js" */
import { el } from "./dom.js";
import { still } from "./motion.js";

/** How far the pointer goes before anything is dragged, in pixels: less is a click. */
const FAR = 7;

/**
 * What dragging asks of the board.
 * @typedef {object} Host
 * @property {(node: EventTarget | Element | null) => Place | undefined} place the place an element belongs to
 * @property {(place: Place) => void} lift it is in the air: where it can go is shown
 * @property {(from: Place, to: Place | undefined, outside: boolean) => boolean} drop whether it could be put there
 */

/**
 * Lets the places of a board that are marked `grab` be dragged.
 * @param {HTMLElement} holder
 * @param {Host} host
 */
export function drag(holder, host) {
  /** @type {{ place: Place, id: number, x: number, y: number } | undefined} */
  let begun;
  /** @type {{ node: HTMLElement, item: Element, box: DOMRect } | undefined} */
  let ghost;

  /** @param {boolean} back whether it goes back to where it was */
  function end(back) {
    const was = ghost;
    begun = undefined;
    ghost = undefined;
    holder.classList.remove("dragging");
    if (!was) return;
    const gone = () => {
      was.node.remove();
      was.item.classList.remove("lifted");
    };
    if (!back || still()) return gone();
    const now = was.node.getBoundingClientRect();
    was.node.animate([{ transform: "none" }, { transform: `translate(${was.box.left - now.left}px, ${was.box.top - now.top}px)` }], { duration: 140, easing: "ease-out" }).onfinish = gone;
  }

  /** @param {Place} place */
  function lift(place) {
    const item = place.node.querySelector("[data-item]") ?? place.node;
    const box = item.getBoundingClientRect();
    const copy = /** @type {HTMLElement} */ (item.cloneNode(true));
    copy.removeAttribute("data-item");
    copy.classList.remove("m-last", "m-best", "m-to", "m-any");
    const node = el("div", { class: "ghost", "aria-hidden": "true", css: { "--u": `${box.width}px`, "--tall": box.height / box.width, width: `${box.width}px`, height: `${box.height}px` } }, copy);
    item.classList.add("lifted");
    holder.append(node);
    holder.classList.add("dragging");
    ghost = { node, item, box };
    host.lift(place);
  }

  /** What lies under the pointer. @param {PointerEvent} event */
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY);

  holder.addEventListener("pointerdown", (event) => {
    const place = event.button === 0 && event.isPrimary ? host.place(event.target) : undefined;
    begun = place?.node.classList.contains("grab") ? { place, id: event.pointerId, x: event.clientX, y: event.clientY } : undefined;
  });
  holder.addEventListener("pointermove", (event) => {
    if (!begun || event.pointerId !== begun.id) return;
    if (!ghost) {
      if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < FAR) return;
      lift(begun.place);
      holder.setPointerCapture(event.pointerId);
    }
    if (!ghost) return;
    const around = holder.getBoundingClientRect();
    ghost.node.style.setProperty("left", `${event.clientX - around.left - ghost.box.width / 2}px`);
    // Under a finger nothing is seen.
    ghost.node.style.setProperty("top", `${event.clientY - around.top - ghost.box.height * (event.pointerType === "touch" ? 0.9 : 0.5)}px`);
    const at = host.place(under(event));
    for (const old of holder.querySelectorAll(".m-over")) old.classList.remove("m-over");
    if (at?.node.classList.contains("m-aim")) at.node.classList.add("m-over");
  });
  holder.addEventListener("pointerup", (event) => {
    if (!begun || event.pointerId !== begun.id) return;
    const { place } = begun;
    if (!ghost) return void end(false);
    // The click that may follow means nothing more.
    const swallow = (/** @type {Event} */ click) => {
      click.stopPropagation();
      click.preventDefault();
    };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    const found = under(event);
    const zone = place.node.closest(".zone");
    const outside = found !== null && holder.contains(found) && !zone?.contains(found);
    end(!host.drop(place, host.place(found), outside));
  });
  holder.addEventListener("pointercancel", (event) => {
    if (begun && event.pointerId === begun.id) {
      const { place } = begun;
      if (ghost) host.drop(place, undefined, false);
      end(true);
    }
  });

  /** The board is another: nothing is in the air. */
  return { stop: () => end(false), busy: () => ghost !== undefined };
}
