// Where a mark of a chart leads: to its row if the report lists the rows; else to the row's links (a menu if
// there are several); else nowhere, and then it does not look like a link. A direct link has precedence.
import type { Report } from "../api/client";
import type { TableData } from "../api/table_data";
import type { RowDoor } from "../api/types";
import { go } from "../base/history";
import { anchorAt } from "../widgets/float";
import { openMenu, type MenuEntries } from "../widgets/menu";
import { openTrace } from "./drop_layer";
import { doorIsOpen, doorPlace, selectRow, showsRows, traceToOpen } from "./navigate";

function follow(door: RowDoor, table: TableData, row: number): void {
  const trace = traceToOpen(door, table, row);
  if (trace) void openTrace(trace, (profile) => go(doorPlace(door, table, row, profile)));
  else go(doorPlace(door, table, row));
}

export function linkEntries(table: TableData, row: number): MenuEntries {
  return (table.wire.row_links ?? [])
    .filter((door) => doorIsOpen(door, table, row))
    .map((door) => ({ title: door.title ?? door.view, run: () => follow(door, table, row) }));
}

/** The link that a click on the row's mark follows immediately. */
function directDoor(table: TableData, row: number): RowDoor | undefined {
  return table.wire.row_links?.find((door) => door.direct && doorIsOpen(door, table, row));
}

export function isRowDoor(report: Report, table: TableData, row: number): boolean {
  return showsRows(report, table.key) || linkEntries(table, row).length > 0;
}

export function rowDoor(
  report: Report,
  table: TableData,
  prefix: string,
): ((row: number, event?: MouseEvent) => void) | undefined {
  if (showsRows(report, table.key)) {
    return (row) => {
      const direct = directDoor(table, row);
      if (direct) follow(direct, table, row);
      else selectRow(prefix + table.key, row);
    };
  }
  if ((table.wire.row_links ?? []).length === 0) return undefined;
  return (row, event) => {
    const entries = linkEntries(table, row);
    if (entries.length > 1 && event) openMenu(anchorAt(event), table.title, () => entries);
    else entries[0]?.run?.();
  };
}
