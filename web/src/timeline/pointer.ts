// What is at a position of the timeline's canvases: a mark, a counter, a lane, a time.
import type { Controller } from "./controller";
import { hitMark, nearestEdge, type HitMark } from "./hit";
import { placedAt, rowAt, type Placed } from "./layout";
import { timeAt } from "./viewport";

const kSnap = 6;

export function timeOf(timeline: Controller, x: number): number {
  return timeAt(x, timeline.moves.window, timeline.moves.width);
}

export function placedUnder(timeline: Controller, y: number): Placed | null {
  const { layout, scrollTop, height } = timeline.lanes;
  return placedAt(layout, y, scrollTop, height)?.at ?? null;
}

export function markUnder(timeline: Controller, x: number, y: number): HitMark | null {
  const { layout, scrollTop, height } = timeline.lanes;
  const where = rowAt(layout, y, scrollTop, height);
  const tile = where?.at.lane ? timeline.tileOf(where.at.lane.lane) : null;
  if (!where || !tile) return null;
  return hitMark(tile, where.row, x, timeline.moves.window, timeline.moves.width);
}

/** The time at `x`, or the edge of a slice of that row when one is near. */
export function snapped(timeline: Controller, x: number, y: number): number {
  const { layout, scrollTop, height } = timeline.lanes;
  const { window, width } = timeline.moves;
  const time = timeOf(timeline, x);
  const where = rowAt(layout, y, scrollTop, height);
  const tile = where?.at.lane ? timeline.tileOf(where.at.lane.lane) : null;
  return (where && tile && nearestEdge(tile, where.row, time, window, width, kSnap)) ?? time;
}
