// The timeline's routes that answer JSON (docs/http.md, "Timeline"): lanes and counters, one slice, search,
// flows, markers. tiles.ts and counters.ts read the routes that answer columns of bytes.
import { getJson, reportQuery, sendJson } from "./client";
import type { Messages } from "../base/translate";
import type { Unit } from "../base/units";
import type { Fact } from "./types";

export interface Profile {
  run: string;
  worker: string;
  span: string;
}

export interface Lane {
  lane: number;
  kind: string;
  title: string;
  part?: string;
  rows: number;
  slices: number;
  start: number;
  end: number;
}

export interface Counter {
  counter: number;
  title: string;
  unit: Unit;
  doc: string;
  /** The series have the names from the file. */
  named: boolean;
  /** `name` is the title in English, if it is shown in another language: hues depend on it. */
  series: { title: string; name?: string }[];
  /** The greatest value; null if none is known. */
  most: number | null;
  points: number;
}

export interface LaneGroup {
  title: string;
  lanes: Lane[];
  counters: Counter[];
}

export interface Step {
  title: string;
  start: number;
  duration: number;
  slice: number | null;
}

export interface TimelineInfo {
  start: number;
  end: number;
  /** The profiler's own window. */
  span: { start: number; end: number };
  origin_unix_ns: string | null;
  groups: LaneGroup[];
  steps: Step[];
  colours: { group: string; title: string; available: boolean }[];
  /** The templates and values of its texts. */
  messages?: Messages;
}

/** A slice and where it is drawn. */
interface DrawnSlice {
  slice: number;
  name: string;
  kind: string;
  lane: number;
  row: number;
  start: number;
  duration: number;
}

export interface Related extends DrawnSlice {
  relation: string;
}

/** A row of another view that counts the slice. */
export interface SliceLink {
  title: string;
  view: string;
  parameters: Record<string, string>;
  find?: string;
}

export interface SliceDetail extends DrawnSlice {
  facts: Fact[];
  related: Related[];
  links: SliceLink[];
  event: string | null;
  /** The templates and values of its texts. */
  messages?: Messages;
  /** Why the answer is partial. */
  note?: string;
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
  /** In order of time. */
  hits: Hit[];
  /** How many slices could not be searched; absent: none. */
  partial?: number;
}

/** Columns of equal length, one entry per flow. */
export interface FlowColumns {
  kind: string[];
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
  flows: FlowColumns;
}

export interface Marker {
  time: number;
  name: string;
}

export interface MarkerSet {
  sets: string[];
  set: string;
  /** False: they last as long as the program. */
  saved: boolean;
  markers: Marker[];
}

export interface FlowRequest {
  lanes: number[];
  start: number;
  end: number;
  pixel: number;
  kinds: string[];
}

export function timelineAddress(
  route: string,
  profile: Profile,
  more: Record<string, string | number> = {},
): string {
  const query = reportQuery({ ...profile, view: "", parameters: {} });
  const rest = Object.entries(more).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `api/${route}?${[query, ...rest].join("&")}`;
}

export function fetchTimeline(profile: Profile, signal: AbortSignal): Promise<TimelineInfo> {
  return getJson<TimelineInfo>(timelineAddress("timeline", profile), signal);
}

export function fetchSlice(profile: Profile, slice: number, signal: AbortSignal): Promise<SliceDetail> {
  return getJson<SliceDetail>(timelineAddress("slice", profile, { slice }), signal);
}

/** The same without the recorded event, which may take long to find in a compressed file. */
export function fetchFacts(profile: Profile, slice: number, signal: AbortSignal): Promise<SliceDetail> {
  return getJson<SliceDetail>(timelineAddress("slice", profile, { slice, event: 0 }), signal);
}

export function fetchSearch(
  profile: Profile,
  text: string,
  limit: number,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  return getJson(timelineAddress("search", profile, { text, limit }), signal);
}

export function fetchFlows(profile: Profile, request: FlowRequest, signal: AbortSignal): Promise<FlowAnswer> {
  const { lanes, start, end, pixel, kinds } = request;
  const window = `lanes=${lanes.join(",")}&start=${start}&end=${end}&pixel=${pixel}&kinds=${kinds.join(",")}`;
  return getJson(`${timelineAddress("flows", profile)}&${window}`, signal);
}

/** Address of the window's Chrome trace, for a link. */
export function exportAddress(
  profile: Profile,
  lanes: number[],
  window: { start: number; end: number },
): string {
  const range = `start=${Math.round(window.start)}&end=${Math.round(window.end)}`;
  return `${timelineAddress("export", profile)}&lanes=${lanes.join(",")}&${range}`;
}

export function fetchMarkers(profile: Profile, set: string, signal: AbortSignal): Promise<MarkerSet> {
  return getJson(timelineAddress("markers", profile, { set }), signal);
}

export function saveMarkers(profile: Profile, set: string, markers: Marker[]): Promise<MarkerSet> {
  return sendJson("PUT", timelineAddress("markers", profile, { set }), { markers });
}

export function deleteMarkers(profile: Profile, set: string): Promise<MarkerSet> {
  return sendJson("DELETE", timelineAddress("markers", profile, { set }), {});
}
