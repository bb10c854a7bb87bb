//! The field with the position in notation: typed, pasted, or copied from.

import { el } from "./dom.js";
import { copy } from "./form.js";
import { word } from "./words.js";

/**
 * The field.
 * @param {object} about
 * @param {string} about.text
 * @param {string} about.hint what stands in it while it is empty
 * @param {boolean} about.wrong whether what stands in it was refused
 * @param {(text: string) => void} about.enter plays from there
 * @param {(text: string) => void} about.typed it says something else now
 * @param {() => void} about.leave what was typed is forgotten
 */
export function notation({ text, hint, wrong, enter, typed, leave }) {
  const field = el("input", {
    type: "text", value: text, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": word("notation"), "aria-invalid": wrong ? "true" : undefined, "aria-describedby": "notation-error", placeholder: hint,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") enter(field.value);
      if (event.key === "Escape") leave();
    },
    oninput: () => typed(field.value),
    // What is pasted over everything is meant to be played.
    onpaste: (/** @type {ClipboardEvent} */ event) => {
      const pasted = event.clipboardData?.getData("text").trim();
      if (pasted && field.selectionEnd !== null && field.selectionStart === 0 && field.selectionEnd === field.value.length) {
        event.preventDefault();
        enter(pasted);
      }
    },
  });
  return field;
}

/** @param {HTMLElement} inside @returns {HTMLInputElement | null} */
const field = (inside) => inside.querySelector("input");

/** Puts a position on the clipboard. @param {string} text @param {HTMLElement} inside where the field is @param {(text: string) => void} tell */
export async function copied(text, inside, tell) {
  tell(text ? await copy(text, field(inside) ?? undefined) : word("midMove"));
}

/** Plays from what is on the clipboard; where that is closed, it is pasted by hand. @param {HTMLElement} inside @param {(text: string) => void} enter @param {(text: string) => void} tell */
export async function pasted(inside, enter, tell) {
  try {
    const text = (await navigator.clipboard.readText()).trim();
    if (text) enter(text);
  } catch {
    field(inside)?.focus();
    field(inside)?.select();
    tell(word("pasteHere"));
  }
}
