// Slices of a breakdown: the largest, one for the rest, and shares that sum to one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable, type NumberColumn } from "../../api/table_data";
import { makeSlices, shownNames } from "./donut";
import { nextShown } from "./legend";

const table = makeTable("t", {
  title: "T",
  rows: 5,
  columns: [
    {
      key: "name",
      title: "Name",
      type: "text",
      unit: "none",
      role: "label",
      values: ["a", "b", "c", "d", "e"],
    },
    { key: "time", title: "Time", type: "integer", role: "value", unit: "ns", values: [10, 50, 0, null, 40] },
  ],
});
const label = table.byKey.get("name")!;
const value = table.byKey.get("time") as NumberColumn;

test("slices come largest first, without zero and unknown", () => {
  assert.deepEqual(
    makeSlices(table, label, value, 10, null, "light").map((s) => s.name),
    ["b", "e", "a"],
  );
});

test("the rest is one slice, and shares sum to one", () => {
  const slices = makeSlices(table, label, value, 1, null, "light");
  assert.deepEqual(
    slices.map((s) => [s.row, s.value]),
    [
      [1, 50],
      [-1, 50],
    ],
  );
  assert.equal(
    slices.reduce((sum, s) => sum + s.share, 0),
    1,
  );
});

test("a total beyond the rows shows as other", () => {
  const slices = makeSlices(table, label, value, 10, 200, "light");
  assert.deepEqual(slices.at(-1), { ...slices.at(-1), row: -1, value: 100, share: 0.5 });
});

test("the text that distinguishes two slices of one name is not cut off", () => {
  const slice = (name: string, more?: string) => ({ row: 0, name, more, value: 1, share: 1, hue: "" });
  const shapes = ["[[], [32, 64], []]", "[[], [32, 256], []]"];
  const operators = shapes.map((more) => slice("aten::convolution_backward", more));
  assert.deepEqual(shownNames(operators, 26), ["aten::co…ckward [[32, 64]]", "aten::co…ckward [[32, 256…"]);
  const kernels = [slice("convolve_sgemm<float, 1024, 6>"), slice("convolve_sgemm<float, 128, 6>")];
  const [one, other] = shownNames(kernels, 20);
  assert.notEqual(one, other);
});

test("the legend isolates, restores, and adds", () => {
  const keys = ["a", "b", "c"];
  assert.deepEqual([...nextShown(keys, new Set(keys), "b", false)], ["b"]);
  assert.deepEqual([...nextShown(keys, new Set(["b"]), "b", false)], keys);
  assert.deepEqual([...nextShown(keys, new Set(["b"]), "c", true)], ["b", "c"]);
});
