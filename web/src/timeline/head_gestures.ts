// Gestures above the lanes. Minimap: the window follows the pointer, and its edges can be dragged. Ruler: drag
// selects a range, a click on a flag goes to its marker. Step bar: a click makes the step fill the window.
import { headMenu } from "./context_menu";
import type { Controller } from "./controller";
import { flagBox, kMinimap, kRuler } from "./draw_head";
import { dragRange, type Hover } from "./gestures";
import { timeOf } from "./pointer";
import { follow } from "./press";
import { keepInside, lengthOf, timeAt, xOf } from "./viewport";

/** Distance in pixels at which the pointer grabs an edge of the window. */
const kEdge = 5;

export function headGestures(
  timeline: Controller,
  head: HTMLCanvasElement,
  hover: Hover,
  signal: AbortSignal,
): void {
  const press = (down: PointerEvent) => {
    if (down.button !== 0) return;
    if (down.offsetY <= kMinimap) return pressMinimap(timeline, down);
    if (down.offsetY <= kMinimap + kRuler) return dragRange(timeline, down, false);
    const time = timeOf(timeline, down.offsetX);
    const step = timeline.info.steps.find((s) => time >= s.start && time < s.start + s.duration);
    if (step) timeline.goToStep(step);
  };
  const move = (event: PointerEvent) => {
    const onMap = event.offsetY <= kMinimap;
    timeline.moves.pointer = onMap ? -1 : event.offsetX;
    hover(onMap ? null : { x: event.offsetX, y: -1 });
    head.style.cursor = onMap && edgeAt(timeline, event.offsetX) ? "ew-resize" : "";
  };
  head.addEventListener("pointerdown", press, { signal });
  head.addEventListener("pointermove", move, { signal });
  head.addEventListener("contextmenu", (event) => headMenu(timeline, event, flagAt(timeline, event)), {
    signal,
  });
}

function flagAt(timeline: Controller, event: MouseEvent) {
  const { window, width } = timeline.moves;
  if (event.offsetY <= kMinimap) return null;
  const found = timeline.markers.list.filter((marker) => {
    const box = flagBox(marker, window, width);
    return box && event.offsetX >= box.left - 3 && event.offsetX <= box.right;
  });
  return found.at(-1) ?? null;
}

function edgeAt(timeline: Controller, x: number): "start" | "end" | null {
  const { window, width } = timeline.moves;
  const [left, right] = [xOf(window.start, timeline.extent, width), xOf(window.end, timeline.extent, width)];
  if (right - left < 4 * kEdge) return null;
  return Math.abs(x - left) < kEdge ? "start" : Math.abs(x - right) < kEdge ? "end" : null;
}

function pressMinimap(timeline: Controller, down: PointerEvent): void {
  const { extent, moves } = timeline;
  const { width, window } = moves;
  const span = lengthOf(window);
  const edge = edgeAt(timeline, down.offsetX);
  if (edge) {
    follow(
      down,
      (_event, dx) => {
        const time = timeAt(down.offsetX + dx, extent, width);
        const [start, end] = edge === "start" ? [time, window.end] : [window.start, time];
        moves.move(keepInside({ start: Math.min(start, end), end: Math.max(start, end) }, extent));
      },
      () => undefined,
    );
    return;
  }
  const [left, right] = [xOf(window.start, extent, width), xOf(window.end, extent, width)];
  const held = down.offsetX >= left && down.offsetX <= right;
  const go = (x: number) => {
    const start = held
      ? window.start + ((x - down.offsetX) / width) * lengthOf(extent)
      : timeAt(x, extent, width) - span / 2;
    moves.move(keepInside({ start, end: start + span }, extent));
  };
  if (!held) go(down.offsetX);
  follow(
    down,
    (_event, dx) => go(down.offsetX + dx),
    () => undefined,
  );
}
