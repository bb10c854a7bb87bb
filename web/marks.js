//! What stands out on the board because of the record: the last move, and what was played where something else was better.

/** @import { Move, Said, Scene } from "./types.js" */
/** @import { Stage } from "./stage.js" */

/** The move that some typed text stands for. @param {Scene} scene @param {string} id */
export const meant = (scene, id) => scene.moves?.find((move) => move.id === id || move.each?.some((one) => one.id === id));

/**
 * Marks the last move: the game marks what it put down, the page where it came from, and what the game left unmarked.
 * @param {Stage} on
 * @param {Scene} scene
 * @param {Said | undefined} last
 */
export function trace(on, scene, last) {
  if (!last) return;
  const marked = scene.zones.some((zone) => zone.items.some((item) => item.mark === "last"));
  const to = last.to === undefined || marked ? undefined : on.find(last.to);
  (to?.querySelector("[data-item]") ?? to?.querySelector(".inside") ?? to)?.classList.add("m-last");
  const from = last.from === undefined || last.from === last.to ? undefined : on.find(last.from);
  if (from?.classList.contains("square")) from.querySelector(".inside")?.classList.add("m-from");
}

/**
 * The scene with the move that was played there, beside the best one.
 * @param {Scene} scene
 * @param {Move | undefined} move
 * @returns {Scene}
 */
export const withPlayed = (scene, move) => (move?.from && move.to ? { ...scene, arrows: [...(scene.arrows ?? []), { from: move.from, to: move.to, played: true }] } : scene);

/**
 * Marks the places of a move that was played and was not best.
 * @param {Stage} on
 * @param {Move | undefined} move
 * @param {string} id what was typed
 */
export function regret(on, move, id) {
  if (!move) return;
  const one = move.each?.find((each) => each.id === id)?.on;
  const places = one ? [one] : move.from ? [move.from, move.to ?? move.from] : (move.on?.length ?? 0) > 2 ? [] : move.on ?? [];
  for (const place of places) on.find(place)?.classList.add("m-played");
}
