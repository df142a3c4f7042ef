// One frame of ranks on one axis: the pictures of the rows, stretched to the window, then lines between groups of rows, and the
// collective under the pointer or of the selection on all its ranks.
import { kMinimap, type HeadLook } from "../draw_head";
import { fitCanvas } from "../frame";
import { xOf, type Span } from "../viewport";
import type { Linked, RanksController } from "./controller";
import type { Sheet } from "./sheets";

/** Frames around a collective need rows of this height; below, it is a line in each row. */
const kFramed = 5;

export function drawRows(context: CanvasRenderingContext2D, ranks: RanksController, look: HeadLook): void {
  const { moves, sheets, height } = ranks;
  const { width, window } = moves;
  context.fillStyle = look.surface;
  context.fillRect(0, 0, width, height);
  context.imageSmoothingEnabled = false;
  for (const sheet of [sheets.before, sheets.current])
    if (sheet) drawSheet(context, ranks, sheet, window, width);
  drawBorders(context, ranks, look);
  for (const [linked, alpha] of [
    [ranks.selected, 1],
    [ranks.hovered, 0.85],
  ] as const)
    if (linked) drawLinked(context, ranks, linked, look, alpha);
  drawSelection(context, ranks, look);
}

/** All ranks over the whole axis, small: it is stretched once for each change of the picture, not in each frame. */
export class WholeStrip {
  private readonly canvas = document.createElement("canvas");
  private drawn: { sheet: Sheet; version: number; width: number } | null = null;

  draw(
    context: CanvasRenderingContext2D,
    { sheets, extent }: RanksController,
    width: number,
    look: HeadLook,
  ): void {
    const sheet = sheets.whole;
    if (!sheet) return;
    const { version } = sheet;
    if (this.drawn?.sheet !== sheet || this.drawn.version !== version || this.drawn.width !== width) {
      this.drawn = { sheet, version, width };
      const small = fitCanvas(this.canvas, width, kMinimap - 8);
      if (!small) return;
      const from = (extent.start - sheet.window.start) / sheet.pixel;
      const long = (extent.end - extent.start) / sheet.pixel;
      small.fillStyle = look.ground;
      small.fillRect(0, 0, width, kMinimap - 8);
      small.drawImage(sheet.canvas, from, 0, long, sheet.canvas.height, 0, 0, width, kMinimap - 8);
    }
    context.drawImage(this.canvas, 0, 4, width, kMinimap - 8);
  }
}

function drawSheet(
  context: CanvasRenderingContext2D,
  ranks: RanksController,
  sheet: Sheet,
  window: Span,
  width: number,
): void {
  const [first, last] = ranks.visible();
  // Only the visible part: stretching far beyond the canvas costs time.
  const from = Math.max(0, Math.floor((window.start - sheet.window.start) / sheet.pixel));
  const to = Math.min(sheet.canvas.width, Math.ceil((window.end - sheet.window.start) / sheet.pixel));
  if (to <= from || last <= first) return;
  const left = xOf(sheet.window.start + from * sheet.pixel, window, width);
  const right = xOf(sheet.window.start + to * sheet.pixel, window, width);
  const cut = Math.min(last, Math.max(first, ranks.unfoldedAt + 1));
  for (const [begin, end] of [
    [first, cut],
    [cut, last],
  ]) {
    const [top, tall] = [ranks.topOf(begin) - ranks.scrollTop, (end - begin) * ranks.rowHeight];
    if (end > begin)
      context.drawImage(sheet.canvas, from, begin, to - from, end - begin, left, top, right - left, tall);
  }
}

/** A line below each row that is high enough, and between groups. */
function drawBorders(context: CanvasRenderingContext2D, ranks: RanksController, look: HeadLook): void {
  const { rowHeight, scrollTop, order, moves } = ranks;
  const [first, last] = ranks.visible();
  for (let at = first; at < last; at++) {
    const strong = at > 0 && groupOf(ranks, order[at]) !== groupOf(ranks, order[at - 1]);
    if (!strong && rowHeight < 6) continue;
    context.fillStyle = strong ? look.text : look.surface;
    context.globalAlpha = strong ? 0.55 : 1;
    context.fillRect(0, Math.round(ranks.topOf(at) - scrollTop) - (strong ? 1 : 0), moves.width, 1);
  }
  context.globalAlpha = 1;
}

/** Rows of one group are together: of the kind they are sorted by, of one job otherwise. */
export function groupOf(ranks: RanksController, row: number): string {
  const rank = ranks.axis.ranks[row];
  const dimension = ranks.axis.dimensions.indexOf(ranks.state.sort);
  const place = rank.places.find((each) => each.dimension === dimension);
  return `${rank.job} ${place?.group ?? ""}`;
}

function drawLinked(
  context: CanvasRenderingContext2D,
  ranks: RanksController,
  { collective }: Linked,
  look: HeadLook,
  alpha: number,
): void {
  const { rowHeight, scrollTop, order, moves, alignment } = ranks;
  const { window, width } = moves;
  const places = new Map(order.map((row, at) => [row, at]));
  const ends: { x: number; y: number }[] = [];
  context.strokeStyle = context.fillStyle = look.text;
  context.globalAlpha = alpha;
  for (const { rank, start, end } of collective.ranks) {
    const at = places.get(rank);
    if (at === undefined) continue;
    const left = xOf(start + alignment.shift(rank, start), window, width);
    const right = xOf(end + alignment.shift(rank, end), window, width);
    const y = ranks.topOf(at) - scrollTop;
    ends.push({ x: right, y: y + rowHeight / 2 });
    if (y + rowHeight < 0 || y > ranks.height) continue;
    if (rowHeight >= kFramed) {
      context.lineWidth = 1.5;
      const wide = Math.max(2, right - left) - 1.5;
      context.strokeRect(left + 0.75, y + 0.75, wide, rowHeight - 1.5);
    } else context.fillRect(left, y, Math.max(1, right - left), 1);
  }
  ends.sort((a, b) => a.y - b.y);
  context.lineWidth = 1;
  context.beginPath();
  ends.forEach(({ x, y }, i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
  context.globalAlpha = 1;
}

function drawSelection(context: CanvasRenderingContext2D, ranks: RanksController, look: HeadLook): void {
  const { select } = ranks.state;
  const at = select ? ranks.order.indexOf(select.rank) : -1;
  if (at < 0) return;
  const y = ranks.topOf(at) - ranks.scrollTop;
  context.fillStyle = look.accent;
  const thick = ranks.rowHeight >= kFramed ? 2 : 1;
  context.fillRect(0, y - 1, ranks.moves.width, thick);
  context.fillRect(0, y + ranks.rowHeight - 1, ranks.moves.width, thick);
}
