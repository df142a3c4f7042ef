// The x axis of a curve: pixels and values, units that fit the drawn part, and labels that do not collide.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable, type Column } from "../../api/table_data";
import { CurveAxis } from "./curve_axis";
import { placeMarks, type TextWidth } from "./curve_marks";

const table = makeTable("t", {
  title: "T",
  rows: 3,
  columns: [
    {
      key: "x",
      title: "Time",
      unit: "ns",
      type: "integer",
      role: "value",
      values: [0, 500_000_000, 1_000_000_000],
    },
    { key: "name", title: "Name", type: "text", role: "value", unit: "none", values: ["a", "b", "c"] },
  ],
});
const x = table.byKey.get("x") as Column;
const plot = { left: 50, top: 30, width: 1000, height: 200 };

test("the whole is drawn without a window, and pixels lead to values and back", () => {
  const axis = new CurveAxis(table, x, null);
  assert.deepEqual(axis.window, { start: 0, end: 1e9 });
  assert.equal(axis.value(550, plot), 500_000_000);
  assert.equal(axis.pixel(500_000_000, plot), 550);
  assert.equal(axis.value(-20, plot), 0);
  assert.equal(axis.value(5000, plot), 1e9);
});

test("the unit suits the part that is drawn, not the distance from zero", () => {
  const axis = new CurveAxis(table, x, { start: 500_000_000, end: 500_020_000 });
  assert.equal(axis.scale.label, "µs");
  assert.equal(axis.text(500_001_230), "500,001.23 µs");
});

test("the text of a row is beside it", () => {
  const axis = new CurveAxis(table, table.byKey.get("name") as Column, null);
  assert.equal(axis.text(axis.value(60, plot)), "a");
  assert.equal(axis.text(axis.value(1040, plot)), "c");
});

test("a label that would cover another is left out, but its line is drawn; outside of the window neither is", () => {
  const axis = new CurveAxis(table, x, null);
  const wide: TextWidth = () => 60;
  const marks = [0, 500_000_000, 510_000_000, 900_000_000, 2_000_000_000].map((at, i) => ({
    kind: "mark" as const,
    x: at,
    label: `mark ${i}`,
  }));
  const placed = placeMarks(axis, plot, marks, wide);
  assert.deepEqual(
    placed.map(({ labelLeft }) => labelLeft),
    [50, 520, null, 920],
  );
});
