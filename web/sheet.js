//! The sheet: what the position is worth, the moves as one chart on one ruler, how it goes on, what was played.

/** @import { Cert, Job, Kid, Line, Move, Scale, Scene, Value } from "./types.js" */
import { el } from "./dom.js";
import { block, icon } from "./icons.js";
import { clock, language, plain, raw, rich, short, spoken, word } from "./words.js";

/** How many steps of a line of play are shown before the rest is asked for. */
const STEPS = 12;

/**
 * What kind of number it is.
 * @param {Cert} cert
 */
export const stamp = (cert) => el("span", { class: `stamp ${cert}` }, cert === "exact" ? block() : cert === "sampled" ? icon("ring") : null, word(cert));

/**
 * What the position is worth.
 * @param {NonNullable<Scene["value"]>} value
 */
export const verdict = (value) =>
  el("div", { class: "verdict" },
    el("div", { class: "of" }, el("span", {}, rich(value.of)), stamp(value.cert)),
    el("div", { class: "worth" }, el("b", {}, rich(value.text)), value.note && el("span", {}, rich(value.note))));

/** @param {Scale} scale @param {number} x */
const share = (scale, x) => (Math.min(Math.max((x - scale.min) / (scale.max - scale.min), 0), 1) * 100).toFixed(2);

/**
 * The bar of a value on the ruler: solid to the right, hatched to the left, a square for the middle; an interval
 * between brackets or with a dot where it is not exact.
 * @param {Scale} scale
 * @param {Value} [value]
 */
function rail(scale, value) {
  const ticks = scale.ticks.map(([x]) => el("i", { class: x === scale.mid ? "mid" : "tick", css: { left: `${share(scale, x)}%` } }));
  const node = el("span", { class: "rail", "aria-hidden": "true" }, ticks);
  if (!value) return node;
  const [x, mid] = [Number(share(scale, value.x)), Number(share(scale, scale.mid))];
  if (value.interval && value.cert !== "exact") {
    const [a, b] = value.interval.map((end) => Number(share(scale, end)));
    node.append(el("i", { class: `span ${value.cert}`, css: { left: `${a}%`, width: `${b - a}%` } }));
    if (value.cert === "sampled") node.append(el("i", { class: "dot", css: { left: `${x}%` } }));
  } else if (Math.abs(x - mid) < 0.4) node.append(el("i", { class: "zero", css: { left: `${mid}%` } }));
  else {
    const minus = value.tone === "-" || x < mid;
    node.append(el("i", { class: `bar ${minus ? "minus" : "plus"}${x < mid ? " back" : ""}`, css: { left: `${Math.min(x, mid)}%`, width: `${Math.max(Math.abs(x - mid), 1)}%` } }));
  }
  return node;
}

/**
 * A move as it is read aloud.
 * @param {Move} move
 * @param {number} number
 */
function aloud(move, number) {
  const { value } = move;
  const parts = [String(number), spoken(move.label), spoken(move.note), value && spoken(value.text), value && spoken(value.sub), value && word(value.cert), move.rank === 1 && word("isBest")];
  return parts.filter(Boolean).join(", ");
}

/**
 * What happens to a move of the list.
 * @typedef {object} OnMove
 * @property {(move: Move) => void} play
 * @property {(move: Move | null) => void} point
 * @property {boolean} [idle] it can only be looked at
 * @property {Move} [played] what was played here, according to the record
 */

/** Whether something is told of a move: its value, or that it is best. @param {Move} move */
const told = (move) => move.value !== undefined || move.rank === 1;

/** The moves in the order in which they are numbered: those of which something is told first. @param {Scene} scene */
export const numbered = (scene) => [...(scene.moves ?? []).filter(told), ...(scene.moves ?? []).filter((move) => !told(move))];

/** Hides what stands on top of something else: the middle and the ends are read first. @param {HTMLElement} rail @param {number} mid */
function thin(rail, mid) {
  const labels = /** @type {HTMLElement[]} */ ([...rail.children]);
  const first = [labels[mid], labels[0], labels[labels.length - 1], ...labels].filter(Boolean);
  /** @type {HTMLElement[]} */
  const seen = [];
  for (const label of labels) label.style.setProperty("visibility", "visible");
  for (const label of new Set(first)) {
    const box = label.getBoundingClientRect();
    const free = seen.every((one) => {
      const other = one.getBoundingClientRect();
      return box.right + 3 <= other.left || other.right + 3 <= box.left;
    });
    if (free) seen.push(label);
    else label.style.setProperty("visibility", "hidden");
  }
}

/** More letters than these have a line of their own, under the bar. */
const LINE = 44;

/** Whether there is much to say of a move. @param {Move} move */
const wordy = (move) => plain(move.note).length > (language() === "ja" ? LINE / 2 : LINE);

/**
 * All moves: those with values as a chart, the others as buttons.
 * @param {Scene} scene
 * @param {OnMove} on
 * @param {string} [called] what they are, if not moves
 * @returns {Kid}
 */
export function moves(scene, on, called) {
  const all = numbered(scene);
  const { scale } = scene;
  const valued = all.filter(told);
  const others = all.filter((move) => !valued.includes(move));
  const listen = (/** @type {Move} */ move) => ({
    onclick: () => on.play(move), onmouseenter: () => on.point(move), onmouseleave: () => on.point(null), onfocus: () => on.point(move), onblur: () => on.point(null),
    "data-move": move.id, type: "button", tabindex: -1, disabled: on.idle,
  });
  /** @type {HTMLElement[]} */
  const out = [];
  if (valued.length) {
    const rows = valued.map((move, at) => {
      const { value } = move;
      const best = move.rank === 1 && valued.some((one) => one.pick);
      return el("button", { class: `move${best ? " best" : ""}`, "aria-label": aloud(move, at + 1), ...listen(move) },
        el("span", { class: "no" }, at + 1),
        el("span", { class: "what" }, rich(move.label), move === on.played && el("span", { class: "was" }, word("playedHere")), move.note && !wordy(move) && el("small", {}, rich(move.note))),
        scale && value && rail(scale, value),
        !value && el("span", { class: "value" }, el("small", {}, word("best"))),
        value && el("span", { class: "value" }, el("b", {}, rich(value.text), value.mark && icon(value.mark)), value.sub && el("small", {}, rich(value.sub)), value.cert !== "exact" && el("small", { class: "cert" }, word(value.cert))),
        wordy(move) && el("small", { class: "wide" }, rich(move.note)));
    });
    const ruler = scale && el("div", { class: "move ruler", "aria-hidden": "true" }, el("span"), el("span", {}, word("moves")),
      el("span", { class: "rail" }, scale.ticks.map(([x, label]) => el("span", { css: { left: `${share(scale, x)}%` } }, raw(label)))), el("span", { class: "value" }, rich(scale.name)));
    const labels = /** @type {HTMLElement | null | undefined} */ (ruler && ruler.querySelector(".rail"));
    if (labels && scale) new ResizeObserver(() => thin(labels, scale.ticks.findIndex(([x]) => x === scale.mid))).observe(labels);
    out.push(el("div", { class: `moves${valued.length > 8 ? " compact" : ""}${scale ? "" : " bare"}`, role: "group", "aria-label": word("moves") }, ruler, rows));
  }
  if (others.length) {
    const title = called ?? (valued.length ? word("others") : word("legal"));
    out.push(el("div", { class: "plain", role: "group", "aria-label": title }, el("h2", {}, title),
      others.map((move, at) => el("button", { class: "btn", ...listen(move), "aria-label": aloud(move, valued.length + at + 1) }, rich(move.label), move === on.played && el("span", { class: "was" }, word("playedHere")), move.note && el("small", {}, rich(move.note))))));
  }
  // One stop of the Tab key; the arrow keys walk from move to move.
  const buttons = out.flatMap((node) => [...node.querySelectorAll("button")]);
  if (buttons.length) buttons[0].tabIndex = 0;
  for (const node of out) {
    node.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
      const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      if (step === undefined || at < 0) return;
      event.preventDefault();
      event.stopPropagation();
      buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)].focus();
    });
    node.addEventListener("focusin", (event) => {
      for (const one of buttons) one.tabIndex = one === event.target ? 0 : -1;
    });
  }
  return out;
}

/**
 * How it goes on, or a short list.
 * @param {Line} line
 * @param {number | undefined} turn who is to move
 */
export function line(line, turn) {
  const node = el("ol", { class: line.list ? "line list" : "line" });
  const draw = (/** @type {boolean} */ whole) => {
    const steps = whole || line.list || line.steps.length <= STEPS + 1 ? line.steps : line.steps.slice(0, STEPS - 2);
    node.replaceChildren(...steps.map((step, at) => {
      const other = step.seat !== undefined && turn !== undefined && step.seat !== turn;
      return el("li", { class: [other && "other", at === line.steps.length - 1 && "end"].filter(Boolean).join(" ") },
        !line.list && el("i", {}, at + 1), el("span", {}, rich(step.text)), step.sub && el("small", {}, rich(step.sub)));
    }));
    if (steps.length < line.steps.length) node.append(el("li", {}, el("button", { class: "link", type: "button", onclick: () => draw(true) }, word("more", { n: line.steps.length - steps.length }))));
  };
  draw(false);
  return el("section", { class: "sec" }, el("h2", {}, el("span", {}, rich(line.title)), line.note && el("span", { class: "note" }, rich(line.note))), node);
}

/**
 * A computation that takes long, or was stopped.
 * @param {{ job: Job, cancel: () => void } | "stopped"} state
 * @param {() => void} again
 */
export function working(state, again) {
  if (state === "stopped") return el("div", { class: "working" }, el("p", {}, word("stopped")), el("button", { class: "btn", type: "button", onclick: again }, word("again")));
  const last = state.job.progress.at(-1);
  const share = last && last.total > 0 ? Math.min(last.done / last.total, 1) : undefined;
  return el("div", { class: "working" },
    el("p", {}, el("b", {}, word("solving")), " ", last && rich(last.what), last?.rate ? ` ${word("perSecond", { n: short(last.rate) })}` : null),
    el("div", { class: share === undefined ? "prog open" : "prog", role: "progressbar", "aria-label": word("solving"), "aria-valuenow": share === undefined ? undefined : Math.round(share * 100) }, el("i", { css: { width: `${(share ?? 0) * 100}%` } })),
    el("p", { class: "row" }, el("span", {}, `${clock(state.job.elapsed)} ${word("elapsed")}`, last?.left !== undefined && ` · ${clock(last.left)} ${word("left")}`),
      el("button", { class: "btn", type: "button", onclick: state.cancel }, word("cancel"))));
}
