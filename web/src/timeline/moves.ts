// The window in sight and how it moves. It changes with every frame of a pan, so it lives here and not in
// the address: it is written there when the hand rests, as a step of its own when it has gone far, so that
// Back returns to where the reader was looking.
import type { Host } from "./host";
import type { ViewState } from "./state";
import { around, keepInside, lengthOf, panBy, withAir, zoomAt, type Span } from "./viewport";

const kRestMs = 200;

/** Whether the two have less than half of the longer in common. */
export function isFar(a: Span, b: Span): boolean {
  const common = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return common < Math.max(lengthOf(a), lengthOf(b)) / 2;
}

export class Moves {
  window: Span;
  width = 0;
  /** The pointer's x over the lanes; negative when it is elsewhere. */
  pointer = -1;
  private resting = 0;

  constructor(private host: Host) {
    this.window = this.windowOf(host.state);
  }

  private windowOf(state: ViewState): Span {
    return state.window ? keepInside(state.window, this.host.extent) : this.home;
  }

  get all(): Span {
    return withAir(this.host.extent);
  }

  /** What is in sight at first: all, or what was recorded where that is the smaller part, starting the profiler the larger. */
  get home(): Span {
    const { extent, info } = this.host;
    const isPart = lengthOf(info.span) < lengthOf(extent) / 2;
    return isPart ? keepInside(withAir(info.span), extent) : this.all;
  }

  /** Takes over what the address says. */
  accept(state: ViewState): void {
    clearTimeout(this.resting);
    this.resting = 0;
    this.window = this.windowOf(state);
  }

  /** The window as the address holds it: null when it is the first. */
  get written(): Span | null {
    const { home, window } = this;
    return window.start === home.start && window.end === home.end ? null : window;
  }

  /** Writes a window that is still resting, so that a step of Back returns to it. */
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

  /** Follows the hand. */
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

  /** Fills the sight with `target`; when it already does, or there is none, with everything. */
  fit(target: Span | null, air = 0.1): void {
    const window = target ? around(target, this.host.extent, air) : this.all;
    const same = window.start === this.window.start && window.end === this.window.end;
    this.jump(same ? this.all : window);
  }
}
