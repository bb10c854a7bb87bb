//! The drawer with a game's variants: those with names as cards, the deal, and every parameter.

/** @import { Fault, Game } from "./types.js" */
import { el, set } from "./dom.js";
import { form } from "./form.js";
import { rich, word } from "./words.js";

/**
 * The drawer; it is open where something in it was refused.
 * @param {object} about
 * @param {Game | undefined} about.game
 * @param {Record<string, string>} about.settings those of the board
 * @param {string} about.seed
 * @param {ReturnType<typeof import("./variants.js").shelf>} about.cards
 * @param {Fault | undefined} about.fault
 * @param {(settings: Record<string, string>, seed: string) => void} about.apply
 */
export function drawer({ game, settings, seed, cards, fault, apply }) {
  const filled = form(game?.params ?? [], settings);
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
    (game?.params.length ?? 0) > 0 && el("p", { class: "help" }, word("costs")),
    el("div", { class: "row" }, el("button", { class: "btn", type: "button", onclick: () => filled.reset() }, word("reset")), el("button", { class: "btn main", type: "submit" }, word("apply"))));
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
