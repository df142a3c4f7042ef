// The list of lanes: folded, pinned, hidden, moved and filtered, and the positions of its entries.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Counter, Lane, LaneGroup } from "../api/timeline";
import { listLanes, withMoved, type Shape } from "./lane_list";
import { between, layOut, placedAt, rowAt } from "./layout";

const lane = (number: number, rows: number, title = `lane ${number}`): Lane => ({
  lane: number,
  kind: "host_thread",
  title,
  part: "ranges",
  minor: false,
  rows,
  slices: 5,
  start: 0,
  end: 1000,
});
const counter = (number: number, title: string): Counter => ({
  counter: number,
  title,
  unit: "count",
  doc: "",
  named: false,
  series: [{ title: "n", most: 1 }],
  most: 1,
  points: 1,
});
const groups: LaneGroup[] = [
  { title: "python (7)", minor: false, lanes: [lane(0, 2), lane(1, 1)], counters: [] },
  {
    title: "GPU 0",
    minor: false,
    lanes: [lane(2, 1, "stream 7")],
    counters: [counter(0, "GPU utilization")],
  },
];
const plain: Shape = {
  closed: new Set(),
  pinned: [],
  hidden: new Set(),
  kindsOff: new Set(),
  order: [],
  filter: "",
};
const lay = (change: Partial<Shape>, of = groups) => layOut(listLanes(of, { ...plain, ...change }));
const keys = (change: Partial<Shape>, of = groups) => lay(change, of).placed.map((at) => at.key);

test("a kind of lanes is switched off together with the groups that have no other lanes", () => {
  const engine: Lane = { ...lane(3, 1, "Tensor"), kind: "engine" };
  const device: LaneGroup = { title: "Core 0", minor: false, lanes: [engine], counters: [] };
  const signals: LaneGroup = {
    title: "Signals",
    minor: false,
    lanes: [],
    counters: Array.from({ length: 9 }, (_, i) => counter(i, `S[${i}]`)),
  };
  const all = [groups[0], device, signals];
  assert.deepEqual(keys({ kindsOff: new Set(["counter"]) }, all), ["g0", "0", "1", "g1", "3"]);
  assert.deepEqual(keys({ kindsOff: new Set(["host_thread"]) }, all), ["g1", "3", "g2"]);
  assert.deepEqual(keys({ closed: new Set(["g2"]) }, all).slice(-2), ["g2", "q0"]);
  assert.equal(lay({ closed: new Set(["g2"]) }, all).placed.at(-1)?.title, "S[0] to S[8]");
  assert.equal(lay({ kindsOff: new Set(["counter"]) }, all).hidden, 9);
});

test("lanes are below their group's head, counters last", () => {
  assert.deepEqual(
    lay({}).placed.map((at) => [at.title, at.top]),
    [
      ["python (7)", 0],
      ["lane 0", 20],
      ["lane 1", 62],
      ["GPU 0", 86],
      ["stream 7", 106],
      ["GPU utilization", 130],
    ],
  );
});

test("a folded lane is pressed into the height of a row, a folded group keeps its head", () => {
  const folded = lay({ closed: new Set(["0", "g1"]) });
  assert.deepEqual(
    folded.placed.map((at) => [at.key, at.top]),
    [
      ["g0", 0],
      ["0", 20],
      ["1", 44],
      ["g1", 68],
    ],
  );
  assert.deepEqual([folded.lanes.get(0)?.rows, folded.lanes.get(0)?.pitch], [2, 8]);
});

test("the lane at a height is found, in pinned lanes first", () => {
  const open = lay({});
  assert.deepEqual(
    between(open.placed, 63, 90).map((at) => at.key),
    ["1", "g1"],
  );
  assert.equal(rowAt(open, 40, 0, 400)?.row, 1);
  assert.equal(rowAt(open, 5, 0, 400), null);
  const pinned = lay({ pinned: ["2"] });
  assert.equal(pinned.pinnedHeight, 24);
  assert.equal(placedAt(pinned, 5, 60, 400)?.at.key, "2");
  assert.equal(placedAt(pinned, 30, 60, 400)?.at.key, "1");
});

test("pinned lanes are on top in their own order and leave their group; pinned groups take all lanes along", () => {
  const pinned = lay({ pinned: ["2", "1"] });
  assert.deepEqual(
    pinned.pinned.map((at) => at.key),
    ["2", "1"],
  );
  assert.deepEqual(
    pinned.placed.map((at) => at.key),
    ["g0", "0", "g1", "c0"],
  );
  assert.deepEqual(
    lay({ pinned: ["g1"] }).pinned.map((at) => at.key),
    ["g1", "2", "c0"],
  );
});

test("hidden lanes are counted, except in a group without lanes", () => {
  assert.deepEqual(keys({ hidden: new Set(["0", "1"]) }), ["g1", "2", "c0"]);
  assert.equal(lay({ hidden: new Set(["g0", "c0"]) }).hidden, 3);
});

test("the filter matches groups and lanes, and opens folded ones", () => {
  assert.deepEqual(keys({ filter: "stream" }), ["g1", "2"]);
  assert.deepEqual(keys({ filter: "PYTHON lane 1", closed: new Set(["g0"]) }), ["g0", "1"]);
  assert.equal(lay({ filter: "stream" }).filtered, 3);
});

test("moving a lane is written as the least that differs, and read back", () => {
  const natural = ["0", "1", "2", "3", "4"];
  const order = withMoved([], natural, natural, "3", 1);
  assert.deepEqual(order, ["3", "1", "2"]);
  assert.deepEqual(withMoved(order, natural, ["0", "3", "1", "2", "4"], "3", 3), []);
  assert.deepEqual(keys({ order: ["1", "0", "g1", "g0"] }), ["g1", "2", "c0", "g0", "1", "0"]);
});

test("many similar counters are in a fold that begins closed", () => {
  const counters = Array.from({ length: 9 }, (_, i) => counter(i, `Queue length, stream ${i}`));
  const many = [{ title: "GPU 0", minor: false, lanes: [lane(0, 1)], counters }];
  const folded = lay({}, many);
  assert.deepEqual(
    folded.placed.map((at) => at.title),
    ["GPU 0", "lane 0", "9 counters"],
  );
  const open = lay({ closed: new Set(["k0"]) }, many).placed.map((at) => at.title);
  assert.deepEqual(open, ["GPU 0", "lane 0", "9 counters", "Queue length"]);
  assert.equal(lay({ closed: new Set(["k0", "q0"]) }, many).placed.length, 13);
});

test("lanes with next to nothing are in a fold at the end of their group, and such groups begin closed", () => {
  const few = { ...lane(1, 1), minor: true };
  const all = [
    { ...groups[0], lanes: [lane(0, 1), few, lane(3, 1)] },
    { title: "Spans", minor: true, lanes: [lane(4, 1)], counters: [] },
    { title: "HBM", minor: false, lanes: [], counters: [counter(0, "read")] },
  ];
  assert.deepEqual(keys({}, all), ["g0", "0", "3", "m0", "g1", "g2"]);
  const open = new Set(["m0", "g1", "g2"]);
  assert.deepEqual(keys({ closed: open }, all), ["g0", "0", "3", "m0", "1", "g1", "4", "g2", "c0"]);
});

test("two series share a lane unless one looks like 0 beside the other", () => {
  const placed = (small: number | null) => {
    const series = [
      { title: "DtoD", most: 2e12 },
      { title: "HtoD", most: small },
    ];
    const two = { ...counter(4, "Memory bandwidth"), series, most: 2e12 };
    return lay({}, [{ title: "GPU 0", minor: false, lanes: [], counters: [two] }]).placed.map(
      ({ key }) => key,
    );
  };
  assert.deepEqual(placed(1e12), ["g0", "c4"]);
  assert.deepEqual(placed(2e10), ["g0", "q4", "c4s0", "c4s1"]);
  assert.deepEqual(placed(null), ["g0", "c4"]);
});

test("a counter of many series is a fold with a lane for each", () => {
  const series = ["stream 7", "stream 20", "stream 24"].map((title) => ({ title, most: 1 }));
  const many = [
    { title: "GPU 0", minor: false, lanes: [], counters: [{ ...counter(4, "Launch queue"), series }] },
  ];
  assert.deepEqual(
    lay({}, many).placed.map((at) => [at.key, at.title, at.series]),
    [
      ["g0", "GPU 0", null],
      ["q4", "Launch queue", null],
      ["c4s0", "stream 7", 0],
      ["c4s1", "stream 20", 1],
      ["c4s2", "stream 24", 2],
    ],
  );
  assert.equal(lay({ closed: new Set(["q4"]) }, many).placed.length, 2);
});
