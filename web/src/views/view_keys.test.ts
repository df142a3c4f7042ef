// The letter after `g`: fixed for known views, found for new ones, never used twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { docParts } from "./doc";
import { viewKeys } from "./view_keys";

test("every view has its own letter", () => {
  const ids = [
    "overview",
    "operators",
    "kernels",
    "memory",
    "metadata",
    "modules",
    "tables",
    "timeline",
    "host",
    "hidden",
  ];
  const keys = viewKeys(ids.map((id) => ({ id })));
  assert.equal(keys.get("kernels"), "k");
  assert.equal(new Set(keys.values()).size, ids.length);
});

test("formula and source of a definition are set apart", () => {
  const parts = docParts("Busy time.\nFormula: a / b.\nSource: kernels.");
  assert.deepEqual(
    parts.map((part) => part.kind),
    ["text", "formula", "source"],
  );
});
