// The wire, as docs/http.md describes it. Names and texts come from a trace: they are untrusted and are only
// put into text nodes.
import type { Messages } from "../base/translate";
import type { Unit } from "../base/units";

export interface ApiError {
  code: string;
  message: string;
  where?: string;
  /** The templates and values of its texts. */
  messages?: Messages;
}

export interface ViewEntry {
  id: string;
  title: string;
  group: string;
  doc?: string;
  scope?: string;
  /** Keys of its parameters, to find those that another view shares. */
  parameters?: string[];
}

export interface FactEntry {
  label: string;
  text: string;
}

export interface SpanState {
  name: string;
  status: "queued" | "reading" | "ready" | "failed";
  file: string;
  stage?: string;
  /** How often the file was read: when it changes, the content has changed. */
  readings?: number;
  bytes_done?: number;
  bytes_total?: number;
  events?: number;
  megabytes_per_second?: number;
  error?: ApiError | null;
  problems?: number;
  /** A warning to show beside every figure of the profile; usually empty. */
  caution?: string;
  facts?: FactEntry[];
  /** Per view: null when it is available, else the reason why not. */
  views?: Record<string, string | null>;
}

export interface WorkerState {
  name: string;
  spans: SpanState[];
}

export interface RunState {
  name: string;
  workers: WorkerState[];
}

export interface ServerState {
  version: string;
  loading: boolean;
  /** Watched paths: new recordings below them appear. */
  watching?: string[];
  /** The templates and values of its texts. */
  messages?: Messages;
  views: ViewEntry[];
  runs: RunState[];
}

export type Cell = number | string | boolean | null;

export interface WireColumn {
  key: string;
  title: string;
  unit?: Unit;
  type: "integer" | "real" | "text" | "flag";
  doc?: string;
  role?: "label" | "value" | "category";
  /** The value of the faint bar behind the number: another column's key (a share), or the column itself. */
  bar?: string;
  code?: boolean;
  hidden?: boolean;
  unknown?: string;
  /** The title in English, if it is shown in another language: hues depend on it. */
  name?: string;
  /** Texts are words of the program: "all", or the key of the flag column that marks such rows. */
  words?: string;
  /** A difference: written with its sign; an increase is worse. */
  change?: boolean;
  category?: string;
  values: Cell[];
}

export interface RowDoor {
  title?: string;
  view: string;
  parameters: Record<string, string>;
  when?: string;
  /** A text or "$key": the target view scrolls to the row with this label and marks it. */
  find?: string;
  /** A click on the row's mark in a chart follows it immediately. */
  direct?: boolean;
  /** Leads to the second of the report's profiles. */
  other?: boolean;
  /** "$key": opens the worker of that name, in the same run and span. */
  worker?: string;
}

export interface WireTable {
  title: string;
  /** Number of all rows; a paged table comes with the first ones only. */
  rows: number;
  paged?: boolean;
  /** In a page file: number of all rows, if the file has only the first ones. */
  all?: number;
  sort?: { column: string; descending?: boolean };
  columns: WireColumn[];
  row_detail?: RowDoor;
  row_links?: RowDoor[];
  /** While the pointer is on a row, these instants of it are marked in that `lines` panel. */
  marks?: { panel: string; columns: string[] };
}

/** Some rows of a paged table, as sorted and filtered by the server. */
export interface WireRows {
  rows: number;
  of: number;
  offset: number;
  columns: { key: string; values: Cell[]; least?: number | null; most?: number | null }[];
  messages?: Messages;
}

export interface Note {
  level: "info" | "warning";
  text: string;
}

export interface Parameter {
  key: string;
  title: string;
  /** `time`: an integer of ns, or empty when it is not set. A `text` may come with choices to pick from. */
  type: "choice" | "integer" | "text" | "flag" | "time";
  value: string | number | boolean;
  choices?: { value: string; title: string }[];
  doc?: string;
}

export interface Fact {
  label: string;
  value?: number | null;
  unit?: Unit;
  type?: string;
  text?: string;
  doc?: string;
  unknown?: string;
}

export interface AdviceItem {
  id: string;
  severity: "high" | "medium" | "low" | "note";
  title: string;
  evidence?: string;
  action?: string;
  link?: { view: string; parameters?: Record<string, string> } | null;
  doc_url?: string | null;
}

/** A line that no point is above: y is at most slope * x, and at most flat; null is no limit. */
export interface Ceiling {
  label: string;
  slope: number | null;
  flat: number | null;
}

interface PanelHead {
  id: string;
  title: string;
  scope?: string;
  doc?: string;
  notes?: Note[];
  width?: "full" | "half" | "third";
  empty?: string;
}

export type Panel = PanelHead &
  (
    | { kind: "facts"; facts: Fact[] }
    | { kind: "breakdown"; table: string; label: string; value: string; top?: number; total?: number | null }
    | { kind: "bars"; table: string; x: string; series: string[]; stacked?: boolean }
    | {
        kind: "lines";
        table: string;
        x: string;
        series: string[];
        step?: boolean;
        /** Names of the parameters that a selection on the curve sets. */
        select?: { start?: string; end?: string; at?: string };
        marks?: { x: number; label: string }[];
      }
    | { kind: "heatmap"; table: string; x: string; y: string; value: string }
    | {
        kind: "scatter";
        table: string;
        label: string;
        x: string;
        y: string;
        value?: string;
        ceilings?: Ceiling[];
      }
    | { kind: "flame"; table: string; label: string; parent: string; value: string }
    | { kind: "tree"; table: string; parent: string }
    | { kind: "table"; table: string }
    | { kind: "advice"; items: AdviceItem[] }
    | { kind: "timeline" }
  );

export type PanelOf<K extends Panel["kind"]> = Extract<Panel, { kind: K }>;

export interface ProfilePlace {
  run: string;
  worker: string;
  span: string;
}

/** One step of the path to the current level of a report: setting the parameters returns to it. */
export interface TrailStep {
  title: string;
  parameters: Record<string, string>;
}

export interface WireReport {
  view: string;
  title: string;
  scope?: string;
  /** In a report that compares: the baseline, and the compared profile. */
  profiles?: ProfilePlace[];
  trail?: TrailStep[];
  notes?: Note[];
  parameters?: Parameter[];
  panels: Panel[];
  tables: Record<string, WireTable>;
  /** The templates and values of its texts. */
  messages?: Messages;
}
