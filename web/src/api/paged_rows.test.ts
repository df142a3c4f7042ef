// Rows of a long table: requested when they become visible, cancelled when they are no longer visible, kept up
// to a limit.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { groupQuery, kEveryRow, PagedRows, rowsAddress } from "./paged_rows";
import { makeTable } from "./table_data";

const first = makeTable(
  "events",
  {
    title: "Events",
    rows: 100_000,
    paged: true,
    columns: [
      {
        key: "n",
        title: "N",
        unit: "count",
        type: "integer",
        role: "value",
        values: Array.from({ length: 1000 }, (_, i) => i),
      },
    ],
  },
  "run=a&view=v&start=5",
);

let offsets: number[] = [];
let given: number[] = [];
const real = globalThis.fetch;

beforeEach(() => {
  offsets = [];
  given = [];
  globalThis.fetch = ((address: string, { signal }: { signal: AbortSignal }) => {
    const offset = Number(new URLSearchParams(address.split("?")[1]).get("offset"));
    offsets.push(offset);
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => {
        given.push(offset);
        reject(Object.assign(new Error("left"), { name: "AbortError" }));
      });
      const values = Array.from({ length: 500 }, (_, i) => offset + i);
      const body = { rows: 100_000, of: 100_000, offset, columns: [{ key: "n", values }] };
      setTimeout(() => resolve(new Response(JSON.stringify(body))), 5);
    });
  }) as unknown as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = real;
});

const settle = () => new Promise((done) => setTimeout(done, 30));
const valueAt = (rows: PagedRows, position: number) => {
  const at = rows.at(position);
  const column = at?.table.byKey.get("n");
  return at && column?.kind === "number" ? column.numbers[at.row] : null;
};

test("the rows that came with the report need no request; others are requested once", async () => {
  const rows = new PagedRows(first, kEveryRow, true, () => undefined);
  assert.equal(valueAt(rows, 999), 999);
  assert.equal(rows.at(1000), null);
  rows.want(980, 1020);
  rows.want(985, 1025);
  await settle();
  assert.deepEqual(offsets, [1000]);
  assert.equal(valueAt(rows, 1020), 1020);
});

test("a page that left the sight before it came is given up", async () => {
  const rows = new PagedRows(first, kEveryRow, true, () => undefined);
  rows.want(5000, 5030);
  rows.want(90_000, 90_030);
  await settle();
  assert.deepEqual(given, [5000]);
  assert.equal(rows.at(5000), null);
  assert.equal(valueAt(rows, 90_010), 90_010);
});

test("pages are kept up to a limit, the most recently used longest", async () => {
  const rows = new PagedRows(first, kEveryRow, true, () => undefined);
  for (let page = 2; page < 60; page++) {
    rows.want(page * 500, page * 500 + 20);
    await new Promise((done) => setTimeout(done, 8));
  }
  await settle();
  assert.equal(rows.at(1000), null);
  assert.equal(valueAt(rows, 59 * 500), 59 * 500);
});

test("a question is spelt as the contract has it", () => {
  const address = rowsAddress(
    first,
    {
      sort: { column: "n", descending: true },
      search: "conv",
      ranges: new Map([["n", { least: 3, most: null }]]),
    },
    1500,
    500,
  );
  const query = Object.fromEntries(new URLSearchParams(address.split("?")[1]));
  assert.deepEqual(query, {
    run: "a",
    view: "v",
    start: "5",
    table: "events",
    offset: "1500",
    limit: "500",
    sort: "n",
    descending: "1",
    contains: "conv",
    "least.n": "3",
  });
});

test("the groups of the matching rows are a report of the one table", () => {
  const filter = { search: "conv", ranges: new Map([["n", { least: 5, most: null }]]) };
  assert.equal(
    groupQuery(first, "name", filter),
    "run=a&view=v&start=5&table=events&group_rows=name&contains=conv&least.n=5",
  );
});
