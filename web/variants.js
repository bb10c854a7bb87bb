//! The variants of a game that have names, as cards with a picture each.

/** @import { Game, Scene, Text } from "./types.js" */
import * as api from "./api.js";
import { el } from "./dom.js";
import { stage } from "./stage.js";
import { plain, raw, word } from "./words.js";

/** What tells variants apart. @param {Record<string, string>} settings */
const key = (settings) => JSON.stringify(Object.entries(settings).sort());

/** The variant that has these settings, if it has a name. @param {Game | undefined} game @param {Record<string, string>} settings */
export const named = (game, settings) => game?.variants?.find((one) => key(one.settings) === key(settings));

/**
 * What a variant is called. Where nobody has put it into words it comes as the names of its parameters, the same in both
 * languages: then by its own name, or by what is not as always.
 * @param {Game | undefined} game
 * @param {Text | undefined} said
 * @returns {Text | undefined}
 */
export function called(game, said) {
  if (typeof said !== "string" || !game?.params.length) return said;
  const names = game.params.map((param) => param.name).join("|");
  /** @type {Record<string, string>} */
  const settings = {};
  let found = false;
  for (const [, name, value] of said.matchAll(new RegExp(`(?:^|, )(${names}) (.*?)(?=, (?:${names}) |$)`, "g"))) {
    found = true;
    if (String(game.params.find((param) => param.name === name)?.default) !== value) settings[name] = value;
  }
  if (!found) return said;
  return named(game, settings)?.name ?? Object.entries(settings).map(([name, value]) => {
    const param = game.params.find((one) => one.name === name);
    return word("is", { name: raw(param?.help), value: raw(param?.words?.find(([one]) => one === value)?.[1]) || value });
  }).join(word("and"));
}

/**
 * The cards of a game; pictures are asked for when somebody looks, and kept.
 * @param {AbortSignal} leaving
 */
export function shelf(leaving) {
  /** @type {Map<string, Scene | null>} */
  const known = new Map();

  /**
   * @param {Game} game
   * @param {Record<string, string>} now the settings of the board
   * @param {(settings: Record<string, string>) => void} pick
   */
  return (game, now, pick) => {
    const all = game.variants?.length ? game.variants : [{ name: word("asAlways"), settings: {} }];
    const cards = all.map((one) => {
      const mat = el("span", { class: "mat", "aria-hidden": "true" });
      const node = el("button", { class: "variant-card", type: "button", "aria-pressed": String(key(one.settings) === key(now)), onclick: () => pick(one.settings) }, mat, el("span", {}, plain(one.name)));
      return { one, mat, node };
    });
    /** @param {HTMLElement} mat @param {Scene | null} scene */
    const draw = (mat, scene) => {
      if (!scene || mat.firstChild) return;
      const small = stage(scene, { mini: true });
      mat.append(small.node);
      small.fit();
    };
    /** Draws the pictures, now that they can be seen. */
    async function show() {
      for (const { one, mat } of cards) {
        const name = key(one.settings);
        if (!known.has(name)) {
          const table = await api.play(game.id, { settings: one.settings, moves: [], hints: "none", machine: false }, { signal: leaving, once: true }).catch(() => null);
          if (leaving.aborted) return;
          known.set(name, table && { ...table.scene, moves: [] });
        }
        draw(mat, known.get(name) ?? null);
      }
    }
    return { node: el("div", { class: "variant-cards", role: "group", "aria-label": word("variants") }, cards.map((card) => card.node)), show };
  };
}
