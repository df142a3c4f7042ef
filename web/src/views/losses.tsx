// The losses of training logs: which logs, with which tags, and which two are compared; below, the report that
// the server makes of them, drawn by the panels of all views. The page keeps the logs until it is closed; the
// rest is in the address.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { errorText, inLanguage, type Report } from "../api/client";
import { fetchLosses, type Log } from "../api/losses";
import type { ViewEntry } from "../api/types";
import { Atom } from "../base/atom";
import { go, place as placeAtom } from "../base/history";
import { withParameters } from "../base/place";
import { fill, words } from "../base/words";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { Skeleton } from "../widgets/skeleton";
import { DocButton } from "./doc";
import { Notes } from "./notes";
import { PanelGrid } from "./panel_grid";

const kMostLogs = 6;
const kTags = { lossTag: "loss:", iterationTag: "iteration" };

const logsAtom = new Atom<Log[]>([]);
let lastId = 0;

function addLogs(files: Iterable<File>): void {
  logsAtom.update((logs) => {
    const last = logs.at(-1) ?? kTags;
    const added = [...files].map((file) => ({
      id: ++lastId,
      file,
      lossTag: last.lossTag,
      iterationTag: last.iterationTag,
      shown: true,
    }));
    return [...logs, ...added].slice(0, kMostLogs);
  });
}

function changeLog(id: number, change: Partial<Log>): void {
  logsAtom.update((logs) => logs.map((log) => (log.id === id ? { ...log, ...change } : log)));
}

/** Distinguishes two logs of one name, and their columns. */
function titles(logs: Log[]): string[] {
  return logs.map(({ file }, i) => {
    const before = logs.slice(0, i).filter((log) => log.file.name === file.name).length;
    return before === 0 ? file.name : `${file.name} (${before + 1})`;
  });
}

interface Answer {
  report: Report | null;
  error: Error | null;
  waiting: boolean;
}

/** Requested again when the logs, their tags or the choice change; a moment after the last key. */
function useLosses(logs: Log[], names: string[], base: number, compared: number): Answer {
  const [answer, setAnswer] = useState<Answer>({ report: null, error: null, waiting: false });
  useLayoutEffect(() => {
    if (logs.length === 0) {
      setAnswer({ report: null, error: null, waiting: false });
      return;
    }
    const leave = new AbortController();
    setAnswer((now) => ({ ...now, waiting: true }));
    const timer = setTimeout(() => {
      fetchLosses(logs, names, base, compared, leave.signal).then(
        (report) => setAnswer({ report, error: null, waiting: false }),
        (error: Error) => {
          if (error.name === "AbortError") return;
          setAnswer({ report: null, error, waiting: false });
        },
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [logs, base, compared]);
  return { ...answer, report: answer.report && inLanguage(answer.report) };
}

function LogRow({ log, title }: { log: Log; title: string }) {
  return (
    <li class="losses-log" data-log={title}>
      <label class="losses-name">
        <input
          type="checkbox"
          checked={log.shown}
          onChange={(event) => changeLog(log.id, { shown: event.currentTarget.checked })}
        />
        <span class="code" data-tip={title}>
          {title}
        </span>
      </label>
      <label>
        {words.lossTag}
        <input
          class="field code"
          value={log.lossTag}
          onInput={(event) => changeLog(log.id, { lossTag: event.currentTarget.value })}
        />
      </label>
      <label>
        {words.iterationTag}
        <input
          class="field code"
          value={log.iterationTag}
          onInput={(event) => changeLog(log.id, { iterationTag: event.currentTarget.value })}
        />
      </label>
      <button
        class="plain round"
        aria-label={fill(words.removeLog, { name: title })}
        data-tip={fill(words.removeLog, { name: title })}
        onClick={() => logsAtom.update((logs) => logs.filter(({ id }) => id !== log.id))}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

function LogChoice(props: {
  label: string;
  names: string[];
  value: number;
  onChoose: (log: number) => void;
}) {
  return (
    <label>
      {props.label}
      <select
        class="field"
        aria-label={props.label}
        value={props.value}
        onChange={(event) => props.onChoose(Number(event.currentTarget.value))}
      >
        {props.names.map((name, i) => (
          <option key={i} value={i + 1}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Losses({ view }: { view: ViewEntry | undefined }) {
  const place = useAtom(placeAtom);
  const all = useAtom(logsAtom);
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => all.filter((log) => log.shown), [all]);
  const allNames = titles(all);
  const names = allNames.filter((_, i) => all[i].shown);
  // The address numbers all logs of the list, the request only those that are shown.
  const number = (key: string, usual: number) => {
    const at = shown.indexOf(all[Number(place.parameters[key]) - 1]);
    return at >= 0 ? at + 1 : Math.min(usual, Math.max(1, shown.length));
  };
  const base = number("base", 1);
  const compared = number("compared", base === 1 ? 2 : 1);
  const { report, error, waiting } = useLosses(shown, names, base, compared);
  const choose = (key: string) => (log: number) =>
    go(withParameters(placeAtom.get(), { [key]: String(all.indexOf(shown[log - 1]) + 1) }));
  return (
    <section
      class={waiting ? "view waiting" : "view"}
      data-view="losses"
      data-drops
      data-ready={!waiting}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        addLogs(event.dataTransfer?.files ?? []);
      }}
    >
      <div class="busy-line" aria-hidden="true" />
      <header class="view-head">
        <h1>{view?.title}</h1>
        {view?.doc && <DocButton title={view.title} text={view.doc} />}
      </header>
      <section class={over ? "panel losses over" : "panel losses"} aria-label={words.logs}>
        {all.length === 0 && <p class="state-line">{words.noLogs}</p>}
        <ul>
          {all.map((log, i) => (
            <LogRow key={log.id} log={log} title={allNames[i]} />
          ))}
        </ul>
        <div class="losses-bar">
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              addLogs(event.currentTarget.files ?? []);
              event.currentTarget.value = "";
            }}
          />
          <button
            class={all.length === 0 ? "button primary" : "button"}
            disabled={all.length >= kMostLogs}
            onClick={() => chooser.current?.click()}
          >
            {words.addLogs}
          </button>
          {shown.length > 1 && (
            <>
              <LogChoice
                label={words.comparedLog}
                names={names}
                value={compared}
                onChoose={choose("compared")}
              />
              <LogChoice label={words.baseLog} names={names} value={base} onChoose={choose("base")} />
            </>
          )}
        </div>
        {error && (
          <p class="console-error" role="alert">
            {errorText(error)}
          </p>
        )}
      </section>
      {report && <Notes notes={report.notes ?? []} />}
      {report && <PanelGrid report={report} prefix="" />}
      {!report && waiting && <Skeleton />}
    </section>
  );
}
