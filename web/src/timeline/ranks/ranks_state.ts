// The state of ranks on one axis in the address ("timeline.ranks=span"). The window is that of the timeline: times are
// on the clock of the profile that is open, so both show the same moment.
import type { Span } from "../viewport";

/** Clocks: by the measured offsets. Step, start: the first common step, or the beginning, of every rank is put under that
 * of the reference. Recorded: as the files have it. */
export type Align = "clocks" | "step" | "start" | "recorded";
export const kAligns: Align[] = ["clocks", "step", "start", "recorded"];

export interface RanksState {
  window: Span | null;
  align: Align;
  /** "rank", "late", or the name of a kind of groups. */
  sort: string;
  passes: boolean;
  /** The span that is added: run and span. */
  added: { run: string; span: string } | null;
  /** Row of the selected rank, and a time of the axis. */
  select: { rank: number; time: number } | null;
  /** The row below which the lanes of its rank are shown. */
  unfolded: number | null;
  /** Ns by row that the user has added. */
  shifts: ReadonlyMap<number, number>;
}

type Page = Record<string, string>;

export function ranksAreOpen(page: Page, key: string): boolean {
  return page[`${key}.ranks`] === "span";
}

function numbers(text: string | undefined, count: number): number[] | null {
  const list = (text ?? "").split(",").map((part) => (part === "" ? NaN : Number(part)));
  return list.length === count && list.every(Number.isFinite) ? list : null;
}

function readAdded(text: string | undefined): RanksState["added"] {
  try {
    const [run, span, ...rest] = JSON.parse(text ?? "") as unknown[];
    return typeof run === "string" && typeof span === "string" && rest.length === 0 ? { run, span } : null;
  } catch {
    return null;
  }
}

export function addedText(run: string, span: string): string {
  return JSON.stringify([run, span]);
}

function readShifts(text: string | undefined): Map<number, number> {
  const shifts = new Map<number, number>();
  for (const part of (text ?? "").split(",")) {
    const [, rank, shift] = /^(\d+):(-?\d+)$/.exec(part) ?? [];
    if (rank !== undefined && Number.isSafeInteger(Number(shift))) shifts.set(Number(rank), Number(shift));
  }
  return shifts;
}

export function readRanks(page: Page, key: string): RanksState {
  const get = (name: string) => page[`${key}.${name}`];
  const window = numbers(get("window"), 2);
  const select = numbers(get("rank"), 2);
  const align = kAligns.find((each) => each === get("align")) ?? "clocks";
  return {
    window: window && window[1] > window[0] ? { start: window[0], end: window[1] } : null,
    align,
    sort: get("sort") ?? "rank",
    passes: get("passes") === "1",
    added: readAdded(get("added")),
    select: select && { rank: select[0], time: select[1] },
    unfolded: numbers(get("unfold"), 1)?.[0] ?? null,
    shifts: readShifts(get("shifts")),
  };
}

/** The page keys for a state; an empty text removes a key. */
export function writeRanks(state: RanksState, key: string): Page {
  const { window, align, sort, passes, added, select, unfolded, shifts } = state;
  const texts: Page = {
    window: window ? `${Math.round(window.start)},${Math.round(window.end)}` : "",
    align: align === "clocks" ? "" : align,
    sort: sort === "rank" ? "" : sort,
    passes: passes ? "1" : "",
    added: added ? addedText(added.run, added.span) : "",
    rank: select ? `${select.rank},${Math.round(select.time)}` : "",
    unfold: unfolded === null ? "" : String(unfolded),
    shifts: [...shifts].map(([rank, shift]) => `${rank}:${shift}`).join(","),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${key}.${name}`, text]));
}

/** The keys that belong to ranks alone, emptied. */
export function withoutRanks(key: string): Page {
  const names = ["ranks", "align", "sort", "passes", "added", "rank", "unfold", "shifts"];
  return Object.fromEntries(names.map((name) => [`${key}.${name}`, ""]));
}
