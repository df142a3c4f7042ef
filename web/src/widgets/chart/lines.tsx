// Curves over a number (mostly time). Dragging zooms into a range, a double-click shows all again. The
// drawing is thinned to the pixels' extremes, so that no peak is lost; unknown values leave a gap.
import type { ECharts } from "echarts/core";
import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { cellText, type Column, type TableData } from "../../api/table_data";
import { theme as themeAtom } from "../../base/settings";
import { formatWithUnit } from "../../base/units";
import { words } from "../../base/words";
import { useAtom } from "../hooks";
import { Chart } from "./chart";
import { Legend } from "./legend";
import {
  axisNumber,
  categoryAxis,
  readLook,
  scaledValue,
  sharedScale,
  tipBox,
  tooltip,
  valueAxis,
} from "./look";
import { makeSeries } from "./series";

interface Props {
  table: TableData;
  x: Column;
  series: string[];
  step: boolean;
  title: string;
  height: number;
  shown: Set<string>;
  onShow: (shown: Set<string>) => void;
  /** The part of x that is drawn, in percent; "12.5-60", empty for all. */
  zoom: string;
  onZoom: (zoom: string) => void;
  onRow?: (row: number) => void;
  chartRef: RefObject<ECharts>;
}

const kWhole = { type: "dataZoom", start: 0, end: 100 };

function zoomRange(zoom: string): { start: number; end: number } {
  const [start, end] = zoom.split("-").map(Number);
  return start >= 0 && end > start && end <= 100 ? { start, end } : { start: 0, end: 100 };
}

export function Lines({
  table,
  x,
  series,
  step,
  title,
  height,
  shown,
  onShow,
  zoom,
  onZoom,
  onRow,
  chartRef,
}: Props) {
  const theme = useAtom(themeAtom);
  const all = useMemo(() => makeSeries(table, series, theme), [table, series, theme]);
  const drawn = all.filter(({ column }) => shown.has(column.key));
  const live = useRef<ECharts | null>(null);
  const latestZoom = useRef(zoom);
  latestZoom.current = zoom;
  const option = useMemo(() => {
    const look = readLook(theme);
    const scale = sharedScale(drawn.map(({ column }) => column));
    const head = (row: number) =>
      `${x.title} ${x.kind === "number" ? formatWithUnit(x.numbers[row], x.scale) : cellText(x, row)}`;
    const tip = (hits: { dataIndex: number; seriesIndex: number }[]) =>
      tipBox(
        head(hits[0]?.dataIndex ?? 0),
        hits.map(({ dataIndex, seriesIndex }) => {
          const { column, hue } = drawn[seriesIndex];
          return { hue, label: column.title, value: formatWithUnit(column.numbers[dataIndex], column.scale) };
        }),
      );
    const xAxis =
      x.kind === "number"
        ? valueAxis(look, x.scale, {
            scale: true,
            min: "dataMin",
            max: "dataMax",
            nameLocation: "end",
            nameGap: 6,
            nameTextStyle: { color: look.muted, fontSize: 11 },
            splitLine: { show: false },
            axisLine: { show: true, onZero: false, lineStyle: { color: look.line } },
            axisLabel: {
              color: look.muted,
              fontSize: 11,
              hideOverlap: true,
              showMaxLabel: false,
              formatter: (value: number) => axisNumber(value, x.scale),
            },
          })
        : categoryAxis(
            look,
            Array.from({ length: table.rows }, (_, row) => cellText(x, row)),
          );
    return {
      grid: { left: 8, right: 28, top: 26, bottom: 6, containLabel: true },
      tooltip: tooltip(look, {
        trigger: "axis",
        axisPointer: { type: "line", lineStyle: { color: look.muted, width: 1, type: "solid" } },
        formatter: tip,
      }),
      // The zoom by dragging belongs to the toolbox, which must be shown for it: it is shown without size.
      toolbox: {
        show: true,
        showTitle: false,
        itemSize: 0,
        left: -100,
        feature: { dataZoom: { yAxisIndex: false, brushStyle: { color: look.accent, opacity: 0.15 } } },
      },
      dataZoom: [
        {
          ...zoomRange(latestZoom.current),
          type: "inside",
          zoomOnMouseWheel: "ctrl",
          moveOnMouseMove: false,
          moveOnMouseWheel: false,
        },
      ],
      xAxis,
      yAxis: valueAxis(look, scale),
      series: drawn.map(({ column, hue }) => ({
        type: "line",
        name: column.title,
        step: step ? "end" : false,
        sampling: "minmax",
        showSymbol: table.rows <= 60,
        symbolSize: 4,
        lineStyle: { width: 1.5, color: hue },
        itemStyle: { color: hue },
        emphasis: { disabled: true },
        data: Array.from(column.numbers, (value, row) => [
          x.kind === "number" ? x.numbers[row] / x.scale.divisor : row,
          scaledValue(value, scale),
        ]),
      })),
    };
  }, [table, x, drawn.map(({ column }) => column.key).join(), step, theme]);

  const armZoom = (chart: ECharts) => {
    chart.dispatchAction({ type: "takeGlobalCursor", key: "dataZoomSelect", dataZoomSelectActive: true });
    chart.off("datazoom");
    chart.on("datazoom", () => {
      const zooms = (chart.getOption() as { dataZoom: { start: number; end: number }[] }).dataZoom;
      const part = zooms.find(({ start, end }) => start > 0 || end < 100);
      chart.getDom().toggleAttribute("data-zoomed", part !== undefined);
      onZoom(part ? `${part.start.toFixed(2)}-${part.end.toFixed(2)}` : "");
    });
    const surface = chart.getZr();
    surface.off("dblclick");
    surface.on("dblclick", () => chart.dispatchAction(kWhole));
    live.current = chart;
  };
  return (
    <>
      <div class="legend-row">
        <Legend
          entries={all.map(({ column, hue }) => ({ key: column.key, title: column.title, hue }))}
          shown={shown}
          onShow={onShow}
        />
        {zoom ? (
          <button class="plain text" onClick={() => live.current?.dispatchAction(kWhole)}>
            {words.zoomBack}
          </button>
        ) : (
          <span class="legend-hint">{words.dragToZoom}</span>
        )}
      </div>
      <Chart
        option={option}
        height={height}
        label={title}
        chartRef={chartRef}
        onReady={armZoom}
        onHit={(hit) => hit.dataIndex !== undefined && onRow?.(hit.dataIndex)}
      />
    </>
  );
}
