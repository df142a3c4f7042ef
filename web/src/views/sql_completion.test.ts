// What is offered at each place of a statement. "|" in a text is the caret.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaTable } from "../api/query";
import { completionsAt, quotedName } from "./sql_completion";
import { sqlTokens } from "./sql_tokens";

const column = (name: string, unit = "none") => ({ name, type: "int64", unit, row_of: "", doc: "" });
const tables = [
  { name: "memory", doc: "", view: false, rows: 0, columns: [column("device")] },
  {
    name: "kernels",
    doc: "",
    view: true,
    rows: null,
    columns: [column("name"), column("duration", "ns"), column("device")],
  },
  {
    name: "ops",
    doc: "",
    view: true,
    rows: null,
    columns: [column("name"), column("input_types"), column("group")],
  },
] as unknown as SchemaTable[];

function offered(marked: string, wished = false): string[] | null {
  const caret = marked.indexOf("|");
  const found = completionsAt(marked.replace("|", ""), caret, tables, wished);
  return found && found.items.map(({ text }) => text);
}

test("after FROM and JOIN: tables, those without rows last, and those of WITH first", () => {
  assert.deepEqual(offered("SELECT * FROM |"), ["kernels", "ops", "memory"]);
  assert.deepEqual(offered("SELECT * FROM kernels k JOIN o|"), ["ops"]);
  assert.deepEqual(offered("SELECT * FROM kernels, |"), ["kernels", "ops", "memory"]);
  assert.deepEqual(offered("WITH big AS (SELECT 1) SELECT * FROM b|"), ["big"]);
});

test("after a table or its alias: its columns, quoted where they are keywords", () => {
  assert.deepEqual(offered("SELECT k.| FROM kernels k"), ["name", "duration", "device"]);
  assert.deepEqual(offered("SELECT ops.| FROM kernels AS k, ops"), ["name", "input_types", '"group"']);
  assert.deepEqual(offered("SELECT o.g| FROM ops AS o"), ['"group"']);
  assert.deepEqual(offered("SELECT x.| FROM ops o"), null);
});

test("elsewhere: columns of the statement's tables, then functions and keywords in the user's letters", () => {
  assert.deepEqual(offered("SELECT du| FROM kernels"), ["duration"]);
  assert.deepEqual(offered("SELECT name FROM ops wh|"), ["when", "where"]);
  assert.deepEqual(offered("SELECT name FROM ops WH|"), ["WHEN", "WHERE"]);
  assert.deepEqual(offered("SELECT typ| FROM ops"), ["input_types"]);
  assert.deepEqual(offered("SELECT me|"), ["median("]);
  assert.ok(offered("SELECT | FROM ops", true)?.includes("input_types"));
});

test("nothing in texts, comments, new names, and after a word that is there in full", () => {
  assert.equal(offered("SELECT 'k|'"), null);
  assert.equal(offered("-- from k|"), null);
  assert.equal(offered("SELECT sum(duration) AS n| FROM kernels"), null);
  assert.equal(offered("SELECT * FROM kernels|"), null);
  assert.equal(offered("SELECT | FROM ops"), null);
});

test("the words of a text join to the text again", () => {
  const sql = "SELECT sum(\"a b\") -- c\nFROM t /* open 'x' */ WHERE x > 1.5e3 AND y = 'it''s' AND 中 = $p";
  const tokens = sqlTokens(sql);
  assert.equal(tokens.map(({ text }) => text).join(""), sql);
  const of = (kind: string) => tokens.filter((token) => token.kind === kind).map(({ text }) => text);
  assert.deepEqual(of("keyword"), ["SELECT", "FROM", "WHERE", "AND", "AND"]);
  assert.deepEqual(of("function"), ["sum"]);
  assert.deepEqual(of("comment"), ["-- c", "/* open 'x' */"]);
  assert.deepEqual(of("text"), ["'it''s'"]);
  assert.deepEqual(of("number"), ["1.5e3"]);
});

test("names are quoted where SQL needs it", () => {
  assert.equal(quotedName("total_ns"), "total_ns");
  assert.equal(quotedName("offset"), '"offset"');
  assert.equal(quotedName('a "b"'), '"a ""b"""');
});
