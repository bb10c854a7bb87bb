//! Home: every game as a tile with its headline, and what has become of the papers' questions. It is there before anything is computed.

/** @import { Game, View } from "./types.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { ofToday, puzzleOf, streak } from "./puzzle.js";
import { known, standing } from "./questions.js";
import { ALONE, address } from "./route.js";
import { stamp } from "./sheet.js";
import { stage } from "./stage.js";
import { language, plain, raw, rich, word } from "./words.js";

/** How many questions are shown before the rest is asked for. */
const QUESTIONS = 5;

/**
 * The address of a game against the machine: the variant for beginners, a deal of its own, and no hints.
 * @param {Game} game
 */
function play(game) {
  const seed = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  return address("/board", { game: game.id, ...game.variants?.[0]?.settings, ...((game.players ?? 1) > 1 ? { seat: "0" } : {}), seed, hints: "none" });
}

/**
 * The first page.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @returns {View}
 */
export function home(root, leaving) {
  /** @type {Map<string, import("./types.js").Headline>} */
  const headlines = new Map();
  /** @type {Game[]} */
  let list = [];
  let running = 0;
  let whole = false;
  /** @type {(() => void)[]} */
  let fits = [];
  const resized = () => fits.forEach((fit) => fit());
  addEventListener("resize", resized, { signal: leaving });

  /** @param {Game} game */
  function tile(game) {
    const other = language() === "en" ? "ja" : "en";
    const found = headlines.get(game.id);
    const mat = el("div", { class: "mat", "aria-hidden": "true" });
    if (found) {
      const small = stage(found.scene, { mini: true });
      mat.append(small.node);
      fits.push(small.fit);
    }
    const analyse = address("/board", { game: game.id, ...found?.settings, ...(found?.position ? { position: found.position } : {}), ...(found && found.seed !== 1 ? { seed: String(found.seed) } : {}) });
    return el("article", { class: "game", "data-game": game.id }, el("a", { href: analyse, tabindex: -1, "aria-label": `${plain(game.name)}: ${word("analyse")}` }, mat),
      el("div", { class: "text" },
        el("h2", {}, plain(game.name), raw(game.name, other) !== raw(game.name) && el("small", { lang: other }, raw(game.name, other))),
        found ? el("p", { class: "headline" }, el("b", {}, rich(found.big)), el("span", {}, rich(found.text), " ", found.cert !== "exact" && stamp(found.cert))) : el("p", { class: "headline" }, el("span", {}, rich(game.summary))),
        el("p", { class: "row doors" },
          el("a", { class: "btn main", href: play(game), "data-door": "play", title: word("playTip") }, word("play")),
          el("a", { class: "btn", href: analyse, "data-door": "analyse", title: word("analyseTip") }, word("analyse")),
          game.puzzles && el("a", { class: "btn", href: puzzleOf(game.id), "data-door": "puzzle", title: word("puzzleTip") }, word("puzzle")))));
  }

  function draw() {
    document.title = "yomikiri";
    fits = [];
    const questions = list.flatMap((game) => game.questions.map((question) => ({ game, question })));
    const few = whole ? questions : spread(list, QUESTIONS);
    set(root,
      el("div", { class: "hero" }, el("h1", {}, word("hero")), el("p", {}, word(ALONE ? "leadAlone" : "lead")),
        list.length > 0 && el("p", { class: "row daily" }, el("a", { class: "btn main", href: puzzleOf(ofToday(list).id) }, word("puzzleOfDay", { game: plain(ofToday(list).name) })), el("a", { href: address("/puzzle") }, word("puzzlesAll")), streak() > 0 && el("span", {}, word("streak", { n: streak() })))),
      el("div", { class: "games" }, list.map(tile),
        list.length > 0 && el("section", { class: "questions" }, el("h2", {}, word("answers")),
          el("ul", {}, few.map(({ game, question }) => el("li", {}, el("details", {}, el("summary", {}, el("b", {}, plain(game.name)), " ", rich(question.asked), " ", standing(question)), known(game, question))))),
          el("p", { class: "foot" }, few.length < questions.length && el("button", { class: "link", type: "button", onclick: () => {
            whole = true;
            draw();
          } }, word("moreQuestions", { n: questions.length - few.length })), el("a", { href: address("/results") }, word("allResults")), el("a", { href: address("/check") }, word("checkLink")), running > 0 && el("a", { href: address("/studies") }, word("running", { n: running }))))));
    resized();
  }

  (async () => {
    draw();
    list = (await api.games()).games;
    if (leaving.aborted) return;
    draw();
    api.ask("/api/jobs", { signal: leaving }).then(({ jobs }) => {
      running = jobs.filter((/** @type {import("./types.js").Job} */ job) => job.state === "running").length;
      if (running) draw();
    }, () => {});
    for (const game of list) {
      api.headline(game.id, { signal: leaving }).then((found) => {
        headlines.set(game.id, found);
        const old = root.querySelector(`[data-game="${CSS.escape(game.id)}"]`);
        const door = old?.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.door : undefined;
        const made = tile(game);
        old?.replaceWith(made);
        if (door) /** @type {HTMLElement | null} */ (made.querySelector(`[data-door="${door}"]`))?.focus();
        fits.at(-1)?.();
      }, (error) => {
        if (!api.left(error)) console.warn(game.id, error);
      });
    }
  })().catch((error) => {
    if (!api.left(error)) throw error;
  });
  return { redraw: draw };
}

/**
 * The first questions of every game in turn, until there are enough.
 * @param {Game[]} list
 * @param {number} most
 */
function spread(list, most) {
  const out = [];
  for (let at = 0; at < Math.max(0, ...list.map((game) => game.questions.length)); at += 1)
    for (const game of list) if (game.questions[at] && out.length < most) out.push({ game, question: game.questions[at] });
  return out;
}
