// Cutting a window out of columns, compared with a scan of every mark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeCounters } from "./counters";
import { cutColumns } from "./cut_columns";
import { madeColumns, madeTiles, type MadeMark } from "../../test/columns";
import { decodeTiles } from "./tiles";

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomMarks(next: (below: number) => number): MadeMark[] {
  const marks: MadeMark[] = [];
  for (let lane = 0; lane < 4; lane++) {
    for (let row = 0; row < 1 + next(2); row++) {
      let time = next(10);
      for (let i = next(12); i > 0; i--) {
        const end = time + next(4); // an instant now and then
        marks.push({ lane, row, start: time, end, slice: marks.length, count: 1 + next(2) });
        time = end + 1 + next(3);
      }
    }
  }
  return marks;
}

test("a cut contains the marks of its lanes and window, and no others", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = numbers(seed);
    const marks = randomMarks(next);
    const window = { start: next(40), end: 0 };
    window.end = window.start + 1 + next(20);
    const lanes = [0, 1, 2, 3].filter(() => next(2) === 1);
    const cut = cutColumns(madeTiles(marks, ["a"]), "lane", new Set(lanes), window);
    const tiles = decodeTiles(cut, lanes);
    for (const tile of tiles) {
      assert.deepEqual([tile.start, tile.end, tile.pixel], [window.start, window.end, 1]);
      for (let row = 0; row < 3; row++) {
        const inside = marks.filter(
          (m) =>
            m.lane === tile.lane &&
            m.row === row &&
            m.start < window.end &&
            (m.end > window.start || m.start === window.start),
        );
        const found = tile.rows[row];
        const text = `seed ${seed}, lane ${tile.lane}, row ${row}`;
        assert.deepEqual(
          [...(found?.slice ?? [])],
          inside.map((m) => m.slice),
          text,
        );
        assert.deepEqual(
          [...(found?.start ?? [])],
          inside.map((m) => m.start),
          text,
        );
        assert.deepEqual(
          [...(found?.count ?? [])],
          inside.map((m) => m.count),
          text,
        );
        assert.deepEqual(
          [...(found?.kind ?? [])],
          inside.map(() => 1),
          text,
        );
      }
    }
  }
});

test("of a counter the value that holds when the window begins is there too", () => {
  const times = [0, 10, 20, 30, 5, 15];
  const values = [1, 2, 3, 4, 7, 8];
  const rows = [
    { counter: 0, series: 0, first: 0, count: 4 },
    { counter: 1, series: 0, first: 4, count: 2 },
  ];
  const columns = ["time", "least", "most", "last"].map((name) => ({
    name,
    type: "f64" as const,
    values: name === "time" ? times : values,
  }));
  const all = madeColumns({ start: 0, end: 40, pixel: 1, rows }, columns);
  const cut = (start: number, end: number) =>
    decodeCounters(cutColumns(all, "counter", new Set([0, 1]), { start, end }), [0, 1]).map((tile) => [
      ...(tile.series[0]?.last ?? []),
    ]);
  assert.deepEqual(cut(12, 25), [
    [2, 3],
    [7, 8],
  ]);
  assert.deepEqual(cut(10, 20), [[2], [7, 8]]);
  assert.deepEqual(cut(0, 5), [[1], []]);
  assert.deepEqual(cut(100, 200), [[4], [8]]);
});
