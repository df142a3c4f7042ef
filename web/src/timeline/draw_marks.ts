// One row of marks. A slice of a pixel or more is a box, with its name if three characters fit. Narrower
// slices, and marks of several slices, are added up per pixel of the screen and drawn as density: the shade is
// the busy share of the pixel, the hue that of the longest slice in it. Neighbouring pixels of one hue and
// shade are one rectangle, so a row never needs more rectangles than it has pixels.
import type { Marks, Tile } from "../api/tiles";
import { shortenName } from "../base/names";
import { translate } from "../base/translate";
import { classOfKind, keyOfName, namesOf, type Colors } from "./colors";
import { Density } from "./density";
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
  /** The outline of the selected slice. */
  strong: string;
  chosen: Chosen | null;
  /** Classes that are not dimmed; empty: all. */
  only: ReadonlySet<string>;
}

/** Opacity of the other marks while something is selected, or while the legend isolates something. */
const kReceded = 0.45;
const kDimmed = 0.14;
/** A box at least this tall has room for a name. */
const kLeastNamed = 11;

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

/** Whether any mark in the window represents several slices. */
export function holdsSeveral({ rows }: Tile, window: Span): boolean {
  return rows.some((marks) => {
    if (!marks) return false;
    for (let i = firstAfter(marks, window.start); i < marks.length && marks.start[i] < window.end; i++) {
      if (marks.count[i] > 1) return true;
    }
    return false;
  });
}

/** The selected slice, or one of those around it on its lane. */
export function standsOut(chosen: Chosen, tile: Tile, marks: Marks, i: number): boolean {
  if (tile.lane !== chosen.lane) return false;
  if (marks.slice[i] === chosen.slice) return true;
  return (
    marks.count[i] === 1 &&
    marks.start[i] <= chosen.start &&
    marks.end[i] >= chosen.end &&
    chosen.end > chosen.start
  );
}

/** The opacity of mark `i` by the legend, which isolates kinds, or names in a colouring by names. */
function fadesOf(
  tile: Tile,
  marks: Marks,
  { only, colors }: RowLook,
): { fades: number[]; of: Uint8Array | Uint32Array } | null {
  if (only.size === 0) return null;
  const faded = (texts: string[], key: (text: string) => string) =>
    texts.map((text) => (only.has(key(text)) ? 1 : kDimmed));
  const named = namesOf(tile, colors.by);
  const numbers = named?.of(marks);
  if (!named || !numbers) return { fades: faded(tile.kinds, classOfKind), of: marks.kind };
  return { fades: faded(named.texts, keyOfName), of: numbers };
}

/** Draws the marks of a row, `box` high at `y`; nothing is drawn left of 0 or right of `width`. */
export function drawMarks(
  painter: Painter,
  tile: Tile,
  marks: Marks,
  window: Span,
  width: number,
  y: number,
  look: RowLook,
  onlyOut = false,
  box = kRow - 2,
): void {
  const scale = width / (window.end - window.start);
  const { colors, chosen } = look;
  const own = chosen !== null && chosen.lane === tile.lane;
  if (onlyOut && !own) return;
  const table = colors.tableOf(tile);
  const isolated = fadesOf(tile, marks, look);
  const fadeOf = (i: number) => (isolated ? isolated.fades[isolated.of[i]] : 1);
  const dense = new Density(tile, 1 / scale);
  const { start: starts, end: ends, count: counts, busy } = marks;
  const base = chosen === null ? 1 : kReceded;
  const boxes: number[] = [];
  for (let i = firstAfter(marks, window.start); i < marks.length; i++) {
    const start = starts[i];
    if (start >= window.end) break;
    const out = own && standsOut(chosen, tile, marks, i);
    if (onlyOut && !out) continue;
    const left = (start - window.start) * scale;
    const wide = (ends[i] - start) * scale;
    if (wide >= (counts[i] > 1 ? 2 : 1)) {
      boxes.push(i);
      continue;
    }
    const fade = (out ? 1 : base) * fadeOf(i);
    dense.add(left, busy[i], colors.hueOf(table, tile, marks, i), fade, marks.name[i]);
  }
  // Boxes are over density: an exact slice wins the pixel that both touch.
  dense.draw(painter, y, box);
  for (const i of boxes) {
    const out = own && standsOut(chosen, tile, marks, i);
    const fade = (out ? 1 : base) * fadeOf(i);
    const left = (starts[i] - window.start) * scale;
    const right = (ends[i] - window.start) * scale;
    const hue = colors.hueOf(table, tile, marks, i);
    drawBox(painter, tile, marks, i, { left, right, y, box, width, hue, fade }, look);
    if (own && marks.slice[i] === chosen.slice && counts[i] === 1) {
      const x = Math.max(0, left);
      painter.frame("chosen", look.strong, x + 1, y + 1, Math.min(width, right) - x - 3, box - 2, 2);
    }
  }
}

interface Box {
  left: number;
  right: number;
  y: number;
  box: number;
  width: number;
  hue: string;
  fade: number;
}

/** What a drawn box is: the name of a class of derived lanes is a text. */
function kindOf(tile: Tile, marks: Marks, i: number): string {
  return tile.hues ? "derived" : (tile.kinds[marks.kind[i]] ?? "other");
}

function drawBox(painter: Painter, tile: Tile, marks: Marks, i: number, at: Box, look: RowLook): void {
  const { left, right, y, box, width, hue, fade } = at;
  const name = tile.names[marks.name[i]] || (tile.hues ? translate(tile.kinds[marks.kind[i]]) : "");
  const x = Math.max(0, left);
  const wide = Math.min(width, right) - x;
  if (marks.count[i] > 1) {
    // A coarser tile replaces it: the mark has its real width and its own shade.
    const shade = Density.shade(marks.busy[i] / Math.max(1, marks.end[i] - marks.start[i])) * fade;
    painter.rect("density", name, hue, x, y, wide, box, shade);
    return;
  }
  // A gap of a pixel between neighbours that are wide enough.
  const drawn = Math.max(1, wide - (right - left > 4 ? 1 : 0));
  painter.rect(kindOf(tile, marks, i), name, hue, x, y, drawn, box, fade);
  const room = Math.floor((drawn - 6) / look.char);
  const written = box >= kLeastNamed && room >= 3 && fade > kDimmed ? boxName(name, room) : "";
  if (written === "") return;
  const ink = fade < 1 ? look.strong : look.colors.ink(hue);
  painter.text(written, ink, x + 3, y + box / 2 + 0.5, look.font, "left");
}

const kKeptNames = 4000;
const shortened = new Map<string, string>();

/** "aten::add_" is "add_" if only that fits; a name that would be cut to a few letters is left out. */
export function boxName(name: string, room: number): string {
  if (name.length <= room) return name;
  const key = `${room} ${name}`;
  let text = shortened.get(key);
  if (text !== undefined) return text;
  const bare = name.slice(name.lastIndexOf("::") + 2);
  if (/^[a-z_0-9]+::\w+$/i.test(name) && bare.length <= room) text = bare;
  else text = room < 6 ? "" : shortenName(name, room).replace("……", "…");
  if (shortened.size > kKeptNames) shortened.clear();
  shortened.set(key, text);
  return text;
}
