// Cuts a window and some lanes (or counters) out of an answer in columns: the same format, with those rows only.
import type { ColumnPlace } from "../base/wire";

interface Row {
  first: number;
  count: number;
  [id: string]: number;
}

interface Header {
  start: number;
  end: number;
  marks?: number;
  rows: Row[];
  columns: ColumnPlace[];
}

const kSizes: Record<string, number> = { f64: 8, u32: 4, u8: 1 };
const kAlign = 8;

/** `id` is the member of a row that holds its lane (or counter). */
export function cutColumns(
  bytes: ArrayBuffer,
  id: string,
  ids: ReadonlySet<number>,
  window: { start: number; end: number },
): ArrayBuffer {
  const length = new DataView(bytes).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as Header;
  const base = 4 + length;
  const times = (name: string) => {
    const column = header.columns.find((c) => c.name === name);
    return column ? new DataView(bytes, base + column.offset) : undefined;
  };
  const starts = (times("start") ?? times("time")) as DataView;
  const ends = times("end");

  const kept: { row: Row; from: number; to: number }[] = [];
  let first = 0;
  for (const row of header.rows) {
    if (!ids.has(row[id])) continue;
    // Marks of a row are in time order and do not overlap; a counter also needs its value before the window.
    let from = row.first;
    let to = row.first + row.count;
    const last = to;
    while (from < to) {
      const middle = (from + to) >> 1;
      const start = starts.getFloat64(middle * 8, true);
      // A mark that ends where the window begins is outside, except an instant.
      const before = ends
        ? ends.getFloat64(middle * 8, true) <= window.start && start < window.start
        : start <= window.start;
      if (before) from = middle + 1;
      else to = middle;
    }
    if (!ends && from > row.first) from--;
    to = from;
    while (to < last && starts.getFloat64(to * 8, true) < window.end) to++;
    kept.push({ row: { ...row, first, count: to - from }, from, to });
    first += to - from;
  }

  let offset = 0;
  const columns = header.columns.map((column) => {
    const at = offset;
    offset += Math.ceil((first * kSizes[column.type]) / kAlign) * kAlign;
    return { ...column, offset: at };
  });
  const cut = { ...header, start: window.start, end: window.end, rows: kept.map(({ row }) => row), columns };
  if (header.marks !== undefined) cut.marks = first;
  let text = new TextEncoder().encode(JSON.stringify(cut));
  const padded = Math.ceil((4 + text.length) / kAlign) * kAlign - 4;
  const out = new Uint8Array(4 + padded + offset);
  new DataView(out.buffer).setUint32(0, padded, true);
  out.fill(32, 4, 4 + padded);
  out.set(text, 4);
  for (const [i, column] of header.columns.entries()) {
    const size = kSizes[column.type];
    for (const { row, from, to } of kept) {
      const piece = new Uint8Array(bytes, base + column.offset + from * size, (to - from) * size);
      out.set(piece, 4 + padded + columns[i].offset + row.first * size);
    }
  }
  return out.buffer;
}
