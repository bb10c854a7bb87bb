//! The drawer with a game's variants: those with names as cards, the deal, and every parameter.

/** @import { Fault, Game } from "./types.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { form } from "./form.js";
import { rich, word } from "./words.js";

/** How long nobody types before the cost is asked for, in milliseconds. */
const WAIT = 350;

/**
 * What a variant costs, before it is chosen: how large it is, and whether it gets values here.
 * @param {Game} game
 * @param {() => Record<string, string>} settings
 * @param {AbortSignal} leaving
 */
function cost(game, settings, leaving) {
  const node = el("p", { class: "help cost", role: "status" }, word("costs"));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {AbortController | undefined} */
  let asking;
  async function ask() {
    const control = new AbortController();
    asking = control;
    try {
      const told = await api.cost(game.id, settings(), { signal: AbortSignal.any([control.signal, leaving]), once: true });
      node.classList.toggle("dear", !told.fits);
      set(node, rich(told.text));
    } catch (error) {
      // What is refused is said; a server that does not know leaves it at what is always true.
      const said = error instanceof api.Refused && error.status === 400 && error.fault.message;
      if (!control.signal.aborted && !leaving.aborted) {
        node.classList.toggle("dear", !!said);
        set(node, said ? rich(said) : word("costs"));
      }
    }
  }
  return {
    node,
    changed() {
      clearTimeout(timer);
      asking?.abort();
      timer = setTimeout(ask, WAIT);
    },
  };
}

/**
 * The drawer; it is open where something in it was refused.
 * @param {object} about
 * @param {Game | undefined} about.game
 * @param {Record<string, string>} about.settings those of the board
 * @param {string} about.seed
 * @param {ReturnType<typeof import("./variants.js").shelf>} about.cards
 * @param {Fault | undefined} about.fault
 * @param {AbortSignal} about.leaving
 * @param {(settings: Record<string, string>, seed: string) => void} about.apply
 */
export function drawer({ game, settings, seed, cards, fault, leaving, apply }) {
  const filled = form(game?.params ?? [], settings);
  const price = game && game.params.length > 0 ? cost(game, () => filled.values(), leaving) : undefined;
  filled.node.addEventListener("input", () => price?.changed());
  const choice = game && cards(game, settings, (chosen) => apply(chosen, seed));
  const deal = el("input", { type: "text", inputmode: "numeric", value: seed, id: "seed", autocomplete: "off", "aria-describedby": "seed-error" });
  const wrong = el("p", { class: "error", id: "seed-error", role: "alert", hidden: true });
  const pop = el("form", { class: "pop", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    apply(filled.values(), deal.value.trim());
  } },
    choice?.node,
    el("div", { class: "field" }, el("label", { for: "seed" }, word("seed")), deal, wrong),
    filled.node,
    el("div", { class: "base" }, price?.node, el("div", { class: "row" }, el("button", { class: "btn", type: "button", onclick: () => {
      filled.reset();
      price?.changed();
    } }, word("reset")), el("button", { class: "btn main", type: "submit" }, word("apply")))));
  const made = el("details", { class: "drawer", ontoggle: () => made.open && choice?.show() }, el("summary", { class: "btn", title: `${word("variant")} (V)` }, word("variant")), pop);
  if (fault) {
    made.open = true;
    if (fault.field === "seed") {
      set(wrong, rich(fault.message));
      wrong.hidden = false;
      deal.setAttribute("aria-invalid", "true");
    } else queueMicrotask(() => filled.fault(fault));
  }
  return made;
}
