// The hover text for what is under the pointer: a slice's name, duration and start; for a density mark the
// number of its slices, how busy they are, and the longest of them; for a counter its values.
import type { CounterTile } from "../api/counters";
import type { Counter, SliceFact } from "../api/timeline";
import { translate } from "../base/translate";
import { exactText, formatAlone } from "../base/units";
import { categoryWord, fill, grouped, words } from "../base/words";
import { timeText, type Axis } from "./axis";
import { categoryOfKind } from "./colors";
import { valueText } from "./draw_counters";
import type { HitMark } from "./hit";

export function kindWord(kind: string): string {
  return words.timeline.kinds[kind] ?? categoryWord(categoryOfKind(kind) || kind).toLowerCase();
}

/** A time with all digits that matter beside `length`. */
export function startText(start: number, length: number): string {
  return Math.abs(start) > 1000 * Math.max(1, length) ? exactText(start, "ns") : formatAlone(start, "ns");
}

/** Facts about a slice's position, which the hover text leaves out. */
const kPlain = /^(Self time|Children|Siblings|Device|Step|Since the .*)$|(^|[ _])ids?$|^raw_|^crc/i;
const kMostFacts = 16;
const kFactWidth = 72;

/** The facts of a slice besides its time, one per line. */
export function factsText(facts: SliceFact[]): string {
  const lines = facts
    .filter(({ label }) => !kPlain.test(label))
    .map(({ label, text, value, unit }) => `${label}: ${text ?? formatAlone(value ?? NaN, unit ?? "none")}`)
    .map((line) => (line.length > kFactWidth ? `${line.slice(0, kFactWidth)}…` : line));
  return lines.slice(0, kMostFacts).join("\n");
}

export function hoverText(hit: HitMark, axis: Axis): string {
  const time = axis.mode === "start" ? startText(hit.start, hit.end - hit.start) : timeText(axis, hit.start);
  const at = fill(words.timeline.at, { time });
  const module = hit.group ? `\n${fill(words.timeline.inModule, { name: hit.group })}` : "";
  if (hit.count === 1) {
    const length = `${formatAlone(hit.end - hit.start, "ns")}, ${at}`;
    if (hit.derived) return [translate(hit.kind), hit.name, length].filter(Boolean).join("\n");
    return `${hit.name}\n${length}, ${kindWord(hit.kind)}${module}`;
  }
  const share = hit.end > hit.start ? Math.min(1, hit.busy / (hit.end - hit.start)) : 1;
  const sums = fill(words.timeline.sums, { n: grouped(hit.count), share: `${(share * 100).toFixed(1)}%` });
  return `${sums}\n${fill(words.timeline.longest, { name: hit.name })}\n${at}${module}`;
}

export function counterText(
  { title, unit, series }: Counter,
  only: number | null,
  tile: CounterTile | null,
  time: number,
): string {
  const lines = series.map((s, i) => `${s.title}: ${valueText(tile?.series[i], unit, time)}`);
  if (only !== null) return `${title}\n${lines[only]}`;
  if (series.length === 1) return `${title}\n${valueText(tile?.series[0], unit, time)}`;
  return [title, ...lines].join("\n");
}
