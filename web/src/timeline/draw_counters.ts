// A counter in its lane: filled steps from zero, a band from the least to the most where several values
// share a pixel, and the greatest value at the right. Several series are drawn over one another.
import type { CounterTile, Values } from "../api/counters";
import type { Counter } from "../api/timeline";
import { seriesHues } from "../base/hues";
import { formatAlone, kUnknown, type Unit } from "../base/units";
import { kCounter } from "./layout";
import type { Levels, Painter } from "./painter";
import type { Span } from "./viewport";

export interface CounterLook {
  font: string;
  muted: string;
  surface: string;
}

const kAir = 4;
const kLeastHigh = 2;

const kWhole: Partial<Record<Unit, number>> = { percent: 100, share: 1 };

/** The value at the top of the lane: the whole for shares, else the largest value (1 if that is 0). */
function topOf(unit: Unit, most: number): number {
  return Math.max(kWhole[unit] ?? 0, most) || 1;
}

/** The last entry at or before `time`; -1 if there is none. */
export function entryAt(values: Values, time: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values.time[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** "12.5 GB/s" for the value at `time`; a dash where it is unknown. */
export function valueText(values: Values | undefined, unit: Unit, time: number): string {
  const at = values ? entryAt(values, time) : -1;
  const value = values && at >= 0 ? values.last[at] : NaN;
  return Number.isNaN(value) ? kUnknown : formatAlone(value, unit);
}

function drawSeries(
  painter: Painter,
  name: string,
  values: Values,
  window: Span,
  width: number,
  y: number,
  top: number,
  hue: string,
): void {
  const scale = width / (window.end - window.start);
  const base = y + kCounter - 1;
  const high = kCounter - 1 - kAir;
  // A small value beside a large one must not look like 0.
  const heightOf = (value: number) =>
    base - (value > 0 ? Math.max(kLeastHigh, Math.round((value / top) * high)) : 0);
  const empty = (): Levels => ({ x: [], y: [], top: [], bottom: [], end: 0 });
  let levels = empty();
  const close = (end: number) => {
    if (levels.x.length > 0) painter.steps("counter", name, hue, { ...levels, end }, base);
    levels = empty();
  };
  for (let i = Math.max(0, entryAt(values, window.start)); i < values.length; i++) {
    const time = values.time[i];
    if (time >= window.end) break;
    const x = Math.max(0, Math.round((time - window.start) * scale));
    const value = values.last[i];
    if (Number.isNaN(value)) {
      close(x);
      continue;
    }
    // The value before the window has no band.
    const spread = time >= window.start && values.most[i] > values.least[i];
    const at = heightOf(value);
    levels.x.push(x);
    levels.y.push(at);
    levels.top.push(spread ? heightOf(values.most[i]) : at);
    levels.bottom.push(spread ? heightOf(values.least[i]) : at);
  }
  close(Math.ceil(width));
}

/** Draws all series at one scale, or `only` one of them at its own. */
export function drawCounter(
  painter: Painter,
  counter: Counter,
  only: number | null,
  tile: CounterTile | null,
  window: Span,
  width: number,
  y: number,
  look: CounterLook,
): void {
  const most = (only === null ? counter : counter.series[only]).most ?? 0;
  const top = topOf(counter.unit, most);
  const hues = seriesHues(counter.series.map(({ title, name }) => name ?? title));
  counter.series.forEach(({ title }, s) => {
    const values = only === null || only === s ? tile?.series[s] : undefined;
    if (values) drawSeries(painter, title, values, window, width, y, top, hues[s]);
  });
  const text = formatAlone(kWhole[counter.unit] ? top : most, counter.unit);
  painter.rect(
    "most",
    "",
    look.surface,
    width - text.length * 6.4 - 6,
    y + 1,
    text.length * 6.4 + 6,
    13,
    0.8,
  );
  painter.text(text, look.muted, width - 3, y + 8, look.font, "right");
}
