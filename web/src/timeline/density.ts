// Marks too narrow to be boxes, added up per pixel of the screen; equal neighbours are joined into runs, and
// the runs of a row are drawn at once.
import type { Tile } from "../api/tiles";
import type { Painter, Runs } from "./painter";

const kLeastShade = 0.18;
const kShades = 12;

export class Density {
  private pixel = -1;
  private busy = 0;
  private longest = -1;
  private hue = "";
  private name = 0;
  private fade = 0;
  private runs: Runs = { count: 0, from: [], to: [], color: [], alpha: [], name: [] };

  constructor(
    private tile: Tile,
    /** How many ns a pixel takes. */
    private ns: number,
  ) {}

  /** From faint to full: the least share is still visible, and there are few shades, so that runs join. */
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
    // Dimmed marks give way to others, however long they are.
    if (fade > this.fade || (fade === this.fade && busy > this.longest)) {
      this.fade = fade;
      this.longest = busy;
      this.hue = hue;
      this.name = name;
    }
  }

  private close(): void {
    if (this.pixel < 0) return;
    const { runs, pixel } = this;
    const alpha = Density.shade(this.busy / this.ns) * this.fade;
    const last = runs.count - 1;
    if (last >= 0 && runs.to[last] === pixel && runs.alpha[last] === alpha && runs.color[last] === this.hue) {
      runs.to[last] = pixel + 1;
      return;
    }
    runs.from.push(pixel);
    runs.to.push(pixel + 1);
    runs.color.push(this.hue);
    runs.alpha.push(alpha);
    runs.name.push(this.name);
    runs.count++;
  }

  /** Draws the row's runs, `height` high at `y`. */
  draw(painter: Painter, y: number, height: number): void {
    this.close();
    this.pixel = -1;
    if (this.runs.count > 0) painter.runs("density", this.tile.names, this.runs, y, height);
  }
}
