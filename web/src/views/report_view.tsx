// A view: its title and scope, its parameters, notes, and the panels of its report. All views are drawn here; a
// view that needs more than panels (the timeline) has its own file.
import { useEffect, useRef } from "preact/hooks";
import { errorText, reportQuery } from "../api/client";
import type { Note, SpanState, ViewEntry } from "../api/types";
import { Atom } from "../base/atom";
import { place as placeAtom } from "../base/history";
import { fill, words } from "../base/words";
import type { Report } from "../api/client";
import { useAtom } from "../widgets/hooks";
import { Skeleton } from "../widgets/skeleton";
import { DocButton } from "./doc";
import { useFind } from "./find_row";
import { Notes } from "./notes";
import { PanelGrid } from "./panel_grid";
import { ParameterBar } from "./parameters";
import { Trail } from "./trail";
import { useReport } from "./use_report";

/** The current report: the top bar's step filter and the palette read it. */
export const currentReport = new Atom<Report | null>(null);

/** Errors begin in lower case, as they follow the program's name in a terminal. */
function sentence(text: string): string {
  const upper = /^[a-z]+[ ,]/.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /[a-z)0-9]$/.test(upper) ? `${upper}.` : upper;
}

interface Shown {
  span: SpanState;
  view: ViewEntry | undefined;
  /** Whether all workers are read: then the report may say more. */
  read: boolean;
}

export function ReportView({ span, view, read }: Shown) {
  const place = useAtom(placeAtom);
  const query = reportQuery(place);
  const { report, error, waiting, retry } = useReport(query, `${span.status} ${read}`);
  const drawn = report && report.view === place.view ? report : null;
  // After a failure the controls stay, so that the user can change the request.
  const last = useRef<Report | null>(null);
  if (drawn) last.current = drawn;
  const controls = drawn ?? (error && last.current?.view === place.view ? last.current : null);
  useEffect(() => {
    currentReport.set(controls);
    return () => currentReport.set(null);
  }, [controls]);
  const missing = useFind(drawn, place);
  const notes: Note[] = [
    ...(missing ? [{ level: "info" as const, text: fill(words.notFound, { name: missing }) }] : []),
    ...(span.facts ?? [])
      .filter((fact) => fact.label === "note")
      .map(({ text }) => ({ level: "info" as const, text })),
    ...(drawn?.notes ?? []),
  ];
  const notInFile = error?.detail.code === "not_in_file";
  // The profile lacks what the view needs: another try would fail as well.
  const lacking = error?.detail.code === "unsupported";
  const title = drawn?.title ?? view?.title ?? place.view;
  // A timeline fills the window: its own bar is its head.
  const filled = drawn !== null && !error && drawn.panels[0]?.kind === "timeline";
  const classes = ["view", waiting && "waiting", filled && "filled"];
  return (
    <section
      class={classes.filter(Boolean).join(" ")}
      aria-busy={waiting}
      data-view={place.view}
      data-ready={!waiting}
    >
      <div class="busy-line" aria-hidden="true" />
      {filled ? (
        <h1 class="unseen">{title}</h1>
      ) : (
        <header class="view-head">
          <h1>{title}</h1>
          <span class="view-scope">{drawn?.scope}</span>
          {view?.doc && <DocButton title={title} text={view.doc} />}
          {controls && <ParameterBar key={place.view} report={controls} />}
        </header>
      )}
      {drawn?.trail && <Trail steps={drawn.trail} />}
      <Notes notes={notes} />
      {drawn && !error && <PanelGrid report={drawn} prefix="" />}
      {drawn && !error && drawn.panels.length === 0 && <p class="state-line">{words.emptyReport}</p>}
      {error && !waiting && (
        <div class="state" role="alert">
          <h2>{notInFile ? words.notInFileTitle : lacking ? words.lackingReport : words.failedReport}</h2>
          <p>{sentence(errorText(error))}</p>
          {error.detail.where && <p class="muted code">{error.detail.where}</p>}
          {!notInFile && !lacking && (
            <button class="button" onClick={retry}>
              {words.retry}
            </button>
          )}
        </div>
      )}
      {!drawn && !error && <Skeleton />}
    </section>
  );
}
