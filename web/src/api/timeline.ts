// The timeline's routes that answer JSON (docs/http.md, "Timeline"): lanes and counters, one slice, search,
// flows, markers. tiles.ts and counters.ts read the routes that answer columns of bytes.
import { getJson, reportQuery, sendJson } from "./client";
import type * as wire from "../base/wire";
import type { FlowAnswer, Marker, MarkerSet } from "../base/wire";

export interface Profile {
  run: string;
  worker: string;
  span: string;
}

export type {
  FlowAnswer,
  FlowColumns,
  Hit,
  Lane,
  Marker,
  MarkerSet,
  Related,
  SliceFact,
  SliceLink,
  Step,
} from "../base/wire";

export interface Counter extends wire.Counter {
  /** `name` is the title in English, if it is shown in another language: hues depend on it. */
  series: (wire.CounterSeries & { name?: string })[];
}

export interface LaneGroup extends wire.LaneGroup {
  counters: Counter[];
}

export interface TimelineInfo extends wire.TimelineInfo {
  groups: LaneGroup[];
}

/** A page that is a file does not know the depth. */
export interface SliceDetail extends Omit<wire.SliceDetail, "depth"> {
  /** Why the answer is partial. */
  note?: string;
}

export interface SearchAnswer extends wire.SearchAnswer {
  /** How many slices could not be searched; absent: none. */
  partial?: number;
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

/** Lanes that an analysis makes on request; their numbers are their own. */
export type DerivedName = "waits";

export function fetchDerived(
  profile: Profile,
  derived: DerivedName,
  signal: AbortSignal,
): Promise<TimelineInfo> {
  return getJson<TimelineInfo>(timelineAddress("timeline", profile, { derived }), signal);
}

export function fetchSlice(profile: Profile, slice: number, signal: AbortSignal): Promise<SliceDetail> {
  return getJson<SliceDetail>(timelineAddress("slice", profile, { slice }), signal);
}

/** The same without the recorded event, which may take long to find in a compressed file. */
export function fetchFacts(profile: Profile, slice: number, signal: AbortSignal): Promise<SliceDetail> {
  return getJson<SliceDetail>(timelineAddress("slice", profile, { slice, event: 0 }), signal);
}

/** Where hits begin: at a number in order of time, or at a time. */
export type HitsFrom = { offset: number } | { from: number };

export function fetchSearch(
  profile: Profile,
  text: string,
  limit: number,
  from: HitsFrom,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  return getJson(timelineAddress("search", profile, { text, limit, ...from }), signal);
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
