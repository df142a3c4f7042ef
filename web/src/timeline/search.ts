// Slices by name: the hits of the text in the field, in time order, and the current hit. A profile may have millions: they
// come in blocks, around the hits that the user steps through.
import { fetchSearch, type Hit, type HitsFrom, type SearchAnswer } from "../api/timeline";
import type { Host } from "./host";

const kBlock = 2000;

export class Search {
  count = 0;
  /** Slices that could not be searched: there may be more hits among them. */
  partial = 0;
  /** Of the current hit, among all; -1: none yet. */
  index = -1;
  /** A block of hits, which begins with number `first`. */
  hits: Hit[] = [];
  private first = 0;
  /** Times of the first hits, for the minimap. */
  ticks: number[] = [];
  /** A step that was requested before the hits arrived. */
  private wished: 1 | -1 | null = null;
  /** The number of the hit that a block was requested for. */
  private aim: number | null = null;
  private searchedText = "";
  private leaving = new AbortController();

  constructor(private host: Host) {}

  leave(): void {
    this.leaving.abort();
  }

  /** The user has moved on: the window must not move any more. */
  forgetWish(): void {
    this.wished = null;
  }

  /** Whether the hits are those of the text in the field. */
  get answered(): boolean {
    return this.searchedText === this.host.state.text && this.host.state.text !== "";
  }

  async find(text: string): Promise<void> {
    this.wished = null;
    const found = await this.fetch(text, { offset: 0 });
    if (!found) return;
    this.count = found.count;
    this.partial = found.partial ?? 0;
    this.index = -1;
    this.searchedText = text;
    this.ticks = found.hits.map(({ start }) => start);
    this.host.bump();
    if (this.wished !== null) this.host.nextHit(this.wished);
  }

  /** Takes the block of hits that begins there; null: another request has taken its place, or it failed. */
  private async fetch(text: string, from: HitsFrom): Promise<SearchAnswer | null> {
    this.leaving.abort();
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    const none: SearchAnswer = { count: 0, first: 0, hits: [] };
    const { profile } = this.host;
    const found =
      text === "" ? none : await fetchSearch(profile, text, kBlock, from, signal).catch(() => null);
    if (!found || signal.aborted) return null;
    this.hits = found.hits;
    this.first = found.first;
    return found;
  }

  /** The next hit, or the one before; the first time from `time` on. If it has not arrived yet, the step is done when it
   * does. */
  step(by: 1 | -1, time: number): Hit | null {
    this.wished = this.answered || this.host.state.text === "" ? null : by;
    if (!this.answered || this.count === 0) return null;
    const aim = this.aim;
    this.aim = null;
    const next = aim ?? (this.index < 0 ? this.beside(by, time) : this.index + by);
    if (next === null) return this.fetchFor(by, { from: Math.floor(time) }, null);
    const wanted = (next + this.count) % this.count;
    const hit = this.hits[wanted - this.first];
    if (hit) this.index = wanted;
    else if (aim === null) {
      const offset = by > 0 ? wanted : Math.max(0, wanted - kBlock + 1);
      return this.fetchFor(by, { offset }, wanted);
    }
    return hit ?? null;
  }

  /** The number of the first hit from `time` on, or of the one before it; null: it is in no block that is here. */
  private beside(by: 1 | -1, time: number): number | null {
    const { first, hits, count } = this;
    const after = hits.findIndex(({ start }) => start >= time);
    const end = first + hits.length;
    if (after < 0 && end < count) return null;
    if (after === 0 && first > 0 && by < 0) return first - 1;
    const place = after < 0 ? end : first + after;
    return by > 0 ? place : place - 1;
  }

  /** Repeats the step when the block is here. */
  private fetchFor(by: 1 | -1, from: HitsFrom, aim: number | null): null {
    void this.fetch(this.searchedText, from).then((found) => {
      if (!found || !this.answered) return;
      this.aim = aim;
      this.host.nextHit(by);
    });
    return null;
  }
}
