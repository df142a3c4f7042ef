// The painter that writes a line per shape instead of drawing it.
import type { Levels, Painter, Runs } from "./painter";

const short = (n: number) => String(Math.round(n * 10) / 10);

/** Writes a line per shape for a test. Colours are at the end, on request. */
export class Recorder implements Painter {
  lines: string[] = [];

  constructor(private colored = false) {}

  private add(color: string, ...parts: (string | number)[]): void {
    const entry = [...parts, this.colored ? color : ""]
      .map((part) => (typeof part === "number" ? short(part) : part))
      .filter((part) => part !== "");
    this.lines.push(entry.join(" "));
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

  steps(kind: string, name: string, color: string, { x, y, top, bottom }: Levels, base: number): void {
    x.forEach((at, i) => {
      if (bottom[i] > top[i]) this.add(color, "rect band", name, at, top[i], 1, bottom[i] - top[i]);
    });
    this.add(color, "steps", kind, name, ...x.map((at, i) => `${short(at)}:${short(base - y[i])}`));
  }

  text(text: string, color: string, x: number, y: number): void {
    this.add(color, "text", `"${text}"`, x, y);
  }
}
