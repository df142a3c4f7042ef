// Which letter follows `g` to go to a view: a fixed letter for known views, else the first letter of its id
// that is still free. So a new view has a key without a change here, and it is the same in every language.
import type { ViewEntry } from "../api/types";

const kSettled: Record<string, string> = {
  overview: "o",
  operators: "p",
  kernels: "k",
  modules: "u",
  timeline: "t",
  memory: "m",
  distributed: "d",
  diff: "c",
  query: "s",
  problems: "x",
};

export function viewKeys(views: Pick<ViewEntry, "id">[]): Map<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id } of views) {
    const key = kSettled[id];
    if (key === undefined) continue;
    keys.set(id, key);
    taken.add(key);
  }
  for (const { id } of views) {
    if (keys.has(id)) continue;
    const key = [...(id + "abcdefghijklmnopqrstuvwxyz")].find((c) => /[a-z]/.test(c) && !taken.has(c));
    if (key === undefined) continue;
    keys.set(id, key);
    taken.add(key);
  }
  return keys;
}
