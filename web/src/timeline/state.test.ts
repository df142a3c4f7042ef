// The state in the address: written compactly, read back completely; invalid values count as absent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readState, writeState, type ViewState } from "./state";

test("the state survives the address", () => {
  const state: ViewState = {
    window: { start: 5, end: 90 },
    range: null,
    part: "calls",
    slice: 7,
    closed: new Set(["3", "g1"]),
    pinned: ["7", "c2"],
    hidden: new Set(["g0"]),
    kindsOff: new Set(["counter", "queue"]),
    order: ["5", "4"],
    filter: "stream 7",
    text: "mm, x",
    bands: false,
    waits: true,
    colour: "module",
    only: new Set(["kernel"]),
    axis: "utc",
    flows: "all",
    flowsOff: new Set(["launch"]),
    markers: "before fusion",
  };
  assert.deepEqual(readState(writeState(state, "t"), "t"), state);
});

test("default values take no room in the address", () => {
  const written = writeState(readState({}, "t"), "t");
  assert.deepEqual(Object.values(written).join(""), "");
});

test("nonsense counts as absent", () => {
  const odd = readState(
    {
      "t.window": "9,3",
      "t.select": "-1",
      "t.closed": "a,4",
      "t.range": "1,2,3",
      "t.pinned": "7,7,x,c1",
      "t.colour": "rainbow",
      "t.axis": "",
    },
    "t",
  );
  assert.deepEqual([odd.window, odd.slice, [...odd.closed], odd.range], [null, null, ["4"], null]);
  assert.deepEqual([odd.pinned, odd.colour, odd.axis], [["7", "c1"], "category", "start"]);
});
