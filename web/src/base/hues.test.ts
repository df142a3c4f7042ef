// Colours: fixed for categories, stable for names, legible in both themes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryHue, nameHue, nameHues } from "./hues";

test("a name has the same hue in every chart", () => {
  assert.equal(nameHue("aten::mm"), nameHue("aten::mm"));
  assert.equal(nameHues(["aten::add", "aten::mm"])[1], nameHue("aten::mm"));
});

test("calls of one module class have one hue, but in a chart's legend another tone", () => {
  assert.equal(nameHue("Block_0"), nameHue("Block_17"));
  assert.notEqual(nameHue("Block_0"), nameHue("Blocks_0"));
  assert.equal(new Set(nameHues(["Block_0", "Block_1", "Block_2"])).size, 3);
});

test("an unknown category is drawn as other", () => {
  assert.equal(categoryHue("something", "light"), categoryHue("other", "light"));
});

test("no two categories share a hue in either theme", () => {
  const all = [
    "kernel",
    "memcpy",
    "memset",
    "communication",
    "runtime",
    "dataloader",
    "host",
    "other",
    "idle",
    "baseline",
    "compared",
  ];
  for (const theme of ["light", "dark"] as const) {
    assert.equal(new Set(all.map((category) => categoryHue(category, theme))).size, all.length);
  }
});
