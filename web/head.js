//! The head of a board: what is played, on which side and against whom, the rules and the variants.

/** @import { Game, Kid, Opponent, Scene, Table, Text } from "./types.js" */
import { el, set } from "./dom.js";
import { segments } from "./form.js";
import { button } from "./tools.js";
import { language, plain, raw, rich, word } from "./words.js";

/** The opponent of a game, if there are several to choose from. @param {Table | undefined} table */
export const opponent = (table) => table?.strengths?.find((one) => one.id === table.strength);

/** What an opponent is called where there is little room: without what it loses a move. @param {Opponent | undefined} of */
export const briefly = (of) => of && plain(of.name).split(/[:：（(]/)[0].trim();

/**
 * Draws the head of a board.
 * @param {HTMLElement} node
 * @param {object} about
 * @param {Game | undefined} about.game
 * @param {Scene | undefined} about.scene
 * @param {Table | undefined} about.table
 * @param {Text | undefined} about.variant the variant in words
 * @param {number | null} about.seat where the person sits
 * @param {boolean} about.rules whether the rules are open
 * @param {Kid} about.drawer
 * @param {{ seat: (value: string) => void, opponent: (id: string) => void, rules: () => void }} on
 */
export function drawHead(node, { game, scene, table, variant, seat, rules, drawer }, on) {
  const title = scene?.title ?? game?.name;
  const other = language() === "en" ? "ja" : "en";
  document.title = `${plain(title)} · yomikiri`;
  const sides = table?.sides ?? [];
  const side = (/** @type {Table["sides"][number]} */ one) => ({
    value: one.seat === null ? "all" : String(one.seat),
    text: one.seat === null ? word(sides.length > 3 ? "everySeat" : "bothSeats") : plain(scene?.seats?.[one.seat]?.name ?? one.name), title: plain(one.name),
  });
  const said = variant ?? game?.summary;
  set(node, el("h1", {}, plain(title)), raw(title, other) !== raw(title) && el("span", { class: "alt", lang: other }, raw(title, other)), plain(said) !== plain(title) && el("span", { class: "variant" }, rich(said)),
    el("div", { class: "side" },
      sides.length > 1 && [el("span", { class: "label" }, word("youPlay")), segments(word("youPlay"), sides.map(side), seat === null ? "all" : String(seat), on.seat)],
      seat !== null && versus(table, on.opponent),
      el("span", { class: "doors" }, game && button(word("rules"), "G", { class: "rules", onclick: on.rules, "aria-expanded": String(rules) }, word("rules")), drawer)));
}

/** Against whom: how strong the machine plays. @param {Table | undefined} table @param {(id: string) => void} pick @returns {Kid} */
function versus(table, pick) {
  const all = table?.strengths ?? [];
  if (all.length < 2) return null;
  const choice = el("select", { id: "versus", title: plain(opponent(table)?.note), onchange: () => pick(choice.value) }, all.map((one) => el("option", { value: one.id, title: plain(one.note) }, plain(one.name))));
  choice.value = table?.strength ?? "";
  return el("span", { class: "versus" }, el("label", { class: "label", for: "versus" }, word("versus")), choice);
}
