// What can be typed at a place of a SQL text: tables after FROM and JOIN, columns after `table.` or an alias; elsewhere the
// columns of the statement's tables, its aliases, functions and keywords.
import type { SchemaColumn, SchemaTable } from "../api/query";
import { isKeyword, kKeywords, sqlTokens, type Token } from "./sql_tokens";

export interface Completion {
  /** What is inserted. */
  text: string;
  /** Muted, at the right: a type, a number of rows, the table of a column. */
  note: string;
  doc: string;
}

/** Entries that replace the text from `from` to the caret. */
export interface Completions {
  from: number;
  items: Completion[];
}

const kMost = 60;
const kFunctions =
  "abs any_value arg_max arg_min avg ceil coalesce contains count floor greatest lag lead least length list lower max median min nullif quantile_cont regexp_matches round row_number starts_with stddev string_agg sum upper".split(
    " ",
  );

/** A name that SQL reads as a keyword, or that is no word, is quoted. */
export function quotedName(name: string): string {
  const isWord = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isKeyword(name) && name !== "to";
  return isWord ? name : `"${name.replace(/"/g, '""')}"`;
}

const bareName = (text: string) =>
  text.startsWith('"') ? text.replace(/^"|"$/g, "").replace(/""/g, '"') : text;
const is = (token: Token | undefined, ...words: string[]) =>
  token !== undefined && words.includes(token.text.toUpperCase());
const isName = (token: Token | undefined) => token?.kind === "name" || token?.kind === "function";

/** Whether the token before `at` ends the start of a list of tables: FROM, JOIN, or a comma between tables. */
function wantsTable(tokens: Token[], at: number): boolean {
  if (is(tokens[at - 1], "FROM", "JOIN")) return true;
  if (!is(tokens[at - 1], ",")) return false;
  let depth = 0;
  for (let i = at - 1; i >= 0; i--) {
    if (is(tokens[i], ")")) depth++;
    else if (is(tokens[i], "(") && depth-- === 0) return false;
    else if (depth === 0 && tokens[i].kind === "keyword" && !is(tokens[i], "AS", "LATERAL"))
      return is(tokens[i], "FROM", "JOIN");
  }
  return false;
}

/** The tables of the statement by the names that it gives them, in its order. */
function tablesIn(tokens: Token[], tables: SchemaTable[]): Map<string, SchemaTable> {
  const named = new Map<string, SchemaTable>();
  tokens.forEach((token, i) => {
    if (!isName(token) || !wantsTable(tokens, i)) return;
    const table = tables.find(({ name }) => name === bareName(token.text).toLowerCase());
    if (!table) return;
    const next = is(tokens[i + 1], "AS") ? tokens[i + 2] : tokens[i + 1];
    named.set(isName(next) && next ? bareName(next.text).toLowerCase() : table.name, table);
  });
  return named;
}

/** The names of `WITH name AS (...), name AS (...)`. */
function ownTables(tokens: Token[]): string[] {
  return tokens
    .filter((token, i) => isName(token) && is(tokens[i + 1], "AS") && is(tokens[i + 2], "("))
    .map(({ text }) => bareName(text));
}

function columnNote({ row_of, type, unit }: SchemaColumn): string {
  if (row_of) return `→ ${row_of}`;
  return ["none", "id", "count"].includes(unit) ? type : unit;
}

function columnsOf(table: SchemaTable, note: (column: SchemaColumn) => string = columnNote): Completion[] {
  return table.columns.map((column) => ({
    text: quotedName(column.name),
    note: note(column),
    doc: column.doc,
  }));
}

function tableItems(tables: SchemaTable[], own: string[]): Completion[] {
  const full = tables.filter(({ rows }) => rows !== 0);
  const items = [...full, ...tables.filter((table) => !full.includes(table))].map(({ name, rows, doc }) => ({
    text: name,
    note: rows === null ? "" : rows.toLocaleString("en"),
    doc,
  }));
  return [...own.map((text) => ({ text, note: "WITH", doc: "" })), ...items];
}

/** Entries that are spelled alike are one. */
function distinct(items: Completion[]): Completion[] {
  const seen = new Set<string>();
  return items.filter(({ text }) => !seen.has(text) && seen.add(text));
}

/** Those that begin with the prefix, then those in which a later word does ("time" in `host_time`). */
function matching(items: Completion[], prefix: string): Completion[] {
  const wanted = prefix.toLowerCase();
  const bare = (item: Completion) => item.text.toLowerCase().replace(/^"/, "");
  const first = items.filter((item) => bare(item).startsWith(wanted));
  if (wanted.length < 2) return first;
  return [...first, ...items.filter((item) => !first.includes(item) && bare(item).includes(`_${wanted}`))];
}

function anywhere(tokens: Token[], tables: SchemaTable[], prefix: string): Completion[] {
  const named = tablesIn(tokens, tables);
  const columns =
    named.size > 0
      ? [...named.values()].flatMap((table) => columnsOf(table))
      : tables.filter(({ rows }) => rows !== 0).flatMap((table) => columnsOf(table, () => table.name));
  const isSmall = prefix !== "" && prefix === prefix.toLowerCase();
  return [
    ...columns,
    ...[...named].map(([text, table]) => ({
      text,
      note: table.name === text ? "" : table.name,
      doc: table.doc,
    })),
    ...ownTables(tokens).map((text) => ({ text, note: "WITH", doc: "" })),
    ...kFunctions.map((name) => ({ text: `${name}(`, note: "", doc: "" })),
    ...kKeywords.map((word) => ({ text: isSmall ? word.toLowerCase() : word, note: "", doc: "" })),
  ];
}

/** Null: nothing is offered there. `wished`: the user asked, so an empty word has entries too. */
export function completionsAt(
  sql: string,
  caret: number,
  tables: SchemaTable[],
  wished = false,
): Completions | null {
  const all = sqlTokens(sql);
  const under = all.find(({ from, to }) => from < caret && caret <= to);
  if (under?.kind === "comment" || under?.kind === "text" || under?.kind === "number") return null;
  const isWord = under !== undefined && under.kind !== "mark" && under.kind !== "blank";
  const from = isWord ? under.from : caret;
  const prefix = bareName(sql.slice(from, caret));
  const tokens = all.filter((token) => token.kind !== "blank" && token.kind !== "comment");
  const at = tokens.findIndex((token) => token.from >= from);
  const place = at < 0 ? tokens.length : at;
  const before = tokens[place - 1];
  const others = tokens.filter((token) => token !== under);
  let items: Completion[];
  if (is(before, ".")) {
    const name = bareName(tokens[place - 2]?.text ?? "").toLowerCase();
    const table = tablesIn(others, tables).get(name) ?? tables.find((each) => each.name === name);
    items = table ? columnsOf(table) : [];
  } else if (wantsTable(tokens, place)) {
    items = tableItems(tables, ownTables(tokens));
  } else if (is(before, "AS") || (prefix === "" && !wished)) {
    return null;
  } else {
    items = anywhere(others, tables, prefix);
  }
  const found = matching(distinct(items), prefix).slice(0, kMost);
  // A word that is there in full needs no list.
  if (found.length === 0 || (!wished && bareName(found[0].text).toLowerCase() === prefix.toLowerCase()))
    return null;
  return { from, items: found };
}
