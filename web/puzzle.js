//! Puzzles: the only best move is to be found. The solver has made them, and afterwards says what every move is worth.

/** @import { Fault, Game, Job, Kid, Move, Puzzle, Scene, View } from "./types.js" */
/** @import { Stage } from "./stage.js" */
import * as api from "./api.js";
import { turned } from "./boards.js";
import { el, set } from "./dom.js";
import { hand, placesOf, shownBy } from "./hand.js";
import { icon } from "./icons.js";
import { commandLine } from "./jobs.js";
import { keep, kept } from "./kept.js";
import { pulse } from "./motion.js";
import { address, here } from "./route.js";
import * as sheet from "./sheet.js";
import { stage, walkable } from "./stage.js";
import { named } from "./variants.js";
import { plain, rich, word } from "./words.js";

/** So many days are remembered. */
const DAYS = 400;
/** Numbers of puzzles that are of no day. */
const BEYOND = 1_000_000;

/** The number of the day: days since the beginning of 1970, by the clock of whoever looks. */
export function today() {
  const now = new Date();
  return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
}

/** The puzzles of days that were solved at the first try, as `day game`. @returns {string[]} */
function solved() {
  try {
    const read = JSON.parse(kept("puzzles") ?? "");
    if (Array.isArray(read)) return read.filter((one) => typeof one === "string");
  } catch {
    // Nothing was kept, or nothing that can be read.
  }
  return [];
}

/** @param {number} day @param {string} game */
const key = (day, game) => `${day} ${game}`;

/** How many days in a row a puzzle was solved, up to today or yesterday. */
export function streak() {
  const days = new Set(solved().map((one) => Number(one.split(" ")[0])));
  const end = days.has(today()) ? today() : today() - 1;
  let count = 0;
  while (days.has(end - count)) count += 1;
  return count;
}

/** The address of a game's puzzle: that of the day unless a number says otherwise. @param {string} game @param {number} [number] */
export const puzzleOf = (game, number) => address("/puzzle", { game, ...(number === undefined ? {} : { number: String(number) }) });

/** The games that have puzzles. @param {Game[]} games */
const puzzling = (games) => games.filter((game) => game.puzzles);

/** The game whose puzzle is that of the day. @param {Game[]} games */
export const ofToday = (games) => puzzling(games)[today() % puzzling(games).length];

/**
 * The page of puzzles: all games, or the puzzle of one.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @returns {View}
 */
export function puzzle(root, leaving) {
  const id = here().get("game") ?? "";
  return id ? one(root, leaving, id) : list(root, leaving);
}

/** @param {HTMLElement} root @param {AbortSignal} leaving @returns {View} */
function list(root, leaving) {
  /** @type {Game[]} */
  let games = [];
  function draw() {
    document.title = `${word("puzzles")} · yomikiri`;
    const done = solved();
    set(root, el("div", { class: "hero" }, el("h1", {}, word("puzzles")), el("p", {}, word("puzzlesLead"))),
      el("p", { class: "row" }, games.length > 0 && el("a", { class: "btn main", href: puzzleOf(ofToday(games).id) }, word("puzzleOfDay", { game: plain(ofToday(games).name) })), el("span", {}, word("streak", { n: streak() }))),
      el("ul", { class: "puzzles" }, games.map((game) => el("li", {}, el("a", { class: "btn", href: puzzleOf(game.id) }, plain(game.name), done.includes(key(today(), game.id)) && [" ", icon("ok"), el("span", { class: "sr" }, word("puzzleDone"))])))));
  }
  draw();
  api.games().then((all) => {
    if (leaving.aborted) return;
    games = puzzling(all.games);
    draw();
  }, (error) => {
    if (!api.left(error)) throw error;
  });
  return { redraw: draw };
}

/** @param {HTMLElement} root @param {AbortSignal} leaving @param {string} id @returns {View} */
function one(root, leaving, id) {
  const given = here().get("number");
  const number = given === null ? today() : Number(given);
  /** @type {Game | undefined} */
  let game;
  /** @type {Puzzle | undefined} */
  let asked;
  /** @type {Scene | undefined} */
  let scene;
  /** @type {Stage | undefined} */
  let shown;
  /** @type {Move | undefined} what was answered first */
  let answer;
  /** @type {{ job: Job, cancel: () => void } | undefined} */
  let working;
  /** @type {Fault | undefined} */
  let refused;
  const head = el("div", { class: "head" });
  const say = el("p", { class: "say", role: "status", "aria-live": "polite" });
  const holder = el("div", { class: "holder" });
  const mat = el("section", { class: "mat" }, el("div", { class: "matbar" }, say), holder);
  const paper = el("aside", { class: "sheet" });
  root.append(head, el("div", { class: "bench" }, mat, paper));
  new ResizeObserver(() => shown?.fit()).observe(holder);

  const news = { signal: leaving, news: (/** @type {Job} */ job, /** @type {() => void} */ cancel) => {
    working = { job, cancel };
    drawSheet();
  } };
  /** @param {"none" | "all"} hints */
  async function look(hints) {
    if (!asked) return;
    const { settings, seed, seat, moves } = asked;
    const table = await api.play(id, { settings, seed, seat, moves, hints, machine: false }, news);
    working = undefined;
    scene = seat !== null && table.scene.seats?.[seat]?.looks === "down" ? turned(table.scene) : table.scene;
  }
  /** @param {Move} move */
  async function choose(move) {
    if (answer || !asked) return;
    answer = move;
    over.close();
    draw();
    await look("all");
    if (leaving.aborted) return;
    if (right() && number === today()) keep("puzzles", JSON.stringify([...solved().filter((one) => one !== key(number, id)), key(number, id)].slice(-DAYS)));
    draw();
    const best = scene?.moves?.find((one) => one.rank === 1);
    if (shown && best) pulse(shown, placesOf(best));
  }
  /** The moves as they are valued now; none before that. */
  const valued = () => (scene?.moves ?? []).filter((move) => move.value);
  const right = () => valued().find((move) => move.id === answer?.id)?.rank === 1;
  const over = hand(holder, () => ({ moves: answer ? [] : scene?.moves ?? [], stage: shown }), (move) => void choose(move).catch(failed));

  function drawMat() {
    if (!scene) return;
    const made = stage(scene, { click: (place) => over.click(place) });
    shown = made;
    over.forget();
    holder.replaceChildren(made.node);
    made.node.setAttribute("role", "group");
    made.node.setAttribute("aria-label", word("board"));
    walkable(made);
    const usable = new Set((answer ? [] : scene.moves ?? []).flatMap(placesOf));
    for (const place of made.places) {
      const can = place.ids.some((one) => usable.has(one));
      place.node.classList.toggle("can", can);
      if (!can) place.node.setAttribute("aria-disabled", "true");
    }
    made.fit();
  }

  function drawSheet() {
    const own = asked?.seat ?? null;
    /** @type {Kid[]} */
    const parts = [];
    if (refused) parts.push(el("p", { class: "error boxed", role: "alert" }, rich(refused.message)), el("p", { class: "row" }, next(), el("a", { class: "btn", href: address("/puzzle") }, word("puzzlesAll"))));
    else if (working && !valued().length) parts.push(sheet.working(working, working.cancel));
    if (asked && scene) {
      const best = valued().find((move) => move.rank === 1);
      if (answer && best) {
        const mine = valued().find((move) => move.id === answer?.id);
        parts.push(el("div", { class: `verdict puzzle ${right() ? "right" : "wrong"}`, role: "status" },
          el("div", { class: "worth" }, icon(right() ? "ok" : "no"), el("b", {}, word(right() ? "puzzleRight" : "puzzleWrong"))),
          el("p", {}, right() ? word("puzzleWhy", { move: plain(best.label), value: plain(best.value?.text) }) : word("puzzleBest", { move: plain(best.label), value: plain(best.value?.text), mine: plain(mine?.label ?? answer.label), got: plain(mine?.value?.text) })),
          right() && number === today() && el("p", {}, word("streak", { n: streak() }))));
        parts.push(el("p", { class: "row" }, next(), el("a", { class: "btn", href: explore() }, word("puzzleOpen")), el("a", { class: "btn", href: address("/puzzle") }, word("puzzlesAll"))));
      } else if (!answer) parts.push(el("div", { class: "verdict puzzle" }, el("div", { class: "of" }, el("span", {}, own === null ? null : plain(scene.seats?.[own]?.name)), el("span", { class: "stamp" }, rich(asked.level.text))), el("div", { class: "worth" }, el("b", {}, rich(asked.task)))));
      parts.push(sheet.moves(scene, {
        play: (move) => void choose(move).catch(failed), idle: answer !== undefined, played: (scene.moves ?? []).find((move) => move.id === answer?.id),
        point: (move) => shown?.hover(move ? shownBy(move) : []),
      }));
      parts.push(commandLine(asked.command));
    }
    set(paper, parts);
  }

  const next = () => el("a", { class: "btn main", href: puzzleOf(id, BEYOND + (crypto.getRandomValues(new Uint32Array(1))[0] % BEYOND)) }, word("puzzleNext"));
  /** The same position on the board, with everything that can be done there. */
  const explore = () => address("/board", { game: id, ...asked?.settings, seed: String(asked?.seed), ...(asked?.seat === null ? {} : { seat: String(asked?.seat) }), moves: asked?.moves.join("~") ?? "" });

  function draw() {
    document.title = `${word("puzzle")}: ${plain(game?.name)} · yomikiri`;
    mat.setAttribute("aria-label", word("board"));
    paper.setAttribute("aria-label", word("puzzle"));
    set(head, el("h1", {}, plain(game?.name)), el("span", { class: "variant" }, number === today() ? word("puzzleToday") : word("puzzleNumber", { n: number }), " · ", rich(named(game, asked?.settings ?? {})?.name ?? scene?.variant)));
    set(say, rich(scene?.say));
    drawMat();
    drawSheet();
  }

  /** @param {unknown} error */
  function failed(error) {
    if (api.left(error) || error instanceof api.Cancelled || leaving.aborted) return;
    if (!(error instanceof api.Refused)) throw error;
    working = undefined;
    refused = error.fault;
    draw();
  }

  (async () => {
    game = (await api.games()).games.find((one) => one.id === id);
    draw();
    asked = await api.puzzle(id, given ?? String(number), news);
    working = undefined;
    await look("none");
    if (!leaving.aborted) draw();
  })().catch(failed);

  return {
    redraw: draw,
    key(event) {
      const move = /^[1-9]$/.test(event.key) && scene && !answer ? sheet.numbered(scene)[Number(event.key) - 1] : undefined;
      if (move) choose(move).catch(failed);
      else if (event.key !== "Escape" || !over.drop()) return false;
      return true;
    },
  };
}
