// Saving the visible part: a PNG of it with the names, or a Chrome trace.
import { exportAddress } from "../api/timeline";
import { theme } from "../base/settings";
import { readLook } from "../widgets/chart/look";
import { savePicture } from "../widgets/chart/picture";
import type { Controller } from "./controller";
import { recordedOnly } from "./derived";
import { kMinimap, kRuler } from "./draw_head";
import { kRow, pinnedIn, pinnedShown, scrolledIn, type Seen } from "./layout";

/** The address of the window's Chrome trace, with all listed lanes, visible or not. */
export function traceAddress(timeline: Controller): string {
  const { placed, pinned } = timeline.lanes.layout;
  const lanes = [...pinned, ...placed].flatMap(({ lane }) => (lane ? [lane.lane] : []));
  const { start, end } = timeline.moves.window;
  const { extent } = timeline;
  const window = { start: Math.max(extent.start, start), end: Math.min(extent.end, end) };
  return exportAddress(timeline.profile, recordedOnly(lanes), window);
}

/** The canvases with the lanes' names at their left, as one picture. */
export function composeWindow(
  timeline: Controller,
  head: HTMLCanvasElement,
  lanes: HTMLCanvasElement,
  names: number,
): HTMLCanvasElement {
  const look = readLook(theme.get());
  const ratio = lanes.width / Math.max(1, timeline.moves.width);
  const tall = kMinimap + kRuler + timeline.stepBar;
  const height = tall + timeline.lanes.height;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round((names + timeline.moves.width) * ratio);
  canvas.height = Math.round(height * ratio);
  const draw = canvas.getContext("2d");
  if (!draw) return canvas;
  draw.scale(ratio, ratio);
  draw.fillStyle = look.surface;
  draw.fillRect(0, 0, names + timeline.moves.width, height);
  draw.drawImage(head, names, 0, timeline.moves.width, tall);
  draw.drawImage(lanes, names, tall, timeline.moves.width, timeline.lanes.height);
  draw.textBaseline = "middle";
  const { layout, scrollTop } = timeline.lanes;
  const write = ({ at, y }: Seen) => {
    draw.font = `${at.kind === "group" ? "600 " : ""}12px ${look.sans}`;
    draw.fillStyle = look.text;
    const middle = tall + y + (at.lane ? kRow : at.height) / 2;
    draw.fillText(at.title, 6 + 10 * at.level, middle, names - 12 - 10 * at.level);
  };
  const part = (top: number, bottom: number, seen: Seen[]) => {
    draw.save();
    draw.beginPath();
    draw.rect(0, tall + top, names, bottom - top);
    draw.clip();
    seen.forEach(write);
    draw.restore();
  };
  const cover = pinnedShown(layout, timeline.lanes.height);
  part(cover, timeline.lanes.height, scrolledIn(layout, scrollTop, timeline.lanes.height));
  part(0, cover, pinnedIn(layout, timeline.lanes.height));
  return canvas;
}

export function saveWindowPng(timeline: Controller): void {
  const head = document.querySelector<HTMLCanvasElement>(".timeline-head canvas");
  const lanes = document.querySelector<HTMLCanvasElement>(".timeline-lanes");
  if (!head || !lanes) return;
  savePicture(composeWindow(timeline, head, lanes, lanes.offsetLeft), "timeline.png");
}
