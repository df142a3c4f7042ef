// Names of a column, shortened so that different ones look different.
import type { TextColumn } from "../api/table_data";
import { Shortener, shortenName } from "../base/names";

const shorteners = new WeakMap<object, Shortener>();

/** `name` is one of the column's texts, or one with something added. */
export function shortNameOf(column: { kind: string }, name: string, width: number): string {
  if (column.kind !== "text") return shortenName(name, width);
  let shortener = shorteners.get(column);
  if (!shortener) shorteners.set(column, (shortener = new Shortener((column as TextColumn).shown)));
  return shortener.short(name, width);
}
