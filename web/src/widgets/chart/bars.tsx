// Columns along x in the table's order, stacked or side by side, from zero. A bar is a link to its row. Many
// bars become thinner, then scroll; fewer of them have labels, which never overlap.
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

export function Bars(props: Props) {
  const { table, x, stacked, title, height, selected, shown, onShow, onRow, chartRef } = props;
  const [box, size] = useSize<HTMLDivElement>();
  const { all, drawn, drawnKey, scale, theme } = useXy(props);
  const option = useMemo(() => {
    const look = readLook(theme);
    const labels = Array.from({ length: table.rows }, (_, row) => cellText(x, row));
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
    return {
      grid: { left: 8, right: 12, top: 26, bottom: table.rows > kMostBars ? 34 : 6, containLabel: true },
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
          ...labelLook(labels, size.width),
          formatter: (text: string) => shortNameOf(x, text, 24),
        },
      }),
      yAxis: valueAxis(look, scale),
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
  }, [table, x, drawnKey, stacked, theme, selected, size.width]);
  return (
    <div ref={box}>
      <LegendRow all={all} shown={shown} onShow={onShow} />
      <Chart
        option={option}
        height={height}
        label={title}
        chartRef={chartRef}
        onHit={(hit) => hit.dataIndex !== undefined && onRow?.(hit.dataIndex, hit.event?.event)}
      />
    </div>
  );
}
