// What lies under the pointer: the row by height, the mark by time. A slice narrower than the pointer's
// reach is still hit, the nearest one first; a mark that sums up is one hit of its own.
import type { Tile } from "../api/timeline";
import { firstAfter } from "./draw_marks";
import { rowAt, type Layout } from "./layout";
import { timeAt, type Span } from "./viewport";

export interface HitMark {
  lane: number;
  row: number;
  slice: number;
  name: string;
  kind: string;
  start: number;
  end: number;
  busy: number;
  count: number;
}

const kReach = 3;

export function hitMark(
  layout: Layout,
  tileOf: (lane: number) => Tile | null,
  x: number,
  y: number,
  window: Span,
  width: number,
): HitMark | null {
  const where = rowAt(layout, y);
  const tile = where?.at.lane ? tileOf(where.at.lane.lane) : null;
  const marks = where ? tile?.rows[where.row] : undefined;
  if (!where || !tile || !marks) return null;
  const reach = (kReach * (window.end - window.start)) / width;
  const time = timeAt(x, window, width);
  let best = -1;
  let nearest = Infinity;
  for (let i = firstAfter(marks, time - reach); i < marks.length && marks.start[i] <= time + reach; i++) {
    const away = Math.max(marks.start[i] - time, time - marks.end[i], 0);
    if (away >= nearest) continue;
    nearest = away;
    best = i;
  }
  if (best < 0) return null;
  return {
    lane: tile.lane,
    row: where.row,
    slice: marks.slice[best],
    name: tile.names[marks.name[best]] ?? "",
    kind: tile.kinds[marks.kind[best]] ?? "other",
    start: marks.start[best],
    end: marks.end[best],
    busy: marks.busy[best],
    count: marks.count[best],
  };
}
