// Ticks: round, far enough apart to be read, and with distinct labels at every zoom.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, makeAxis, timeText } from "./axis";
import type { TimelineInfo } from "../api/timeline";
import { makeRuler, roundStep } from "./ruler";

test("steps are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([1, 3, 7, 11, 250, 90_000].map(roundStep), [1, 5, 10, 20, 500, 100_000]);
});

test("labels are in the unit of the window, with enough decimals to distinguish them", () => {
  const { ticks, step } = makeRuler({ start: 0, end: 10_000_000 }, 1000);
  assert.equal(step, 1_000_000);
  assert.deepEqual(
    ticks.slice(0, 3).map((tick) => tick.label),
    ["0 ms", "1 ms", "2 ms"],
  );
  const near = makeRuler({ start: 1_000_000, end: 1_400_000 }, 1000);
  assert.equal(near.ticks[1].label, "1.05 ms");
});

test("deep inside a long profile labels count from a time shown at the left", () => {
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

const info = {
  start: 0,
  end: 1e9,
  span: { start: 0, end: 1e9 },
  origin_unix_ns: "1623143089861000000",
  groups: [],
  steps: [
    { title: "5", start: 1_000_000, duration: 4_000_000, slice: 3 },
    { title: "6", start: 5_000_000, duration: 4_000_000, slice: 9 },
  ],
  colours: [],
  waits: false,
} as TimelineInfo;

test("relative to a step, times count from its start: the selected step, else the one at the left", () => {
  const window = { start: 2_000_000, end: 12_000_000 };
  const axis = makeAxis("step", info, window, null);
  assert.equal(axis.zero, 1_000_000);
  assert.equal(timeText(axis, 1_500_000), "step 5 +500,000 ns");
  assert.equal(timeText(axis, 900_000), "step 5 −100,000 ns");
  assert.deepEqual(makeAxis("step", info, window, 9).title, "step 6");
  const { ticks, base } = makeRuler(window, 1000, axis);
  assert.equal(base, "step 5");
  assert.deepEqual([ticks[1].time, ticks[1].label], [3_000_000, "2 ms"]);
});

test("on the clock, ticks are round on the clock", () => {
  const axis = makeAxis("utc", info, { start: 0, end: 1e9 }, null);
  assert.equal(timeText(axis, 5), "2021-06-08 09:04:49.861000005");
  const { ticks, base } = makeRuler({ start: 0, end: 1e9 }, 500, axis);
  assert.equal(base, "2021-06-08");
  assert.deepEqual(ticks[1].label, "09:04:50.0");
  assert.equal(clockText(axis.clock as bigint, ticks[1].time, 9), "09:04:50.000000000");
});

test("a profile without a clock or without steps falls back to its start", () => {
  const bare = { ...info, origin_unix_ns: null, steps: [] };
  for (const mode of ["utc", "step"] as const)
    assert.equal(makeAxis(mode, bare, { start: 0, end: 1 }, null).mode, "start");
});
