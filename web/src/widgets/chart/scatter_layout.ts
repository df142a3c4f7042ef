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
