// The state of ranks on one axis: the rows and their order, the window, what is selected, and the collective that is
// shown with all its ranks.
import { fetchCollective, type AxisCollective, type OnAxis, type RankAxis } from "../../api/ranks";
import { Atom } from "../../base/atom";
import type { Theme } from "../../base/hues";
import { Moves } from "../moves";
import type { Span } from "../viewport";
import { Alignment, sortedRows } from "./alignment";
import { doingOf, Palette, runAt, type Doing } from "./paint";
import type { RanksState } from "./ranks_state";
import { Sheets } from "./sheets";

export type Write = (state: RanksState, how: "go" | "adjust") => void;

const kLeastRow = 2;
const kMostRow = 22;
/** Pixels below a row in which its rank's lanes are shown. */
export const kUnfolded = 240;
/** Pixels around the pointer in which a collective is found. */
const kReach = 3;

export interface Under {
  row: number;
  time: number;
  doing: Doing | null;
  share: number;
}

/** A collective, and the row at which it was found. */
export interface Linked {
  row: number;
  collective: AxisCollective;
}

export class RanksController {
  readonly changed = new Atom(0);
  readonly moves: Moves;
  readonly sheets: Sheets;
  alignment: Alignment;
  order: number[];
  extent: Span;
  height = 0;
  scrollTop = 0;
  /** Under the pointer, and of the selection. */
  hovered: Linked | null = null;
  selected: Linked | null = null;
  redraw: () => void = () => undefined;
  scrollTo: (top: number) => void = () => undefined;
  /** Called with every frame: what is drawn elsewhere, for the same window. */
  readonly followers = new Set<() => void>();
  private asking: AbortController | null = null;
  private palette: Palette;

  constructor(
    readonly on: OnAxis,
    public axis: RankAxis,
    public state: RanksState,
    private write: Write,
    private theme: Theme,
  ) {
    this.alignment = new Alignment(axis, state);
    this.order = sortedRows(axis, state.sort);
    this.extent = this.alignment.extent();
    this.palette = new Palette(axis.activities, state.passes, theme);
    this.moves = new Moves(this);
    this.sheets = this.makeSheets();
    this.loadSelected();
  }

  private makeSheets(): Sheets {
    return new Sheets({
      on: this.on,
      count: () => this.axis.ranks.length,
      isReady: (row) => (this.axis.ranks[row]?.clock ?? null) !== null,
      shift: (row, time) => this.alignment.shift(row, time),
      extent: this.extent,
      changed: () => this.draw(),
    });
  }

  leave(): void {
    this.moves.leave();
    this.sheets.leave();
    this.asking?.abort();
  }

  // What Moves needs.
  get info(): { span: Span } {
    return { span: this.extent };
  }

  draw(): void {
    this.redraw();
  }

  bump(): void {
    this.changed.update((n) => n + 1);
    this.draw();
  }

  set(change: Partial<RanksState>, how: "go" | "adjust"): void {
    this.take({ ...this.state, ...change });
    this.write(this.state, how);
    this.bump();
  }

  accept(state: RanksState): void {
    this.take(state);
    this.moves.accept(state);
    this.bump();
  }

  /** Takes over ranks that were read meanwhile; what is shown stays. */
  renew(axis: RankAxis): void {
    if (axis === this.axis) return;
    const [before, old] = [this.alignment, this.axis];
    this.axis = axis;
    this.alignment = new Alignment(axis, this.state);
    this.order = sortedRows(axis, this.state.sort);
    this.palette = new Palette(axis.activities, this.state.passes, this.theme);
    const first = this.moves.written === null;
    Object.assign(this.extent, this.alignment.extent());
    if (first) this.moves.window = this.moves.home;
    if (this.hasMoved(before, old)) this.sheets.drop();
    else this.sheets.repaint(this.order, this.palette);
    if (!this.selected) this.loadSelected();
    this.bump();
  }

  /** Whether a row is another rank than before, or elsewhere on the axis. */
  private hasMoved(before: Alignment, { ranks }: RankAxis): boolean {
    const now = this.axis.ranks;
    const isOther = (row: number) => now[row].worker !== ranks[row].worker || now[row].run !== ranks[row].run;
    const shifted = (row: number) =>
      ranks[row].clock !== null && before.shift(row) !== this.alignment.shift(row);
    return ranks.length !== now.length || now.some((_, row) => isOther(row) || shifted(row));
  }

  private take(state: RanksState): void {
    const before = this.state;
    this.state = state;
    if (state.align !== before.align || state.shifts !== before.shifts) {
      this.alignment = new Alignment(this.axis, state);
      Object.assign(this.extent, this.alignment.extent());
      this.sheets.drop();
    }
    if (state.sort !== before.sort || state.passes !== before.passes) {
      this.order = sortedRows(this.axis, state.sort);
      this.palette = new Palette(this.axis.activities, state.passes, this.theme);
      this.sheets.repaint(this.order, this.palette);
    }
    if (state.select !== before.select) this.loadSelected();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.palette = new Palette(this.axis.activities, this.state.passes, theme);
    this.sheets.repaint(this.order, this.palette);
    this.draw();
  }

  /** As high as fits, so that all ranks are on the screen if they can be. */
  get rowHeight(): number {
    const fitting = Math.floor(this.height / Math.max(1, this.order.length));
    return Math.min(kMostRow, Math.max(kLeastRow, fitting));
  }

  get contentHeight(): number {
    return this.topOf(this.order.length);
  }

  /** The place of the row that is unfolded; -1: none. */
  get unfoldedAt(): number {
    const { unfolded } = this.state;
    return unfolded === null || !this.axis.ranks[unfolded]?.clock ? -1 : this.order.indexOf(unfolded);
  }

  /** Pixels from the first row to the row at a place. */
  topOf(place: number): number {
    const open = this.unfoldedAt;
    return place * this.rowHeight + (open >= 0 && place > open ? kUnfolded : 0);
  }

  /** The place of the row at a pixel, as a fraction; null: among the lanes of the unfolded one. */
  placeAt(y: number): number | null {
    const open = this.unfoldedAt;
    const below = open < 0 ? Infinity : (open + 1) * this.rowHeight;
    if (y < below) return y / this.rowHeight;
    return y < below + kUnfolded ? null : (y - kUnfolded) / this.rowHeight;
  }

  /** Places of the visible rows: [first, last). */
  visible(): [number, number] {
    const { scrollTop, height, order } = this;
    const inLanes = this.unfoldedAt + 1;
    const first = Math.floor(this.placeAt(scrollTop) ?? inLanes);
    const last = Math.ceil(this.placeAt(scrollTop + height) ?? inLanes);
    return [Math.max(0, first), Math.min(order.length, last)];
  }

  unfold(row: number): void {
    this.set({ unfolded: this.state.unfolded === row ? null : row }, "adjust");
  }

  want(): void {
    const { moves, order, palette } = this;
    const [first, last] = this.visible();
    this.sheets.want(moves.window, moves.width, order, palette, first, last);
  }

  under(x: number, y: number): Under | null {
    const { window, width } = this.moves;
    const row = this.order[Math.floor(this.placeAt(y + this.scrollTop) ?? -1)];
    if (row === undefined || width <= 0) return null;
    const time = window.start + (x / width) * (window.end - window.start);
    const sheet = this.sheets.current;
    const runs = sheet?.rows.get(row);
    const at = sheet && runs ? runAt(runs, Math.floor((time - sheet.window.start) / sheet.pixel)) : -1;
    if (!runs || at < 0) return { row, time, doing: null, share: 0 };
    const doing = doingOf(runs.code[at], this.axis.activities, this.state.passes);
    return { row, time, doing, share: runs.share[at] / 255 };
  }

  private ask(row: number, time: number, answer: (linked: Linked | null) => void): void {
    this.asking?.abort();
    const leave = (this.asking = new AbortController());
    const { window, width } = this.moves;
    const reach = (kReach * (window.end - window.start)) / Math.max(1, width);
    const own = time - this.alignment.shift(row, time);
    fetchCollective(this.on, this.axis.ranks.length, row, own, reach, leave.signal).then(
      (collective) => {
        if (leave.signal.aborted) return;
        answer(collective && { row, collective });
      },
      () => undefined,
    );
  }

  /** Shows the collective under the resting pointer on all its ranks; null: none. */
  hover(under: Under | null): void {
    if (under === null) {
      if (this.hovered === null) return;
      this.hovered = null;
      return this.draw();
    }
    this.ask(under.row, under.time, (linked) => {
      this.hovered = linked;
      this.bump();
    });
  }

  choose(under: Under): void {
    this.set({ select: { rank: under.row, time: under.time } }, "go");
  }

  deselect(): void {
    this.set({ select: null }, "go");
  }

  private loadSelected(): void {
    this.selected = null;
    const { select } = this.state;
    if (!select || !this.axis.ranks[select.rank]?.clock) return;
    this.ask(select.rank, select.time, (linked) => {
      this.selected = linked;
      this.bump();
    });
  }

  shiftBy(row: number, ns: number): void {
    const shifts = new Map(this.state.shifts);
    if (ns === 0) shifts.delete(row);
    else shifts.set(row, Math.round(ns));
    this.set({ shifts }, "adjust");
  }

  /** How many ranks are shown at a place that is not known. */
  get uncertain(): number {
    return this.axis.ranks.filter((_, row) => this.alignment.isUncertain(row)).length;
  }
}
