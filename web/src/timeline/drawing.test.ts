// What is drawn on the lanes, by the recorder's lines: boxes and names, density, clipping, highlights,
// counters, flows; and what the pointer hits.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tile } from "../api/tiles";
import type { Counter, FlowColumns, Lane, LaneGroup, SliceDetail } from "../api/timeline";
import { Colors } from "./colors";
import type { CounterPiece, LaneTile } from "./controller";
import { Density } from "./density";
import { drawCounter } from "./draw_counters";
import { drawLanes, type Scene, type SceneLook } from "./draw_lanes";
import { boxName, drawMarks, holdsSeveral } from "./draw_marks";
import { hitMark, nearestEdge } from "./hit";
import { listLanes } from "./lane_list";
import { layOut } from "./layout";
import { makeTile, type Mark } from "../../test/tiles";
import { Recorder } from "./recorder";
import { readState } from "./state";

const { shade } = Density;
const shape = readState({}, "t");

const look: SceneLook = {
  colors: new Colors("light"),
  font: "11px mono",
  char: 7,
  strong: "#000",
  chosen: null,
  only: new Set(),
  surface: "#fff",
  marker: "#808",
  small: "10px sans",
  flowHues: {},
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
  if (row) drawMarks(recorder, tile, row, window, width, 18, { ...look, ...more });
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

test("the selected slice and those around it are bright, the others are dimmed", () => {
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

const lane = (number: number, rows: number): Lane => ({
  lane: number,
  kind: "host_thread",
  title: `lane ${number}`,
  part: "ranges",
  minor: false,
  rows,
  slices: 5,
  start: 0,
  end: 1000,
});
const groups: LaneGroup[] = [
  { title: "host", minor: false, lanes: [lane(0, 2), lane(1, 1)], counters: [] },
  { title: "GPU 0", minor: false, lanes: [lane(2, 1)], counters: [] },
];

const tiles = new Map<number, Tile>([
  [0, makeTile(0, [[[100, 400, "outer", "op", 1, 300, 7]], [[120, 200, "launch", "runtime", 1, 80, 8]]])],
  [2, makeTile(2, [[[300, 420, "gemm", "kernel", 1, 120, 9]]])],
]);
const scene: Scene = {
  layout: layOut(listLanes(groups, shape)),
  window: { start: 0, end: 1000 },
  width: 1000,
  height: 300,
  scrollTop: 0,
  steps: [{ title: "5", start: 50, duration: 500, slice: 1 }],
  range: null,
  markers: [],
  hits: [],
  detail: null,
  flows: "selected",
  flowsOff: new Set(),
  allFlows: null,
  tileOf: (number) => (tiles.get(number) as LaneTile | undefined) ?? null,
  counterOf: () => null,
};

test("a scene: band, heads, rows; the flow of the chosen call leads to its kernel", () => {
  const related = [
    {
      relation: "launched",
      slice: 9,
      name: "gemm",
      kind: "kernel",
      lane: 2,
      row: 0,
      start: 300,
      duration: 120,
    },
  ];
  const detail = { slice: 8, lane: 0, row: 1, start: 120, duration: 80, related } as unknown as SliceDetail;
  const recorder = new Recorder();
  const chosen = { slice: 8, lane: 0, start: 120, end: 200 };
  drawLanes(recorder, { ...scene, detail }, { ...look, chosen });
  const lines = recorder.lines.filter((line) => /^(rect|curve)/.test(line));
  assert.equal(lines[0], "rect ground 5 50 0 500 300");
  assert.ok(lines.includes("rect op outer 100 21 299 16"), "the parent is bright");
  assert.ok(lines.includes("rect kernel gemm 300 107 119 16 shade 0.5"), "the rest recedes");
  assert.deepEqual(lines.at(-1), "curve flow 120 47 300 115");
});

test("a flow from far outside enters at the edge; a chosen slice too narrow to see is marked", () => {
  const related = [
    {
      relation: "launch",
      slice: 8,
      name: "launch",
      kind: "runtime",
      lane: 0,
      row: 1,
      start: 120,
      duration: 80,
    },
  ];
  const detail = {
    slice: 9,
    lane: 2,
    row: 0,
    start: 300,
    duration: 120,
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
  assert.ok(!recorder.lines.some((line) => line.startsWith("rect ground")));
  assert.ok(recorder.lines.includes("rect range 100 0 200 300 shade 0.1"));
});

test("the pointer hits the nearest mark of its row, within three pixels", () => {
  const hit = (x: number, lane: number, row: number) =>
    hitMark(tiles.get(lane) as Tile, row, x, scene.window, 1000)?.name;
  assert.equal(hit(150, 0, 0), "outer");
  assert.equal(hit(150, 0, 1), "launch");
  assert.equal(hit(118, 0, 1), "launch");
  assert.equal(hit(110, 0, 1), undefined);
  assert.equal(hit(350, 2, 0), "gemm");
  assert.equal(hit(350, 2, 7), undefined);
});

test("a measurement snaps to the nearest edge of a slice in its row", () => {
  const edge = (time: number) => nearestEdge(tiles.get(0) as Tile, 1, time, scene.window, 1000, 6);
  assert.equal(edge(123), 120);
  assert.equal(edge(197), 200);
  assert.equal(edge(160), null);
});

test("isolated classes stay bright, all others are dimmed and lose their names", () => {
  const lines = drawn(
    [
      [0, 50, "launch", "runtime"],
      [100, 150, "gemm", "kernel"],
    ],
    undefined,
    1000,
    { only: new Set(["kernel"]) },
  );
  assert.deepEqual(lines, [
    "rect runtime launch 0 18 49 16 shade 0.1",
    "rect kernel gemm 100 18 49 16",
    'text "gemm" 103 26.5',
  ]);
});

test("colours follow the category, the name, the module or the lane", () => {
  const of = (
    by: "category" | "name" | "module" | "layer" | "stream",
    kind: string,
    name: string,
    lane = 0,
    group = "",
  ) => new Colors("light", by, new Map([[0, "GPU 0 stream 7"]])).hue(kind, name, lane, group);
  assert.equal(of("category", "kernel", "a"), of("category", "kernel", "b"));
  assert.notEqual(of("name", "kernel", "a"), of("name", "kernel", "b"));
  assert.equal(of("name", "kernel", "a"), of("category", "op", "a"));
  assert.equal(of("module", "kernel", "a", 0, "fc"), of("module", "op", "b", 1, "fc"));
  assert.equal(of("layer", "kernel", "a", 0, "fc"), of("module", "op", "b", 1, "fc"));
  assert.notEqual(of("module", "op", "a", 0, ""), of("module", "op", "a", 0, "fc"));
  assert.equal(of("stream", "kernel", "a"), of("stream", "memcpy", "b"));
});

test("a counter is steps over zero, a band where values share a pixel, and a gap where it is unknown", () => {
  const counter = {
    counter: 0,
    title: "Queue",
    unit: "count",
    doc: "",
    named: false,
    series: [{ title: "queued", most: 10 }],
    most: 10,
    points: 4,
  } as Counter;
  const column = (...values: number[]) => Float64Array.from(values);
  const series = [
    {
      length: 4,
      time: column(0, 100, 200, 300),
      least: column(5, 2, NaN, 10),
      most: column(5, 8, NaN, 10),
      last: column(5, 4, NaN, 10),
    },
  ];
  const tile = { counter: 0, start: 0, end: 400, pixel: 1, series, points: 4 } as unknown as CounterPiece;
  const recorder = new Recorder();
  drawCounter(recorder, counter, null, tile, { start: 50, end: 400 }, 350, 0, look);
  const shapes = recorder.lines.filter((line) => /^(steps|rect band)/.test(line));
  // 29 pixels represent 10.
  assert.deepEqual(shapes, [
    "rect band queued 50 10 1 17",
    "steps counter queued 0:15 50:12",
    "steps counter queued 250:29",
  ]);
  assert.ok(recorder.lines.some((line) => line.startsWith('text "10"')));
});

test("all flows of the window are drawn by kind, those switched off are not", () => {
  const allFlows: FlowColumns = {
    kind: ["launch", "forward_backward"],
    from: [8, 7],
    to: [9, 9],
    from_lane: [0, 0],
    from_row: [1, 0],
    from_time: [120, 100],
    to_lane: [2, 2],
    to_row: [0, 0],
    to_time: [300, 300],
  };
  const recorder = new Recorder();
  drawLanes(recorder, { ...scene, allFlows, flowsOff: new Set(["forward_backward"]) }, look);
  const curves = recorder.lines.filter((line) => line.startsWith("curve"));
  assert.deepEqual(curves, ["curve launch 120 47 300 115"]);
});

test("a marker is a line through the lanes", () => {
  const recorder = new Recorder();
  drawLanes(recorder, { ...scene, markers: [{ time: 250, name: "here" }] }, look);
  assert.ok(recorder.lines.includes("line marker 250.5 0 250.5 300"));
});

test("whether a window holds a mark of several slices", () => {
  const one = [0, 10, "a", "op"] as const;
  const tile = makeTile(0, [
    [[...one]],
    [
      [5, 8, "b", "op"],
      [20, 24, "c", "op", 3],
    ],
  ]);
  const within = (start: number, end: number) => holdsSeveral(tile, { start, end });
  assert.deepEqual(
    [within(0, 100), within(0, 20), within(0, 21), within(23, 30), within(24, 30)],
    [true, false, true, true, false],
  );
});
