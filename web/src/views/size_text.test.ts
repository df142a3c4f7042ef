import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeText } from "./size_text";

test("a size has three digits", () => {
  assert.equal(sizeText(0), "0 B");
  assert.equal(sizeText(999), "999 B");
  assert.equal(sizeText(1000), "0.98 KiB");
  assert.equal(sizeText(23e6), "21.9 MiB");
  assert.equal(sizeText(886e6), "845 MiB");
  assert.equal(sizeText(5e12), "4.55 TiB");
  assert.equal(sizeText(2 ** 60), "1048576 TiB");
});
