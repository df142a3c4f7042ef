// The origin of times: the start of the profile, the start of a step, or the time of day.
import type { Step, TimelineInfo } from "../api/timeline";
import { exactText } from "../base/units";
import { fill, words } from "../base/words";
import type { AxisMode } from "./state";
import type { Span } from "./viewport";

export interface Axis {
  mode: AxisMode;
  /** The time that is written as zero; for times of day, the start of the profile. */
  zero: number;
  /** The meaning of zero, for the head of the ruler; empty if it is the start of the profile. */
  title: string;
  /** Unix time of the profile's time 0 in ns, shifted to the time zone; null if it is unknown. */
  clock: bigint | null;
}

/** The selected step, else the one at the left of the window, else the nearest after it. */
export function stepAt(steps: Step[], window: Span, slice: number | null): Step | null {
  const chosen = slice === null ? undefined : steps.find((step) => step.slice === slice);
  if (chosen) return chosen;
  const middle = steps.find((s) => s.start + s.duration > window.start);
  return middle ?? steps.at(-1) ?? null;
}

const kMinuteNs = 60_000_000_000n;

function zoneNs(origin: bigint): bigint {
  return -BigInt(new Date(Number(origin / 1_000_000n)).getTimezoneOffset()) * kMinuteNs;
}

export function makeAxis(mode: AxisMode, info: TimelineInfo, window: Span, slice: number | null): Axis {
  const none = { mode: "start" as const, zero: 0, title: "", clock: null };
  if (mode === "step") {
    const step = stepAt(info.steps, window, slice);
    if (!step) return none;
    return { mode, zero: step.start, title: fill(words.timeline.step, { title: step.title }), clock: null };
  }
  if ((mode === "utc" || mode === "local") && info.origin_unix_ns !== null) {
    const origin = BigInt(info.origin_unix_ns);
    return { mode, zero: 0, title: "", clock: mode === "utc" ? origin : origin + zoneNs(origin) };
  }
  return none;
}

const two = (n: number) => String(n).padStart(2, "0");

/** "14:03:27.123456" for a profile's time in ns, with that many decimals; `date` adds the day. */
export function clockText(clock: bigint, time: number, decimals: number, date = false): string {
  const at = clock + BigInt(Math.round(time));
  const second = at / 1_000_000_000n;
  const day = new Date(Number(second) * 1000);
  const fraction = String(at - second * 1_000_000_000n)
    .padStart(9, "0")
    .slice(0, decimals);
  const hours = `${two(day.getUTCHours())}:${two(day.getUTCMinutes())}:${two(day.getUTCSeconds())}`;
  const text = hours + (decimals > 0 ? `.${fraction}` : "");
  return date ? `${day.toISOString().slice(0, 10)} ${text}` : text;
}

/** A time to the nanosecond, as the axis writes it. */
export function timeText(axis: Axis, time: number): string {
  if (axis.clock !== null) return clockText(axis.clock, time, 9, true);
  const away = Math.round(time - axis.zero);
  const text = `${away < 0 ? "−" : axis.title ? "+" : ""}${exactText(Math.abs(away), "ns")}`;
  return axis.title ? `${axis.title} ${text}` : text;
}
