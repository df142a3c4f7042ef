// What is drawn, by the recorder's lines: boxes and names, density, clipping, what stands out, flows,
// and what the pointer hits.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LaneGroup, SliceDetail, Tile } from "../api/timeline";
import { Colors } from "./colors";
import { drawLanes, type Scene, type SceneLook } from "./draw_lanes";
import { boxName, drawMarks, shade } from "./draw_marks";
import { drawMinimap, drawRuler, stripOf, type HeadLook } from "./draw_head";
import { hitMark } from "./hit";
import { between, layOut, rowAt } from "./layout";
import { makeTile, type Mark } from "./made";
import { Recorder } from "./painter";
import { readState, writeState } from "./state";

const look: SceneLook = {
  colors: new Colors("light"),
  font: "11px mono",
  char: 7,
  strong: "#000",
  chosen: null,
  line: "#ddd",
  band: "#eee",
  bandLine: "#ccc",
  head: "#f6f6f6",
  accent: "#00f",
  muted: "#666",
};

function drawn(
  marks: Mark[],
  window = { start: 0, end: 1000 },
  width = 1000,
  more: Partial<SceneLook> = {},
): string[] {
  const tile = makeTile(0, [marks]);
  const row = tile.rows[0];
  const recorder = new Recorder();
  if (row) drawMarks(recorder, tile, row, window, width, 18, { ...look, ...more }, false);
  return recorder.lines;
}

test("a slice is a box with its name when it fits", () => {
  assert.deepEqual(drawn([[120, 160, "gemm", "kernel"]]), [
    "rect kernel gemm 120 18 39 16",
    'text "gemm" 123 26.5',
  ]);
  assert.deepEqual(drawn([[120, 140, "gemm", "kernel"]]), ["rect kernel gemm 120 18 19 16"]);
});

test("a name that does not fit loses its namespace, then its middle, then all", () => {
  assert.equal(boxName("aten::add_", 10), "aten::add_");
  assert.equal(boxName("aten::add_", 5), "add_");
  assert.equal(boxName("aten::convolution", 4), "");
  assert.match(boxName("nvjet_hsh_128x256_64x4", 12), /^nvjet.*…/);
});

test("a box is cut at the edges of the window", () => {
  assert.deepEqual(drawn([[-500, 2000, "step", "step"]], { start: 0, end: 1000 }, 500), [
    "rect step step 0 18 499 16",
    'text "step" 3 26.5',
  ]);
  assert.deepEqual(drawn([[2000, 2500, "later", "op"]]), []);
});

test("narrow slices add up per pixel; the shade is the busy share, the name the longest's", () => {
  const marks: Mark[] = [
    [0, 2, "a", "kernel"],
    [3, 8, "b", "kernel"],
  ];
  assert.deepEqual(drawn(marks, { start: 0, end: 1000 }, 100), [
    `rect density b 0 18 1 16 shade ${shade(0.7).toFixed(1)}`,
  ]);
});

test("equal neighbours are one run", () => {
  const marks = Array.from({ length: 50 }, (_, i): Mark => [i * 10, i * 10 + 5, "a", "kernel", 3, 5]);
  const lines = drawn(marks, { start: 0, end: 1000 }, 100);
  assert.deepEqual(lines, [`rect density a 0 18 50 16 shade ${shade(0.5).toFixed(1)}`]);
});

test("a coarse mark is drawn as wide as it is, in its own shade", () => {
  assert.deepEqual(drawn([[0, 100, "a", "kernel", 9, 50]]), ["rect density a 0 18 100 16 shade 0.6"]);
});

test("what is chosen and what lies around it stand out, all else recedes", () => {
  const chosen = { slice: 1, lane: 0, start: 100, end: 150 };
  const lines = drawn(
    [
      [0, 50, "a", "op"],
      [100, 150, "b", "op"],
    ],
    undefined,
    1000,
    { chosen },
  );
  assert.deepEqual(lines, [
    "rect op a 0 18 49 16 shade 0.5",
    'text "a" 3 26.5',
    "rect op b 100 18 49 16",
    'text "b" 103 26.5',
    "frame chosen 101 19 47 14",
  ]);
});

const lane = (number: number, rows: number) => ({
  lane: number,
  kind: "host_thread",
  title: `lane ${number}`,
  rows,
  slices: 5,
  start: 0,
  end: 1000,
});
const groups: LaneGroup[] = [
  { title: "host", lanes: [lane(0, 2), lane(1, 1)] },
  { title: "GPU 0", lanes: [lane(2, 1)] },
];

test("lanes stand below their group's head; a folded lane keeps one row, a folded group its head", () => {
  const open = layOut(groups, new Set());
  assert.deepEqual(
    open.placed.map((at) => [at.title, at.top]),
    [
      ["host", 0],
      ["lane 0", 20],
      ["lane 1", 62],
      ["GPU 0", 86],
      ["lane 2", 106],
    ],
  );
  const folded = layOut(groups, new Set(["0", "g1"]));
  assert.deepEqual(
    folded.placed.map((at) => at.title),
    ["host", "lane 0", "lane 1", "GPU 0"],
  );
  assert.equal(folded.lanes.get(0)?.rows, 1);
  assert.deepEqual(
    between(open, 63, 90).map((at) => at.title),
    ["lane 1", "GPU 0"],
  );
  assert.equal(rowAt(open, 40)?.row, 1);
  assert.equal(rowAt(open, 5), null);
});

const tiles = new Map<number, Tile>([
  [0, makeTile(0, [[[100, 400, "outer", "op", 1, 300, 7]], [[120, 200, "launch", "runtime", 1, 80, 8]]])],
  [2, makeTile(2, [[[300, 420, "gemm", "kernel", 1, 120, 9]]])],
]);
const scene: Scene = {
  layout: layOut(groups, new Set()),
  window: { start: 0, end: 1000 },
  width: 1000,
  height: 300,
  scrollTop: 0,
  steps: [{ title: "5", start: 50, duration: 500, slice: 1 }],
  range: null,
  detail: null,
  pointer: -1,
  tileOf: (number) => tiles.get(number) ?? null,
};

test("a scene: band, heads, rows; the flow of the chosen call leads to its kernel", () => {
  const related = [
    { relation: "launched", slice: 9, name: "gemm", kind: "kernel", lane: 2, start: 300, duration: 120 },
  ];
  const detail = { slice: 8, lane: 0, start: 120, duration: 80, related } as unknown as SliceDetail;
  const recorder = new Recorder();
  const chosen = { slice: 8, lane: 0, start: 120, end: 200 };
  drawLanes(recorder, { ...scene, detail }, { ...look, chosen });
  const lines = recorder.lines.filter((line) => /^(rect|curve)/.test(line));
  assert.equal(lines[0], "rect step 5 50 0 500 300");
  assert.ok(lines.includes("rect op outer 100 21 299 16"), "the parent stands out");
  assert.ok(lines.includes("rect kernel gemm 300 107 119 16 shade 0.5"), "the rest recedes");
  assert.deepEqual(lines.at(-1), "curve flow 120 47 300 115");
});

test("a flow from far outside enters at the edge; a chosen slice too narrow to see is marked", () => {
  const related = [
    { relation: "launch", slice: 8, name: "launch", kind: "runtime", lane: 0, start: 120, duration: 80 },
  ];
  const detail = {
    slice: 9,
    lane: 2,
    start: 300,
    duration: 120,
    depth: 0,
    related,
  } as unknown as SliceDetail;
  const chosen = { slice: 9, lane: 2, start: 300, end: 420 };
  const far = new Recorder();
  drawLanes(far, { ...scene, window: { start: 299, end: 300.1 }, detail }, { ...look, chosen });
  assert.deepEqual(far.lines.at(-1), "curve flow -60 47 909.1 115");
  const wide = new Recorder();
  drawLanes(wide, { ...scene, window: { start: 0, end: 100_000 }, detail }, { ...look, chosen });
  assert.ok(wide.lines.includes("frame chosen 1.1 107 5 15"));
});

test("without bands no step is drawn, and a range is", () => {
  const recorder = new Recorder();
  drawLanes(recorder, { ...scene, steps: [], range: { start: 100, end: 300 } }, look);
  assert.ok(!recorder.lines.some((line) => line.startsWith("rect step")));
  assert.ok(recorder.lines.includes("rect range 100 0 200 300 shade 0.1"));
});

test("the pointer hits the nearest mark of its row, within three pixels", () => {
  const hit = (x: number, y: number) => hitMark(scene.layout, scene.tileOf, x, y, scene.window, 1000)?.name;
  assert.equal(hit(150, 25), "outer");
  assert.equal(hit(150, 45), "launch");
  assert.equal(hit(118, 45), "launch");
  assert.equal(hit(110, 45), undefined);
  assert.equal(hit(350, 110), "gemm");
  assert.equal(hit(350, 5), undefined);
});

const head: HeadLook = {
  text: "",
  muted: "",
  line: "",
  surface: "",
  band: "",
  accent: "",
  ground: "",
  font: "",
  theme: "light",
};

test("the minimap shows how busy, the hits and the window", () => {
  const extent = { start: 0, end: 1000 };
  const shares = stripOf(
    [
      makeTile(0, [
        [
          [0, 250, "a", "op"],
          [500, 600, "b", "op", 9, 50],
        ],
      ]),
    ],
    extent,
    10,
  );
  assert.deepEqual(
    [...shares].map((share) => Number(share.toFixed(2))),
    [1, 1, 0.5, 0, 0, 0.5, 0, 0, 0, 0],
  );
  const recorder = new Recorder();
  const strips = [{ kind: "host", shares }];
  drawMinimap(recorder, { extent, window: { start: 200, end: 400 }, strips, hits: [500, 500.1] }, 1000, head);
  assert.ok(recorder.lines.includes("frame window 200.5 0.5 199 35"));
  assert.equal(recorder.lines.filter((line) => line.startsWith("rect hit")).length, 1);
});

test("the ruler writes the range's length and the steps that fit", () => {
  const recorder = new Recorder();
  const range = { start: 1000, end: 251_000 };
  const steps = [
    { title: "5", start: 0, duration: 500_000, slice: 0 },
    { title: "6", start: 500_000, duration: 10, slice: 1 },
  ];
  drawRuler(recorder, { window: { start: 0, end: 1_000_000 }, range, steps, pointer: -1 }, 1000, 0, head);
  const texts = recorder.lines.filter((line) => line.startsWith("text")).join(" ");
  assert.match(texts, /"250.0 µs"/);
  assert.match(texts, /"step 5"/);
  assert.doesNotMatch(texts, /"6"/);
});

test("the state survives the address, and nonsense in it counts as absent", () => {
  const state = {
    window: { start: 5, end: 90 },
    range: null,
    slice: 7,
    closed: new Set(["3", "g1"]),
    text: "mm, x",
    bands: false,
  };
  assert.deepEqual(readState(writeState(state, "t"), "t"), state);
  const odd = readState({ "t.window": "9,3", "t.select": "-1", "t.closed": "a,4", "t.range": "1,2,3" }, "t");
  assert.deepEqual([odd.window, odd.slice, [...odd.closed], odd.range], [null, null, ["4"], null]);
});
