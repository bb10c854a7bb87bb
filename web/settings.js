//! What a person sets once, for every page: light or dark, sound, and what is kept of their games.

import { el, set } from "./dom.js";
import { segments } from "./form.js";
import { icon } from "./icons.js";
import { audible, turnSound } from "./sound.js";
import { counted, erase } from "./stats.js";
import { choose, theme } from "./theme.js";
import { word } from "./words.js";

/** The dialog; `changed` says that what is shown may be another now. @param {() => void} changed */
export function settings(changed) {
  const node = el("dialog", { class: "settings" });
  node.addEventListener("click", (event) => {
    if (event.target === node) node.close();
  });
  function draw() {
    const row = (/** @type {string} */ label, /** @type {HTMLElement} */ inside) => el("div", { class: "row" }, el("span", {}, label), inside);
    // A switch that was used keeps the focus.
    const at = [...node.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const again = (/** @type {() => void} */ act) => {
      act();
      draw();
    };
    node.setAttribute("aria-label", word("settings"));
    set(node, el("div", { class: "row" }, el("h2", {}, word("settings")), el("button", { class: "btn sq", type: "button", "aria-label": word("close"), onclick: () => node.close() }, icon("no"))),
      row(word("theme"), segments(word("theme"), [{ value: /** @type {const} */ ("system"), text: word("themeSystem") }, { value: /** @type {const} */ ("light"), text: word("themeLight") }, { value: /** @type {const} */ ("dark"), text: word("themeDark") }], theme(), (to) => again(() => choose(to)))),
      row(word("sound"), segments(word("sound"), [{ value: false, text: word("off") }, { value: true, text: word("on") }], audible(), (on) => again(() => turnSound(on)))),
      row(word("statTitle"), el("button", { class: "btn", type: "button", disabled: !counted(), onclick: () => again(() => {
        erase();
        changed();
      }) }, word("statEraseAll"))),
      el("p", { class: "label" }, word("statNote")));
    if (at >= 0) node.querySelectorAll("button")[at]?.focus();
  }
  return { node, open() {
    draw();
    if (!node.open) node.showModal();
  } };
}
