// Marks too narrow to be boxes, added up per pixel of the screen; equal neighbours are joined into runs.
import type { Tile } from "../api/tiles";
import type { Painter } from "./painter";

const kLeastShade = 0.18;
const kShades = 12;

export class Density {
  private pixel = -1;
  private busy = 0;
  private longest = -1;
  private hue = "";
  private name = 0;
  private fade = 0;
  private from = 0;
  private to = 0;
  private alpha = -1;
  private runHue = "";
  private runName = 0;

  constructor(
    private painter: Painter,
    private tile: Tile,
    /** How many ns a pixel takes. */
    private ns: number,
    private y: number,
    private height: number,
  ) {}

  /** From faint to full: the least can still be seen, and shades are few so that runs join. */
  static shade(share: number): number {
    const stepped = Math.ceil(Math.min(1, Math.max(0, share)) * kShades) / kShades;
    return kLeastShade + (1 - kLeastShade) * stepped;
  }

  add(left: number, busy: number, hue: string, fade: number, name: number): void {
    const pixel = left > 0 ? Math.floor(left) : 0;
    if (pixel !== this.pixel) {
      this.close();
      this.pixel = pixel;
      this.busy = 0;
      this.longest = -1;
      this.fade = 0;
    }
    this.busy += busy;
    // What is dimmed gives way to what is not, however long it is.
    if (fade > this.fade || (fade === this.fade && busy > this.longest)) {
      this.fade = fade;
      this.longest = busy;
      this.hue = hue;
      this.name = name;
    }
  }

  private close(): void {
    if (this.pixel < 0) return;
    const alpha = Density.shade(this.busy / this.ns) * this.fade;
    if (this.alpha === alpha && this.runHue === this.hue && this.to === this.pixel) {
      this.to = this.pixel + 1;
      return;
    }
    this.draw();
    this.from = this.pixel;
    this.to = this.pixel + 1;
    this.alpha = alpha;
    this.runHue = this.hue;
    this.runName = this.name;
  }

  private draw(): void {
    if (this.alpha >= 0) {
      const name = this.tile.names[this.runName] ?? "";
      const { from, y, to, height, alpha } = this;
      this.painter.rect("density", name, this.runHue, from, y, to - from, height, alpha);
    }
    this.alpha = -1;
  }

  /** Draws what is left. */
  flush(): void {
    this.close();
    this.draw();
    this.pixel = -1;
  }
}
