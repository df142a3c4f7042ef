// /api/counters: the values of some counters in a window, one view per series onto the answer's columns.
import type { CounterHeader } from "../base/wire";
import { words } from "../base/words";
import { getBytes } from "./client";
import { readColumns } from "./columns";
import { timelineAddress, type Profile } from "./timeline";

/** Values of one series, in order of time; each holds until the next. NaN: unknown from then on. */
export interface Values {
  length: number;
  time: Float64Array;
  least: Float64Array;
  most: Float64Array;
  last: Float64Array;
}

export interface CounterTile {
  counter: number;
  start: number;
  end: number;
  pixel: number;
  series: (Values | undefined)[];
  points: number;
}

export interface CounterRequest {
  counters: number[];
  start: number;
  end: number;
  pixel: number;
}

/** Reads an answer of /api/counters; `counters` are the requested ones, so a counter without points gets a tile too. */
export function decodeCounters(bytes: ArrayBuffer, counters: number[]): CounterTile[] {
  const { header, column } = readColumns<CounterHeader>(bytes);
  const { start, end, pixel, rows } = header;
  const all = rows.reduce((most, { first, count }) => Math.max(most, first + count), 0);
  const [time, least, most, last] = ["time", "least", "most", "last"].map((name) =>
    column<Float64Array>(name, "f64", all),
  );
  const tiles = new Map<number, CounterTile>();
  for (const counter of counters) tiles.set(counter, { counter, start, end, pixel, series: [], points: 0 });
  for (const { counter, series, first, count } of rows) {
    const tile = tiles.get(counter);
    if (!tile) throw new Error(words.brokenAnswer.counter);
    const part = (values: Float64Array) => values.subarray(first, first + count);
    tile.points += count;
    tile.series[series] = {
      length: count,
      time: part(time),
      least: part(least),
      most: part(most),
      last: part(last),
    };
  }
  return [...tiles.values()];
}

export async function fetchCounters(
  profile: Profile,
  request: CounterRequest,
  signal: AbortSignal,
): Promise<CounterTile[]> {
  const { counters, start, end, pixel } = request;
  const window = `counters=${counters.join(",")}&start=${start}&end=${end}&pixel=${pixel}`;
  const at = `${timelineAddress("counters", profile)}&${window}`;
  return decodeCounters(await getBytes(at, signal), counters);
}
