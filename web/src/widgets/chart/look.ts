// The common look of charts: the page's colours and type read from the style sheet, axes in a column's unit,
// and the hover box. Names go into text nodes only.
import type { NumberColumn } from "../../api/table_data";
import type { Theme } from "../../base/hues";
import { formatNumber, formatWithUnit, type Scale } from "../../base/units";
import type { ChartOption } from "./chart";

export interface Look {
  text: string;
  muted: string;
  line: string;
  surface: string;
  accent: string;
  sans: string;
  mono: string;
}

/** Read again after a theme change; the parameter `theme` makes callers depend on it. */
export function readLook(_theme: Theme): Look {
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: get("--text"),
    muted: get("--muted"),
    line: get("--line"),
    surface: get("--surface"),
    accent: get("--accent"),
    sans: get("--sans"),
    mono: get("--mono"),
  };
}

export interface TipLine {
  hue?: string;
  label: string;
  value: string;
  code?: boolean;
}

export function tipBox(title: string, lines: TipLine[], code = false): HTMLElement {
  const box = document.createElement("div");
  box.className = "chart-tip";
  if (title) {
    const head = document.createElement("div");
    head.className = code ? "chart-tip-title code" : "chart-tip-title";
    head.textContent = title;
    box.append(head);
  }
  for (const line of lines) {
    const row = document.createElement("div");
    row.className = "chart-tip-line";
    const swatch = document.createElement("i");
    swatch.className = "swatch";
    if (line.hue) swatch.style.background = line.hue;
    else swatch.style.visibility = "hidden";
    const label = document.createElement("span");
    label.textContent = line.label;
    const value = document.createElement("b");
    value.textContent = line.value;
    row.append(swatch, label, value);
    box.append(row);
  }
  return box;
}

export function tooltip(look: Look, more: ChartOption): ChartOption {
  return {
    confine: true,
    transitionDuration: 0,
    backgroundColor: look.surface,
    borderColor: look.line,
    borderWidth: 1,
    padding: [6, 8],
    textStyle: { color: look.text, fontSize: 12, fontFamily: look.sans },
    extraCssText: "box-shadow:none;border-radius:4px;max-width:560px;white-space:normal;",
    ...more,
  };
}

const kMostDecimals = 6;

/** Axis labels without unnecessary zeros; far below 1 as "2e−8". Charts are drawn in the scale's unit, so that ticks are
 * round; an end of a window is not, and has three decimals. */
export function axisNumber(scaled: number, scale: Scale): string {
  const [digits, exponent] = Number(scaled.toPrecision(9)).toExponential().split("e");
  const exact = Math.max(0, (digits.split(".")[1] ?? "").length - Number(exponent));
  if (exact > kMostDecimals && Math.abs(scaled) < 1e-3)
    return Number(scaled.toPrecision(3)).toExponential().replaceAll("-", "−");
  const decimals = exact > kMostDecimals ? 3 : exact;
  return formatNumber(scaled, { ...scale, divisor: 1, decimals, digits: undefined });
}

/** A column's values in the unit of `scale`; ECharts spells a gap "-". */
export function scaledValue(value: number, scale: Scale): number | "-" {
  return Number.isNaN(value) ? "-" : value / scale.divisor;
}

/** A value axis from zero whose name is the unit of the columns it measures. */
export function valueAxis(look: Look, scale: Scale, more: ChartOption = {}): ChartOption {
  return {
    type: "value",
    name: scale.label,
    nameTextStyle: { color: look.muted, fontSize: 11, align: "right", padding: [0, 6, 0, 0] },
    nameGap: 10,
    axisLabel: {
      color: look.muted,
      fontSize: 11,
      fontFamily: look.sans,
      formatter: (value: number) => axisNumber(value, scale),
    },
    splitLine: { lineStyle: { color: look.line, width: 1 } },
    axisLine: { show: false, onZero: false }, // Its unit is at the side, wherever the other axis has its 0.
    axisTick: { show: false },
    ...more,
  };
}

export function categoryAxis(look: Look, data: string[], more: ChartOption = {}): ChartOption {
  return {
    type: "category",
    data,
    axisLabel: { color: look.muted, fontSize: 11, fontFamily: look.sans, hideOverlap: true },
    axisLine: { lineStyle: { color: look.line } },
    axisTick: { show: false },
    ...more,
  };
}

export function cellWithUnit(column: NumberColumn, row: number): string {
  return formatWithUnit(column.numbers[row], column.scale);
}

/** One scale for columns drawn on one axis: that of the column with the largest value. */
export function sharedScale(columns: NumberColumn[]): Scale {
  return columns.reduce((most, column) => (column.largest > most.largest ? column : most)).scale;
}
