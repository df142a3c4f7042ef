// The wire, as docs/http.md describes it. Names and texts in here come from a trace: they are untrusted
// and are only ever put into text nodes.
import type { Messages } from "../base/translate";
import type { Unit } from "../base/units";

export interface ApiError {
  code: string;
  message: string;
  where?: string;
  /** How its texts are put together. */
  messages?: Messages;
}

export interface ViewEntry {
  id: string;
  title: string;
  group: string;
  doc?: string;
  scope?: string;
  /** Keys of its parameters: what may be carried over from another view. */
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
  /** How often the file was read: another number is another content. */
  readings?: number;
  bytes_done?: number;
  bytes_total?: number;
  events?: number;
  megabytes_per_second?: number;
  error?: ApiError | null;
  problems?: number;
  /** What must be beside every figure of the profile; usually empty. */
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
  /** Paths that are looked at again, so that what is recorded there appears. */
  watching?: string[];
  /** How its texts are put together. */
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
  /** What the faint bar behind the number shows: another column's key (a share), or itself. */
  bar?: string;
  code?: boolean;
  hidden?: boolean;
  unknown?: string;
  /** The title in English, if it is shown in another language: hues depend on it. */
  name?: string;
  /** Texts are the program's own words: "all", or the key of the flag column that says of which rows. */
  words?: string;
  /** A difference: written with its sign; more is worse. */
  change?: boolean;
  category?: string;
  values: Cell[];
}

export interface RowDoor {
  title?: string;
  view: string;
  parameters: Record<string, string>;
  when?: string;
  /** A text or "$key": the row of that label is scrolled to and marked in the view it leads to. */
  find?: string;
  /** A click on the row's mark in a chart takes it at once. */
  direct?: boolean;
  /** Leads to the second of the report's profiles. */
  other?: boolean;
  /** "$key": the worker of that name is opened, of the same run and span. */
  worker?: string;
}

export interface WireTable {
  title: string;
  /** How many there are; a paged table comes with the first of them only. */
  rows: number;
  paged?: boolean;
  /** In a page that is a file: how many there are, when only the first came along. */
  all?: number;
  sort?: { column: string; descending?: boolean };
  columns: WireColumn[];
  row_detail?: RowDoor;
  row_links?: RowDoor[];
  /** While a row is pointed at, these instants of it are marked in that `lines` panel. */
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

/** A line that no point is above: y is at most slope * x, and at most flat; null is no such limit. */
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

/** One step of the way into what a report shows: setting the parameters leads back there. */
export interface TrailStep {
  title: string;
  parameters: Record<string, string>;
}

export interface WireReport {
  view: string;
  title: string;
  scope?: string;
  /** Of a report that compares: the baseline, and what it is compared with. */
  profiles?: ProfilePlace[];
  trail?: TrailStep[];
  notes?: Note[];
  parameters?: Parameter[];
  panels: Panel[];
  tables: Record<string, WireTable>;
  /** How its texts are put together. */
  messages?: Messages;
}
