// Points over two logarithmic axes, below the lines that no point can exceed. A point's area shows its value,
// its hue that of its name; the largest points have their names beside them. A point is a link to its row. A
// note below counts the rows that cannot be drawn.
import type { ECharts } from "echarts/core";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { cellText, type Column, type NumberColumn, type TableData } from "../../api/table_data";
import type { Ceiling } from "../../api/types";
import { nameHue } from "../../base/hues";
import { theme as themeAtom } from "../../base/settings";
import { formatAlone } from "../../base/units";
import { fill, grouped, words } from "../../base/words";
import { shortNameOf } from "../short_names";
import { useAtom } from "../hooks";
import { Chart } from "./chart";
import { cellWithUnit, readLook, tipBox, tooltip, type Look } from "./look";
import { ceilingLines, drawnRows, windowOf, type CeilingLine } from "./scatter_layout";

interface Props {
  table: TableData;
  label: Column;
  x: NumberColumn;
  y: NumberColumn;
  value: NumberColumn | null;
  ceilings: Ceiling[];
  title: string;
  height: number;
  selected: number;
  onRow?: (row: number, event?: MouseEvent) => void;
  chartRef: RefObject<ECharts>;
}

const kLeastSize = 7; // pixels
const kMostSize = 30;
const kNamed = 10; // points with a name

function logAxis(look: Look, column: NumberColumn, [min, max]: [number, number], more: object) {
  return {
    type: "log",
    min,
    max,
    name: column.title,
    nameTextStyle: { color: look.muted, fontSize: 11 },
    axisLabel: {
      color: look.muted,
      fontSize: 11,
      fontFamily: look.sans,
      hideOverlap: true,
      formatter: (value: number) => formatAlone(value, column.unit),
    },
    splitLine: { lineStyle: { color: look.line, width: 1 } },
    axisLine: { show: false, onZero: false },
    axisTick: { show: false },
    ...more,
  };
}

/** A dashed line with its name: above the end of a flat line, beside the lower end of a slope. */
function ceilingSeries({ label, points }: CeilingLine, look: Look) {
  const flat = points[0][1] === points[1][1];
  const name = {
    show: true,
    position: flat ? "insideBottomRight" : "right",
    offset: flat ? [-4, -14] : [6, 6],
    align: flat ? "right" : "left",
    color: look.muted,
    fontSize: 11,
    fontFamily: look.sans,
    formatter: () => label,
  };
  return {
    type: "line",
    name: label,
    symbol: "circle",
    symbolSize: 0.01,
    z: 1,
    lineStyle: { color: look.muted, width: 1.5, type: "dashed" },
    silent: true,
    data: points.map((value, i) => ({ value, label: i === (flat ? 1 : 0) ? name : { show: false } })),
  };
}

export function Scatter(props: Props) {
  const { table, label, x, y, value, ceilings, title, height, selected, onRow, chartRef } = props;
  const theme = useAtom(themeAtom);
  // Large ones first, so that small ones are drawn over them and can be hovered.
  const rows = useMemo(() => {
    const size = (row: number) => value?.numbers[row] || 0;
    return drawnRows(x.numbers, y.numbers).sort((a, b) => size(b) - size(a));
  }, [x, y, value]);
  const option = useMemo(() => {
    const look = readLook(theme);
    const window = windowOf(
      rows.map((row) => x.numbers[row]),
      rows.map((row) => y.numbers[row]),
      ceilings,
    );
    const largest = value?.largest || 1;
    // The row that sums up all others is no larger than the largest of them.
    const shareOf = (row: number) => Math.min(1, (value?.numbers[row] || 0) / largest);
    const sizeOf = (row: number) =>
      value ? kLeastSize + (kMostSize - kLeastSize) * Math.sqrt(shareOf(row)) : 10;
    return {
      grid: { left: 12, right: 24, top: 28, bottom: 24, containLabel: true },
      tooltip: tooltip(look, {
        trigger: "item",
        formatter: (hit: { dataIndex: number }) => {
          const row = rows[hit.dataIndex];
          const lines = [x, y, ...(value ? [value] : [])].map((column) => ({
            label: column.title,
            value: cellWithUnit(column, row),
          }));
          return tipBox(cellText(label, row), lines, label.code);
        },
      }),
      xAxis: logAxis(look, x, window.x, { nameLocation: "middle", nameGap: 26 }),
      yAxis: logAxis(look, y, window.y, {
        nameGap: 12,
        nameTextStyle: { color: look.muted, fontSize: 11, align: "left" },
      }),
      series: [
        {
          type: "scatter",
          cursor: onRow ? "pointer" : "default",
          emphasis: { itemStyle: { borderColor: look.text, borderWidth: 1 } },
          labelLayout: { hideOverlap: true },
          data: rows.map((row, i) => ({
            value: [x.numbers[row], y.numbers[row]],
            symbolSize: sizeOf(row),
            itemStyle: {
              color: nameHue(cellText(label, row)),
              opacity: selected >= 0 && row !== selected ? 0.25 : 0.8,
            },
            label: {
              show: i < kNamed,
              position: "right",
              color: look.text,
              textBorderColor: look.surface,
              textBorderWidth: 3,
              fontSize: 11,
              fontFamily: label.code ? look.mono : look.sans,
              formatter: () => shortNameOf(label, cellText(label, row), 28),
            },
          })),
        },
        ...ceilingLines(ceilings, window).map((line) => ceilingSeries(line, look)),
      ],
    };
  }, [rows, label, value, ceilings, theme, selected]);
  const left = table.rows - rows.length;
  return (
    <>
      <Chart
        option={option}
        height={height}
        label={title}
        chartRef={chartRef}
        onHit={(hit) =>
          hit.seriesIndex === 0 &&
          hit.dataIndex !== undefined &&
          onRow?.(rows[hit.dataIndex], hit.event?.event)
        }
      />
      {left > 0 && <p class="chart-note muted">{fill(words.rowsWithoutPlace, { n: grouped(left) })}</p>}
    </>
  );
}
