// Where the rectangles of a Gantt chart lie: rows by group and lane, and the marks of the axis.
import { wireText, type Column } from "../../api/table_data";

export interface GanttRow {
  /** Of the table, by start. */
  rows: number[];
  /** It is the first of its group. */
  isFirst: boolean;
  end: number;
}

/** A row for each lane of each group, in the order of the table. */
export function ganttRows(
  count: number,
  group: Column,
  lane: Column,
  start: ArrayLike<number>,
  length: ArrayLike<number>,
): GanttRow[] {
  const groups = new Map<string, Map<string, GanttRow>>();
  for (let row = 0; row < count; row++) {
    const name = wireText(group, row);
    const lanes = groups.get(name) ?? new Map<string, GanttRow>();
    groups.set(name, lanes);
    const title = wireText(lane, row);
    const found = lanes.get(title) ?? { rows: [], isFirst: lanes.size === 0, end: 0 };
    lanes.set(title, found);
    found.rows.push(row);
    found.end = Math.max(found.end, start[row] + length[row]);
  }
  return [...groups.values()].flatMap((lanes) => [...lanes.values()]);
}

/** Round numbers from `from` to `to`, about `wanted` of them. */
export function ganttTicks(from: number, to: number, wanted: number): number[] {
  const rough = (to - from) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough) ?? power;
  const ticks = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}
