// Hover texts beside the pointer: times with the digits that matter, facts that describe a slice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { factsText, startText } from "./hover_text";

test("a start keeps the digits that matter for the length", () => {
  assert.equal(startText(1_869_074, 330), "1,869,074 ns");
  assert.equal(startText(1_869_074, 250_000), "1.869 ms");
  assert.equal(startText(40, 0), "40 ns");
});

test("facts of a slice are one line each, without its position; long ones are cut, and no more are shown than fit", () => {
  const facts = [
    { label: "Self time", value: 330, unit: "ns" as const },
    { label: "operands", text: "x".repeat(100) },
    { label: "raw_hlo_id", value: 3 },
    { label: "bir_id", text: "sg00:1" },
    { label: "psum_write_bytes", value: 1024, unit: "bytes" as const },
    { label: "Bandwidth", value: null },
  ];
  const lines = factsText(facts).split("\n");
  assert.deepEqual(
    lines.map((line) => line.split(":")[0]),
    ["operands", "psum_write_bytes", "Bandwidth"],
  );
  assert.ok(lines[0].length <= 73 && lines[0].endsWith("…"));
  assert.equal(lines[1], "psum_write_bytes: 1 KiB");
  assert.equal(lines[2], "Bandwidth: –");
  const many = Array.from({ length: 40 }, (_, i) => ({ label: `fact ${i}`, value: i }));
  assert.equal(factsText(many).split("\n").length, 16);
});
