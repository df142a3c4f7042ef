// The tables beside the console.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaTable } from "../api/query";
import { byRows } from "./console_schema";

test("tables without rows are apart, all keep their order, and a view is not empty", () => {
  const table = (name: string, rows: number | null): SchemaTable => ({
    name,
    rows,
    doc: "",
    view: rows === null,
    columns: [],
  });
  const { full, empty } = byRows([table("a", 0), table("b", 3), table("c", 0), table("v", null)]);
  assert.deepEqual(
    full.map(({ name }) => name),
    ["b", "v"],
  );
  assert.deepEqual(
    empty.map(({ name }) => name),
    ["a", "c"],
  );
});
