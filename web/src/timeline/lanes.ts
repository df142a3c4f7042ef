// The list of lanes: what is folded, pinned, hidden, moved and filtered, the scroll position, and the visible
// part.
import { isDerivedGroup } from "./derived";
import type { Host } from "./host";
import { allEntries, around, groupKey, listLanes, siblingsOf, withMoved } from "./lane_list";
import { kRow, layOut, pinnedIn, pinnedShown, scrolledIn, type Layout, type Seen } from "./layout";

export class Lanes {
  layout: Layout;
  height = 0;
  scrollTop = 0;
  /** The row of the selected slice, which stays in sight while the height changes. */
  private kept: { lane: number; row: number } | null = null;
  /** Set by the owner of the scrolled element. */
  scrollTo: (top: number) => void = () => undefined;

  constructor(private host: Host) {
    this.layout = this.laidOut();
  }

  private laidOut(): Layout {
    return layOut(listLanes(this.host.info.groups, this.host.state));
  }

  /** Takes over the state. */
  accept(): void {
    this.layout = this.laidOut();
  }

  toggle(key: string): void {
    const closed = new Set(this.host.state.closed);
    if (!closed.delete(key)) closed.add(key);
    this.host.set({ closed }, "adjust");
  }

  /** Folds or unfolds every group. */
  toggleAll(): void {
    const groups = allEntries(this.host.info.groups, this.host.state);
    const open = groups.some((group) => !group.closed);
    const closed = new Set(this.host.state.closed);
    // Some groups begin closed: for those the key means open.
    for (const { key } of groups.filter((group) => group.closed !== open)) {
      if (!closed.delete(key)) closed.add(key);
    }
    this.host.set({ closed }, "adjust");
  }

  pin(key: string): void {
    const { pinned } = this.host.state;
    if (!pinned.includes(key)) this.host.set({ pinned: [...pinned, key] }, "adjust");
  }

  togglePin(key: string): void {
    const { pinned } = this.host.state;
    const next = pinned.includes(key) ? pinned.filter((other) => other !== key) : [...pinned, key];
    this.host.set({ pinned: next }, "adjust");
  }

  hide(key: string): void {
    const { hidden, pinned } = this.host.state;
    this.host.set(
      { hidden: new Set([...hidden, key]), pinned: pinned.filter((other) => other !== key) },
      "adjust",
    );
  }

  /** Hides the siblings of `key`. */
  hideOthers(key: string): void {
    const siblings = siblingsOf(this.host.info.groups, this.host.state, key) ?? [];
    const others = siblings.filter((other) => other !== key);
    this.host.set({ hidden: new Set([...this.host.state.hidden, ...others]) }, "adjust");
  }

  showAll(): void {
    this.host.set({ hidden: new Set(), kindsOff: new Set(), filter: "" }, "adjust");
  }

  /** The kinds of lanes in the profile, in order of first appearance. */
  kinds(): string[] {
    const groups = this.host.info.groups.filter((group) => !isDerivedGroup(group));
    const kinds = groups.flatMap(({ lanes, counters }) => [
      ...lanes.map(({ kind }) => kind),
      ...counters.map(() => "counter"),
    ]);
    return [...new Set(kinds)];
  }

  toggleKind(kind: string): void {
    const kindsOff = new Set(this.host.state.kindsOff);
    if (!kindsOff.delete(kind)) kindsOff.add(kind);
    this.host.set({ kindsOff }, "adjust");
  }

  /** Shows or hides a group of lanes. */
  toggleGroup(group: number): void {
    const hidden = new Set(this.host.state.hidden);
    if (!hidden.delete(groupKey(group))) hidden.add(groupKey(group));
    this.host.set({ hidden }, "adjust");
  }

  setFilter(filter: string): void {
    this.host.set({ filter }, "adjust");
  }

  /** Keys of the siblings in their current order, from top to bottom. */
  besides(key: string): string[] {
    const { state, info } = this.host;
    if (state.pinned.includes(key)) return [...state.pinned];
    const natural = siblingsOf(info.groups, state, key) ?? [];
    const { placed } = this.layout;
    return placed.flatMap((at) => (natural.includes(at.key) ? [at.key] : []));
  }

  /** Moves `key` to the position of `target`. */
  moveTo(key: string, target: string): void {
    const { state, info } = this.host;
    if (key === target) return;
    if (state.pinned.includes(key)) {
      const pinned = state.pinned.filter((other) => other !== key);
      pinned.splice(state.pinned.indexOf(target), 0, key);
      this.host.set({ pinned }, "adjust");
      return;
    }
    const natural = siblingsOf(info.groups, state, key);
    if (!natural?.includes(target)) return;
    const now = this.allBesides(natural);
    this.host.set({ order: withMoved(state.order, natural, now, key, now.indexOf(target)) }, "adjust");
  }

  /** Moves one place up or down among its visible siblings. */
  step(key: string, by: 1 | -1): void {
    const shown = this.besides(key);
    const target = shown[shown.indexOf(key) + by];
    if (target !== undefined) this.moveTo(key, target);
  }

  /** Siblings in the current order, including those that are not visible. */
  private allBesides(natural: string[]): string[] {
    const wanted = this.host.state.order.filter((key) => natural.includes(key));
    const moved = new Set(wanted);
    let next = 0;
    return natural.map((key) => (moved.has(key) ? wanted[next++] : key));
  }

  /** Opens what is folded around a lane and scrolls no further than needed to show a row of it, and of `other`
   * if both fit. */
  reveal(lane: number, row = 0, other?: { lane: number; row: number }): void {
    if (!this.layout.lanes.has(lane)) this.unfold(lane);
    this.keep(lane, row);
    const own = this.extentOf(lane, row);
    if (!own) return;
    const more = other && this.extentOf(other.lane, other.row);
    const both = more && { top: Math.min(own.top, more.top), bottom: Math.max(own.bottom, more.bottom) };
    const cover = pinnedShown(this.layout, this.height);
    const fits = both && both.bottom - both.top <= this.height - cover;
    const { top, bottom } = fits ? both : own;
    if (top < this.scrollTop + cover || bottom > this.scrollTop + this.height)
      this.scrollTo(Math.max(0, (top + bottom) / 2 - cover - (this.height - cover) / 2));
  }

  /** This row stays in sight from now on, unless the user scrolls it away. */
  keep(lane: number, row: number): void {
    this.kept = { lane, row };
  }

  forget(): void {
    this.kept = null;
  }

  resize(height: number): void {
    const { kept } = this;
    const stays = kept && (this.height <= 0 || this.shows(kept.lane, kept.row));
    this.height = height;
    if (kept && stays && height > 0) this.reveal(kept.lane, kept.row);
  }

  /** Whether a row is in sight. */
  shows(lane: number, row: number): boolean {
    const at = this.layout.lanes.get(lane);
    return at !== undefined && (at.pinned || this.side(lane, row) === 0);
  }

  /** -1: the row is above what is visible, 1: below; 0: visible, pinned, or not listed. */
  side(lane: number, row: number): -1 | 0 | 1 {
    const own = this.extentOf(lane, row);
    if (!own) return 0;
    if (own.top < this.scrollTop + pinnedShown(this.layout, this.height)) return -1;
    return own.bottom > this.scrollTop + this.height ? 1 : 0;
  }

  /** Whether a lane is listed below another one, or would be if it were not folded away. */
  isBelow(lane: number, other: number): boolean {
    const order = this.host.info.groups.flatMap(({ lanes }) => lanes.map((own) => own.lane));
    return order.indexOf(lane) > order.indexOf(other);
  }

  /** Where a row is in the scrolled list; null if it is pinned or not listed. */
  private extentOf(lane: number, row: number): { top: number; bottom: number } | null {
    const at = this.layout.lanes.get(lane);
    if (!at || at.pinned) return null;
    const top = at.top + Math.min(row, at.rows - 1) * at.pitch;
    return { top, bottom: top + Math.min(kRow, at.height) };
  }

  private unfold(lane: number): void {
    const { info, state } = this.host;
    const entries = around(allEntries(info.groups, state), lane) ?? [];
    const closed = new Set(state.closed);
    // Some begin closed: for those the key means open.
    for (const entry of entries.filter((entry) => entry.closed))
      if (!closed.delete(entry.key)) closed.add(entry.key);
    const keys = [String(lane), ...entries.map(({ key }) => key)];
    const hidden = new Set([...state.hidden].filter((key) => !keys.includes(key)));
    this.host.set({ closed, hidden, kindsOff: new Set(), filter: "" }, "adjust");
  }

  /** What is drawn: the scrolled list first, then the pinned lanes over it. */
  seen(): Seen[] {
    return [...scrolledIn(this.layout, this.scrollTop, this.height), ...pinnedIn(this.layout, this.height)];
  }

  /** Numbers of the lanes with slices that are visible, or within half a screen above or below. */
  numbers(): { inSight: number[]; nearby: number[] } {
    return this.numbersOf(({ at }) => (at.lane && at.lane.slices > 0 ? at.lane.lane : -1));
  }

  counters(): { inSight: number[]; nearby: number[] } {
    return this.numbersOf(({ at }) => at.counter?.counter ?? -1);
  }

  private numbersOf(numberOf: (seen: Seen) => number) {
    const inSight = [...new Set(this.seen().map(numberOf))].filter((n) => n >= 0);
    const half = this.height / 2;
    const wide = scrolledIn(this.layout, this.scrollTop - half, this.height + 2 * half);
    const nearby = [...new Set(wide.map(numberOf))].filter((n) => n >= 0 && !inSight.includes(n));
    return { inSight, nearby };
  }
}
