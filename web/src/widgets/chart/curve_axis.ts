// The x axis of curves: which part of it is drawn, where that is on the screen, and the label of a position.
// For a column of texts, x is the number of the row.
import { cellText, type Column, type TableData } from "../../api/table_data";
import { formatWithUnit, spanScale, type Scale } from "../../base/units";

/** A part of x, in the base unit of its column. */
export interface Window {
  start: number;
  end: number;
}

/** The drawing's inner box, in CSS pixels of the chart. */
export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class CurveAxis {
  readonly window: Window;
  /** The unit fits the drawn part. */
  readonly scale: Scale;

  constructor(
    readonly table: TableData,
    readonly x: Column,
    chosen: Window | null,
  ) {
    const window = chosen ?? wholeOf(table, x);
    const whole = x.kind === "number" ? window : { start: window.start - 0.5, end: window.end + 0.5 };
    this.window = whole.end > whole.start ? whole : { start: whole.start - 1, end: whole.end + 1 };
    this.scale = spanScale(x.kind === "number" ? x.unit : "none", this.window.start, this.window.end);
  }

  pixel(value: number, plot: Plot): number {
    const { start, end } = this.window;
    return plot.left + ((value - start) / (end - start)) * plot.width;
  }

  /** A whole number inside the window. */
  value(pixel: number, plot: Plot): number {
    const { start, end } = this.window;
    const share = Math.max(0, Math.min(1, (pixel - plot.left) / plot.width));
    return Math.max(Math.ceil(start), Math.min(Math.floor(end), Math.round(start + share * (end - start))));
  }

  text(value: number): string {
    const { x } = this;
    if (x.kind === "number") return formatWithUnit(value, this.scale);
    return value >= 0 && value < this.table.rows ? cellText(x, value) : "";
  }

  isInside(value: number): boolean {
    return value >= this.window.start && value <= this.window.end;
  }
}

function wholeOf(table: TableData, x: Column): Window {
  if (x.kind !== "number") return { start: 0, end: Math.max(0, table.rows - 1) };
  let start = Infinity;
  let end = -Infinity;
  for (const value of x.numbers) {
    if (value < start) start = value;
    if (value > end) end = value;
  }
  return start <= end ? { start, end } : { start: 0, end: 1 };
}
