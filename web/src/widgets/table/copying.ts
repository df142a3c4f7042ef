// Copied text is complete: names that are drawn cut are copied in full, and numbers with their exact value. A whole
// table is copied as it is shown: its columns, and the rows that match in their order.
import { cellExact, cellText, isUnknown, type Column } from "../../api/table_data";
import { headOf } from "../../api/table_csv";
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

export type CopyFormat = "tsv" | "markdown";

/** A copier per table on the page, by its key: what the panel's menu calls. */
export const copiers = new Map<string, (format: CopyFormat) => Promise<string>>();

/** The bare value in the base unit, which spreadsheets read as a number. */
function bareText(column: Column, row: number): string {
  if (isUnknown(column, row)) return "";
  return (column.kind === "number" ? String(column.numbers[row]) : cellText(column, row)).replace(
    /[\t\r\n]+/g,
    " ",
  );
}

function markdownText(text: string): string {
  return text.replace(/\\|\|/g, "\\$&").replace(/[\r\n]+/g, " ");
}

function markdownHead(column: Column): string {
  const unit = column.kind === "number" ? column.scale.label : "";
  return markdownText(unit ? `${column.title} (${unit})` : column.title);
}

export function tableText(columns: DrawnColumn[], rows: RowRef[], format: CopyFormat): string {
  const heads = columns.map(({ column }) => column);
  const of = ({ table }: RowRef, { key }: Column) => table.byKey.get(key) as Column;
  if (format === "tsv") {
    const lines = [
      heads.map(headOf),
      ...rows.map((at) => heads.map((head) => bareText(of(at, head), at.row))),
    ];
    return lines.map((cells) => cells.join("\t")).join("\n") + "\n";
  }
  const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  const ruler = heads.map(({ kind }) => (kind === "number" ? "---:" : "---"));
  const body = rows.map((at) => line(heads.map((head) => markdownText(cellText(of(at, head), at.row)))));
  return line(heads.map(markdownHead)) + line(ruler) + body.join("");
}
