// The ruler's ticks: round times, far enough apart to be read, in one unit for the whole ruler, with as
// many decimals as tell neighbours apart. Deep inside a long profile the labels would all begin alike:
// then they count from the first tick, whose whole time stands at the left ("12.3456 s +").
import type { Span } from "./viewport";

export interface Tick {
  time: number;
  label: string;
}

export interface Ruler {
  step: number;
  unit: string;
  ticks: Tick[];
  /** The time the labels count from, as text; empty when they count from the profile's origin. */
  base: string;
}

const kUnits: [ns: number, label: string][] = [
  [1, "ns"],
  [1e3, "µs"],
  [1e6, "ms"],
  [1e9, "s"],
];
const kLeastPixels = 88;

/** The least 1, 2 or 5 times a power of ten that is at least `ns`. */
export function roundStep(ns: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ns)));
  for (const digit of [1, 2, 5]) if (digit * power >= ns) return digit * power;
  return 10 * power;
}

function unitOf(ns: number): [number, string] {
  let unit = kUnits[0];
  for (const candidate of kUnits) if (ns >= candidate[0]) unit = candidate;
  return unit;
}

function written(time: number, divisor: number, step: number): string {
  const decimals = Math.max(0, Math.ceil(Math.log10(divisor / step) - 1e-9));
  return (time / divisor).toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** Ticks over the window of `width` pixels; the first may lie left of it. */
export function makeRuler(window: Span, width: number): Ruler {
  const step = roundStep(((window.end - window.start) / Math.max(1, width)) * kLeastPixels);
  const first = Math.floor(window.start / step) * step;
  const [divisor, unit] = unitOf(Math.max(Math.abs(window.start), Math.abs(window.end)));
  const far = step * 10_000 < Math.abs(window.end);
  const [nearDivisor, nearUnit] = unitOf(window.end - window.start);
  const origin = far ? Math.ceil(window.start / step) * step : 0;
  const ticks: Tick[] = [];
  for (let i = 0; first + i * step <= window.end; i++) {
    const time = first + i * step;
    ticks.push({
      time,
      label: far
        ? `${time < origin ? "−" : "+"}${written(Math.abs(time - origin), nearDivisor, step)} ${nearUnit}`
        : `${written(time, divisor, step)} ${unit}`,
    });
  }
  const base = far ? `${written(origin, divisor, step)} ${unit}` : "";
  return { step, unit: far ? nearUnit : unit, ticks, base };
}
