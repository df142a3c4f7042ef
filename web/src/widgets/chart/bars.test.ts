// The labels of bars: none is left out while there is room for it in some form.
import assert from "node:assert/strict";
import { test } from "node:test";
import { areLying, labelLook } from "./bars";

test("every one of a few bars has its label", () => {
  const names = ["Step", "Kernel", "Memcpy", "Memset", "Runtime", "Data loading", "Host", "Other"];
  assert.equal(labelLook(names, 1200).interval, 0);
  assert.deepEqual(labelLook(names, 560), { interval: 0, width: 58, overflow: "break", lineHeight: 13 });
  assert.deepEqual(labelLook(names, 400), { interval: 0, rotate: 40 });
  assert.deepEqual(labelLook(["aten::linear", "aten::_to_copy"], 190), { interval: 0, rotate: 40 });
});

test("bars lie where slanted labels would overlap", () => {
  const names = Array.from({ length: 12 }, (_, i) => `aten::convolution_${i}`);
  assert.equal(areLying(names, 280), true);
  assert.equal(areLying(names, 900), false);
  assert.equal(areLying(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"], 270), false);
});

test("of very many bars, as many as fit", () => {
  const steps = Array.from({ length: 150 }, (_, i) => `Step ${i}`);
  assert.deepEqual(labelLook(steps, 1200), { hideOverlap: true });
});
