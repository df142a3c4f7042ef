// Ranks on one axis (docs/http.md): the rows, what they did in a window, and one collective with all its ranks.
import type { ActivityHeader, CollectiveAnswer, RankAxis } from "../base/wire";
import { getBytes, getJson } from "./client";
import { checkRows, readColumns } from "./columns";
import { timelineAddress, type Profile } from "./timeline";

export type { AxisCollective, AxisRank, RankAxis } from "../base/wire";

/** The profile whose clock the axis has, and the span or run that is added; null: none. */
export interface OnAxis {
  profile: Profile;
  added: { run: string; span: string } | null;
}

type Query = Record<string, string | number>;

function address(route: string, { profile, added }: OnAxis, more: Query = {}): string {
  const other: Query = added ? { other_run: added.run, other_span: added.span } : {};
  return timelineAddress(route, profile, { ...other, ...more });
}

export function fetchRanks(on: OnAxis, signal: AbortSignal): Promise<RankAxis> {
  return getJson(address("ranks", on), signal);
}

/** What one rank did in a window, as runs of whole pixels; the first begins at `start` pixels. */
export interface ActivityRow {
  rank: number;
  start: number;
  /** Where each run ends, in pixels from the start of the window. */
  end: Uint32Array;
  code: Uint8Array;
  /** 255 times the busy share. */
  share: Uint8Array;
}

export interface ActivityTile {
  start: number;
  end: number;
  pixel: number;
  rows: ActivityRow[];
}

export function decodeActivity(bytes: ArrayBuffer): ActivityTile {
  const { header, column } = readColumns<ActivityHeader>(bytes);
  const { start, end, pixel, runs } = header;
  checkRows(header.rows, runs);
  const ends = column<Uint32Array>("end", "u32", runs);
  const codes = column<Uint8Array>("code", "u8", runs);
  const shares = column<Uint8Array>("share", "u8", runs);
  const rows = header.rows.map((row) => {
    const [from, to] = [row.first, row.first + row.count];
    const part = { end: ends.subarray(from, to), code: codes.subarray(from, to) };
    return { rank: row.rank, start: row.start, ...part, share: shares.subarray(from, to) };
  });
  return { start, end, pixel, rows };
}

/** `shifts`: what is added to the times of each rank. `of`: how many rows the axis has. */
export async function fetchActivity(
  on: OnAxis,
  of: number,
  rows: { rank: number; shift: number }[],
  window: { start: number; end: number; pixel: number },
  signal: AbortSignal,
): Promise<ActivityTile> {
  const list = (part: (row: { rank: number; shift: number }) => number) => rows.map(part).join(",");
  const named = `ranks=${list((row) => row.rank)}&shifts=${list((row) => row.shift)}`;
  const { start, end, pixel } = window;
  const at = `${address("rank_tiles", on, { of, start, end, pixel })}&${named}`;
  return decodeActivity(await getBytes(at, signal));
}

/** The collective of a rank at a time of its own clock. */
export async function fetchCollective(
  on: OnAxis,
  of: number,
  rank: number,
  time: number,
  reach: number,
  signal: AbortSignal,
): Promise<CollectiveAnswer["collective"]> {
  const more = { of, rank, time: Math.round(time), reach: Math.round(reach) };
  return (await getJson<CollectiveAnswer>(address("rank_collective", on, more), signal)).collective;
}
