// Colours: fixed for categories, stable for names, legible in both themes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryHue, nameHue, nameHues, seriesHues } from "./hues";

test("a name has the same hue in every chart", () => {
  assert.equal(nameHue("aten::mm"), nameHue("aten::mm"));
  assert.equal(nameHues(["aten::add", "aten::mm"])[1], nameHue("aten::mm"));
});

test("calls of one module class have one hue, but in a chart's legend another tone", () => {
  assert.equal(nameHue("Block_0"), nameHue("Block_17"));
  assert.notEqual(nameHue("Block_0"), nameHue("Blocks_0"));
  assert.equal(new Set(nameHues(["Block_0", "Block_1", "Block_2"])).size, 3);
});

/** The direction of a colour on the wheel, in degrees. */
function angleOf(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return ((Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI + 360) % 360;
}

test("series beside each other have hues that differ", () => {
  for (const names of [
    ["Waited for input", "Devices idle"],
    ["Step", "Lower quartile", "Upper quartile"],
  ]) {
    const angles = seriesHues(names)
      .map(angleOf)
      .sort((a, b) => a - b);
    for (let i = 1; i < names.length; i++) assert.ok(angles[i] - angles[i - 1] >= 25, `${angles}`);
  }
  assert.equal(new Set(seriesHues(Array.from({ length: 16 }, (_, i) => `s${i}`))).size, 16);
  assert.equal(seriesHues(Array.from({ length: 20 }, (_, i) => `s${i}`)).length, 20);
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
