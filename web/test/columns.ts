// Answers in columns made by hand, for the tests of what reads them.
const kSizes = { f64: 8, u32: 4, u8: 1 };

export interface MadeColumn {
  name: string;
  type: keyof typeof kSizes;
  values: number[];
}

/** The bytes of docs/http.md, "Timeline": a length, the header as JSON, each column at a multiple of 8. */
export function madeColumns(header: Record<string, unknown>, columns: MadeColumn[]): ArrayBuffer {
  let size = 0;
  const placed = columns.map(({ name, type, values }) => {
    const offset = size;
    size += Math.ceil((values.length * kSizes[type]) / 8) * 8;
    return { name, type, offset };
  });
  const json = JSON.stringify({ ...header, columns: placed });
  const text = json.padEnd(Math.ceil((4 + json.length) / 8) * 8 - 4);
  const bytes = new Uint8Array(4 + text.length + size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  for (const [i, { type, values }] of columns.entries()) {
    const at = 4 + text.length + placed[i].offset;
    for (const [k, value] of values.entries()) {
      if (type === "f64") view.setFloat64(at + 8 * k, value, true);
      else if (type === "u32") view.setUint32(at + 4 * k, value, true);
      else view.setUint8(at + k, value);
    }
  }
  return bytes.buffer;
}

export interface MadeMark {
  lane: number;
  row: number;
  start: number;
  end: number;
  slice: number;
  count?: number;
  name?: number;
}

/** An answer of /api/tiles; the marks are given by lane, row and time. */
export function madeTiles(marks: MadeMark[], names: string[], pixel = 1): ArrayBuffer {
  const rows: { lane: number; row: number; first: number; count: number }[] = [];
  for (const [i, { lane, row }] of marks.entries()) {
    const last = rows.at(-1);
    if (last && last.lane === lane && last.row === row) last.count++;
    else rows.push({ lane, row, first: i, count: 1 });
  }
  const column = (name: string, type: MadeColumn["type"], of: (mark: MadeMark) => number) => ({
    name,
    type,
    values: marks.map(of),
  });
  const header = { start: 0, end: 1000, pixel, marks: marks.length, names, kinds: ["other", "op"], rows };
  return madeColumns(header, [
    column("start", "f64", (mark) => mark.start),
    column("end", "f64", (mark) => mark.end),
    column("busy", "f64", (mark) => mark.end - mark.start),
    column("count", "u32", (mark) => mark.count ?? 1),
    column("slice", "u32", (mark) => mark.slice),
    column("name", "u32", (mark) => mark.name ?? 0),
    column("kind", "u8", () => 1),
  ]);
}
