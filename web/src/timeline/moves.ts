// The visible window and how it moves. It changes with every frame of a pan, so it is kept here and not in the
// address. When it stops, it is written to the address, as a separate history entry if it has moved far, so
// that Back returns to where the user was.
import type { ViewState } from "./state";
import { around, keepInside, lengthOf, panBy, withAir, zoomAt, type Span } from "./viewport";

const kRestMs = 200;

/** What moves: a timeline of one profile, or of several ranks. */
export interface Moving {
  readonly extent: Span;
  /** What is recorded of the extent. */
  readonly info: { span: Span };
  readonly state: { window: Span | null };
  set(change: Partial<ViewState>, how: "go" | "adjust"): void;
  draw(): void;
}

/** Whether the two windows share less than half of the longer one. */
export function isFar(a: Span, b: Span): boolean {
  const common = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return common < Math.max(lengthOf(a), lengthOf(b)) / 2;
}

export class Moves {
  window: Span;
  width = 0;
  /** The pointer's x over the lanes; negative if it is elsewhere. */
  pointer = -1;
  private resting = 0;

  constructor(private host: Moving) {
    this.window = this.windowOf(host.state);
  }

  private windowOf(state: Moving["state"]): Span {
    return state.window ? keepInside(state.window, this.host.extent) : this.home;
  }

  get all(): Span {
    return withAir(this.host.extent);
  }

  /** The first window: everything, or only the recorded span if starting the profiler took most of the time. */
  get home(): Span {
    const { extent, info } = this.host;
    const isPart = lengthOf(info.span) < lengthOf(extent) / 2;
    return isPart ? keepInside(withAir(info.span), extent) : this.all;
  }

  /** Takes over the state of the address. */
  accept(state: Moving["state"]): void {
    clearTimeout(this.resting);
    this.resting = 0;
    this.window = this.windowOf(state);
  }

  /** The window as in the address: null if it is the first window. */
  get written(): Span | null {
    const { home, window } = this;
    return window.start === home.start && window.end === home.end ? null : window;
  }

  /** Writes a window that is not written yet, so that Back returns to it. */
  flush(): void {
    if (this.resting === 0) return;
    clearTimeout(this.resting);
    this.resting = 0;
    const far = isFar(this.window, this.windowOf(this.host.state));
    this.host.set({ window: this.written }, far ? "go" : "adjust");
  }

  leave(): void {
    clearTimeout(this.resting);
  }

  /** Follows a gesture. */
  move(window: Span): void {
    this.window = window;
    clearTimeout(this.resting);
    this.resting = self.setTimeout(() => this.flush(), kRestMs);
    this.host.draw();
  }

  /** A jump, from which Back returns. */
  jump(window: Span, change: Partial<ViewState> = {}): void {
    this.flush();
    this.window = window;
    this.host.set({ ...change, window: this.written }, "go");
  }

  zoom(factor: number, x = this.pointer >= 0 ? this.pointer : this.width / 2): void {
    this.move(zoomAt(this.window, factor, x, this.width, this.host.extent));
  }

  pan(pixels: number): void {
    this.move(panBy(this.window, pixels, this.width, this.host.extent));
  }

  /** Fills the window with `target`; if it is already there, or null, with everything. */
  fit(target: Span | null, air = 0.1): void {
    const window = target ? around(target, this.host.extent, air) : this.all;
    const same = window.start === this.window.start && window.end === this.window.end;
    this.jump(same ? this.all : window);
  }
}
