// Tiles: read from bytes as they were written, refused when they are cut.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTiles } from "../api/tiles";
import { encodeTiles, makeTile } from "../../test/tiles";

const tile = makeTile(3, [
  [[0, 500, "aten::mm", "op"]],
  [
    [10, 40, "gemm", "kernel"],
    [50, 58, "añb", "kernel", 4, 5],
  ],
]);

for (const pad of [true, false]) {
  test(`a tile is read as it was written${pad ? "" : ", its columns not aligned"}`, () => {
    const [read, empty] = decodeTiles(encodeTiles(tile, pad), [3, 9]);
    assert.equal(read.marks, 3);
    const row = read.rows[1];
    assert.ok(row);
    assert.deepEqual([...row.start], [10, 50]);
    assert.deepEqual([...row.busy], [30, 5]);
    assert.deepEqual([...row.count], [1, 4]);
    assert.deepEqual(
      [...row.name].map((n) => read.names[n]),
      ["gemm", "añb"],
    );
    assert.equal(read.kinds[row.kind[0]], "kernel");
    assert.deepEqual([empty.lane, empty.rows.length], [9, 0]);
  });
}

test("a tile that ends early is refused wherever it ends", () => {
  const bytes = encodeTiles(tile);
  for (let length = 0; length < bytes.byteLength; length += 7)
    assert.throws(() => decodeTiles(bytes.slice(0, length), [3]));
  assert.throws(() => decodeTiles(bytes, [4]), /not requested/);
});
