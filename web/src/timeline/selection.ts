// The selected slice: its place is known immediately, its details when the answer arrives.
import { fetchSlice, type Related, type SliceDetail } from "../api/timeline";
import type { Chosen } from "./draw_marks";
import type { Host } from "./host";

export function chosenOf(at: { slice: number; lane: number; start: number; duration: number }): Chosen {
  return { slice: at.slice, lane: at.lane, start: at.start, end: at.start + at.duration };
}

export class Selection {
  chosen: Chosen | null = null;
  detail: SliceDetail | null = null;
  error: Error | null = null;
  /** Settled when the details of the latest selection have arrived, or have failed. */
  known: Promise<void> = Promise.resolve();
  private leaving = new AbortController();

  constructor(private host: Host) {}

  forget(): void {
    this.leaving.abort();
    this.chosen = this.detail = this.error = null;
  }

  leave(): void {
    this.leaving.abort();
  }

  /** Requests a slice; `shown` is called with its place, if that was not known before. */
  load(slice: number, shown?: (chosen: Chosen) => void): void {
    this.known = this.fetchChosen(slice, shown);
  }

  private async fetchChosen(slice: number, shown?: (chosen: Chosen) => void): Promise<void> {
    this.leaving.abort();
    this.leaving = new AbortController();
    this.error = null;
    try {
      const detail = await fetchSlice(this.host.profile, slice, this.leaving.signal);
      if (this.host.state.slice !== slice) return;
      this.detail = detail;
      this.chosen = chosenOf(detail);
      shown?.(this.chosen);
    } catch (error) {
      if ((error as Error).name === "AbortError") return;
      this.detail = null;
      this.error = error as Error;
    }
    this.host.bump();
  }

  /** The nearest relative of a kind, once the slice is known. */
  related(relation: string): Related | undefined {
    const { detail } = this;
    return detail?.slice === this.host.state.slice
      ? detail?.related.find((other) => other.relation === relation)
      : undefined;
  }
}
