// Flows over the lanes: curves from cause to effect. Those of the selected slice are drawn in full, all others
// faint. If an end is not visible, the curve goes to the edge, at the end's own height or above or below the
// lanes, so that it shows its direction.
import type { FlowColumns } from "../api/timeline";
import type { Flow } from "./flows";
import { kRow, seenTop, type Layout } from "./layout";
import type { Painter } from "./painter";
import { xOf, type Span } from "./viewport";

export interface FlowScene {
  layout: Layout;
  scrollTop: number;
  height: number;
  window: Span;
  width: number;
}

const kOutside = 60;
const kFaint = 0.3;
const kMany = 400;
/** Pixels. */
const kApart = 4;

/** The middle of a row of a lane, from the top of the visible part; null if the lane is not listed. */
export function rowMiddle({ layout, scrollTop }: FlowScene, lane: number, row: number): number | null {
  const at = layout.lanes.get(lane);
  if (!at) return null;
  return seenTop(at, scrollTop) + (Math.min(row, at.rows - 1) + 0.5) * at.pitch;
}

/** The ends of a curve on the screen; null if no part of it is visible. */
function endsOf(scene: FlowScene, flow: Flow): number[] | null {
  const { window, width, height } = scene;
  const y1 = rowMiddle(scene, flow.fromLane, flow.fromRow);
  const y2 = rowMiddle(scene, flow.toLane, flow.toRow);
  if (y1 === null || y2 === null) return null;
  if (Math.max(y1, y2) < 0 || Math.min(y1, y2) > height) return null;
  const [left, right] = [xOf(flow.fromTime, window, width), xOf(flow.toTime, window, width)];
  if (Math.max(left, right) < 0 || Math.min(left, right) > width) return null;
  const within = (n: number, most: number, out: number) => Math.min(most + out, Math.max(-out, n));
  // An end far outside enters at the edge, at its own height; otherwise the curve would be a flat line.
  return [
    within(left, width, kOutside),
    within(y1, height, kRow),
    within(right, width, kOutside),
    within(y2, height, kRow),
  ];
}

export function drawFlows(painter: Painter, scene: FlowScene, flows: Flow[], color: string): void {
  const ends = flows.flatMap((flow) => endsOf(scene, flow) ?? []);
  if (ends.length > 0) painter.curves("flow", color, ends, 1);
}

export function drawAllFlows(
  painter: Painter,
  scene: FlowScene,
  flows: FlowColumns,
  off: ReadonlySet<string>,
  hues: Record<string, string>,
): void {
  const byKind = new Map<string, number[]>();
  // Curves that cannot be distinguished are drawn once.
  const thin = flows.kind.length > kMany;
  const drawn = new Set<string>();
  for (let i = 0; i < flows.kind.length; i++) {
    const kind = flows.kind[i];
    if (off.has(kind)) continue;
    const ends = endsOf(scene, {
      kind,
      fromLane: flows.from_lane[i],
      fromRow: flows.from_row[i],
      fromTime: flows.from_time[i],
      toLane: flows.to_lane[i],
      toRow: flows.to_row[i],
      toTime: flows.to_time[i],
    });
    if (!ends) continue;
    if (thin) {
      const key = ends.map((n) => Math.round(n / kApart)).join(" ");
      if (drawn.has(key)) continue;
      drawn.add(key);
    }
    const list = byKind.get(kind);
    if (list) list.push(...ends);
    else byKind.set(kind, ends);
  }
  for (const [kind, ends] of byKind) painter.curves(kind, hues[kind] ?? hues.launch, ends, kFaint);
}
