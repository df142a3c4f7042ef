// Curves over a number (mostly time). Dragging selects a window, a press selects a moment; the panel decides
// what that does. The drawing is thinned to the extremes of each pixel, so no peak is lost; unknown values
// leave a gap.
import type { ECharts } from "echarts/core";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { cellText, type Column } from "../../api/table_data";
import { formatWithUnit } from "../../base/units";
import { words } from "../../base/words";
import { Chart } from "./chart";
import { CurveAxis, type Plot, type Window } from "./curve_axis";
import { useCurveGestures, type Selecting } from "./curve_gestures";
import { CurveMarks, type CurveMark } from "./curve_marks";
import { axisNumber, categoryAxis, readLook, scaledValue, tipBox, tooltip, valueAxis } from "./look";
import { LegendRow, useXy, type XyProps } from "./xy";

interface Props extends XyProps {
  step: boolean;
  /** The drawn part of x; null for all. */
  window: Window | null;
  /** The selected moment. */
  at: number | null;
  marks: CurveMark[];
  /** Instants of the row under the pointer in a table. */
  pointed: CurveMark[];
  selecting: Selecting;
  /** The target of a press on a point, if presses do not select a moment. */
  onRow?: (row: number) => void;
}

const kFewPoints = 60;

/** The area inside the axes, as ECharts placed it. */
function plotOf(chart: ECharts): Plot | null {
  type Model = {
    getComponent: (name: string) => { coordinateSystem?: { getRect: () => DOMRect } } | undefined;
  };
  const model = (chart as unknown as { getModel: () => Model | undefined }).getModel();
  const rect = model?.getComponent("grid")?.coordinateSystem?.getRect();
  return rect ? { left: rect.x, top: rect.y, width: rect.width, height: rect.height } : null;
}

/** The ends of an axis of numbers such as 1 to 8 are round; those of times are not. */
function isOrdinal(x: Column): boolean {
  return (
    x.kind === "number" &&
    (x.unit === "none" || x.unit === "id" || x.unit === "count") &&
    x.scale.decimals === 0
  );
}

export function Lines(props: Props) {
  const { table, x, step, title, height, shown, onShow, window, at, marks, pointed, selecting, onRow } =
    props;
  const { all, drawn, drawnKey, scale, theme } = useXy(props);
  const axis = useMemo(() => new CurveAxis(table, x, window), [table, x, window?.start, window?.end]);
  const [plot, setPlot] = useState<Plot | null>(null);
  const live = useRef<ECharts | null>(null);
  const { brush, clear, on } = useCurveGestures(axis, plot, selecting);

  const option = useMemo(() => {
    const look = readLook(theme);
    const { divisor } = axis.scale;
    const tip = (hits: { dataIndex: number; seriesIndex: number }[]) => {
      const row = hits[0]?.dataIndex ?? 0;
      // If thinning keeps two points of a series in one pixel, ECharts lists both.
      const once = hits.filter((hit, i) => hits.findIndex((h) => h.seriesIndex === hit.seriesIndex) === i);
      return tipBox(
        `${x.title} ${axis.text(x.kind === "number" ? x.numbers[row] : row)}`,
        once.map(({ dataIndex, seriesIndex }) => {
          const { column, hue } = drawn[seriesIndex];
          return { hue, label: column.title, value: formatWithUnit(column.numbers[dataIndex], column.scale) };
        }),
      );
    };
    const xAxis =
      x.kind === "number"
        ? valueAxis(look, axis.scale, {
            scale: true,
            min: axis.window.start / divisor,
            max: axis.window.end / divisor,
            nameLocation: "end",
            nameGap: 6,
            nameTextStyle: { color: look.muted, fontSize: 11 },
            splitLine: { show: false },
            axisLine: { show: true, onZero: false, lineStyle: { color: look.line } },
            axisLabel: {
              color: look.muted,
              fontSize: 11,
              hideOverlap: true,
              showMinLabel: axis.window.start === 0 || isOrdinal(x),
              showMaxLabel: isOrdinal(x),
              formatter: (value: number) => axisNumber(value, axis.scale),
            },
          })
        : categoryAxis(
            look,
            Array.from({ length: table.rows }, (_, row) => cellText(x, row)),
            { min: Math.ceil(axis.window.start), max: Math.floor(axis.window.end) },
          );
    return {
      grid: { left: 12, right: 28, top: 30, bottom: 6, containLabel: true },
      tooltip: tooltip(look, {
        trigger: "axis",
        axisPointer: { type: "line", lineStyle: { color: look.muted, width: 1, type: "solid" } },
        formatter: tip,
      }),
      xAxis,
      yAxis: valueAxis(look, scale),
      series: drawn.map(({ column, hue }) => ({
        type: "line",
        name: column.title,
        step: step ? "end" : false,
        sampling: "minmax",
        showSymbol: table.rows <= kFewPoints,
        symbolSize: 4,
        lineStyle: { width: 1.5, color: hue },
        itemStyle: { color: hue },
        emphasis: { disabled: true },
        cursor: onRow && !selecting.onAt ? "pointer" : "default",
        data: Array.from(column.numbers, (value, row) => [
          x.kind === "number" ? x.numbers[row] / divisor : row,
          scaledValue(value, scale),
        ]),
      })),
    };
  }, [axis, drawnKey, step, theme]);

  const follow = (chart: ECharts) => {
    live.current = chart;
    const measure = () => {
      const next = plotOf(chart);
      setPlot((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
    };
    chart.off("rendered");
    chart.on("rendered", measure);
    measure();
  };
  useEffect(() => {
    if (!brush?.keys) {
      live.current?.dispatchAction({ type: "hideTip" });
      live.current?.dispatchAction({ type: "updateAxisPointer", currTrigger: "leave" });
    } else if (plot)
      live.current?.dispatchAction({ type: "showTip", x: brush.to, y: plot.top + plot.height / 2 });
  }, [brush]);

  return (
    <>
      <LegendRow all={all} shown={shown} onShow={onShow}>
        {selecting.isSet ? (
          <button class="plain text" data-reset onClick={selecting.onReset}>
            {words.reset}
          </button>
        ) : (
          <span class="legend-hint">{selecting.onAt ? words.dragToSelect : words.dragToZoom}</span>
        )}
      </LegendRow>
      <div
        class={brush && !brush.keys ? "curve dragging" : "curve"}
        tabIndex={0}
        role="group"
        aria-label={`${title}. ${words.curveKeys}`}
        onBlur={clear}
        onDblClick={() => !selecting.onAt && selecting.isSet && selecting.onReset()}
        {...on}
      >
        <Chart
          option={option}
          height={height}
          label={title}
          chartRef={props.chartRef}
          onReady={follow}
          onHit={(hit) => !selecting.onAt && hit.dataIndex !== undefined && onRow?.(hit.dataIndex)}
        />
        {plot && <CurveMarks axis={axis} plot={plot} brush={brush} at={at} marks={marks} pointed={pointed} />}
      </div>
    </>
  );
}
