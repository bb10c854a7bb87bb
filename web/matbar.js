//! The bar over a board: who sits where, what there is to say, and the last move in words.

/** @import { Scene, Table } from "./types.js" */
import { el, set } from "./dom.js";
import { plain, rich, word } from "./words.js";

/** The bar. */
export function matbar() {
  const seats = el("div", { class: "seats" });
  const say = el("p", { class: "say", role: "status", "aria-live": "polite" });
  const latest = el("p", { class: "latest" });
  return {
    node: el("div", { class: "matbar" }, seats, say, latest),
    /**
     * @param {Scene} now
     * @param {object} about
     * @param {Table} [about.table] the game that is played
     * @param {number | null} about.own where the person sits
     * @param {number} about.players
     * @param {string} [about.instead] what is said instead of what the scene says
     */
    draw(now, { table, own, players, instead }) {
      set(seats, (now.seats ?? []).map((one, at) => el("span", { class: now.turn === at ? "seat on" : "seat" },
        el("i", { class: "turn", role: now.turn === at ? "img" : undefined, "aria-label": now.turn === at ? word("toMove") : undefined }), el("b", {}, rich(one.name)),
        own !== null && el("span", { class: own === at ? "who you" : "who" }, own === at ? word("you") : word("machine")),
        one.score && el("span", { class: "score" }, rich(one.score)), one.unit && el("small", {}, rich(one.unit)))));
      const said = table?.over && table.result ? table.result : now.say;
      // What has not changed is not read aloud again.
      if (say.textContent !== (instead ?? plain(said))) set(say, instead ?? rich(said));
      const last = table?.said.at(-1);
      const name = last && last.seat !== null && players > 1 ? plain(now.seats?.[last.seat]?.name) : "";
      set(latest, last && [word("lastWas"), " ", name && !plain(last.text).startsWith(name) && `${name}: `, rich(last.text)]);
      latest.hidden = !last;
    },
  };
}
