// The area above the lanes: the minimap (the whole extent, how busy host and device are, hits, markers, and the
// window's position) and the ruler with the steps' titles, the flags of markers and the range's length.
import type { Marker, Step } from "../api/timeline";
import { categoryHue, type Theme } from "../base/hues";
import { formatShort } from "../base/units";
import { latinLength } from "../base/names";
import { fill, words } from "../base/words";
import type { Axis } from "./axis";
import type { Strip } from "./minimap";
import type { Painter } from "./painter";
import { makeRuler } from "./ruler";
import { xOf, type Span } from "./viewport";

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
  marker: string;
  ground: string;
  font: string;
  theme: Theme;
}

/** Utilization over the whole extent: it does not change when the window moves. */
export function drawStrips(painter: Painter, strips: Strip[], width: number, look: HeadLook): void {
  painter.rect("minimap", "", look.ground, 0, 0, width, kMinimap, 1);
  const high = (kMinimap - 8) / Math.max(1, strips.length);
  strips.forEach(({ kind, shares }, s) => {
    const hue = categoryHue(kind, look.theme);
    const base = 4 + (s + 1) * high;
    const edge = (c: number) => Math.round((c * width) / shares.length);
    for (let c = 0; c < shares.length; c++) {
      const tall = Math.max(1, shares[c] * (high - 2));
      if (shares[c] > 0)
        painter.rect("busy", kind, hue, edge(c), base - tall, edge(c + 1) - edge(c), tall, 1);
    }
  });
}

export interface MinimapScene {
  extent: Span;
  window: Span;
  hits: number[];
  markers: Marker[];
  range: Span | null;
}

export function drawMinimap(painter: Painter, scene: MinimapScene, width: number, look: HeadLook): void {
  const { extent, window, hits, markers, range } = scene;
  if (range) {
    const left = xOf(range.start, extent, width);
    painter.rect(
      "range",
      "",
      look.accent,
      left,
      0,
      Math.max(1, xOf(range.end, extent, width) - left),
      kMinimap,
      0.25,
    );
  }
  let last = -2;
  for (const hit of hits) {
    const x = Math.round(xOf(hit, extent, width));
    if (x - last < 2) continue;
    painter.rect("hit", "", look.accent, x - 1, 0, 2, 6, 1);
    last = x;
  }
  for (const { time, name } of markers)
    painter.rect(
      "marker",
      name,
      look.marker,
      Math.round(xOf(time, extent, width)) - 1,
      kMinimap - 8,
      2,
      8,
      1,
    );
  const left = Math.max(0, xOf(window.start, extent, width));
  const right = Math.min(width, xOf(window.end, extent, width));
  painter.rect("veil", "", look.surface, 0, 0, left, kMinimap, 0.62);
  painter.rect("veil", "", look.surface, right, 0, width - right, kMinimap, 0.62);
  const wide = Math.max(3, right - left);
  painter.frame("window", look.accent, Math.min(left, width - 3) + 0.5, 0.5, wide - 1, kMinimap - 1, 1);
}

export interface RulerScene {
  window: Span;
  range: Span | null;
  steps: Step[];
  markers: Marker[];
  axis: Axis;
}

export function drawRuler(
  painter: Painter,
  scene: RulerScene,
  width: number,
  top: number,
  look: HeadLook,
): void {
  const { window, range, steps, axis } = scene;
  const { ticks, base } = makeRuler(window, width, axis);
  const baseWide = base ? base.length * 6.2 + 8 : 0;
  for (const { time, label } of ticks) {
    const x = Math.round(xOf(time, window, width)) + 0.5;
    if (x < 0 || x > width) continue;
    painter.line("tick", look.line, x, top + kRuler - 6, x, top + kRuler);
    if (x + label.length * 6 < width && x >= baseWide)
      painter.text(label, look.muted, x + 3, top + kRuler / 2, look.font, "left");
  }
  if (base) painter.text(base, look.text, 3, top + kRuler / 2, look.font, "left");
  if (steps.length > 0) drawStepTitles(painter, steps, window, width, top + kRuler, look);
  const edge = top + kRuler - 0.5;
  painter.line("ruler", look.line, 0, edge, width, edge);
  if (range) drawLength(painter, range, window, width, top, look);
  for (const marker of scene.markers) drawFlag(painter, marker, window, width, top, look);
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

const kFlagName = 22;

/** Position of a flag on the ruler, for clicks. */
export function flagBox(marker: Marker, window: Span, width: number): { left: number; right: number } | null {
  const x = xOf(marker.time, window, width);
  if (x < 0 || x > width) return null;
  const text = marker.name.slice(0, kFlagName);
  const wide = latinLength(text) * 6.4 + 8;
  return x + wide > width ? { left: x - wide, right: x } : { left: x, right: x + wide };
}

function drawFlag(
  painter: Painter,
  marker: Marker,
  window: Span,
  width: number,
  top: number,
  look: HeadLook,
) {
  const box = flagBox(marker, window, width);
  if (!box) return;
  const { left, right } = box;
  const x = Math.round(xOf(marker.time, window, width)) + 0.5;
  painter.rect("flag", marker.name, look.marker, left, top + 1, right - left, kRuler - 7, 1);
  painter.line("marker", look.marker, x, top + 1, x, top + kRuler);
  const text = marker.name.length > kFlagName ? marker.name.slice(0, kFlagName - 1) + "…" : marker.name;
  painter.text(text, look.surface, left + 4, top + kRuler / 2 - 2, look.font, "left");
}
