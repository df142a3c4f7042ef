// The page key `find`: the first table of the view with a row of that label scrolls to it and marks it. Rows
// of a paged table that are not here yet are searched for by the server.
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

/** The row that `find` named in the report that is drawn; a row selected by hand wins over it. */
export const found = new Atom<{ table: string; row: number } | null>(null);

/** -1: no row has this label. */
export function rowOfLabel(table: TableData, label: string): number {
  const column = labelColumn(table);
  if (column?.kind !== "text") return -1;
  const code = column.texts.indexOf(label);
  return code < 0 ? -1 : column.codes.indexOf(code);
}

/** The tables whose rows the report shows, in the order of its panels. */
function listed(report: Report): TableData[] {
  const keys = report.panels.flatMap((p) => (p.kind === "table" || p.kind === "tree" ? [p.table] : []));
  return [...new Set(keys)].flatMap((key) => report.tables.get(key) ?? []);
}

const kMostHits = 500;

/** Narrows the first paged table that has the row to that text, and selects the row. */
async function findOnServer(tables: TableData[], label: string, signal: AbortSignal): Promise<boolean> {
  for (const table of tables.filter(({ wire }) => wire.paged)) {
    const { sort } = table.wire;
    const question = {
      ...kEveryRow,
      search: label,
      sort: sort ? { column: sort.column, descending: sort.descending === true } : null,
    };
    const page = await getJson<WireRows>(rowsAddress(table, question, 0, kMostHits), signal);
    const row = rowOfLabel(makePage(table, page), label);
    if (row < 0) continue;
    adjust((now) => placeWithRow(withPage(now, { [`${table.key}.search`]: label }), table.key, row));
    revealed.set({ table: table.key });
    return true;
  }
  return false;
}

/** Follows `find` in what is drawn; answers the label that was looked for in vain, or an empty text. */
export function useFind(report: Report | null, place: Place): string {
  const label = place.page[kFind] ?? "";
  const [missing, setMissing] = useState("");
  useEffect(() => {
    found.set(null);
    setMissing("");
    if (!report || label === "") return;
    const tables = listed(report);
    for (const table of tables) {
      const row = rowOfLabel(table, label);
      if (row < 0) continue;
      found.set({ table: table.key, row });
      revealed.set({ table: table.key });
      return;
    }
    const leave = new AbortController();
    findOnServer(tables, label, leave.signal)
      .then((has) => !has && setMissing(label))
      .catch((error: Error) => error.name !== "AbortError" && setMissing(label));
    return () => leave.abort();
  }, [report, label]);
  return missing;
}
