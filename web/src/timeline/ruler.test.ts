// Ticks: round, apart enough to be read, and told apart by their labels at every zoom.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRuler, roundStep } from "./ruler";

test("steps are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([1, 3, 7, 11, 250, 90_000].map(roundStep), [1, 5, 10, 20, 500, 100_000]);
});

test("labels are in the unit of the window, with the decimals that tell them apart", () => {
  const { ticks, step } = makeRuler({ start: 0, end: 10_000_000 }, 1000);
  assert.equal(step, 1_000_000);
  assert.deepEqual(
    ticks.slice(0, 3).map((tick) => tick.label),
    ["0 ms", "1 ms", "2 ms"],
  );
  const near = makeRuler({ start: 1_000_000, end: 1_400_000 }, 1000);
  assert.equal(near.ticks[1].label, "1.05 ms");
});

test("deep inside a long profile labels count from a time that stands at the left", () => {
  const { base, ticks } = makeRuler({ start: 5_000_000_100, end: 5_000_000_900 }, 1000);
  assert.equal(base, "5.0000001 s");
  assert.deepEqual(
    ticks.slice(0, 2).map((tick) => tick.label),
    ["+0 ns", "+100 ns"],
  );
});

test("at every zoom ticks are at least 80 pixels apart and no two labels are equal", () => {
  for (let span = 100; span < 1e13; span *= 3.7) {
    for (const start of [0, 123_456_789, 9e11]) {
      const { ticks, step } = makeRuler({ start, end: start + span }, 1200);
      assert.ok((step / span) * 1200 >= 80);
      assert.equal(new Set(ticks.map((tick) => tick.label)).size, ticks.length, `${span} at ${start}`);
    }
  }
});
