// Named instants, stored by set with the cache. Changes to a set are saved immediately, one after another; a
// change that could not be saved stays visible and is reported.
import { deleteMarkers, fetchMarkers, saveMarkers, type Marker, type MarkerSet } from "../api/timeline";
import { fill, words } from "../base/words";
import type { Host } from "./host";

export const kDefaultSet = "default";
const kMostMarkers = 1000;

/** Markers are compared by their content: a list that was fetched again holds other objects. */
const isSame = (a: Marker, b: Marker) => a.time === b.time && a.name === b.name;

export class Markers {
  list: Marker[] = [];
  sets: string[] = [];
  /** False: they last as long as the program. */
  saved = true;
  error: Error | null = null;
  private leaving = new AbortController();
  /** The last requested save: the next save, and every read of a set, waits for it. */
  private saving: Promise<void> = Promise.resolve();

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
    const { signal } = this.leaving;
    await this.saving;
    if (signal.aborted) return;
    const answer = await this.receive(fetchMarkers(this.host.profile, this.set, signal));
    if (!answer || signal.aborted) return;
    this.list = answer.markers.sort((a, b) => a.time - b.time);
    this.host.bump();
  }

  /** Waits for an answer: the sets are taken over here, the markers by the caller. */
  private async receive(answer: Promise<MarkerSet>): Promise<MarkerSet | null> {
    try {
      const taken = await answer;
      this.sets = taken.sets;
      this.saved = taken.saved;
      this.error = null;
      return taken;
    } catch (error) {
      if ((error as Error).name !== "AbortError") this.error = error as Error;
      return null;
    } finally {
      this.host.bump();
    }
  }

  /** From here on the local list counts: the answer to a save is older than later changes. */
  private change(list: Marker[]): void {
    this.leaving.abort();
    this.list = list.sort((a, b) => a.time - b.time);
    this.host.bump();
    const { set, list: markers } = this;
    this.saving = this.saving.then(async () => {
      await this.receive(saveMarkers(this.host.profile, set, markers));
    });
  }

  /** Adds a marker and returns it, so that it can be named immediately. */
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
    this.change(this.list.map((other) => (isSame(other, marker) ? { ...marker, name } : other)));
  }

  remove(marker: Marker): void {
    this.change(this.list.filter((other) => !isSame(other, marker)));
  }

  /** Shows another set, as it was saved. */
  open(set: string): void {
    this.host.set({ markers: set === kDefaultSet ? "" : set }, "adjust");
    void this.load();
  }

  /** Saves the shown set under another name, and continues with that. */
  saveAs(set: string): void {
    const { list } = this;
    this.host.set({ markers: set === kDefaultSet ? "" : set }, "adjust");
    this.change(list);
  }

  removeSet(): void {
    const { set } = this;
    this.leaving.abort();
    this.saving = this.saving.then(async () => {
      await this.receive(deleteMarkers(this.host.profile, set));
    });
    this.host.set({ markers: "" }, "adjust");
    void this.load();
  }
}
