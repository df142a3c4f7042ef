// What is sent, as the page uses it: base/wire.ts, and what the page adds to it.
import type * as wire from "../base/wire";

export type {
  AdviceItem,
  Cell,
  Ceiling,
  Fact,
  FactEntry,
  Note,
  Panel,
  Parameter,
  ProfilePlace,
  RunState,
  ServerState,
  SpanState,
  TrailStep,
  ViewEntry,
  ViewLink,
  WireRows,
  WorkerState,
} from "../base/wire";

/** The server's, or one of the page's own. */
export interface ApiError extends Omit<wire.WireError, "where"> {
  where?: string;
  /** The templates and values of its texts. */
  messages?: wire.Messages;
}

export interface WireColumn extends wire.WireColumn {
  /** The title in English, if it is shown in another language: hues depend on it. */
  name?: string;
}

export interface WireTable extends wire.WireTable {
  columns: WireColumn[];
  /** In a page file: number of all rows, if the file has only the first ones. */
  all?: number;
}

export interface WireReport extends wire.WireReport {
  tables: Record<string, WireTable>;
}

/** What leads from a row to another view: a RowDetail has no more members. */
export type RowDoor = wire.RowLink;

export type PanelOf<K extends wire.Panel["kind"]> = Extract<wire.Panel, { kind: K }>;
