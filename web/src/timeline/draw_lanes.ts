// The visible lanes: step bands in the background, a line under every lane, the rows' marks and counters, then
// the overlays: the range, markers, flows. Pinned lanes are drawn last, over the lanes that scroll below them.
import type { Hit, Marker, SliceDetail, Step } from "../api/timeline";
import type { CounterPiece, LaneTile } from "./controller";
import { drawCounter } from "./draw_counters";
import { drawAllFlows, drawFlows, rowMiddle } from "./draw_flows";
import { drawMarks, type RowLook } from "./draw_marks";
import { flowsOf } from "./flows";
import { kRow, pinnedIn, pinnedShown, scrolledIn, type Layout, type Seen } from "./layout";
import type { FlowColumns } from "../api/timeline";
import type { Painter } from "./painter";
import type { FlowMode } from "./state";
import { xOf, type Span } from "./viewport";

export interface Scene {
  layout: Layout;
  window: Span;
  width: number;
  height: number;
  scrollTop: number;
  /** Empty if bands are switched off. */
  steps: Step[];
  range: Span | null;
  markers: Marker[];
  /** Of the search, in order of time. */
  hits: Hit[];
  detail: SliceDetail | null;
  flows: FlowMode;
  flowsOff: ReadonlySet<string>;
  /** All flows in the window, if they were requested and have arrived. */
  allFlows: FlowColumns | null;
  tileOf: (lane: number) => LaneTile | null;
  counterOf: (counter: number) => CounterPiece | null;
}

export interface SceneLook extends RowLook {
  line: string;
  band: string;
  bandLine: string;
  head: string;
  accent: string;
  muted: string;
  surface: string;
  marker: string;
  flowHues: Record<string, string>;
  small: string;
}

export function drawLanes(painter: Painter, scene: Scene, look: SceneLook): void {
  const { layout, width, height, scrollTop } = scene;
  drawSteps(painter, scene, look);
  for (const seen of scrolledIn(layout, scrollTop, height)) drawOne(painter, scene, seen, look);
  const cover = pinnedShown(layout, height);
  if (cover > 0) {
    painter.rect("pinned", "", look.surface, 0, 0, width, cover, 1);
    for (const seen of pinnedIn(layout, height)) drawOne(painter, scene, seen, look);
    painter.line("pinned", look.bandLine, 0, cover - 0.5, width, cover - 0.5);
  }
  drawRange(painter, scene, look);
  for (const { time } of scene.markers) {
    const x = Math.round(xOf(time, scene.window, width)) + 0.5;
    if (x >= 0 && x <= width) painter.line("marker", look.marker, x, 0, x, height);
  }
  drawHits(painter, scene, look);
  drawNarrow(painter, scene, look);
  if (scene.allFlows) drawAllFlows(painter, scene, scene.allFlows, scene.flowsOff, look.flowHues);
  if (scene.detail && look.chosen && scene.flows !== "none")
    drawFlows(painter, scene, flowsOf(scene.detail, scene.flowsOff), look.strong);
}

function drawOne(painter: Painter, scene: Scene, { at, y }: Seen, look: SceneLook): void {
  const { window, width, height } = scene;
  if (at.counter) {
    const tile = scene.counterOf(at.counter.counter);
    drawCounter(painter, at.counter, at.series, tile, window, width, y, { ...look, font: look.small });
  }
  if (at.counter || at.lane) {
    const bottom = Math.round(y + at.height - (at.lane ? 3 : 0)) + 0.5;
    painter.line("lane", look.line, 0, bottom, width, bottom);
  } else {
    painter.rect("head", at.title, look.head, 0, y, width, at.height - 1, 1);
  }
  const tile = at.lane ? scene.tileOf(at.lane.lane) : null;
  if (!tile) return;
  const box = at.pitch === kRow ? kRow - 2 : Math.max(1, at.pitch - (at.pitch > 3 ? 0.5 : 0));
  for (let row = 0; row < at.rows; row++) {
    const marks = tile.rows[row];
    const top = y + row * at.pitch + 1;
    if (!marks || top + kRow < 0 || top > height) continue;
    drawMarks(painter, tile, marks, window, width, top, look, false, box);
    // Highlighted slices are drawn again over the density that would hide them.
    if (look.chosen?.lane === at.lane?.lane)
      drawMarks(painter, tile, marks, window, width, top, look, true, box);
  }
}

const kLeastLined = 16;

/** Every other step has a different background; each begins with a line. */
function drawSteps(painter: Painter, { steps, window, width, height }: Scene, look: SceneLook): void {
  let last = -Infinity;
  steps.forEach((step, i) => {
    const left = xOf(step.start, window, width);
    const right = xOf(step.start + step.duration, window, width);
    if (right < 0 || left > width) return;
    const x = Math.max(0, left);
    const wide = Math.min(width, right) - x;
    if (i % 2 === 0 && wide >= 1) painter.rect("ground", step.title, look.band, x, 0, wide, height, 1);
    // Narrow steps are distinguished by their backgrounds: lines would hide their slices.
    if (right - left < kLeastLined) return;
    for (const edge of [left, right]) {
      const at = Math.round(edge) + 0.5;
      if (at >= 0 && at <= width && at > last) painter.line("step", look.bandLine, at, 0, at, height);
      last = Math.max(last, at);
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

const kHit = 3;

/** A bar below each hit; hits in the same pixels of a row have one. */
function drawHits(painter: Painter, scene: Scene, { accent }: SceneLook): void {
  const { hits, window, width, height } = scene;
  const drawn = new Set<string>();
  for (const { lane, row, start, duration, name } of hits) {
    if (start >= window.end) break;
    if (start + duration < window.start) continue;
    const middle = rowMiddle(scene, lane, row);
    if (middle === null || middle < 0 || middle > height) continue;
    const left = Math.max(0, Math.floor(xOf(start, window, width)));
    const right = Math.min(width, Math.ceil(xOf(start + duration, window, width)));
    const key = `${lane} ${row} ${left}`;
    if (drawn.has(key)) continue;
    drawn.add(key);
    const y = middle + (scene.layout.lanes.get(lane)?.pitch ?? kRow) / 2 - kHit - 1;
    painter.rect("hit", name, accent, left, y, Math.max(kHit, right - left), kHit, 1);
  }
}

/** A selected slice that is too narrow to be visible among its neighbours: a mark of five pixels. */
function drawNarrow(painter: Painter, scene: Scene, { chosen, strong }: SceneLook): void {
  const { detail, window, width, height } = scene;
  if (!chosen || detail?.slice !== chosen.slice) return;
  const [left, right] = [xOf(chosen.start, window, width), xOf(chosen.end, window, width)];
  if (right - left >= 4 || right < 0 || left > width) return;
  const y = rowMiddle(scene, chosen.lane, detail.row);
  if (y !== null && y > 0 && y < height)
    painter.frame("chosen", strong, (left + right) / 2 - 2.5, y - kRow / 2 + 1, 5, kRow - 3, 1.5);
}
