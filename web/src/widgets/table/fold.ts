// Rows without a value are folded behind one line that names them, until the user shows them or searches.
import { cellText, isUnknown, labelColumn, type TableData } from "../../api/table_data";

export interface Fold {
  /** 1 per row that stays. */
  mask: Uint8Array;
  names: string[];
}

/** Fewer rows without a value stay in the table. */
export const kLeastFolded = 2;

/** null: nothing is folded, because too few rows are unknown in this column, or all are. */
export function foldRows(table: TableData, known: string | undefined): Fold | null {
  const column = known === undefined ? undefined : table.byKey.get(known);
  const label = labelColumn(table);
  if (!column || !label || table.wire.paged) return null;
  const mask = new Uint8Array(table.rows).fill(1);
  const names: string[] = [];
  for (let row = 0; row < table.rows; row++) {
    if (!isUnknown(column, row)) continue;
    mask[row] = 0;
    names.push(cellText(label, row));
  }
  return names.length >= kLeastFolded && names.length < table.rows ? { mask, names } : null;
}
