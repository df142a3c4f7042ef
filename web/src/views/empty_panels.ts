// Which panels have nothing to show for a profile: no value at all, a chart of one bar or point that a table has too, a donut whose slices have one
// name. They are folded into one line below the others.
import type { Report } from "../api/client";
import { numberColumn, type Column, type NumberColumn, type TableData } from "../api/table_data";
import type { Fact, Panel } from "../api/types";

export function isUnknownFact({ text, value }: Fact): boolean {
  return (text === undefined || text === null) && typeof value !== "number";
}

function anyKnown(column: NumberColumn | null): boolean {
  return column !== null && column.numbers.some((number) => !Number.isNaN(number));
}

/** Equal names with different values: as slices they say nothing. */
function isOneName(table: TableData, label: Column | undefined, value: NumberColumn): boolean {
  if (label?.kind !== "text") return false;
  const names = new Set<number>();
  let rows = 0;
  for (let row = 0; row < table.rows && names.size < 2; row++) {
    if (!(value.numbers[row] > 0)) continue;
    rows++;
    names.add(label.codes[row]);
  }
  const others = table.columns.some(
    (column) => column.kind === "text" && column !== label && column.texts.length > 1,
  );
  return rows > 1 && names.size < 2 && !others;
}

/** Whether a table of the report shows the numbers of a chart. */
function isInTable(table: string, { panels }: Report): boolean {
  return panels.some((panel) => (panel.kind === "table" || panel.kind === "tree") && panel.table === table);
}

export function hasNothing(panel: Panel, report: Report): boolean {
  if (panel.kind === "facts") return panel.facts.every(isUnknownFact);
  if (panel.kind === "advice" || panel.kind === "verdict" || panel.kind === "timeline") return false;
  if (panel.kind === "code") return panel.text === "";
  const table = report.tables.get(panel.table);
  if (!table || table.wire.rows === 0) return true;
  const number = (key: string) => numberColumn(table, key);
  switch (panel.kind) {
    case "table":
    case "tree":
      return false;
    case "breakdown": {
      const value = number(panel.value);
      return !value || !(value.largest > 0) || isOneName(table, table.byKey.get(panel.label), value);
    }
    case "bars":
      return (
        (table.rows < 2 && isInTable(panel.table, report)) ||
        !panel.series.some((key) => anyKnown(number(key)))
      );
    case "lines":
      return !panel.series.some((key) => anyKnown(number(key)));
    case "heatmap":
    case "flame":
      return !((number(panel.value)?.largest ?? 0) > 0);
    case "gantt":
    case "graph":
      return table.rows === 0;
    case "scatter":
      if (table.rows < 2 && !panel.ceilings?.length && isInTable(panel.table, report)) return true;
      return !anyKnown(number(panel.x)) || !anyKnown(number(panel.y));
  }
}
