// The frame: top bar, rail, and one view. The content depends on the state of the open profile: unknown,
// loading, failed, without the view, or ready.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { errorText, type RequestError } from "../api/client";
import { completePlace, findSpan, server, serverError } from "../api/profiles";
import type { ServerState } from "../api/types";
import { adjust, arrivals, go, keepScroll, linkTo, place as placeAtom, scrollOf } from "../base/history";
import { language as languageAtom } from "../base/language";
import { settings as settingsAtom } from "../base/settings";
import { fill, words } from "../base/words";
import { notice } from "../widgets/copy";
import { FloatHost } from "../widgets/float";
import { useAtom } from "../widgets/hooks";
import { lazy } from "../widgets/lazy";
import { Skeleton } from "../widgets/skeleton";
import { DropLayer } from "./drop_layer";
import { LoadingState } from "./loading";
import { viewPlace } from "./navigate";
import { Rail } from "./rail";
import { currentReport, ReportView } from "./report_view";
import { addPageShortcuts } from "./shortcuts";
import { TopBar } from "./top_bar";

const Console = lazy(async () => (await import("./console")).Console);
const EmptyPage = lazy(async () => (await import("./empty_page")).EmptyPage);
const Losses = lazy(async () => (await import("./losses")).Losses);

export function App() {
  const state = useAtom(server);
  const place = useAtom(placeAtom);
  const settings = useAtom(settingsAtom);
  useEffect(() => {
    if (state) adjust((now) => completePlace(state, now));
  }, [state]);
  const language = useAtom(languageAtom);
  useLayoutEffect(() => addPageShortcuts(state?.views ?? []), [state?.views.length, language]);
  const view = state?.views.find((v) => v.id === place.view);
  useEffect(() => {
    document.title = [view?.title, place.run, words.product].filter(Boolean).join(" · ");
  }, [view?.title, place.run]);
  const folded = settings.railFolded === null ? "auto" : String(settings.railFolded);
  return (
    <div class="frame" data-folded={folded}>
      <SkipLink />
      <TopBar />
      <Rail />
      <Content state={state} />
      <FloatHost />
      <DropLayer />
      <Notice />
    </div>
  );
}

function Notice() {
  const text = useAtom(notice);
  return (
    <div class={text ? "notice shown" : "notice"} role="status">
      {text}
    </div>
  );
}

/** The first stop of the Tab key: past the bar and the rail. */
function SkipLink() {
  return (
    <a
      class="skip-link"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById("content")?.focus();
      }}
    >
      {words.skipLink}
    </a>
  );
}

function Content({ state }: { state: ServerState | null }) {
  const place = useAtom(placeAtom);
  const arrival = useAtom(arrivals);
  const error = useAtom(serverError);
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (ref.current) ref.current.scrollTop = scrollOf("page");
  }, [place.view, place.parameters.node, arrival]);
  // A page that is not drawn yet cannot be scrolled: after a reload, scrolling waits until it is.
  const report = useAtom(currentReport);
  useLayoutEffect(() => {
    const kept = scrollOf("page");
    if (ref.current?.scrollTop === 0 && kept > 0) ref.current.scrollTop = kept;
  }, [report]);
  return (
    <main
      class="content"
      id="content"
      tabIndex={-1}
      ref={ref}
      onScroll={(event) => keepScroll("page", event.currentTarget.scrollTop)}
    >
      {error && state && (
        <p class="banner" role="alert">
          {sayGone(error)}
        </p>
      )}
      {state ? <Inside state={state} /> : error ? <Failed title={sayGone(error)} text="" /> : <Skeleton />}
    </main>
  );
}

/** A server that answers gives the reason itself. */
function sayGone(error: RequestError): string {
  return error.status === 0 ? words.serverGone : errorText(error);
}

function Failed({ title, text, where }: { title: string; text: string; where?: string }) {
  return (
    <div class="state" role="alert">
      <h1>{title}</h1>
      {text && <p>{text}</p>}
      {where && <p class="muted code">{fill(words.fileAt, { where })}</p>}
    </div>
  );
}

function NoSuchView({ name, state }: { name: string; state: ServerState }) {
  const first = viewPlace(state.views[0]?.id ?? "");
  return (
    <div class="state" role="alert">
      <h1>{fill(words.noSuchView, { name })}</h1>
      <a
        class="link"
        href={linkTo(first)}
        onClick={(event) => {
          event.preventDefault();
          go(first);
        }}
      >
        {words.opening.toOverview}
      </a>
    </div>
  );
}

function Inside({ state }: { state: ServerState }) {
  const place = useAtom(placeAtom);
  if (state.runs.length === 0) {
    if (place.view === "losses") return <Losses view={state.views.find(({ id }) => id === "losses")} />;
    if (state.loading) return <LoadingState spans={[]} />;
    return <EmptyPage state={state} />;
  }
  const { run, worker, span } = findSpan(state, place);
  if (place.run === "") return <Skeleton />;
  if (!run) return <Failed title={fill(words.noSuchRun, { name: place.run })} text="" />;
  if (!worker) return <Failed title={fill(words.noSuchWorker, { name: place.worker })} text="" />;
  if (!span) return <Failed title={fill(words.noSuchSpan, { name: place.span })} text="" />;
  if (place.view === "") return <Skeleton />; // A link may keep the current view.
  if (span.status === "failed") {
    return (
      <div class="state" role="alert">
        <h1>{words.openFailed}</h1>
        <p>{span.error?.message ?? words.failed}</p>
        <p class="muted code">{span.file}</p>
        {span.error?.where && <p class="muted code">{fill(words.fileAt, { where: span.error.where })}</p>}
      </div>
    );
  }
  if (span.status !== "ready") return <LoadingState spans={run.workers.flatMap((w) => w.spans)} />;
  const view = state.views.find((v) => v.id === place.view);
  if (!view && !state.details.includes(place.view)) return <NoSuchView name={place.view} state={state} />;
  const reason = span.views?.[place.view];
  if (typeof reason === "string") {
    return <Failed title={fill(words.notAvailable, { view: view?.title ?? place.view })} text={reason} />;
  }
  const shown = [place.run, place.worker, place.span, span.readings].join("\n");
  if (place.view === "query") return <Console key={shown} view={view} />;
  if (place.view === "losses") return <Losses view={view} />;
  const read = run.workers.every((w) => w.spans.every((s) => s.status === "ready" || s.status === "failed"));
  return <ReportView key={shown} span={span} view={view} read={read} />;
}
