// Answers for windows, by lane (or counter), level and window. A window requests three times its length, so
// panning finds its data; the next window is requested before its edge is reached. While nothing is missing,
// the levels above and below, the nearest invisible lanes and the whole profile are requested too. Until an
// answer arrives, the best available piece of any level replaces it, so nothing flashes. One request runs at a
// time; it is cancelled if the user has moved elsewhere.
import { lengthOf, pixelFor, tileWindow, type Span } from "./viewport";

export interface Piece extends Span {
  id: number;
  pixel: number;
  /** The limit of its memory, in marks. */
  size: number;
  /** The grouping of its marks; empty: none. */
  group: string;
}

export interface PieceRequest extends Span {
  ids: number[];
  pixel: number;
  group: string;
}

export type FetchPieces<P extends Piece> = (request: PieceRequest, signal: AbortSignal) => Promise<P[]>;

const kMostKept = 3_000_000;
const kMostIds = 48;
const kRetryMs = 1500;

interface Kept<P> {
  piece: P;
  /** When it was last drawn from. */
  used: number;
}

export class WindowCache<P extends Piece> {
  /** The grouping that marks should have; pieces without it replace them until theirs arrive. */
  group = "";
  /** Why the last request failed; null after a successful one. */
  error: Error | null = null;
  private pieces = new Map<number, Kept<P>[]>();
  private size = 0;
  private clock = 0;
  private flight: { request: PieceRequest; ahead: boolean; leave: AbortController } | null = null;
  private refusedUntil = 0;

  constructor(
    private fetchPieces: FetchPieces<P>,
    private extent: Span,
    private changed: () => void,
    private most = kMostKept,
  ) {}

  /** The piece to draw from: the wanted level, else the finest that covers the window, else the widest overlap. */
  best(id: number, window: Span, width: number): P | null {
    const pixel = pixelFor(window, width);
    let best: Kept<P> | null = null;
    let bestScore = -Infinity;
    for (const kept of this.pieces.get(id) ?? []) {
      const { piece } = kept;
      const overlap = Math.min(piece.end, window.end) - Math.max(piece.start, window.start);
      if (overlap <= 0) continue;
      const whole = this.covers(piece, window);
      const distance = Math.abs(Math.log2(piece.pixel / pixel)) + (this.grouped(piece) ? 0 : 0.5);
      const score = (whole ? 1000 : (overlap / lengthOf(window)) * 100) - distance;
      if (score > bestScore) [best, bestScore] = [kept, score];
    }
    if (best) best.used = ++this.clock;
    return best?.piece ?? null;
  }

  /** Whether all pieces have the wanted level over the window: the drawing is final. */
  complete(ids: number[], window: Span, width: number): boolean {
    return this.lacking(ids, window, pixelFor(window, width)).length === 0;
  }

  /** Requests what `ids` lack of the window, then what `ids` and `nearby` may need next. */
  want(ids: number[], nearby: number[], window: Span, width: number): void {
    const pixel = pixelFor(window, width);
    const missing = this.lacking(ids, window, pixel);
    if (this.flight) {
      const { request, ahead } = this.flight;
      const useful = !ahead && request.pixel === pixel && this.covers(request, window);
      if (missing.length === 0 || (useful && request.ids.some((id) => missing.includes(id)))) return;
      this.flight.leave.abort();
      this.flight = null;
    }
    if (performance.now() < this.refusedUntil) return;
    if (missing.length > 0) return this.fetchMissing(missing, tileWindow(window, pixel), pixel, false);
    for (const { lanes, span, level } of this.ahead(ids, nearby, window, pixel, width)) {
      const short = this.lacking(lanes, span, level);
      if (short.length > 0)
        return this.fetchMissing(short, tileWindow(span, level, level === pixel ? 1 : 0), level, true);
    }
  }

  /** What to request while nothing is missing, the most likely first. */
  private ahead(ids: number[], nearby: number[], window: Span, pixel: number, width: number) {
    const half = lengthOf(window) / 2;
    const beside = { start: window.start - half, end: window.end + half };
    const wide = { start: window.start - half, end: window.end + half };
    const near = { start: window.start + half / 2, end: window.end - half / 2 };
    const all = { start: this.extent.start, end: this.extent.end };
    const plans = [
      { lanes: ids, span: beside, level: pixel },
      { lanes: ids, span: wide, level: pixel * 2 },
      { lanes: ids, span: near, level: Math.max(1, pixel / 2) },
      { lanes: [...ids, ...nearby], span: all, level: pixelFor(all, width) },
      { lanes: nearby, span: window, level: pixel },
    ];
    return plans;
  }

  leave(): void {
    this.flight?.leave.abort();
    this.flight = null;
  }

  private covers(piece: Span, window: Span): boolean {
    const { start, end } = this.extent;
    return piece.start <= Math.max(window.start, start) && piece.end >= Math.min(window.end, end);
  }

  private grouped(piece: P): boolean {
    return this.group === "" || piece.group === this.group;
  }

  private lacking(ids: number[], window: Span, pixel: number): number[] {
    const has = ({ piece }: Kept<P>) =>
      piece.pixel === pixel && this.covers(piece, window) && this.grouped(piece);
    return ids.filter((id) => !this.pieces.get(id)?.some(has));
  }

  private fetchMissing(ids: number[], window: Span, pixel: number, ahead: boolean): void {
    const start = Math.max(window.start, Math.floor(this.extent.start));
    const end = Math.min(window.end, Math.ceil(this.extent.end) + 1);
    const request = { ids: ids.slice(0, kMostIds), start, end, pixel, group: this.group };
    const flight = { request, ahead, leave: new AbortController() };
    this.flight = flight;
    this.fetchPieces(request, flight.leave.signal).then(
      (pieces) => {
        if (this.flight !== flight) return;
        this.flight = null;
        this.error = null;
        // Stored under the requested window, whatever the server rounded it to; otherwise it would be requested
        // again.
        for (const piece of pieces) this.keep({ ...piece, start, end, pixel, group: request.group });
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

  /** A piece replaces those of its level that it covers; the least recently used are dropped when there are too
   * many. */
  private keep(piece: P): void {
    const before = this.pieces.get(piece.id) ?? [];
    const outdone = ({ piece: old }: Kept<P>) =>
      old.pixel === piece.pixel && piece.start <= old.start && piece.end >= old.end;
    for (const kept of before) if (outdone(kept)) this.size -= kept.piece.size;
    this.pieces.set(piece.id, [...before.filter((kept) => !outdone(kept)), { piece, used: ++this.clock }]);
    this.size += piece.size;
    if (this.size > this.most) this.forget();
  }

  private forget(): void {
    const all = [...this.pieces.values()].flat().sort((a, b) => a.used - b.used);
    // The coarsest piece of a lane can replace all others, so it is dropped last.
    const coarsest = new Set(
      [...this.pieces.values()].map((kept) => kept.reduce((a, b) => (b.piece.pixel > a.piece.pixel ? b : a))),
    );
    const order = [...all.filter((kept) => !coarsest.has(kept)), ...all.filter((kept) => coarsest.has(kept))];
    for (const kept of order) {
      if (this.size <= this.most * 0.8) return;
      const rest = this.pieces.get(kept.piece.id)?.filter((other) => other !== kept) ?? [];
      this.pieces.set(kept.piece.id, rest);
      this.size -= kept.piece.size;
    }
  }
}
