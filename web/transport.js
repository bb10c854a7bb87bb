//! How questions travel: to the server the page came from or, where the page is a folder of files, to a worker in this
//! browser, which is the same program. Either gives the same answers.

import { ALONE, ROOT } from "./route.js";

/** Questions on their way to the worker, by number. @type {Map<number, (answer: Response) => void>} */
const asked = new Map();
let count = 0;
/** @type {Worker | undefined} */
let desk;
/** Why there is no worker. */
let broken = "";

/** The words of an error, as an answer. @param {string} why */
const failed = (why) => new Response(JSON.stringify({ error: { code: "broken", message: why } }), { status: 501 });

/** The worker that is asked. */
function worker() {
  if (desk) return desk;
  desk = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const give = (/** @type {string} */ why) => {
    broken = why || "?";
    for (const take of asked.values()) take(failed(broken));
    asked.clear();
  };
  desk.onerror = (event) => give(event.message);
  desk.onmessage = ({ data }) => {
    if (data.broken !== undefined) return give(data.broken);
    const take = asked.get(data.answer);
    asked.delete(data.answer);
    take?.(new Response(data.status === 204 ? null : data.body, { status: data.status, headers: { "content-type": data.kind, ...data.headers } }));
  };
  desk.postMessage({ be: "desk" });
  return desk;
}

// The program takes longest to arrive: it is sent for before the rest of the page is there (the shell loads this file first).
if (ALONE) worker();

/**
 * Sends a question, as `fetch` does.
 * @param {string} path as the description of the API has it
 * @param {{ method?: string, headers?: Record<string, string>, body?: BodyInit, signal?: AbortSignal, keepalive?: boolean, cache?: RequestCache }} [how]
 * @returns {Promise<Response>}
 */
export async function send(path, how = {}) {
  if (!ALONE) return fetch(new URL(path.slice(1), ROOT), how);
  if (broken) return failed(broken);
  const { signal } = how;
  signal?.throwIfAborted();
  const body = how.body === undefined ? new ArrayBuffer(0) : await new Response(how.body).arrayBuffer();
  signal?.throwIfAborted();
  const [place, query] = path.split(/\?(.*)/s);
  count += 1;
  const number = count;
  return new Promise((done, fail) => {
    asked.set(number, done);
    signal?.addEventListener("abort", () => {
      if (!asked.delete(number)) return;
      worker().postMessage({ leave: number });
      fail(new DOMException("left", "AbortError"));
    }, { once: true });
    worker().postMessage({ ask: number, method: how.method ?? "GET", path: place, query: query ?? "", kind: how.headers?.["content-type"] ?? "", body }, [body]);
  });
}

/**
 * What makes a link to a file of the API: a server sends it, without one it is made here.
 * @param {string} path
 */
export const file = (path) => ({
  href: new URL(path.slice(1), ROOT).href,
  download: true,
  onclick: ALONE && ((/** @type {Event} */ event) => {
    event.preventDefault();
    send(path).then(async (answer) => {
      const named = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "");
      if (answer.ok) save(await answer.blob(), named?.[1] ?? path.split("/").at(-1) ?? "file");
    });
  }),
});

/**
 * Gives a file to whoever reads the page.
 * @param {Blob} content
 * @param {string} name
 */
export function save(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
