// The chart of a query's answer: the columns that the user chooses, drawn by the panels that views have. The browser computes
// nothing: each row of the answer is one bar or one point. The choice is in the address.
import type { Report } from "../api/client";
import { labelColumn, type NumberColumn, type TableData } from "../api/table_data";
import type { Panel } from "../api/types";
import { adjust, place as placeAtom } from "../base/history";
import { withPage, type Place } from "../base/place";
import { fill, words } from "../base/words";
import { anchorOf } from "../widgets/float";
import { Icon } from "../widgets/icon";
import { openMenu } from "../widgets/menu";
import type { ChartKind, QueryChart } from "./query_file";

const kKinds: ChartKind[] = ["bars", "lines", "scatter"];
const kKeys = { kind: "chart.kind", x: "chart.x", y: "chart.y" };

const numbersOf = (table: TableData) =>
  table.columns.filter((column): column is NumberColumn => column.kind === "number");

/** The page's state for a chart. */
export function chartState(chart: QueryChart | null): Record<string, string> {
  return {
    [kKeys.kind]: chart?.kind ?? "",
    [kKeys.x]: chart?.x ?? "",
    [kKeys.y]: chart?.y.join(",") ?? "",
  };
}

/** The columns that can be x: all, or those with numbers where points have two. */
function choicesOfX(kind: ChartKind, table: TableData) {
  return kind === "scatter" ? numbersOf(table) : table.columns;
}

/** Series share an axis: those of the unit of the first. */
function oneUnit(chosen: NumberColumn[]): NumberColumn[] {
  return chosen.filter(({ unit }) => unit === chosen[0].unit);
}

/** The chart of the place, with columns that the answer has; null: none is chosen, or the answer has no numbers. */
export function chartOf(place: Place, table: TableData | undefined): QueryChart | null {
  const kind = kKinds.find((each) => each === place.page[kKeys.kind]);
  if (!kind || !table) return null;
  const choices = choicesOfX(kind, table);
  const label = kind === "bars" ? labelColumn(table) : undefined;
  const x = choices.find(({ key }) => key === place.page[kKeys.x]) ?? label ?? choices[0];
  const others = numbersOf(table).filter((column) => column !== x);
  const wanted = (place.page[kKeys.y] ?? "").split(",");
  const known = others.filter(({ key }) => wanted.includes(key));
  const measures = others.filter(({ unit }) => unit !== "id" && unit !== "none");
  const y = known.length > 0 ? oneUnit(known) : [...measures, ...others].slice(0, 1);
  if (!x || y.length === 0) return null;
  const drawn = kind === "scatter" ? y.slice(0, 1) : y;
  return { kind, x: x.key, y: drawn.map(({ key }) => key) };
}

/** The column that names the points of a scatter chart. */
export function pointLabel(chart: QueryChart, table: TableData | undefined): string {
  return (table && labelColumn(table)?.key) ?? chart.x;
}

function panelOf(chart: QueryChart, table: TableData): Panel {
  const titles = chart.y.map((key) => table.byKey.get(key)?.title ?? key).join(", ");
  const common = {
    id: "chart",
    title: fill(words.queryChart.of, { y: titles, x: table.byKey.get(chart.x)?.title ?? chart.x }),
    table: table.key,
  };
  if (chart.kind === "scatter")
    return { ...common, kind: "scatter", label: pointLabel(chart, table), x: chart.x, y: chart.y[0] };
  return { ...common, kind: chart.kind, x: chart.x, series: chart.y };
}

/** The answer with its chart above its table. */
export function withChart(report: Report, chart: QueryChart | null): Report {
  const table = report.tables.get("result");
  return chart && table ? { ...report, panels: [panelOf(chart, table), ...report.panels] } : report;
}

function setChart(chart: QueryChart | null): void {
  adjust((now) => withPage(now, chartState(chart)));
}

export function ChartBar({ table, chart }: { table: TableData; chart: QueryChart | null }) {
  const say = words.queryChart;
  if (table.rows < 2 || numbersOf(table).length === 0) return null;
  const choose = (kind: ChartKind | null) => {
    const { page } = placeAtom.get();
    const now = kind && { ...placeAtom.get(), page: { ...page, [kKeys.kind]: kind } };
    setChart(now && chartOf(now, table));
  };
  const toggle = (column: NumberColumn) => {
    if (!chart) return;
    const has = chart.y.includes(column.key);
    const rest = chart.y.filter((key) => key !== column.key);
    const sameUnit = table.byKey.get(chart.y[0])?.unit === column.unit;
    if (has && rest.length === 0) return;
    const several = sameUnit && chart.kind !== "scatter";
    setChart({ ...chart, y: has ? rest : several ? [...chart.y, column.key] : [column.key] });
  };
  const titleOf = (key: string) => table.byKey.get(key)?.title ?? key;
  return (
    <div class="chart-bar" role="group" aria-label={say.title}>
      <span class="muted">{say.title}</span>
      <span class="segments" role="radiogroup" aria-label={say.title}>
        {[null, ...kKinds].map((kind) => (
          <button
            key={kind ?? "none"}
            role="radio"
            aria-checked={(chart?.kind ?? null) === kind}
            class={(chart?.kind ?? null) === kind ? "segment on" : "segment"}
            onClick={() => choose(kind)}
          >
            {say[kind ?? "none"]}
          </button>
        ))}
      </span>
      {chart && (
        <>
          <label>
            <span class="muted">{say.x}</span>
            <select
              class="field"
              aria-label={say.x}
              value={chart.x}
              onChange={(event) => {
                const x = event.currentTarget.value;
                const y = chart.y.filter((key) => key !== x);
                setChart({ ...chart, x, y: y.length > 0 ? y : [chart.x] });
              }}
            >
              {choicesOfX(chart.kind, table).map(({ key, title }) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <button
            class="button"
            aria-haspopup="menu"
            onClick={(event) =>
              openMenu(anchorOf(event.currentTarget), say.y, () => {
                const now = chartOf(placeAtom.get(), table);
                return numbersOf(table)
                  .filter(({ key }) => key !== now?.x)
                  .map((column) => ({
                    title: column.title,
                    hint: column.scale.label,
                    checked: now?.y.includes(column.key),
                    run: () => toggle(column),
                  }));
              })
            }
          >
            <span class="muted">{say.y}</span> {chart.y.map(titleOf).join(", ")} <Icon name="down" />
          </button>
        </>
      )}
    </div>
  );
}
