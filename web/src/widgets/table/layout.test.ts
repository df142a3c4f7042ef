// Positions of rows when some are expanded, the order of trees, and the spelling of rows in the address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable, type NumberColumn } from "../../api/table_data";
import { RowLayout } from "./layout";
import { identity, matchRows } from "./order";
import { formatRows, parseRows } from "./table_state";
import { ancestorsOf, firstOpen, makeTree, treeRows } from "./tree_order";

test("rows below an expanded one are pushed down by its height", () => {
  const layout = new RowLayout(100, [{ position: 3, height: 50 }]);
  assert.equal(layout.top(3), 72);
  assert.equal(layout.top(4), 146);
  assert.equal(layout.total, 2450);
});

test("every pixel belongs to the row that covers it", () => {
  const layout = new RowLayout(1000, [
    { position: 3, height: 50 },
    { position: 10, height: 200 },
  ]);
  for (let y = 0; y < layout.total; y += 13) {
    const position = layout.positionAt(y);
    assert.ok(layout.top(position) <= y);
    assert.ok(position === 999 || layout.top(position + 1) > y);
  }
});

test("rows are spelt as ranges and read back", () => {
  assert.equal(formatRows(new Set([9, 3, 4, 5])), "3-5,9");
  assert.deepEqual([...parseRows("3-5,9", 100)], [3, 4, 5, 9]);
  assert.deepEqual([...parseRows("none", 100)], []);
  assert.deepEqual([...parseRows("98-4000000000", 100)], [98, 99]);
});

const tree = makeTable("t", {
  title: "T",
  rows: 6,
  columns: [
    {
      key: "name",
      title: "Name",
      type: "text",
      role: "value",
      unit: "none",
      values: ["root", "a", "b", "a1", "a2", "b1"],
    },
    {
      key: "parent",
      title: "Parent",
      type: "integer",
      role: "value",
      unit: "id",
      values: [null, 0, 0, 1, 1, 2],
    },
  ],
});
const made = makeTree(identity(6), tree.byKey.get("parent") as NumberColumn);

test("a tree draws the children of open rows only", () => {
  assert.deepEqual([...treeRows(made, 6, (row) => row === 0, null).rows], [0, 1, 2]);
  const view = treeRows(made, 6, () => true, null);
  assert.deepEqual([...view.rows], [0, 1, 3, 4, 2, 5]);
  assert.deepEqual([...view.depth], [0, 1, 1, 2, 2, 2]);
});

test("a match in a tree is drawn under its ancestors, even when they are collapsed", () => {
  assert.deepEqual([...treeRows(made, 6, () => false, matchRows(tree, "a2")).rows], [0, 1, 4]);
  assert.deepEqual(ancestorsOf(made, 4), [1, 0]);
});

test("a tree with one root begins open", () => {
  assert.deepEqual([...firstOpen(made)], [0]);
});

test("a row that is its own ancestor does not hang the page", () => {
  const loop = makeTable("l", {
    title: "L",
    rows: 2,
    columns: [{ key: "parent", title: "Parent", type: "integer", role: "value", unit: "id", values: [1, 0] }],
  });
  const circle = makeTree(identity(2), loop.byKey.get("parent") as NumberColumn);
  assert.equal(treeRows(circle, 2, () => true, Uint8Array.of(1, 1)).rows.length, 0);
});
