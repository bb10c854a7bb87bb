//! What lies face down and was seen before, where whoever plays has to remember it: it is drawn as a back, and nothing
//! else on the page tells it from what nobody has seen.

/** @import { Move, Scene, Zone } from "./types.js" */
import { placesOf } from "./hand.js";

/** Whether things lie there that are turned up and covered again: not in a hand, and not where everything is known. @param {Zone} zone */
const covered = (zone) => zone.kind !== "hand" && zone.items.some((item) => item.show !== "known");

/** The items that lie under the veil. @param {Scene | undefined} scene @param {boolean} sees whether there is none */
export const veiled = (scene, sees) => new Set(sees ? [] : scene?.zones.filter(covered).flatMap((zone) => zone.items.filter((item) => item.show === "known").map((item) => item.id)));

/** The moves that can be named without lifting it. @param {Move[]} moves @param {Set<string>} under */
export const nameable = (moves, under) => (under.size ? moves.filter((move) => !placesOf(move).some((id) => under.has(id))) : moves);
