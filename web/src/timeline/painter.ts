// What the timeline draws with: few shapes, each with what it stands for, so that a test records them as
// text ("rect kernel gemm 120 18 40 16") instead of looking at pixels. The canvas painter ignores the
// meaning and draws in CSS pixels whatever the screen's ratio is.
export type Align = "left" | "right" | "center";

/** Columns of equal length: pixels [from, to), their colour and shade, and the number of a name. */
export interface Runs {
  count: number;
  from: number[];
  to: number[];
  color: string[];
  alpha: number[];
  name: number[];
}

export interface Painter {
  rect(
    kind: string,
    name: string,
    color: string,
    x: number,
    y: number,
    width: number,
    height: number,
    alpha: number,
  ): void;
  /** Many rectangles of one height, side by side and on whole pixels: a row of density. */
  runs(kind: string, names: string[], runs: Runs, y: number, height: number): void;
  frame(kind: string, color: string, x: number, y: number, width: number, height: number, line: number): void;
  line(kind: string, color: string, x1: number, y1: number, x2: number, y2: number): void;
  /** Curves from (x1, y1) to (x2, y2), four numbers each, in one stroke. */
  curves(kind: string, color: string, ends: number[], alpha: number): void;
  /** Steps over a base line: each level holds from its x to the next one's. */
  steps(kind: string, name: string, color: string, xs: number[], ys: number[], base: number): void;
  text(text: string, color: string, x: number, y: number, font: string, align: Align): void;
}

const kFilled = 0.28;
const kFewCurves = 64;
/** From so many runs on, a strip of pixels costs less than as many rectangles. */
const kManyRuns = 24;

export class CanvasPainter implements Painter {
  private color = "";
  private font = "";
  private align: Align = "left";
  private alpha = 1;

  constructor(private context: CanvasRenderingContext2D) {
    // A canvas keeps these from the frame before.
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
    const strip = stripOf(width);
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
    // A rectangle of a pixel costs far less than a stroke.
    this.ink(color, 1);
    if (x1 === x2) this.context.fillRect(x1 - 0.5, Math.min(y1, y2), 1, Math.abs(y2 - y1));
    else this.context.fillRect(Math.min(x1, x2), y1 - 0.5, Math.abs(x2 - x1), 1);
  }

  /** Each leaves and arrives level, bent by the distance between its ends; few have arrow heads. */
  curves(_kind: string, color: string, ends: number[], alpha: number): void {
    const { context } = this;
    this.ink(color, alpha);
    context.strokeStyle = color;
    // Many curves in one stroke cost fifty times less at a width of one than at any other.
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

  steps(_kind: string, _name: string, color: string, xs: number[], ys: number[], base: number): void {
    const { context } = this;
    if (xs.length < 2) return;
    const trace = (from: number) => {
      context.beginPath();
      context.moveTo(xs[0], from);
      for (let i = 0; i + 1 < xs.length; i++) {
        context.lineTo(xs[i], ys[i]);
        context.lineTo(xs[i + 1], ys[i]);
      }
    };
    this.ink(color, kFilled);
    trace(base);
    context.lineTo(xs[xs.length - 1], base);
    context.fill();
    this.ink(color, 1);
    context.strokeStyle = color;
    context.lineWidth = 1;
    trace(ys[0]);
    context.stroke();
  }

  text(text: string, color: string, x: number, y: number, font: string, align: Align): void {
    this.ink(color, 1);
    if (font !== this.font) this.context.font = this.font = font;
    if (align !== this.align) this.context.textAlign = this.align = align;
    this.context.fillText(text, x, y);
  }
}

interface Strip {
  context: CanvasRenderingContext2D;
  image: ImageData;
  pixels: Uint32Array;
}

let strip: Strip | null = null;

function stripOf(width: number): Strip | null {
  if (strip && strip.image.width >= width) return strip;
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width / 512) * 512;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  const image = context.createImageData(canvas.width, 1);
  strip = { context, image, pixels: new Uint32Array(image.data.buffer) };
  return strip;
}

const colours = new Map<string, number>();

/** "#rrggbb" with a shade, as a pixel in the order of memory. */
function rgba(color: string, alpha: number): number {
  let bgr = colours.get(color);
  if (bgr === undefined) {
    const part = (at: number) => parseInt(color.slice(at, at + 2), 16);
    bgr = part(1) | (part(3) << 8) | (part(5) << 16);
    colours.set(color, bgr);
  }
  return (bgr | (Math.round(alpha * 255) << 24)) >>> 0;
}

const short = (n: number) => String(Math.round(n * 10) / 10);

/** Writes a line per shape: what a test reads. Colours stand at the end, if they are wanted. */
export class Recorder implements Painter {
  lines: string[] = [];

  constructor(private colored = false) {}

  private add(color: string, ...parts: (string | number)[]): void {
    const said = [...parts, this.colored ? color : ""]
      .map((part) => (typeof part === "number" ? short(part) : part))
      .filter((part) => part !== "");
    this.lines.push(said.join(" "));
  }

  rect(
    kind: string,
    name: string,
    color: string,
    x: number,
    y: number,
    width: number,
    height: number,
    alpha: number,
  ): void {
    this.add(color, "rect", kind, name, x, y, width, height, alpha < 1 ? `shade ${short(alpha)}` : "");
  }

  runs(kind: string, names: string[], runs: Runs, y: number, height: number): void {
    const { count, from, to, color, alpha, name } = runs;
    for (let i = 0; i < count; i++)
      this.rect(kind, names[name[i]] ?? "", color[i], from[i], y, to[i] - from[i], height, alpha[i]);
  }

  frame(kind: string, color: string, x: number, y: number, width: number, height: number): void {
    this.add(color, "frame", kind, x, y, width, height);
  }

  line(kind: string, color: string, x1: number, y1: number, x2: number, y2: number): void {
    this.add(color, "line", kind, x1, y1, x2, y2);
  }

  curves(kind: string, color: string, ends: number[]): void {
    for (let i = 0; i < ends.length; i += 4) this.add(color, "curve", kind, ...ends.slice(i, i + 4));
  }

  steps(kind: string, name: string, color: string, xs: number[], ys: number[], base: number): void {
    const levels = xs.slice(0, -1).map((x, i) => `${short(x)}:${short(base - ys[i])}`);
    this.add(color, "steps", kind, name, ...levels);
  }

  text(text: string, color: string, x: number, y: number): void {
    this.add(color, "text", `"${text}"`, x, y);
  }
}
