// Sorting and searching, also that a hundred thousand rows are fast enough.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable } from "../../api/table_data";
import { filterRows, matchRows, sortedRows } from "./order";

const table = makeTable("t", {
  title: "T",
  rows: 5,
  columns: [
    {
      key: "name",
      title: "Name",
      type: "text",
      role: "value",
      unit: "none",
      values: ["aten::mm", "Aten::add", null, "aten::conv2d", "aten::mm"],
    },
    {
      key: "calls",
      title: "Calls",
      type: "integer",
      role: "value",
      unit: "count",
      values: [3, 10, 7, null, 3],
    },
    {
      key: "total",
      title: "Device total",
      type: "integer",
      role: "value",
      unit: "ns",
      values: [2e6, 5e6, 1e6, 9e6, 4e6],
    },
  ],
});
const sorted = (column: string, descending: boolean) => [...sortedRows(table, { column, descending })];
const found = (search: string) => [...filterRows(sortedRows(table, null), matchRows(table, search))];

test("numbers sort both ways, equal ones keep their order, unknown comes last", () => {
  assert.deepEqual(sorted("calls", true), [1, 2, 0, 4, 3]);
  assert.deepEqual(sorted("calls", false), [0, 4, 2, 1, 3]);
});

test("names sort without regard to case, unknown last", () => {
  assert.deepEqual(sorted("name", false), [1, 3, 0, 4, 2]);
});

test("every word must occur, in any case", () => {
  assert.deepEqual(found("ATEN mm"), [0, 4]);
  assert.deepEqual(found("aten conv mm"), []);
  assert.deepEqual(found(""), [0, 1, 2, 3, 4]);
});

test("a regular expression is between slashes", () => {
  assert.deepEqual(found("/::(add|conv2d)$/"), [1, 3]);
  assert.deepEqual(found("/([/"), []);
});

test("conditions compare in the column's unit or in the one that is written", () => {
  assert.deepEqual(found("calls>3"), [1, 2]);
  assert.deepEqual(found("devicetotal>=4"), [1, 3, 4]);
  assert.deepEqual(found("device_total<1500us"), [2]);
  assert.deepEqual(found("total>1ms calls=3"), [0, 4]);
});

test("a hundred thousand rows are sorted and searched within a blink", () => {
  const rows = 100_000;
  const big = makeTable("big", {
    title: "Big",
    rows,
    columns: [
      {
        key: "name",
        title: "Name",
        type: "text",
        role: "value",
        unit: "none",
        values: Array.from({ length: rows }, (_, i) => `aten::op_${(i * 7919) % rows}`),
      },
      {
        key: "time",
        title: "Time",
        type: "integer",
        unit: "ns",
        role: "value",
        values: Array.from({ length: rows }, (_, i) => (i * 104729) % 1_000_003),
      },
    ],
  });
  const start = performance.now();
  sortedRows(big, { column: "time", descending: true });
  sortedRows(big, { column: "name", descending: false });
  const mask = matchRows(big, "op_999");
  assert.ok(mask);
  assert.ok(performance.now() - start < 2000, "sorting and searching took over two seconds");
});
