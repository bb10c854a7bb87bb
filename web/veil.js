//! What lies face down and was seen before, where whoever plays has to remember it: it is drawn as a back, and nothing
//! else on the page tells it from what nobody has seen.

/** @import { Move, Scene } from "./types.js" */
import { placesOf } from "./hand.js";

/** The items that lie under the veil. A zone of nothing else is a list of what is known, and hides nothing. @param {Scene | undefined} scene @param {boolean} sees whether there is none */
export const veiled = (scene, sees) => new Set(sees ? [] : scene?.zones.filter((zone) => zone.items.some((item) => item.show !== "known")).flatMap((zone) => zone.items.filter((item) => item.show === "known").map((item) => item.id)));

/** The moves that can be named without lifting it. @param {Move[]} moves @param {Set<string>} under */
export const nameable = (moves, under) => (under.size ? moves.filter((move) => !placesOf(move).some((id) => under.has(id))) : moves);
