// The markers of a page file: they cannot be stored, so they last as long as the page is open.
import type { Marker, MarkerSet } from "./timeline";

const kDefault = "default";

export class MarkersInMemory {
  private sets = new Map<string, Map<string, Marker[]>>();

  /** As /api/markers answers GET, PUT and DELETE. */
  answer(parameters: URLSearchParams, { method = "GET", body }: RequestInit): MarkerSet {
    const profile = JSON.stringify(["run", "worker", "span"].map((key) => parameters.get(key) ?? ""));
    const set = parameters.get("set") || kDefault;
    const of = this.sets.get(profile) ?? new Map<string, Marker[]>();
    this.sets.set(profile, of);
    if (method === "PUT") of.set(set, (JSON.parse(String(body)) as { markers: Marker[] }).markers);
    if (method === "DELETE") of.delete(set);
    const sets = [...new Set([kDefault, ...of.keys()])].sort();
    return { sets, set, saved: false, markers: [...(of.get(set) ?? [])] };
  }
}
