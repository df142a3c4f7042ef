// Positions of the points and ceilings of a scatter chart: which rows can be drawn on logarithmic axes, the
// window around them, and the part of each ceiling that is inside the window and below the others.
import type { Ceiling } from "../../api/types";

export interface Window {
  x: [least: number, most: number];
  y: [least: number, most: number];
}

export interface CeilingLine {
  label: string;
  points: [x: number, y: number][];
}

/** A rectangle in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A point in pixels. */
export interface Dot {
  x: number;
  y: number;
  radius: number;
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Boxes along a line, in pixels. */
export function boxesAlong([x0, y0]: number[], [x1, y1]: number[]): Box[] {
  const parts = Math.max(1, Math.ceil(Math.abs(y1 - y0) / kLineBox));
  const width = (x1 - x0) / parts;
  const height = Math.abs(y1 - y0) / parts + 2;
  return Array.from({ length: parts }, (_, i) => {
    const middle = y0 + ((y1 - y0) * (i + 0.5)) / parts;
    return { x: x0 + i * width, y: middle - height / 2, width, height };
  });
}

const kLineBox = 2; // pixels: the height of a part of a line
const kBeside = 4; // pixels between a point and its name

/** Where the name of a point fits beside it, without covering a point or what is taken; null for nowhere. */
export function placeOfName(
  dot: Dot,
  size: { width: number; height: number },
  dots: Dot[],
  taken: Box[],
  area: Box,
): Box | null {
  const away = dot.radius + kBeside;
  const { width, height } = size;
  const corners = [
    [dot.x + away, dot.y - height / 2],
    [dot.x - away - width, dot.y - height / 2],
    [dot.x - width / 2, dot.y - away - height],
    [dot.x - width / 2, dot.y + away],
    ...[-1, 1].flatMap((side) => [
      [dot.x - away - width, dot.y + side * away - height / 2],
      [dot.x + away, dot.y + side * away - height / 2],
    ]),
  ];
  const bounds = ({ x, y, radius: r }: Dot) => ({ x: x - r, y: y - r, width: 2 * r, height: 2 * r });
  const others = [...dots.map(bounds), ...taken];
  const fits = (box: Box) =>
    box.x >= area.x &&
    box.x + width <= area.x + area.width &&
    box.y >= area.y &&
    box.y + height <= area.y + area.height &&
    !others.some((other) => overlap(box, other));
  return corners.map(([x, y]) => ({ x, y, width, height })).find(fits) ?? null;
}

/** Rows that can be drawn: both values are known and above zero. */
export function drawnRows(x: ArrayLike<number>, y: ArrayLike<number>): number[] {
  const rows: number[] = [];
  for (let row = 0; row < x.length; row++)
    if (x[row] > 0 && y[row] > 0 && Number.isFinite(x[row]) && Number.isFinite(y[row])) rows.push(row);
  return rows;
}

/** Whole powers of ten around the values. */
function decades(values: number[]): [number, number] {
  const least = Math.floor(Math.log10(Math.min(...values)));
  const most = Math.ceil(Math.log10(Math.max(...values)));
  return [10 ** least, 10 ** Math.max(most, least + 1)];
}

const isKnown = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined && value > 0;

/** All points, the highest ceiling, and the place where ceilings meet, because that corner shows which limit
 * applies. */
export function windowOf(xs: number[], ys: number[], ceilings: Ceiling[]): Window {
  const x = [...xs];
  const y = [...ys];
  const flats = ceilings.map(({ flat }) => flat).filter(isKnown);
  const slopes = ceilings.map(({ slope }) => slope).filter(isKnown);
  for (const flat of flats) {
    y.push(flat);
    for (const slope of slopes) x.push(flat / slope);
  }
  return { x: decades(x), y: decades(y.map((value) => value * (flats.includes(value) ? 1.5 : 1))) };
}

/** A slope ends where it meets the highest flat ceiling, a flat one begins at the steepest slope. */
export function ceilingLines(ceilings: Ceiling[], window: Window): CeilingLine[] {
  const flats = ceilings.map(({ flat }) => flat).filter(isKnown);
  const slopes = ceilings.map(({ slope }) => slope).filter(isKnown);
  const top = flats.length > 0 ? Math.max(...flats) : Infinity;
  const steepest = slopes.length > 0 ? Math.max(...slopes) : Infinity;
  const lines: CeilingLine[] = [];
  for (const { label, slope, flat } of ceilings) {
    if (isKnown(slope)) {
      const from = Math.max(window.x[0], window.y[0] / slope);
      const to = Math.min(window.x[1], Math.min(window.y[1], top) / slope);
      if (to > from)
        lines.push({
          label,
          points: [
            [from, slope * from],
            [to, slope * to],
          ],
        });
    }
    if (isKnown(flat)) {
      const from = Math.max(window.x[0], flat / steepest);
      if (window.x[1] > from && flat >= window.y[0] && flat <= window.y[1])
        lines.push({
          label,
          points: [
            [from, flat],
            [window.x[1], flat],
          ],
        });
    }
  }
  return lines;
}
