// Which groups, lanes and counters are listed, and in what order: the user's pins, folds, moves and filters,
// applied to the lanes of the profile. Keys: "g2" a group, "7" a lane, "c3" a counter, "c3s1" one series of it,
// "q3" a fold of similar counters whose first is 3, or of the series of 3; "k2" all counters of a group with lanes, "m2"
// its lanes that hold next to nothing.
import type { Counter, Lane, LaneGroup } from "../api/timeline";
import { fill, words } from "../base/words";
import { isDerived, isDerivedGroup } from "./derived";

export interface Shape {
  closed: ReadonlySet<string>;
  pinned: readonly string[];
  hidden: ReadonlySet<string>;
  /** Kinds of lanes that are not shown: those of the wire, and "counter". */
  kindsOff: ReadonlySet<string>;
  order: readonly string[];
  filter: string;
}

export interface Entry {
  key: string;
  kind: "group" | "fold" | "lane" | "counter";
  /** Number of the group it belongs to. */
  group: number;
  title: string;
  lane: Lane | null;
  counter: Counter | null;
  /** The drawn series; null: the whole counter. */
  series: number | null;
  closed: boolean;
  pinned: boolean;
  children: Entry[];
}

export interface Listed {
  pinned: Entry[];
  groups: Entry[];
  /** How many lanes and counters are hidden, by the user or by the filter. */
  hidden: number;
  filtered: number;
}

/** Python stacks with more rows than this begin folded; otherwise they would push the devices off the screen. */
const kDeepStack = 12;
/** More similar counters than this get a separate fold, closed at first. */
const kMostAlike = 8;
const kMostTogether = 2;
/** In a lane with a series this much larger than itself, a series looks like 0. */
const kMostTimesLarger = 20;

export function laneKey(lane: number): string {
  return String(lane);
}

export function groupKey(group: number): string {
  return `g${group}`;
}

export function counterKey(counter: number): string {
  return `c${counter}`;
}

/** Puts `keys` in the given order: those in `order` take one another's positions. */
export function inOrder<T extends { key: string }>(entries: T[], order: readonly string[]): T[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const wanted = order.flatMap((key) => byKey.get(key) ?? []);
  const moved = new Set(wanted);
  let next = 0;
  return entries.map((entry) => (moved.has(entry) ? wanted[next++] : entry));
}

/** The `order` after `key` was moved to place `to` among its siblings (in today's order). */
export function withMoved(
  order: readonly string[],
  natural: string[],
  now: string[],
  key: string,
  to: number,
): string[] {
  const wanted = now.filter((other) => other !== key);
  wanted.splice(Math.max(0, Math.min(wanted.length, to)), 0, key);
  const rest = order.filter((other) => !natural.includes(other));
  let first = 0;
  let last = natural.length - 1;
  while (first <= last && wanted[first] === natural[first]) first++;
  while (last > first && wanted[last] === natural[last]) last--;
  return [...rest, ...wanted.slice(first, last + 1)];
}

function nameOf(lane: Lane): string {
  return lane.part === "python" ? fill(words.timeline.pythonOf, { title: lane.title }) : lane.title;
}

function entryOf(kind: Entry["kind"], key: string, group: number, title: string, shape: Shape): Entry {
  return {
    key,
    kind,
    group,
    title,
    lane: null,
    counter: null,
    series: null,
    closed: shape.closed.has(key),
    pinned: shape.pinned.includes(key),
    children: [],
  };
}

/** Whether its series can be read in one lane: few, and of like size. */
function sharesLane({ series, most }: Counter): boolean {
  const like = ({ most: own }: Counter["series"][number]) => !own || own * kMostTimesLarger >= (most ?? 0);
  return series.length === 1 || (series.length <= kMostTogether && series.every(like));
}

/** A counter whose series cannot be read together is a fold with a lane for each. */
function counterEntry(counter: Counter, group: number, shape: Shape): Entry {
  const entry = entryOf("counter", counterKey(counter.counter), group, counter.title, shape);
  entry.counter = counter;
  if (sharesLane(counter)) return entry;
  const own = counter.series.map(({ title }, series): Entry => {
    const made = entryOf("counter", `${entry.key}s${series}`, group, title, shape);
    return { ...made, counter, series };
  });
  return foldOf(`q${counter.counter}`, group, counter.title, own, shape);
}

function foldOf(
  key: string,
  group: number,
  title: string,
  children: Entry[],
  shape: Shape,
  closedAtFirst = children.length > kMostAlike,
): Entry {
  const fold = entryOf("fold", key, group, title, shape);
  fold.children = children;
  if (closedAtFirst) fold.closed = !fold.closed;
  return fold;
}

/** The common name of similar counters: the text before the number ("CPU 0 in use": "CPU"), or, if that is not
 * a name ("S[3] (queue)"), the first and the last title. */
function titleOf(family: string, own: Counter[]): string {
  const before = family.replace(/[\s,:]*\w*\s*#.*$/, "");
  if (/^[\w\s.]*\w$/.test(before)) return before;
  return fill(words.timeline.fromTo, { first: own[0].title, last: own[own.length - 1].title });
}

/** Counters whose titles differ only in numbers belong together. */
function countersOf(counters: Counter[], group: number, shape: Shape): Entry[] {
  const alike = new Map<string, Counter[]>();
  for (const counter of counters) {
    const family = counter.title.replace(/\d+/g, "#");
    alike.set(family, [...(alike.get(family) ?? []), counter]);
  }
  return [...alike].flatMap(([family, own]) => {
    const entries = own.map((counter) => counterEntry(counter, group, shape));
    if (entries.length <= kMostAlike) return entries;
    return [foldOf(`q${own[0].counter}`, group, titleOf(family, own), entries, shape)];
  });
}

/** Lanes first, then all counters in one row, then the lanes that hold next to nothing in another. */
function groupOf(
  { title, minor, lanes, counters }: LaneGroup,
  group: number,
  shape: Shape,
  hasLanes: boolean,
): Entry {
  const say = words.timeline;
  const entry = entryOf("group", groupKey(group), group, title, shape);
  const entries = (some: Lane[]) =>
    some.map((lane): Entry => {
      const made = entryOf("lane", laneKey(lane.lane), group, nameOf(lane), shape);
      made.lane = lane;
      if (lane.part === "python" && lane.rows > kDeepStack) made.closed = !made.closed;
      return made;
    });
  const folded = (key: string, text: string, n: number, children: Entry[]) =>
    foldOf(`${key}${group}`, group, fill(text, { n }), children, shape, true);
  const own = entries(lanes.filter((lane) => !lane.minor));
  const few = entries(lanes.filter((lane) => lane.minor));
  const values = countersOf(counters, group, shape);
  const together = lanes.length > 0 && counters.length > 1;
  entry.children = [
    ...own,
    ...(together ? [folded("k", say.counters, counters.length, values)] : values),
    ...(few.length > 0 ? [folded("m", say.minorLanes, few.length, few)] : []),
  ];
  if (minor || (lanes.length === 0 && hasLanes)) entry.closed = !entry.closed;
  return entry;
}

/** All entries in natural order, including hidden and moved ones. */
export function allEntries(groups: LaneGroup[], shape: Shape): Entry[] {
  const hasLanes = groups.some(({ lanes }) => lanes.length > 0);
  const entries = groups.map((group, number) => groupOf(group, number, shape, hasLanes));
  const derived = entries.filter((_entry, number) => isDerivedGroup(groups[number]));
  return derived.length === 0
    ? entries
    : [...derived, ...entries.filter((entry) => !derived.includes(entry))];
}

/** Whether the user has switched it off; for a group and a fold, whether all its children are off. */
export function kindOf({ kind, lane }: Entry): string {
  if (lane && isDerived(lane.lane)) return "";
  return kind === "lane" ? (lane?.kind ?? "") : kind === "counter" ? "counter" : "";
}

function leaves(entry: Entry): number {
  return entry.children.length === 0 ? 1 : entry.children.reduce((n, child) => n + leaves(child), 0);
}

export function listLanes(groups: LaneGroup[], shape: Shape): Listed {
  const wanted = shape.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const pinned = new Map<string, Entry>();
  let hidden = 0;
  let filtered = 0;
  const keep = (entries: Entry[], path: string): Entry[] =>
    inOrder(entries, shape.order).flatMap((entry) => {
      if (shape.hidden.has(entry.key) || shape.kindsOff.has(kindOf(entry))) {
        hidden += leaves(entry);
        return [];
      }
      if (entry.pinned) {
        pinned.set(entry.key, { ...entry, children: keep(entry.children, path) });
        return [];
      }
      const name = `${path} ${entry.title}`.toLowerCase();
      if (entry.children.length === 0) {
        if (wanted.every((word) => name.includes(word))) return [entry];
        filtered++;
        return [];
      }
      const children = keep(entry.children, name);
      // A fold without lanes is left out; filter matches are shown even if they are folded.
      if (children.length === 0) return [];
      return [{ ...entry, children, closed: entry.closed && wanted.length === 0 }];
    });
  const kept = keep(allEntries(groups, shape), "");
  const inPins = shape.pinned.flatMap((key) => pinned.get(key) ?? []);
  return { pinned: inPins, groups: kept, hidden, filtered };
}

/** The entries around a lane, from the outermost; null if there is no such lane. */
export function around(entries: Entry[], lane: number): Entry[] | null {
  for (const entry of entries) {
    if (entry.lane?.lane === lane) return [];
    const inside = around(entry.children, lane);
    if (inside) return [entry, ...inside];
  }
  return null;
}

/** The siblings of `key`, in natural order; null if there is no such key. */
export function siblingsOf(groups: LaneGroup[], shape: Shape, key: string): string[] | null {
  const find = (entries: Entry[]): string[] | null => {
    if (entries.some((entry) => entry.key === key)) return entries.map((entry) => entry.key);
    for (const { children } of entries) {
      const found = find(children);
      if (found) return found;
    }
    return null;
  };
  return find(allEntries(groups, shape));
}
