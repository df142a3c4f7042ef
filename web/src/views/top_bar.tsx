// The top bar: the open profile (run, worker, span: each a searchable picker), the step filter if the report
// has one, search everywhere, problems, and the theme.
import { capture, lookAtCapture } from "../api/capture";
import { lookAtOpening, opening as openingAtom } from "../api/opening";
import { findSpan, server } from "../api/profiles";
import { useEffect } from "preact/hooks";
import type { ProfilePlace, ServerState, SpanState } from "../api/types";
import { place as placeAtom } from "../base/history";
import { kOther, type Place } from "../base/place";
import { changeSettings, settings as settingsAtom } from "../base/settings";
import { fill, grouped, words } from "../base/words";
import { shortenName } from "../base/names";
import { anchorOf, closeFloat, openFloat } from "../widgets/float";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { Picker, type PickerItem } from "../widgets/picker";
import { FileList } from "./loading";
import { compareWith, goToProfile, goToView, kStepKeys, swapWith } from "./navigate";
import { openPalette } from "./palette";
import { ParameterControl, setParameter } from "./parameters";
import { currentReport } from "./report_view";
import { openKeySheet } from "./key_sheet";
import { LanguageButton } from "./language_button";

interface CrumbProps {
  what: string;
  name: string;
  items: () => PickerItem[];
  typed?: (query: string) => PickerItem;
}

function Crumb({ what, name, items, typed }: CrumbProps) {
  const title = fill(words.choose, { what: what.toLowerCase() });
  return (
    <button
      class="crumb"
      aria-haspopup="dialog"
      aria-label={`${what}: ${name}`}
      data-crumb={what.toLowerCase()}
      data-tip={`${what}: ${name}`}
      onClick={(event) =>
        openFloat({
          anchor: anchorOf(event.currentTarget),
          title,
          align: "left",
          content: () => <Picker items={items()} hint={title} typed={typed} onTake={closeFloat} />,
        })
      }
    >
      <span class="crumb-name">{shortenName(name, 36)}</span>
      <Icon name="down" />
    </button>
  );
}

function statusOf(spans: SpanState[]): string {
  if (spans.every((span) => span.status === "ready")) return "";
  if (spans.every((span) => span.status === "failed")) return words.failed;
  return spans.some((span) => span.status === "reading" || span.status === "queued") ? words.loading : "";
}

interface ProfileCrumbs {
  state: ServerState;
  at: ProfilePlace;
  titles: { run: string; worker: string; span: string };
  go: (run: string, worker: string, span: string) => void;
}

/** Run, worker and span of one profile, each a picker. */
function Crumbs({ state, at, titles, go }: ProfileCrumbs) {
  const { run, worker } = findSpan(state, at);
  return (
    <div class="crumbs">
      <Crumb
        what={titles.run}
        name={at.run}
        items={() =>
          state.runs.map((r) => ({
            title: r.name,
            hint: statusOf(r.workers.flatMap((w) => w.spans)),
            current: r.name === at.run,
            take: () => go(r.name, r.workers[0]?.name ?? "", r.workers[0]?.spans[0]?.name ?? ""),
          }))
        }
      />
      {run && (
        <>
          <Icon name="chevron" />
          <Crumb
            what={titles.worker}
            name={at.worker}
            items={() =>
              run.workers.map((w) => ({
                title: w.name,
                hint: statusOf(w.spans),
                current: w.name === at.worker,
                take: () => {
                  const same = w.spans.find((s) => s.name === at.span) ?? w.spans[0];
                  go(run.name, w.name, same?.name ?? "");
                },
              }))
            }
          />
        </>
      )}
      {run && worker && (worker.spans.length > 1 || worker.spans[0]?.name !== at.span) && (
        <>
          <Icon name="chevron" />
          <Crumb
            what={titles.span}
            name={at.span}
            items={() =>
              worker.spans.map((s) => ({
                title: s.name,
                hint: statusOf([s]),
                current: s.name === at.span,
                take: () => go(run.name, worker.name, s.name),
              }))
            }
          />
        </>
      )}
    </div>
  );
}

/** The compared profile, in views that compare: that of the address, else the one that the report chose. */
function Compared({ state, place }: { state: ServerState; place: Place }) {
  const report = useAtom(currentReport);
  if (state.views.find((view) => view.id === place.view)?.scope !== "pair") return null;
  const { parameters } = place;
  const answered = report?.profiles?.[1];
  const requested = parameters[kOther.run]
    ? {
        run: parameters[kOther.run],
        worker: parameters[kOther.worker] ?? "",
        span: parameters[kOther.span] ?? "",
      }
    : undefined;
  const at = requested?.span ? requested : (answered ?? requested);
  return (
    <div class="compared">
      <span class="muted">{words.comparedWith}</span>
      <Crumbs
        state={state}
        at={at ?? { run: "–", worker: "", span: "" }}
        titles={{ run: words.comparedRun, worker: words.comparedWorker, span: words.comparedSpan }}
        go={compareWith}
      />
      {at?.span && (
        <button
          class="plain round"
          aria-label={words.swap}
          data-tip={words.swap}
          onClick={() => swapWith(at)}
        >
          <Icon name="swap" />
        </button>
      )}
    </div>
  );
}

/** The steps that the figures cover: chosen from a list, or typed if the view accepts ranges. */
function StepFilter() {
  const report = useAtom(currentReport);
  const parameter = report?.parameters.find((p) => kStepKeys.includes(p.key));
  if (!parameter) return null;
  const { key, title, doc, choices = [] } = parameter;
  if (choices.length === 0) return <ParameterControl parameter={parameter} />;
  if (choices.length === 1) return null;
  const value = String(parameter.value ?? "");
  const take = (to: string) => setParameter(key, to);
  return (
    <div class="step-filter" data-parameter={key}>
      <span class="muted" data-tip={doc}>
        {title}
      </span>
      <Crumb
        what={title}
        name={choices.find((choice) => choice.value === value)?.title ?? value}
        items={() =>
          choices.map((choice) => ({
            title: choice.title,
            current: choice.value === value,
            take: () => take(choice.value),
          }))
        }
        typed={(query) => ({ title: query, hint: words.asTyped, take: () => take(query) })}
      />
    </div>
  );
}

function LoadingBadge({ state }: { state: ServerState }) {
  const all = state.runs.flatMap((run) => run.workers.flatMap((worker) => worker.spans));
  const done = all.filter((span) => span.status === "ready" || span.status === "failed").length;
  if (!state.loading || all.length < 2) return null;
  return (
    <button
      class="badge badge-loading"
      onClick={(event) =>
        openFloat({
          anchor: anchorOf(event.currentTarget),
          title: words.loading,
          align: "right",
          content: () => <LiveFiles />,
        })
      }
    >
      {fill(words.profilesReady, { n: done, all: all.length })}
    </button>
  );
}

function LiveFiles() {
  const state = useAtom(server);
  const spans = state?.runs.flatMap((run) => run.workers.flatMap((worker) => worker.spans)) ?? [];
  return (
    <div class="float-files">
      <FileList spans={spans} />
    </div>
  );
}

function ProblemsBadge({ count }: { count: number }) {
  const text = count === 1 ? words.problem : fill(words.problems, { n: grouped(count) });
  return (
    <button
      class="badge badge-problems"
      data-tip={text}
      aria-label={text}
      onClick={() => goToView("problems")}
    >
      <Icon name="problems" />
      {grouped(count)}
    </button>
  );
}

function ThemeButton() {
  const { theme } = useAtom(settingsAtom);
  const next = { auto: "light", light: "dark", dark: "auto" } as const;
  const label = fill(words.theme, { theme: words.themeNames[theme] });
  return (
    <button
      class="plain round"
      aria-label={label}
      data-tip={label}
      onClick={() => changeSettings({ theme: next[theme] })}
    >
      <Icon name={theme} />
    </button>
  );
}

/** Where the server records; the page file and TensorBoard's tab do not record. */
function CaptureButton() {
  const state = useAtom(capture);
  useEffect(() => void lookAtCapture().catch(() => {}), []);
  if (!state?.folder) return null;
  return (
    <button
      class="plain round capture-button"
      aria-label={words.capture.button}
      data-tip={words.capture.button}
      data-running={state.running}
      onClick={() => void import("./capture_dialog").then((dialog) => dialog.openCapture())}
    >
      <Icon name="record" />
    </button>
  );
}

/** Not in a page that is a file, nor where the server opens nothing. */
function OpenButton() {
  const opening = useAtom(openingAtom);
  useEffect(() => void lookAtOpening().catch(() => {}), []);
  if (!opening?.files && !opening?.paths) return null;
  return (
    <button
      class="button open-button"
      aria-haspopup="dialog"
      data-tip={words.opening.title}
      onClick={() => void import("./open_dialog").then((dialog) => dialog.openDialog())}
    >
      <Icon name="open" />
      {words.opening.button}
    </button>
  );
}

export function TopBar() {
  const state = useAtom(server);
  const place = useAtom(placeAtom);
  const { span } = findSpan(state, place);
  return (
    <header class="top-bar">
      <span class="product" data-tip={state ? `${words.product} ${state.version}` : undefined}>
        {words.product}
      </span>
      <OpenButton />
      {state && place.run !== "" && (
        <Crumbs
          state={state}
          at={place}
          titles={{ run: words.run, worker: words.worker, span: words.span }}
          go={goToProfile}
        />
      )}
      {span?.caution && (
        <span class="badge badge-problems" data-tip={span.caution}>
          {words.simulated}
        </span>
      )}
      {state && <Compared state={state} place={place} />}
      <StepFilter />
      <span class="top-rest" />
      {state && <LoadingBadge state={state} />}
      {(span?.problems ?? 0) > 0 && <ProblemsBadge count={span?.problems ?? 0} />}
      {/* Elements that come and go are before those that stay, which they would otherwise push from under the
       * pointer. */}
      <CaptureButton />
      <button class="palette-button" data-tip={words.paletteButton} onClick={openPalette}>
        <Icon name="search" />
        <span class="palette-text">{words.palette}</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <button
        class="plain round"
        aria-label={words.keysButton}
        data-tip={words.keysButton}
        onClick={openKeySheet}
      >
        ?
      </button>
      <button
        class="plain round"
        aria-label={words.sourceLinks.button}
        data-tip={words.sourceLinks.button}
        onClick={() => void import("./source_settings").then((dialog) => dialog.openSourceSettings())}
      >
        <Icon name="source" />
      </button>
      <LanguageButton />
      <ThemeButton />
    </header>
  );
}
