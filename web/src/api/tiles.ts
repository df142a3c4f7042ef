// /api/tiles: the marks of some lanes in a window, one view per row of a lane onto the answer's columns.
import type { TileHeader } from "../base/wire";
import { words } from "../base/words";
import { getBytes } from "./client";
import { checkRows, readColumns } from "./columns";
import { timelineAddress, type DerivedName, type Profile } from "./timeline";

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
  /** Index in the tile's `groups`; null when no grouping was requested. */
  group: Uint32Array | null;
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
  /** Of derived lanes, by kind: a category, or a text that a colour is made from. Null: of recorded ones. */
  hues: string[] | null;
  groups: string[];
  marks: number;
}

export interface TileRequest {
  lanes: number[];
  start: number;
  end: number;
  pixel: number;
  /** "module", or empty. */
  group: string;
  /** Which derived lanes they are; absent: recorded ones. */
  derived?: DerivedName;
}

const kMarks = {
  start: "f64",
  end: "f64",
  busy: "f64",
  count: "u32",
  slice: "u32",
  name: "u32",
  kind: "u8",
} as const;

/** Reads an answer of /api/tiles; `lanes` are the requested ones, so an empty lane gets a tile too. */
export function decodeTiles(bytes: ArrayBuffer, lanes: number[]): Tile[] {
  const { header, column } = readColumns<TileHeader>(bytes);
  const { start, end, pixel, names, kinds, hues = null, groups = [], marks, rows } = header;
  checkRows(rows, marks);
  const columns = Object.fromEntries(
    Object.entries(kMarks).map(([name, type]) => [name, column<Uint8Array>(name, type, marks)]),
  );
  const grouped = header.groups ? column<Uint32Array>("group", "u32", marks) : null;
  const tiles = new Map<number, Tile>();
  for (const lane of lanes)
    tiles.set(lane, { lane, start, end, pixel, rows: [], names, kinds, hues, groups, marks: 0 });
  for (const { lane, row, first, count } of rows) {
    const tile = tiles.get(lane);
    if (!tile) throw new Error(words.brokenAnswer.lane);
    const part = <T>(name: keyof typeof kMarks) =>
      columns[name].subarray(first, first + count) as unknown as T;
    tile.marks += count;
    tile.rows[row] = {
      length: count,
      start: part("start"),
      end: part("end"),
      busy: part("busy"),
      count: part("count"),
      slice: part("slice"),
      name: part("name"),
      kind: part("kind"),
      group: grouped ? grouped.subarray(first, first + count) : null,
    };
  }
  return [...tiles.values()];
}

export async function fetchTiles(
  profile: Profile,
  request: TileRequest,
  signal: AbortSignal,
): Promise<Tile[]> {
  const { lanes, start, end, pixel, group, derived } = request;
  // Commas need no escape, and the address stays readable in the server's log.
  const window = `lanes=${lanes.join(",")}&start=${start}&end=${end}&pixel=${pixel}`;
  const at = `${timelineAddress("tiles", profile)}&${window}${group ? `&group=${group}` : ""}${derived ? `&derived=${derived}` : ""}`;
  return decodeTiles(await getBytes(at, signal), lanes);
}
