// The painter that draws on a canvas: in CSS pixels, independent of the screen's ratio, with as few operations
// as possible.
import type { Align, Levels, Painter, Runs } from "./painter";
import { rgba, sheetOf } from "./sheet";

const kFilled = 0.28;
const kBand = 0.6;
const kFewCurves = 64;
/** From this many runs or levels on, writing pixels is cheaper than drawing that many rectangles. */
const kManyRuns = 24;

export class CanvasPainter implements Painter {
  private color = "";
  private font = "";
  private align: Align = "left";
  private alpha = 1;

  constructor(private context: CanvasRenderingContext2D) {
    // A canvas keeps these from the previous frame.
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.globalAlpha = 1;
  }

  private ink(color: string, alpha: number): void {
    if (color !== this.color) this.context.fillStyle = this.color = color;
    if (alpha !== this.alpha) this.context.globalAlpha = this.alpha = alpha;
  }

  rect(
    _kind: string,
    _name: string,
    color: string,
    x: number,
    y: number,
    width: number,
    height: number,
    alpha: number,
  ): void {
    this.ink(color, alpha);
    this.context.fillRect(x, y, width, height);
  }

  runs(kind: string, _names: string[], runs: Runs, y: number, height: number): void {
    if (runs.count >= kManyRuns) return this.strip(runs, y, height);
    for (let i = 0; i < runs.count; i++)
      this.rect(kind, "", runs.color[i], runs.from[i], y, runs.to[i] - runs.from[i], height, runs.alpha[i]);
  }

  /** Writes the runs as one line of pixels and stretches it to the height of the row. */
  private strip({ count, from, to, color, alpha }: Runs, y: number, height: number): void {
    const width = to[count - 1];
    const strip = sheetOf(width, 1);
    if (!strip) return;
    strip.pixels.fill(0, 0, width);
    for (let i = 0; i < count; i++)
      strip.pixels.fill(rgba(color[i], alpha[i]), from[i], Math.min(width, to[i]));
    strip.context.putImageData(strip.image, 0, 0, 0, 0, width, 1);
    this.ink(this.color, 1);
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(strip.context.canvas, 0, 0, width, 1, 0, y, width, height);
  }

  frame(
    _kind: string,
    color: string,
    x: number,
    y: number,
    width: number,
    height: number,
    line: number,
  ): void {
    this.ink(this.color, 1);
    this.context.strokeStyle = color;
    this.context.lineWidth = line;
    this.context.strokeRect(x, y, width, height);
  }

  line(_kind: string, color: string, x1: number, y1: number, x2: number, y2: number): void {
    // A rectangle of a pixel is far cheaper than a stroke.
    this.ink(color, 1);
    if (x1 === x2) this.context.fillRect(x1 - 0.5, Math.min(y1, y2), 1, Math.abs(y2 - y1));
    else this.context.fillRect(Math.min(x1, x2), y1 - 0.5, Math.abs(x2 - x1), 1);
  }

  /** Curves leave and arrive horizontally, bent by the distance between their ends; if there are few, they have
   * arrow heads. */
  curves(_kind: string, color: string, ends: number[], alpha: number): void {
    const { context } = this;
    this.ink(color, alpha);
    context.strokeStyle = color;
    // Many curves in one stroke are fifty times cheaper at a width of one than at any other width.
    const few = ends.length <= 4 * kFewCurves;
    context.lineWidth = few ? 1.25 : 1;
    context.beginPath();
    for (let i = 0; i < ends.length; i += 4) {
      const [x1, y1, x2, y2] = [ends[i], ends[i + 1], ends[i + 2], ends[i + 3]];
      const bend = Math.min(120, Math.max(16, Math.abs(x2 - x1) / 2));
      context.moveTo(x1, y1);
      context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    }
    context.stroke();
    if (!few) return;
    context.beginPath();
    for (let i = 0; i < ends.length; i += 4) {
      const [x, y] = [ends[i + 2], ends[i + 3]];
      context.moveTo(x, y);
      context.lineTo(x - 6, y - 3.5);
      context.lineTo(x - 6, y + 3.5);
    }
    context.fill();
  }

  steps(_kind: string, _name: string, color: string, levels: Levels, base: number): void {
    if (levels.x.length >= kManyRuns) return this.profile(color, levels, base);
    const { context } = this;
    for (let i = 0; i < levels.x.length; i++) {
      const [x, y] = [levels.x[i], levels.y[i]];
      const wide = Math.max(1, (levels.x[i + 1] ?? levels.end) - x);
      const before = i > 0 ? levels.y[i - 1] : base;
      this.ink(color, kFilled);
      context.fillRect(x, y, wide, base - y);
      this.ink(color, kBand);
      context.fillRect(x, levels.top[i], 1, levels.bottom[i] - levels.top[i]);
      this.ink(color, 1);
      context.fillRect(x, y, wide, 1);
      context.fillRect(x, Math.min(before, y), 1, Math.abs(before - y) + 1);
    }
  }

  /** The same as pixels, column by column. */
  private profile(color: string, { x, y, top, bottom, end }: Levels, base: number): void {
    const left = x[0];
    let highest = base;
    for (let i = 0; i < x.length; i++) highest = Math.min(highest, y[i], top[i]);
    const [width, height] = [end - left, base - highest + 1];
    const sheet = sheetOf(width, height);
    if (!sheet || width <= 0) return;
    const { pixels } = sheet;
    const stride = sheet.image.width;
    pixels.fill(0, 0, stride * height);
    const [filled, banded, full] = [rgba(color, kFilled), rgba(color, kBand), rgba(color, 1)];
    const column = (at: number, from: number, to: number, ink: number) => {
      for (let row = from - highest; row < to - highest; row++) pixels[row * stride + at - left] = ink;
    };
    for (let i = 0; i < x.length && x[i] < end; i++) {
      const next = Math.max(x[i] + 1, x[i + 1] ?? end);
      const before = i > 0 ? y[i - 1] : base;
      for (let at = x[i]; at < next; at++) {
        column(at, y[i] + 1, base, filled);
        column(at, y[i], y[i] + 1, full);
      }
      column(x[i], top[i], bottom[i], banded);
      column(x[i], Math.min(before, y[i]), Math.max(before, y[i]) + 1, full);
    }
    sheet.context.putImageData(sheet.image, 0, 0, 0, 0, width, height);
    this.ink(this.color, 1);
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(sheet.context.canvas, 0, 0, width, height, left, highest, width, height);
  }

  text(text: string, color: string, x: number, y: number, font: string, align: Align): void {
    this.ink(color, 1);
    if (font !== this.font) this.context.font = this.font = font;
    if (align !== this.align) this.context.textAlign = this.align = align;
    this.context.fillText(text, x, y);
  }
}
