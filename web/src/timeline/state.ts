// The timeline's state in the address. Keys are the panel's own ("timeline.window=1200,3400"); default values
// take no room. Invalid numbers, and an empty window, count as absent.
import type { Span } from "./viewport";

export type ColourBy = "category" | "name" | "module" | "operator" | "layer" | "stream";
export type AxisMode = "start" | "step" | "utc" | "local";
export type FlowMode = "none" | "selected" | "all";

/** What of a range is shown: sums by lane and category, names on devices and on the host, a flame graph of the
 * calls, and names with their callers. */
export type RangePart = "sums" | "devices" | "host" | "calls" | "callers";
export const kRangeParts: RangePart[] = ["sums", "devices", "host", "calls", "callers"];

export const kColourBy: ColourBy[] = ["category", "name", "module", "operator", "layer", "stream"];
/** Colourings by an attribute that each mark has besides its name; the request names it. */
export const kGrouped: readonly ColourBy[] = ["module", "operator", "layer"];
/** Colourings by names, which the legend lists. */
export function hasNames(by: ColourBy): boolean {
  return by === "name" || kGrouped.includes(by);
}

export const kAxisModes: AxisMode[] = ["start", "step", "utc", "local"];
export const kFlowModes: FlowMode[] = ["none", "selected", "all"];
export const kFlowKinds = ["launch", "forward_backward", "other"];

export interface ViewState {
  /** Null: all of it. */
  window: Span | null;
  range: Span | null;
  part: RangePart;
  slice: number | null;
  /** Keys of lanes and groups that are folded, or unfolded if they begin folded. */
  closed: ReadonlySet<string>;
  pinned: readonly string[];
  hidden: ReadonlySet<string>;
  /** Kinds of lanes that are not shown: those of the wire, and "counter". */
  kindsOff: ReadonlySet<string>;
  /** Keys that have left their natural place, in the user's order. */
  order: readonly string[];
  /** Keeps the lanes whose names contain these words. */
  filter: string;
  text: string;
  bands: boolean;
  /** Shows the lanes of what the steps waited for. */
  waits: boolean;
  colour: ColourBy;
  /** Classes of marks that stay bright while all others are dimmed; empty: none is dimmed. */
  only: ReadonlySet<string>;
  axis: AxisMode;
  flows: FlowMode;
  /** Kinds of flows switched off. */
  flowsOff: ReadonlySet<string>;
  /** Name of the set of markers; empty: "default". */
  markers: string;
}

type Page = Record<string, string>;

const kKey = /^[gqkm]?\d+$|^c\d+(s\d+)?$/;

function readSpan(text: string | undefined): Span | null {
  const [start, end, ...rest] = (text ?? "").split(",").map((part) => (part === "" ? NaN : Number(part)));
  return rest.length === 0 && Number.isFinite(start) && Number.isFinite(end) && end > start
    ? { start, end }
    : null;
}

function writeSpan(span: Span | null): string {
  if (!span) return "";
  const start = Math.round(span.start);
  return `${start},${Math.max(start + 1, Math.round(span.end))}`;
}

function readKeys(text: string | undefined): string[] {
  return [...new Set((text ?? "").split(",").filter((part) => kKey.test(part)))];
}

function readWords(text: string | undefined): Set<string> {
  return new Set((text ?? "").split(",").filter((part) => /^\w+$/.test(part)));
}

function oneOf<T extends string>(text: string | undefined, choices: readonly T[], otherwise: T): T {
  return choices.includes(text as T) ? (text as T) : otherwise;
}

export function readState(page: Page, key: string): ViewState {
  const get = (name: string) => page[`${key}.${name}`];
  return {
    window: readSpan(get("window")),
    range: readSpan(get("range")),
    part: oneOf(get("part"), kRangeParts, "sums"),
    slice: /^\d+$/.test(get("select") ?? "") ? Number(get("select")) : null,
    closed: new Set(readKeys(get("closed"))),
    pinned: readKeys(get("pinned")),
    hidden: new Set(readKeys(get("hidden"))),
    kindsOff: readWords(get("kindsOff")),
    order: readKeys(get("order")),
    filter: get("filter") ?? "",
    text: get("text") ?? "",
    bands: get("bands") !== "0",
    waits: get("waits") === "1",
    colour: oneOf(get("colour"), kColourBy, "category"),
    only: readWords(get("only")),
    axis: oneOf(get("axis"), kAxisModes, "start"),
    flows: oneOf(get("flows"), kFlowModes, "selected"),
    flowsOff: readWords(get("flowsOff")),
    markers: get("markers") ?? "",
  };
}

/** The page keys for `state`; an empty text removes a key. */
export function writeState(state: ViewState, key: string): Page {
  const sorted = (set: ReadonlySet<string>) => [...set].sort().join(",");
  const unless = (text: string, usual: string) => (text === usual ? "" : text);
  const texts: Page = {
    window: writeSpan(state.window),
    range: writeSpan(state.range),
    part: unless(state.part, "sums"),
    select: state.slice === null ? "" : String(state.slice),
    closed: sorted(state.closed),
    pinned: state.pinned.join(","),
    hidden: sorted(state.hidden),
    kindsOff: sorted(state.kindsOff),
    order: state.order.join(","),
    filter: state.filter,
    text: state.text,
    bands: state.bands ? "" : "0",
    waits: state.waits ? "1" : "",
    colour: unless(state.colour, "category"),
    only: sorted(state.only),
    axis: unless(state.axis, "start"),
    flows: unless(state.flows, "selected"),
    flowsOff: sorted(state.flowsOff),
    markers: state.markers,
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${key}.${name}`, text]));
}
