// Which panels have nothing to show.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../api/client";
import { makeTable } from "../api/table_data";
import type { Cell, Panel } from "../api/types";
import { hasNothing } from "./empty_panels";

function nothing(panel: object, names: Cell[], values: Cell[]): boolean {
  const table = makeTable("t", {
    title: "T",
    rows: names.length,
    columns: [
      { key: "name", title: "Name", type: "text", unit: "none", role: "label", values: names },
      { key: "time", title: "Time", type: "integer", unit: "ns", role: "value", values },
    ],
  });
  const panels = [{ kind: "table", table: "t" }];
  const report = { tables: new Map([["t", table]]), panels } as unknown as Report;
  return hasNothing({ id: "p", title: "P", table: "t", ...panel } as Panel, report);
}

const bars = { kind: "bars", x: "name", series: ["time"] };
const donut = { kind: "breakdown", label: "name", value: "time", top: 10 };

test("a chart of one bar, or of unknown values, is nothing", () => {
  assert.equal(nothing(bars, ["a"], [5]), true);
  assert.equal(nothing(bars, ["a", "b"], [null, null]), true);
  assert.equal(nothing(bars, ["a", "b"], [5, 0]), false);
});

test("a donut of equal names is nothing; of one name it is something", () => {
  assert.equal(nothing(donut, ["a", "a"], [5, 6]), true);
  assert.equal(nothing(donut, ["a", "b"], [5, 6]), false);
  assert.equal(nothing(donut, ["a"], [5]), false);
  assert.equal(nothing(donut, ["a", "b"], [0, null]), true);
});

test("a chart of one point is nothing, unless it is below a ceiling", () => {
  const points = { kind: "scatter", label: "name", x: "time", y: "time" };
  assert.equal(nothing(points, ["a"], [5]), true);
  assert.equal(nothing(points, ["a", "b"], [5, 6]), false);
  assert.equal(nothing({ ...points, ceilings: [{ label: "peak", slope: 1, flat: 2 }] }, ["a"], [5]), false);
});

test("a heat map of zeros and facts without values are nothing, a table of them is not", () => {
  assert.equal(nothing({ kind: "heatmap", x: "name", y: "name", value: "time" }, ["a"], [0]), true);
  assert.equal(
    nothing({ kind: "facts", facts: [{ label: "a", value: null, unit: "ns", type: "real" }] }, [], []),
    true,
  );
  assert.equal(nothing({ kind: "table" }, ["a"], [null]), false);
  assert.equal(nothing({ kind: "table" }, [], []), true);
});
