// Held keys glide: the window moves with every frame while the key is down, and a short press moves it by one
// step.
import type { Controller } from "./controller";

/** Per second of holding: widths of the window, and doublings of the zoom. */
const kPanPerSecond = 1.1;
const kZoomPerSecond = 2.6;
/** A press moves as if it were held this long. */
const kLeastMs = 110;

interface Held {
  since: number;
  released: boolean;
  pan: number;
  zoom: number;
}

export class Glide {
  private held = new Map<string, Held>();
  private frame = 0;
  private last = 0;
  private leaving = new AbortController();

  constructor(private timeline: Controller) {
    const { signal } = this.leaving;
    addEventListener("keyup", (event) => this.release(event.key), { signal });
    addEventListener("blur", () => this.held.clear(), { signal });
  }

  leave(): void {
    cancelAnimationFrame(this.frame);
    this.leaving.abort();
  }

  /** A key goes down, or repeats. */
  press(key: string, pan: number, zoom: number): void {
    const before = this.held.get(key);
    if (before && !before.released) return;
    this.held.set(key, { since: performance.now(), released: false, pan, zoom });
    if (this.frame === 0) {
      this.last = performance.now();
      this.frame = requestAnimationFrame(() => this.move());
    }
  }

  private release(key: string): void {
    for (const [held, state] of this.held)
      if (held.toLowerCase() === key.toLowerCase()) state.released = true;
  }

  private move(): void {
    const now = performance.now();
    const seconds = Math.min(0.05, Math.max(0.008, (now - this.last) / 1000));
    this.last = now;
    let [pan, zoom] = [0, 0];
    for (const [key, held] of this.held) {
      pan += held.pan;
      zoom += held.zoom;
      if (held.released && now - held.since >= kLeastMs) this.held.delete(key);
    }
    const { moves } = this.timeline;
    if (zoom !== 0) moves.zoom(2 ** (zoom * kZoomPerSecond * seconds));
    if (pan !== 0) moves.pan(pan * moves.width * kPanPerSecond * seconds);
    this.frame = this.held.size > 0 ? requestAnimationFrame(() => this.move()) : 0;
  }
}
