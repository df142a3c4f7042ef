// A query and its file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { queryId, readQuery, writeQuery } from "./query_file";

const query = {
  name: "Time of kernels",
  sql: "-- needs: kernels\nSELECT name, 1 AS total_ns\nFROM kernels",
  chart: { kind: "bars" as const, x: "name", y: ["total_ns", "calls"] },
};
const kText = `-- id: time_of_kernels
-- title: Time of kernels
-- panel: bars x=name y=total_ns,calls
-- panel: table
-- needs: kernels
SELECT name, 1 AS total_ns
FROM kernels
`;

test("a query is written as a view and read again", () => {
  assert.equal(writeQuery(query, [], "name"), kText);
  assert.deepEqual(readQuery(kText, "a.sql"), query);
  const points = { ...query, chart: { kind: "scatter" as const, x: "a b", y: ["count(*)"] } };
  const text = writeQuery(points, [], "name");
  assert.match(text, /-- panel: scatter label=name x="a b" y="count\(\*\)"/);
  assert.deepEqual(readQuery(text, ""), points);
});

test("written twice, the header is there once", () => {
  assert.equal(writeQuery({ ...query, sql: kText }, [], "name"), kText);
});

test("panels that only a view has stay as comments", () => {
  const text = "-- id: a\n-- panel: breakdown label=x value=y\n-- panel: bars x=a y=b stacked\nSELECT 1";
  const { name, chart, sql } = readQuery(text, "b.sql");
  assert.equal(name, "a");
  assert.equal(chart, null);
  assert.equal(sql, text.split("\n").slice(1).join("\n"));
});

test("a file without a header has the name of the file", () => {
  assert.deepEqual(readQuery("SELECT 1", "my gaps.sql"), { name: "my gaps", sql: "SELECT 1", chart: null });
});

test("an id has letters, digits and _, and is no view of the program", () => {
  assert.equal(queryId("Largest 10 kernels!", []), "largest_10_kernels");
  assert.equal(queryId("Kernels", ["kernels"]), "query_kernels");
  assert.equal(queryId("内核", []), "query");
});
