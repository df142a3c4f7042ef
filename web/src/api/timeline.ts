// The timeline's routes (docs/http.md, "Timeline"): lanes, tiles of marks, one slice, search. A tile
// travels as columns of bytes; it is read in place as typed arrays, one view per row of a lane, without
// copying. What does not fit its own header is refused rather than drawn wrong.
import { getBytes, getJson, reportQuery } from "./client";
import type { Fact } from "./types";

export interface Lane {
  lane: number;
  kind: string;
  title: string;
  rows: number;
  slices: number;
  start: number;
  end: number;
}

export interface LaneGroup {
  title: string;
  lanes: Lane[];
}

export interface Step {
  title: string;
  start: number;
  duration: number;
  slice: number;
}

export interface TimelineInfo {
  start: number;
  end: number;
  origin_unix_ns: string | null;
  groups: LaneGroup[];
  steps: Step[];
}

/** The marks of one row, in order of time. A count of 1 is one slice, exact; more is a density mark. */
export interface Marks {
  length: number;
  start: Float64Array;
  end: Float64Array;
  busy: Float64Array;
  count: Uint32Array;
  slice: Uint32Array;
  name: Uint32Array;
  kind: Uint8Array;
}

/** One lane's marks in a window; `rows` by row number, absent rows have no marks there. */
export interface Tile {
  lane: number;
  start: number;
  end: number;
  pixel: number;
  rows: (Marks | undefined)[];
  names: string[];
  kinds: string[];
  marks: number;
}

export interface Related {
  relation: string;
  slice: number;
  name: string;
  kind: string;
  lane: number;
  start: number;
  duration: number;
}

export interface SliceDetail {
  slice: number;
  name: string;
  kind: string;
  lane: number;
  start: number;
  duration: number;
  depth: number;
  facts: Fact[];
  related: Related[];
  event: string | null;
}

export interface Hit {
  slice: number;
  lane: number;
  start: number;
  duration: number;
  name: string;
}

export interface Profile {
  run: string;
  worker: string;
  span: string;
}

interface TileHeader {
  start: number;
  end: number;
  pixel: number;
  marks: number;
  names: string[];
  kinds: string[];
  rows: { lane: number; row: number; first: number; count: number }[];
  columns: { name: string; type: string; offset: number }[];
}

const kTypes = { f64: Float64Array, u32: Uint32Array, u8: Uint8Array };
const kColumns = {
  start: "f64",
  end: "f64",
  busy: "f64",
  count: "u32",
  slice: "u32",
  name: "u32",
  kind: "u8",
};

/** Reads an answer of /api/tiles; `lanes` as asked, so that an empty lane has its tile too. */
export function decodeTiles(bytes: ArrayBuffer, lanes: number[]): Tile[] {
  const length = bytes.byteLength >= 4 ? new DataView(bytes).getUint32(0, true) : Infinity;
  if (4 + length > bytes.byteLength) throw new Error("The tile ends inside its header.");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as TileHeader;
  const columns = {} as Record<keyof typeof kColumns, Float64Array | Uint32Array | Uint8Array>;
  for (const [name, type] of Object.entries(kColumns)) {
    const column = header.columns.find((c) => c.name === name && c.type === type);
    if (!column) throw new Error(`The tile has no column ${name} of ${type}.`);
    columns[name as keyof typeof kColumns] = readColumn(
      bytes,
      4 + length + column.offset,
      type,
      header.marks,
    );
  }
  const { start, end, pixel, names, kinds } = header;
  const tiles = new Map<number, Tile>();
  for (const lane of lanes) tiles.set(lane, { lane, start, end, pixel, rows: [], names, kinds, marks: 0 });
  for (const { lane, row, first, count } of header.rows) {
    const tile = tiles.get(lane);
    if (!tile || first + count > header.marks) throw new Error("The tile's rows do not match its marks.");
    const part = <T>(column: unknown) => (column as Uint8Array).subarray(first, first + count) as T;
    tile.marks += count;
    tile.rows[row] = {
      length: count,
      start: part(columns.start),
      end: part(columns.end),
      busy: part(columns.busy),
      count: part(columns.count),
      slice: part(columns.slice),
      name: part(columns.name),
      kind: part(columns.kind),
    };
  }
  return [...tiles.values()];
}

function readColumn(bytes: ArrayBuffer, offset: number, type: string, marks: number) {
  const Type = kTypes[type as keyof typeof kTypes];
  const size = marks * Type.BYTES_PER_ELEMENT;
  if (offset + size > bytes.byteLength) throw new Error("The tile ends inside its columns.");
  // A column that is not aligned is copied: typed arrays read only aligned bytes.
  if (offset % Type.BYTES_PER_ELEMENT !== 0) return new Type(bytes.slice(offset, offset + size));
  return new Type(bytes, offset, marks);
}

function address(route: string, profile: Profile, more: Record<string, string | number> = {}): string {
  const query = reportQuery({ ...profile, view: "", parameters: {} });
  const rest = Object.entries(more).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `api/${route}?${[query, ...rest].join("&")}`;
}

export function fetchTimeline(profile: Profile, signal: AbortSignal): Promise<TimelineInfo> {
  return getJson<TimelineInfo>(address("timeline", profile), signal);
}

export async function fetchTiles(
  profile: Profile,
  lanes: number[],
  window: { start: number; end: number; pixel: number },
  signal: AbortSignal,
): Promise<Tile[]> {
  const { start, end, pixel } = window;
  // Commas need no escape, and the address stays readable in the server's log.
  const at = `${address("tiles", profile)}&lanes=${lanes.join(",")}&start=${start}&end=${end}&pixel=${pixel}`;
  return decodeTiles(await getBytes(at, signal), lanes);
}

export function fetchSlice(profile: Profile, slice: number, signal: AbortSignal): Promise<SliceDetail> {
  return getJson<SliceDetail>(address("slice", profile, { slice }), signal);
}

export function fetchSearch(
  profile: Profile,
  text: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ count: number; hits: Hit[] }> {
  return getJson(address("search", profile, { text, limit }), signal);
}
