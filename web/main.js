//! The frame of every page: header, language, keys, the bar for a lost connection, and which page an address shows.

/** @import { View } from "./types.js" */
import { onLine, retryNow } from "./api.js";
import { board } from "./board.js";
import { check } from "./check.js";
import { el, set } from "./dom.js";
import { home } from "./home.js";
import { icon, sign } from "./icons.js";
import { puzzle } from "./puzzle.js";
import { results } from "./results.js";
import { ALONE, ROOT, address, here, page } from "./route.js";
import { settings } from "./settings.js";
import { studies } from "./studies.js";
import { dress } from "./theme.js";
import { language, speak, word } from "./words.js";

/** @type {Record<string, (root: HTMLElement, leaving: AbortSignal) => View>} */
const PAGES = { "/": home, "/board": board, "/results": results, "/studies": studies, "/check": check, "/puzzle": puzzle };

const header = el("header", { class: "top" });
const lost = el("div", { class: "lost", role: "alert", hidden: true });
const main = el("main", { id: "main", tabindex: -1 });
const help = el("dialog", { class: "help" });
const choices = settings(() => view?.redraw());
document.body.append(header, lost, main, help, choices.node);
dress();

// A server that others can reach prints its address with a token. It is kept in a cookie, so that links to files carry it.
const token = /^#token=([\w-]+)$/.exec(location.hash);
if (token) {
  document.cookie = `yomikiri-token=${token[1]}; path=/api; samesite=strict`;
  history.replaceState(null, "", location.pathname + location.search);
}

/** @type {View | undefined} */
let view;
/** @type {AbortController | undefined} */
let leave;
let path = "";
let mounted = "";
let hash = location.hash;

/** The language of the address, or else the browser's. */
const wanted = () => {
  const given = here().get("lang");
  return given === "ja" || given === "en" ? given : navigator.languages?.some((one) => one.startsWith("ja")) && navigator.language.startsWith("ja") ? "ja" : "en";
};

function frame() {
  const now = page(location.pathname);
  const link = (/** @type {string} */ to, /** @type {string} */ text, /** @type {boolean} */ current) => el("a", { href: address(to), "aria-current": current ? "page" : undefined }, text);
  set(header,
    el("a", { class: "skip", href: "#main", onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      main.focus();
    } }, word("skip")),
    el("a", { class: "brand", href: address("/"), "aria-label": "yomikiri" }, sign(), el("span", {}, "yomikiri"), el("small", { lang: "ja" }, "読み切り")),
    el("nav", { "aria-label": "yomikiri" }, link("/", word("games"), now === "/" || now === "/board"), link("/puzzle", word("puzzles"), now === "/puzzle"), link("/results", word("results"), now === "/results"), link("/studies", word("studies"), now === "/studies"), link("/check", word("check"), now === "/check")),
    el("div", { class: "end" },
      el("button", { class: "btn keys", type: "button", onclick: openHelp, "aria-keyshortcuts": "?" }, word("keys"), el("kbd", {}, "?")),
      el("button", { class: "btn set", type: "button", onclick: choices.open, "aria-label": word("settings"), title: word("settings") }, icon("gear"), el("span", {}, word("settings"))),
      el("span", { class: "seg sm", role: "group", "aria-label": word("language") },
        [["en", "EN"], ["ja", "日本語"]].map(([to, text]) => el("button", { type: "button", lang: to, "aria-pressed": String(language() === to), onclick: () => turn(/** @type {"en" | "ja"} */ (to)) }, text)))));
}

/** @param {"en" | "ja"} to */
function turn(to) {
  const query = here();
  query.set("lang", to);
  history.replaceState(null, "", `${location.pathname}?${query}${location.hash}`);
  mounted = location.pathname + location.search;
  speak(to);
  frame();
  view?.redraw();
}

function openHelp() {
  /** @type {[string[], string][]} */
  const keys = [
    [["1", "…", "9"], word("keyPlay")], [["←", "→"], word("keyArrows")], [["Home", "End"], word("keyEnds")], [["U", "R"], word("keyUndo")], [["Enter"], word("keyEnter")], [["B"], word("keyBoard")], [["M"], word("keyMoves")], [["H"], word("keyHints")], [["N"], word("keyNew")], [["V"], word("keyVariant")], [["G"], word("keyRules")],
    [["F"], word("keyHint")], [["P"], word("keyOptimal")], [["E"], word("keyEdit")], [["T"], word("keySee")], [["C"], word("keyCopy")], [["S"], word("keyShare")], [["I"], word("keyImage")], [["L"], word("keyLang")], [["?"], word("keyHelp")], [["Esc"], word("keyEsc")],
  ];
  help.setAttribute("aria-label", word("keys"));
  set(help, el("div", { class: "row" }, el("h2", {}, word("keys")), el("button", { class: "btn sq", type: "button", "aria-label": word("close"), onclick: () => help.close() }, icon("no"))),
    el("dl", {}, keys.map(([names, text]) => [el("dt", {}, names.map((name) => (name === "…" ? " … " : el("kbd", {}, name)))), el("dd", {}, text)])));
  if (!help.open) help.showModal();
}
help.addEventListener("click", (event) => {
  if (event.target === help) help.close();
});

function show() {
  mounted = location.pathname + location.search;
  hash = location.hash;
  speak(wanted());
  frame();
  const now = page(location.pathname);
  if (path === now && view?.moved?.()) return;
  path = now;
  leave?.abort();
  leave = new AbortController();
  main.replaceChildren();
  main.className = path === "/" ? "home" : path.slice(1);
  scrollTo(0, 0);
  document.title = "yomikiri";
  const made = PAGES[path];
  if (made) view = made(main, leave.signal);
  else {
    view = undefined;
    set(main, el("div", { class: "hero" }, el("h1", {}, word("notFound")), el("p", {}, el("a", { href: address("/") }, word("home")))));
  }
}

// Links within the page do not load it again.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.hasAttribute("download")) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || !(page(to.pathname) in PAGES) || (to.hash && to.pathname === location.pathname && to.search === location.search)) return;
  event.preventDefault();
  history.pushState(null, "", to.pathname + to.search);
  // Another game, paper or run is another page.
  path = "";
  show();
});
addEventListener("popstate", () => {
  // A link to a place on the same page only scrolls.
  const same = location.hash !== hash && location.pathname + location.search === mounted;
  hash = location.hash;
  if (!same) show();
});

addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open || choices.node.open) return;
  if (target.matches("input, textarea, select") && event.key !== "Escape") return;
  if (event.key === "?") openHelp();
  else if (event.key === "l" || event.key === "L") turn(language() === "en" ? "ja" : "en");
  else if (!view?.key?.(event)) return;
  event.preventDefault();
});

/** @type {ReturnType<typeof setInterval> | undefined} */
let counting;
onLine((line) => {
  clearInterval(counting);
  lost.hidden = line.state === "good";
  if (line.state === "good") return;
  let seconds = line.state === "busy" ? line.seconds : 0;
  const text = el("span");
  const tick = () => {
    text.textContent = line.state === "busy" ? word("busy", { n: Math.max(Math.round(seconds), 0) }) : line.state === "broken" ? word("broken", { why: line.why }) : word(line.state);
    seconds -= 1;
  };
  tick();
  if (line.state === "busy") counting = setInterval(tick, 1000);
  // Without the token, or in a browser that cannot, trying again helps nobody.
  set(lost, text, line.state === "token" || line.state === "broken" ? null : el("button", { class: "btn", type: "button", onclick: retryNow }, word("retry")));
});

show();

// What has been opened once can be opened without a network. It is kept when the first board is there, not while it is waited for.
if (ALONE && "serviceWorker" in navigator) setTimeout(() => navigator.serviceWorker.register(new URL("sw.js", ROOT)).catch(() => {}), 3000);
