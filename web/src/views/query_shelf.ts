// The user's saved queries, by name, in the browser's storage. Each is kept as the text of its file.
import { Atom } from "../base/atom";

export interface SavedQuery {
  name: string;
  text: string;
}

const kKey = "sightline.saved_queries";

function read(): SavedQuery[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(kKey) ?? "[]");
    const isQuery = (each: Partial<SavedQuery>) =>
      typeof each?.name === "string" && typeof each.text === "string";
    return Array.isArray(kept) ? kept.filter(isQuery) : [];
  } catch {
    return [];
  }
}

export const savedQueries = new Atom<SavedQuery[]>(read());

/** False: the browser refused to store it. */
function keep(queries: SavedQuery[]): boolean {
  const sorted = [...queries].sort((a, b) => a.name.localeCompare(b.name));
  try {
    localStorage.setItem(kKey, JSON.stringify(sorted));
  } catch {
    return false;
  }
  savedQueries.set(sorted);
  return true;
}

/** Another page of this browser may have changed them since. */
const others = (name: string) => read().filter((query) => query.name !== name);

export const saveQuery = (query: SavedQuery): boolean => keep([...others(query.name), query]);

export const removeQuery = (name: string): boolean => keep(others(name));
