// Gestures on the lanes: the wheel scrolls them, with Ctrl it zooms at the pointer (a setting lets it zoom without),
// with Shift it pans; two fingers on a touchpad pan both ways, a pinch zooms; drag pans, Shift and drag selects a
// range, click selects, double click zooms to a slice, right click opens the menu.
import { settings } from "../base/settings";
import { lanesMenu } from "./context_menu";
import type { Controller } from "./controller";
import { headGestures } from "./head_gestures";
import { Pinch } from "./pinch";
import { markUnder, placedUnder, snapped, timeOf } from "./pointer";
import { follow } from "./press";

/** Called with the pointer's position over the lanes; null when it leaves them. */
export type Hover = (at: { x: number; y: number } | null) => void;

const kWheel = 0.0018;
const kPinch = 0.012;

export function wheelPixels(event: WheelEvent, delta: number): number {
  return event.deltaMode === 1 ? delta * 30 : event.deltaMode === 2 ? delta * 300 : delta;
}

/** A finger that slides along one axis strays from it: the lesser part does not count if it is small. */
function alongAxis(x: number, y: number): [number, number] {
  return [Math.abs(x) * 2 < Math.abs(y) ? 0 : x, Math.abs(y) * 2 < Math.abs(x) ? 0 : y];
}

/** Browsers send a pinch on a touchpad as small steps of the wheel with Ctrl. */
export function zoomOf(pixels: number, ctrl: boolean): number {
  return Math.exp(-pixels * (ctrl && Math.abs(pixels) < 50 ? kPinch : kWheel));
}

/** Drags out a range from a press on the lanes or the ruler; a click removes it. */
export function dragRange(timeline: Controller, down: PointerEvent, onLanes: boolean): void {
  const box = (down.currentTarget as HTMLElement).getBoundingClientRect();
  const timeAtEvent = (event: PointerEvent) => {
    const x = Math.min(timeline.moves.width, Math.max(0, event.clientX - box.left));
    return onLanes ? snapped(timeline, x, event.clientY - box.top) : timeOf(timeline, x);
  };
  const from = timeAtEvent(down);
  follow(
    down,
    (event) => {
      const to = timeAtEvent(event);
      timeline.setRange(from === to ? null : { start: Math.min(from, to), end: Math.max(from, to) }, false);
    },
    (_event, clicked) => timeline.setRange(clicked ? null : timeline.state.range, true),
  );
}

/** During a measurement, the range follows the pointer from its start. */
function followMeasure(timeline: Controller, x: number, y: number): void {
  const from = timeline.measuring;
  if (from === null) return;
  const to = snapped(timeline, x, y);
  timeline.setRange(from === to ? null : { start: Math.min(from, to), end: Math.max(from, to) }, false);
}

export function addGestures(
  timeline: Controller,
  lanes: HTMLCanvasElement,
  head: HTMLCanvasElement,
  hover: Hover,
): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  const { moves } = timeline;
  const pinch = new Pinch(timeline, lanes, signal);
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    // Read before anything is written: otherwise the browser would lay out the page in between.
    const at = event.offsetX;
    hover(null);
    const [x, y] = alongAxis(wheelPixels(event, event.deltaX), wheelPixels(event, event.deltaY));
    const chord = event.ctrlKey || event.metaKey;
    if (event.shiftKey && !chord) return moves.pan(x === 0 ? y : x);
    if (chord || settings.get().wheelZooms) moves.zoom(zoomOf(y, event.ctrlKey), at);
    else if (y !== 0) timeline.lanes.scrollTo(timeline.lanes.scrollTop + y);
    if (x !== 0 && !chord) moves.pan(x);
  };
  const press = (down: PointerEvent) => {
    if (down.button !== 0) return;
    hover(null);
    if (timeline.measuring !== null) return timeline.endMeasure();
    if (down.shiftKey) return dragRange(timeline, down, true);
    let [lastX, lastY] = [0, 0];
    follow(
      down,
      (_event, dx, dy) => {
        if (!pinch.active) {
          lanes.classList.add("dragged");
          moves.pan(lastX - dx);
          timeline.lanes.scrollTo(timeline.lanes.scrollTop + lastY - dy);
        }
        [lastX, lastY] = [dx, dy];
      },
      (event, clicked) => {
        lanes.classList.remove("dragged");
        if (!clicked || pinch.active) return;
        const hit = markUnder(timeline, event.offsetX, event.offsetY);
        const group = placedUnder(timeline, event.offsetY);
        if (hit)
          timeline.choose({ slice: hit.slice, lane: hit.lane, start: hit.start, end: hit.end }, hit.row);
        else if (group && (group.kind === "group" || group.kind === "fold")) timeline.lanes.toggle(group.key);
      },
    );
  };
  lanes.addEventListener("wheel", wheel, { signal, passive: false });
  head.addEventListener("wheel", wheel, { signal, passive: false });
  lanes.addEventListener("pointerdown", press, { signal });
  lanes.addEventListener(
    "dblclick",
    (event) => {
      const hit = markUnder(timeline, event.offsetX, event.offsetY);
      if (hit) moves.fit(hit);
    },
    { signal },
  );
  lanes.addEventListener(
    "pointermove",
    (event) => {
      moves.pointer = event.offsetX;
      followMeasure(timeline, event.offsetX, event.offsetY);
      hover(event.buttons === 0 ? { x: event.offsetX, y: event.offsetY } : null);
    },
    { signal },
  );
  for (const canvas of [lanes, head]) {
    const gone = () => {
      moves.pointer = -1;
      hover(null);
    };
    canvas.addEventListener("pointerleave", gone, { signal });
  }
  const menu = (event: MouseEvent) => {
    hover(null);
    lanesMenu(timeline, event);
  };
  lanes.addEventListener("contextmenu", menu, { signal });
  headGestures(timeline, head, hover, signal);
  return () => leave.abort();
}
