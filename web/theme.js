//! Light or dark: as the system says, or as somebody chose. The style sheets ask for the system's choice in one place each;
//! whoever chose has that question answered for them.

import { keep, kept } from "./kept.js";

/** @typedef {"system" | "light" | "dark"} Theme */

const ASKED = /\(prefers-color-scheme: ?dark\)/;
/** The rules for the dark, with what they asked. @type {Map<CSSMediaRule, string>} */
const rules = new Map();

/** @returns {Theme} */
export function theme() {
  const said = kept("theme");
  return said === "light" || said === "dark" ? said : "system";
}

/** Gives the page its theme. */
export function dress() {
  const now = theme();
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules) if (rule instanceof CSSMediaRule && ASKED.test(rule.media.mediaText)) rules.set(rule, rule.media.mediaText);
  for (const [rule, asked] of rules) rule.media.mediaText = now === "system" ? asked : asked.replace(ASKED, now === "dark" ? "(min-width: 0px)" : "(max-width: 0px)");
  document.documentElement.style.setProperty("color-scheme", now === "system" ? "light dark" : now);
}

/** @param {Theme} to */
export function choose(to) {
  keep("theme", to === "system" ? null : to);
  dress();
}
