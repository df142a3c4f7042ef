// What stands above the lanes: the minimap (the whole extent, how busy host and device are, hits of the
// search, and where the window is) and the ruler with the steps' titles and the range's length.
import type { Step, Tile } from "../api/timeline";
import { categoryHue, type Theme } from "../base/hues";
import { exactText, formatShort } from "../base/units";
import { fill, words } from "../base/words";
import type { Painter } from "./painter";
import { makeRuler } from "./ruler";
import { timeAt, xOf, type Span } from "./viewport";

export const kMinimap = 36;
export const kRuler = 22;
export const kStepBar = 16;

export interface HeadLook {
  text: string;
  muted: string;
  line: string;
  surface: string;
  band: string;
  accent: string;
  ground: string;
  font: string;
  theme: Theme;
}

export interface Strip {
  kind: string;
  /** Busy share per pixel column, 0 to 1. */
  shares: Float32Array;
}

/** Sums the outermost rows of tiles into one share per column; the most busy lane counts. */
export function stripOf(tiles: Tile[], extent: Span, columns: number): Float32Array {
  const shares = new Float32Array(columns);
  const ns = (extent.end - extent.start) / columns;
  for (const tile of tiles) {
    const marks = tile.rows[0];
    if (!marks) continue;
    const own = new Float32Array(columns);
    for (let i = 0; i < marks.length; i++) {
      const from = (marks.start[i] - extent.start) / ns;
      const to = Math.max(from + 1e-6, (marks.end[i] - extent.start) / ns);
      const density = marks.busy[i] / ns / (to - from);
      const last = Math.min(columns - 1, Math.floor(to));
      for (let c = Math.max(0, Math.floor(from)); c <= last; c++)
        own[c] += (Math.min(c + 1, to) - Math.max(c, from)) * density;
    }
    for (let c = 0; c < columns; c++) shares[c] = Math.max(shares[c], Math.min(1, own[c]));
  }
  return shares;
}

export function drawMinimap(
  painter: Painter,
  { extent, window, strips, hits }: { extent: Span; window: Span; strips: Strip[]; hits: number[] },
  width: number,
  look: HeadLook,
): void {
  painter.rect("minimap", "", look.ground, 0, 0, width, kMinimap, 1);
  const high = (kMinimap - 8) / Math.max(1, strips.length);
  strips.forEach(({ kind, shares }, s) => {
    const hue = categoryHue(kind, look.theme);
    const wide = width / shares.length;
    const base = 4 + (s + 1) * high;
    for (let c = 0; c < shares.length; c++) {
      const tall = shares[c] * (high - 2);
      if (tall > 0)
        painter.rect("busy", kind, hue, c * wide, base - Math.max(1, tall), wide + 0.3, Math.max(1, tall), 1);
    }
  });
  let last = -2;
  for (const hit of hits) {
    const x = Math.round(xOf(hit, extent, width));
    if (x - last < 2) continue;
    painter.rect("hit", "", look.accent, x - 1, 0, 2, 6, 1);
    last = x;
  }
  const left = Math.max(0, xOf(window.start, extent, width));
  const right = Math.min(width, xOf(window.end, extent, width));
  painter.rect("veil", "", look.surface, 0, 0, left, kMinimap, 0.62);
  painter.rect("veil", "", look.surface, right, 0, width - right, kMinimap, 0.62);
  const wide = Math.max(3, right - left);
  painter.frame("window", look.accent, Math.min(left, width - 3) + 0.5, 0.5, wide - 1, kMinimap - 1, 1);
}

export function drawRuler(
  painter: Painter,
  { window, range, steps, pointer }: { window: Span; range: Span | null; steps: Step[]; pointer: number },
  width: number,
  top: number,
  look: HeadLook,
): void {
  const { ticks, base } = makeRuler(window, width);
  for (const { time, label } of ticks) {
    const x = Math.round(xOf(time, window, width)) + 0.5;
    if (x < 0 || x > width) continue;
    painter.line("tick", look.line, x, top + kRuler - 6, x, top + kRuler);
    if (x + label.length * 6 < width)
      painter.text(label, look.muted, x + 3, top + kRuler / 2, look.font, "left");
  }
  if (base) {
    const text = base;
    painter.rect("base", "", look.surface, 0, top, text.length * 6.2 + 8, kRuler - 7, 1);
    painter.text(text, look.text, 3, top + kRuler / 2, look.font, "left");
  }
  if (steps.length > 0) drawStepTitles(painter, steps, window, width, top + kRuler, look);
  const edge = top + kRuler - 0.5;
  painter.line("ruler", look.line, 0, edge, width, edge);
  if (range) drawLength(painter, range, window, width, top, look);
  if (pointer >= 0) drawPointer(painter, timeAt(pointer, window, width), pointer, width, top, look);
  if (pointer >= 0)
    painter.line("pointer", look.muted, Math.round(pointer) + 0.5, top, Math.round(pointer) + 0.5, edge);
}

function drawStepTitles(
  painter: Painter,
  steps: Step[],
  window: Span,
  width: number,
  top: number,
  look: HeadLook,
) {
  for (const step of steps) {
    const left = Math.max(0, xOf(step.start, window, width));
    const right = Math.min(width, xOf(step.start + step.duration, window, width));
    const full = fill(words.timeline.step, { title: step.title });
    const title = full.length * 6.4 + 8 < right - left ? full : step.title;
    if (right - left < title.length * 6.4 + 8) continue;
    painter.rect("step", step.title, look.band, left + 1, top + 1, right - left - 2, kStepBar - 2, 1);
    painter.text(title, look.text, (left + right) / 2, top + kStepBar / 2, look.font, "center");
  }
}

function drawLength(painter: Painter, range: Span, window: Span, width: number, top: number, look: HeadLook) {
  const left = Math.max(0, xOf(range.start, window, width));
  const right = Math.min(width, xOf(range.end, window, width));
  if (right < left) return;
  const text = formatShort(Math.round(range.end - range.start), "ns");
  const wide = text.length * 6.4 + 10;
  const x = Math.min(width - wide, Math.max(0, (left + right - wide) / 2));
  painter.rect("length", "", look.accent, left, top + kRuler - 4, Math.max(1, right - left), 3, 1);
  painter.rect("length", text, look.accent, x, top + 2, wide, kRuler - 6, 1);
  painter.text(text, look.surface, x + wide / 2, top + kRuler / 2 - 1, look.font, "center");
}

/** The time under the pointer, exact to the nanosecond, beside its line. */
function drawPointer(painter: Painter, time: number, x: number, width: number, top: number, look: HeadLook) {
  const text = exactText(Math.round(time), "ns");
  const wide = text.length * 6.4 + 8;
  const left = x + wide > width ? x - wide : x;
  painter.rect("time", "", look.surface, left, top, wide, kRuler - 1, 1);
  painter.text(text, look.text, left + 4, top + kRuler / 2, look.font, "left");
}
