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
  assert.equal(cellText(column("time"), 2), "0");
});

test("a cell is copied exactly", () => {
  assert.equal(cellText(column("time"), 0), "1.50");
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

test("comparable columns share a unit; instants have their own", () => {
  const table = makeTable("steps", {
    title: "Steps",
    rows: 2,
    columns: [
      { key: "start", title: "Start", unit: "ns", type: "integer", role: "value", values: [5e9, 5.02e9] },
      { key: "host", title: "Host", unit: "ns", type: "integer", role: "value", values: [19e6, 20e6] },
      { key: "kernel", title: "Kernel", unit: "ns", type: "integer", role: "value", values: [730e3, 1947e3] },
      { key: "idle", title: "Idle", unit: "ns", type: "integer", role: "value", values: [0, 0] },
    ],
  });
  const labels = table.columns.map((column) => column.kind === "number" && column.scale.label);
  assert.deepEqual(labels, ["s", "ms", "ms", "ms"]);
  const kernel = table.columns[2];
  assert.deepEqual([cellText(kernel, 0), cellText(kernel, 1)], ["0.730", "1.95"]);
});

test("the title of a query's column does not name a unit that is not shown", () => {
  const wire = (key: string, unit: "ns" | "count") =>
    makeTable("answer", {
      title: "Answer",
      rows: 1,
      columns: [{ key, title: key, unit, type: "integer", role: "value", values: [25_000_000] }],
    }).columns[0];
  assert.equal(wire("total_ns", "ns").title, "total");
  assert.equal(wire("total_ns", "count").title, "total_ns");
});

test("a share has a bar, unless another column draws it; else the column that sorts the table has", () => {
  const numbers = (key: string, unit: "ns" | "share", bar?: string) => ({
    key,
    title: key,
    unit,
    bar,
    type: "real" as const,
    role: "value" as const,
    values: [1, 0.5],
  });
  const bars = (columns: ReturnType<typeof numbers>[]) =>
    makeTable("t", { title: "T", rows: 2, sort: { column: "self", descending: true }, columns }).columns.map(
      ({ bar }) => bar,
    );
  assert.deepEqual(
    bars([numbers("self", "ns", "share"), numbers("share", "share"), numbers("busy", "share")]),
    ["share", "", "busy"],
  );
  assert.deepEqual(bars([numbers("total", "ns"), numbers("self", "ns")]), ["", "self"]);
});
