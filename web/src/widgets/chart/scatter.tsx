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
import { chooseScale, formatWithUnit, type Unit } from "../../base/units";
import { fill, grouped, words } from "../../base/words";
import { shortNameOf } from "../short_names";
import { useAtom } from "../hooks";
import { Chart } from "./chart";
import { cellWithUnit, readLook, tipBox, tooltip, type Look } from "./look";
import {
  boxesAlong,
  ceilingLines,
  drawnRows,
  placeOfName,
  windowOf,
  type Box,
  type CeilingLine,
  type Dot,
  type Window,
} from "./scatter_layout";

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
const kNamed = 10; // points that get a name, if there is room
const kNameHeight = 16; // pixels
const kLetterWidth = 6.2;
const kOutside = { x: -1e4, y: -1e4 }; // where a name without room is

/** A label of a logarithmic axis, whole even far below 1. */
function powerOfTen(value: number, unit: Unit): string {
  const scale = chooseScale(unit, [value]);
  const decimals = Math.max(0, -Math.round(Math.log10(value / scale.divisor)));
  return formatWithUnit(value, { ...scale, decimals });
}

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
      formatter: (value: number) => powerOfTen(value, column.unit),
    },
    splitLine: { lineStyle: { color: look.line, width: 1 } },
    axisLine: { show: false, onZero: false },
    axisTick: { show: false },
    ...more,
  };
}

const isFlat = ({ points }: CeilingLine) => points[0][1] === points[1][1];

/** The point of a line before which its name is: the end of a flat line, the middle of a slope. */
function placeOfCeilingName(line: CeilingLine): [number, number] {
  const [[x0, y0], [x1, y1]] = line.points;
  return isFlat(line) ? [x1, y1] : [Math.sqrt(x0 * x1), Math.sqrt(y0 * y1)];
}

/** A dashed line with its name above it, where no point should be. */
function ceilingSeries(line: CeilingLine, look: Look) {
  const named = placeOfCeilingName(line);
  const name = {
    show: true,
    position: "left",
    offset: [0, -kNameHeight / 2],
    color: look.muted,
    textBorderColor: look.surface,
    textBorderWidth: 3,
    fontSize: 11,
    fontFamily: look.sans,
    formatter: () => line.label,
  };
  const points = isFlat(line) ? line.points : [line.points[0], named, line.points[1]];
  return {
    type: "line",
    name: line.label,
    symbol: "circle",
    symbolSize: 0.01,
    z: 1,
    lineStyle: { color: look.muted, width: 1.5, type: "dashed" },
    silent: true,
    data: points.map((value, i) => ({ value, label: i === 1 ? name : { show: false } })),
  };
}

interface LabelAt {
  dataIndex?: number;
  labelRect: Box;
}

/** What moves the names of points, the first of them first, to where they cover nothing. */
function nameLayout(
  chart: () => ECharts | null,
  window: Window,
  points: { value: number[]; symbolSize: number }[],
  lines: CeilingLine[],
) {
  let dots: Dot[] = [];
  let taken: Box[] = [];
  const begin = (at: (place: number[]) => number[]) => {
    dots = points.map(({ value, symbolSize }) => {
      const [x, y] = at(value);
      return { x, y, radius: symbolSize / 2 };
    });
    taken = lines.flatMap((line) => {
      const [x, y] = at(placeOfCeilingName(line));
      const width = line.label.length * kLetterWidth;
      const name = { x: x - width, y: y - kNameHeight, width, height: kNameHeight };
      return [name, ...boxesAlong(at(line.points[0]), at(line.points[1]))];
    });
  };
  return ({ dataIndex = 0, labelRect }: LabelAt) => {
    const drawn = chart();
    if (!drawn) return {};
    const at = (place: number[]) => drawn.convertToPixel({ seriesIndex: 0 }, place) as number[];
    if (dataIndex === 0) begin(at);
    if (dataIndex >= kNamed || !dots[dataIndex]) return {};
    const [left, top] = at([window.x[0], window.y[1]]);
    const [right, bottom] = at([window.x[1], window.y[0]]);
    const area = { x: left, y: top, width: right - left, height: bottom - top };
    const place = placeOfName(dots[dataIndex], labelRect, dots, taken, area);
    if (place) taken.push(place);
    const { x, y } = place ?? kOutside;
    return { x, y: y + labelRect.height / 2, align: "left", verticalAlign: "middle" };
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
    const points = rows.map((row) => ({ value: [x.numbers[row], y.numbers[row]], symbolSize: sizeOf(row) }));
    const lines = ceilingLines(ceilings, window);
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
          labelLayout: nameLayout(() => chartRef.current, window, points, lines),
          data: rows.map((row, i) => ({
            ...points[i],
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
        ...lines.map((line) => ceilingSeries(line, look)),
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
