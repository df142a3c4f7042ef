// The search of a table: several conditions and expressions at once, and what is wrong with one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable } from "../../api/table_data";
import { tableText } from "./copying";
import { matchRows } from "./order";
import { parseSearch, rangesOf } from "./search";

const table = makeTable("t", {
  title: "T",
  rows: 3,
  sort: { column: "device_self", descending: true },
  columns: [
    {
      key: "name",
      title: "Name",
      type: "text",
      unit: "none",
      role: "label",
      values: ["conv a", "gemm|b", "copy"],
    },
    { key: "calls", title: "Calls", type: "integer", unit: "count", role: "value", values: [6, 5, 90] },
    {
      key: "device_self",
      title: "Device self",
      type: "integer",
      unit: "ns",
      role: "value",
      values: [3e6, 2e6, null],
    },
    {
      key: "host_self",
      title: "Host self",
      type: "integer",
      unit: "ns",
      role: "value",
      values: [1e6, 1e6, 1e6],
    },
  ],
});
const matching = (search: string) =>
  [...(matchRows(table, search) ?? [1, 1, 1])].flatMap((hit, row) => (hit ? [row] : []));
const problems = (search: string) => parseSearch(table, search).problems.map(({ text }) => text);

test("expressions, conditions and words narrow together", () => {
  assert.deepEqual(matching("/conv|gemm/ calls>5 self>1ms"), [0]);
  assert.deepEqual(matching("/conv|gemm/"), [0, 1]);
  assert.deepEqual(matching("/conv a/ calls<10 calls>=6"), [0]);
  assert.deepEqual(matching("/co/ calls>6"), [2]);
});

test("a part of a title is enough; the column that sorts the table is preferred", () => {
  assert.equal(parseSearch(table, "self>1ms").conditions[0].column.key, "device_self");
  assert.equal(parseSearch(table, "host>1ms").conditions[0].column.key, "host_self");
});

test("what is wrong is reported", () => {
  assert.deepEqual(problems("calls>5 /conv/"), []);
  assert.deepEqual(problems("cals>5"), ["No column of numbers is called “cals”."]);
  assert.deepEqual(problems("calls>5ms"), ["“5ms” is not a value of Calls."]);
  assert.match(problems("/conv(/")[0], /is not a regular expression: Unterminated group/);
});

test("conditions become ranges for a server", () => {
  const { conditions } = parseSearch(table, "calls>5 calls<=90");
  const range = rangesOf(conditions, new Map([["calls", { least: null, most: 50 }]])).get("calls");
  assert.ok(range?.least && range.least > 5 && range.least < 5.001);
  assert.equal(range.most, 50);
});

test("a table is copied with bare numbers for a spreadsheet, as drawn in Markdown", () => {
  const columns = table.columns.slice(0, 3).map((column) => ({ column, width: 1, chars: 1 }));
  const rows = [1, 2].map((row) => ({ id: row, table, row }));
  assert.equal(
    tableText(columns, rows, "tsv"),
    "name\tcalls\tdevice_self (ns)\ngemm|b\t5\t2000000\ncopy\t90\t\n",
  );
  assert.equal(
    tableText(columns, rows, "markdown"),
    "| Name | Calls | Device self (ms) |\n| --- | ---: | ---: |\n| gemm\\|b | 5 | 2.00 |\n| copy | 90 | – |\n",
  );
});
