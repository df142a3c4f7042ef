// Positions of the listed lanes: a 20 px head per group, lanes of 18 px rows below it, counters of 34 px. A
// folded lane is 18 px high, and its outermost rows are compressed into that. Pinned lanes are on top and do
// not scroll; all others follow, measured from the top of the whole list.
import type { Counter, Lane } from "../api/timeline";
import type { Entry, Listed } from "./lane_list";

export const kRow = 18;
export const kHead = 20;
export const kCounter = 34;
const kGap = 6;
/** Rows of a folded lane that can still be distinguished. */
const kPressed = 6;
/** Share of the height that pinned lanes may take. */
const kMostPinned = 0.6;

export interface Placed {
  key: string;
  kind: Entry["kind"];
  group: number;
  title: string;
  lane: Lane | null;
  counter: Counter | null;
  /** The drawn series; null: the whole counter. */
  series: number | null;
  top: number;
  height: number;
  closed: boolean;
  pinned: boolean;
  /** Rows drawn. */
  rows: number;
  /** Height of a row; less than `kRow` if rows are compressed. */
  pitch: number;
  /** Depth below its group. */
  level: number;
}

export interface Layout {
  /** On top, always visible. */
  pinned: Placed[];
  pinnedHeight: number;
  /** From `pinnedHeight` on. */
  placed: Placed[];
  height: number;
  /** By lane number. */
  lanes: Map<number, Placed>;
  hidden: number;
  filtered: number;
}

export interface Seen {
  at: Placed;
  /** From the top of the visible part. */
  y: number;
}

function place(
  entries: Entry[],
  from: number,
  pinned: boolean,
  lanes: Map<number, Placed>,
): [Placed[], number] {
  const placed: Placed[] = [];
  let top = from;
  const add = (
    { key, kind, group, title, lane, counter, series, closed, children }: Entry,
    level: number,
  ) => {
    const folded = closed && (lane === null || lane.rows > 1);
    const all = lane ? Math.max(1, lane.rows) : 0;
    const rows = folded ? Math.min(all, kPressed) : all;
    const pitch = folded && lane ? (kRow - 2) / rows : kRow;
    const height = lane ? rows * pitch + (folded ? 2 : 0) + kGap : counter ? kCounter : kHead;
    const at: Placed = {
      key,
      kind,
      group,
      title,
      lane,
      counter,
      series,
      top,
      height,
      closed: folded,
      pinned,
      rows,
      pitch,
      level,
    };
    placed.push(at);
    if (lane) lanes.set(lane.lane, at);
    top += height;
    if (!folded) for (const child of children) add(child, level + 1);
  };
  for (const entry of entries) add(entry, 0);
  return [placed, top];
}

export function layOut(listed: Listed): Layout {
  const lanes = new Map<number, Placed>();
  const [pinned, pinnedHeight] = place(listed.pinned, 0, true, lanes);
  const [placed, height] = place(listed.groups, pinnedHeight, false, lanes);
  return { pinned, pinnedHeight, placed, height, lanes, hidden: listed.hidden, filtered: listed.filtered };
}

/** The height of the pinned lanes in a window of `height`. */
export function pinnedShown(layout: Layout, height: number): number {
  return Math.min(layout.pinnedHeight, Math.floor(height * kMostPinned));
}

/** The entries between two heights of an ordered list. */
export function between(placed: Placed[], top: number, bottom: number): Placed[] {
  let low = 0;
  let high = placed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placed[middle].top + placed[middle].height <= top) low = middle + 1;
    else high = middle;
  }
  const seen: Placed[] = [];
  for (let i = low; i < placed.length && placed[i].top < bottom; i++) seen.push(placed[i]);
  return seen;
}

/** The visible part of the scrolled list, below the pinned lanes. */
export function scrolledIn(layout: Layout, scrollTop: number, height: number): Seen[] {
  const cover = pinnedShown(layout, height);
  return between(layout.placed, scrollTop + cover, scrollTop + height).map((at) => ({
    at,
    y: at.top - scrollTop,
  }));
}

/** The visible part of the pinned lanes. */
export function pinnedIn(layout: Layout, height: number): Seen[] {
  return between(layout.pinned, 0, pinnedShown(layout, height)).map((at) => ({ at, y: at.top }));
}

/** The top of a placed entry, from the top of the visible part. */
export function seenTop(at: Placed, scrollTop: number): number {
  return at.pinned ? at.top : at.top - scrollTop;
}

/** The entry at a height of the visible part, and its row there; null below everything. */
export function placedAt(
  layout: Layout,
  y: number,
  scrollTop: number,
  height: number,
): { at: Placed; row: number; y: number } | null {
  const onPins = y < pinnedShown(layout, height);
  const own = onPins ? y : y + scrollTop;
  const [at] = between(onPins ? layout.pinned : layout.placed, own, own + 0.01);
  if (!at) return null;
  return { at, row: at.rows > 0 ? Math.floor((own - at.top) / at.pitch) : -1, y: seenTop(at, scrollTop) };
}

/** The lane and row at a height of the visible part; null on heads, counters and in gaps. */
export function rowAt(
  layout: Layout,
  y: number,
  scrollTop: number,
  height: number,
): { at: Placed; row: number } | null {
  const found = placedAt(layout, y, scrollTop, height);
  return found?.at.lane && found.row < found.at.rows ? found : null;
}
