// How numbers are written. The columns of a table that have one kind of unit get one unit, chosen from the values
// of all of them, so that cells can be compared at a glance; a cell has three significant digits, and the hover
// shows the exact value with its base unit. Unknown is NaN and is drawn as a dash, never as zero.
import type { Unit } from "./wire";
import { fill, words } from "./words";

export type { Unit } from "./wire";

export interface Scale {
  /** The unit in the header: "ms", "MiB", "%"; empty if the number has none. */
  label: string;
  divisor: number;
  /** The most decimals; exactly that many unless `digits` is set. */
  decimals: number;
  /** A number has only as many decimals as it needs for this many significant digits. */
  digits?: number;
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
  /** Of the values other than 0. */
  smallest: number;
  largest: number;
  median: number;
  whole: boolean;
  /** The range of the values. */
  spread: number;
}

/** Samples about 2,000 values for the median, and reads all of them for the largest. */
function shapeOf(values: ArrayLike<number>): Shape {
  let smallest = Infinity;
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
    if (size < smallest) smallest = size;
    if (whole && !Number.isInteger(size)) whole = false;
    if (i % stride === 0) sample.push(size);
  }
  sample.sort((a, b) => a - b);
  const median = sample[sample.length >> 1] ?? largest;
  return { smallest: Math.min(smallest, largest), largest, median, whole, spread: Math.max(0, most - least) };
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

const kSteps: Partial<Record<Unit, Step[]>> = {
  ns: kTime,
  bytes: kBytes,
  per_second: kRate,
  bytes_per_second: kByteRate,
  hertz: kHertz,
  flops: kFlops,
  flops_per_second: kFlopRate,
  flops_per_byte: [[1, "FLOP/B"]],
};

/** `family`: the values that the unit is chosen from, if they are more than `values`. */
export function chooseScale(unit: Unit, values: ArrayLike<number>, family?: ArrayLike<number>): Scale {
  const shape = shapeOf(values);
  const steps = kSteps[unit];
  if (steps) {
    const [divisor, label] = pickStep(steps, family ? shapeOf(family) : shape);
    const decimals = divisor === 1 && shape.whole ? 0 : decimalsOf(shape, divisor);
    return { label, divisor, decimals, grouped: true };
  }
  switch (unit) {
    case "share":
      return { label: "%", divisor: 0.01, decimals: 1, grouped: true };
    case "percent":
      return { label: "%", divisor: 1, decimals: 1, grouped: true };
    case "id":
      return { label: "", divisor: 1, decimals: 0, grouped: false };
    default: {
      const decimals = shape.whole ? 0 : decimalsOfSmall(shape.largest);
      return { label: "", divisor: 1, decimals, grouped: true };
    }
  }
}

const kDigits = 3;
const kMostDecimals = 6;

/** The decimals with which `scaled` has three significant digits. */
function decimalsOfDigits(scaled: number, digits: number): number {
  if (!(scaled > 0)) return 0;
  const exponent = Number(scaled.toExponential(digits - 1).split("e")[1]);
  return Math.max(0, digits - 1 - exponent);
}

/** For a column: three significant digits in each cell. A typical cell is never rounded to zero, an exceptional one
 * may be; values that three digits do not distinguish have as many as it takes. */
export function columnScale(unit: Unit, values: ArrayLike<number>, family?: ArrayLike<number>): Scale {
  const scale = chooseScale(unit, values, family);
  if (scale.decimals === 0 || scale.label === "%") return scale;
  const { smallest, median, largest, spread } = shapeOf(values);
  const usual = decimalsOfDigits(largest / scale.divisor, kDigits);
  const telling = spread > 0 ? Math.ceil(-Math.log10(spread / scale.divisor)) : 0;
  if (telling > usual) return { ...scale, decimals: Math.min(telling, usual + 3, kMostDecimals) };
  const typical = decimalsOfDigits(median / scale.divisor, kDigits);
  const most = Math.max(usual, Math.min(typical, kMostDecimals), kDigits);
  // A figure of unknown kind may be small in one row only, such as a learning rate beside a loss.
  const room = unit === "none" ? kMostDecimals : most;
  const decimals = Math.min(room, decimalsOfDigits(smallest / scale.divisor, kDigits));
  return { ...scale, decimals, digits: kDigits };
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

function decimalsIn(scaled: number, { decimals, digits }: Scale): number {
  return digits === undefined ? decimals : Math.min(decimals, decimalsOfDigits(Math.abs(scaled), digits));
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
  return numberFormat(decimalsIn(scaled, scale), scale.grouped).format(scaled).replace("-", "−");
}

/** The blanks after a number that align its decimal point with those of its column. */
export function decimalPad(value: number, scale: Scale): string {
  if (scale.digits === undefined || !Number.isFinite(value)) return "";
  const scaled = value / scale.divisor;
  if (scaled !== 0 && Math.abs(scaled) < 10 ** -scale.decimals / 2) return "";
  const decimals = decimalsIn(scaled, scale);
  return (decimals === 0 ? "\u2008" : "") + "\u2007".repeat(scale.decimals - decimals);
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

/** A single value with three significant digits, beside its exact value. */
export function formatFigure(value: number, unit: Unit): string {
  return formatWithUnit(value, columnScale(unit, [value]));
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
