// Columns along x in the table's own order, stacked or side by side, from zero. A bar is a door to its
// row. Many bars become thinner, then scroll; their labels thin out and never overlap.
import type { ECharts } from "echarts/core";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { cellText, type Column, type TableData } from "../../api/table_data";
import { theme as themeAtom } from "../../base/settings";
import { shortenName } from "../../base/names";
import { formatWithUnit } from "../../base/units";
import { words } from "../../base/words";
import { useAtom } from "../hooks";
import { Chart } from "./chart";
import { Legend } from "./legend";
import {
  categoryAxis,
  readLook,
  scaledValue,
  sharedScale,
  tipBox,
  tooltip,
  valueAxis,
  type TipLine,
} from "./look";
import { makeSeries } from "./series";

interface Props {
  table: TableData;
  x: Column;
  series: string[];
  stacked: boolean;
  title: string;
  height: number;
  selected: number;
  shown: Set<string>;
  onShow: (shown: Set<string>) => void;
  onRow?: (row: number, event?: MouseEvent) => void;
  chartRef: RefObject<ECharts>;
}

export function Bars({
  table,
  x,
  series,
  stacked,
  title,
  height,
  selected,
  shown,
  onShow,
  onRow,
  chartRef,
}: Props) {
  const theme = useAtom(themeAtom);
  const all = useMemo(() => makeSeries(table, series, theme), [table, series, theme]);
  const drawn = all.filter(({ column }) => shown.has(column.key));
  const option = useMemo(() => {
    const look = readLook(theme);
    const labels = Array.from({ length: table.rows }, (_, row) => cellText(x, row));
    const scale = sharedScale(drawn.map(({ column }) => column));
    const tip = (hits: { dataIndex: number }[]) => {
      const row = hits[0]?.dataIndex ?? 0;
      const lines: TipLine[] = drawn
        .map(({ column, hue }) => ({
          hue,
          label: column.title,
          value: formatWithUnit(column.numbers[row], column.scale),
          size: column.numbers[row],
        }))
        .filter((line) => line.size !== 0);
      if (stacked && drawn.length > 1) {
        const sum = drawn.reduce((sum, { column }) => sum + (column.numbers[row] || 0), 0);
        lines.push({ label: words.total, value: formatWithUnit(sum, scale) });
      }
      return tipBox(`${x.title} ${labels[row]}`, lines);
    };
    return {
      grid: { left: 8, right: 12, top: 26, bottom: table.rows > 200 ? 34 : 6, containLabel: true },
      tooltip: tooltip(look, {
        trigger: "axis",
        axisPointer: { type: "shadow", shadowStyle: { color: look.line, opacity: 0.5 } },
        formatter: tip,
      }),
      xAxis: categoryAxis(look, labels, {
        axisLabel: {
          color: look.muted,
          fontSize: 11,
          fontFamily: look.sans,
          hideOverlap: true,
          formatter: (text: string) => shortenName(text, 24),
        },
      }),
      yAxis: valueAxis(look, scale),
      dataZoom:
        table.rows > 200
          ? [
              {
                type: "slider",
                height: 16,
                bottom: 6,
                borderColor: look.line,
                startValue: 0,
                endValue: 199,
                showDetail: false,
              },
            ]
          : [],
      series: drawn.map(({ column, hue }) => ({
        type: "bar",
        name: column.title,
        stack: stacked ? "all" : undefined,
        barMaxWidth: stacked ? 56 : 28,
        barCategoryGap: "28%",
        barGap: "8%",
        cursor: onRow ? "pointer" : "default",
        emphasis: { disabled: true },
        itemStyle: { color: hue },
        data: Array.from(column.numbers, (value, row) => ({
          value: scaledValue(value, scale),
          itemStyle: selected >= 0 && row !== selected ? { opacity: 0.35 } : undefined,
        })),
      })),
    };
  }, [table, x, drawn.map(({ column }) => column.key).join(), stacked, theme, selected]);
  return (
    <>
      {all.length > 1 && (
        <Legend
          entries={all.map(({ column, hue }) => ({ key: column.key, title: column.title, hue }))}
          shown={shown}
          onShow={onShow}
        />
      )}
      <Chart
        option={option}
        height={height}
        label={title}
        chartRef={chartRef}
        onHit={(hit) => hit.dataIndex !== undefined && onRow?.(hit.dataIndex, hit.event?.event)}
      />
    </>
  );
}
