// A panel of curves. If it names parameters of the view, a selection sets them, and the report is requested
// again; otherwise a selection only zooms. Either way, Back undoes it.
import type { Report } from "../api/client";
import type { PanelOf } from "../api/types";
import { go, place as placeAtom } from "../base/history";
import { withPage, withParameters, withoutRows, type Place } from "../base/place";
import type { Window } from "../widgets/chart/curve_axis";
import type { Selecting } from "../widgets/chart/curve_gestures";
import { Lines } from "../widgets/chart/lines";
import type { XyProps } from "../widgets/chart/xy";
import { useAtom } from "../widgets/hooks";
import { pointed as pointedAtom } from "./pointed";

interface Props extends XyProps {
  panel: PanelOf<"lines">;
  report: Report;
  panelKey: string;
  onRow?: (row: number) => void;
}

/** A time parameter's value: that of the address, else that of the report; null: not set. */
export function timeOf(place: Place, report: Report, key: string | undefined): number | null {
  if (!key) return null;
  const text = String(place.parameters[key] ?? report.parameters.find((p) => p.key === key)?.value ?? "");
  return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
}

/** Sets parameters; null removes one. The next report has other rows. */
export function goWith(changes: Record<string, number | null>): void {
  const spelt = Object.entries(changes).map(([key, value]) => [key, value === null ? null : String(value)]);
  go(withParameters(withoutRows(placeAtom.get()), Object.fromEntries(spelt)));
}

function windowOf(start: number | null, end: number | null): Window | null {
  return start !== null && end !== null && end > start ? { start, end } : null;
}

function zoomed(text: string | undefined): Window | null {
  const match = /^(-?[\d.]+)\.\.(-?[\d.]+)$/.exec(text ?? "");
  return match && windowOf(Number(match[1]), Number(match[2]));
}

export function LinesPanel({ panel, report, panelKey, onRow, ...chart }: Props) {
  const place = useAtom(placeAtom);
  const pointed = useAtom(pointedAtom);
  const own = panelKey === panel.id ? panel.select : undefined;
  const { start, end, at } = own ?? {};
  const byParameters = start !== undefined && end !== undefined;
  const zoomKey = `${panelKey}.zoom`;
  const moment = timeOf(place, report, at);
  const window = byParameters
    ? windowOf(timeOf(place, report, start), timeOf(place, report, end))
    : zoomed(place.page[zoomKey]);
  const setZoom = (zoom: string) => go(withPage(placeAtom.get(), { [zoomKey]: zoom }));
  const clearAt: Record<string, null> = at === undefined ? {} : { [at]: null };
  const selecting: Selecting = {
    onWindow: (to) =>
      byParameters ? goWith({ [start]: to.start, [end]: to.end }) : setZoom(`${to.start}..${to.end}`),
    onAt: at === undefined ? undefined : (value) => goWith({ [at]: value }),
    onReset: () => (byParameters ? goWith({ [start]: null, [end]: null, ...clearAt }) : setZoom("")),
    isSet: window !== null || moment !== null,
  };
  return (
    <Lines
      {...chart}
      step={panel.step === true}
      window={window}
      at={moment}
      marks={(panel.marks ?? []).filter(({ x }) => x !== moment)}
      pointed={pointed?.panel === panelKey ? pointed.marks : []}
      selecting={selecting}
      onRow={onRow}
    />
  );
}
