// The place, connected to the browser's address and its Back button. `go` adds a history entry (another view, a
// link); `adjust` changes the current one (typing in a search, dragging a column). Scroll positions are stored
// in the history entry, so that Back returns to the same rows.
import { Atom } from "./atom";
import { chosenLanguage, language } from "./language";
import { formatPlace, kLanguage, kNowhere, parsePlace, type Place } from "./place";

export type Scrolls = Record<string, number>;

export const place = new Atom<Place>(kNowhere);
/** Counts arrivals by Back and Forward: code that restores a scroll position watches it. */
export const arrivals = new Atom(0);

let scrolls: Scrolls = {};
let pending = 0;

export function startHistory(): void {
  scrolls = readScrolls(history.state);
  place.set(parsePlace(location.search));
  tidy();
  history.scrollRestoration = "manual";
  addEventListener("popstate", (event) => {
    scrolls = readScrolls(event.state);
    place.set(parsePlace(location.search));
    tidy();
    arrivals.update((n) => n + 1);
  });
  language.watch(() => write("replace", place.get()));
}

/** Removes the token from the address, and adds the current language: Back does not return to an earlier language. */
function tidy(): void {
  const now = new URLSearchParams(location.search);
  if (now.has("token") || (now.get(kLanguage) ?? "") !== chosenLanguage()) write("replace", place.get());
}

function spelt(of: Place): string {
  return location.pathname + formatPlace(of, chosenLanguage());
}

function readScrolls(state: unknown): Scrolls {
  const kept = (state as { scrolls?: Scrolls } | null)?.scrolls;
  return kept && typeof kept === "object" ? { ...kept } : {};
}

function write(how: "push" | "replace", next: Place): void {
  if (how === "push") history.pushState({ scrolls }, "", spelt(next));
  else history.replaceState({ scrolls }, "", spelt(next) + location.hash);
}

export function go(next: Place): void {
  if (formatPlace(next) === formatPlace(place.get())) return;
  flushScrolls();
  if (next.view !== place.get().view) scrolls = {};
  write("push", next);
  place.set(next);
}

export function adjust(change: (now: Place) => Place): void {
  const next = change(place.get());
  if (formatPlace(next) === formatPlace(place.get())) return;
  write("replace", next);
  place.set(next);
}

export function linkTo(target: Place, panel = ""): string {
  return location.origin + spelt(target) + (panel && "#" + panel);
}

export function scrollOf(key: string): number {
  return scrolls[key] ?? 0;
}

/** Remembers the scroll position of `key`; it is written to the history entry when scrolling stops. */
export function keepScroll(key: string, top: number): void {
  if (top > 0) scrolls[key] = top;
  else delete scrolls[key];
  clearTimeout(pending);
  pending = window.setTimeout(flushScrolls, 150);
}

function flushScrolls(): void {
  clearTimeout(pending);
  history.replaceState({ scrolls: { ...scrolls } }, "");
}
