// What is under the pointer: the row by height, the mark by time. A slice narrower than the pointer's reach is
// still hit, the nearest one first; a mark of several slices is one hit.
import type { Tile } from "../api/tiles";
import { firstAfter } from "./draw_marks";
import { timeAt, type Span } from "./viewport";

export interface HitMark {
  lane: number;
  row: number;
  slice: number;
  name: string;
  kind: string;
  /** Of a derived lane: its kind is a text of the program. */
  derived: boolean;
  group: string;
  start: number;
  end: number;
  busy: number;
  count: number;
}

const kReach = 3;

/** The mark of a tile's row at `x`. */
export function hitMark(tile: Tile, row: number, x: number, window: Span, width: number): HitMark | null {
  const marks = tile.rows[row];
  if (!marks) return null;
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
    row,
    slice: marks.slice[best],
    name: tile.names[marks.name[best]] ?? "",
    kind: tile.kinds[marks.kind[best]] ?? "other",
    derived: tile.hues !== null,
    group: marks.group ? (tile.groups[marks.group[best]] ?? "") : "",
    start: marks.start[best],
    end: marks.end[best],
    busy: marks.busy[best],
    count: marks.count[best],
  };
}

/** The edge of a mark nearest to `time`, if one is within `pixels`: what a measurement snaps to. */
export function nearestEdge(
  tile: Tile,
  row: number,
  time: number,
  window: Span,
  width: number,
  pixels: number,
): number | null {
  const marks = tile.rows[row];
  if (!marks) return null;
  const reach = (pixels * (window.end - window.start)) / width;
  let best: number | null = null;
  for (let i = firstAfter(marks, time - reach); i < marks.length && marks.start[i] <= time + reach; i++) {
    for (const edge of [marks.start[i], marks.end[i]])
      if (Math.abs(edge - time) <= reach && (best === null || Math.abs(edge - time) < Math.abs(best - time)))
        best = edge;
  }
  return best;
}
