//! The board: a game on the mat, its analysis on the sheet, and everything a person can do with them.

/** @import { Fault, Game, Job, Move, Scene, Table, View } from "./types.js" */
/** @import { State } from "./route.js" */
/** @import { Place } from "./zones.js" */
/** @import { Stage } from "./stage.js" */
import * as api from "./api.js";
import { el, set } from "./dom.js";
import { drawer as variants } from "./drawer.js";
import { turned } from "./boards.js";
import { editor } from "./edit.js";
import { bestMove, grabbable, hand, placesOf, shownBy } from "./hand.js";
import { briefly, drawHead as heading, opponent } from "./head.js";
import { draw as drawItem } from "./items.js";
import { course } from "./graph.js";
import { commandLine } from "./jobs.js";
import { begins, decided, decides, played, seek, shared, whole } from "./line.js";
import { meant, regret, trace, withPlayed } from "./marks.js";
import { matbar } from "./matbar.js";
import { pulse, slide, spots } from "./motion.js";
import { copied, notation, pasted } from "./notation.js";
import * as record from "./record.js";
import { address, here, read, write } from "./route.js";
import { book } from "./rules.js";
import { shareImage } from "./share.js";
import { sharing } from "./sharing.js";
import * as sheet from "./sheet.js";
import { sound } from "./sound.js";
import { stage, walkable } from "./stage.js";
import { count, statistics } from "./stats.js";
import { button, drawTools, extras } from "./tools.js";
import { tour } from "./tour.js";
import { unfolding } from "./unfold.js";
import { called, shelf } from "./variants.js";
import { nameable, veiled } from "./veil.js";
import { language, plain, rich, word } from "./words.js";

/** What keeps the focus in the head when it is drawn anew. */
const FOCUS = "button, .versus select";

/** How the server answers what does not fit. */
const TOO_LARGE = 422;

/** What somebody did, so that a refusal stands beside it. @typedef {"address" | "move" | "position" | "settings" | "seed" | "seat"} Origin */

/**
 * The board.
 * @param {HTMLElement} root
 * @param {AbortSignal} leaving
 * @returns {View}
 */
export function board(root, leaving) {
  /** @type {State} */
  let state = read(here());
  /** @type {Game | undefined} */
  let game;
  /** @type {Table | undefined} */
  let table;
  /** @type {Table | undefined} the table after every move of the record, which stays while one looks back */
  let end;
  /** @type {State | undefined} the record that another move has cut short: it can be brought back once */
  let dropped;
  /** What is told of the position on the board: after the end of a game the values of a mistake are, too. @type {State["hints"]} */
  let told = state.hints;
  /** @type {Stage | undefined} */
  let shown;
  /** @type {State | undefined} the game that an edited position came from */
  let source;
  /** @type {{ job: Job, cancel: () => void } | "stopped" | undefined} */
  let solving;
  /** @type {{ origin: Origin, fault: Fault } | undefined} */
  let refused;
  /** @type {AbortController | undefined} */
  let asking;
  let typed = "";
  /** Which game the record's end is of. */
  let kept = "";

  // What stays on the screen; what is inside changes.
  const head = el("div", { class: "head" });
  const bar = matbar();
  const holder = el("div", { class: "holder" });
  const legend = el("div", { class: "legend", role: "group" });
  const shows = unfolding(holder);
  const steps = tour({
    game: () => game, table: () => table, seat: () => seat(), mine: () => mine(), shown: () => state.hints === "all",
    values: (moves) => api.play(state.game, body({ ...state, moves }, false, "all"), { signal: leaving }),
    fresh: () => fresh(state.seed), undo: () => undo(), reveal: () => hint("all"),
    marks: (step) => {
      bench.dataset.step = String(step);
    },
  });
  const mat = el("section", { class: "mat", "aria-label": word("board") }, bar.node, steps.node, holder, legend);
  const paper = el("aside", { class: "sheet", "aria-label": word("analysis") });
  const rules = book({ game: () => game, own: () => table?.rules, under: paper, leaving, tour: () => steps.begin(), turned: () => drawHead() });
  const tools = el("div", { class: "tools", role: "group", "aria-label": word("tools") });
  const note = el("div", { class: "kifu" });
  const foot = el("div", { class: "foot" }, note, tools);
  const bench = el("div", { class: "bench" }, mat, paper, foot, rules.node);
  const toast = el("p", { class: "toast", role: "status", "aria-live": "polite" });
  const hands = sharing();
  root.append(head, bench, hands.node, toast);

  /** Where the person sits; whoever did not choose sits where the server put them. */
  const seat = () => (state.seat === "" ? table?.seat ?? null : /^\d+$/.test(state.seat) ? Number(state.seat) : null);
  /** What is on the board; whoever sits at the far side looks from there. */
  const scene = () => {
    const now = draft.scene() ?? table?.scene;
    const own = seat();
    return now && own !== null && now.seats?.[own]?.looks === "down" ? turned(now) : now;
  };
  /** Whether known cards are shown: who plays against the machine without hints has to remember them, unless they chose otherwise. */
  const sees = () => state.see ?? (seat() === null || state.hints !== "none" || end?.over === true);
  /** What is known and not shown. */
  const under = () => veiled(draft.scene() ? undefined : scene(), sees());
  const cards = shelf(leaving);
  const values = course((moves, signal) => api.play(state.game, body({ ...state, moves }, false, "all"), { signal: AbortSignal.any([signal, leaving]), once: true, news: (_, cancel) => cancel() }), () => {
    // Only the graph is another: whoever is just pressing something beside it still hits it.
    const [old, made] = [paper.querySelector(".courses"), graph()];
    if (old && made) old.replaceWith(made);
    else if (old || made) drawSheet();
  });
  const mine = () => table !== undefined && !table.over && (seat() === null || table.turn === seat() || table.turn === null);

  new ResizeObserver(() => shown?.fit()).observe(holder);
  leaving.addEventListener("abort", () => asking?.abort());

  /** Beside what a refusal is to stand: an address that is refused names its field. */
  function culprit() {
    if (!refused) return undefined;
    if (refused.origin !== "address") return refused.origin;
    const { field } = refused.fault;
    // Games call a part of a position by the name of the parameter it could come from.
    if (field === "seed" || (field !== undefined && field in state.settings)) return "settings";
    return state.position && field !== "moves" && field !== "seat" ? "position" : "move";
  }

  /* ---------- asking ---------- */

  /** @param {State} want @param {boolean} machine @param {State["hints"]} [hints] */
  const body = (want, machine, hints = want.hints) => ({
    settings: want.settings,
    ...(want.position ? { position: want.position } : {}),
    // What is no number goes to the server as it is: it says what it accepts.
    seed: /^\d{1,16}$/.test(want.seed) ? Number(want.seed) : want.seed,
    ...(want.seat === "" ? {} : { seat: want.seat === "all" ? null : /^\d+$/.test(want.seat) ? Number(want.seat) : want.seat }),
    ...(want.vs ? { strength: want.vs } : {}),
    moves: want.moves,
    hints,
    machine,
  });

  /**
   * Goes to a state, if the server agrees; otherwise nothing changes but the message.
   * @param {State} want
   * @param {Origin} origin
   * @param {{ replace?: boolean, still?: boolean, dear?: Fault, cut?: State }} [how] `dear` says why there are no values, `cut` what is dropped by it
   */
  async function go(want, origin, how = {}) {
    asking?.abort();
    const control = new AbortController();
    asking = control;
    const { signal } = control;
    over.forget();
    // While the way there is shown, the table is not the one it began with.
    const ended = table?.over;
    const made = origin === "move" && want.moves.length > state.moves.length;
    /** The board without its values, where they take long. @type {Promise<void> | undefined} */
    let early;
    let there = false;
    bench.setAttribute("aria-busy", "true");
    // The machine plays on where the record ends; where one looks back it waits.
    const machine = want.redo.length === 0;
    try {
      if (!machine && !(await remember(want, signal))) return void go({ ...want, redo: [] }, origin, how);
      const level = reviewed(want);
      const got = await api.play(want.game, body(want, machine, level), {
        signal,
        news(job, cancel) {
          solving = { job, cancel };
          // Only how far it is has changed: whoever is just choosing a move still hits it.
          const old = paper.querySelector(".working:has(.prog)");
          if (old) old.replaceWith(sheet.working(solving, () => {}));
          else drawSheet();
          if (early || level === "none") return;
          // The board does not wait for its values.
          early = api.play(want.game, body(want, machine, "none"), { signal }).then(async (plainTable) => {
            if (signal.aborted || solving === undefined) return;
            there = true;
            if (!how.still) await perform(want, plainTable, made, signal);
            if (!signal.aborted) settle(want, plainTable, how, level, ended);
          }, () => {});
        },
      });
      if (signal.aborted) return;
      solving = undefined;
      if (there) await early;
      else if (!how.still) await perform(want, got, made, signal);
      if (signal.aborted) return;
      settle(want, got, there ? { replace: true } : how, level, ended);
    } catch (error) {
      if (api.left(error) || signal.aborted) return;
      if (error instanceof api.Cancelled) {
        solving = "stopped";
        drawSheet();
        return;
      }
      solving = undefined;
      if (!(error instanceof api.Refused)) throw error;
      // So is an opponent that another game does not have.
      if (error.fault.field === "strength" && want.vs && origin !== "move") return void go({ ...want, vs: "" }, origin, how);
      // A seat that another variant or position does not have is given up.
      if (error.fault.field === "seat" && origin !== "seat" && want.seat !== "") return void go({ ...want, seat: "" }, origin, how);
      // What somebody else has played cannot be played by the machine: whoever changes seats goes on from the position.
      if (origin === "seat" && error.fault.field === "moves" && table?.scene.notation) {
        source = state;
        return void go({ ...want, position: table.scene.notation, moves: [], redo: [] }, origin, how);
      }
      // What is too large to be valued can be played all the same.
      if ((error.status === TOO_LARGE || error.fault.command !== undefined) && want.hints !== "none") return void go({ ...want, hints: "none" }, origin, { ...how, dear: error.fault });
      refused = { origin, fault: how.dear ?? error.fault };
      draw();
    } finally {
      if (asking === control) bench.removeAttribute("aria-busy");
    }
  }

  /** What tells games apart that could have the same moves. @param {State} of */
  const origin = (of) => JSON.stringify([of.game, of.settings, of.position, of.seed, of.seat, of.vs, of.hints]);

  /** Sees to it that the whole record is known, of which only a part is on the board; whether there is such a game. @param {State} want @param {AbortSignal} signal */
  async function remember(want, signal) {
    if (end && kept === origin(want) && begins(whole(want), end.moves) && begins(end.moves, whole(want))) return true;
    try {
      // The lists do not wait for values either: a record that takes long is there without its mistakes.
      end = await api.play(want.game, body({ ...want, moves: whole(want) }, false), { signal, news: (_, cancel) => cancel() }).catch((error) => {
        if (!(error instanceof api.Cancelled)) throw error;
        return api.play(want.game, body({ ...want, moves: whole(want) }, false, "none"), { signal });
      });
      kept = origin(want);
      return true;
    } catch (error) {
      // Moves that are refused after the cursor are none; those before it are asked for again.
      if (error instanceof api.Refused && error.status === 400) return false;
      throw error;
    }
  }

  /** How much is told of a position: before a mistake of a game that is over, all. @param {State} want @returns {State["hints"]} */
  const reviewed = (want) => (want.hints === "none" && want.redo.length && end?.over && end.mistakes.some((one) => one.at === want.moves.length) ? "all" : want.hints);

  /** @param {State} want @param {Table} got @param {{ replace?: boolean, dear?: Fault, cut?: State }} how @param {State["hints"]} level @param {boolean} [was] whether it was over before */
  function settle(want, got, how, level, was) {
    refused = how.dear && { origin: "move", fault: how.dear };
    draft.close();
    if (source && (source.game !== want.game || want.position === source.position)) source = undefined;
    if (how.cut) dropped = how.cut;
    else if (dropped && origin({ ...dropped, hints: want.hints }) !== origin(want)) dropped = undefined;
    const same = table && kept === origin(want) && begins(state.moves, got.moves) && got.moves.length > state.moves.length;
    if (same && !want.redo.length) {
      sound(got.over ? "end" : "move");
      // Who plays everybody wins and loses; what an address leads to was not played here.
      if (got.over && game && !was && (got.seat !== null || (game.players ?? 1) < 2)) count(game, JSON.stringify([want.game, want.settings, want.position, want.seed, got.seat, ...(want.vs ? [want.vs] : [])]), got, record.tally(got, got.seat));
    }
    state = { ...want, moves: got.moves };
    table = got;
    told = level;
    if (!want.redo.length) {
      end = got;
      kept = origin(want);
    }
    values.note(got.moves, got);
    typed = got.scene.notation;
    const to = address("/board", write(state, game));
    if (to !== location.pathname + location.search) history[how.replace ? "replaceState" : "pushState"](null, "", to);
    draw();
    steps.changed();
  }

  /**
   * Shows how a game came to where it is, move by move.
   * @param {State} want
   * @param {Table} got
   * @param {boolean} made whether the last move of what was wanted has just been made here
   * @param {AbortSignal} signal
   */
  const perform = (want, got, made, signal) => shows.show({ from: got.seat === null ? got.moves.length : want.moves.length, made, got, signal,
    ask: (moves) => api.play(want.game, body({ ...want, moves }, false, "none"), { signal }),
    draw: (step, said) => {
      table = step;
      drawMat(said);
      sound("answer");
    },
  });

  /* ---------- doing ---------- */

  /** @param {string} text */
  function tell(text) {
    set(toast, text);
    toast.classList.add("on");
    setTimeout(() => toast.classList.remove("on"), 2400);
  }

  /**
   * Makes a move, or an edit.
   * @param {Move} move
   * @param {Place} [place] where it was clicked
   */
  function act(move, place) {
    over.close();
    if (shows.next()) return;
    const id = (place && move.each?.find((one) => place.ids.includes(one.on))?.id) ?? move.id;
    if (draft.scene()) return void draft.change(id);
    if (!mine()) return;
    make(id);
  }

  /** Plays a move; what came after it in the record is dropped, unless it is what was played there. @param {string} id */
  function make(id) {
    const want = played(state, id, decides(said(), state.moves.length, seat()));
    go(want, "move", state.redo.length && !want.redo.length && state.redo[0] !== id ? { cut: state } : {});
  }

  const over = hand(holder, () => ({ moves: scene()?.moves ?? [], stage: shown, under: under() }), act);
  /** @param {Place} place */
  function click(place) {
    if (!over.click(place) && mine() && place.ids.some((id) => under().has(id))) tell(word("seenBefore"));
  }

  /** Every move of the record, in words. */
  const said = () => end?.said ?? table?.said ?? [];
  /** Where the last decision of whoever plays here began. */
  const decision = () => decided(table?.said ?? [], state.moves.length, seat());
  /** Puts the cursor after so many moves of the record. @param {number} at */
  function look(at) {
    const want = seek(state, at);
    if (draft.scene() || want.moves.length === state.moves.length) return;
    go(want, "move", { still: true, replace: true });
  }
  function undo() {
    if (draft.scene()) draft.undo();
    else if (decision() >= 0) look(decision());
  }
  const redo = () => look(decides(said(), state.moves.length, seat()));
  /** Plays on from a position of the record, as if what came after had not been. @param {number} at */
  const again = (at) => go({ ...seek(state, at), redo: [] }, "move", { still: true, cut: state });
  function restore() {
    const old = dropped;
    dropped = undefined;
    if (old) go({ ...old, hints: state.hints }, "move", { still: true });
  }
  /** @param {string} [seed] */
  function fresh(seed) {
    const next = seed ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
    go({ ...state, seed: next, position: "", moves: [], redo: [] }, "seed");
  }
  /** @param {State["hints"]} hints */
  function hint(hints) {
    go({ ...state, hints }, "move", { replace: true, still: true });
  }
  function optimal() {
    if (!table || table.over || draft.scene()) return;
    make("*");
  }
  /** Shows the best move for a moment, whatever is shown besides. */
  async function suggest() {
    if (!table || draft.scene() || !mine()) return;
    const at = table;
    try {
      const told = bestMove(at.scene.moves ?? []) ? at : await api.play(state.game, body(state, false, "best"), { signal: leaving, news: () => tell(word("solving")) });
      const best = bestMove(told.scene.moves ?? []);
      if (table !== at || !shown) return;
      if (best) pulse(shown, placesOf(best));
      tell(best ? word("hintIs", { move: plain(best.label) }) : word("hintNone"));
    } catch (error) {
      if (error instanceof api.Refused) tell(plain(error.fault.message));
      else if (!api.left(error) && !(error instanceof api.Cancelled)) throw error;
    }
  }
  const copyPosition = () => copied(scene()?.notation ?? "", note, tell);
  function share() {
    if (table && !draft.scene()) hands.open(state, table, image);
  }
  async function image() {
    if (!table) return;
    try {
      const svg = await api.picture(state.game, body({ ...state, moves: table.moves }, false), language(), { signal: leaving });
      tell(await shareImage(svg, `${state.game}.png`, document.title, location.href));
    } catch (error) {
      if (error instanceof api.Refused) tell(plain(error.fault.message));
      else if (!api.left(error)) throw error;
    }
  }
  const paste = () => pasted(note, position, tell);
  /** @param {string} text */
  function position(text) {
    typed = text;
    if (text.trim() === "") return fresh(state.seed);
    if (draft.scene()) return void draft.change(text.trim());
    go({ ...state, position: text.trim(), moves: [], redo: [] }, "position");
  }

  const draft = editor({
    load: (at, signal, scores) => api.edits(state.game, state.settings, at, { signal: AbortSignal.any([signal, leaving]) }, scores),
    changed: () => {
      typed = draft.scene()?.notation ?? "";
      refused = undefined;
      draw();
    },
    refused: (fault) => {
      refused = { origin: "position", fault };
      draw();
    },
  });
  function toggleEdit() {
    if (draft.scene()) {
      const at = draft.close();
      if (at === undefined) return void draw();
      source = state;
      return void go({ ...state, position: at, moves: [], redo: [] }, "position");
    }
    const at = table?.scene.notation ?? "";
    if (!at && state.moves.length) return tell(word("editNot"));
    asking?.abort();
    draft.open(at);
  }
  /** Leaves the position as it was before. */
  function discard() {
    draft.close();
    typed = table?.scene.notation ?? "";
    refused = undefined;
    draw();
  }
  function see() {
    state = { ...state, see: !sees() };
    history.replaceState(null, "", address("/board", write(state, game)));
    draw();
  }

  /* ---------- drawing ---------- */

  function drawHead() {
    const drawer = variants({
      game, settings: state.settings, seed: state.seed, cards, leaving, fault: culprit() === "settings" || culprit() === "seed" ? refused?.fault : undefined,
      apply: (settings, seed) => {
        const same = seed === state.seed && JSON.stringify(settings) === JSON.stringify(state.settings);
        go({ ...state, settings, seed, ...(same ? {} : { position: "", moves: [], redo: [] }) }, "settings");
      },
    });
    heading(head, { game, scene: scene(), table, variant: called(game, scene()?.variant), seat: seat(), rules: rules.open(), drawer }, {
      seat: (value) => go({ ...state, seat: value }, "seat"),
      opponent: (vs) => go({ ...state, vs }, "move"),
      rules: () => turnRules(),
    });
  }

  /** Opens or closes the rules; whoever closes them is at their button again. @param {boolean} [on] */
  function turnRules(on) {
    const changed = rules.turn(on);
    if (changed && !rules.open()) /** @type {HTMLElement | null} */ (head.querySelector(".rules"))?.focus();
    return changed;
  }

  /** The move that was played here, if the record says that it was a mistake. @param {Scene} now */
  function regretted(now) {
    const id = state.redo[0];
    if (id === undefined || !end?.mistakes.some((one) => one.at === state.moves.length) || (state.hints === "none" && !end.over)) return undefined;
    // A move of the machine is known by what it was, not by how it was asked for.
    return { id, move: meant(now, end.said[state.moves.length]?.move ?? id) ?? meant(now, id) };
  }

  /** @param {string} [instead] what is said instead of what the scene says */
  function drawMat(instead) {
    const editing = draft.scene();
    const now = scene();
    if (!now) return;
    const own = seat();
    bar.draw(now, { table: editing ? undefined : table, own: editing ? null : own, players: game?.players ?? 1, instead: editing ? word("editing") : instead });
    const held = document.activeElement?.closest("[data-place]");
    const focus = held && holder.contains(held) ? /** @type {HTMLElement} */ (held).dataset.place : undefined;
    const old = shown && spots(shown);
    const bad = editing ? undefined : regretted(now);
    const made = stage(withPlayed(now, bad?.move), { closed: under(), click });
    shown = made;
    over.forget();
    holder.replaceChildren(made.node);
    bench.classList.toggle("editing", editing !== undefined);
    made.node.setAttribute("role", "group");
    made.node.setAttribute("aria-label", word("board"));
    walkable(made);
    const veil = under();
    // What is under the veil looks like everything else that lies face down.
    const usable = new Set([...(now.moves ?? []).flatMap(placesOf), ...(now.moves?.length ? veil : [])]);
    for (const place of made.places) {
      const can = place.ids.some((id) => usable.has(id)) && (editing !== undefined || mine());
      place.node.classList.toggle("can", can);
      place.node.classList.toggle("grab", can && grabbable(now.moves ?? [], place));
      if (!can) place.node.setAttribute("aria-disabled", "true");
      // What goes along with the one move a place stands for is shown before it is made.
      const meant = can ? (now.moves ?? []).filter((move) => move.on?.some((id) => place.ids.includes(id))) : [];
      if (meant.length === 1 && meant[0].also?.length) {
        for (const event of ["mouseenter", "focus"]) place.node.addEventListener(event, () => made.hover(shownBy(meant[0])));
        for (const event of ["mouseleave", "blur"]) place.node.addEventListener(event, () => made.hover([]));
      }
    }
    if (!editing) trace(made, now, table?.said.at(-1));
    if (bad) regret(made, bad.move, bad.id);
    made.fit();
    // A board that is nearly as high as the window is scrolled by touching it, cards and all.
    made.node.classList.toggle("roomy", made.node.offsetHeight < innerHeight * 0.8);
    if (old) slide(made, old);
    if (focus) {
      const again = made.places.find((place) => place.node.dataset.place === focus) ?? made.places[0];
      again?.node.focus({ preventScroll: true });
    }
    set(legend, (now.legend ?? []).filter((entry) => !veil.size || entry.item?.show !== "known").map((entry) => el("span", {}, entry.item && drawItem(entry.item), el("span", {}, rich(entry.text)))));
  }

  function drawSheet() {
    const editing = draft.scene();
    const now = scene();
    // The list keeps its focus through a redraw.
    const at = [...paper.querySelectorAll("[data-move]")].indexOf(/** @type {Element} */ (document.activeElement));
    const idle = !editing && !mine();
    const on = {
      play: (/** @type {Move} */ move) => act(move),
      point: (/** @type {Move | null} */ move) => shown?.hover(move && !under().size ? shownBy(move) : []),
      idle,
      played: now && !editing && state.redo.length ? meant(now, end?.said[state.moves.length]?.move ?? state.redo[0]) : undefined,
    };
    /** @type {import("./types.js").Kid[]} */
    const parts = [];
    if (refused && (culprit() === "move" || culprit() === "seat")) parts.push(refusal(refused.fault));
    if (draft.scene()) parts.push(draft.sheet(on, { done: toggleEdit, discard }));
    else if (solving) parts.push(sheet.working(solving, () => go(state, "move", { replace: true })));
    if (now && !editing) {
      const past = review();
      if (source) parts.push(el("p", { class: "lead" }, word("editedFrom"), " ", el("button", { class: "link", type: "button", onclick: () => source && go({ ...source, hints: state.hints }, "position", { still: true }) }, word("backToGame"))));
      if (past && end?.over) parts.push(record.ended(past, { fresh: () => fresh(), undo: decision() < 0 ? undefined : undo, against: seat() === null ? undefined : briefly(opponent(table)), more: game ? statistics(game, seat() === null ? undefined : opponent(table), drawSheet) : null }), record.mistakes(past), record.record(past, graph()));
      if (!table?.over && solving === undefined) {
        if (now.value && told !== "none") parts.push(sheet.verdict(now.value));
        const rival = seat() === null ? undefined : opponent(table);
        if (rival && told === "none") parts.push(el("p", { class: "lead rival" }, el("b", {}, word("is", { name: word("versus"), value: plain(rival.name) })), el("span", {}, rich(rival.note))));
        if (told === "none") parts.push(el("p", { class: "lead" }, word("hidden")));
        else if (now.moves?.length && !now.moves.some((move) => move.value || move.rank)) parts.push(el("p", { class: "lead" }, word("unvalued")));
      }
      if (!table?.over) parts.push(sheet.moves({ ...now, moves: nameable(now.moves ?? [], under()) }, on));
      if (now.line && solving === undefined) parts.push(sheet.line(now.line, now.turn));
      if (past && !end?.over) parts.push(record.mistakes(past), record.record(past, graph()));
      if (now.trust) parts.push(el("p", { class: "trust" }, rich(now.trust), " ", game && el("a", { href: address("/results", { game: state.game }) }, word("results"))));
    }
    const field = paper.contains(document.activeElement) ? document.activeElement?.id : "";
    // What is read stays where it is, and the keys stay in the record.
    const [top, scrolled, within] = [paper.scrollTop, paper.querySelector(".record")?.scrollTop ?? 0, document.activeElement?.closest(".record")];
    set(paper, parts);
    paper.scrollTop = top;
    const list = paper.querySelector(".record");
    if (list) list.scrollTop = scrolled;
    record.follow(paper);
    if (field) document.getElementById(field)?.focus({ preventScroll: true });
    if (within && paper.contains(list)) /** @type {HTMLElement | null} */ (list?.querySelector(".on") ?? null)?.focus({ preventScroll: true });
    if (at >= 0) {
      const list = /** @type {NodeListOf<HTMLElement>} */ (paper.querySelectorAll("[data-move]"));
      list[Math.min(at, list.length - 1)]?.focus({ preventScroll: true });
    }
  }

  /** The record as it is shown. @returns {import("./record.js").Shown | undefined} */
  const review = () => (end && table ? {
    end, at: state.moves.length, seat: seat(), names: (table.scene.seats ?? []).map((one) => plain(one.name)), told: end.over || state.hints !== "none",
    go: look, again, dropped: dropped ? whole(dropped).length - shared(whole(dropped), whole(state)) : 0, restore, veiled: under().size > 0 && !end.over,
  } : undefined);
  /** The values over the game, where they may be told. */
  function graph() {
    if (!end || !(end.over || state.hints === "all")) return null;
    const own = seat();
    // A game may be for several numbers of players; at this table sit so many.
    const players = (game?.players ?? 1) < 2 ? 1 : end.scene.seats?.length ?? 2;
    const name = players > 1 ? plain(end.scene.seats?.[own ?? 0]?.name) : "";
    return values.draw(origin({ ...state, hints: "all" }), whole(state), { at: state.moves.length, seat: own, players, wrong: end.mistakes.map((one) => one.at), made: (at) => end?.said[at]?.move, score: end.over ? end.score : undefined, label: name ? word("courseFor", { name }) : word("courseOf"), go: look });
  }

  /** @param {Fault} fault */
  const refusal = (fault) => [el("p", { class: "error boxed", role: "alert" }, rich(fault.message)), fault.command && [el("p", { class: "lead" }, word("commandInstead")), commandLine(fault.command)]];

  /** What the tools need to know and may do. @returns {import("./tools.js").Host} */
  const host = () => ({
    editing: draft.scene() !== undefined, playable: mine(), over: !table || table.over, sees: sees(), hints: state.hints,
    known: veiled(scene(), false).size > 0,
    back: draft.scene() ? draft.dirty() : decision() >= 0, forth: state.redo.length > 0,
    undo, redo, fresh: () => fresh(), suggest, optimal, toggleEdit, see, hint,
  });

  function drawNotation() {
    const editing = draft.scene();
    const wrong = culprit() === "position" ? refused?.fault : undefined;
    const field = notation({
      text: typed, wrong: wrong !== undefined, hint: scene() && !typed ? word("midMove") : game?.example ?? "", enter: position,
      typed: (text) => {
        typed = text;
      },
      leave: () => {
        typed = scene()?.notation ?? "";
        refused = undefined;
        drawNotation();
      },
    });
    set(note, el("div", { class: "line" }, field, button(word("copy"), "C", { onclick: copyPosition }, word("copy")), button(word("paste"), "", { onclick: paste }, word("paste")), button(word("share"), "S", { onclick: share, disabled: !table || editing !== undefined }, word("share"))), extras(host(), "narrow"),
      el("p", { class: "error", id: "notation-error", role: "alert", hidden: !wrong }, wrong && rich(wrong.message)));
  }

  function draw() {
    const inField = document.activeElement === note.querySelector("input");
    const inTools = [...tools.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const inHead = [...head.querySelectorAll(FOCUS)].indexOf(/** @type {Element} */ (document.activeElement));
    mat.setAttribute("aria-label", word("board"));
    legend.setAttribute("aria-label", word("legend"));
    paper.setAttribute("aria-label", word("analysis"));
    tools.setAttribute("aria-label", word("tools"));
    bench.dataset.hints = state.hints;
    bench.classList.toggle("empty", !scene());
    drawHead();
    drawMat();
    drawSheet();
    drawTools(tools, host());
    drawNotation();
    if (inField) note.querySelector("input")?.focus();
    if (inTools >= 0) [...tools.querySelectorAll("button")][inTools]?.focus();
    if (inHead >= 0) /** @type {HTMLElement | undefined} */ ([...head.querySelectorAll(FOCUS)][inHead])?.focus();
    rules.redraw();
    shown?.fit();
  }

  async function begin() {
    const all = await api.games();
    if (leaving.aborted) return;
    game = all.games.find((one) => one.id === state.game);
    if (!game) {
      set(root, el("div", { class: "hero" }, el("h1", {}, word("noGame", { game: state.game || "–" })), el("p", {}, el("a", { href: address("/") }, word("home")))));
      return;
    }
    typed = state.position;
    draw();
    rules.visit();
    await go(state, "address", { replace: true });
  }
  begin().catch((error) => {
    if (!api.left(error)) throw error;
  });

  /** @type {Record<string, () => void>} */
  const keys = { ArrowLeft: () => look(state.moves.length - 1), ArrowRight: () => look(state.moves.length + 1), Home: () => look(0), End: () => look(Infinity), u: undo, r: redo, n: () => fresh(), p: optimal, c: copyPosition, s: share, i: image, f: suggest, e: toggleEdit, t: see, g: () => turnRules(),
    h: () => hint(state.hints === "none" ? "best" : state.hints === "best" ? "all" : "none"),
    v: () => {
      const drawer = head.querySelector("details");
      if (!drawer) return;
      drawer.open = !drawer.open;
      /** @type {HTMLElement | null} */ (drawer.querySelector(drawer.open ? "button, input, select" : "summary"))?.focus();
    },
    b: () => shown?.places.find((place) => place.node.tabIndex === 0)?.node.focus(),
    m: () => /** @type {HTMLElement | null} */ (paper.querySelector("[data-move][tabindex='0']"))?.focus(),
  };

  return {
    redraw() {
      draw();
      steps.changed();
    },
    moved() {
      const want = read(here());
      if (want.game !== state.game) return false;
      draft.close();
      go(want, "address", { replace: true, still: true });
      return true;
    },
    key(event) {
      if (hands.node.open) return false;
      if (!/^(Tab|Shift|Control|Alt|Meta|CapsLock)$/.test(event.key) && shows.next()) return true;
      if (event.key === "Escape") {
        if (over.drop() || (draft.scene() && !draft.dirty() && (discard(), true)) || turnRules(false) || steps.leave()) return true;
        const drawer = head.querySelector("details");
        if (drawer?.open) {
          drawer.open = false;
          drawer.querySelector("summary")?.focus();
          return true;
        }
        return false;
      }
      if (/^[1-9]$/.test(event.key)) {
        const now = scene();
        const move = now && !draft.scene() ? sheet.numbered({ ...now, moves: nameable(now.moves ?? [], under()) })[Number(event.key) - 1] : undefined;
        if (move) act(move);
        return move !== undefined;
      }
      // Where nothing has the focus, Enter plays the best move, if it is shown which that is.
      if (event.key === "Enter") {
        if (event.target instanceof Element && event.target.closest("button, a, summary, input, select")) return false;
        const best = draft.scene() || !mine() ? undefined : bestMove(scene()?.moves ?? []);
        if (best) act(best);
        return best !== undefined;
      }
      const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      action?.();
      return action !== undefined;
    },
  };
}
