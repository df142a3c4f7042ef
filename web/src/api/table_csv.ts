// A table as the same CSV that the program writes (docs/cli.md): every column by its key and base unit, exact
// cells, unknown empty, quoting as in RFC 4180. Used in a page file, which has no server.
import type { Unit } from "../base/units";
import type { WireTable } from "./types";

const kUnits: Partial<Record<Unit, string>> = {
  ns: " (ns)",
  bytes: " (bytes)",
  share: " (0 to 1)",
  percent: " (%)",
  per_second: " (1/s)",
  bytes_per_second: " (bytes/s)",
  hertz: " (Hz)",
  flops: " (FLOP)",
  flops_per_second: " (FLOP/s)",
  flops_per_byte: " (FLOP/B)",
};

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  return /[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** "total (ns)": the key of a column, and its base unit. */
export function headOf({ key, unit }: { key: string; unit: Unit }): string {
  return key + (kUnits[unit] ?? "");
}

/** Covers the rows that came with the report: the first rows of a long table. */
export function tableCsv({ columns }: WireTable): string {
  const rows = columns[0]?.values.length ?? 0;
  const lines = [columns.map(({ key, unit }) => cell(headOf({ key, unit: unit ?? "none" }))).join(",")];
  for (let row = 0; row < rows; row++) lines.push(columns.map(({ values }) => cell(values[row])).join(","));
  return lines.join("\n") + "\n";
}
