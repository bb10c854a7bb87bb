//! What happens between a move and the next decision: the moves of the machine one after another, and what everybody
//! sees for a moment before it is covered again. The first is a show and can be hurried; the second has to be seen.

/** @import { Table } from "./types.js" */
import { still } from "./motion.js";
import { raw } from "./words.js";

/** How long a move of the machine is shown before the next, in milliseconds. */
const BEAT = 700;
/** How long something lies open, unless somebody has seen enough of it. */
const OPEN = 1200;
/** More moves of the machine than these are not shown one by one. */
const SHOWN = 12;

/**
 * The show.
 * @param {HTMLElement} holder where the board is: a click there goes on
 */
export function unfolding(holder) {
  let [running, hurried] = [false, false];
  /** Whether anything was ever covered again here: in most games nothing is, and then nobody who hurries waits for it. */
  let covers = false;
  /** @type {(() => void) | undefined} */
  let wake;

  /** @param {number} time @param {AbortSignal} signal */
  const pause = (time, signal) => new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      wake = undefined;
      done(undefined);
    };
    const timer = setTimeout(end, time);
    signal.addEventListener("abort", end);
    wake = end;
  });

  /** Goes on; whether there was anything to go on from. */
  function next() {
    hurried = true;
    wake?.();
    return running;
  }
  // It means nothing else as long as something is shown.
  holder.addEventListener("click", (event) => {
    if (running) event.stopPropagation();
    next();
  }, true);

  return {
    next,
    /**
     * Shows how a game came to where it is.
     * @param {object} about
     * @param {number} about.from how many moves there were before the machine's
     * @param {boolean} about.made whether the last of those has just been made
     * @param {Table} about.got where it leads
     * @param {(moves: string[]) => Promise<Table>} about.ask
     * @param {(step: Table, said: string | undefined) => void} about.draw
     * @param {AbortSignal} about.signal
     */
    async show({ from, made, got, ask, draw, signal }) {
      const last = got.moves.length;
      if (last === from && !(made && got.moment)) return;
      hurried = still() || last - from > SHOWN;
      if (hurried && !covers && !made && !got.moment) return;
      running = true;
      try {
        for (let at = from; at <= last; at += 1) {
          const step = at === last ? got : await ask(got.moves.slice(0, at)).catch(() => undefined);
          if (!step || signal.aborted) return;
          covers ||= step.moment !== undefined || got.moment !== undefined;
          const said = raw(got.said[at - 1]?.text) || undefined;
          if (step.moment && (at > from || made)) {
            draw({ ...step, scene: { ...step.moment, moves: [] } }, said);
            await pause(OPEN, signal);
          }
          if (at === last || signal.aborted) return;
          if (hurried && !covers) return;
          if (hurried) continue;
          draw({ ...step, scene: { ...step.scene, moves: [] } }, said);
          await pause(at === from ? BEAT / 2 : BEAT, signal);
        }
      } finally {
        running = false;
      }
    },
  };
}
