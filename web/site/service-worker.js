//! Keeps the page for when there is no network. Before it the maker of the site writes FILES, what the page consists of,
//! and VERSION, a digest of all of it: another version is another cache, and is used when the last page of the old one has
//! been closed, so that no page is ever made of two.

const PREFIX = "yomikiri-";
const CACHE = PREFIX + VERSION;
const worker = /** @type {any} */ (globalThis);

worker.addEventListener("install", (/** @type {any} */ event) => {
  // What the browser has got already is asked for, not loaded again.
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })))));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    await worker.clients.claim();
  })());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const place = new URL(request.url);
  if (request.method !== "GET" || place.origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    // What stands after a page's name is for the page.
    const known = await cache.match(request, { ignoreSearch: request.mode === "navigate" });
    if (known) return known;
    // Some hosts leave the ending out of addresses.
    const page = request.mode === "navigate" && await cache.match(`${place.origin}${place.pathname}.html`);
    return page || fetch(request);
  })());
});
