// A table of the wire, prepared for sorting and searching 100,000 rows: numbers become Float64Array (NaN is
// unknown), texts become a dictionary and one code per row. A column's Scale is chosen once, here, so its
// header, its cells and its charts use the same unit, and so do the other columns that it can be compared with.
import {
  chooseScale,
  columnScale,
  decimalPad,
  exactText,
  formatNumber,
  kUnknown,
  type Scale,
  type Unit,
} from "../base/units";
import { translateIn, type Messages } from "../base/translate";
import { words } from "../base/words";
import type { ProfilePlace, WireColumn, WireRows, WireTable } from "./types";

interface ColumnHead {
  key: string;
  title: string;
  /** The same in every language. */
  name: string;
  unit: Unit;
  doc: string;
  role: "label" | "value" | "category" | "";
  bar: string;
  code: boolean;
  hidden: boolean;
  unknown: string;
  category: string;
  /** A difference: written with its sign. */
  change: boolean;
  /** A time since the run's origin, not a length. */
  instant: boolean;
}

export interface NumberColumn extends ColumnHead {
  kind: "number";
  numbers: Float64Array;
  scale: Scale;
  /** The largest absolute value: the full length of a bar that has no share column. */
  largest: number;
}

export interface TextColumn extends ColumnHead {
  kind: "text";
  /** Distinct texts, in order of first appearance; `codes` holds -1 for unknown. */
  texts: string[];
  /** The drawn text of each: itself, or the program's word in the current language. */
  shown: string[];
  codes: Int32Array;
}

export interface FlagColumn extends ColumnHead {
  kind: "flag";
  /** 1, 0, or -1 for unknown. */
  flags: Int8Array;
}

export type Column = NumberColumn | TextColumn | FlagColumn;

export interface TableData {
  key: string;
  title: string;
  /** Rows in memory: of a paged table, fewer than its rows. */
  rows: number;
  columns: Column[];
  byKey: Map<string, Column>;
  wire: WireTable;
  /** The query of its report, used to request the rows of a paged table. */
  query: string;
  /** The compared profiles of the report: the target of a link to the other profile. */
  profiles: ProfilePlace[];
}

const kInstants = new Set(["start", "end", "allocated_at", "released_at", "peak_at"]);

function isInstant({ key, unit }: WireColumn): boolean {
  return unit === "ns" && kInstants.has(key);
}

/** Whether the text of a row is a word of the program, according to `column`. */
function isOwnWord(column: WireColumn, columns: WireColumn[], row: number): boolean {
  if (column.words === undefined) return false;
  if (column.words === "all") return true;
  return columns.find(({ key }) => key === column.words)?.values[row] === true;
}

/** `columns`: all columns of the table; one of them may be the flag that says which texts are words. */
function makeColumn(
  wire: WireColumn,
  columns: WireColumn[],
  rows: number,
  messages: Messages | undefined,
  like?: Column,
): Column {
  const head: ColumnHead = {
    key: wire.key,
    title: withoutUnit(wire),
    name: wire.name ?? wire.title,
    unit: wire.unit ?? "none",
    doc: wire.doc ?? "",
    role: wire.role ?? "",
    bar: wire.bar ?? "",
    code: wire.code === true,
    hidden: wire.hidden === true,
    unknown: wire.unknown ?? "",
    category: wire.category ?? "",
    change: wire.change === true,
    instant: isInstant(wire),
  };
  if (wire.type === "text") {
    const codes = new Int32Array(rows).fill(-1);
    const texts: string[] = [];
    const shown: string[] = [];
    const seen = new Map<string, number>();
    for (let i = 0; i < rows; i++) {
      const value = wire.values[i];
      if (value === null || value === undefined) continue;
      const text = String(value);
      const own = isOwnWord(wire, columns, i);
      // A word and a name may have the same spelling.
      const known = own ? `\n${text}` : text;
      let code = seen.get(known);
      if (code === undefined) {
        code = texts.push(text) - 1;
        shown.push(own ? translateIn(messages, text) : text);
        seen.set(known, code);
      }
      codes[i] = code;
    }
    return { ...head, kind: "text", texts, shown, codes };
  }
  if (wire.type === "flag") {
    const flags = new Int8Array(rows).fill(-1);
    for (let i = 0; i < rows; i++) {
      const value = wire.values[i];
      if (value !== null && value !== undefined) flags[i] = value ? 1 : 0;
    }
    return { ...head, kind: "flag", flags };
  }
  const numbers = new Float64Array(rows).fill(NaN);
  let largest = 0;
  for (let i = 0; i < rows; i++) {
    const value = wire.values[i];
    if (typeof value !== "number") continue;
    numbers[i] = value;
    if (Math.abs(value) > largest) largest = Math.abs(value);
  }
  if (like?.kind === "number")
    return { ...head, kind: "number", numbers, largest: like.largest, scale: like.scale };
  return { ...head, kind: "number", numbers, largest, scale: chooseScale(head.unit, numbers) };
}

/** One unit for all columns that can be compared: those of one kind of unit, except instants, each of which has
 * the unit and the digits that distinguish its values. */
function shareUnits(columns: Column[]): void {
  const families = new Map<Unit, NumberColumn[]>();
  for (const column of columns) {
    if (column.kind !== "number" || column.instant) continue;
    families.set(column.unit, [...(families.get(column.unit) ?? []), column]);
  }
  for (const [unit, family] of families) {
    const values = family.length > 1 ? family.flatMap(({ numbers }) => sampled(numbers)) : undefined;
    for (const column of family) column.scale = columnScale(unit, column.numbers, values);
  }
}

/** A share has a bar, unless another column draws it as its own. A table without bars of sizes has them in the column
 * that it is sorted by. */
function drawBars(columns: Column[], sorted: string | undefined): void {
  const drawn = new Set(columns.map(({ bar }) => bar));
  for (const column of columns) {
    const isShare = column.unit === "share" || column.unit === "percent";
    if (isShare && column.role === "value" && !column.change && !drawn.has(column.key))
      column.bar ||= column.key;
  }
  const first = columns.find(({ key }) => key === sorted);
  const isSize = ({ unit }: Column) => unit === "ns" || unit === "bytes";
  if (columns.some((column) => column.bar !== "" && isSize(column)) || first?.kind !== "number") return;
  if (isSize(first) && !first.instant && !first.change) first.bar = first.key;
}

/** Evenly sampled values, and the largest. */
function sampled(numbers: Float64Array): number[] {
  const stride = Math.max(1, Math.floor(numbers.length / 2000));
  const values: number[] = [];
  let largest = 0;
  for (let row = 0; row < numbers.length; row++) {
    largest = Math.max(largest, Math.abs(numbers[row]) || 0);
    if (row % stride === 0) values.push(numbers[row]);
  }
  return [...values, largest];
}

/** A column of a query is named with its unit, "total_ns", which is not the unit it is shown in. */
function withoutUnit({ key, title, unit }: WireColumn): string {
  const ending = unit === "ns" ? /_ns$/ : unit === "bytes" ? /_bytes$/ : null;
  return ending && title === key ? title.replace(ending, "") || title : title;
}

export function makeTable(
  key: string,
  wire: WireTable,
  query = "",
  profiles: ProfilePlace[] = [],
  messages?: Messages,
): TableData {
  const rows = wire.paged ? (wire.columns[0]?.values.length ?? 0) : wire.rows;
  const columns = wire.columns.map((column) => makeColumn(column, wire.columns, rows, messages));
  shareUnits(columns);
  drawBars(columns, wire.sort?.column);
  return withColumns({ key, wire, query, profiles }, rows, columns);
}

/** Other rows of a paged table: a table itself, drawn in the units of `first`. */
export function makePage(first: TableData, page: WireRows): TableData {
  const rows = page.columns[0]?.values.length ?? 0;
  const values = new Map(page.columns.map((column) => [column.key, column.values]));
  const wires = first.wire.columns.map((column) => ({ ...column, values: values.get(column.key) ?? [] }));
  const columns = wires.map((column, i) => makeColumn(column, wires, rows, page.messages, first.columns[i]));
  return withColumns(first, rows, columns);
}

function withColumns(
  { key, wire, query, profiles }: Pick<TableData, "key" | "wire" | "query" | "profiles">,
  rows: number,
  columns: Column[],
): TableData {
  return {
    key,
    title: wire.title,
    rows,
    columns,
    byKey: new Map(columns.map((column) => [column.key, column])),
    wire,
    query,
    profiles,
  };
}

function signed(column: NumberColumn, row: number, text: string): string {
  return column.change && column.numbers[row] > 0 ? text.replace(/^<?/, "$&+") : text;
}

/** The program's text of the column: for requests and hues. */
export function wireText(column: Column, row: number): string {
  return column.kind === "text" && column.codes[row] >= 0
    ? column.texts[column.codes[row]]
    : cellText(column, row);
}

/** The text of a cell as it is drawn (names whole, not cut). */
export function cellText(column: Column, row: number): string {
  if (column.kind === "number") return signed(column, row, formatNumber(column.numbers[row], column.scale));
  if (column.kind === "flag")
    return column.flags[row] < 0 ? kUnknown : column.flags[row] === 1 ? words.yes : words.no;
  return column.codes[row] < 0 ? kUnknown : column.shown[column.codes[row]];
}

/** The blanks that align the decimal points of a column. */
export function cellPad(column: NumberColumn, row: number): string {
  return decimalPad(column.numbers[row], column.scale);
}

/** The text for hovering and copying: the exact value with its unit, the whole name. */
export function cellExact(column: Column, row: number): string {
  if (column.kind !== "number") return cellText(column, row);
  return signed(column, row, exactText(column.numbers[row], column.unit));
}

export function isUnknown(column: Column, row: number): boolean {
  if (column.kind === "number") return Number.isNaN(column.numbers[row]);
  return (column.kind === "text" ? column.codes[row] : column.flags[row]) < 0;
}

/** The cell as a parameter of another report: the bare value, empty when unknown. */
export function cellParameter(column: Column | undefined, row: number): string {
  if (!column || isUnknown(column, row)) return "";
  if (column.kind === "flag") return column.flags[row] === 1 ? "yes" : "no";
  return column.kind === "number" ? String(column.numbers[row]) : wireText(column, row);
}

/** "$key" as the row's cell of that column, other texts as they are. */
export function fillText(table: TableData, row: number, text: string): string {
  return text.startsWith("$") ? cellParameter(table.byKey.get(text.slice(1)), row) : text;
}

/** Fills "$key" in a link's parameters with the row's cells. */
export function fillParameters(
  table: TableData,
  row: number,
  parameters: Record<string, string>,
): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [key, value] of Object.entries(parameters ?? {})) {
    filled[key] = fillText(table, row, String(value));
  }
  return filled;
}

export function numberColumn(table: TableData | undefined, key: string): NumberColumn | null {
  const column = table?.byKey.get(key);
  return column?.kind === "number" ? column : null;
}

/** The column that names a row: the one with that role, else the first text column. */
export function labelColumn(table: TableData): Column | undefined {
  return (
    table.columns.find((column) => column.role === "label") ??
    table.columns.find((column) => column.kind === "text")
  );
}
