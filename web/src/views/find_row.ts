// The page key `find`: the first table of the view that has a row with this label scrolls to it and marks it.
// The server searches the rows of a paged table that are not loaded yet.
import { useEffect, useState } from "preact/hooks";
import { getJson, type Report } from "../api/client";
import { kEveryRow, rowsAddress } from "../api/paged_rows";
import { labelColumn, makePage, type TableData } from "../api/table_data";
import type { WireRows } from "../api/types";
import { Atom } from "../base/atom";
import { adjust } from "../base/history";
import { kFind, withPage, type Place } from "../base/place";
import { placeWithRow } from "../widgets/table/table_state";
import { revealed } from "./navigate";

/** The row that `find` names in the drawn report; a row that the user selects has precedence. */
export const found = new Atom<{ table: string; row: number } | null>(null);

/** -1: no row has this label. */
export function rowOfLabel(table: TableData, label: string): number {
  const column = labelColumn(table);
  if (column?.kind !== "text") return -1;
  const code = column.texts.indexOf(label);
  return code < 0 ? -1 : column.codes.indexOf(code);
}

/** The tables shown in the report, in the order of its panels. */
function listed(report: Report): TableData[] {
  const keys = report.panels.flatMap((p) => (p.kind === "table" || p.kind === "tree" ? [p.table] : []));
  return [...new Set(keys)].flatMap((key) => report.tables.get(key) ?? []);
}

const kMostHits = 500;

/** The position of the row among those of a paged table that contain the text; -1: not found. */
async function fetchRow(table: TableData, label: string, signal: AbortSignal): Promise<number> {
  const { sort } = table.wire;
  const question = {
    ...kEveryRow,
    search: label,
    sort: sort ? { column: sort.column, descending: sort.descending === true } : null,
  };
  const page = await getJson<WireRows>(rowsAddress(table, question, 0, kMostHits), signal);
  return rowOfLabel(makePage(table, page), label);
}

/** Marks the row. If a paged table has not loaded it yet, narrows the table to that text, unless the user has
 * changed the table meanwhile. */
async function findIn(tables: TableData[], label: string, signal: AbortSignal): Promise<boolean> {
  for (const table of tables) {
    const { key } = table;
    let row = rowOfLabel(table, label);
    if (row >= 0) found.set({ table: key, row });
    else if (table.wire.paged && (row = await fetchRow(table, label, signal)) >= 0) {
      adjust((now) => {
        const touched =
          now.page[kFind] !== label || `${key}.select` in now.page || `${key}.search` in now.page;
        return touched ? now : placeWithRow(withPage(now, { [`${key}.search`]: label }), key, row);
      });
    }
    if (row < 0) continue;
    revealed.set({ table: key });
    return true;
  }
  return false;
}

/** Follows `find` in the drawn report; returns the label that was not found, or an empty text. */
export function useFind(report: Report | null, place: Place): string {
  const label = place.page[kFind] ?? "";
  const [missing, setMissing] = useState("");
  useEffect(() => {
    found.set(null);
    setMissing("");
    if (!report || label === "") return;
    const leave = new AbortController();
    findIn(listed(report), label, leave.signal)
      .then((has) => !has && setMissing(label))
      .catch((error: Error) => error.name !== "AbortError" && setMissing(label));
    return () => leave.abort();
  }, [report, label]);
  return missing;
}
