// The rows of a window as one picture, one pixel high each, that frames stretch to the screen: drawing a thousand ranks costs
// as much as drawing one. Rows are requested in parts, the visible ones first; until they arrive, the picture of the window before
// is shown.
import { fetchActivity, type ActivityRow, type OnAxis } from "../../api/ranks";
import { tileWindow, type Span } from "../viewport";
import { paintRow, type Palette } from "./paint";

const kAtOnce = 64;
const kRetryMs = 1500;

/** The ns per pixel of a picture: the power of two at or above one pixel of the screen, so no pixel is skipped. */
export function sheetPixel(window: Span, width: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2((window.end - window.start) / Math.max(1, width))));
}

export class Sheet {
  readonly rows = new Map<number, ActivityRow>();
  readonly canvas = document.createElement("canvas");
  /** Changes with the picture. */
  version = 0;
  private context: CanvasRenderingContext2D | null;
  private line: ImageData;

  constructor(
    readonly window: Span,
    readonly pixel: number,
    /** Rows by place in the picture. */
    private order: number[],
    private palette: Palette,
  ) {
    this.canvas.width = Math.max(1, Math.round((window.end - window.start) / pixel));
    this.canvas.height = Math.max(1, order.length);
    this.context = this.canvas.getContext("2d");
    this.line = new ImageData(this.canvas.width, 1);
    this.place = new Map(order.map((row, at) => [row, at]));
  }

  private place: Map<number, number>;

  put(row: ActivityRow): void {
    this.rows.set(row.rank, row);
    this.paint(row);
  }

  private paint(row: ActivityRow): void {
    const at = this.place.get(row.rank);
    if (at === undefined) return;
    this.version++;
    paintRow(new Uint32Array(this.line.data.buffer), row, this.palette);
    this.context?.putImageData(this.line, 0, at);
  }

  /** The same in another order or other colours. */
  repaint(order: number[], palette: Palette): void {
    this.order = order;
    this.palette = palette;
    this.place = new Map(order.map((row, at) => [row, at]));
    this.context?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (const row of this.rows.values()) this.paint(row);
  }

  covers(window: Span): boolean {
    return this.window.start <= window.start && this.window.end >= window.end;
  }

  /** Rows without data, those at the given places first. */
  missing(first: number, last: number): number[] {
    const lacks = (row: number) => !this.rows.has(row);
    const seen = this.order.slice(first, last).filter(lacks);
    return seen.length > 0 ? seen : this.order.filter(lacks);
  }
}

export interface SheetSource {
  on: OnAxis;
  /** How many rows the axis has, and which of them can be requested. */
  count: () => number;
  isReady: (row: number) => boolean;
  shift: (row: number, time: number) => number;
  extent: Span;
  changed: () => void;
}

export class Sheets {
  current: Sheet | null = null;
  before: Sheet | null = null;
  /** The last one that covered all of the axis, for the strip above the rows. */
  whole: Sheet | null = null;
  error: Error | null = null;
  private flight: AbortController | null = null;
  private refusedUntil = 0;

  constructor(private source: SheetSource) {}

  leave(): void {
    this.flight?.abort();
    this.flight = null;
  }

  repaint(order: number[], palette: Palette): void {
    for (const sheet of new Set([this.current, this.before, this.whole])) sheet?.repaint(order, palette);
  }

  drop(): void {
    this.leave();
    this.current = this.before = this.whole = null;
  }

  /** Requests what the window lacks. `first`, `last`: the visible places. */
  want(window: Span, width: number, order: number[], palette: Palette, first: number, last: number): void {
    const { extent } = this.source;
    const seen = { start: Math.max(window.start, extent.start), end: Math.min(window.end, extent.end) };
    if (seen.end <= seen.start) return;
    const pixel = sheetPixel(window, width);
    if (this.current?.pixel !== pixel || !this.current.covers(seen)) {
      this.leave();
      if (this.current && this.current.rows.size > 0) this.before = this.current;
      const wide = tileWindow(window, pixel, 1);
      const floor = (time: number) => Math.floor(time / pixel) * pixel;
      const start = Math.max(wide.start, floor(extent.start));
      const end = Math.min(wide.end, floor(extent.end) + pixel);
      this.current = new Sheet({ start, end }, pixel, order, palette);
      if (this.current.covers(extent)) this.whole = this.current;
    }
    if (this.flight || performance.now() < this.refusedUntil) return;
    const missing = this.current.missing(first, last).filter(this.source.isReady).slice(0, kAtOnce);
    if (missing.length === 0) this.before = null;
    else this.fetch(this.current, missing);
  }

  private fetch(sheet: Sheet, rows: number[]): void {
    const { on, count, shift, changed } = this.source;
    const flight = (this.flight = new AbortController());
    const middle = (sheet.window.start + sheet.window.end) / 2;
    const asked = rows.map((rank) => ({ rank, shift: shift(rank, middle) }));
    fetchActivity(on, count(), asked, { ...sheet.window, pixel: sheet.pixel }, flight.signal).then(
      (tile) => {
        if (this.flight !== flight) return;
        this.flight = null;
        this.error = null;
        for (const row of tile.rows) sheet.put(row);
        changed();
      },
      (error: Error) => {
        if (this.flight !== flight) return;
        this.flight = null;
        this.error = error;
        this.refusedUntil = performance.now() + kRetryMs;
        setTimeout(changed, kRetryMs);
        changed();
      },
    );
  }

  /** Whether all visible rows are drawn at their own level. */
  complete(first: number, last: number): boolean {
    return !this.flight && (this.current?.missing(first, last).filter(this.source.isReady).length ?? 1) === 0;
  }
}
