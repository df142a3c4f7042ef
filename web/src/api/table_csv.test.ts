import assert from "node:assert/strict";
import { test } from "node:test";
import { tableCsv } from "./table_csv";
import type { WireTable } from "./types";

test("keys with base units, exact cells, unknown empty, quoted where it must be", () => {
  const table = {
    title: "T",
    rows: 3,
    columns: [
      { key: "name", title: "Name", type: "text", values: ['a "b"', "c, d\ne", null] },
      { key: "total", title: "Total", unit: "ns", type: "integer", values: [1234567, 0, null] },
      { key: "part", title: "Part", unit: "share", type: "real", values: [0.1, null, 1] },
      { key: "flag", title: "Flag", type: "flag", values: [true, false, null] },
    ],
  } as unknown as WireTable;
  assert.equal(
    tableCsv(table),
    'name,total (ns),part (0 to 1),flag\n"a ""b""",1234567,0.1,true\n"c, d\ne",0,,false\n,,1,\n',
  );
});
