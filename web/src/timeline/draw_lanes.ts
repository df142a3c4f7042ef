// The lanes in sight: step bands behind, a line under every lane, the rows' marks, then what lies over
// them: the range, the flows of the slice chosen, the pointer's column.
import type { SliceDetail, Step, Tile } from "../api/timeline";
import { drawMarks, firstAfter, type RowLook } from "./draw_marks";
import { between, kRow, type Layout, type Placed } from "./layout";
import type { Painter } from "./painter";
import { xOf, type Span } from "./viewport";

export interface Scene {
  layout: Layout;
  window: Span;
  width: number;
  height: number;
  scrollTop: number;
  /** Empty when bands are switched off. */
  steps: Step[];
  range: Span | null;
  detail: SliceDetail | null;
  /** The pointer's x; negative when it is elsewhere. */
  pointer: number;
  tileOf: (lane: number) => Tile | null;
}

export interface SceneLook extends RowLook {
  line: string;
  band: string;
  bandLine: string;
  head: string;
  accent: string;
  muted: string;
}

export function drawLanes(painter: Painter, scene: Scene, look: SceneLook): void {
  const { layout, window, width, height, scrollTop } = scene;
  drawSteps(painter, scene, look);
  for (const at of between(layout, scrollTop, scrollTop + height)) {
    const y = at.top - scrollTop;
    if (!at.lane) {
      painter.rect("head", at.title, look.head, 0, y, width, at.height - 1, 1);
      continue;
    }
    const tile = scene.tileOf(at.lane.lane);
    for (let row = 0; tile && row < at.rows; row++) {
      const marks = tile.rows[row];
      const top = y + row * kRow + 1;
      if (!marks || top + kRow < 0 || top > height) continue;
      drawMarks(painter, tile, marks, window, width, top, look, false);
      // What stands out is drawn again over the density that would hide it.
      if (look.chosen) drawMarks(painter, tile, marks, window, width, top, look, true);
    }
    const bottom = Math.round(y + at.height - 3) + 0.5;
    painter.line("lane", look.line, 0, bottom, width, bottom);
  }
  drawRange(painter, scene, look);
  drawNarrow(painter, scene, look);
  drawFlows(painter, scene, look);
  if (scene.pointer >= 0) {
    const x = Math.round(scene.pointer) + 0.5;
    painter.line("pointer", look.muted, x, 0, x, height);
  }
}

/** Every other step has a ground of its own; each begins with a line. */
function drawSteps(painter: Painter, { steps, window, width, height }: Scene, look: SceneLook): void {
  steps.forEach((step, i) => {
    const left = xOf(step.start, window, width);
    const right = xOf(step.start + step.duration, window, width);
    if (right < 0 || left > width) return;
    const x = Math.max(0, left);
    const wide = Math.min(width, right) - x;
    if (i % 2 === 0 && wide >= 1) painter.rect("step", step.title, look.band, x, 0, wide, height, 1);
    if (right - left < 3) return;
    for (const edge of [left, right]) {
      const at = Math.round(edge) + 0.5;
      if (at >= 0 && at <= width) painter.line("step", look.bandLine, at, 0, at, height);
    }
  });
}

function drawRange(painter: Painter, { range, window, width, height }: Scene, look: SceneLook): void {
  if (!range) return;
  const left = Math.max(-2, xOf(range.start, window, width));
  const right = Math.min(width + 2, xOf(range.end, window, width));
  if (right < left) return;
  painter.rect("range", "", look.accent, left, 0, Math.max(1, right - left), height, 0.14);
  for (const x of [left, right])
    painter.line("range", look.accent, Math.round(x) + 0.5, 0, Math.round(x) + 0.5, height);
}

/** The middle of a slice's row, measured from the top of what is seen; null when its lane is not shown. */
export function heightOf(scene: Scene, lane: number, slice: number, start: number, depth = 0): number | null {
  const at: Placed | undefined = scene.layout.lanes.get(lane);
  if (!at) return null;
  const tile = scene.tileOf(lane);
  let row = Math.min(depth, at.rows - 1);
  for (let r = 0; tile && r < at.rows; r++) {
    const marks = tile.rows[r];
    if (!marks) continue;
    const near = firstAfter(marks, start);
    for (let i = Math.max(0, near - 1); i < Math.min(marks.length, near + 2); i++)
      if (marks.slice[i] === slice) row = r;
  }
  const y = at.top + row * kRow + kRow / 2 - scene.scrollTop;
  return y < -kRow || y > scene.height + kRow ? null : y;
}

/** The slice chosen, when it is too narrow to be seen among its neighbours: a mark of five pixels. */
function drawNarrow(painter: Painter, scene: Scene, { chosen, strong }: SceneLook): void {
  const { detail, window, width } = scene;
  if (!chosen || detail?.slice !== chosen.slice) return;
  const [left, right] = [xOf(chosen.start, window, width), xOf(chosen.end, window, width)];
  if (right - left >= 4 || right < 0 || left > width) return;
  const y = heightOf(scene, chosen.lane, chosen.slice, chosen.start, detail.depth);
  if (y !== null)
    painter.frame("chosen", strong, (left + right) / 2 - 2.5, y - kRow / 2 + 1, 5, kRow - 3, 1.5);
}

const kOutside = 60;
const kForward = ["launched", "backward"];
const kBack = ["launch", "forward"];

/** From cause to effect: what the chosen slice launched, or what launched it; only between lanes in sight. */
function drawFlows(painter: Painter, scene: Scene, look: SceneLook): void {
  const { detail, window, width } = scene;
  if (!detail || !look.chosen) return;
  const own = heightOf(scene, detail.lane, detail.slice, detail.start, detail.depth);
  if (own === null) return;
  for (const other of detail.related) {
    const onward = kForward.includes(other.relation);
    if (!onward && !kBack.includes(other.relation)) continue;
    const there = heightOf(scene, other.lane, other.slice, other.start);
    if (there === null) continue;
    const [from, to] = onward ? [detail, other] : [other, detail];
    const [left, right] = [xOf(from.start, window, width), xOf(to.start, window, width)];
    if (Math.max(left, right) < 0 || Math.min(left, right) > width) continue;
    // An end far outside enters at the edge, at its own height: else the curve would be a flat line.
    const [x1, x2] = [left, right].map((x) => Math.min(width + kOutside, Math.max(-kOutside, x)));
    painter.curve("flow", look.strong, x1, onward ? own : there, x2, onward ? there : own);
  }
}
