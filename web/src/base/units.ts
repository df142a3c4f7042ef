// How numbers are written. A column gets one Scale (unit, divisor, decimals) chosen from its values, so that
// its cells can be compared at a glance; the hover shows the exact value with its base unit. Unknown is NaN and
// is drawn as a dash, never as zero.
import type { Unit } from "./wire";
import { fill, words } from "./words";

export type { Unit } from "./wire";

export interface Scale {
  /** The unit in the header: "ms", "MiB", "%"; empty if the number has none. */
  label: string;
  divisor: number;
  decimals: number;
  /** Thousands are separated, except in ids. */
  grouped: boolean;
}

export const kUnknown = "–";

type Step = [divisor: number, label: string];
const kTime: Step[] = [
  [1, "ns"],
  [1e3, "µs"],
  [1e6, "ms"],
  [1e9, "s"],
];
const kBytes: Step[] = [
  [1, "B"],
  [1024, "KiB"],
  [1024 ** 2, "MiB"],
  [1024 ** 3, "GiB"],
  [1024 ** 4, "TiB"],
];
const kRate: Step[] = [
  [1, "/s"],
  [1e3, "k/s"],
  [1e6, "M/s"],
  [1e9, "G/s"],
  [1e12, "T/s"],
];
const kByteRate: Step[] = [
  [1, "B/s"],
  [1e3, "kB/s"],
  [1e6, "MB/s"],
  [1e9, "GB/s"],
  [1e12, "TB/s"],
];
const kHertz: Step[] = [
  [1, "Hz"],
  [1e3, "kHz"],
  [1e6, "MHz"],
  [1e9, "GHz"],
];
const kFlops: Step[] = [
  [1, "FLOP"],
  [1e3, "kFLOP"],
  [1e6, "MFLOP"],
  [1e9, "GFLOP"],
  [1e12, "TFLOP"],
  [1e15, "PFLOP"],
];
const kFlopRate: Step[] = kFlops.map(([divisor, label]) => [divisor, label + "/s"]);

interface Shape {
  largest: number;
  median: number;
  whole: boolean;
  /** The range of the values. */
  spread: number;
}

/** Samples about 2,000 values for the median, and reads all of them for the largest. */
function shapeOf(values: ArrayLike<number>): Shape {
  let largest = 0;
  let whole = true;
  let least = Infinity;
  let most = -Infinity;
  const sample: number[] = [];
  const stride = Math.max(1, Math.floor(values.length / 2000));
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (values[i] < least) least = values[i];
    if (values[i] > most) most = values[i];
    if (!(size > 0) || size === Infinity) continue;
    if (size > largest) largest = size;
    if (whole && !Number.isInteger(size)) whole = false;
    if (i % stride === 0) sample.push(size);
  }
  sample.sort((a, b) => a - b);
  return { largest, median: sample[sample.length >> 1] ?? largest, whole, spread: Math.max(0, most - least) };
}

/** The unit of the largest value. But if most rows would then be nearly zero (the median is under a hundredth
 * of the unit) and the largest stays below a million, the next smaller unit is used. */
function pickStep(steps: Step[], shape: Shape): Step {
  let i = 0;
  while (i + 1 < steps.length && shape.largest >= steps[i + 1][0]) i++;
  while (i > 0 && shape.median < steps[i][0] / 100 && shape.largest / steps[i - 1][0] < 1e6) i--;
  return steps[i];
}

function decimalsFor(scaled: number): number {
  if (scaled >= 10_000) return 1;
  if (scaled >= 100) return 2;
  return 3;
}

/** Numbers below one that have no smaller unit keep three significant digits. */
function decimalsOfSmall(largest: number): number {
  if (!(largest > 0) || largest >= 1) return decimalsFor(largest);
  return Math.min(12, 2 - Math.floor(Math.log10(largest)));
}

/** Instants far from zero and close to each other need more decimals than their size suggests. */
function decimalsOf({ largest, spread }: Shape, divisor: number): number {
  const usual = decimalsFor(largest / divisor);
  const telling = spread > 0 ? Math.ceil(-Math.log10(spread / divisor / 100)) : 0;
  return Math.max(usual, Math.min(telling, usual + 3));
}

export function chooseScale(unit: Unit, values: ArrayLike<number>): Scale {
  const shape = shapeOf(values);
  const stepped = (steps: Step[]): Scale => {
    const [divisor, label] = pickStep(steps, shape);
    const decimals = divisor === 1 && shape.whole ? 0 : decimalsOf(shape, divisor);
    return { label, divisor, decimals, grouped: true };
  };
  switch (unit) {
    case "ns":
      return stepped(kTime);
    case "bytes":
      return stepped(kBytes);
    case "per_second":
      return stepped(kRate);
    case "bytes_per_second":
      return stepped(kByteRate);
    case "hertz":
      return stepped(kHertz);
    case "flops":
      return stepped(kFlops);
    case "flops_per_second":
      return stepped(kFlopRate);
    case "flops_per_byte":
      return stepped([[1, "FLOP/B"]]);
    case "share":
      return { label: "%", divisor: 0.01, decimals: 1, grouped: true };
    case "percent":
      return { label: "%", divisor: 1, decimals: 1, grouped: true };
    case "id":
      return { label: "", divisor: 1, decimals: 0, grouped: false };
    case "count":
    case "none":
      return {
        label: "",
        divisor: 1,
        decimals: shape.whole ? 0 : decimalsOfSmall(shape.largest),
        grouped: true,
      };
  }
}

/** For a part of an axis: the unit fits its length, and the decimals resolve a thousandth of it. */
export function spanScale(unit: Unit, least: number, most: number): Scale {
  const scale = chooseScale(unit, [most - least]);
  const thousandth = (most - least) / scale.divisor / 1000;
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(thousandth))));
  return { ...scale, decimals: scale.divisor === 1 && scale.decimals === 0 ? 0 : decimals };
}

/** "12.3 – 15.1 ms": both ends in a unit that fits their distance, to a hundredth of it. */
export function formatSpan(unit: Unit, start: number, end: number): string {
  const fine = spanScale(unit, start, end);
  const scale = { ...fine, decimals: Math.max(0, fine.decimals - 1) };
  return `${formatNumber(start, scale)} – ${formatWithUnit(end, scale)}`;
}

const formats = new Map<string, Intl.NumberFormat>();

function numberFormat(decimals: number, grouped: boolean): Intl.NumberFormat {
  const key = `${decimals}${grouped}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat("en-US", {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: grouped,
    });
    formats.set(key, format);
  }
  return format;
}

/** The number in the column's unit, without the unit. A number that would be rounded to zero is written "<0.001". */
export function formatNumber(value: number, scale: Scale): string {
  if (Number.isNaN(value)) return kUnknown;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const scaled = value / scale.divisor;
  const least = 10 ** -scale.decimals;
  if (scaled !== 0 && Math.abs(scaled) < least / 2) {
    return (scaled > 0 ? "<" : ">−") + least.toFixed(scale.decimals);
  }
  return numberFormat(scale.decimals, scale.grouped).format(scaled).replace("-", "−");
}

/** The number with its unit: for axes, facts and legends, where no header carries the unit. */
export function formatWithUnit(value: number, scale: Scale): string {
  if (Number.isNaN(value) || scale.label === "") return formatNumber(value, scale);
  return formatNumber(value, scale) + (scale.label === "%" ? "%" : " " + scale.label);
}

/** A single value, in the unit that fits it. */
export function formatAlone(value: number, unit: Unit): string {
  const scale = chooseScale(unit, [value]);
  if (scale.decimals > 1 && Number.isFinite(value)) {
    const digits =
      (value / scale.divisor)
        .toFixed(scale.decimals)
        .replace(/\.?0+$/, "")
        .split(".")[1] ?? "";
    scale.decimals = digits.length;
  }
  return formatWithUnit(value, scale);
}

/** The same with at most four digits: for a place with little room, beside the exact value. */
export function formatShort(value: number, unit: Unit): string {
  const scale = chooseScale(unit, [value]);
  const whole = Math.floor(Math.abs(value / scale.divisor)).toString().length;
  return formatWithUnit(value, { ...scale, decimals: Math.min(scale.decimals, Math.max(0, 4 - whole)) });
}

/** The full value in the base unit, for hovering and copying. */
export function exactText(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return kUnknown;
  const number = (v: number) =>
    Number.isInteger(v) ? numberFormat(0, unit !== "id").format(v) : String(Number(v.toPrecision(12)));
  switch (unit) {
    case "ns":
      return number(value) + " ns";
    case "bytes":
      return fill(words.exactBytes, { n: number(value) });
    case "share":
      return number(Number((value * 100).toPrecision(12))) + "%";
    case "percent":
      return number(value) + "%";
    case "per_second":
      return fill(words.exactPerSecond, { n: number(value) });
    case "bytes_per_second":
      return fill(words.exactBytesPerSecond, { n: number(value) });
    case "hertz":
      return number(value) + " Hz";
    case "flops":
      return number(value) + " FLOP";
    case "flops_per_second":
      return number(value) + " FLOP/s";
    case "flops_per_byte":
      return number(value) + " FLOP/B";
    case "none":
    case "count":
    case "id":
      return number(value);
  }
}
