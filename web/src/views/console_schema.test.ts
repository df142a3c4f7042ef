// The order of the tables beside the console.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaTable } from "../api/query";
import { emptyLast } from "./console_schema";

test("tables without rows come last, the others keep their order", () => {
  const table = (name: string, rows: number | null) => ({ name, rows }) as SchemaTable;
  const names = emptyLast([table("a", 0), table("b", 5), table("view", null), table("c", 0), table("d", 1)]);
  assert.deepEqual(
    names.map(({ name }) => name),
    ["b", "view", "d", "a", "c"],
  );
});
