// Which series a chart draws and in which hue: by category when the column has one, else by its title,
// so that "allocated" is the same colour in every chart.
import type { NumberColumn, TableData } from "../../api/table_data";
import { categoryHue, isCategory, seriesHues, type Theme } from "../../base/hues";

export interface Series {
  column: NumberColumn;
  hue: string;
}

export function makeSeries(table: TableData, keys: string[], theme: Theme): Series[] {
  const columns = keys
    .map((key) => table.byKey.get(key))
    .filter((column): column is NumberColumn => column?.kind === "number");
  const own = seriesHues(columns.map((column) => column.name));
  return columns.map((column, i) => ({
    column,
    hue: isCategory(column.category) ? categoryHue(column.category, theme) : own[i],
  }));
}
