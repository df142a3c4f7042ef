// An answer in columns (docs/http.md, "Timeline"): a little-endian length, a JSON header of that length, then
// typed columns. They are read in place, without copying. Columns that do not fit the header are refused, so
// nothing is drawn wrong.
import type { ColumnPlace } from "../base/wire";
import { fill, words } from "../base/words";

const kTypes = { f64: Float64Array, u32: Uint32Array, u8: Uint8Array };
export type ColumnType = keyof typeof kTypes;

interface Header {
  columns: ColumnPlace[];
}

/** The header of `bytes`, and a function that answers one of its columns of `rows` values. */
export function readColumns<H extends Header>(
  bytes: ArrayBuffer,
): { header: H; column: <T>(name: string, type: ColumnType, rows: number) => T } {
  const length = bytes.byteLength >= 4 ? new DataView(bytes).getUint32(0, true) : Infinity;
  if (4 + length > bytes.byteLength) throw new Error(words.brokenAnswer.header);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as H;
  const column = <T>(name: string, type: ColumnType, rows: number): T => {
    const found = header.columns.find((c) => c.name === name && c.type === type);
    if (!found) throw new Error(fill(words.brokenAnswer.column, { name, type }));
    const Type = kTypes[type];
    const offset = 4 + length + found.offset;
    const size = rows * Type.BYTES_PER_ELEMENT;
    if (offset + size > bytes.byteLength) throw new Error(words.brokenAnswer.columns);
    // A column that is not aligned is copied: typed arrays read only aligned bytes.
    if (offset % Type.BYTES_PER_ELEMENT !== 0) return new Type(bytes.slice(offset, offset + size)) as T;
    return new Type(bytes, offset, rows) as T;
  };
  return { header, column };
}

/** Refuses rows of a header that reach beyond its columns. */
export function checkRows(rows: { first: number; count: number }[], all: number): void {
  if (rows.some(({ first, count }) => first + count > all)) throw new Error(words.brokenAnswer.rows);
}
