// Overlays that follow the pointer: its line over the lanes, its time on the ruler, and the text of what is
// under it. They are elements of the page and not part of the drawing, so moving the pointer redraws nothing.
import { placedUnder, markUnder, timeOf } from "./pointer";
import { inFile } from "../api/source";
import { fetchFacts } from "../api/timeline";
import { timeText } from "./axis";
import type { Controller } from "./controller";
import { kNoSlice } from "./derived";
import { counterText, factsText, hoverText } from "./hover_text";

interface Elements {
  lanes: HTMLCanvasElement;
  tip: HTMLElement;
  line: HTMLElement;
  time: HTMLElement;
}

/** How long the pointer must rest on a slice, in ms, before its facts are requested. */
const kRest = 200;
const kMostKept = 500;

export class HoverTip {
  private facts = new Map<number, string>();
  private shownSlice: number | null = null;
  private timer = 0;
  private leaving = new AbortController();
  private last: { x: number; y: number } | null = null;

  constructor(
    private timeline: Controller,
    private on: Elements,
  ) {}

  /** `y` below 0: on the ruler, where only the time is shown. */
  show(at: { x: number; y: number } | null): void {
    const { lanes, tip, line, time } = this.on;
    const { timeline } = this;
    this.last = at;
    const text = at && at.y >= 0 ? this.textAt(at.x, at.y) : "";
    tip.style.visibility = text === "" ? "hidden" : "visible";
    for (const element of [line, time]) element.style.visibility = at ? "visible" : "hidden";
    if (!at) return;
    const left = lanes.offsetLeft;
    line.style.transform = `translateX(${left + Math.round(at.x)}px)`;
    time.textContent = timeText(timeline.axis, timeOf(timeline, at.x));
    const over = at.x + time.offsetWidth > timeline.moves.width;
    time.style.transform = `translateX(${left + Math.round(over ? at.x - time.offsetWidth : at.x)}px)`;
    if (text === "") return;
    if (tip.textContent !== text) tip.textContent = text;
    const { width } = timeline.moves;
    const { height, scrollTop } = timeline.lanes;
    const flip = at.x + 16 + tip.offsetWidth > width;
    const under = at.y + 20 + tip.offsetHeight <= height;
    const x = left + Math.max(0, flip ? at.x - tip.offsetWidth - 10 : at.x + 14);
    const y = scrollTop + (under ? at.y + 18 : Math.max(0, at.y - tip.offsetHeight - 8));
    tip.style.transform = `translate(${x}px, ${y}px)`;
  }

  leave(): void {
    clearTimeout(this.timer);
    this.leaving.abort();
  }

  /** Requests the facts of the slice under the resting pointer; a page file has none. */
  private rest(slice: number | null): void {
    if (slice === this.shownSlice || inFile()) return;
    this.shownSlice = slice;
    clearTimeout(this.timer);
    this.leaving.abort();
    if (slice === null || this.facts.has(slice)) return;
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    this.timer = window.setTimeout(() => void this.showFacts(slice, signal), kRest);
  }

  private async showFacts(slice: number, signal: AbortSignal): Promise<void> {
    const detail = await fetchFacts(this.timeline.profile, slice, signal).catch(() => null);
    if (!detail || signal.aborted) return;
    if (this.facts.size >= kMostKept) this.facts.clear();
    this.facts.set(slice, factsText(detail.facts));
    if (this.last) this.show(this.last);
  }

  private textAt(x: number, y: number): string {
    const { timeline } = this;
    const hit = markUnder(timeline, x, y);
    this.rest(hit?.count === 1 && hit.slice !== kNoSlice ? hit.slice : null);
    if (hit) {
      const facts = hit.count === 1 ? this.facts.get(hit.slice) : undefined;
      return hoverText(hit, timeline.axis) + (facts ? `\n${facts}` : "");
    }
    const placed = placedUnder(timeline, y);
    const counter = placed?.counter;
    if (!counter) return "";
    const { window, width } = timeline.moves;
    const tile = timeline.counters.best(counter.counter, window, width);
    return counterText(counter, placed.series, tile, timeOf(timeline, x));
  }
}
