// The wire: what the program sends (docs/http.md). Printed by `sightline types`: do not edit. Names and texts come from a
// trace: they are untrusted and are only put into text nodes.

/** A name or figure; a template and the values of its gaps `{}`; or several of these with `between` between them. */
export type Said = string | Said[] | { list: Said[]; between: string };

/** The templates and values of an answer's texts, by their English. */
export type Messages = Record<string, Said>;

/** Null is unknown. */
export type Cell = number | string | boolean | null;

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

export type NoteLevel = "info" | "warning";

export interface Note {
  level: NoteLevel;
  text: string;
}

export type ParameterType = "choice" | "integer" | "text" | "flag" | "time";

export interface ParameterChoice {
  value: string;
  title: string;
}

export interface Parameter {
  key: string;
  title: string;
  /** `time`: an integer of ns, or empty when it is not set. A `text` may come with choices to pick from. */
  type: ParameterType;
  value: string;
  choices?: ParameterChoice[];
  doc?: string;
}

export type Unit =
  | "none"
  | "ns"
  | "bytes"
  | "count"
  | "share"
  | "percent"
  | "per_second"
  | "bytes_per_second"
  | "hertz"
  | "flops"
  | "flops_per_second"
  | "flops_per_byte"
  | "id";

export type CellType = "integer" | "real" | "text" | "flag";

export interface Fact {
  label: string;
  value: Cell;
  unit: Unit;
  type: CellType;
  /** What the value reads as, unless it is a number. */
  text?: string;
  doc?: string;
  /** Why the value is unknown. */
  unknown?: string;
}

export interface FactSheet {
  kind: "facts";
  facts: Fact[];
}

export interface BreakdownChart {
  kind: "breakdown";
  table: string;
  label: string;
  value: string;
  /** Slices drawn; the rest is one more. */
  top: number;
  /** When the rows do not sum to the whole. */
  total?: number | null;
}

export interface BarChart {
  kind: "bars";
  table: string;
  x: string;
  series: string[];
  stacked?: boolean;
}

/** The parameters that a `lines` panel sets: by dragging over it, and by a click. */
export interface RangeSelect {
  start?: string;
  end?: string;
  at?: string;
}

export interface LineMark {
  x: number;
  label: string;
}

export interface LineChart {
  kind: "lines";
  table: string;
  x: string;
  series: string[];
  step?: boolean;
  select?: RangeSelect;
  marks?: LineMark[];
}

export interface HeatmapChart {
  kind: "heatmap";
  table: string;
  value: string;
  x: string;
  y: string;
}

/** A line that no point is above: y is at most slope * x, and at most flat; null is no limit. */
export interface Ceiling {
  label: string;
  slope: number | null;
  flat: number | null;
}

/** Both axes are logarithmic. */
export interface ScatterChart {
  kind: "scatter";
  table: string;
  label: string;
  /** What the size of a point shows. */
  value?: string;
  x: string;
  y: string;
  ceilings?: Ceiling[];
}

export interface FlameChart {
  kind: "flame";
  table: string;
  label: string;
  value: string;
  parent: string;
  /** The roots are at the bottom. */
  up?: boolean;
}

/** Rectangles on rows over one axis of time. */
export interface GanttChart {
  kind: "gantt";
  table: string;
  /** The column that names the rows which are together. */
  group: string;
  /** The column that names the row. */
  lane: string;
  start: string;
  length: string;
  label: string;
  /** The column of the categories whose colours the rectangles have. */
  hue: string;
}

/** Boxes in layers, and arrows between them. */
export interface GraphChart {
  kind: "graph";
  table: string;
  /** The column that names a box. */
  label: string;
  /** The column of its second line. */
  detail: string;
  /** The column of the number that its shade shows. */
  value: string;
  /** Counts from the top. */
  layer: string;
  /** The centre of the box within its layer, in widths of a box. */
  place: string;
  /** The flag of the box that the graph is around. */
  here: string;
  /** The table of the arrows. */
  edges: string;
  /** Its column of the row that an arrow comes from. */
  from: string;
  to: string;
}

export interface TreeTable {
  kind: "tree";
  table: string;
  parent: string;
}

export interface PlainTable {
  kind: "table";
  table: string;
  /** Rows that are unknown in this column are folded behind one line. */
  known?: string;
}

export type Severity = "high" | "medium" | "low" | "note";

export interface ViewLink {
  view: string;
  title?: string;
  /** Of the view; a key with a dot is a state of the page, such as the window of the timeline. */
  parameters: Record<string, string>;
}

export interface AdviceItem {
  id: string;
  severity: Severity;
  /** What can be won at most, in ns per step; null: unknown. */
  gain: number | null;
  /** The gain as a share of the step. */
  share: number | null;
  /** The scenario that predicts the gain: the parameter `change` of the view what_if. */
  change?: string;
  title: string;
  /** The figures that led to it. */
  evidence: string;
  /** The call that it is about, and its line of source. */
  where?: string;
  /** What to try first, in a few words. */
  brief?: string;
  /** What to try. */
  action: string;
  link: ViewLink | null;
  /** Of other rules that found the same cause, to their evidence. */
  more_links?: ViewLink[];
  doc_url: string | null;
}

export interface AdviceList {
  kind: "advice";
  items: AdviceItem[];
}

/** One figure of a verdict. */
export interface VerdictItem {
  id: string;
  label: string;
  value: string;
  note?: string;
  doc?: string;
}

/** The answer in one line, and a bar of the parts that it is about: the rows of the table. */
export interface VerdictStrip {
  kind: "verdict";
  items: VerdictItem[];
  table: string;
  label: string;
  value: string;
  /** The column of the categories whose colours the parts have. */
  hue: string;
}

/** A program, or another text in lines. */
export interface CodeText {
  kind: "code";
  text: string;
  /** The name to save it under. */
  file: string;
}

/** The page draws it from the timeline's own routes. */
export interface TimelineCanvas {
  kind: "timeline";
}

export interface PanelHead {
  id: string;
  title: string;
  scope?: string;
  doc?: string;
  /** full, half or third. */
  width?: string;
  /** The sentence shown when there is nothing to draw. */
  empty?: string;
  notes?: Note[];
}

export type PanelContent =
  | FactSheet
  | BreakdownChart
  | BarChart
  | LineChart
  | HeatmapChart
  | ScatterChart
  | FlameChart
  | GanttChart
  | GraphChart
  | TreeTable
  | PlainTable
  | AdviceList
  | VerdictStrip
  | CodeText
  | TimelineCanvas;

export type Panel = PanelHead & PanelContent;

export interface TableSort {
  column: string;
  descending: boolean;
}

export type ColumnRole = "value" | "label" | "category";

export interface WireColumn {
  key: string;
  title: string;
  unit: Unit;
  type: CellType;
  role: ColumnRole;
  doc?: string;
  /** The value of the faint bar behind the number: another column's key (a share), or the column itself. */
  bar?: string;
  /** The fixed hue of the series. */
  category?: string;
  /** Why unknown cells are unknown. */
  unknown?: string;
  /** Texts are words of the program: "all", or the key of the flag column that marks such rows. */
  words?: string;
  /** A name or code: in a mono font, cut in the middle. */
  code?: boolean;
  hidden?: boolean;
  /** A difference: written with its sign; an increase is worse. */
  change?: boolean;
  values: Cell[];
}

export interface RowDetail {
  title: string;
  view: string;
  parameters: Record<string, string>;
  /** A flag column: only rows where it holds have the detail. */
  when?: string;
}

export interface RowLink {
  title: string;
  view: string;
  parameters: Record<string, string>;
  /** A flag column: only rows where it holds have the link. */
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

/** While the pointer is on a row, the instants in these columns are marked in that `lines` panel. */
export interface RowMarks {
  panel: string;
  columns: string[];
}

export interface WireTable {
  title: string;
  /** Number of all rows; a paged table comes with the first ones only. */
  rows: number;
  paged?: boolean;
  sort?: TableSort;
  columns: WireColumn[];
  row_detail?: RowDetail;
  row_links?: RowLink[];
  marks?: RowMarks;
}

export interface WireReport {
  view: string;
  title: string;
  scope: string;
  /** In a report that compares: the baseline, and the compared profile. */
  profiles?: ProfilePlace[];
  trail?: TrailStep[];
  notes: Note[];
  parameters: Parameter[];
  panels: Panel[];
  tables: Record<string, WireTable>;
  /** The templates and values of its texts. */
  messages?: Messages;
}

export interface WireColumnRows {
  key: string;
  values: Cell[];
  /** Of the whole column. */
  least?: number | null;
  most?: number | null;
}

/** Some rows of a paged table, as sorted and filtered by the server. */
export interface WireRows {
  /** How many match. */
  rows: number;
  of: number;
  offset: number;
  columns: WireColumnRows[];
  /** The templates and values of its texts. */
  messages?: Messages;
}

export type ViewScope = "profile" | "pair" | "ranks" | "none" | "runs";

export interface ViewEntry {
  id: string;
  title: string;
  group: string;
  doc: string;
  scope: ViewScope;
  /** Keys of its parameters, to find those that another view shares. */
  parameters: string[];
}

export type LoadStatus = "queued" | "reading" | "ready" | "failed";

export interface WireError {
  code: string;
  message: string;
  /** The file and the byte, where there is one. */
  where: string;
}

export interface FactEntry {
  label: string;
  text: string;
}

export interface SpanState {
  name: string;
  status: LoadStatus;
  file: string;
  stage: string;
  bytes_done: number;
  bytes_total: number;
  events: number;
  /** How often the file was read: when it changes, the content has changed. */
  readings: number;
  megabytes_per_second: number;
  /** Reading time so far, or in total. */
  seconds: number;
  error: WireError | null;
  problems: number;
  /** A warning to show beside every figure of the profile; usually empty. */
  caution: string;
  facts: FactEntry[];
  /** Per view: null when it is available, else the reason why not. */
  views: Record<string, string | null>;
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
  /** Grows when a member changes its meaning or goes away; new members alone do not change it. */
  wire: number;
  loading: boolean;
  /** Watched paths: new recordings below them appear. */
  watching: string[];
  views: ViewEntry[];
  /** Ids of the views that only rows of other views open. */
  details: string[];
  runs: RunState[];
  /** The templates and values of its texts. */
  messages?: Messages;
}

export interface Interval {
  start: number;
  end: number;
}

export type LaneKind = "host_thread" | "device_stream" | "engine" | "queue" | "counter" | "other";

export interface Lane {
  lane: number;
  kind: LaneKind;
  title: string;
  /** ranges, or python: the Python stack of a thread. */
  part: string;
  /** It has next to no slices beside the others: it begins folded. */
  minor: boolean;
  rows: number;
  slices: number;
  start: number;
  end: number;
}

export interface CounterSeries {
  title: string;
  /** The greatest value; null if none is known. */
  most: number | null;
}

export interface Counter {
  counter: number;
  title: string;
  unit: Unit;
  doc: string;
  /** The series have the names from the file. */
  named: boolean;
  series: CounterSeries[];
  /** The greatest value; null if none is known. */
  most: number | null;
  points: number;
}

export interface LaneGroup {
  title: string;
  /** It holds next to nothing, or nothing of a process: it begins folded. */
  minor: boolean;
  lanes: Lane[];
  counters: Counter[];
}

export interface Step {
  title: string;
  start: number;
  duration: number;
  slice: number | null;
}

export interface ColourGroup {
  group: string;
  title: string;
  available: boolean;
}

export interface TimelineInfo {
  start: number;
  end: number;
  /** The profiler's own window. */
  span: Interval;
  origin_unix_ns: string | null;
  groups: LaneGroup[];
  steps: Step[];
  /** What slices can be coloured by. */
  colours: ColourGroup[];
  /** There are lanes of what the steps waited for. */
  waits: boolean;
  /** The templates and values of its texts. */
  messages?: Messages;
}

export type SliceKind =
  | "other"
  | "step"
  | "op"
  | "python"
  | "module"
  | "annotation"
  | "data_loading"
  | "optimizer"
  | "host_communication"
  | "runtime"
  | "overhead"
  | "sync"
  | "span"
  | "device_annotation"
  | "measurement"
  | "kernel"
  | "memcpy"
  | "memset"
  | "collective";

/** A text, or a number with its unit. */
export interface SliceFact {
  label: string;
  text?: string;
  value?: number | null;
  unit?: Unit;
  type?: CellType;
}

export interface Related {
  relation: string;
  slice: number;
  name: string;
  kind: SliceKind;
  lane: number;
  row: number;
  start: number;
  duration: number;
}

/** A row of another view that counts the slice. */
export interface SliceLink {
  title: string;
  view: string;
  parameters: Record<string, string>;
  find?: string;
}

export interface SliceDetail {
  slice: number;
  name: string;
  kind: SliceKind;
  lane: number;
  row: number;
  start: number;
  duration: number;
  depth: number;
  facts: SliceFact[];
  related: Related[];
  links: SliceLink[];
  /** The slice's own text in the file. */
  event: string | null;
  /** The templates and values of its texts. */
  messages?: Messages;
}

export interface Hit {
  slice: number;
  lane: number;
  row: number;
  start: number;
  duration: number;
  name: string;
}

export interface SearchAnswer {
  count: number;
  /** How many hits come before these. */
  first: number;
  /** In order of time. */
  hits: Hit[];
}

export type FlowKind = "launch" | "forward_backward" | "other";

/** Columns of equal length, one entry per flow. */
export interface FlowColumns {
  kind: FlowKind[];
  from: number[];
  to: number[];
  from_lane: number[];
  from_row: number[];
  from_time: number[];
  to_lane: number[];
  to_row: number[];
  to_time: number[];
}

export interface FlowAnswer {
  /** Number of all flows; the columns hold `shown` of them. */
  count: number;
  shown: number;
  lanes: number[];
  flows: FlowColumns;
}

export interface Marker {
  time: number;
  name: string;
}

export interface MarkerSet {
  /** Names of all sets. */
  sets: string[];
  set: string;
  /** False: they last as long as the program. */
  saved: boolean;
  markers: Marker[];
}

export interface TileRow {
  lane: number;
  row: number;
  first: number;
  count: number;
}

/** A column after the header of an answer in columns. */
export interface ColumnPlace {
  name: string;
  /** f64, u32 or u8. */
  type: string;
  /** In bytes, from the end of the header. */
  offset: number;
}

export interface TileHeader {
  start: number;
  end: number;
  pixel: number;
  marks: number;
  rows: TileRow[];
  kinds: string[];
  names: string[];
  /** Of derived lanes, by kind: a category, or a text that a colour is made from. */
  hues?: string[];
  /** If the request names a grouping. */
  groups?: string[];
  columns: ColumnPlace[];
}

export interface CounterRow {
  counter: number;
  series: number;
  first: number;
  count: number;
}

export interface CounterHeader {
  start: number;
  end: number;
  pixel: number;
  rows: CounterRow[];
  columns: ColumnPlace[];
}

/** A time t of the rank is t + shift - drift * (t - at) on the axis. */
export interface RankClock {
  /** reference, one_clock, collective_ends, order_of_ends or unknown. */
  rule: string;
  title: string;
  /** Else `shift` is from the Unix times of the files, or 0. */
  known: boolean;
  shift: number;
  at: number;
  drift: number | null | null;
  /** Ns that it is ahead of the reference, after the Unix times of the files. */
  offset: number | null | null;
  /** Ns. */
  spread: number | null | null;
  ends: number;
  /** It is not known. */
  why?: string;
}

export interface RankStep {
  number: number;
  start: number;
  end: number;
}

export interface RankPlace {
  dimension: number;
  group: number;
  /** Within the group. */
  place: number;
}

/** Times are of its own clock. */
export interface AxisRank {
  run: string;
  worker: string;
  span: string;
  /** 0: the span of the request; 1: the added one. */
  job: number;
  status: string;
  rank: number | null;
  role: string;
  host: string;
  start: number;
  end: number;
  /** Null unless it is read. */
  clock: RankClock | null;
  steps: RankStep[];
  /** Ns per step that others waited for it; null if unknown. */
  caused: number | null | null;
  places: RankPlace[];
}

export interface RankAxis {
  ranks: AxisRank[];
  /** Kinds of groups that the ranks are divided into. */
  dimensions: string[];
  /** By code; 8 is added to those that overlap with communication. */
  activities: string[];
  /** The templates and values of its texts. */
  messages?: Messages;
}

export interface ActivityRow {
  rank: number;
  first: number;
  count: number;
  /** Where its first run begins, in pixels from the start of the window. */
  start: number;
  /** Ns; more than that of the window if nothing finer is known. */
  pixel: number;
}

export interface ActivityHeader {
  start: number;
  end: number;
  pixel: number;
  runs: number;
  rows: ActivityRow[];
  columns: ColumnPlace[];
}

/** Times are of its own clock. */
export interface CollectiveRank {
  rank: number;
  start: number;
  end: number;
  slice: number;
}

export interface AxisCollective {
  kind: string;
  name: string;
  group: string;
  about: string;
  sequence: number | null;
  /** That the rank contributed. */
  bytes: number | null;
  /** Ranks of the group. */
  size: number | null;
  step: number | null;
  /** On which it is known; the requested one alone if it is not matched. */
  ranks: CollectiveRank[];
  /** The row of the rank that came last. */
  last: number | null;
  /** Ns. */
  transfer: number | null;
  /** Ns, over all its ranks. */
  waited: number | null;
}

export interface CollectiveAnswer {
  /** Null: none is there. */
  collective: AxisCollective | null;
}

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
  /** Null for a view. */
  rows: number | null;
  columns: SchemaColumn[];
}

export interface SqlExample {
  title: string;
  sql: string;
}

export interface Schema {
  tables: SchemaTable[];
  examples: SqlExample[];
}

export interface CaptureTarget {
  pid: number;
  user: string;
  devices: string;
  /** Of the framework. */
  release: string;
  command: string;
  /** It is being recorded. */
  busy: boolean;
}

export interface CaptureState {
  running: boolean;
  /** Folder of the results; null: this page cannot record. */
  folder: string | null;
  progress: string;
  error: string;
  notes: string[];
  files: string[];
  /** Result of the last search; null: no search yet. */
  processes: CaptureTarget[] | null;
  /** The templates and values of its texts. */
  messages?: Messages;
}

/** Files that were sent together. */
export interface Upload {
  id: string;
  name: string;
  files: number;
  size: number;
  arrived: number;
  /** Bytes of the file that show whether the server can open it: send them first; 0: send all of it. */
  head: number;
  /** Whether all files have arrived and were opened. */
  open: boolean;
  profiles: ProfilePlace[];
  /** Files that are not profiles, and why. */
  left_out: WireError[];
  /** The templates and values of its texts. */
  messages?: Messages;
}

/** A profile of the server's cache. */
export interface Recent {
  key: string;
  run: string;
  worker: string;
  file: string;
  bytes: number;
  events: number;
  /** ms since 1970. */
  last_used: number;
}

export interface Opening {
  /** Whether it takes files. */
  files: boolean;
  /** Whether it opens paths of its machine. */
  paths: boolean;
  /** Bytes that it takes now. */
  room: number;
  uploads: Upload[];
  /** The profiles of the cache that were used last. */
  recent: Recent[];
}

/** The answer of a request that failed. */
export interface ErrorBody {
  error: WireError;
  /** The templates and values of its texts. */
  messages?: Messages;
}
