// The slider of a range of numbers: positions 0 to 1 between the least and the greatest value. Times and sizes
// span orders of magnitude, so their scale is logarithmic; values are rounded to three digits.
import type { NumberColumn, TableData } from "../../api/table_data";
import { formatAlone } from "../../base/units";
import type { NumberRange } from "../../api/paged_rows";

export interface Extent {
  least: number;
  most: number;
}

export function extentOf(column: NumberColumn): Extent | null {
  let least = Infinity;
  let most = -Infinity;
  for (const value of column.numbers) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? { least, most } : null;
}

function isLogarithmic(column: NumberColumn, { least, most }: Extent): boolean {
  const spread = (most + 1) / (least + 1);
  return (column.unit === "ns" || column.unit === "bytes") && least >= 0 && spread > 100;
}

export function valueAt(position: number, column: NumberColumn, extent: Extent): number {
  const { least, most } = extent;
  if (position <= 0) return least;
  if (position >= 1) return most;
  const value = isLogarithmic(column, extent)
    ? Math.expm1(Math.log1p(least) + position * (Math.log1p(most) - Math.log1p(least)))
    : least + position * (most - least);
  const { divisor } = column.scale;
  const rounded = Number((value / divisor).toPrecision(3)) * divisor;
  return Math.max(least, Math.min(most, divisor >= 1 ? Math.round(rounded) : rounded));
}

export function positionOfValue(value: number, column: NumberColumn, extent: Extent): number {
  const { least, most } = extent;
  if (most <= least) return 0;
  const position = isLogarithmic(column, extent)
    ? (Math.log1p(Math.max(0, value)) - Math.log1p(least)) / (Math.log1p(most) - Math.log1p(least))
    : (value - least) / (most - least);
  return Math.max(0, Math.min(1, position));
}

/** "Size 1 KiB–64 KiB", "Calls at least 5". */
export function rangeText({ title, unit }: NumberColumn, { least, most }: NumberRange): string {
  const say = (value: number) => formatAlone(value, unit);
  if (least !== null && most !== null) return `${title} ${say(least)} – ${say(most)}`;
  return least !== null ? `${title} ≥ ${say(least)}` : `${title} ≤ ${say(most ?? 0)}`;
}

export function numberColumns(table: TableData): NumberColumn[] {
  return table.columns.filter((column): column is NumberColumn => column.kind === "number");
}
