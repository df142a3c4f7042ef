// Common parts of bars and lines: series in their hues, the legend that isolates them, one scale for all drawn
// series.
import type { ECharts } from "echarts/core";
import type { ComponentChildren, RefObject } from "preact";
import { useMemo } from "preact/hooks";
import type { Column, TableData } from "../../api/table_data";
import type { Theme } from "../../base/hues";
import { theme as themeAtom } from "../../base/settings";
import type { Scale } from "../../base/units";
import { useAtom } from "../hooks";
import { Legend } from "./legend";
import { sharedScale } from "./look";
import { makeSeries, type Series } from "./series";

export interface XyProps {
  table: TableData;
  x: Column;
  series: string[];
  title: string;
  height: number;
  /** Keys of the drawn series. */
  shown: Set<string>;
  onShow: (shown: Set<string>) => void;
  chartRef: RefObject<ECharts>;
}

export interface Xy {
  all: Series[];
  drawn: Series[];
  /** Changes when other series are drawn. */
  drawnKey: string;
  scale: Scale;
  theme: Theme;
}

export function useXy({ table, series, shown }: Pick<XyProps, "table" | "series" | "shown">): Xy {
  const theme = useAtom(themeAtom);
  const all = useMemo(() => makeSeries(table, series, theme), [table, series.join(), theme]);
  const drawn = all.filter(({ column }) => shown.has(column.key));
  const columns = drawn.map(({ column }) => column);
  return { all, drawn, drawnKey: columns.map(({ key }) => key).join(), scale: sharedScale(columns), theme };
}

interface LegendRowProps {
  all: Series[];
  shown: Set<string>;
  onShow: (shown: Set<string>) => void;
  /** Further controls at the right. */
  children?: ComponentChildren;
}

export function LegendRow({ all, shown, onShow, children }: LegendRowProps) {
  const entries = all.map(({ column, hue }) => ({ key: column.key, title: column.title, hue }));
  if (entries.length < 2 && !children) return null;
  return (
    <div class="legend-row">
      <Legend entries={entries} shown={shown} onShow={onShow} />
      {children}
    </div>
  );
}
