// Widths of columns. Numbers are as wide as their longest text; names take what they need, up to the remaining
// width of the table, so that on a wide screen figures stay near their names. A width that the user sets has
// precedence.
import { cellPad, cellText, type Column, type TableData } from "../../api/table_data";
import { categoryWord } from "../../base/words";
import { textWidth, titleWidth } from "./char_widths";
import type { TableState } from "./table_state";

/** Width of one character of the 12 px fonts in use; measured once, on the page. */
export interface CharWidths {
  mono: number;
  sans: number;
}

const kPadding = 16;
const kSample = 400;
const kLeastName = 300;
/** A name may be this narrow if then all columns fit. */
const kTightName = 200;
const kLeastNumber = 56;
const kMostText = 260;
/** A text may be this narrow if then all columns fit. */
const kTightText = 160;

export interface DrawnColumn {
  column: Column;
  width: number;
  /** Characters that fit, for middle-cut names. */
  chars: number;
}

/** Pixels of the widest among the longest texts, or more than any column takes. */
function widestText(texts: string[], most: number): number {
  if (most > 200) return most * 7;
  const long = texts.filter((text) => text.length >= most * 0.7).slice(0, 50);
  return Math.max(0, ...long.map((text) => textWidth(text)));
}

const longest = new WeakMap<Column, number>();

/** The longest text among evenly sampled rows and, for numbers, the extremes: exact enough for a width. In
 * characters of the mono font, in pixels for sans text. */
function longestText(column: Column, rows: number): number {
  let most = longest.get(column);
  if (most !== undefined) return most;
  most = 0;
  if (column.kind === "text") {
    for (const text of column.shown) most = Math.max(most, text.length);
    if (column.role === "category") most = widestText(column.shown.map(categoryWord), most);
    else if (!column.code) most = widestText(column.shown, most);
  } else if (column.kind === "flag") {
    most = 3;
  } else {
    const stride = Math.max(1, Math.floor(rows / kSample));
    const drawn = (row: number) => cellText(column, row).length + cellPad(column, row).length;
    let least = 0;
    let greatest = 0;
    for (let row = 0; row < rows; row++) {
      if (!(column.numbers[row] >= column.numbers[least])) least = row;
      if (!(column.numbers[row] <= column.numbers[greatest])) greatest = row;
      if (row % stride === 0) most = Math.max(most, drawn(row));
    }
    if (rows > 0) most = Math.max(most, drawn(least), drawn(greatest));
  }
  longest.set(column, most);
  return most;
}

const kSortMark = 14;
const kSwatch = 16;

/** Where a line may end: at a space, and in Chinese after punctuation or before a bracket. */
const kBreak = / |(?<=[：，、])|(?=（)/g;

/** The unit of a column's numbers; empty for none. */
export const unitOf = (column: Column) => (column.kind === "number" ? column.scale.label : "");

const widthOfUnit = (unit: string) => (unit ? titleWidth(unit) + 4 : 0);

/** Pixels of a title whose last line has the unit. */
function linesWidth(parts: string[], unit: string): number {
  return Math.max(
    ...parts.map((part, i) => titleWidth(part) + (i === parts.length - 1 ? widthOfUnit(unit) : 0)),
  );
}

const kWorthALine = 24; // pixels that a unit on a line of its own must save

/** A title on one line, or on the two lines that make it narrowest; the second one is empty if it has the unit alone. */
export function titleLines(title: string, unit: string, lines: 1 | 2): string[] {
  if (lines === 1) return [title];
  let best = [title];
  let least = Infinity;
  for (const { index, 0: space } of title.matchAll(kBreak)) {
    const pair = [title.slice(0, index), title.slice(index + space.length)];
    const width = linesWidth(pair, unit);
    if (width < least) [best, least] = [pair, width];
  }
  const saved = linesWidth(best, unit) - linesWidth([title, ""], unit);
  return unit && saved > kWorthALine ? [title, ""] : best;
}

function headWidth(column: Column, lines: 1 | 2): number {
  const unit = unitOf(column);
  return linesWidth(titleLines(column.title, unit, lines), unit) + kPadding + kSortMark;
}

export interface Drawn {
  columns: DrawnColumn[];
  /** Lines of the head: two if wide titles would otherwise cut names or push columns off the edge. */
  lines: 1 | 2;
}

/** `indent`: pixels the name column gives to chevrons and a tree's depth. */
export function drawnColumns(
  table: TableData,
  state: TableState,
  available: number,
  chars: CharWidths,
  indent: number,
): Drawn {
  const shown = table.columns.filter((column) => !state.hidden.has(column.key));
  const charOf = (column: Column) => (column.code || column.kind === "number" ? chars.mono : chars.sans);
  const needed = (column: Column) => {
    const longest = longestText(column, table.rows);
    const swatch = column.role === "category" ? kSwatch : 0;
    return (
      Math.ceil(
        column.kind === "text" && (!column.code || column.role === "category")
          ? longest
          : longest * charOf(column),
      ) +
      kPadding +
      swatch +
      1
    );
  };
  /** Takes pixels from texts, if that is enough for all columns to fit; the pixels taken. */
  const shrink = (texts: Column[], widths: Map<Column, number>, pixels: number): number => {
    const spare = (column: Column) => Math.max(0, (widths.get(column) as number) - kTightText);
    if (pixels <= 0 || texts.reduce((sum, column) => sum + spare(column), 0) < pixels) return 0;
    let rest = pixels;
    for (const column of texts) {
      const less = Math.min(rest, spare(column));
      widths.set(column, (widths.get(column) as number) - less);
      rest -= less;
    }
    return pixels;
  };
  const layOut = (lines: 1 | 2): { widths: Map<Column, number>; tight: boolean } => {
    const names: Column[] = [];
    const widths = new Map<Column, number>();
    for (const column of shown) {
      const own = state.widths.get(column.key);
      if (own !== undefined) widths.set(column, own);
      else if (column.role === "label") names.push(column);
      else {
        const most = column.kind === "text" ? kMostText : Infinity;
        widths.set(column, Math.max(headWidth(column, lines), Math.min(needed(column), most), kLeastNumber));
      }
    }
    let left = available - [...widths.values()].reduce((sum, width) => sum + width, 0);
    let tight = left < 0;
    names.forEach((column, i) => {
      const wish = needed(column) + indent;
      const room = left / (names.length - i);
      const usual = room >= kTightName ? Math.min(kLeastName, room) : kLeastName;
      const least = Math.max(headWidth(column, lines), Math.min(usual, wish));
      const width = Math.max(least, Math.min(wish, room));
      tight ||= width < wish;
      widths.set(column, width);
      left -= width;
    });
    tight ||= left < 0;
    left += shrink(
      [...widths.keys()].filter(
        (column) => column.kind === "text" && column.role === "value" && !state.widths.has(column.key),
      ),
      widths,
      -left,
    );
    for (const [column, width] of widths) {
      if (left < 1 || column.kind !== "text" || state.widths.has(column.key)) continue;
      const more = Math.min(left, Math.max(0, needed(column) - width));
      widths.set(column, width + more);
      left -= more;
    }
    return { widths, tight };
  };
  const single = layOut(1);
  const breaks = shown.some((column) => titleLines(column.title, unitOf(column), 2).length > 1);
  const lines = single.tight && breaks ? 2 : 1;
  const { widths } = single.tight ? layOut(2) : single;
  const columns = shown.map((column) => {
    const width = Math.floor(widths.get(column) as number);
    return { column, width, chars: Math.max(4, Math.floor((width - kPadding) / charOf(column))) };
  });
  return { columns, lines };
}
