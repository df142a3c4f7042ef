// Boxes that match a search, and their share of the width.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NumberColumn } from "../../api/table_data";
import { layoutFlame } from "./flame_layout";
import { findBoxes, matcherOf } from "./flame_search";

const column = (numbers: number[]) => ({ numbers: Float64Array.from(numbers) }) as unknown as NumberColumn;
// a 60 holds b 30, which holds b 10 and c 5; d 40 holds b 20.
const names = ["a", "b", "b", "c", "d", "b"];
const boxes = layoutFlame(6, column([NaN, 0, 1, 1, NaN, 4]), column([60, 30, 10, 5, 40, 20]));
const find = (search: string) => {
  const matches = matcherOf(search);
  assert.ok(matches);
  return findBoxes(boxes, (row) => matches(names[row]));
};

test("matches come from left to right, and one inside another counts once", () => {
  const { rows, share, isMatch } = find("B");
  assert.deepEqual(rows, [1, 2, 5]);
  assert.ok(Math.abs(share - 0.5) < 1e-9);
  assert.deepEqual(
    names.map((_, row) => isMatch(boxes.boxOf[row])),
    [false, true, true, false, false, true],
  );
});

test("between slashes it is an expression; one that is not complete finds nothing", () => {
  assert.deepEqual(find("/^(a|c)$/").rows, [0, 3]);
  assert.ok(Math.abs(find("/^(a|c)$/").share - 0.6) < 1e-9);
  assert.equal(matcherOf("/(/"), null);
  assert.equal(matcherOf("  "), null);
});
