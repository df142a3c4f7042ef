import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable, numberColumn } from "../../api/table_data";
import { ganttRows, ganttTicks } from "./gantt_layout";

const column = (key: string, type: string, values: unknown[]) => ({
  key,
  title: key,
  unit: type === "text" ? "none" : "ns",
  type,
  role: "value",
  values,
});

test("a row for each lane of each group, in the order of the table", () => {
  const table = makeTable("t", {
    title: "T",
    rows: 4,
    columns: [
      column("times", "text", ["before", "before", "after", "before"]),
      column("lane", "text", ["host", "stream", "host", "host"]),
      column("start", "integer", [0, 5, 0, 20]),
      column("length", "integer", [10, 20, 7, 5]),
    ],
  } as never);
  const rows = ganttRows(
    4,
    table.byKey.get("times")!,
    table.byKey.get("lane")!,
    numberColumn(table, "start")!.numbers,
    numberColumn(table, "length")!.numbers,
  );
  assert.deepEqual(rows, [
    { rows: [0, 3], isFirst: true, end: 25 },
    { rows: [1], isFirst: false, end: 25 },
    { rows: [2], isFirst: true, end: 7 },
  ]);
});

test("the axis has round marks", () => {
  assert.deepEqual(ganttTicks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ganttTicks(12, 47, 4), [20, 30, 40]);
});
