// How wide each column is drawn. Numbers are as wide as their longest text; names take what they need,
// up to what is left of the table's width, so that on a wide screen figures stay near the name they
// belong to. The reader's own width wins over both.
import { cellText, type Column, type TableData } from "../../api/table_data";
import type { TableState } from "./table_state";

/** Width of one character of the 12 px fonts in use; measured once, on the page. */
export interface CharWidths {
  mono: number;
  sans: number;
}

const kPadding = 16;
const kSample = 400;
const kLeastName = 200;
const kMostText = 260;

export interface DrawnColumn {
  column: Column;
  width: number;
  /** Characters that fit, for middle-cut names. */
  chars: number;
}

const longest = new WeakMap<Column, number>();

/** The longest text among evenly taken rows and, for numbers, the extremes: exact enough for a width. */
function longestText(column: Column, rows: number): number {
  let most = longest.get(column);
  if (most !== undefined) return most;
  most = 0;
  if (column.kind === "text") {
    for (const text of column.texts) most = Math.max(most, text.length);
  } else if (column.kind === "flag") {
    most = 3;
  } else {
    const stride = Math.max(1, Math.floor(rows / kSample));
    let least = 0;
    let greatest = 0;
    for (let row = 0; row < rows; row++) {
      if (!(column.numbers[row] >= column.numbers[least])) least = row;
      if (!(column.numbers[row] <= column.numbers[greatest])) greatest = row;
      if (row % stride === 0) most = Math.max(most, cellText(column, row).length);
    }
    if (rows > 0) most = Math.max(most, cellText(column, least).length, cellText(column, greatest).length);
  }
  longest.set(column, most);
  return most;
}

function headWidth(column: Column, chars: CharWidths): number {
  const unit = column.kind === "number" && column.scale.label ? column.scale.label.length + 1 : 0;
  return (column.title.length + unit) * chars.sans + kPadding + 14;
}

export function drawnColumns(
  table: TableData,
  state: TableState,
  available: number,
  chars: CharWidths,
): DrawnColumn[] {
  const shown = table.columns.filter((column) => !state.hidden.has(column.key));
  const names: Column[] = [];
  const widths = new Map<Column, number>();
  for (const column of shown) {
    const own = state.widths.get(column.key);
    const char = column.code || column.kind === "number" ? chars.mono : chars.sans;
    const needed = longestText(column, table.rows) * char + kPadding;
    if (own !== undefined) widths.set(column, own);
    else if (column.role === "label") names.push(column);
    else if (column.kind === "text")
      widths.set(column, Math.max(headWidth(column, chars), Math.min(needed, kMostText)));
    else widths.set(column, Math.max(headWidth(column, chars), needed, 56));
  }
  let left = available - [...widths.values()].reduce((sum, width) => sum + width, 0);
  names.forEach((column, i) => {
    const char = column.code ? chars.mono : chars.sans;
    const needed = longestText(column, table.rows) * char + kPadding + 44;
    const share = left / (names.length - i);
    const width = Math.max(kLeastName, Math.min(needed, share));
    widths.set(column, width);
    left -= width;
  });
  return shown.map((column) => {
    const width = Math.floor(widths.get(column) as number);
    const char = column.code ? chars.mono : chars.sans;
    return { column, width, chars: Math.max(4, Math.floor((width - kPadding) / char)) };
  });
}
