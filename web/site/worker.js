//! The program in web workers, where the page has no server. One is the desk, which the page asks: it never computes, so
//! it always answers. What takes time it gives to clerks, other workers of this same file, and hears how they get on. A
//! clerk that computes hears nothing, so whoever is to stop is ended; rows of studies are with the desk by then.

import start, { Clerk, Desk } from "./yomikiri.js";

/** Clerks for what people wait for: one more than one, so that a board is there while its values are computed. */
const QUICK = 2;
/** Clerks for studies and papers. */
const LONG = Math.max(1, Math.min(2, (navigator.hardwareConcurrency || 2) - 1));
/** How long a clerk may go on with what nobody wants any more: what it solves by the way may be wanted next. */
const GRACE = 3000;

/** @typedef {{ job: string, lasting: boolean, question: string, body: Uint8Array, rows: [Uint8Array, number][] }} Errand */
/** @typedef {{ worker: Worker, lasting: boolean, doing: string | null, unwanted: boolean }} One */

addEventListener("message", function begin({ data }) {
  removeEventListener("message", begin);
  // Nobody hears of a promise that fails in a worker unless it is told.
  (data.be === "clerk" ? clerk(data.module) : desk()).catch((error) => postMessage({ broken: String(error) }));
});

/** The program, compiled once for all; hosts that call it something else than WebAssembly are forgiven. */
async function compiled() {
  const place = new URL("yomikiri_bg.wasm", import.meta.url);
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place.pathname}: ${answer.status}`);
  if (answer.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** @param {WebAssembly.Module} module */
async function clerk(module) {
  /** @type {any[]} */
  const early = [];
  const keep = (/** @type {MessageEvent} */ { data }) => early.push(data);
  addEventListener("message", keep);
  /** Called by the program while it works. */
  Object.assign(globalThis, { told: (/** @type {string} */ what, /** @type {Uint8Array<ArrayBuffer>} */ bytes, /** @type {number} */ rows) => postMessage({ told: what, bytes, rows }, { transfer: [bytes.buffer] }) });
  await start({ module_or_path: module });
  const me = new Clerk();
  const does = (/** @type {Errand} */ errand) => {
    try {
      for (const [bytes, rows] of errand.rows) me.give(bytes, rows);
      postMessage({ over: plain(me.does(errand.job, errand.question, errand.body)) });
    } catch (error) {
      // A mistake of ours, or no more room: this one is of no use any more.
      postMessage({ broken: String(error) });
    }
  };
  removeEventListener("message", keep);
  addEventListener("message", ({ data }) => does(data));
  early.forEach(does);
}

/** An answer of the program as it is posted. @param {import("./yomikiri.js").Done} done */
function plain(done) {
  const { status, kind, headers: list, body } = done;
  done.free();
  /** @type {Record<string, string>} */
  const headers = {};
  for (let at = 0; at + 1 < list.length; at += 2) headers[list[at]] = list[at + 1];
  return { status, kind, headers, body };
}

async function desk() {
  /** @type {any[]} */
  let early = [];
  let hear = (/** @type {any} */ data) => void early.push(data);
  addEventListener("message", ({ data }) => hear(data));
  /** @type {One[]} */
  let clerks = [];
  /** @type {Errand[]} */
  let line = [];
  let begun = false;
  const module = await compiled();
  // The first clerk begins while the desk does.
  clerks.push(hire(false));
  await start({ module_or_path: module });
  const me = new Desk(`${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}-`);
  begun = true;

  /** @param {boolean} lasting */
  function hire(lasting) {
    /** @type {One} */
    const one = { worker: new Worker(import.meta.url, { type: "module" }), lasting, doing: null, unwanted: false };
    const gone = () => {
      const job = one.doing;
      dismiss(one);
      if (!begun) return;
      if (job !== null) me.heard(job, "gone", new Uint8Array(), 0);
      pump();
    };
    one.worker.onerror = gone;
    one.worker.onmessage = ({ data }) => {
      if (data.broken !== undefined) return gone();
      const job = one.doing ?? "";
      if (data.over) {
        const { status, kind, headers, body } = data.over;
        one.doing = null;
        one.unwanted = false;
        me.over(job, status, kind, Number(headers["retry-after"]) || undefined, body);
      } else me.heard(job, data.told, data.bytes, data.rows);
      pump();
    };
    one.worker.postMessage({ be: "clerk", module });
    return one;
  }

  /** @param {One} one */
  function dismiss(one) {
    one.worker.onmessage = null;
    one.worker.terminate();
    clerks = clerks.filter((other) => other !== one);
  }

  /** @param {string} job */
  function recall(job) {
    line = line.filter((errand) => errand.job !== job);
    const one = clerks.find((other) => other.doing === job);
    if (!one) return;
    if (one.lasting) return dismiss(one);
    one.unwanted = true;
    setTimeout(() => {
      if (one.unwanted && one.doing === job) dismiss(one);
    }, GRACE);
  }

  /** Somebody who is free for an errand, if need be in place of one whose work nobody wants. @param {boolean} lasting */
  function free(lasting) {
    const kind = clerks.filter((one) => one.lasting === lasting);
    const idle = kind.find((one) => one.doing === null);
    if (idle) return idle;
    if (kind.length >= (lasting ? LONG : QUICK)) {
      const unwanted = kind.find((one) => one.unwanted);
      if (!unwanted) return undefined;
      dismiss(unwanted);
    }
    const one = hire(lasting);
    clerks.push(one);
    return one;
  }

  /** Carries everything that is to be carried, and answers whoever need not wait any more. */
  function pump() {
    for (let sent = me.errand(); sent; sent = me.errand()) {
      const { job, lasting, question, body } = sent;
      line.push({ job, lasting, question, body, rows: [...sent.rows].map((rows) => [sent?.block() ?? new Uint8Array(), rows]) });
      sent.free();
    }
    for (let job = me.recalled(); job !== undefined; job = me.recalled()) recall(job);
    line = line.filter((errand) => {
      const one = free(errand.lasting);
      if (!one) return true;
      one.doing = errand.job;
      one.unwanted = false;
      me.heard(errand.job, "begun", new Uint8Array(), 0);
      one.worker.postMessage(errand);
      return false;
    });
    for (const number of me.ready()) reply(number, me.take(number));
  }

  /** @param {number} number @param {import("./yomikiri.js").Done | undefined} done */
  function reply(number, done) {
    if (!done) return;
    const answer = plain(done);
    postMessage({ answer: number, ...answer }, { transfer: [answer.body.buffer] });
  }

  hear = (data) => {
    if (data.leave !== undefined) me.leave(data.leave);
    else {
      const now = me.ask(data.ask, data.method, data.path, data.query, data.kind, new Uint8Array(data.body));
      if (now) reply(data.ask, now);
      else setTimeout(() => {
        reply(data.ask, me.take(data.ask));
        pump();
      }, me.patience(data.ask));
    }
    pump();
  };
  early.forEach(hear);
  early = [];
  setInterval(() => {
    me.tidy();
    pump();
  }, 1000);
}
