// Tables of the wire as typed columns: unknown stays unknown, and links are filled from the row.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellExact, cellText, fillParameters, makeTable } from "./table_data";

const table = makeTable("t", {
  title: "T",
  rows: 3,
  columns: [
    {
      key: "name",
      title: "Name",
      type: "text",
      unit: "none",
      role: "label",
      code: true,
      values: ["a<b>", "b", null],
    },
    { key: "time", title: "Time", type: "integer", role: "value", unit: "ns", values: [1_500_000, null, 0] },
    { key: "ok", title: "Ok", type: "flag", role: "value", unit: "none", values: [true, false, null] },
  ],
});
const column = (key: string) => table.byKey.get(key)!;

test("unknown cells of every type are a dash", () => {
  assert.equal(cellText(column("name"), 2), "–");
  assert.equal(cellText(column("time"), 1), "–");
  assert.equal(cellText(column("ok"), 2), "–");
  assert.equal(cellText(column("time"), 2), "0.000");
});

test("a cell is copied exactly", () => {
  assert.equal(cellText(column("time"), 0), "1.500");
  assert.equal(cellExact(column("time"), 0), "1,500,000 ns");
  assert.equal(cellExact(column("name"), 0), "a<b>");
});

test("a link gets exact values from the row", () => {
  const filled = fillParameters(table, 0, {
    name: "$name",
    at: "$time",
    group_by: "operator",
    none: "$nothing",
  });
  assert.deepEqual(filled, { name: "a<b>", at: "1500000", group_by: "operator", none: "" });
});
