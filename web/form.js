//! Forms from declared parameters: numbers, choices, texts, with help and with errors beside the field.

/** @import { Fault, Param } from "./types.js" */
import { el, set } from "./dom.js";
import { grouped, raw, rich, word } from "./words.js";

/**
 * A form on the screen.
 * @typedef {object} Form
 * @property {HTMLElement} node
 * @property {() => Record<string, string>} values what was filled in, where it is not as always
 * @property {(fault: Fault | null) => void} fault shows what was refused, beside its field
 * @property {() => void} reset
 */

let forms = 0;

/** With a capital letter first. @param {string} words */
const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * The fields of some parameters.
 * @param {Param[]} params
 * @param {Record<string, string>} given
 * @returns {Form}
 */
export function form(params, given) {
  forms += 1;
  /** @type {Map<string, {input: HTMLInputElement | HTMLSelectElement, error: HTMLElement}>} */
  const fields = new Map();
  const top = el("p", { class: "error", role: "alert", hidden: true });
  const rows = params.map((param) => {
    const id = `f${forms}-${param.name}`;
    const value = given[param.name] ?? String(param.default);
    const described = `${id}-help ${id}-error`;
    /** @type {HTMLInputElement | HTMLSelectElement} */
    let input;
    if (param.kind === "choice") {
      const words = (param.words ?? []).map(([name, text]) => el("option", { value: name }, sentence(raw(text) || name)));
      input = el("select", { id, "aria-describedby": described }, words);
      // A word from the address that is none of them is kept, so that the refusal can be read beside it.
      if (!(param.words ?? []).some(([name]) => name === value)) input.append(el("option", { value }, value));
    } else input = el("input", { id, type: "text", inputmode: param.kind === "int" ? "numeric" : "text", autocomplete: "off", spellcheck: "false", "aria-describedby": described, placeholder: String(param.default) });
    input.value = value;
    const error = el("p", { class: "error", id: `${id}-error`, role: "alert", hidden: true });
    fields.set(param.name, { input, error });
    const range = param.kind === "int" && param.min !== undefined ? `${grouped(param.min)}–${grouped(param.max ?? Infinity)}` : param.kind === "text" ? raw(param.accepts) : "";
    return el("div", { class: `field ${param.kind}` }, el("label", { for: id }, sentence(raw(param.help))), input, el("p", { class: "help", id: `${id}-help`, hidden: !range }, range), error);
  });
  const some = (/** @type {boolean} */ advanced) => rows.filter((_, at) => (params[at].advanced ?? false) === advanced);
  const more = some(true).length > 0 && el("details", { class: "advanced" }, el("summary", {}, word("advanced")), el("div", { class: "fields" }, some(true)));
  return {
    node: el("div", { class: "fields" }, top, some(false), more),
    values() {
      /** @type {Record<string, string>} */
      const all = {};
      for (const param of params) {
        const value = fields.get(param.name)?.input.value.trim() ?? "";
        if (value !== "" && value !== String(param.default)) all[param.name] = value;
      }
      return all;
    },
    fault(fault) {
      for (const { input, error } of fields.values()) {
        error.hidden = true;
        input.removeAttribute("aria-invalid");
      }
      top.hidden = true;
      if (!fault) return;
      const field = fault.field ? fields.get(fault.field) : undefined;
      const place = field?.error ?? top;
      set(place, rich(fault.message));
      place.hidden = false;
      field?.input.setAttribute("aria-invalid", "true");
      if (more && field && more.contains(field.input)) more.open = true;
      field?.input.focus();
    },
    reset() {
      for (const param of params) {
        const field = fields.get(param.name);
        if (field) field.input.value = String(param.default);
      }
    },
  };
}

/**
 * A row of buttons of which one is pressed.
 * @template T
 * @param {string} label
 * @param {{ value: T, text: string, title?: string }[]} options
 * @param {T} now
 * @param {(value: T) => void} pick
 */
export const segments = (label, options, now, pick) =>
  el("span", { class: "seg", role: "group", "aria-label": label },
    options.map((one) => el("button", { type: "button", "aria-pressed": String(one.value === now), title: one.title, onclick: () => pick(one.value) }, one.text)));

/**
 * Puts a text on the clipboard; where that is closed, it is selected in a field.
 * @param {string} text
 * @param {HTMLInputElement} [field]
 */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return word("copied");
  } catch {
    field?.select();
    return word("noClipboard");
  }
}
