// Slices by name: the hits of the text in the field, in time order, and the current hit.
import { fetchSearch, type Hit, type SearchAnswer } from "../api/timeline";
import type { Host } from "./host";

const kMostHits = 2000;

export class Search {
  hits: Hit[] = [];
  count = 0;
  /** Slices that could not be searched: there may be more hits among them. */
  partial = 0;
  index = -1;
  /** A step that was requested before the hits arrived. */
  private wished: 1 | -1 | null = null;
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
    this.leaving.abort();
    this.leaving = new AbortController();
    this.wished = null;
    const { signal } = this.leaving;
    const none: SearchAnswer = { count: 0, hits: [] };
    const found =
      text === "" ? none : await fetchSearch(this.host.profile, text, kMostHits, signal).catch(() => null);
    if (!found || signal.aborted) return;
    this.hits = found.hits.sort((a, b) => a.start - b.start);
    this.count = found.count;
    this.partial = found.partial ?? 0;
    this.index = -1;
    this.searchedText = text;
    this.host.bump();
    if (this.wished !== null) this.host.nextHit(this.wished);
  }

  /** The next hit, or the one before; the first time from `time` on. If the hits have not arrived yet, the step
   * is done when they do. */
  step(by: 1 | -1, time: number): Hit | null {
    this.wished = this.answered || this.host.state.text === "" ? null : by;
    if (!this.answered) return null;
    const { length } = this.hits;
    if (length === 0) return null;
    if (this.index < 0) {
      const after = this.hits.findIndex((hit) => hit.start >= time);
      this.index = by > 0 ? Math.max(0, after) : (after <= 0 ? length : after) - 1;
    } else this.index = (this.index + by + length) % length;
    return this.hits[this.index];
  }
}
