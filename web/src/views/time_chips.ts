// Set parameters of type `time`, as chips: the two ends of a window are one chip, every other parameter is a
// separate one.
import type { Report } from "../api/client";
import type { Place } from "../base/place";
import { formatAlone, formatSpan } from "../base/units";
import { fill, words } from "../base/words";
import { timeOf } from "./lines_panel";

export interface TimeChip {
  text: string;
  /** The parameters of the chip. */
  clears: string[];
}

/** Which parameter is the end for which start: as a curve says, else by their names. */
function endOf(report: Report, key: string): string | undefined {
  for (const panel of report.panels)
    if (panel.kind === "lines" && panel.select?.start === key) return panel.select.end;
  return key === "start" ? "end" : undefined;
}

export function timeChips(place: Place, report: Report): TimeChip[] {
  const chips: TimeChip[] = [];
  const done = new Set<string>();
  for (const { key, title, type } of report.parameters) {
    const value = timeOf(place, report, key);
    if (type !== "time" || value === null || done.has(key)) continue;
    const endKey = endOf(report, key);
    const end = timeOf(place, report, endKey);
    if (endKey !== undefined && end !== null) {
      chips.push({ text: formatSpan("ns", value, end), clears: [key, endKey] });
      done.add(endKey);
    } else {
      const text = formatAlone(value, "ns");
      chips.push({ text: fill(words.timeChip, { title, time: text }), clears: [key] });
    }
  }
  return chips;
}
