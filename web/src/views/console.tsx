// The console: SQL over the profile's tables. The schema is at the side, the query in the address, and its
// answer is a report, drawn by the same panels as any other.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { errorText, reportQuery } from "../api/client";
import { fetchSchema, type Schema } from "../api/query";
import { server } from "../api/profiles";
import { spokenSchema } from "../api/spoken";
import type { ViewEntry } from "../api/types";
import { go, place as placeAtom } from "../base/history";
import { addGestureNote, isTyping } from "../base/keys";
import { withPage, withParameters } from "../base/place";
import { words } from "../base/words";
import { anchorOf, openFloat } from "../widgets/float";
import { useAtom } from "../widgets/hooks";
import { openMenu } from "../widgets/menu";
import { Skeleton } from "../widgets/skeleton";
import { recentQueries, rememberQuery } from "./console_recent";
import { SchemaList } from "./console_schema";
import { DocButton } from "./doc";
import { PanelGrid } from "./panel_grid";
import { ChartBar, chartOf, chartState, pointLabel, withChart } from "./query_chart";
import { writeQuery, type Query } from "./query_file";
import { SavedQueries } from "./saved_queries";
import { SqlEditor, typeInto } from "./sql_editor";
import { useReport } from "./use_report";

/** The position of "line 2, column 7" in the text; null if it names none. */
export function placeInText(sql: string, where: string): number | null {
  const found = /^line (\d+), column (\d+)$/.exec(where);
  if (!found) return null;
  const before = sql
    .split("\n")
    .slice(0, Number(found[1]) - 1)
    .reduce((sum, line) => sum + line.length + 1, 0);
  return Math.min(sql.length, before + Number(found[2]) - 1);
}

function useSchema(query: string): { schema: Schema | null; error: Error | null } {
  const [answer, setAnswer] = useState<{ schema: Schema | null; error: Error | null }>({
    schema: null,
    error: null,
  });
  useEffect(() => {
    const leave = new AbortController();
    fetchSchema(query, leave.signal).then(
      (schema) => setAnswer({ schema, error: null }),
      (error: Error) => {
        if (error.name !== "AbortError") setAnswer({ schema: null, error });
      },
    );
    return () => leave.abort();
  }, [query]);
  return { ...answer, schema: answer.schema && spokenSchema(answer.schema) };
}

export function Console({ view }: { view: ViewEntry | undefined }) {
  const place = useAtom(placeAtom);
  const { run, worker, span } = place;
  const profile = reportQuery({ run, worker, span, view: "", parameters: {} });
  const { schema, error: noSchema } = useSchema(profile);
  const statement = place.parameters.sql ?? "";
  const [text, setText] = useState(statement);
  const editor = useRef<HTMLTextAreaElement>(null);
  const query =
    statement === "" ? null : reportQuery({ run, worker, span, view: "", parameters: { sql: statement } });
  const { report, error, waiting } = useReport(query, "", "query");
  const shown = query !== null && report?.query === query ? report : null;
  const answer = shown?.tables.get("result");
  const chart = chartOf(place, answer);

  // A query from the address (Back, a link). A query that was sent from here is already in the field, and the
  // user may have typed more since.
  const sent = useRef(statement);
  useLayoutEffect(() => {
    if (statement !== sent.current) setText(statement);
    sent.current = statement;
  }, [statement]);
  // Moves to the error, unless the user has edited the text or left the field.
  useLayoutEffect(() => {
    const area = editor.current;
    const at = error && area?.value === statement ? placeInText(statement, error.detail.where ?? "") : null;
    if (!area || at === null || (isTyping(document.activeElement) && document.activeElement !== area)) return;
    area.focus();
    area.setSelectionRange(at, Math.min(statement.length, at + 1));
  }, [error]);

  useEffect(
    () => addGestureNote({ keys: "Ctrl+Space", title: words.completions, group: words.keyGroups.page }),
    [],
  );

  /** `state`: what the page shows of the answer; a chart stays where its columns do. */
  const submit = (sql: string, state = chartState(chart)) => {
    setText(sql);
    if (sql.trim() === "") return;
    sent.current = sql;
    rememberQuery(sql);
    go(withPage(withParameters({ ...placeAtom.get(), page: {} }, { sql }), state));
  };
  const insert = (name: string) => editor.current && typeInto(editor.current, name);
  const openSaved = (target: EventTarget) => {
    const views = server.get()?.views.map(({ id }) => id) ?? [];
    const textOf = (name: string) =>
      writeQuery({ name, sql: text, chart }, views, chart ? pointLabel(chart, answer) : "");
    const open = (of: Query) => submit(of.sql, chartState(of.chart));
    openFloat({
      anchor: anchorOf(target),
      title: words.saved.title,
      align: "right",
      content: () => <SavedQueries textOf={text.trim() === "" ? null : textOf} views={views} onOpen={open} />,
    });
  };
  const menu = (title: string, entries: { title: string; sql: string }[]) => (
    <button
      class="button"
      aria-haspopup="menu"
      disabled={entries.length === 0}
      onClick={(event) =>
        openMenu(anchorOf(event.currentTarget), title, () =>
          entries.map((entry) => ({ title: entry.title, run: () => submit(entry.sql) })),
        )
      }
    >
      {title}
    </button>
  );
  const oneLine = (sql: string) => {
    const line = sql.replace(/\s+/g, " ").trim();
    return line.length > 90 ? line.slice(0, 90) + "…" : line;
  };
  return (
    <section
      class={waiting && query ? "view waiting" : "view"}
      data-view="query"
      data-ready={!waiting || query === null}
    >
      <div class="busy-line" aria-hidden="true" />
      <header class="view-head">
        <h1>{view?.title}</h1>
        {view?.doc && <DocButton title={view.title} text={view.doc} />}
      </header>
      <div class="console">
        <section class="panel console-input" aria-label={words.sqlLabel}>
          <SqlEditor
            value={text}
            tables={schema?.tables ?? []}
            area={editor}
            onChange={setText}
            onRun={() => submit(text)}
          />
          <div class="console-bar">
            <button class="button primary" onClick={() => submit(text)} data-tip={words.runQueryKey}>
              {words.runQuery}
            </button>
            <span class="muted">{words.runQueryKeys}</span>
            <span class="console-gap" />
            {menu(words.examples, schema?.examples ?? [])}
            {menu(
              words.recentQueries,
              recentQueries().map((sql) => ({ title: oneLine(sql), sql })),
            )}
            <button class="button" aria-haspopup="dialog" onClick={(event) => openSaved(event.currentTarget)}>
              {words.saved.title}
            </button>
          </div>
          {error && !waiting && (
            <p class="console-error" role="alert">
              {errorText(error)}
              {error.detail.where && <span class="muted"> ({error.detail.where})</span>}
            </p>
          )}
        </section>
        <SchemaList
          tables={schema?.tables ?? []}
          error={noSchema ? errorText(noSchema) : ""}
          onInsert={insert}
        />
        <div class="console-answer">
          {shown && answer && !error && <ChartBar table={answer} chart={chart} />}
          {shown && !error && <PanelGrid report={withChart(shown, chart)} prefix="" />}
          {query === null && schema && (
            <div class="state-line">
              <p>{words.queryEmpty}</p>
              <ul class="console-examples">
                {(schema.examples ?? []).map(({ title, sql }) => (
                  <li key={title}>
                    <button class="link" data-tip={oneLine(sql)} onClick={() => submit(sql)}>
                      {title}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {query !== null && !shown && !error && <Skeleton />}
        </div>
      </div>
    </section>
  );
}
