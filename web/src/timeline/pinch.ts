// Two fingers on the lanes: their distance zooms, and their middle moves the window and scrolls the lanes.
import type { Controller } from "./controller";

interface Point {
  x: number;
  y: number;
}

/** Closer fingers are one touch: their distance says nothing. */
const kLeastApart = 12;

function middle([a, b]: Point[]): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function apart([a, b]: Point[]): number {
  return Math.max(kLeastApart, Math.hypot(a.x - b.x, a.y - b.y));
}

export class Pinch {
  private fingers = new Map<number, Point>();
  /** Whether two fingers were down since the first one: then the gesture is neither a drag nor a click. */
  active = false;

  constructor(
    private timeline: Controller,
    private element: HTMLElement,
    signal: AbortSignal,
  ) {
    const lift = (event: PointerEvent) => this.fingers.delete(event.pointerId);
    element.addEventListener("pointerdown", (event) => this.touch(event), { signal });
    element.addEventListener("pointermove", (event) => this.move(event), { signal });
    for (const name of ["pointerup", "pointercancel"] as const)
      element.addEventListener(name, lift, { signal });
  }

  private touch(event: PointerEvent): void {
    if (event.pointerType !== "touch") return;
    this.fingers.set(event.pointerId, this.pointOf(event));
    this.active = this.fingers.size > 1;
  }

  private pointOf(event: PointerEvent): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private move(event: PointerEvent): void {
    if (!this.fingers.has(event.pointerId)) return;
    const before = [...this.fingers.values()];
    this.fingers.set(event.pointerId, this.pointOf(event));
    if (this.fingers.size !== 2) return;
    const now = [...this.fingers.values()];
    const [from, to] = [middle(before), middle(now)];
    const { moves, lanes } = this.timeline;
    moves.pan(from.x - to.x);
    moves.zoom(apart(now) / apart(before), to.x);
    lanes.scrollTo(lanes.scrollTop + from.y - to.y);
  }
}
