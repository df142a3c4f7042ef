// Tiles: read from bytes as they were written, refused when they are cut, and kept so that panning asks
// for nothing and zooming always has something to draw.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTiles, type Tile } from "../api/timeline";
import { encodeTiles, makeTile } from "./made";
import { TileCache, type TileRequest } from "./tile_cache";

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
  assert.throws(() => decodeTiles(bytes, [4]), /do not match/);
});

const extent = { start: 0, end: 1_000_000 };

function makeCache() {
  const asked: (TileRequest & { gone: boolean; answer: () => Promise<void> })[] = [];
  const cache = new TileCache(
    (request, signal) =>
      new Promise<Tile[]>((resolve, reject) => {
        const entry = {
          ...request,
          gone: false,
          answer: async () => {
            const { start, end, pixel } = request;
            resolve(
              request.lanes.map((lane) => makeTile(lane, [[[0, 9, "a", "op"]]], { start, end, pixel })),
            );
            await new Promise((done) => setTimeout(done));
          },
        };
        asked.push(entry);
        signal.addEventListener("abort", () => {
          entry.gone = true;
          reject(new DOMException("gone", "AbortError"));
        });
      }),
    extent,
    () => undefined,
  );
  return { cache, asked };
}

test("only lanes in sight are asked for, once, and a small pan asks for nothing", async () => {
  const { cache, asked } = makeCache();
  const window = { start: 400_000, end: 500_000 };
  cache.want([1, 2], window, 1000);
  cache.want([1, 2], window, 1000);
  assert.equal(asked.length, 1);
  assert.deepEqual(asked[0].lanes, [1, 2]);
  await asked[0].answer();
  assert.ok(cache.complete([1, 2], window, 1000));
  cache.want([1, 2], { start: 420_000, end: 520_000 }, 1000);
  assert.equal(asked.length, 1);
  cache.want([1, 2, 7], window, 1000);
  assert.deepEqual(asked[1].lanes, [7]);
});

test("near the edge the next window is asked for before it is needed", async () => {
  const { cache, asked } = makeCache();
  cache.want([1], { start: 400_000, end: 500_000 }, 1000);
  await asked[0].answer();
  const near = { start: 480_000, end: 580_000 };
  assert.ok(cache.complete([1], near, 1000));
  cache.want([1], near, 1000);
  assert.equal(asked.length, 2);
});

test("zooming gives the outdated request up and draws from the coarser tile meanwhile", async () => {
  const { cache, asked } = makeCache();
  const wide = { start: 0, end: 1_000_000 };
  cache.want([1], wide, 1000);
  await asked[0].answer();
  cache.want([1], { start: 400_000, end: 500_000 }, 1000);
  const deep = { start: 440_000, end: 441_000 };
  cache.want([1], deep, 1000);
  assert.ok(asked[1].gone);
  assert.equal(asked[2].pixel, 1);
  assert.equal(cache.best(1, deep, 1000)?.pixel, 512);
  await asked[2].answer();
  assert.equal(cache.best(1, deep, 1000)?.pixel, 1);
});
