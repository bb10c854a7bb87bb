//! The rules of a game beside its board, with pictures. They open by themselves for whoever sees a game for the first time.

/** @import { Game, Rules, Scene, Text } from "./types.js" */
/** @import { Word } from "./words.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { icon } from "./icons.js";
import { keep as store, kept as stored, keeps } from "./kept.js";
import { address } from "./route.js";
import { stage } from "./stage.js";
import { language, plain, rich, word } from "./words.js";

/** Where the browser keeps the games whose rules were seen. */
const KEPT = "rules";
/** Stands for all games: nobody wants the rules to open by themselves. */
const NEVER = "*";
/** Where there is room for them beside the board, over the sheet. */
const BESIDE = "(min-width:1081px)";

/** @type {[keyof NonNullable<Game["rules"]>, Word][]} */
const PARTS = [["goal", "ruleGoal"], ["play", "ruleMoves"], ["end", "ruleEnd"], ["values", "ruleValues"]];

/** The games whose rules were seen; all of them where the browser keeps nothing. */
const seen = () => new Set((stored(KEPT) ?? (keeps() ? "" : NEVER)).split(" ").filter(Boolean));
/** @param {Set<string>} all */
const keep = (all) => store(KEPT, [...all].join(" "));

/**
 * The rules on the screen.
 * @typedef {object} Book
 * @property {HTMLElement} node
 * @property {() => boolean} open whether they are open
 * @property {() => void} visit opens them for whoever has not seen them
 * @property {(on?: boolean) => boolean} turn opens or closes them, as somebody asked; whether anything changed
 * @property {() => void} redraw
 */

/**
 * The panel of the rules.
 * @param {object} about
 * @param {() => Game | undefined} about.game
 * @param {() => Rules | undefined} about.own the rules of what is played, where they are not those of the game as always
 * @param {HTMLElement} about.under what lies under it where there is room
 * @param {AbortSignal} about.leaving
 * @param {() => void} about.tour begins the steps on the real board
 * @param {() => void} about.turned it was opened or closed
 * @returns {Book}
 */
export function book({ game, own, under, leaving, tour, turned }) {
  const node = el("aside", { class: "rulebook", tabindex: -1, hidden: true });
  const wide = matchMedia(BESIDE);
  /** @type {{ caption: Word, scene: Scene, at?: string }[]} */
  let pictures = [];
  let asked = "";
  /** What is drawn: the rules and the language. They are not drawn again under somebody's finger. */
  let drawn = "";
  const figures = el("div", { class: "figures" });
  /** @type {(() => void)[]} */
  let fits = [];
  const fit = () => fits.forEach((one) => one());
  /** Covers what lies under it, but for what the position is worth. */
  const cover = () => {
    under.inert = !node.hidden && wide.matches;
    const worth = /** @type {HTMLElement | null} */ (under.querySelector(".verdict"));
    node.style.setProperty("margin-top", wide.matches ? `${worth?.offsetHeight ?? 0}px` : "0");
    fit();
  };
  addEventListener("resize", cover, { signal: leaving });

  /** Asks for the pictures: nothing is solved for them, and a game that has none has its words. */
  function look() {
    const of = game();
    if (!of || asked === of.id) return;
    asked = of.id;
    /** @type {[Word, string | undefined, Promise<Scene>][]} */
    const wanted = [["ruleStart", undefined, api.play(of.id, { moves: [], hints: "none", machine: false }, { signal: leaving, once: true }).then((table) => table.scene)]];
    if (of.example) wanted.push(["ruleExample", of.example, api.edits(of.id, {}, of.example, { signal: leaving, once: true })]);
    Promise.allSettled(wanted.map(([, , scene]) => scene)).then((all) => {
      if (leaving.aborted) return;
      pictures = all.flatMap((one, n) => (one.status === "fulfilled" ? [{ caption: wanted[n][0], at: wanted[n][1], scene: { ...one.value, moves: [] } }] : []));
      illustrate();
    });
  }

  /** Puts the pictures in. */
  function illustrate() {
    const of = game();
    if (node.hidden || !of) return;
    fits = [];
    const figure = (/** @type {{ caption: Word, scene: Scene, at?: string }} */ one) => {
      const small = stage(one.scene, { mini: true });
      fits.push(small.fit);
      return el("figure", {}, el("div", { class: "mat", "aria-hidden": "true" }, small.node),
        el("figcaption", {}, one.at ? el("a", { href: address("/board", { game: of.id, position: one.at }), title: one.at }, word(one.caption)) : word(one.caption)));
    };
    set(figures, pictures.map(figure));
    fit();
  }

  function draw() {
    const of = game();
    if (node.hidden || !of) return;
    const rules = own() ?? of.rules;
    const now = JSON.stringify([of.id, language(), rules]);
    if (drawn === now) return cover();
    drawn = now;
    const part = (/** @type {Word} */ head, /** @type {Text | undefined} */ text) => text && el("section", {}, el("h3", {}, word(head)), el("p", {}, rich(text)));
    const again = el("input", { type: "checkbox", checked: !seen().has(NEVER), onchange: () => {
      const all = seen();
      if (again.checked) all.delete(NEVER);
      else all.add(NEVER);
      keep(all);
    } });
    const head = el("div", { class: "row" }, el("h2", {}, word("rules"), el("small", {}, plain(of.name))), el("button", { class: "btn sq", type: "button", "aria-label": word("close"), title: `${word("close")} (Esc)`, onclick: () => turn(false) }, icon("no")));
    node.setAttribute("aria-label", word("rules"));
    set(node, head,
      el("p", { class: "row" }, el("button", { class: "btn main begin", type: "button", onclick: () => {
        turn(false);
        tour();
      } }, word("tourBegin")), el("span", { class: "label" }, word("tourHint"))),
      PARTS.map(([name, title]) => part(title, rules?.[name])),
      figures,
      el("section", {}, el("h3", {}, word("notation")), el("p", {}, rich(of.notation))),
      el("label", { class: "row" }, again, el("span", {}, word("ruleAgain"))));
    illustrate();
    cover();
  }

  /** @param {boolean} on */
  function show(on) {
    node.hidden = !on;
    const of = game();
    if (on && of) {
      keep(seen().add(of.id));
      look();
      draw();
    }
    cover();
    turned();
  }

  /** @param {boolean} [on] */
  function turn(on = node.hidden) {
    if (on === !node.hidden) return false;
    show(on);
    if (on) node.focus({ preventScroll: true });
    return true;
  }

  return {
    node,
    open: () => !node.hidden,
    visit() {
      const all = seen();
      if (!all.has(NEVER) && !all.has(game()?.id ?? NEVER)) show(true);
    },
    turn,
    redraw: draw,
  };
}
