// Ranges of numbers: the slider's scale, the spelling of a range in the address, and the rows that it keeps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable, type NumberColumn } from "../../api/table_data";
import { matchRows } from "./order";
import { extentOf, positionOfValue, rangeText, valueAt } from "./range_scale";
import { parseValue } from "./search";
import { parseRanges, spellRanges } from "./table_state";

const table = makeTable("t", {
  title: "T",
  rows: 5,
  columns: [
    {
      key: "size",
      title: "Size",
      unit: "bytes",
      type: "integer",
      role: "value",
      values: [0, 512, 65_536, null, 1_073_741_824],
    },
    {
      key: "share",
      title: "Share",
      unit: "share",
      type: "real",
      role: "value",
      values: [0.1, 0.2, 0.3, 0.4, null],
    },
  ],
});
const size = table.byKey.get("size") as NumberColumn;
const share = table.byKey.get("share") as NumberColumn;

test("sizes are spread by magnitude, shares evenly, and both reach their ends exactly", () => {
  const extent = extentOf(size);
  assert.deepEqual(extent, { least: 0, most: 1_073_741_824 });
  assert.ok(extent);
  assert.equal(valueAt(0, size, extent), 0);
  assert.equal(valueAt(1, size, extent), 1_073_741_824);
  const middle = valueAt(0.5, size, extent);
  assert.ok(middle > 30_000 && middle < 36_000, String(middle));
  assert.ok(Math.abs(positionOfValue(middle, size, extent) - 0.5) < 0.01);
  const even = extentOf(share);
  assert.ok(even);
  assert.ok(Math.abs(valueAt(0.5, share, even) - 0.25) < 1e-9);
});

test("a column without a known value has no extent", () => {
  const none = makeTable("n", {
    title: "N",
    rows: 2,
    columns: [{ key: "a", title: "A", unit: "ns", type: "integer", role: "value", values: [null, null] }],
  });
  assert.equal(extentOf(none.byKey.get("a") as NumberColumn), null);
});

test("a range keeps both its ends and leaves unknown out", () => {
  const rows = (text: string) => Array.from(matchRows(table, "", parseRanges(text)) ?? []);
  assert.deepEqual(rows("size:512..65536"), [0, 1, 1, 0, 0]);
  assert.deepEqual(rows("size:..512"), [1, 1, 0, 0, 0]);
  assert.deepEqual(rows("size:1..,share:..0.25"), [0, 1, 0, 0, 0]);
  assert.equal(matchRows(table, "", parseRanges("")), null);
});

test("a range is written to the address and read back; any other text is not a range", () => {
  const text = "size:512..65536,share:..0.25";
  assert.equal(spellRanges(parseRanges(text)), text);
  assert.equal(parseRanges("size,share:..,x:a..b").size, 0);
});

test("a value is read in the header's unit or the one that is written", () => {
  assert.equal(parseValue("64 KiB", size), 65_536);
  assert.equal(parseValue("2", size), 2 * size.scale.divisor);
  assert.equal(parseValue("30%", share), 0.3);
  assert.equal(parseValue("many", size), null);
});

test("a chip shows the range in the units of its ends", () => {
  assert.equal(rangeText(size, { least: 512, most: null }), "Size ≥ 512 B");
  assert.equal(rangeText(size, { least: 512, most: 65_536 }), "Size 512 B – 64 KiB");
  assert.equal(rangeText(share, { least: null, most: 0.25 }), "Share ≤ 25.0%");
});
