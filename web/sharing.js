//! Handing a position to somebody: a link for whoever reaches this page, what to type for whoever has the program, and a picture.

/** @import { Scene, Table } from "./types.js" */
/** @import { State } from "./route.js" */
import { el, set } from "./dom.js";
import { copy } from "./form.js";
import { icon } from "./icons.js";
import { commandLine } from "./jobs.js";
import { word } from "./words.js";

/** A word as a shell takes it. @param {string} text */
const quoted = (text) => (/^[\w.,:=/+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Settings as flags. @param {Record<string, string>} settings */
const flags = (settings) => Object.entries(settings).map(([name, value]) => ` --${name} ${quoted(value)}`).join("");

/**
 * What to type to see a position with its values; in the middle of a move there is nothing to type.
 * @param {State} state
 * @param {Scene} scene
 */
export const shown = (state, scene) => (scene.notation ? `yomikiri show ${state.game} ${quoted(scene.notation)}${flags(state.settings)}` : "");

/**
 * What to type to play the same deal from its start.
 * @param {State} state
 * @param {Table} table
 */
export const dealt = (state, table) =>
  `yomikiri play ${state.game}${state.position ? ` --position ${quoted(state.position)}` : ""}${table.seat === null ? "" : ` --seat ${table.seat + 1}${state.vs ? ` --strength ${quoted(state.vs)}` : ""}`}${flags(state.settings)} --seed ${quoted(state.seed)}`;

/** Whether an address is of this machine alone. @param {Location} at */
const local = (at) => ["localhost", "127.0.0.1", "[::1]"].includes(at.hostname);

/** The dialog. */
export function sharing() {
  const node = el("dialog", { class: "sharing" });
  node.addEventListener("click", (event) => {
    if (event.target === node) node.close();
  });
  return {
    node,
    /**
     * @param {State} state
     * @param {Table} table
     * @param {() => void} image
     */
    open(state, table, image) {
      const link = el("input", { type: "text", readonly: true, value: location.href, "aria-label": word("shareLink"), onfocus: () => link.select() });
      const show = shown(state, table.scene);
      const part = (/** @type {string} */ title, /** @type {import("./types.js").Kid[]} */ ...inside) => el("section", {}, el("h3", {}, title), inside);
      node.setAttribute("aria-label", word("share"));
      set(node, el("div", { class: "row" }, el("h2", {}, word("share")), el("button", { class: "btn sq", type: "button", "aria-label": word("close"), onclick: () => node.close() }, icon("no"))),
        part(word("shareLink"), el("div", { class: "line" }, link, el("button", { class: "btn main", type: "button", autofocus: true, onclick: async (/** @type {Event} */ event) => {
          // Said on the button itself: a message of the page would lie under the dialog.
          /** @type {HTMLElement} */ (event.target).textContent = await copy(location.href, link);
        } }, word("copy")), typeof navigator.share === "function" && el("button", { class: "btn", type: "button", onclick: () => navigator.share({ title: document.title, url: location.href }).catch(() => {}) }, word("send"))),
        local(location) && el("p", { class: "label" }, word("shareLocal"))),
        show && part(word("shareShow"), commandLine(show)),
        part(word("shareDeal"), commandLine(dealt(state, table))),
        part(word("sharePicture"), el("button", { class: "btn", type: "button", onclick: () => {
          node.close();
          image();
        } }, word("shareImage"))));
      if (!node.open) node.showModal();
    },
  };
}
