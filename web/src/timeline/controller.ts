// The timeline's state and what the reader can do with it. The window changes with every frame of a pan,
// so it lives here and not in a component: a change asks for one frame to be drawn, and is written to the
// address when the hand rests. `changed` counts what components must draw anew: lanes, details, hits.
import { fetchSearch, fetchSlice, fetchTiles } from "../api/timeline";
import type { Hit, Profile, SliceDetail, Tile, TimelineInfo } from "../api/timeline";
import { Atom } from "../base/atom";
import type { Chosen } from "./draw_marks";
import { kStepBar, stripOf, type Strip } from "./draw_head";
import { between, kRow, layOut, type Layout } from "./layout";
import type { ViewState } from "./state";
import { TileCache } from "./tile_cache";
import { around, bringInto, keepInside, panBy, pixelFor, withAir, zoomAt, type Span } from "./viewport";

export type Write = (state: ViewState, how: "go" | "adjust") => void;

const kRestMs = 200;
const kMostHits = 2000;
const kMinimapColumns = 600;
const kDeviceKinds = ["device_stream", "engine", "queue"];

export class Controller {
  readonly changed = new Atom(0);
  readonly extent: Span;
  readonly cache: TileCache;
  window: Span;
  layout: Layout;
  chosen: Chosen | null = null;
  detail: SliceDetail | null = null;
  detailError: Error | null = null;
  hits: Hit[] = [];
  hitCount = 0;
  hitIndex = -1;
  strips: Strip[] = [];
  width = 0;
  height = 0;
  scrollTop = 0;
  /** The pointer's x over the lanes; negative when it is elsewhere. */
  pointer = -1;
  /** Set by who draws. */
  redraw: () => void = () => undefined;
  scrollTo: (top: number) => void = () => undefined;

  private resting = 0;
  private leaveSlice = new AbortController();
  private leaveSearch = new AbortController();
  private leaveAll = new AbortController();
  private asked = "";

  constructor(
    readonly profile: Profile,
    readonly info: TimelineInfo,
    public state: ViewState,
    private write: Write,
  ) {
    this.extent = { start: info.start, end: Math.max(info.end, info.start + 1) };
    const ask = (request: { lanes: number[] } & Span & { pixel: number }, signal: AbortSignal) =>
      fetchTiles(profile, request.lanes, request, signal);
    this.cache = new TileCache(ask, this.extent, () => this.draw());
    this.layout = layOut(info.groups, state.closed);
    this.window = this.windowOf(state);
    if (state.slice !== null) void this.loadSlice(state.slice, state.window === null);
    if (state.text !== "") void this.search(state.text);
    void this.loadMinimap();
  }

  leave(): void {
    clearTimeout(this.resting);
    this.cache.leave();
    for (const leave of [this.leaveSlice, this.leaveSearch, this.leaveAll]) leave.abort();
  }

  private windowOf(state: ViewState): Span {
    return state.window ? keepInside(state.window, this.extent) : withAir(this.extent);
  }

  private bump(): void {
    this.changed.update((n) => n + 1);
    this.draw();
  }

  draw(): void {
    this.redraw();
  }

  /** Takes over what the address says, after Back or a link. */
  accept(state: ViewState): void {
    const before = this.state;
    this.state = state;
    this.layout = layOut(this.info.groups, state.closed);
    clearTimeout(this.resting);
    this.window = this.windowOf(state);
    if (state.slice !== before.slice) {
      if (state.slice === null) this.forgetSlice();
      else void this.loadSlice(state.slice, false);
    }
    if (state.text !== before.text) void this.search(state.text);
    this.bump();
  }

  private set(change: Partial<ViewState>, how: "go" | "adjust"): void {
    this.flush();
    this.state = { ...this.state, ...change };
    this.write(this.state, how);
    this.bump();
  }

  /** Writes a window that is still resting, so that a step of Back returns to it. */
  private flush(): void {
    if (this.resting === 0) return;
    clearTimeout(this.resting);
    this.resting = 0;
    this.state = { ...this.state, window: this.windowText() };
    this.write(this.state, "adjust");
  }

  private windowText(): Span | null {
    const all = withAir(this.extent);
    return this.window.start === all.start && this.window.end === all.end ? null : this.window;
  }

  /** Follows the hand. */
  move(window: Span): void {
    this.window = window;
    clearTimeout(this.resting);
    this.resting = self.setTimeout(() => this.flush(), kRestMs);
    this.draw();
  }

  /** A jump, from which Back returns. */
  jump(window: Span, change: Partial<ViewState> = {}): void {
    this.flush();
    this.window = window;
    this.set({ ...change, window: this.windowText() }, "go");
  }

  zoom(factor: number, x = this.pointer >= 0 ? this.pointer : this.width / 2): void {
    this.move(zoomAt(this.window, factor, x, this.width, this.extent));
  }

  pan(pixels: number): void {
    this.move(panBy(this.window, pixels, this.width, this.extent));
  }

  fit(): void {
    const { range } = this.state;
    const target = range ?? this.chosen;
    const window = target ? around(target, this.extent) : withAir(this.extent);
    const same = window.start === this.window.start && window.end === this.window.end;
    this.jump(same ? withAir(this.extent) : window);
  }

  setRange(range: Span | null, settled: boolean): void {
    if (settled) this.set({ range }, "adjust");
    else {
      this.state = { ...this.state, range };
      this.draw();
    }
  }

  measure(): void {
    if (this.chosen)
      this.setRange(
        { start: this.chosen.start, end: Math.max(this.chosen.end, this.chosen.start + 1) },
        true,
      );
  }

  toggle(key: string): void {
    const closed = new Set(this.state.closed);
    if (!closed.delete(key)) closed.add(key);
    this.layout = layOut(this.info.groups, closed);
    this.set({ closed }, "adjust");
  }

  setBands(bands: boolean): void {
    this.set({ bands }, "adjust");
  }

  /** Chooses what was clicked: where it lies is known. */
  choose(chosen: Chosen): void {
    if (chosen.slice === this.state.slice) return;
    this.chosen = chosen;
    this.set({ slice: chosen.slice }, "go");
    void this.loadSlice(chosen.slice, false);
  }

  /** Chooses a slice and moves no more than needed to show it. */
  jumpTo(to: Chosen): void {
    this.chosen = to;
    this.reveal(to);
    this.jump(bringInto(this.window, to, this.extent), { slice: to.slice, closed: this.state.closed });
    void this.loadSlice(to.slice, false);
  }

  private reveal(to: Chosen): void {
    const group = this.info.groups.findIndex((g) => g.lanes.some(({ lane }) => lane === to.lane));
    const closed = new Set(this.state.closed);
    if (closed.delete(`g${group}`)) {
      this.state = { ...this.state, closed };
      this.layout = layOut(this.info.groups, closed);
    }
    const at = this.layout.lanes.get(to.lane);
    if (!at) return;
    const room = this.height - kRow;
    if (at.top < this.scrollTop || at.top + Math.min(at.height, room) > this.scrollTop + this.height)
      this.scrollTo(Math.max(0, at.top - Math.max(0, (this.height - at.height) / 2)));
  }

  zoomTo(range: Span): void {
    this.jump(around(range, this.extent));
  }

  deselect(): void {
    this.forgetSlice();
    this.set({ slice: null, range: null }, "go");
  }

  private forgetSlice(): void {
    this.leaveSlice.abort();
    this.chosen = this.detail = this.detailError = null;
  }

  same(relation: "previous" | "next"): void {
    const to = this.detail?.related.find((other) => other.relation === relation);
    if (to) this.jumpTo({ slice: to.slice, lane: to.lane, start: to.start, end: to.start + to.duration });
  }

  private async loadSlice(slice: number, show: boolean): Promise<void> {
    this.leaveSlice.abort();
    this.leaveSlice = new AbortController();
    this.detailError = null;
    try {
      const detail = await fetchSlice(this.profile, slice, this.leaveSlice.signal);
      if (this.state.slice !== slice) return;
      this.detail = detail;
      const { lane, start, duration } = detail;
      this.chosen = { slice, lane, start, end: start + duration };
      if (show) {
        this.window = around(this.chosen, this.extent, 2);
        this.reveal(this.chosen);
      }
    } catch (error) {
      if ((error as Error).name === "AbortError") return;
      this.detail = null;
      this.detailError = error as Error;
    }
    this.bump();
  }

  /** The reader types: the address follows, hits follow when they arrive. */
  setText(text: string): void {
    this.set({ text }, "adjust");
    void this.search(text);
  }

  private async search(text: string): Promise<void> {
    this.leaveSearch.abort();
    this.leaveSearch = new AbortController();
    const { signal } = this.leaveSearch;
    const found = text === "" ? { count: 0, hits: [] } : await this.askSearch(text, signal);
    if (!found || signal.aborted) return;
    this.hits = found.hits.sort((a, b) => a.start - b.start);
    this.hitCount = found.count;
    this.hitIndex = -1;
    this.asked = text;
    this.bump();
  }

  private askSearch(text: string, signal: AbortSignal) {
    return fetchSearch(this.profile, text, kMostHits, signal).catch(() => null);
  }

  /** Whether the hits are those of the text in the field. */
  get searched(): boolean {
    return this.asked === this.state.text && this.state.text !== "";
  }

  /** The first time: the first hit after the window's start. */
  nextHit(by: 1 | -1): void {
    const { length } = this.hits;
    if (length === 0) return;
    if (this.hitIndex < 0) {
      const after = this.hits.findIndex((hit) => hit.start >= this.window.start);
      this.hitIndex = by > 0 ? Math.max(0, after) : (after <= 0 ? length : after) - 1;
    } else this.hitIndex = (this.hitIndex + by + length) % length;
    const { slice, lane, start, duration } = this.hits[this.hitIndex];
    this.jumpTo({ slice, lane, start, end: start + duration });
  }

  tileOf = (lane: number): Tile | null => this.cache.best(lane, this.window, this.width);

  /** Lanes in sight: only these are asked for. */
  lanesInSight(): number[] {
    const seen = between(this.layout, this.scrollTop, this.scrollTop + this.height);
    return seen.flatMap(({ lane }) => (lane && lane.slices > 0 ? [lane.lane] : []));
  }

  /** Height of the bar with the steps' titles. */
  get stepBar(): number {
    return this.state.bands && this.info.steps.length > 0 ? kStepBar : 0;
  }

  private async loadMinimap(): Promise<void> {
    const lanes = this.info.groups.flatMap((group) => group.lanes).sort((a, b) => b.slices - a.slices);
    const device = lanes.filter(({ kind }) => kDeviceKinds.includes(kind)).slice(0, 8);
    const host = lanes.filter(({ kind }) => kind === "host_thread").slice(0, 4);
    const { extent } = this;
    const window = { start: Math.floor(extent.start), end: Math.ceil(extent.end) + 1 };
    const request = { ...window, pixel: pixelFor(extent, kMinimapColumns) };
    for (const [kind, of] of [
      ["host", host],
      ["kernel", device],
    ] as const) {
      if (of.length === 0) continue;
      const numbers = of.map(({ lane }) => lane);
      const tiles = await fetchTiles(this.profile, numbers, request, this.leaveAll.signal).catch(() => null);
      if (!tiles) return;
      this.strips = [...this.strips, { kind, shares: stripOf(tiles, extent, kMinimapColumns) }];
      this.draw();
    }
  }
}
