// The hand: wheel, drag, click and double click on the lanes; drag on the minimap and on the ruler. A
// press that moves less than 4 pixels is a click. What is under the pointer is told to `hover`.
import type { Controller } from "./controller";
import { kMinimap, kRuler } from "./draw_head";
import { hitMark, type HitMark } from "./hit";
import { around, keepInside, lengthOf, timeAt, xOf } from "./viewport";

export type Hover = (hit: HitMark | null, x: number, y: number) => void;

const kClick = 4;
const kWheel = 0.0018;
const kPinch = 0.012;

function wheelPixels(event: WheelEvent, delta: number): number {
  return event.deltaMode === 1 ? delta * 30 : event.deltaMode === 2 ? delta * 300 : delta;
}

/** Follows a press until it is let go; `drag` gets the way since the press, `done` whether it was a click. */
function follow(
  down: PointerEvent,
  drag: (event: PointerEvent, dx: number, dy: number) => void,
  done: (event: PointerEvent, clicked: boolean) => void,
): void {
  const element = down.currentTarget as HTMLElement;
  element.setPointerCapture(down.pointerId);
  let moved = false;
  const move = (event: PointerEvent) => {
    const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
    moved ||= Math.hypot(dx, dy) >= kClick;
    if (moved) drag(event, dx, dy);
  };
  const end = (event: PointerEvent) => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", end);
    element.removeEventListener("pointercancel", end);
    done(event, !moved);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}

export function addGestures(
  timeline: Controller,
  lanes: HTMLCanvasElement,
  head: HTMLCanvasElement,
  hover: Hover,
): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  const at = (x: number, y: number) =>
    hitMark(timeline.layout, timeline.tileOf, x, y + timeline.scrollTop, timeline.window, timeline.width);
  const timeOf = (x: number) => timeAt(x, timeline.window, timeline.width);

  const measure = (down: PointerEvent) => {
    const from = timeOf(down.offsetX);
    const left = (down.currentTarget as HTMLElement).getBoundingClientRect().left;
    follow(
      down,
      (event) => {
        const to = timeOf(Math.min(timeline.width, Math.max(0, event.clientX - left)));
        timeline.setRange(from === to ? null : { start: Math.min(from, to), end: Math.max(from, to) }, false);
      },
      (_event, clicked) => timeline.setRange(clicked ? null : timeline.state.range, true),
    );
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    hover(null, 0, 0);
    const x = wheelPixels(event, event.deltaX);
    const y = wheelPixels(event, event.deltaY);
    if (event.shiftKey || Math.abs(x) > Math.abs(y)) timeline.pan(event.shiftKey && x === 0 ? y : x);
    else timeline.zoom(Math.exp(-y * (event.ctrlKey && Math.abs(y) < 50 ? kPinch : kWheel)), event.offsetX);
  };

  lanes.addEventListener("wheel", wheel, { signal, passive: false });
  head.addEventListener("wheel", wheel, { signal, passive: false });
  lanes.addEventListener(
    "pointerdown",
    (down) => {
      if (down.button !== 0) return;
      hover(null, 0, 0);
      if (down.shiftKey) return measure(down);
      let [lastX, top] = [0, timeline.scrollTop];
      follow(
        down,
        (_event, dx, dy) => {
          lanes.classList.add("dragged");
          timeline.pan(lastX - dx);
          lastX = dx;
          timeline.scrollTo(top - dy);
        },
        (event, clicked) => {
          lanes.classList.remove("dragged");
          if (!clicked) return;
          const hit = at(event.offsetX, event.offsetY);
          if (hit) timeline.choose({ slice: hit.slice, lane: hit.lane, start: hit.start, end: hit.end });
        },
      );
    },
    { signal },
  );
  lanes.addEventListener(
    "dblclick",
    (event) => {
      const hit = at(event.offsetX, event.offsetY);
      if (hit) timeline.zoomTo(hit);
    },
    { signal },
  );
  lanes.addEventListener(
    "pointermove",
    (event) => {
      timeline.pointer = event.offsetX;
      timeline.draw();
      if (event.buttons === 0) hover(at(event.offsetX, event.offsetY), event.offsetX, event.offsetY);
    },
    { signal },
  );
  for (const canvas of [lanes, head]) {
    canvas.addEventListener(
      "pointerleave",
      () => {
        timeline.pointer = -1;
        timeline.draw();
        hover(null, 0, 0);
      },
      { signal },
    );
  }
  head.addEventListener("pointerdown", (down) => pressHead(timeline, down, measure), { signal });
  head.addEventListener(
    "pointermove",
    (event) => {
      timeline.pointer = event.offsetY > kMinimap ? event.offsetX : -1;
      timeline.draw();
    },
    { signal },
  );
  return () => leave.abort();
}

/** Minimap: the window follows the pointer. Step bar: the step fills the window. Ruler: measures. */
function pressHead(timeline: Controller, down: PointerEvent, measure: (down: PointerEvent) => void): void {
  if (down.button !== 0) return;
  const { extent, width } = timeline;
  if (down.offsetY > kMinimap + kRuler) {
    const time = timeAt(down.offsetX, timeline.window, width);
    const step = timeline.info.steps.find((s) => time >= s.start && time < s.start + s.duration);
    if (step) timeline.jump(around({ start: step.start, end: step.start + step.duration }, extent, 0.02));
    return;
  }
  if (down.offsetY > kMinimap) return measure(down);
  const span = lengthOf(timeline.window);
  const inside = Math.abs(
    xOf((timeline.window.start + timeline.window.end) / 2, extent, width) - down.offsetX,
  );
  const grip = inside < xOf(extent.start + span / 2, extent, width) ? timeline.window.start : null;
  const go = (x: number) => {
    const start = timeAt(x, extent, width) - span / 2;
    timeline.move(keepInside({ start, end: start + span }, extent));
  };
  if (grip === null) go(down.offsetX);
  follow(
    down,
    (_event, dx) => {
      if (grip === null) return go(down.offsetX + dx);
      const start = grip + (dx / width) * lengthOf(extent);
      timeline.move(keepInside({ start, end: start + span }, extent));
    },
    () => undefined,
  );
}
