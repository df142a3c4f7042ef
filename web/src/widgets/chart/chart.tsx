// A drawing by ECharts that fills its box, follows its size and the theme, and can be saved as a picture. The
// panel makes an option object for the drawing; hovers are elements filled with text.
import type { ECharts } from "echarts/core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** What a panel passes; ECharts' own option type is wider than what is used here. */
export type ChartOption = Record<string, unknown>;

export interface ChartHit {
  componentType?: string;
  seriesIndex?: number;
  dataIndex?: number;
  event?: { event?: MouseEvent };
}

interface Props {
  option: ChartOption;
  height: number;
  label: string;
  onHit?: (hit: ChartHit) => void;
  onReady?: (chart: ECharts) => void;
  /** Receives the live chart, for PNG export. */
  chartRef?: RefObject<ECharts>;
}

let parts: Promise<typeof import("./echarts")> | null = null;

export function loadCharts(): Promise<typeof import("./echarts")> {
  parts ??= import("./echarts");
  return parts;
}

export function Chart({ option, height, label, onHit, onReady, chartRef }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<ECharts | null>(null);
  const hit = useRef(onHit);
  hit.current = onHit;

  useEffect(() => {
    let live: ECharts | null = null;
    let left = false;
    void loadCharts().then(({ init }) => {
      if (left || !box.current) return;
      live = init(box.current, undefined, { renderer: "canvas" });
      live.on("click", (event) => hit.current?.(event as ChartHit));
      setChart(live);
    });
    return () => {
      left = true;
      live?.dispose();
    };
  }, []);

  useLayoutEffect(() => {
    if (!chart) return;
    if (chartRef) chartRef.current = chart;
    chart.setOption({ animation: false, ...option }, { notMerge: true });
    onReady?.(chart);
    box.current?.setAttribute("data-drawn", "true");
  }, [chart, option]);

  useEffect(() => {
    const element = box.current;
    if (!chart || !element) return;
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => observer.disconnect();
  }, [chart]);

  return <div class="chart" ref={box} role="img" aria-label={label} style={{ height: `${height}px` }} />;
}
