// What the console can query: the tables of a profile, and examples (docs/http.md, "Query").
import type { Unit } from "../base/units";
import { getJson } from "./client";

export interface SchemaColumn {
  name: string;
  type: string;
  unit: Unit;
  doc: string;
  /** The table whose `id` the column holds, or empty. */
  row_of: string;
}

export interface SchemaTable {
  name: string;
  doc: string;
  view: boolean;
  /** Null of a view. */
  rows: number | null;
  columns: SchemaColumn[];
}

export interface Schema {
  tables: SchemaTable[];
  examples: { title: string; sql: string }[];
}

/** `query` names the profile. */
export function fetchSchema(query: string, signal: AbortSignal): Promise<Schema> {
  return getJson<Schema>(`api/query?${query}`, signal);
}
