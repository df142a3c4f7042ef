// The server's answers in the current language: texts of the program are looked up only here, so drawing code
// does not need to know the language. Names of the trace stay as they are, and so do the values of cells. If a
// column says so (`words`), the drawn texts of its cells are looked up when the table is made (table_data.ts).
import { translate, translateIn, translateNamed, type Messages } from "../base/translate";
import type { Schema } from "./query";
import type { RankAxis } from "./ranks";
import type { SliceDetail, SliceFact, TimelineInfo } from "./timeline";
import type {
  AdviceItem,
  Fact,
  Note,
  Panel,
  Parameter,
  RowDoor,
  ServerState,
  SpanState,
  ViewLink,
  WireColumn,
  WireReport,
  WireTable,
} from "./types";

/** Looks up the texts of one answer, using its member `messages`. */
class Speaker {
  constructor(private readonly messages: Messages | undefined) {}

  readonly text = (text: string): string => translateIn(this.messages, text);

  /** Translates a text that may be absent. */
  readonly some = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : this.text(text);

  /** For a place that may also hold a name. */
  readonly named = (text: string): string => translateNamed(this.messages, text);

  readonly note = ({ level, text }: Note): Note => ({ level, text: this.text(text) });

  readonly fact = (fact: Fact): Fact => ({
    ...fact,
    label: this.text(fact.label),
    text:
      fact.text === undefined
        ? undefined
        : fact.type === "flag"
          ? this.text(fact.text)
          : this.named(fact.text),
    doc: this.some(fact.doc),
    unknown: this.some(fact.unknown),
  });

  readonly sliceFact = (fact: SliceFact): SliceFact => ({
    ...fact,
    label: this.text(fact.label),
    text: fact.text === undefined ? undefined : this.named(fact.text),
  });

  private readonly link = (link: ViewLink): ViewLink => ({ ...link, title: this.some(link.title) });

  readonly advice = (item: AdviceItem): AdviceItem => ({
    ...item,
    title: this.text(item.title),
    evidence: this.text(item.evidence),
    brief: this.some(item.brief),
    action: this.text(item.action),
    link: item.link && this.link(item.link),
    more_links: item.more_links?.map(this.link),
  });

  readonly panel = (panel: Panel): Panel => {
    const head = {
      title: this.text(panel.title),
      scope: this.some(panel.scope),
      doc: this.some(panel.doc),
      empty: this.some(panel.empty),
      notes: panel.notes?.map(this.note),
    };
    if (panel.kind === "facts") return { ...panel, ...head, facts: panel.facts.map(this.fact) };
    if (panel.kind === "advice") return { ...panel, ...head, items: panel.items.map(this.advice) };
    if (panel.kind === "verdict") {
      const items = panel.items.map((item) => ({
        ...item,
        label: this.text(item.label),
        value: this.text(item.value),
        note: this.some(item.note),
        doc: this.some(item.doc),
      }));
      return { ...panel, ...head, items };
    }
    if (panel.kind === "scatter") {
      const ceilings = panel.ceilings?.map((ceiling) => ({ ...ceiling, label: this.text(ceiling.label) }));
      return { ...panel, ...head, ceilings };
    }
    if (panel.kind !== "lines") return { ...panel, ...head };
    return { ...panel, ...head, marks: panel.marks?.map(({ x, label }) => ({ x, label: this.text(label) })) };
  };

  readonly parameter = (parameter: Parameter): Parameter => ({
    ...parameter,
    title: this.text(parameter.title),
    doc: this.some(parameter.doc),
    choices: parameter.choices?.map(({ value, title }) => ({ value, title: this.text(title) })),
  });

  readonly door = <D extends RowDoor>(door: D): D => ({ ...door, title: this.some(door.title) });

  readonly column = (column: WireColumn): WireColumn => ({
    ...column,
    name: column.title,
    title: this.text(column.title),
    doc: this.some(column.doc),
    unknown: this.some(column.unknown),
  });

  readonly table = (table: WireTable): WireTable => ({
    ...table,
    title: this.text(table.title),
    columns: table.columns.map(this.column),
    row_detail: table.row_detail && this.door(table.row_detail),
    row_links: table.row_links?.map(this.door),
  });

  readonly span = (span: SpanState): SpanState => ({
    ...span,
    error: span.error && { ...span.error, message: this.text(span.error.message) },
    caution: this.text(span.caution),
    facts: span.facts?.map((fact) =>
      fact.label === "note" ? { ...fact, text: this.text(fact.text) } : fact,
    ),
    views:
      span.views &&
      Object.fromEntries(
        Object.entries(span.views).map(([view, reason]) => [
          view,
          reason === null ? null : this.text(reason),
        ]),
      ),
  });
}

export function spokenReport(report: WireReport): WireReport {
  const say = new Speaker(report.messages);
  return {
    ...report,
    title: say.text(report.title),
    scope: say.text(report.scope),
    trail: report.trail?.map(({ title, parameters }) => ({ title: say.text(title), parameters })),
    notes: report.notes.map(say.note),
    parameters: report.parameters?.map(say.parameter),
    panels: (report.panels ?? []).map(say.panel),
    tables: Object.fromEntries(
      Object.entries(report.tables ?? {}).map(([key, table]) => [key, say.table(table)]),
    ),
  };
}

export function spokenState(state: ServerState): ServerState {
  const say = new Speaker(state.messages);
  return {
    ...state,
    views: state.views.map((view) => ({
      ...view,
      title: say.text(view.title),
      group: say.text(view.group),
      doc: say.text(view.doc),
    })),
    runs: state.runs.map((run) => ({
      ...run,
      workers: run.workers.map((worker) => ({ ...worker, spans: worker.spans.map(say.span) })),
    })),
  };
}

/** Workers, hosts and groups have the names of the trace. */
export function spokenRanks(axis: RankAxis): RankAxis {
  const say = new Speaker(axis.messages);
  return {
    ...axis,
    ranks: axis.ranks.map((rank) => ({
      ...rank,
      clock: rank.clock && {
        ...rank.clock,
        title: say.text(rank.clock.title),
        why: rank.clock.why && say.text(rank.clock.why),
      },
    })),
  };
}

/** Lanes and counters have the names of the trace, unless the answer says that a title is a text. */
export function spokenTimeline(info: TimelineInfo): TimelineInfo {
  const say = new Speaker(info.messages);
  return {
    ...info,
    groups: info.groups.map((group) => ({
      ...group,
      title: say.named(group.title),
      lanes: group.lanes.map((lane) => ({ ...lane, title: say.named(lane.title) })),
      counters: group.counters.map((counter) => ({
        ...counter,
        title: say.named(counter.title),
        doc: say.text(counter.doc),
        series: counter.series.map((series) => ({
          ...series,
          title: say.named(series.title),
          name: series.title,
        })),
      })),
    })),
  };
}

export function spokenSlice(detail: SliceDetail): SliceDetail {
  const say = new Speaker(detail.messages);
  return {
    ...detail,
    facts: detail.facts.map(say.sliceFact),
    note: say.some(detail.note),
    links: detail.links.map((link) => ({ ...link, title: say.text(link.title) })),
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
