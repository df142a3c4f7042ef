// Columns along x in the table's order, stacked or side by side, from zero. A bar is a link to its row. Many
// bars become thinner, then scroll; fewer of them have labels, which never overlap. Where slanted labels would, the bars lie.
import { useMemo } from "preact/hooks";
import { cellText } from "../../api/table_data";
import { formatWithUnit } from "../../base/units";
import { latinLength } from "../../base/names";
import { words } from "../../base/words";
import { useSize } from "../hooks";
import { shortNameOf } from "../short_names";
import { Chart, type ChartOption } from "./chart";
import { categoryAxis, readLook, scaledValue, tipBox, tooltip, valueAxis, type TipLine } from "./look";
import { LegendRow, useXy, type XyProps } from "./xy";

interface Props extends XyProps {
  stacked: boolean;
  selected: number;
  onRow?: (row: number, event?: MouseEvent) => void;
}

/** More bars than this scroll. */
const kMostBars = 200;

const kAxis = 60;
const kLetter = 6;
const kLeastSlot = 16;
const kWrapped = 60;

/** Every bar has its label, on several lines between its words or slanted if need be; of very many bars, as many as fit. */
export function labelLook(labels: string[], width: number): ChartOption {
  const slot = (width - kAxis) / labels.length;
  if (labels.length > kMostBars || slot < kLeastSlot) return { hideOverlap: true };
  const longest = Math.max(...labels.map((label) => Math.min(24, latinLength(label)))) * kLetter;
  if (longest <= slot - 4) return { interval: 0 };
  const longestWord = Math.max(...labels.flatMap((label) => label.split(" ").map(latinLength))) * kLetter;
  if (slot >= kWrapped && longestWord <= slot - 4)
    return { interval: 0, width: Math.floor(slot - 4), overflow: "break", lineHeight: 13 };
  return { interval: 0, rotate: 40 };
}

/** Slanted labels need this much. */
const kSlanted = 22;
const kMostLying = 40;

/** Whether the bars lie below each other, with their labels beside them. */
export function areLying(labels: string[], width: number): boolean {
  const slot = (width - kAxis) / labels.length;
  if (width === 0 || slot >= kSlanted || labels.length > kMostLying) return false;
  return labels.some((label) => latinLength(label) * kLetter > slot - 4);
}

/** The height that lying bars need. */
function heightOf(rows: number, series: number): number {
  return kAxis + rows * Math.max(20, 8 + 10 * series);
}

export function Bars(props: Props) {
  const { table, x, stacked, title, height, selected, shown, onShow, onRow, chartRef } = props;
  const [box, size] = useSize<HTMLDivElement>();
  const { all, drawn, drawnKey, scale, theme } = useXy(props);
  const labels = useMemo(() => Array.from({ length: table.rows }, (_, row) => cellText(x, row)), [table, x]);
  const lying = areLying(labels, size.width);
  const option = useMemo(() => {
    const look = readLook(theme);
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
    const scroller = {
      type: "slider",
      height: 16,
      bottom: 6,
      borderColor: look.line,
      startValue: 0,
      endValue: kMostBars - 1,
      showDetail: false,
    };
    const names = categoryAxis(look, labels, {
      inverse: lying,
      axisLabel: {
        color: look.muted,
        fontSize: 11,
        fontFamily: look.sans,
        ...(lying ? { interval: 0 } : labelLook(labels, size.width)),
        formatter: (text: string) => shortNameOf(x, text, 24),
      },
    });
    const upright = valueAxis(look, scale);
    const { axisLabel } = upright;
    const flat = { nameGap: 4, nameTextStyle: { color: look.muted, fontSize: 11 }, splitNumber: 3 };
    const values = lying
      ? { ...upright, ...flat, axisLabel: { ...(axisLabel as ChartOption), hideOverlap: true } }
      : upright;
    return {
      grid: {
        left: 8,
        right: lying ? 26 : 12,
        top: lying ? 6 : 26,
        bottom: table.rows > kMostBars ? 34 : 6,
        containLabel: true,
      },
      tooltip: tooltip(look, {
        trigger: "axis",
        axisPointer: { type: "shadow", shadowStyle: { color: look.line, opacity: 0.5 } },
        formatter: tip,
      }),
      xAxis: lying ? values : names,
      yAxis: lying ? names : values,
      dataZoom: table.rows > kMostBars ? [scroller] : [],
      series: drawn.map(({ column, hue }) => ({
        type: "bar",
        name: column.title,
        stack: stacked ? "all" : undefined,
        barMaxWidth: (stacked ? 56 : 28) * (size.width > 1600 && table.rows < 12 ? 3 : 1),
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
  }, [table, x, drawnKey, stacked, theme, selected, size.width, lying]);
  return (
    <div ref={box}>
      <LegendRow all={all} shown={shown} onShow={onShow} />
      <Chart
        option={option}
        height={lying ? Math.max(height, heightOf(table.rows, stacked ? 1 : drawn.length)) : height}
        label={title}
        chartRef={chartRef}
        onHit={(hit) => hit.dataIndex !== undefined && onRow?.(hit.dataIndex, hit.event?.event)}
      />
    </div>
  );
}
