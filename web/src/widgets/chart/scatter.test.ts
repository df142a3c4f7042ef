import assert from "node:assert/strict";
import { test } from "node:test";
import { ceilingLines, drawnRows, windowOf } from "./scatter_layout";

test("rows without a place on logarithmic axes are left out", () => {
  assert.deepEqual(drawnRows([1, 0, Number.NaN, 5], [2, 3, 4, Number.NaN]), [0]);
});

test("the window holds all points, the ceiling and the corner", () => {
  const ceilings = [
    { label: "peak", slope: null, flat: 200 },
    { label: "memory", slope: 2, flat: null },
  ];
  // The corner is at x = 100, y = 200: neither the point nor the decades around it would show it.
  const window = windowOf([3], [4], ceilings);
  assert.deepEqual(window, { x: [1, 100], y: [1, 1000] });
});

test("a slope ends at the flat ceiling, which begins there", () => {
  const ceilings = [
    { label: "peak", slope: null, flat: 200 },
    { label: "memory", slope: 2, flat: null },
  ];
  const lines = ceilingLines(ceilings, { x: [1, 1000], y: [1, 1000] });
  assert.deepEqual(lines, [
    {
      label: "peak",
      points: [
        [100, 200],
        [1000, 200],
      ],
    },
    {
      label: "memory",
      points: [
        [1, 2],
        [100, 200],
      ],
    },
  ]);
});

test("a ceiling outside of the window is not drawn, and a single ceiling extends to the edge", () => {
  assert.deepEqual(ceilingLines([{ label: "peak", slope: null, flat: 5 }], { x: [1, 10], y: [10, 100] }), []);
  const lines = ceilingLines([{ label: "memory", slope: 10, flat: null }], { x: [1, 100], y: [1, 100] });
  assert.deepEqual(lines[0].points, [
    [1, 10],
    [10, 100],
  ]);
});
