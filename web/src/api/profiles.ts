// The profiles of the server and their state, polled: every 300 ms while something loads, every 5 s after that
// (new captures appear while a job runs). When a profile's status changes, kept reports are dropped, since
// their answers may change.
import { Atom } from "../base/atom";
import { language } from "../base/language";
import type { Place } from "../base/place";
import type { ViewEntry } from "../base/wire";
import { fetchState, forgetReports, type RequestError } from "./client";
import { spokenState } from "./spoken";
import type { RunState, ServerState, SpanState, WorkerState } from "./types";

const kBusyMs = 300;
const kIdleMs = 5000;

/** In the current language; `answered` is the server's answer. */
export const server = new Atom<ServerState | null>(null);
let answered: ServerState | null = null;
/** Why the last poll failed; null while the server answers. */
export const serverError = new Atom<RequestError | null>(null);

let timer = 0;
let look: () => Promise<void> = async () => {};

/** Reads the state without waiting for the next poll. */
export function lookNow(): Promise<void> {
  return look();
}

export function startPolling(): void {
  let known = "";
  const poll = async () => {
    clearTimeout(timer);
    let wait = kIdleMs;
    try {
      const state = await fetchState();
      const now = JSON.stringify(statuses(state));
      if (known !== "" && now !== known) forgetReports();
      known = now;
      if (JSON.stringify(answered) !== JSON.stringify(state)) server.set(spokenState((answered = state)));
      serverError.set(null);
      if (state.loading) wait = kBusyMs;
    } catch (error) {
      serverError.set(error as RequestError);
      wait = 2000;
    }
    clearTimeout(timer); // two looks may overlap
    timer = window.setTimeout(poll, document.hidden ? Math.max(wait, kIdleMs) : wait);
  };
  look = poll;
  void poll();
  language.watch(() => answered && server.set(spokenState(answered)));
}

function statuses(state: ServerState): unknown {
  return state.runs.map((run) =>
    run.workers.map((worker) =>
      worker.spans.map((span) => [run.name, worker.name, span.name, span.status, span.readings]),
    ),
  );
}

export interface Found {
  run: RunState | undefined;
  worker: WorkerState | undefined;
  span: SpanState | undefined;
}

export function findSpan(state: ServerState | null, place: Pick<Place, "run" | "worker" | "span">): Found {
  const run = state?.runs.find((r) => r.name === place.run);
  const worker = run?.workers.find((w) => w.name === place.worker);
  const span = worker?.spans.find((s) => s.name === place.span);
  return { run, worker, span };
}

/** Fills the missing parts of a place with the first that exists; a readable span comes before a failed one. */
export function completePlace(state: ServerState, place: Place): Place {
  const run = state.runs.find((r) => r.name === place.run) ?? (place.run === "" ? state.runs[0] : undefined);
  if (!run) return place;
  const worker =
    run.workers.find((w) => w.name === place.worker) ??
    (place.worker === "" ? (run.workers.find((w) => w.spans.some(isReadable)) ?? run.workers[0]) : undefined);
  if (!worker) return { ...place, run: run.name };
  const span =
    worker.spans.find((s) => s.name === place.span) ??
    (place.span === "" ? (worker.spans.find(isReadable) ?? worker.spans[0]) : undefined);
  const first = firstView(state.views, span);
  const view = place.view !== "" ? place.view : (first?.id ?? "");
  return { ...place, run: run.name, worker: worker.name, span: span?.name ?? place.span, view };
}

/**
 * The first view that answers a question about the profile; else the first that it has. The timeline asks none, nor does what
 * every profile has, such as its metadata.
 */
function firstView(views: ViewEntry[], span: SpanState | undefined): ViewEntry | undefined {
  const plain = ["timeline", "metadata"].map((name) => views.find(({ id }) => id === name)?.group);
  const has = ({ id }: ViewEntry) => span?.views[id] === null;
  const answers = ({ scope, group }: ViewEntry) =>
    scope !== "runs" && scope !== "pair" && !plain.includes(group);
  return views.find((view) => has(view) && answers(view)) ?? views.find(has) ?? views[0];
}

function isReadable(span: SpanState): boolean {
  return span.status !== "failed";
}
