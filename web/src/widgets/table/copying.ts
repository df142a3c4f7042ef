// Copied text is complete: names that are drawn cut are copied in full, and numbers with their exact value.
import { cellExact } from "../../api/table_data";
import type { DrawnColumn } from "./columns";
import type { RowRef } from "./row_source";

export function rowText(columns: DrawnColumn[], { table, row }: RowRef): string {
  return columns.map(({ column }) => cellExact(table.byKey.get(column.key) ?? column, row)).join("\t");
}

/** The text for a native selection inside the table; null to let the browser copy what is visible. */
export function selectionText(scroller: HTMLElement, rowOf: (id: number) => RowRef | null): string | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const lines: string[] = [];
  for (const line of scroller.querySelectorAll<HTMLElement>("[data-row]")) {
    if (!range.intersectsNode(line)) continue;
    const cells = [...line.querySelectorAll<HTMLElement>("[data-column]")].filter((cell) =>
      range.intersectsNode(cell),
    );
    const at = rowOf(Number(line.dataset.row));
    if (!at) continue;
    const texts = cells.map((cell) => {
      const column = at.table.byKey.get(cell.dataset.column ?? "");
      return column ? cellExact(column, at.row) : "";
    });
    if (texts.length > 0) lines.push(texts.join("\t"));
  }
  return lines.length === 0 ? null : lines.join("\n");
}
