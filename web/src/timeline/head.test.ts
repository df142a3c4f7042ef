// What is drawn above the lanes, by the recorder's lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawMinimap, drawRuler, drawStrips, flagBox, type HeadLook } from "./draw_head";
import { makeTile } from "../../test/tiles";
import { stripOf } from "./minimap";
import { Recorder } from "./recorder";

const look: HeadLook = {
  text: "",
  muted: "",
  line: "",
  surface: "",
  band: "",
  accent: "",
  marker: "",
  ground: "",
  font: "",
  theme: "light",
};
const axis = { mode: "start" as const, zero: 0, title: "", clock: null };
const extent = { start: 0, end: 1000 };

test("a strip shows the busiest lane; slices that only enclose others do not count", () => {
  const tile = makeTile(0, [
    [[0, 1000, "ProfilerStep#5", "step"]],
    [
      [0, 250, "a", "op"],
      [500, 600, "b", "op", 9, 50],
    ],
    [[100, 120, "c", "runtime"]],
  ]);
  const shares = stripOf([tile], extent, 10);
  assert.deepEqual(
    [...shares].map((share) => Number(share.toFixed(2))),
    [1, 1, 0.5, 0, 0, 0.5, 0, 0, 0, 0],
  );
  const recorder = new Recorder();
  drawStrips(recorder, [{ kind: "host", shares }], 1000, look);
  assert.equal(recorder.lines.filter((line) => line.startsWith("rect busy host")).length, 4);
});

test("the minimap shows the hits, the markers and the window", () => {
  const recorder = new Recorder();
  const scene = {
    extent,
    window: { start: 200, end: 400 },
    hits: [500, 500.1],
    markers: [{ time: 700, name: "here" }],
    range: null,
  };
  drawMinimap(recorder, scene, 1000, look);
  assert.ok(recorder.lines.includes("frame window 200.5 0.5 199 35"));
  assert.equal(recorder.lines.filter((line) => line.startsWith("rect hit")).length, 1);
  assert.ok(recorder.lines.includes("rect marker here 699 28 2 8"));
});

test("the ruler writes the range's length, the steps that fit and the flags of markers", () => {
  const recorder = new Recorder();
  const marker = { time: 750_000, name: "warm-up ends" };
  const window = { start: 0, end: 1_000_000 };
  const steps = [
    { title: "5", start: 0, duration: 500_000, slice: 0 },
    { title: "6", start: 500_000, duration: 10, slice: 1 },
  ];
  const scene = { window, range: { start: 1000, end: 251_000 }, steps, markers: [marker], axis };
  drawRuler(recorder, scene, 1000, 0, look);
  const texts = recorder.lines.filter((line) => line.startsWith("text")).join(" ");
  assert.match(texts, /"250.0 µs"/);
  assert.match(texts, /"step 5"/);
  assert.doesNotMatch(texts, /"6"/);
  assert.match(texts, /"warm-up ends"/);
  assert.deepEqual(flagBox(marker, window, 1000)?.left, 750);
  assert.equal(flagBox(marker, { start: 0, end: 10 }, 1000), null);
});
