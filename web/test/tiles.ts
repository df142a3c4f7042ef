// Tiles made by hand for the tests of the timeline: a few marks per row, spelt as [start, end, name,
// kind, count, busy, slice], and the bytes a server would send for them.
import type { Marks, Tile } from "../src/api/tiles";

export type Mark = [
  start: number,
  end: number,
  name: string,
  kind: string,
  count?: number,
  busy?: number,
  slice?: number,
];

export function makeTile(lane: number, rows: Mark[][], window = { start: 0, end: 1000, pixel: 1 }): Tile {
  const names: string[] = [];
  const kinds: string[] = [];
  const index = (list: string[], text: string) =>
    list.includes(text) ? list.indexOf(text) : list.push(text) - 1;
  let slice = 0;
  const made = rows.map((marks): Marks => {
    const of = (pick: (mark: Mark) => number) => marks.map(pick);
    return {
      length: marks.length,
      start: Float64Array.from(of((m) => m[0])),
      end: Float64Array.from(of((m) => m[1])),
      busy: Float64Array.from(of((m) => m[5] ?? m[1] - m[0])),
      count: Uint32Array.from(of((m) => m[4] ?? 1)),
      slice: Uint32Array.from(of((m) => m[6] ?? slice++)),
      name: Uint32Array.from(of((m) => index(names, m[2]))),
      kind: Uint8Array.from(of((m) => index(kinds, m[3]))),
      group: null,
    };
  });
  return { lane, ...window, rows: made, names, kinds, groups: [], hues: null, marks: rows.flat().length };
}

const kOrder = ["start", "end", "busy", "count", "slice", "name", "kind"] as const;

/** The answer of /api/tiles that holds `tiles`; all must share one window. */
export function encodeTiles(tile: Tile, pad = true): ArrayBuffer {
  const rows = tile.rows.flatMap((marks, row) =>
    marks ? [{ lane: tile.lane, row, count: marks.length }] : [],
  );
  let first = 0;
  const placed = rows.map((row) => ({ ...row, first: (first += row.count) - row.count }));
  const types = { f64: 8, u32: 4, u8: 1 };
  let offset = 0;
  const columns = kOrder.map((name) => {
    const type = (
      ["start", "end", "busy"].includes(name) ? "f64" : name === "kind" ? "u8" : "u32"
    ) as keyof typeof types;
    const column = { name, type, offset };
    offset += types[type] * first;
    return column;
  });
  const { start, end, pixel, names, kinds } = tile;
  let header = JSON.stringify({ start, end, pixel, names, kinds, marks: first, rows: placed, columns });
  while (pad && (4 + new TextEncoder().encode(header).length) % 8 !== 0) header += " ";
  const text = new TextEncoder().encode(header);
  const bytes = new Uint8Array(4 + text.length + offset);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  for (const { name, offset: at } of columns) {
    let to = 4 + text.length + at;
    for (const marks of tile.rows) {
      if (!marks) continue;
      const column = marks[name];
      bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), to);
      to += column.byteLength;
    }
  }
  return bytes.buffer;
}
