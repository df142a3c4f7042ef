// The state of a table: sort, search, ranges of numbers, columns, expanded rows, selection. It is in the
// address under the table's key ("kernels.sort=-total"); default values are left out. Rows are named by their
// number in the report, which is the same for all users of the profile; rows of a paged table by their position
// in its order, which changes with the order.
import type { NumberRange } from "../../api/paged_rows";
import type { TableData } from "../../api/table_data";
import { adjust } from "../../base/history";
import { withPage, type Place } from "../../base/place";
import type { Sort } from "./order";

export interface TableState {
  sort: Sort | null;
  search: string;
  /** By column of numbers: only rows in the range. */
  ranges: Map<string, NumberRange>;
  /** The column whose texts the matching rows are grouped by; empty for the rows themselves. */
  group: string;
  hidden: Set<string>;
  widths: Map<string, number>;
  open: Set<number>;
  selected: number;
}

const kNone = "none";

function list(text: string | undefined): string[] {
  return text ? text.split(",") : [];
}

/** "3-5,9" as rows 3, 4, 5 and 9: keeps the address of an expanded tree short. */
export function parseRows(text: string, rows: number): Set<number> {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [first, last] = part.split("-");
    if (!/^\d+$/.test(first)) continue;
    const end = Math.min(rows - 1, Number(last ?? first));
    for (let row = Number(first); row <= end; row++) found.add(row);
  }
  return found;
}

export function formatRows(rows: Iterable<number>): string {
  const sorted = [...rows].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i];
    while (sorted[i + 1] === sorted[i] + 1) i++;
    parts.push(sorted[i] === from ? String(from) : `${from}-${sorted[i]}`);
  }
  return parts.join(",");
}

/** "size:1024..4096,calls:5.." with values in the column's base unit. */
export function parseRanges(text: string | undefined): Map<string, NumberRange> {
  const ranges = new Map<string, NumberRange>();
  for (const part of list(text)) {
    const match = /^(.+):(-?[\d.e+-]*?)\.\.(-?[\d.e+-]*)$/.exec(part);
    if (!match) continue;
    const bound = (text: string) => (text === "" || Number.isNaN(Number(text)) ? null : Number(text));
    const range = { least: bound(match[2]), most: bound(match[3]) };
    if (range.least !== null || range.most !== null) ranges.set(match[1], range);
  }
  return ranges;
}

export function spellRanges(ranges: ReadonlyMap<string, NumberRange>): string {
  return [...ranges].map(([key, { least, most }]) => `${key}:${least ?? ""}..${most ?? ""}`).join(",");
}

/** Whether the rows are the first rows of the report itself. */
export function isStandard(table: TableData, state: TableState): boolean {
  const standard = defaultSort(table);
  const { sort, search, ranges } = state;
  return (
    search === "" &&
    ranges.size === 0 &&
    sort?.column === standard?.column &&
    sort?.descending === standard?.descending
  );
}

function defaultSort(table: TableData): Sort | null {
  const sort = table.wire.sort;
  return sort ? { column: sort.column, descending: sort.descending === true } : null;
}

/** `openAtFirst`: the rows of a tree that are open until the user closes them. */
export function readTableState(
  place: Place,
  key: string,
  table: TableData,
  openAtFirst: ReadonlySet<number> = new Set(),
): TableState {
  const get = (name: string) => place.page[`${key}.${name}`];
  const sortText = get("sort");
  const sort: Sort | null = sortText
    ? { column: sortText.replace(/^[-+]/, ""), descending: sortText.startsWith("-") }
    : defaultSort(table);
  const hidden = new Set(table.columns.filter((column) => column.hidden).map((column) => column.key));
  for (const column of list(get("show"))) hidden.delete(column);
  for (const column of list(get("hide"))) hidden.add(column);
  const widths = new Map<string, number>();
  for (const pair of list(get("widths"))) {
    const at = pair.lastIndexOf(":");
    const width = Number(pair.slice(at + 1));
    if (width > 0) widths.set(pair.slice(0, at), width);
  }
  const openText = get("open");
  const open = openText === undefined ? new Set(openAtFirst) : parseRows(openText, table.wire.rows);
  const selected = get("select") === undefined ? -1 : Number(get("select"));
  return {
    sort,
    search: get("search") ?? "",
    ranges: new Map(
      [...parseRanges(get("filter"))].filter(([column]) => table.byKey.get(column)?.kind === "number"),
    ),
    group: get("group") ?? "",
    hidden,
    widths,
    open,
    selected: selected >= 0 && selected < table.wire.rows ? selected : -1,
  };
}

/** Writes a part of the state to the address. */
export function setTableState(
  key: string,
  table: TableData,
  change: Partial<TableState>,
  openAtFirst: ReadonlySet<number> = new Set(),
): void {
  const page = spell(key, table, change);
  if (change.open) {
    const text = formatRows(change.open);
    page[`${key}.open`] = text === formatRows(openAtFirst) ? "" : text || kNone;
  }
  adjust((place) => withPage(place, page));
}

/** The place in which this table has `row` selected, as the target of a link. */
export function placeWithRow(place: Place, key: string, row: number): Place {
  return withPage(place, { [`${key}.select`]: String(row) });
}

function spell(key: string, table: TableData, change: Partial<TableState>): Record<string, string> {
  const page: Record<string, string> = {};
  if (change.sort !== undefined) {
    const standard = defaultSort(table);
    const same = standard?.column === change.sort?.column && standard?.descending === change.sort?.descending;
    page[`${key}.sort`] =
      !change.sort || same ? "" : (change.sort.descending ? "-" : "+") + change.sort.column;
  }
  if (change.search !== undefined) page[`${key}.search`] = change.search;
  if (change.ranges) page[`${key}.filter`] = spellRanges(change.ranges);
  if (change.group !== undefined) page[`${key}.group`] = change.group;
  const moved =
    table.wire.paged && (change.sort !== undefined || change.search !== undefined || change.ranges);
  if (change.group !== undefined || moved) {
    page[`${key}.select`] = "";
    page[`${key}.open`] = "";
  }
  if (change.hidden) {
    const { hidden } = change;
    page[`${key}.hide`] = joined(table, (column) => !column.hidden && hidden.has(column.key));
    page[`${key}.show`] = joined(table, (column) => column.hidden && !hidden.has(column.key));
  }
  if (change.widths) {
    page[`${key}.widths`] = [...change.widths]
      .map(([column, width]) => `${column}:${Math.round(width)}`)
      .join(",");
  }
  if (change.selected !== undefined)
    page[`${key}.select`] = change.selected < 0 ? "" : String(change.selected);
  return page;
}

function joined(table: TableData, wanted: (column: TableData["columns"][number]) => boolean): string {
  return table.columns
    .filter(wanted)
    .map((column) => column.key)
    .join(",");
}
