// Windows: the time under the pointer stays there, nothing leaves the profile, and nearby windows request the
// same tiles.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  around,
  bringInto,
  kLeastSpan,
  keepInside,
  lengthOf,
  panBy,
  pixelFor,
  tileWindow,
  timeAt,
} from "./viewport";
import { withAir, xOf, zoomAt } from "./viewport";

const all = { start: 0, end: 1_000_000 };

test("zooming keeps the time under the pointer under the pointer", () => {
  const before = { start: 200_000, end: 600_000 };
  for (const factor of [0.5, 1.3, 8]) {
    const after = zoomAt(before, factor, 250, 1000, all);
    if (lengthOf(after) < lengthOf(withAir(all)))
      assert.ok(Math.abs(timeAt(250, after, 1000) - timeAt(250, before, 1000)) < 1e-6 * 1e6);
    assert.ok(Math.abs(lengthOf(after) - lengthOf(before) / factor) < 1);
  }
});

test("a window never becomes narrower than the least span or wider than all", () => {
  assert.equal(lengthOf(zoomAt({ start: 10, end: 200 }, 1e9, 5, 10, all)), kLeastSpan);
  assert.deepEqual(zoomAt({ start: 10, end: 200 }, 1e-9, 5, 10, all), withAir(all));
  assert.deepEqual(keepInside({ start: -5e9, end: 5e9 }, all), withAir(all));
});

test("panning stops at the ends and keeps the zoom", () => {
  const window = { start: 100_000, end: 300_000 };
  assert.deepEqual(panBy(window, 500, 1000, all), { start: 200_000, end: 400_000 });
  const left = panBy(window, -1e7, 1000, all);
  assert.equal(left.start, withAir(all).start);
  assert.equal(lengthOf(left), 200_000);
});

test("a slice is brought into sight without a needless move", () => {
  const window = { start: 100_000, end: 300_000 };
  assert.equal(bringInto(window, { start: 150_000, end: 160_000 }, all), window);
  assert.deepEqual(bringInto(window, { start: 600_000, end: 600_100 }, all), {
    start: 500_050,
    end: 700_050,
  });
  assert.ok(lengthOf(bringInto(window, { start: 0, end: 900_000 }, all)) > 900_000);
  assert.deepEqual(around({ start: 400_000, end: 500_000 }, all), { start: 390_000, end: 510_000 });
});

test("a tile's pixel is the power of two at or below the screen's, and at least 1 ns", () => {
  assert.equal(pixelFor({ start: 0, end: 1_000_000 }, 1000), 512);
  assert.equal(pixelFor({ start: 0, end: 1_024_000 }, 1000), 1024);
  assert.equal(pixelFor({ start: 0, end: 100 }, 1000), 1);
});

test("a tile is at least three times the window, and a small pan requests the same", () => {
  const window = { start: 400_000, end: 500_000 };
  const pixel = pixelFor(window, 1000);
  const expected = tileWindow(window, pixel);
  assert.ok(expected.start <= 300_000 && expected.end >= 600_000);
  assert.deepEqual(tileWindow({ start: 400_010, end: 500_010 }, pixel), expected);
  assert.equal(xOf(450_000, window, 1000), 500);
});
