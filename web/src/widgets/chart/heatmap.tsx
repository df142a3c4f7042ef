// Cells over two lists of names, dark for large values. One hue from faint to full (never red to green), from
// the smallest value to the largest, both written above: otherwise 15.2 and 16.0 GB/s would look the same. A
// cell is a link to its row.
import type { ECharts } from "echarts/core";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { cellText, type Column, type NumberColumn, type TableData } from "../../api/table_data";
import { theme as themeAtom } from "../../base/settings";
import { formatWithUnit } from "../../base/units";
import { useAtom } from "../hooks";
import { shortNameOf } from "../short_names";
import { Chart } from "./chart";
import { categoryAxis, readLook, tipBox, tooltip } from "./look";

const kRamp = {
  light: ["#eef3f9", "#c3d9ef", "#8fbbe2", "#5596d0", "#1f6fc2", "#0d4786"],
  dark: ["#1d2733", "#1f3d5c", "#205887", "#2f7abf", "#5ea4e6", "#a9d2fa"],
};

/** With more cells along a side than this, cells touch one another. */
const kMostWithGaps = 100;

/** Pixels: the space above and below the cells, and the height that a legible name needs. */
const kAround = 40;
const kNameHeight = 14;

interface Props {
  table: TableData;
  x: Column;
  y: Column;
  value: NumberColumn;
  title: string;
  onRow?: (row: number, event?: MouseEvent) => void;
  chartRef: RefObject<ECharts>;
}

function distinct(column: Column, rows: number): { names: string[]; at: number[] } {
  const seen = new Map<string, number>();
  const at: number[] = [];
  for (let row = 0; row < rows; row++) {
    const text = cellText(column, row);
    if (!seen.has(text)) seen.set(text, seen.size);
    at.push(seen.get(text) as number);
  }
  return { names: [...seen.keys()], at };
}

/** Both ends of the scale; from 0 if all values are equal. */
function extent(value: NumberColumn): [number, number] {
  const known = value.numbers.filter((number) => !Number.isNaN(number));
  const smallest = known.reduce((a, b) => Math.min(a, b), Infinity);
  const largest = known.reduce((a, b) => Math.max(a, b), -Infinity);
  return smallest < largest ? [smallest, largest] : [0, value.largest || 1];
}

export function Heatmap({ table, x, y, value, title, onRow, chartRef }: Props) {
  const theme = useAtom(themeAtom);
  const across = useMemo(() => distinct(x, table.rows), [table, x]);
  const down = useMemo(() => distinct(y, table.rows), [table, y]);
  const ramp = kRamp[theme];
  const [smallest, largest] = useMemo(() => extent(value), [value]);
  const sides = [across.names.length, down.names.length];
  // Every row has at least a pixel, so that none disappears among a thousand; every n-th row has its name
  // beside it.
  const height = Math.max(
    120,
    Math.min(down.names.length * 22 + kAround, Math.max(640, down.names.length + kAround)),
  );
  const rowsPerName = Math.ceil((kNameHeight * down.names.length) / (height - kAround));
  const option = useMemo(() => {
    const look = readLook(theme);
    return {
      grid: { left: 8, right: 12, top: 6, bottom: 6, containLabel: true },
      tooltip: tooltip(look, {
        trigger: "item",
        formatter: ({ dataIndex: row }: { dataIndex: number }) =>
          tipBox(`${x.title} ${cellText(x, row)}, ${y.title} ${cellText(y, row)}`, [
            { label: value.title, value: formatWithUnit(value.numbers[row], value.scale) },
          ]),
      }),
      visualMap: { show: false, min: smallest, max: largest, dimension: 2, inRange: { color: ramp } },
      xAxis: categoryAxis(look, across.names),
      yAxis: categoryAxis(look, down.names, {
        inverse: true,
        axisLabel: {
          color: look.muted,
          fontSize: 11,
          interval: rowsPerName - 1,
          fontFamily: y.code ? look.mono : look.sans,
          formatter: (name: string) => shortNameOf(y, name, 32),
        },
      }),
      series: [
        {
          type: "heatmap",
          itemStyle: { borderColor: look.surface, borderWidth: Math.max(...sides) > kMostWithGaps ? 0 : 1 },
          emphasis: { itemStyle: { borderColor: look.text } },
          data: Array.from(value.numbers, (v, row) => [
            across.at[row],
            down.at[row],
            Number.isNaN(v) ? "-" : v,
          ]),
        },
      ],
    };
  }, [table, x, y, value, theme]);
  return (
    <>
      <div class="ramp">
        <span>{formatWithUnit(smallest, value.scale)}</span>
        {ramp.map((color) => (
          <i key={color} style={{ background: color }} />
        ))}
        <span>{formatWithUnit(largest, value.scale)}</span>
        <span class="muted">{value.title}</span>
      </div>
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
