// The ruler's ticks: round times, far enough apart to be read, in one unit for the whole ruler, with enough
// decimals to distinguish neighbours. Deep inside a long profile all labels would begin with the same digits:
// then they count from the first tick, whose whole time is at the left ("12.3456 s +"). Relative to a step they
// count from its start; with a clock they are times of the day.
import { clockText, type Axis } from "./axis";
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
const kFromStart: Axis = { mode: "start", zero: 0, title: "", clock: null };

/** The smallest 1, 2 or 5 times a power of ten that is at least `ns`. */
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

const formats = new Map<number, Intl.NumberFormat>();

/** Made once per number of decimals: making one takes longer than a frame of labels. */
function formatOf(decimals: number): Intl.NumberFormat {
  let format = formats.get(decimals);
  if (!format) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    formats.set(decimals, (format = new Intl.NumberFormat("en-US", digits)));
  }
  return format;
}

function written(time: number, divisor: number, step: number): string {
  const decimals = Math.max(0, Math.ceil(Math.log10(divisor / step) - 1e-9));
  return formatOf(decimals).format(time / divisor);
}

function clockRuler(window: Span, step: number, clock: bigint): Ruler {
  const decimals = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(step) - 1e-9)));
  // Round by the clock, not since the profile's start.
  const past = Number(clock % 1_000_000_000_000n);
  const first = Math.floor((window.start + past) / step) * step - past;
  const ticks: Tick[] = [];
  for (let i = 0; first + i * step <= window.end; i++) {
    const time = first + i * step;
    const whole = clockText(clock, time, decimals);
    // Below a millisecond, the hour would push out the digits that matter.
    ticks.push({ time, label: decimals > 3 ? whole.slice(6) : whole });
  }
  const base =
    decimals > 3
      ? clockText(clock, window.start, 0, true).slice(0, -3)
      : clockText(clock, window.start, 0, true).slice(0, 10);
  return { step, unit: "", ticks, base };
}

/** Ticks over the window of `width` pixels; the first may be left of it. */
export function makeRuler(window: Span, width: number, axis: Axis = kFromStart): Ruler {
  // A clock's labels are longer.
  const least = axis.clock === null ? kLeastPixels : kLeastPixels * 1.25;
  const step = roundStep(((window.end - window.start) / Math.max(1, width)) * least);
  if (axis.clock !== null) return clockRuler(window, step, axis.clock);
  const [from, to] = [window.start - axis.zero, window.end - axis.zero];
  const first = Math.floor(from / step) * step;
  const largest = Math.max(Math.abs(from), Math.abs(to));
  const [divisor, unit] = unitOf(largest);
  const far = step * 10_000 < largest;
  const [nearDivisor, nearUnit] = unitOf(to - from);
  const origin = far ? Math.ceil(from / step) * step : 0;
  const sign = (away: number, always: boolean) => (away < 0 ? "−" : always ? "+" : "");
  const ticks: Tick[] = [];
  for (let i = 0; first + i * step <= to; i++) {
    const away = first + i * step - origin;
    const [d, u] = far ? [nearDivisor, nearUnit] : [divisor, unit];
    const label = `${sign(away, far)}${written(Math.abs(away), d, step)} ${u}`;
    ticks.push({ time: first + i * step + axis.zero, label });
  }
  const whole = far ? `${sign(origin, false)}${written(Math.abs(origin), divisor, step)} ${unit}` : "";
  const base = [axis.title, axis.title && whole && !whole.startsWith("−") ? `+${whole}` : whole];
  return { step, unit: far ? nearUnit : unit, ticks, base: base.filter(Boolean).join(" ") };
}
