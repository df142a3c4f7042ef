// What the timeline draws with: few shapes, each with what it stands for, so that a test records them as
// text ("rect kernel gemm 120 18 40 16") instead of looking at pixels. The canvas painter ignores the
// meaning and draws in CSS pixels whatever the screen's ratio is.
export type Align = "left" | "right" | "center";

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
  frame(kind: string, color: string, x: number, y: number, width: number, height: number, line: number): void;
  line(kind: string, color: string, x1: number, y1: number, x2: number, y2: number): void;
  curve(kind: string, color: string, x1: number, y1: number, x2: number, y2: number): void;
  text(text: string, color: string, x: number, y: number, font: string, align: Align): void;
}

export class CanvasPainter implements Painter {
  private color = "";
  private font = "";
  private align: Align = "left";
  private alpha = 1;

  constructor(private context: CanvasRenderingContext2D) {
    context.textBaseline = "middle";
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
    this.ink(this.color, 1);
    this.context.strokeStyle = color;
    this.context.lineWidth = 1;
    this.context.beginPath();
    this.context.moveTo(x1, y1);
    this.context.lineTo(x2, y2);
    this.context.stroke();
  }

  /** From one slice to another: leaves and arrives level, bent by the distance between them. */
  curve(_kind: string, color: string, x1: number, y1: number, x2: number, y2: number): void {
    this.ink(this.color, 1);
    const bend = Math.min(120, Math.max(16, Math.abs(x2 - x1) / 2));
    this.context.strokeStyle = color;
    this.context.lineWidth = 1.5;
    this.context.beginPath();
    this.context.moveTo(x1, y1);
    this.context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    this.context.stroke();
    this.ink(color, 1);
    this.context.beginPath();
    this.context.moveTo(x2, y2);
    this.context.lineTo(x2 - 6, y2 - 3.5);
    this.context.lineTo(x2 - 6, y2 + 3.5);
    this.context.fill();
  }

  text(text: string, color: string, x: number, y: number, font: string, align: Align): void {
    this.ink(color, 1);
    if (font !== this.font) this.context.font = this.font = font;
    if (align !== this.align) this.context.textAlign = this.align = align;
    this.context.fillText(text, x, y);
  }
}

const short = (n: number) => String(Math.round(n * 10) / 10);

/** Writes a line per shape, without colours: what a unit test reads. */
export class Recorder implements Painter {
  lines: string[] = [];

  private add(...parts: (string | number)[]): void {
    this.lines.push(
      parts
        .map((part) => (typeof part === "number" ? short(part) : part))
        .filter((part) => part !== "")
        .join(" "),
    );
  }

  rect(
    kind: string,
    name: string,
    _color: string,
    x: number,
    y: number,
    width: number,
    height: number,
    alpha: number,
  ): void {
    this.add("rect", kind, name, x, y, width, height, alpha < 1 ? `shade ${short(alpha)}` : "");
  }

  frame(kind: string, _color: string, x: number, y: number, width: number, height: number): void {
    this.add("frame", kind, x, y, width, height);
  }

  line(kind: string, _color: string, x1: number, y1: number, x2: number, y2: number): void {
    this.add("line", kind, x1, y1, x2, y2);
  }

  curve(kind: string, _color: string, x1: number, y1: number, x2: number, y2: number): void {
    this.add("curve", kind, x1, y1, x2, y2);
  }

  text(text: string, _color: string, x: number, y: number): void {
    this.add("text", `"${text}"`, x, y);
  }
}
