// One row of marks. A slice of a pixel or more is a box with its name as soon as three characters fit;
// narrower ones, and marks that sum up, are added up per pixel of the screen and drawn as density: the
// shade is the busy share of the pixel, the hue that of the longest slice in it. Neighbouring pixels of
// one hue and shade are one rectangle, so that a row never takes more of them than it has pixels.
import type { Marks, Tile } from "../api/timeline";
import { shortenName } from "../base/names";
import type { Colors } from "./colors";
import { kRow } from "./layout";
import type { Painter } from "./painter";
import type { Span } from "./viewport";

export interface Chosen {
  slice: number;
  lane: number;
  start: number;
  end: number;
}

export interface RowLook {
  colors: Colors;
  font: string;
  /** Width of a character of that font. */
  char: number;
  /** The outline of the slice chosen. */
  strong: string;
  chosen: Chosen | null;
}

/** How much of the rest stays when something is chosen. */
const kReceded = 0.45;
const kLeastShade = 0.18;
const kShades = 12;
const kBox = kRow - 2;

/** The first mark that ends after `time`. */
export function firstAfter(marks: Marks, time: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks.end[middle] <= time && marks.start[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The slice chosen, or one of those around it on its lane. */
export function standsOut(chosen: Chosen, tile: Tile, marks: Marks, i: number): boolean {
  if (marks.slice[i] === chosen.slice) return true;
  return (
    tile.lane === chosen.lane &&
    marks.count[i] === 1 &&
    marks.start[i] <= chosen.start &&
    marks.end[i] >= chosen.end &&
    chosen.end > chosen.start
  );
}

/** Draws marks of a row at height `y`; nothing is drawn left of 0 or right of `width`. */
export function drawMarks(
  painter: Painter,
  tile: Tile,
  marks: Marks,
  window: Span,
  width: number,
  y: number,
  look: RowLook,
  onlyOut: boolean,
): void {
  const scale = width / (window.end - window.start);
  const { colors, chosen } = look;
  const dense = new Density(painter, 1 / scale, y);
  for (let i = firstAfter(marks, window.start); i < marks.length; i++) {
    const start = marks.start[i];
    if (start >= window.end) break;
    const left = (start - window.start) * scale;
    const right = (marks.end[i] - window.start) * scale;
    const out = chosen !== null && standsOut(chosen, tile, marks, i);
    if (onlyOut && !out) continue;
    const fade = chosen === null || out ? 1 : kReceded;
    const kind = tile.kinds[marks.kind[i]] ?? "other";
    const name = tile.names[marks.name[i]] ?? "";
    const hue = colors.hue(kind, name);
    if (marks.count[i] > 1 && right - left >= 2) {
      // A coarser tile stands in: the mark is as wide as it is, in its own shade.
      const share = marks.busy[i] / Math.max(1, marks.end[i] - start);
      dense.flush();
      painter.rect(
        "density",
        name,
        hue,
        Math.max(0, left),
        y,
        clipped(left, right, width),
        kBox,
        shade(share) * fade,
      );
      continue;
    }
    if (marks.count[i] > 1 || right - left < 1) {
      dense.add(left, marks.busy[i], hue, name, fade);
      continue;
    }
    dense.flush();
    const x = Math.max(0, left);
    // A hair between neighbours that are wide enough to lose it.
    const box = Math.max(1, clipped(left, right, width) - (right - left > 4 ? 1 : 0));
    painter.rect(kind, name, hue, x, y, box, kBox, fade);
    const room = Math.floor((box - 6) / look.char);
    const written = room >= 3 ? boxName(name, room) : "";
    if (written !== "") {
      const ink = fade < 1 ? look.strong : colors.ink(hue);
      painter.text(written, ink, x + 3, y + kBox / 2 + 0.5, look.font, "left");
    }
    if (chosen && marks.slice[i] === chosen.slice)
      painter.frame("chosen", look.strong, x + 1, y + 1, box - 2, kBox - 2, 2);
  }
  dense.flush();
}

/** "aten::add_" is "add_" where only that fits; what would be cut to a few letters is left out. */
export function boxName(name: string, room: number): string {
  if (name.length <= room) return name;
  const bare = name.slice(name.lastIndexOf("::") + 2);
  if (/^[a-z_0-9]+::\w+$/i.test(name) && bare.length <= room) return bare;
  return room < 6 ? "" : shortenName(name, room);
}

function clipped(left: number, right: number, width: number): number {
  return Math.min(width, right) - Math.max(0, left);
}

/** From faint to full: the least can still be seen, and shades are few so that runs join. */
export function shade(share: number): number {
  const stepped = Math.ceil(Math.min(1, Math.max(0, share)) * kShades) / kShades;
  return kLeastShade + (1 - kLeastShade) * stepped;
}

/** Adds marks up per pixel and joins equal pixels into runs. */
class Density {
  private pixel = -1;
  private busy = 0;
  private longest = -1;
  private hue = "";
  private name = "";
  private fade = 1;
  private from = 0;
  private to = 0;
  private alpha = -1;
  private runHue = "";
  private runName = "";

  constructor(
    private painter: Painter,
    private ns: number,
    private y: number,
  ) {}

  add(left: number, busy: number, hue: string, name: string, fade: number): void {
    const pixel = Math.max(0, Math.floor(left));
    if (pixel !== this.pixel) {
      this.close();
      this.pixel = pixel;
      this.busy = 0;
      this.longest = -1;
      this.fade = fade;
    }
    this.busy += busy;
    this.fade = Math.max(this.fade, fade);
    if (busy > this.longest) [this.longest, this.hue, this.name] = [busy, hue, name];
  }

  private close(): void {
    if (this.pixel < 0) return;
    const alpha = shade(this.busy / this.ns) * this.fade;
    if (this.alpha === alpha && this.runHue === this.hue && this.to === this.pixel) {
      this.to = this.pixel + 1;
      return;
    }
    this.draw();
    [this.from, this.to, this.alpha] = [this.pixel, this.pixel + 1, alpha];
    [this.runHue, this.runName] = [this.hue, this.name];
  }

  private draw(): void {
    if (this.alpha >= 0)
      this.painter.rect(
        "density",
        this.runName,
        this.runHue,
        this.from,
        this.y,
        this.to - this.from,
        kBox,
        this.alpha,
      );
    this.alpha = -1;
  }

  flush(): void {
    this.close();
    this.draw();
    this.pixel = -1;
  }
}
