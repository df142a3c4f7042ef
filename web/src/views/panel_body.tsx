// The content of a panel, by its kind. If its table or column is missing, or its table has no rows, it says so
// in one sentence.
import type { ECharts } from "echarts/core";
import type { RefObject } from "preact";
import type { Report } from "../api/client";
import { server } from "../api/profiles";
import { numberColumn, type TableData } from "../api/table_data";
import type { Panel } from "../api/types";
import { adjust, place as placeAtom } from "../base/history";
import type { Theme } from "../base/hues";
import { withPage, type Place } from "../base/place";
import { formatWithUnit } from "../base/units";
import { words } from "../base/words";
import { Bars } from "../widgets/chart/bars";
import { Donut, makeSlices } from "../widgets/chart/donut";
import { Flame } from "../widgets/chart/flame";
import { Heatmap } from "../widgets/chart/heatmap";
import { Scatter } from "../widgets/chart/scatter";
import { drawnRows } from "../widgets/chart/scatter_layout";
import { makeSeries } from "../widgets/chart/series";
import { useAtom } from "../widgets/hooks";
import { lazy } from "../widgets/lazy";
import { Advice } from "./advice";
import { CodePanel } from "./code_panel";
import { Facts } from "./facts";
import { LinesPanel } from "./lines_panel";
import { DocButton } from "./doc";
import { isRowDoor, rowDoor } from "./row_door";
import { InPlace, TablePanel } from "./table_panel";
import { topOf } from "./top_choice";
import { Verdict } from "./verdict";

export interface BodyProps {
  panel: Panel;
  report: Report;
  prefix: string;
  panelKey: string;
  enlarged: boolean;
  chartRef: RefObject<ECharts>;
  canvasRef: RefObject<HTMLCanvasElement>;
}

const Gantt = lazy(async () => (await import("../widgets/chart/gantt")).Gantt);
const Graph = lazy(async () => (await import("../widgets/chart/graph")).Graph);
const Timeline = lazy(async () => (await import("../timeline/timeline")).Timeline);

const kChartHeight = 260;
const kScatterHeight = 380;

function shownSeries(place: Place, key: string, series: string[]): Set<string> {
  const chosen = place.page[`${key}.series`];
  const shown = chosen ? chosen.split(",").filter((name) => series.includes(name)) : [];
  return new Set(shown.length > 0 ? shown : series);
}

function selectedRow(place: Place, stateKey: string, table: TableData): number {
  const text = place.page[`${stateKey}.select`];
  const row = text === undefined ? -1 : Number(text);
  return row >= 0 && row < table.rows ? row : -1;
}

/** A report of another view, drawn in place. */
function drawReport(view: string, parameters: Record<string, string>, prefix: string) {
  return <InPlace view={view} parameters={parameters} prefix={prefix} />;
}

/** The "?" of a view that has no head of its own. */
function ViewHelp({ view }: { view: string }) {
  const entry = useAtom(server)?.views.find(({ id }) => id === view);
  return entry?.doc ? <DocButton title={entry.title} text={entry.doc} /> : null;
}

function Empty({ panel }: { panel: Panel }) {
  return <p class="panel-empty">{panel.empty || words.nothingHere}</p>;
}

export function PanelBody(props: BodyProps) {
  const { panel, report, prefix, panelKey, enlarged, chartRef, canvasRef } = props;
  const place = useAtom(placeAtom);
  if (panel.kind === "facts")
    return panel.facts.length > 0 ? <Facts facts={panel.facts} /> : <Empty panel={panel} />;
  if (panel.kind === "advice") return <Advice panel={panel} />;
  if (panel.kind === "code") return panel.text ? <CodePanel panel={panel} /> : <Empty panel={panel} />;
  if (panel.kind === "verdict") return <Verdict panel={panel} report={report} />;
  if (panel.kind === "timeline") {
    return <Timeline stateKey={panelKey} drawReport={drawReport} help={<ViewHelp view={report.view} />} />;
  }

  const table = report.tables.get(panel.table);
  if (!table || (table.rows === 0 && (panel.empty || (panel.kind !== "table" && panel.kind !== "tree")))) {
    return <Empty panel={panel} />;
  }
  const stateKey = prefix + panel.table;
  const door = rowDoor(report, table, prefix);
  const height = enlarged ? Math.max(320, innerHeight - 140) : kChartHeight;
  const column = (key: string) => table.byKey.get(key);
  const selected = selectedRow(place, stateKey, table);
  switch (panel.kind) {
    case "table":
      return <TablePanel table={table} prefix={prefix} parent={null} known={panel.known} />;
    case "tree":
      return <TablePanel table={table} prefix={prefix} parent={numberColumn(table, panel.parent)} />;
    case "breakdown": {
      const label = column(panel.label);
      const value = numberColumn(table, panel.value);
      if (!label || !value || !(value.largest > 0)) return <Empty panel={panel} />;
      return (
        <Donut
          table={table}
          label={label}
          value={value}
          top={topOf(panel, panelKey, place)}
          total={panel.total ?? null}
          title={panel.title}
          selected={selected}
          onRow={door}
          isDoor={(row) => isRowDoor(report, table, row)}
          chartRef={chartRef}
        />
      );
    }
    case "bars":
    case "lines": {
      const x = column(panel.x);
      const series = panel.series.filter((key) => numberColumn(table, key));
      if (!x || series.length === 0) return <Empty panel={panel} />;
      const shared = {
        table,
        x,
        series,
        title: panel.title,
        height,
        shown: shownSeries(place, panelKey, series),
        onShow: (shown: Set<string>) =>
          adjust((now) =>
            withPage(now, {
              [`${panelKey}.series`]: shown.size === series.length ? "" : [...shown].join(","),
            }),
          ),
        onRow: door,
        chartRef,
      };
      if (panel.kind === "lines")
        return <LinesPanel {...shared} panel={panel} report={report} panelKey={panelKey} />;
      return <Bars {...shared} stacked={panel.stacked === true} selected={selected} />;
    }
    case "heatmap": {
      const x = column(panel.x);
      const y = column(panel.y);
      const value = numberColumn(table, panel.value);
      if (!x || !y || !value) return <Empty panel={panel} />;
      return (
        <Heatmap
          table={table}
          x={x}
          y={y}
          value={value}
          title={panel.title}
          onRow={door}
          chartRef={chartRef}
        />
      );
    }
    case "scatter": {
      const label = column(panel.label);
      const x = numberColumn(table, panel.x);
      const y = numberColumn(table, panel.y);
      if (!label || !x || !y || drawnRows(x.numbers, y.numbers).length === 0) return <Empty panel={panel} />;
      return (
        <Scatter
          table={table}
          label={label}
          x={x}
          y={y}
          value={panel.value ? numberColumn(table, panel.value) : null}
          ceilings={panel.ceilings ?? []}
          title={panel.title}
          height={enlarged ? height : kScatterHeight}
          selected={selected}
          onRow={door}
          chartRef={chartRef}
        />
      );
    }
    case "gantt": {
      const [group, lane, label, hue] = [panel.group, panel.lane, panel.label, panel.hue].map(column);
      const start = numberColumn(table, panel.start);
      const length = numberColumn(table, panel.length);
      if (!group || !lane || !label || !hue || !start || !length) return <Empty panel={panel} />;
      return <Gantt {...{ table, group, lane, start, length, label, hue, title: panel.title, canvasRef }} />;
    }
    case "graph": {
      const [label, detail, here] = [panel.label, panel.detail, panel.here].map(column);
      const [value, layer, centre] = [panel.value, panel.layer, panel.place].map((key) =>
        numberColumn(table, key),
      );
      const edges = report.tables.get(panel.edges);
      const [from, to] = [panel.from, panel.to].map((key) => edges && numberColumn(edges, key));
      if (!label || !detail || !here || !value || !layer || !centre || !from || !to)
        return <Empty panel={panel} />;
      return (
        <Graph
          {...{ table, label, detail, value, layer, place: centre, here, from, to, title: panel.title }}
          onRow={door}
        />
      );
    }
    case "flame": {
      const label = column(panel.label);
      const parent = numberColumn(table, panel.parent);
      const value = numberColumn(table, panel.value);
      if (!label || !parent || !value || !(value.largest > 0)) return <Empty panel={panel} />;
      const focus = Number(place.page[`${panelKey}.focus`] ?? -1);
      return (
        <Flame
          table={table}
          label={label}
          parent={parent}
          value={value}
          title={panel.title}
          focus={focus >= 0 && focus < table.rows ? focus : -1}
          up={panel.up === true}
          search={place.page[`${panelKey}.find`] ?? ""}
          found={Number(place.page[`${panelKey}.found`] ?? -1)}
          onSearch={(text, found) =>
            adjust((now) =>
              withPage(now, {
                [`${panelKey}.find`]: text,
                [`${panelKey}.found`]: found < 0 ? "" : String(found),
              }),
            )
          }
          onFocus={(row) =>
            adjust((now) =>
              withPage(now, {
                [`${panelKey}.focus`]: row < 0 ? "" : String(row),
                [`${stateKey}.select`]: row < 0 ? "" : String(row),
              }),
            )
          }
          canvasRef={canvasRef}
        />
      );
    }
  }
}

/** The legend for a panel's picture; on the page it is HTML and not part of the drawing. */
export function panelLegend(
  panel: Panel,
  report: Report,
  key: string,
  place: Place,
  theme: Theme,
): { title: string; hue: string; value?: string }[] {
  const table = "table" in panel ? report.tables.get(panel.table) : undefined;
  if (!table) return [];
  if (panel.kind === "breakdown") {
    const label = table.byKey.get(panel.label);
    const value = numberColumn(table, panel.value);
    if (!label || !value) return [];
    return makeSlices(table, label, value, topOf(panel, key, place), panel.total ?? null, theme).map(
      (slice) => ({
        title: slice.more ? `${slice.name} ${slice.more}` : slice.name,
        hue: slice.hue,
        value: `${formatWithUnit(slice.value, value.scale)}  ${(slice.share * 100).toFixed(1)}%`,
      }),
    );
  }
  if (panel.kind === "bars" || panel.kind === "lines") {
    const shown = shownSeries(place, key, panel.series);
    return makeSeries(table, panel.series, theme)
      .filter(({ column }) => shown.has(column.key))
      .map(({ column, hue }) => ({ title: column.title, hue }));
  }
  return [];
}
