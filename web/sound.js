//! Quiet sounds made by code, for whoever switched them on.

import { keep, kept } from "./kept.js";

/** @type {AudioContext | undefined} */
let player;

/** Whether there is sound. */
export const audible = () => kept("sound") === "on";

/** @param {boolean} on */
export function turnSound(on) {
  keep("sound", on ? "on" : null);
  if (on) sound("move");
}

/** What is heard: pitches in hertz, one after another. */
const TUNES = { move: [330], answer: [262], end: [330, 415, 494] };

/**
 * A short soft tone, or a few of them.
 * @param {keyof typeof TUNES} name
 */
export function sound(name) {
  // Before anything was pressed a browser lets nobody hear anything, and complains.
  if (!audible() || typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false) return;
  player ??= new AudioContext();
  const from = player.currentTime + 0.01;
  TUNES[name].forEach((pitch, at) => {
    if (!player) return;
    const [tone, loud] = [player.createOscillator(), player.createGain()];
    const start = from + at * 0.11;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, start);
    loud.gain.exponentialRampToValueAtTime(0.06, start + 0.008);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + 0.16);
    tone.connect(loud).connect(player.destination);
    tone.start(start);
    tone.stop(start + 0.18);
  });
}
