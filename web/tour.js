//! Three steps on the real board, for any game: who you are and what you want, a move and what it was worth, and back
//! again to the best one. It stands over the board, never on it, and can be left at any time.

/** @import { Game, Kid, Move, Scene, Table } from "./types.js" */
import { el, set } from "./dom.js";
import { meant } from "./marks.js";
import { plain, raw, rich, word } from "./words.js";

/**
 * What the steps ask of the board.
 * @typedef {object} Host
 * @property {() => Game | undefined} game
 * @property {() => Table | undefined} table
 * @property {() => number | null} seat where the person sits
 * @property {() => boolean} mine whether the person is to move
 * @property {() => boolean} shown whether all values are shown
 * @property {(moves: string[]) => Promise<Table>} values the game after some moves, with its values
 * @property {() => void} fresh
 * @property {() => void} undo
 * @property {() => void} reveal shows all values
 * @property {(step: number) => void} marks what is to stand out: 1 the seats, 2 the places of moves, 0 nothing
 */

/**
 * The steps.
 * @typedef {object} Tour
 * @property {HTMLElement} node
 * @property {() => void} begin
 * @property {() => boolean} leave whether there was anything to leave
 * @property {() => void} changed the board is another now
 */

/** A value with the numbers beside it. @param {Move | undefined} move @returns {Kid} */
const worth = (move) => move?.value && el("b", {}, rich(move.value.text), /\d/.test(raw(move.value.sub)) && [" ", rich(move.value.sub)]);

/** @param {Host} host @returns {Tour} */
export function tour(host) {
  const node = el("div", { class: "tour", role: "region", "aria-live": "polite", hidden: true });
  let step = 0;
  /** How many moves there were when the second step began. */
  let from = 0;
  /** The position of that step, once its values are known. @type {Scene | null | undefined} */
  let before;

  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, main = true) => el("button", { class: main ? "btn main" : "btn", type: "button", onclick }, text);

  /** Whether the person has made the move of the second step. */
  function moved() {
    const made = host.table()?.said[from];
    return made !== undefined && (host.seat() === null || made.seat === host.seat());
  }

  /** @param {number} to */
  function go(to) {
    step = to;
    if (to === 2) {
      const now = host.table();
      if (!now) return;
      from = now.moves.length;
      before = undefined;
      host.values(now.moves).then((table) => {
        before = table.scene;
        draw();
      }, () => {
        before = null;
        draw();
      });
    }
    host.marks(step);
    draw();
  }

  /** Who the person is, and who is to move. @returns {Kid} */
  function seats() {
    const [table, own] = [host.table(), host.seat()];
    const name = (/** @type {number} */ at) => plain(table?.scene.seats?.[at]?.name ?? table?.sides.find((side) => side.seat === at)?.name);
    const you = (host.game()?.players ?? 1) < 2 ? word("tourAlone") : own === null ? word("tourAll") : word("tourYou", { name: name(own) });
    const turn = table?.turn ?? null;
    const next = turn === null || (host.game()?.players ?? 1) < 2 ? "" : turn === own ? word("tourYourTurn") : word("tourTurn", { name: name(turn) });
    return [you, " ", next];
  }

  /** What was played, and what it was worth. @returns {Kid} */
  function played() {
    const said = host.table()?.said[from]?.text;
    const move = before && meant(before, host.table()?.moves[from] ?? "");
    const best = before?.moves?.find((one) => one.rank === 1);
    if (before === undefined) return [word("tourPlayed"), " ", rich(said), word("stop"), word("solving")];
    if (!move?.value) return [word("tourPlayed"), " ", rich(said), word("stop"), word("tourNoValue")];
    return [word("tourPlayed"), " ", rich(said), word("stop"), word("tourWorth"), " ", worth(move), word("stop"),
      move.rank === 1 ? word("tourWasBest") : [word("tourBestWas"), " ", rich(best?.label), best?.value && [" (", worth(best), ")"], word("stop")]];
  }

  function draw() {
    node.hidden = step === 0;
    const table = host.table();
    if (step === 0 || !table) return;
    const made = moved();
    /** @type {Kid} */
    let text = null;
    /** @type {Kid} */
    let next = null;
    if (step === 1) {
      text = [seats(), " ", rich(host.game()?.rules?.goal)];
      next = button(word("tourNext"), () => (table.over || !host.mine() ? (host.fresh(), go(2)) : go(2)));
    } else if (step === 2) {
      text = made ? played() : word("tourMove");
      next = made && button(word("tourNext"), () => go(3));
    } else {
      const best = table.scene.moves?.find((one) => one.rank === 1);
      const done = !made && host.shown();
      text = !done ? word("tourBack") : best ? [word("tourHere"), " ", rich(best.label), " ", worth(best), word("stop"), word("tourEnd")] : [word("tourNoValue"), " ", word("tourEnd")];
      next = done ? button(word("tourDone"), leave) : [made && button(word("undo"), host.undo), !host.shown() && button(word("tourReveal"), host.reveal)];
    }
    // Whoever was on a button of the step stays in it.
    const inside = node.contains(document.activeElement);
    set(node, el("p", {}, el("span", { class: "step", "aria-label": word("tourStep", { n: step }) }, `${step}/3`), " ", text), el("div", { class: "row" }, next, button(word("tourLeave"), leave, false)));
    if (inside) /** @type {HTMLElement | null} */ (node.querySelector("button"))?.focus();
  }

  function leave() {
    if (step === 0) return false;
    step = 0;
    host.marks(0);
    draw();
    return true;
  }

  return { node, begin: () => go(1), leave, changed() {
    // A new game, a step further back or a move of the others: the move begins anew.
    if (step === 2 && host.table()?.moves.length !== from && !moved() && host.mine()) go(2);
    else draw();
  } };
}
