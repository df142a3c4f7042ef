// Saves a chart as a complete PNG: with title, scope and legend, on the page's background, at twice the page's
// resolution.
import { saveBlob } from "../save";
import type { Look } from "./look";

export interface PictureParts {
  title: string;
  scope: string;
  canvas: HTMLCanvasElement;
  /** Size of the canvas on the page, in CSS pixels. */
  width: number;
  height: number;
  /** Vertical lines over the canvas, in its CSS pixels. */
  marks?: { left: number; top: number; height: number; label: string; labelLeft: number | null }[];
  legend: { title: string; hue: string; value?: string }[];
}

const kScale = 2;
const kMargin = 16;
const kLine = 18;

export function composePicture(parts: PictureParts, look: Look): HTMLCanvasElement {
  const width = Math.max(parts.width, 420) + 2 * kMargin;
  const legendRows = parts.legend.length;
  const height = parts.height + 52 + legendRows * kLine + 2 * kMargin;
  const canvas = document.createElement("canvas");
  canvas.width = width * kScale;
  canvas.height = height * kScale;
  const draw = canvas.getContext("2d");
  if (!draw) return canvas;
  draw.scale(kScale, kScale);
  draw.fillStyle = look.surface;
  draw.fillRect(0, 0, width, height);
  draw.textBaseline = "middle";
  draw.fillStyle = look.text;
  draw.font = `600 14px ${look.sans}`;
  draw.fillText(parts.title, kMargin, kMargin + 8, width - 2 * kMargin);
  draw.fillStyle = look.muted;
  draw.font = `12px ${look.sans}`;
  draw.fillText(parts.scope, kMargin, kMargin + 28, width - 2 * kMargin);
  draw.drawImage(parts.canvas, kMargin, kMargin + 44, parts.width, parts.height);
  const [left, top] = [kMargin, kMargin + 44];
  draw.strokeStyle = look.muted;
  for (const mark of parts.marks ?? []) {
    draw.beginPath();
    draw.moveTo(left + mark.left, top + mark.top);
    draw.lineTo(left + mark.left, top + mark.top + mark.height);
    draw.stroke();
    if (mark.labelLeft !== null) draw.fillText(mark.label, left + mark.labelLeft, top + mark.top - 10);
  }
  let y = kMargin + 52 + parts.height + kLine / 2;
  for (const { title, hue, value } of parts.legend) {
    draw.fillStyle = hue;
    draw.fillRect(kMargin, y - 5, 10, 10);
    draw.fillStyle = look.text;
    draw.fillText(title, kMargin + 18, y, width - 2 * kMargin - 140);
    if (value) {
      draw.textAlign = "right";
      draw.fillText(value, width - kMargin, y);
      draw.textAlign = "left";
    }
    y += kLine;
  }
  return canvas;
}

export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (blob) saveBlob(blob, name);
  }, "image/png");
}
