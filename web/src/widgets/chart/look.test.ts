import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseScale } from "../../base/units";
import { axisNumber } from "./look";

test("a label of an axis has the digits that tell it from its neighbours", () => {
  const scale = chooseScale("none", [0.0012]);
  const texts = (...values: number[]) => values.map((value) => axisNumber(value, scale));
  assert.deepEqual(texts(0, 0.0002, 0.001, 0.0012), ["0", "0.0002", "0.001", "0.0012"]);
  assert.deepEqual(texts(2.5, 3, 0.1 + 0.2, -0.5), ["2.5", "3", "0.3", "−0.5"]);
  assert.deepEqual(texts(2e-8, -1.5e-9), ["2e−8", "−1.5e−9"]);
  assert.deepEqual(texts(12.3456789, 21_000), ["12.346", "21,000"]);
});
