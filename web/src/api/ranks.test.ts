// What ranks did, as the server packs it: runs of pixels by row, refused where the columns do not fit the header.
import assert from "node:assert/strict";
import { test } from "node:test";
import { madeColumns } from "../../test/columns";
import { decodeActivity } from "./ranks";

const header = {
  start: 0,
  end: 64,
  pixel: 4,
  runs: 3,
  rows: [
    { rank: 5, first: 0, count: 2, start: 1, pixel: 4 },
    { rank: 2, first: 2, count: 1, start: 0, pixel: 4 },
  ],
};
const columns = [
  { name: "end", type: "u32" as const, values: [3, 9, 16] },
  { name: "code", type: "u8" as const, values: [1, 12, 0] },
  { name: "share", type: "u8" as const, values: [255, 128, 0] },
];

test("rows are parts of the columns, in the order of the header", () => {
  const tile = decodeActivity(madeColumns(header, columns));
  assert.deepEqual([tile.start, tile.end, tile.pixel], [0, 64, 4]);
  assert.deepEqual(
    tile.rows.map(({ rank, start, end, code, share }) => [rank, start, [...end], [...code], [...share]]),
    [
      [5, 1, [3, 9], [1, 12], [255, 128]],
      [2, 0, [16], [0], [0]],
    ],
  );
});

test("rows beyond the columns are refused", () => {
  const beyond = { ...header, rows: [{ rank: 0, first: 2, count: 2, start: 0, pixel: 4 }] };
  assert.throws(() => decodeActivity(madeColumns(beyond, columns)));
});

test("a missing or short column is refused", () => {
  assert.throws(() => decodeActivity(madeColumns(header, columns.slice(0, 2))));
  assert.throws(() => decodeActivity(madeColumns({ ...header, runs: 300, rows: [] }, columns)));
});

test("a rank that recorded nothing in the window has no runs", () => {
  const nothing = { ...header, runs: 0, rows: [{ rank: 0, first: 0, count: 0, start: 0, pixel: 4 }] };
  const made = columns.map((column) => ({ ...column, values: [] }));
  assert.equal(decodeActivity(madeColumns(nothing, made)).rows[0].end.length, 0);
});
