// What the console can query: the tables of a profile, and examples (docs/http.md, "Query").
import type { Schema, SchemaColumn, SchemaTable } from "../base/wire";
import { getJson } from "./client";

export type { Schema, SchemaColumn, SchemaTable };

/** `query` names the profile. */
export function fetchSchema(query: string, signal: AbortSignal): Promise<Schema> {
  return getJson<Schema>(`api/query?${query}`, signal);
}
