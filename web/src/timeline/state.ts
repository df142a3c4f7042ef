// What of the timeline stands in the address: window, range, slice, folded lanes, search, bands. Keys are
// the panel's own ("timeline.window=1200,3400"); what is as it begins takes no room. Numbers that are
// none, or a window that is empty, count as absent.
import type { Span } from "./viewport";

export interface ViewState {
  /** Null: all of it. */
  window: Span | null;
  range: Span | null;
  slice: number | null;
  closed: ReadonlySet<string>;
  text: string;
  bands: boolean;
}

type Page = Record<string, string>;

function readSpan(text: string | undefined): Span | null {
  const [start, end, ...rest] = (text ?? "").split(",").map((part) => (part === "" ? NaN : Number(part)));
  return rest.length === 0 && Number.isFinite(start) && Number.isFinite(end) && end > start
    ? { start, end }
    : null;
}

function writeSpan(span: Span | null): string {
  if (!span) return "";
  const start = Math.round(span.start);
  return `${start},${Math.max(start + 1, Math.round(span.end))}`;
}

export function readState(page: Page, key: string): ViewState {
  const slice = /^\d+$/.test(page[`${key}.select`] ?? "") ? Number(page[`${key}.select`]) : null;
  return {
    window: readSpan(page[`${key}.window`]),
    range: readSpan(page[`${key}.range`]),
    slice,
    closed: new Set((page[`${key}.closed`] ?? "").split(",").filter((part) => /^g?\d+$/.test(part))),
    text: page[`${key}.text`] ?? "",
    bands: page[`${key}.bands`] !== "0",
  };
}

/** The page keys that say `state`; an empty text removes a key. */
export function writeState(state: ViewState, key: string): Page {
  return {
    [`${key}.window`]: writeSpan(state.window),
    [`${key}.range`]: writeSpan(state.range),
    [`${key}.select`]: state.slice === null ? "" : String(state.slice),
    [`${key}.closed`]: [...state.closed].sort().join(","),
    [`${key}.text`]: state.text,
    [`${key}.bands`]: state.bands ? "" : "0",
  };
}
