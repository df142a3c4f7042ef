// The timeline's state as a whole: it owns the parts, keeps the address in step with them, and performs user
// actions that concern several of them. `changed` counts what components must redraw: lanes, details, hits.
import { fetchCounters, type CounterTile } from "../api/counters";
import type { Tile } from "../api/tiles";
import type { Profile, Related, Step, TimelineInfo } from "../api/timeline";
import { Atom } from "../base/atom";
import { makeAxis, type Axis } from "./axis";
import { DerivedLanes, fetchAllTiles, isDerived, kNoSlice } from "./derived";
import { kStepBar } from "./draw_head";
import { holdsSeveral, type Chosen } from "./draw_marks";
import { Flows, isFlow } from "./flows";
import type { Host } from "./host";
import { Lanes } from "./lanes";
import { Markers } from "./markers";
import { Minimap } from "./minimap";
import { Moves } from "./moves";
import { Search } from "./search";
import { chosenOf, Selection } from "./selection";
import { hasNames, kGrouped, type ViewState } from "./state";
import { around, bringInto, type Span } from "./viewport";
import { WindowCache, type Piece } from "./window_cache";

export type Write = (state: ViewState, how: "go" | "adjust") => void;
/** `exact`: the pixel of the drawn tile, which in a page file may be larger than the requested one. */
export type LaneTile = Tile & Piece & { exact: number };
export type CounterPiece = CounterTile & Piece;

/** Pixels: a narrower hit could not be seen, so the window zooms to it, with this many of its lengths on both sides. */
const kLeastSeen = 3;
const kAirOfHit = 12;

export class Controller implements Host {
  readonly changed = new Atom(0);
  /** The recorded lanes, and derived ones if they are shown. */
  info: TimelineInfo;
  readonly extent: Span;
  readonly moves: Moves;
  readonly derived: DerivedLanes;
  readonly lanes: Lanes;
  readonly selection: Selection;
  readonly search: Search;
  readonly markers: Markers;
  readonly minimap: Minimap;
  readonly flows: Flows;
  readonly tiles: WindowCache<LaneTile>;
  readonly counters: WindowCache<CounterPiece>;
  /** Start of a measurement; null if none is in progress. */
  measuring: number | null = null;
  /** Kinds of slices seen so far, for the legend; of derived lanes, with their hues. */
  readonly kinds = new Set<string>();
  readonly causes = new Map<string, string>();
  /** Set by the frame. */
  redraw: () => void = () => undefined;

  private steps: Promise<void> = Promise.resolve();
  private choices = 0;

  constructor(
    readonly profile: Profile,
    private recorded: TimelineInfo,
    public state: ViewState,
    private write: Write,
  ) {
    this.info = recorded;
    this.extent = { start: recorded.start, end: Math.max(recorded.end, recorded.start + 1) };
    this.tiles = new WindowCache<LaneTile>(
      async ({ ids, ...rest }, signal) => {
        const tiles = await fetchAllTiles(profile, { ...rest, lanes: ids }, signal);
        this.note(tiles);
        return tiles.map((tile) => ({
          ...tile,
          id: tile.lane,
          size: tile.marks,
          group: rest.group,
          exact: tile.pixel,
        }));
      },
      this.extent,
      () => this.draw(),
    );
    this.counters = new WindowCache<CounterPiece>(
      async ({ ids, start, end, pixel }, signal) => {
        const tiles = await fetchCounters(profile, { counters: ids, start, end, pixel }, signal);
        return tiles.map((tile) => ({ ...tile, id: tile.counter, size: tile.points, group: "" }));
      },
      this.extent,
      () => this.draw(),
    );
    this.derived = new DerivedLanes(this);
    this.lanes = new Lanes(this);
    this.moves = new Moves(this);
    this.selection = new Selection(this);
    this.search = new Search(this);
    this.flows = new Flows(this);
    this.markers = new Markers(this);
    this.minimap = new Minimap(this);
    this.applyColour();
    this.showDerived();
    if (state.slice !== null) this.loadSlice(state.slice, state.window === null ? "window" : "lane");
    if (state.text !== "") void this.search.find(state.text);
  }

  leave(): void {
    const parts = [
      this.moves,
      this.derived,
      this.selection,
      this.search,
      this.flows,
      this.markers,
      this.minimap,
    ];
    for (const part of [...parts, this.tiles, this.counters]) part.leave();
  }

  bump(): void {
    this.changed.update((n) => n + 1);
    this.draw();
  }

  draw(): void {
    this.redraw();
  }

  set(change: Partial<ViewState>, how: "go" | "adjust"): void {
    if (!("window" in change)) this.moves.flush();
    this.search.forgetWish();
    this.state = { ...this.state, ...change };
    this.write(this.state, how);
    this.showDerived();
    this.applyColour();
    this.bump();
  }

  /** Takes over the state of the address, after Back or a link. */
  accept(state: ViewState): void {
    const before = this.state;
    this.state = state;
    this.showDerived();
    this.moves.accept(state);
    this.applyColour();
    if (state.slice !== before.slice) {
      this.choices++;
      if (state.slice === null) this.selection.forget();
      else this.loadSlice(state.slice, "lane");
    }
    if (state.text !== before.text) void this.search.find(state.text);
    if (state.markers !== before.markers) void this.markers.load();
    this.bump();
  }

  /** Takes over the same lanes in another language. */
  tell(info: TimelineInfo): void {
    if (info === this.recorded) return;
    this.recorded = info;
    this.showDerived();
    this.bump();
  }

  /** Lists the lanes: the recorded ones, and what the steps waited for, as soon as it has arrived. */
  private showDerived(): void {
    const groups = this.derived.groups();
    this.info =
      groups.length === 0
        ? this.recorded
        : { ...this.recorded, groups: [...this.recorded.groups, ...groups] };
    this.lanes.accept();
    this.derived.want(() => {
      this.showDerived();
      this.bump();
    });
  }

  private applyColour(): void {
    this.tiles.group = kGrouped.includes(this.state.colour) ? this.state.colour : "";
  }

  private note(tiles: Tile[]): void {
    const seenBefore = this.kinds.size + this.causes.size;
    for (const { rows, kinds, hues } of tiles) {
      const seen = new Uint8Array(256);
      for (const marks of rows) for (let i = 0; marks && i < marks.length; i++) seen[marks.kind[i]] = 1;
      for (const [kind, title] of kinds.entries()) {
        if (seen[kind] && hues) this.causes.set(title, hues[kind]);
        else if (seen[kind]) this.kinds.add(title);
      }
    }
    // A legend of names covers the visible marks.
    if (this.kinds.size + this.causes.size > seenBefore || hasNames(this.state.colour)) this.bump();
  }

  /** `show`: what comes into sight when the place of the slice is known. */
  private loadSlice(slice: number, show?: "window" | "lane"): void {
    this.selection.load(slice, (chosen) => {
      if (!show) return;
      if (show === "window") this.moves.window = around(chosen, this.extent, 2);
      this.lanes.reveal(chosen.lane, this.selection.detail?.row);
    });
  }

  /** Selects a clicked slice: its place is known. */
  choose(chosen: Chosen, row: number): void {
    if (isDerived(chosen.lane)) return this.follow(chosen);
    if (chosen.slice === this.state.slice) return;
    this.choices++;
    this.lanes.keep(chosen.lane, row);
    this.selection.chosen = chosen;
    this.set({ slice: chosen.slice }, "go");
    this.loadSlice(chosen.slice);
  }

  /** Goes from a mark of a derived lane to the slice that explains it; if there is none, shows its range. */
  private follow(mark: Chosen): void {
    if (mark.slice === kNoSlice)
      return this.setRange({ start: mark.start, end: Math.max(mark.end, mark.start + 1) }, true);
    this.choices++;
    this.set({ slice: mark.slice }, "go");
    this.selection.load(mark.slice, (found) => {
      this.moves.jump(bringInto(this.moves.window, found, this.extent), {});
      this.lanes.reveal(found.lane, this.selection.detail?.row);
    });
  }

  /** Selects a slice and moves to `window`, or no further than needed to show it. */
  jumpTo(to: Chosen, row = 0, window = bringInto(this.moves.window, to, this.extent)): void {
    this.selection.chosen = to;
    this.lanes.reveal(to.lane, row);
    this.moves.jump(window, { slice: to.slice });
    this.loadSlice(to.slice);
  }

  /** Goes to a relative of the selected slice. If a flow leads there, both ends are shown, as far as both fit. */
  goTo(other: Related): void {
    const { detail, chosen } = this.selection;
    const to = chosenOf(other);
    if (!detail || !chosen || !isFlow(other.relation)) return this.jumpTo(to, other.row);
    const both = { start: Math.min(to.start, chosen.start), end: Math.max(to.end, chosen.end) };
    this.jumpTo(to, other.row, bringInto(this.moves.window, both, this.extent));
    this.lanes.reveal(to.lane, other.row, { lane: detail.lane, row: detail.row });
  }

  /** Steps from slice to slice once per key press: each step begins when the slice of the previous one is
   * known. Another selection in the meantime cancels the pending steps. */
  private step(go: () => void): void {
    const { choices } = this;
    this.steps = this.steps
      .then(() => this.selection.known)
      .then(() => {
        if (choices === this.choices) go();
      });
  }

  /** Goes to the first of these relatives that the selected slice has: its parent, the next of the same name. */
  goRelated(...relations: string[]): void {
    this.step(() => {
      const to = relations.map((relation) => this.selection.related(relation)).find((other) => other);
      if (to) this.goTo(to);
    });
  }

  /** The slice before or after the selected one in its row, if the row's marks show it. */
  goBeside(by: 1 | -1): void {
    this.step(() => this.stepBeside(by));
  }

  private stepBeside(by: 1 | -1): void {
    const { detail } = this.selection;
    const tile = detail && this.tileOf(detail.lane);
    const marks = tile?.rows[detail?.row ?? -1];
    const at = marks && detail ? marks.slice.indexOf(detail.slice) + by : -1;
    if (!tile || !marks || !detail || at < 0 || at >= marks.length) return;
    const { slice, start, end } = marks;
    this.jumpTo({ slice: slice[at], lane: tile.lane, start: start[at], end: end[at] }, detail.row);
  }

  deselect(): void {
    this.choices++;
    this.measuring = null;
    this.selection.forget();
    this.lanes.forget();
    this.set({ slice: null, range: null }, "go");
  }

  /** The range, else the selected slice. */
  get target(): Span | null {
    return this.state.range ?? this.selection.chosen;
  }

  setRange(range: Span | null, settled: boolean): void {
    if (settled) this.set({ range }, "adjust");
    else {
      this.state = { ...this.state, range };
      this.draw();
    }
  }

  /** Measures the selected slice, or starts a measurement at the pointer. */
  measure(): void {
    const { chosen } = this.selection;
    if (this.measuring !== null) this.endMeasure();
    else if (chosen)
      this.setRange({ start: chosen.start, end: Math.max(chosen.end, chosen.start + 1) }, true);
    else if (this.moves.pointer >= 0) this.measureFrom(this.pointerTime);
  }

  measureFrom(time: number): void {
    this.measuring = time;
    this.setRange(null, true);
  }

  endMeasure(): void {
    this.measuring = null;
    this.setRange(this.state.range, true);
  }

  get pointerTime(): number {
    const { window, pointer, width } = this.moves;
    return window.start + (pointer / Math.max(1, width)) * (window.end - window.start);
  }

  /** On typing: the address changes immediately, the hits when they arrive. */
  setText(text: string): void {
    this.set({ text }, "adjust");
    void this.search.find(text);
  }

  nextHit(by: 1 | -1): void {
    const hit = this.search.step(by, this.moves.window.start);
    if (!hit) return;
    const to = chosenOf(hit);
    const { window, width } = this.moves;
    const pixels = ((to.end - to.start) / (window.end - window.start)) * width;
    this.jumpTo(to, hit.row, pixels < kLeastSeen ? around(to, this.extent, kAirOfHit) : undefined);
  }

  goToStep(step: Step): void {
    this.moves.jump(around({ start: step.start, end: step.start + step.duration }, this.extent, 0.02));
  }

  tileOf = (lane: number): LaneTile | null => this.tiles.best(lane, this.moves.window, this.moves.width);

  /** The pixel in ns of visible marks that hold several slices, if no finer ones exist; null when all slices are drawn. */
  coarsePixel(): number | null {
    for (const lane of this.lanes.numbers().inSight) {
      const tile = this.tileOf(lane);
      if (tile && tile.exact > tile.pixel && holdsSeveral(tile, this.moves.window)) return tile.exact;
    }
    return null;
  }

  /** Height of the bar with the steps' titles. */
  get stepBar(): number {
    return this.state.bands && this.info.steps.length > 0 ? kStepBar : 0;
  }

  get axis(): Axis {
    return makeAxis(this.state.axis, this.info, this.moves.window, this.state.slice);
  }
}
