// Which rows are folded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable } from "../../api/table_data";
import { foldRows } from "./fold";

function tableOf(values: (number | null)[]) {
  const names = values.map((_, i) => `row ${i}`);
  const head = { role: "value", unit: "none" } as const;
  return makeTable("t", {
    title: "T",
    rows: values.length,
    columns: [
      { ...head, key: "name", title: "Name", type: "text", values: names },
      { ...head, key: "value", title: "Value", type: "real", values },
    ],
  });
}

test("rows without a value are folded and named, if there are two or more", () => {
  const fold = foldRows(tableOf([1, null, 0, null]), "value");
  assert.deepEqual([...(fold?.mask ?? [])], [1, 0, 1, 0]);
  assert.deepEqual(fold?.names, ["row 1", "row 3"]);
  assert.equal(foldRows(tableOf([1, null, 0]), "value"), null);
});

test("a table without any value, or without such a column, stays as it is", () => {
  assert.equal(foldRows(tableOf([null, null]), "value"), null);
  assert.equal(foldRows(tableOf([1, null, null]), "other"), null);
  assert.equal(foldRows(tableOf([1, null, null]), undefined), null);
});
