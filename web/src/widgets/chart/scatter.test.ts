import assert from "node:assert/strict";
import { test } from "node:test";
import { boxesAlong, ceilingLines, drawnRows, placeOfName, windowOf } from "./scatter_layout";

test("rows without a place on logarithmic axes are left out", () => {
  assert.deepEqual(drawnRows([1, 0, Number.NaN, 5], [2, 3, 4, Number.NaN]), [0]);
});

test("a name is right of its point, else where nothing else is, else nowhere", () => {
  const area = { x: 0, y: 0, width: 200, height: 100 };
  const size = { width: 40, height: 10 };
  const dot = { x: 100, y: 50, radius: 6 };
  const right = { x: 110, y: 45, ...size };
  assert.deepEqual(placeOfName(dot, size, [dot], [], area), right);
  const left = { x: 50, y: 45, ...size };
  assert.deepEqual(placeOfName(dot, size, [dot], [right], area), left);
  // A point at the right, and a name at the left.
  const other = { x: 130, y: 50, radius: 5 };
  const above = { x: 80, y: 30, ...size };
  assert.deepEqual(placeOfName(dot, size, [dot, other], [left], area), above);
  assert.equal(placeOfName(dot, size, [dot], [area], area), null);
  assert.deepEqual(placeOfName({ ...dot, x: 190 }, size, [], [], area), { x: 140, y: 45, ...size });
});

test("the boxes along a line hold it", () => {
  assert.deepEqual(boxesAlong([0, 50], [100, 50]), [{ x: 0, y: 49, width: 100, height: 2 }]);
  // It rises by 4 pixels: two parts of 2.
  assert.deepEqual(boxesAlong([0, 4], [10, 0]), [
    { x: 0, y: 1, width: 5, height: 4 },
    { x: 5, y: -1, width: 5, height: 4 },
  ]);
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
