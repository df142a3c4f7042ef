// Named instants, kept by set with the catalogue. What the reader does to a set is saved at once; a change
// that could not be saved stays in sight and is told.
import { deleteMarkers, fetchMarkers, saveMarkers, type Marker, type MarkerSet } from "../api/timeline";
import { fill, words } from "../base/words";
import type { Host } from "./host";

export const kDefaultSet = "default";
const kMostMarkers = 1000;

export class Markers {
  list: Marker[] = [];
  sets: string[] = [];
  /** False: they last as long as the program. */
  saved = true;
  error: Error | null = null;
  private leaving = new AbortController();

  constructor(private host: Host) {
    void this.load();
  }

  get set(): string {
    return this.host.state.markers || kDefaultSet;
  }

  leave(): void {
    this.leaving.abort();
  }

  async load(): Promise<void> {
    this.leaving.abort();
    this.leaving = new AbortController();
    await this.take(fetchMarkers(this.host.profile, this.set, this.leaving.signal));
  }

  private async take(answer: Promise<MarkerSet>): Promise<void> {
    try {
      const { sets, saved, markers } = await answer;
      this.sets = sets;
      this.saved = saved;
      this.list = markers.sort((a, b) => a.time - b.time);
      this.error = null;
    } catch (error) {
      if ((error as Error).name === "AbortError") return;
      this.error = error as Error;
    }
    this.host.bump();
  }

  private change(list: Marker[]): void {
    this.leaving.abort();
    this.list = list.sort((a, b) => a.time - b.time);
    this.host.bump();
    void this.take(saveMarkers(this.host.profile, this.set, this.list));
  }

  /** Adds a marker and answers it, so that it can be named at once. */
  add(time: number): Marker {
    let n = this.list.length + 1;
    const free = (name: string) => !this.list.some((marker) => marker.name === name);
    while (!free(fill(words.timeline.markerName, { n }))) n++;
    const marker = { time: Math.round(time), name: fill(words.timeline.markerName, { n }) };
    if (this.list.length < kMostMarkers) this.change([...this.list, marker]);
    return marker;
  }

  rename(marker: Marker, name: string): void {
    if (name === "" || name === marker.name) return;
    this.change(this.list.map((other) => (other === marker ? { ...marker, name } : other)));
  }

  remove(marker: Marker): void {
    this.change(this.list.filter((other) => other !== marker));
  }

  /** Shows another set, as it was saved. */
  open(set: string): void {
    this.host.set({ markers: set === kDefaultSet ? "" : set }, "adjust");
    void this.load();
  }

  /** Saves what is shown under another name, and goes on there. */
  saveAs(set: string): void {
    const { list } = this;
    this.host.set({ markers: set === kDefaultSet ? "" : set }, "adjust");
    this.change(list);
  }

  async removeSet(): Promise<void> {
    const gone = deleteMarkers(this.host.profile, this.set);
    this.host.set({ markers: "" }, "adjust");
    await gone.catch((error: Error) => (this.error = error));
    await this.load();
  }
}
