// The minimap's data: how busy the devices and the host were. Steps, Python frames and annotations last as long
// as their contents, so they are not counted.
import { fetchTiles, type Tile } from "../api/tiles";
import type { Host } from "./host";
import { pixelFor, type Span } from "./viewport";

export interface Strip {
  kind: string;
  /** Busy share per pixel column, 0 to 1. */
  shares: Float32Array;
}

const kColumns = 600;
const kMostDevices = 8;
const kMostThreads = 4;
const kDevice = ["device_stream", "engine", "queue"];
const kEnclosing = new Set([
  "step",
  "python",
  "module",
  "annotation",
  "device_annotation",
  "span",
  "sync",
  "measurement",
]);

/** Adds up the first row with counted marks of each tile; the busiest lane counts. */
export function stripOf(tiles: Tile[], extent: Span, columns: number): Float32Array {
  const shares = new Float32Array(columns);
  const ns = (extent.end - extent.start) / columns;
  for (const tile of tiles) {
    const own = new Float32Array(columns);
    const enclosing = tile.kinds.map((kind) => kEnclosing.has(kind));
    for (const marks of tile.rows) {
      for (let i = 0; marks && i < marks.length; i++) {
        if (enclosing[marks.kind[i]]) continue;
        const from = (marks.start[i] - extent.start) / ns;
        const to = Math.max(from + 1e-6, (marks.end[i] - extent.start) / ns);
        const density = marks.busy[i] / ns / (to - from);
        const last = Math.min(columns - 1, Math.floor(to));
        for (let c = Math.max(0, Math.floor(from)); c <= last; c++) {
          const share = (Math.min(c + 1, to) - Math.max(c, from)) * density;
          own[c] += share;
        }
      }
      // Deeper rows are inside the rows already counted, so they matter only where those are idle.
      for (let c = 0; c < columns; c++) {
        shares[c] = Math.max(shares[c], Math.min(1, own[c]));
        own[c] = 0;
      }
    }
  }
  return shares;
}

export class Minimap {
  strips: Strip[] = [];
  private leaving = new AbortController();

  constructor(private host: Host) {
    void this.load();
  }

  leave(): void {
    this.leaving.abort();
  }

  private async load(): Promise<void> {
    const { info, extent, profile } = this.host;
    const lanes = info.groups
      .flatMap((group) => group.lanes)
      .filter(({ slices, part }) => slices > 0 && part !== "python")
      .sort((a, b) => b.slices - a.slices);
    const device = lanes.filter(({ kind }) => kDevice.includes(kind)).slice(0, kMostDevices);
    const host = lanes.filter(({ kind }) => kind === "host_thread").slice(0, kMostThreads);
    const window = { start: Math.floor(extent.start), end: Math.ceil(extent.end) + 1 };
    const request = { ...window, pixel: pixelFor(extent, kColumns), group: "" };
    for (const [kind, of] of [
      ["host", host],
      ["kernel", device],
    ] as const) {
      if (of.length === 0) continue;
      const numbers = of.map(({ lane }) => lane);
      const tiles = await fetchTiles(profile, { ...request, lanes: numbers }, this.leaving.signal).catch(
        () => null,
      );
      if (!tiles) return;
      this.strips = [...this.strips, { kind, shares: stripOf(tiles, extent, kColumns) }];
      this.host.draw();
    }
  }
}
