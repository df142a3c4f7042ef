// The timeline's drawing interface: few shapes, each with a meaning, so that a test can record them as text
// ("rect kernel gemm 120 18 40 16") instead of reading pixels. The canvas painter ignores the meaning and draws
// in CSS pixels, independent of the screen's ratio.
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

/** On whole pixels: each level extends from its x to the next, or to the end; some have a band over it. */
export interface Levels {
  x: number[];
  y: number[];
  /** Top and bottom of the band at the level's x; equal if there is none. */
  top: number[];
  bottom: number[];
  end: number;
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
  /** Steps over a base line, filled faintly. */
  steps(kind: string, name: string, color: string, levels: Levels, base: number): void;
  text(text: string, color: string, x: number, y: number, font: string, align: Align): void;
}
