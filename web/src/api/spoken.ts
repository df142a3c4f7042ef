// What the server answers, in the language in force: every text of the program's own is looked up here and nowhere else, so
// that who draws need not know. Names of the trace stay as they are, and so do the values of cells: of a column that says so
// (`words`), what is drawn of a cell is looked up when the table is made (table_data.ts).
import { translate, translateList, translatePhrase } from "../base/translate";
import type { Schema } from "./query";
import type { SliceDetail, TimelineInfo } from "./timeline";
import type {
  AdviceItem,
  Fact,
  Note,
  Panel,
  Parameter,
  RowDoor,
  ServerState,
  SpanState,
  WireColumn,
  WireReport,
  WireTable,
} from "./types";

/** Of members that may be left out, what is there. */
function translateIf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : translate(text);
}

function spokenNotes(notes: Note[] | undefined): Note[] | undefined {
  return notes?.map(({ level, text }) => ({ level, text: translate(text) }));
}

/** A text as a value may be a name: a file, a device, a process. */
export function spokenFact(fact: Fact): Fact {
  return {
    ...fact,
    label: translate(fact.label),
    text:
      fact.text === undefined
        ? undefined
        : fact.type === "flag"
          ? translate(fact.text)
          : translatePhrase(fact.text),
    doc: translateIf(fact.doc),
    unknown: translateIf(fact.unknown),
  };
}

function spokenAdvice(item: AdviceItem): AdviceItem {
  return {
    ...item,
    title: translate(item.title),
    evidence: translateIf(item.evidence),
    action: translateIf(item.action),
  };
}

function spokenPanel(panel: Panel): Panel {
  const head = {
    title: translate(panel.title),
    scope: panel.scope === undefined ? undefined : translateList(panel.scope),
    doc: translateIf(panel.doc),
    empty: translateIf(panel.empty),
    notes: spokenNotes(panel.notes),
  };
  if (panel.kind === "facts") return { ...panel, ...head, facts: panel.facts.map(spokenFact) };
  if (panel.kind === "advice") return { ...panel, ...head, items: panel.items.map(spokenAdvice) };
  if (panel.kind === "scatter") {
    const ceilings = panel.ceilings?.map((ceiling) => ({ ...ceiling, label: translate(ceiling.label) }));
    return { ...panel, ...head, ceilings };
  }
  if (panel.kind !== "lines") return { ...panel, ...head };
  return { ...panel, ...head, marks: panel.marks?.map(({ x, label }) => ({ x, label: translate(label) })) };
}

function spokenParameter(parameter: Parameter): Parameter {
  return {
    ...parameter,
    title: translate(parameter.title),
    doc: translateIf(parameter.doc),
    choices: parameter.choices?.map(({ value, title }) => ({ value, title: translate(title) })),
  };
}

function spokenDoor<D extends RowDoor>(door: D): D {
  return { ...door, title: translateIf(door.title) };
}

function spokenColumn(column: WireColumn): WireColumn {
  return {
    ...column,
    name: column.title,
    title: translate(column.title),
    doc: translateIf(column.doc),
    unknown: translateIf(column.unknown),
  };
}

function spokenTable(table: WireTable): WireTable {
  return {
    ...table,
    title: translate(table.title),
    columns: table.columns.map(spokenColumn),
    row_detail: table.row_detail && spokenDoor(table.row_detail),
    row_links: table.row_links?.map(spokenDoor),
  };
}

export function spokenReport(report: WireReport): WireReport {
  return {
    ...report,
    title: translate(report.title),
    scope: report.scope === undefined ? undefined : translateList(report.scope),
    trail: report.trail?.map(({ title, parameters }) => ({ title: translate(title), parameters })),
    notes: spokenNotes(report.notes),
    parameters: report.parameters?.map(spokenParameter),
    panels: (report.panels ?? []).map(spokenPanel),
    tables: Object.fromEntries(
      Object.entries(report.tables ?? {}).map(([key, table]) => [key, spokenTable(table)]),
    ),
  };
}

function spokenSpan(span: SpanState): SpanState {
  return {
    ...span,
    error: span.error && { ...span.error, message: translate(span.error.message) },
    facts: span.facts?.map((fact) =>
      fact.label === "note" ? { ...fact, text: translate(fact.text) } : fact,
    ),
    views:
      span.views &&
      Object.fromEntries(
        Object.entries(span.views).map(([view, reason]) => [
          view,
          reason === null ? null : translate(reason),
        ]),
      ),
  };
}

export function spokenState(state: ServerState): ServerState {
  return {
    ...state,
    views: state.views.map((view) => ({
      ...view,
      title: translate(view.title),
      group: translate(view.group),
      doc: translateIf(view.doc),
    })),
    runs: state.runs.map((run) => ({
      ...run,
      workers: run.workers.map((worker) => ({ ...worker, spans: worker.spans.map(spokenSpan) })),
    })),
  };
}

/** What readers call lanes that they make themselves; other single words are names. */
const kOwnLanes = new Set(["Semaphores", "Layers", "Throttling", "Executions", "Errors"]);

function spokenLane(title: string): string {
  return kOwnLanes.has(title) ? translate(title) : translatePhrase(title);
}

/** Lanes are called what the trace calls them, and so are its counters: of those only phrases are looked up. */
export function spokenTimeline(info: TimelineInfo): TimelineInfo {
  return {
    ...info,
    groups: info.groups.map((group) => ({
      ...group,
      title: spokenLane(group.title),
      lanes: group.lanes.map((lane) => ({ ...lane, title: spokenLane(lane.title) })),
      counters: group.counters.map((counter) => {
        const say = counter.named ? translatePhrase : translate;
        return {
          ...counter,
          title: translatePhrase(counter.title),
          doc: translate(counter.doc),
          series: counter.series.map(({ title }) => ({ title: say(title), name: title })),
        };
      }),
    })),
  };
}

export function spokenSlice(detail: SliceDetail): SliceDetail {
  return {
    ...detail,
    facts: detail.facts.map(spokenFact),
    note: detail.note && translate(detail.note),
    links: detail.links.map((link) => ({ ...link, title: translate(link.title) })),
  };
}

export function spokenSchema(schema: Schema): Schema {
  return {
    tables: schema.tables.map((table) => ({
      ...table,
      doc: translate(table.doc),
      columns: table.columns.map((column) => ({ ...column, doc: translate(column.doc) })),
    })),
    examples: schema.examples.map(({ title, sql }) => ({ title: translate(title), sql })),
  };
}
