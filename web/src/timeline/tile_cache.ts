// Tiles by lane, level and window. A window asks for three times its length, so panning finds what it
// needs; the next window is asked for before the edge is reached. Until an answer comes, the best tile
// there is stands in, of whatever level: nothing flashes. One request is under way at a time, for all
// lanes in sight that lack a tile; it is given up when the reader has gone elsewhere.
import type { Tile } from "../api/timeline";
import { pixelFor, tileWindow, type Span } from "./viewport";

export interface TileRequest {
  lanes: number[];
  start: number;
  end: number;
  pixel: number;
}

export type FetchTiles = (request: TileRequest, signal: AbortSignal) => Promise<Tile[]>;

const kMostMarks = 3_000_000;
const kMostLanes = 48;
const kRetryMs = 1500;

function covers(tile: Span, window: Span, extent: Span): boolean {
  return tile.start <= Math.max(window.start, extent.start) && tile.end >= Math.min(window.end, extent.end);
}

export class TileCache {
  /** By lane, the most recently used last. */
  private tiles = new Map<number, Tile[]>();
  private marks = 0;
  private flight: { request: TileRequest; leave: AbortController } | null = null;
  private refusedUntil = 0;
  /** Why the last request failed; null after a good one. */
  error: Error | null = null;

  constructor(
    private fetchTiles: FetchTiles,
    private extent: Span,
    private changed: () => void,
  ) {}

  /** The tile to draw a lane from: the level wanted, else the finest that covers, else the widest overlap. */
  best(lane: number, window: Span, width: number): Tile | null {
    const pixel = pixelFor(window, width);
    let best: Tile | null = null;
    let bestScore = -Infinity;
    for (const tile of this.tiles.get(lane) ?? []) {
      const overlap = Math.min(tile.end, window.end) - Math.max(tile.start, window.start);
      if (overlap <= 0) continue;
      const whole = covers(tile, window, this.extent);
      const distance = Math.abs(Math.log2(tile.pixel / pixel));
      const score = (whole ? 1000 : (overlap / (window.end - window.start)) * 100) - distance;
      if (score > bestScore) [best, bestScore] = [tile, score];
    }
    return best;
  }

  /** Whether every lane has its own level over the window: what is drawn is final. */
  complete(lanes: number[], window: Span, width: number): boolean {
    const pixel = pixelFor(window, width);
    return lanes.every((lane) => this.find(lane, window, pixel) !== undefined);
  }

  /** Asks for what `lanes` lack of the window; call it after every change of window or scroll. */
  want(lanes: number[], window: Span, width: number): void {
    const pixel = pixelFor(window, width);
    const half = (window.end - window.start) / 2;
    const near = { start: window.start - half, end: window.end + half };
    // Lanes without the window itself come before lanes that only run short at the edge.
    const missing = lanes.filter((lane) => !this.find(lane, window, pixel));
    const short = missing.length > 0 ? missing : lanes.filter((lane) => !this.find(lane, near, pixel));
    if (this.flight) {
      const { request } = this.flight;
      const useful = request.pixel === pixel && covers(request, window, this.extent);
      if (useful && (missing.length === 0 || request.lanes.some((lane) => missing.includes(lane)))) return;
      if (missing.length === 0) return;
      this.flight.leave.abort();
      this.flight = null;
    }
    if (short.length === 0 || performance.now() < this.refusedUntil) return;
    const asked = tileWindow(window, pixel);
    this.ask({
      lanes: short.slice(0, kMostLanes),
      start: Math.max(asked.start, Math.floor(this.extent.start)),
      end: Math.min(asked.end, Math.ceil(this.extent.end) + 1),
      pixel,
    });
  }

  leave(): void {
    this.flight?.leave.abort();
    this.flight = null;
  }

  private find(lane: number, window: Span, pixel: number): Tile | undefined {
    return this.tiles.get(lane)?.find((tile) => tile.pixel === pixel && covers(tile, window, this.extent));
  }

  private ask(request: TileRequest): void {
    const flight = { request, leave: new AbortController() };
    this.flight = flight;
    this.fetchTiles(request, flight.leave.signal).then(
      (tiles) => {
        if (this.flight !== flight) return;
        this.flight = null;
        this.error = null;
        // Under what was asked, whatever the server rounded it to: else it would be asked for again.
        const { start, end, pixel } = request;
        for (const tile of tiles) this.keep({ ...tile, start, end, pixel });
        this.changed();
      },
      (error: Error) => {
        if (this.flight !== flight) return;
        this.flight = null;
        this.error = error;
        this.refusedUntil = performance.now() + kRetryMs;
        setTimeout(this.changed, kRetryMs);
        this.changed();
      },
    );
  }

  /** A tile replaces those of its level that it covers; the oldest go when there are too many marks. */
  private keep(tile: Tile): void {
    const before = this.tiles.get(tile.lane) ?? [];
    const kept = before.filter(
      (old) => !(old.pixel === tile.pixel && tile.start <= old.start && tile.end >= old.end),
    );
    kept.push(tile);
    this.tiles.delete(tile.lane);
    this.tiles.set(tile.lane, kept);
    this.marks = 0;
    for (const tiles of this.tiles.values()) for (const each of tiles) this.marks += each.marks;
    for (const [lane, tiles] of this.tiles) {
      if (this.marks <= kMostMarks) break;
      // The first tile of a lane is the overview that stands in for all others: it goes last.
      while (this.marks > kMostMarks && tiles.length > 2) this.marks -= tiles.splice(1, 1)[0].marks;
      if (this.marks > kMostMarks && lane !== tile.lane) {
        for (const each of tiles) this.marks -= each.marks;
        this.tiles.delete(lane);
      }
    }
  }
}
