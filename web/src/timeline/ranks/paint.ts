// The colours of what ranks do, and rows of runs as pixels.
import type { ActivityRow } from "../../api/ranks";
import { categoryHue, type Theme } from "../../base/hues";

const kOverlapped = 8;

/** What the legend lists. With the colours of passes, computing has the colour of its pass, whether or not it overlaps. */
export const kByActivity = ["computing", "overlapped", "communicating", "copying", "idle"] as const;
export const kByPass = [
  "forward",
  "backward",
  "recomputing",
  "optimizing",
  "computing",
  "communicating",
  "copying",
  "idle",
] as const;
export type Doing = (typeof kByActivity)[number] | (typeof kByPass)[number];

export function doingOf(code: number, activities: string[], passes: boolean): Doing {
  const name = activities[code % kOverlapped] ?? "idle";
  if (passes || name === "idle" || name === "copying" || name === "communicating") return name as Doing;
  return code >= kOverlapped ? "overlapped" : "computing";
}

export function hueOf(doing: Doing, theme: Theme): string {
  const light = theme === "light";
  switch (doing) {
    case "computing":
    case "forward":
      return categoryHue("kernel", theme);
    case "overlapped":
      return light ? "#12427a" : "#8fc0f5";
    case "backward":
      return categoryHue("runtime", theme);
    case "recomputing":
      return categoryHue("dataloader", theme);
    case "optimizing":
      return categoryHue("host", theme);
    case "communicating":
      return categoryHue("communication", theme);
    case "copying":
      return categoryHue("memcpy", theme);
    case "idle":
      return categoryHue("idle", theme);
  }
}

/** A little-endian pixel of `color` on `ground`, by the busy share. */
function pixelOf(color: string, ground: string, share: number): number {
  const part = (text: string, at: number) => parseInt(text.slice(at, at + 2), 16);
  const mix = (at: number) => Math.round(part(ground, at) + (part(color, at) - part(ground, at)) * share);
  return ((255 << 24) | (mix(5) << 16) | (mix(3) << 8) | mix(1)) >>> 0;
}

/** A pixel for each code and each of 16 busy shares. A little work stays visible. */
export class Palette {
  private pixels = new Uint32Array(16 * 16);

  constructor(activities: string[], passes: boolean, theme: Theme) {
    const ground = hueOf("idle", theme);
    for (let code = 0; code < 16; code++) {
      const hue = hueOf(doingOf(code, activities, passes), theme);
      for (let share = 0; share < 16; share++)
        this.pixels[code * 16 + share] = pixelOf(hue, ground, 0.3 + (0.7 * share) / 15);
    }
  }

  of(code: number, share: number): number {
    return this.pixels[(code & 15) * 16 + (share >> 4)];
  }
}

/** Writes one row; where nothing is recorded it stays transparent. */
export function paintRow(into: Uint32Array, row: ActivityRow, palette: Palette): void {
  into.fill(0);
  let at = row.start;
  for (let i = 0; i < row.end.length; i++) {
    into.fill(palette.of(row.code[i], row.share[i]), at, row.end[i]);
    at = row.end[i];
  }
}

/** The run of a row at a pixel of its window; -1: nothing is recorded there. */
export function runAt(row: ActivityRow, pixel: number): number {
  if (pixel < row.start) return -1;
  let low = 0;
  let high = row.end.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.end[middle] <= pixel) low = middle + 1;
    else high = middle;
  }
  return low < row.end.length ? low : -1;
}
