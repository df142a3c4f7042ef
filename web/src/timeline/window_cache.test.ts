// Answers for windows are kept, so that panning needs no request, zooming always has something to draw, and
// likely next windows are there in advance.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WindowCache, type Piece, type PieceRequest } from "./window_cache";

const extent = { start: 0, end: 1_000_000 };
const window = { start: 400_000, end: 500_000 };

function makeCache(size = 1, most?: number) {
  const requests: (PieceRequest & { gone: boolean; answer: () => Promise<void> })[] = [];
  const cache = new WindowCache<Piece>(
    (request, signal) =>
      new Promise<Piece[]>((resolve, reject) => {
        const entry = {
          ...request,
          gone: false,
          answer: async () => {
            resolve(request.ids.map((id) => ({ ...request, id, size })));
            await new Promise((done) => setTimeout(done));
          },
        };
        requests.push(entry);
        signal.addEventListener("abort", () => {
          entry.gone = true;
          reject(new DOMException("gone", "AbortError"));
        });
      }),
    extent,
    () => undefined,
    most,
  );
  return { cache, requests };
}

test("the visible window is requested once, and a small pan misses nothing", async () => {
  const { cache, requests } = makeCache();
  cache.want([1, 2], [], window, 1000);
  cache.want([1, 2], [], window, 1000);
  assert.equal(requests.length, 1);
  assert.deepEqual(requests[0].ids, [1, 2]);
  await requests[0].answer();
  assert.ok(cache.complete([1, 2], window, 1000));
  assert.ok(cache.complete([1, 2], { start: 420_000, end: 520_000 }, 1000));
  cache.want([1, 2, 7], [], window, 1000);
  assert.deepEqual(requests.at(-1)?.ids, [7]);
});

test("while nothing is missing, neighbours, adjacent levels, the whole and nearby lanes are requested", async () => {
  const { cache, requests } = makeCache();
  cache.want([1], [2], window, 1000);
  await requests[0].answer();
  for (let i = 1; i < 10 && requests.length === i; i++) {
    cache.want([1], [2], window, 1000);
    await requests[i]?.answer();
  }
  assert.deepEqual(
    requests.map(({ ids, pixel }) => `${ids} ${pixel}`),
    ["1 64", "1 128", "1 32", "1,2 512", "2 64"],
  );
});

test("near the edge the next window is requested before it is needed", async () => {
  const { cache, requests } = makeCache();
  cache.want([1], [], window, 1000);
  await requests[0].answer();
  const near = { start: 500_000, end: 600_000 };
  assert.ok(cache.complete([1], near, 1000));
  cache.want([1], [], near, 1000);
  assert.equal(requests[1].pixel, 64);
  assert.ok(requests[1].end > requests[0].end);
});

test("zooming gives the outdated request up and draws from the coarser piece meanwhile", async () => {
  const { cache, requests } = makeCache();
  cache.want([1], [], extent, 1000);
  await requests[0].answer();
  cache.want([1], [], window, 1000);
  const deep = { start: 440_000, end: 441_000 };
  cache.want([1], [], deep, 1000);
  assert.ok(requests[1].gone);
  assert.equal(requests[2].pixel, 1);
  assert.equal(cache.best(1, deep, 1000)?.pixel, 512);
  await requests[2].answer();
  assert.equal(cache.best(1, deep, 1000)?.pixel, 1);
});

test("a grouping is requested again; the old marks are shown until it arrives", async () => {
  const { cache, requests } = makeCache();
  cache.want([1], [], window, 1000);
  await requests[0].answer();
  cache.group = "module";
  assert.ok(!cache.complete([1], window, 1000));
  assert.equal(cache.best(1, window, 1000)?.group, "");
  cache.want([1], [], window, 1000);
  assert.equal(requests[1].group, "module");
  await requests[1].answer();
  assert.equal(cache.best(1, window, 1000)?.group, "module");
});

test("when there are too many pieces, the least recently drawn are dropped, the coarsest last", async () => {
  const { cache, requests } = makeCache(40, 100);
  for (const span of [extent, { start: 0, end: 100_000 }, window]) {
    cache.want([1], [], span, 1000);
    await requests.at(-1)?.answer();
  }
  assert.equal(cache.best(1, { start: 20_000, end: 30_000 }, 100)?.pixel, 512);
  assert.equal(cache.best(1, window, 1000)?.pixel, 64);
});
