// Moving the window: when it stops, it is written to the address, as a separate history entry if it has moved
// far.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { TimelineInfo } from "../api/timeline";
import type { Host } from "./host";
import { isFar, Moves } from "./moves";
import { readState, type ViewState } from "./state";

Object.assign(globalThis, { self: globalThis });

function makeMoves() {
  const written: string[] = [];
  const host = {
    profile: { run: "", worker: "", span: "" },
    info: { span: { start: 0, end: 1_000_000 } } as TimelineInfo,
    extent: { start: 0, end: 1_000_000 },
    state: readState({ "t.window": "400000,500000" }, "t"),
    set(change: Partial<ViewState>, how: string) {
      host.state = { ...host.state, ...change };
      written.push(`${how} ${host.state.window?.start},${host.state.window?.end}`);
    },
    draw: () => undefined,
    bump: () => undefined,
  };
  const moves = new Moves(host as Host);
  moves.width = 1000;
  return { moves, written };
}

test("windows are far apart when they share less than half of the longer", () => {
  assert.ok(!isFar({ start: 0, end: 100 }, { start: 40, end: 140 }));
  assert.ok(isFar({ start: 0, end: 100 }, { start: 60, end: 160 }));
  assert.ok(isFar({ start: 0, end: 100 }, { start: 0, end: 10 }));
});

test("a hand at rest is written: a small move in place, a long one as a step to return from", () => {
  // The types are those of an older Node, where this was a list.
  mock.timers.enable({ apis: ["setTimeout"] } as never);
  const { moves, written } = makeMoves();
  moves.pan(100);
  moves.pan(100);
  assert.deepEqual(written, []);
  mock.timers.tick(300);
  assert.deepEqual(written, ["adjust 420000,520000"]);
  moves.pan(900);
  mock.timers.tick(300);
  assert.equal(written[1], "go 510000,610000");
  mock.timers.reset();
});

test("at first only the recorded span is visible, if most of the time is the profiler's's own start", () => {
  const { moves } = makeMoves();
  const first = (start: number, end: number) => {
    (moves as unknown as { host: { info: object } }).host.info = { span: { start, end } };
    return moves.home;
  };
  assert.deepEqual(first(900_000, 1_000_000), { start: 898_000, end: 1_002_000 });
  assert.deepEqual(first(100_000, 1_000_000), moves.all);
});

test("fitting a range that already fits shows all; a jump writes the pending window first", () => {
  const { moves, written } = makeMoves();
  moves.pan(100);
  moves.fit({ start: 100_000, end: 200_000 });
  assert.deepEqual(written, ["adjust 410000,510000", "go 90000,210000"]);
  moves.fit({ start: 100_000, end: 200_000 });
  assert.equal(written[2], "go undefined,undefined");
});
