// A breakdown: a donut of at most ten slices and "other", beside a list with value and share. A slice and its
// line in the list are the same link: both select the row.
import type { ECharts } from "echarts/core";
import type { RefObject } from "preact";
import { useMemo, useState } from "preact/hooks";
import {
  cellText,
  isUnknown,
  wireText,
  type Column,
  type NumberColumn,
  type TableData,
} from "../../api/table_data";
import { categoryHue, isCategory, nameHues, type Theme } from "../../base/hues";
import { Shortener } from "../../base/names";
import { theme as themeAtom } from "../../base/settings";
import { decimalPad, exactText, formatFigure, formatNumber } from "../../base/units";
import { categoryWord, fill, words } from "../../base/words";
import { useAtom, useSize } from "../hooks";
import { charWidths } from "../table/char_widths";
import { Chart } from "./chart";
import { readLook, tipBox, tooltip } from "./look";

export interface Slice {
  /** Row of the table; -1 for "other". */
  row: number;
  name: string;
  /** The text that distinguishes it from another slice of the same name, such as input shapes. */
  more?: string;
  value: number;
  share: number;
  hue: string;
}

export const kMostSlices = 10;

/** For names that occur twice (one operator, two shapes): the text that distinguishes them. */
function tellingTexts(
  table: TableData,
  label: Column,
  rows: number[],
  names: string[],
): (string | undefined)[] {
  if (new Set(names).size === names.length) return [];
  const more = table.columns.filter((column) => column.kind === "text" && column !== label);
  const telling = more.find((column) => new Set(rows.map((row) => cellText(column, row))).size > 1);
  if (!telling) return [];
  return names.map((name, i) =>
    names.indexOf(name) === names.lastIndexOf(name) ? undefined : cellText(telling, rows[i]),
  );
}

/** The part of the list's width that a name leaves to that text; of the text, the beginning counts. */
const kNamePart = 0.6;

function shownName(slice: Slice, width: number, names: Shortener): string {
  if (!slice.more) return names.short(slice.name, width);
  const name = names.short(
    slice.name,
    Math.max(Math.floor(width * kNamePart), width - slice.more.length - 1),
  );
  const room = width - name.length - 1;
  if (slice.more.length <= room) return `${name} ${slice.more}`;
  const telling = slice.more.replace(/\[\], |, \[\]/g, "");
  return `${name} ${telling.length <= room ? telling : telling.slice(0, Math.max(1, room - 1)) + "…"}`;
}

/** Names cut to `width` characters, so that different names look different. */
export function shownNames(slices: Slice[], width: number): string[] {
  const names = new Shortener(slices.map((slice) => slice.name));
  return slices.map((slice) => shownName(slice, width, names));
}

function wholeName(slice: Slice): string {
  return slice.more ? `${slice.name} ${slice.more}` : slice.name;
}

/** The largest `top` rows, and one slice for the rest of `total`. Rows of zero have no slice. */
export function makeSlices(
  table: TableData,
  label: Column,
  value: NumberColumn,
  top: number,
  total: number | null,
  theme: Theme,
): Slice[] {
  const rows: number[] = [];
  let sum = 0;
  for (let row = 0; row < table.rows; row++) {
    if (!(value.numbers[row] > 0)) continue;
    rows.push(row);
    sum += value.numbers[row];
  }
  rows.sort((a, b) => value.numbers[b] - value.numbers[a] || a - b);
  const whole = Math.max(total ?? 0, sum);
  const largest = rows.slice(0, rows.length === top + 1 && total === null ? top + 1 : top);
  const category = table.columns.find((column) => column.role === "category") ?? null;
  const names = largest.map((row) => cellText(label, row));
  const more = tellingTexts(table, label, largest, names);
  const own = nameHues(largest.map((row) => wireText(label, row)));
  const slices = largest.map((row, i) => {
    const kind = category ? wireText(category, row) : "";
    const hue = isCategory(kind) ? categoryHue(kind, theme) : own[i];
    const named = label.role === "category" ? categoryWord(names[i]) : names[i];
    const name = isUnknown(label, row) ? words.notNamed : named;
    const slice: Slice = { row, name, value: value.numbers[row], share: value.numbers[row] / whole, hue };
    return more[i] === undefined ? slice : { ...slice, more: more[i] };
  });
  const rest = whole - slices.reduce((all, slice) => all + slice.value, 0);
  if (rest > whole * 1e-9) {
    const others = rows.length - largest.length;
    const name = others > 1 ? fill(words.otherOf, { n: others.toLocaleString("en-US") }) : words.other;
    slices.push({ row: -1, name, value: rest, share: rest / whole, hue: categoryHue("idle", theme) });
  }
  return slices;
}

interface Props {
  table: TableData;
  label: Column;
  value: NumberColumn;
  top: number;
  total: number | null;
  title: string;
  selected: number;
  onRow?: (row: number, event?: MouseEvent) => void;
  /** Whether `onRow` leads anywhere from this row. */
  isDoor: (row: number) => boolean;
  chartRef: RefObject<ECharts>;
}

const kSide = 208;
const kNarrowSide = 152;
const kNarrow = 560;
/** The list beside the drawing: its maximum width, and the part of it for value, share and gaps. */
const kMostList = 720;
const kFigures = 150;
/** If names have less room than this, the list is below the drawing. */
const kLeastNames = 110;

export function Donut({ table, label, value, top, total, title, selected, onRow, isDoor, chartRef }: Props) {
  const theme = useAtom(themeAtom);
  const [box, size] = useSize<HTMLDivElement>();
  const [over, setOver] = useState(-2);
  const slices = useMemo(
    () => makeSlices(table, label, value, top, total, theme),
    [table, label, value, top, total, theme],
  );
  const whole = slices.reduce((sum, slice) => sum + slice.value, 0);
  const { scale } = value;
  const focus = over !== -2 ? over : selected;
  const centre = slices.find((slice) => slice.row === focus && over !== -2);

  const option = useMemo(() => {
    const look = readLook(theme);
    return {
      tooltip: tooltip(look, {
        trigger: "item",
        formatter: (hit: { dataIndex: number }) => {
          const slice = slices[hit.dataIndex];
          return tipBox(
            wholeName(slice),
            [{ hue: slice.hue, label: exactText(slice.value, value.unit), value: percent(slice) }],
            label.code,
          );
        },
      }),
      series: [
        {
          type: "pie",
          radius: ["58%", "92%"],
          startAngle: 90,
          avoidLabelOverlap: false,
          label: { show: false },
          labelLine: { show: false },
          emphasis: { scale: false },
          itemStyle: { borderColor: look.surface, borderWidth: slices.length > 1 ? 1.5 : 0 },
          data: slices.map((slice) => ({
            value: slice.value,
            name: String(slice.row),
            itemStyle: {
              color: slice.hue,
              opacity:
                selected >= 0 && slices.some((s) => s.row === selected) && slice.row !== selected ? 0.35 : 1,
            },
          })),
        },
      ],
    };
  }, [slices, theme, selected, value, label]);

  const side = size.width > 0 && size.width < kNarrow ? kNarrowSide : kSide;
  const chars = charWidths();
  const char = label.code ? chars.mono : chars.sans;
  const below = size.width > 0 && size.width - side - 28 - kFigures < kLeastNames;
  const listRoom = size.width - (below ? 20 : side + 28);
  const room = Math.max(60, Math.min(kMostList, listRoom) - kFigures);
  const longest = Math.max(12, ...slices.map((slice) => wholeName(slice).length));
  const fit = Math.floor(room / char);
  const names = label.code ? shownNames(slices, Math.max(8, fit)) : slices.map(wholeName);
  const listWidth = Math.ceil(Math.min(room, longest * char)) + kFigures;
  return (
    <div class={below ? "donut below" : "donut"} ref={box}>
      <div class="donut-drawing" style={{ width: `${side}px` }}>
        <Chart
          option={option}
          height={side}
          label={title}
          chartRef={chartRef}
          onHit={(hit) => {
            const slice = slices[hit.dataIndex ?? -1];
            if (slice && slice.row >= 0) onRow?.(slice.row, hit.event?.event);
          }}
          onReady={(chart) => {
            chart.off("mouseover");
            chart.off("mouseout");
            chart.on("mouseover", (hit) =>
              setOver(slices[(hit as { dataIndex: number }).dataIndex]?.row ?? -2),
            );
            chart.on("mouseout", () => setOver(-2));
          }}
        />
        <div class="donut-centre" aria-hidden="true">
          <b>{formatFigure(centre?.value ?? whole, value.unit)}</b>
          <span>{centre ? percent(centre) : words.total}</span>
        </div>
      </div>
      <div class="donut-list" role="group" aria-label={title} style={{ maxWidth: `${listWidth}px` }}>
        {slices.map((slice, at) => {
          const whole = wholeName(slice);
          const shown = names[at];
          return (
            <button
              key={slice.row}
              class={
                "donut-line" +
                (selected >= 0 && slice.row === selected ? " selected" : "") +
                (slice.row === over ? " over" : "")
              }
              disabled={slice.row < 0 || !onRow || !isDoor(slice.row)}
              onClick={(event) => onRow?.(slice.row, event)}
              onPointerEnter={() => setOver(slice.row)}
              onPointerLeave={() => setOver(-2)}
            >
              <i class="swatch" style={{ background: slice.hue }} />
              <span
                class={label.code && slice.row >= 0 ? "donut-name code" : "donut-name"}
                data-tip={shown === whole && shown.length < 12 ? undefined : whole}
                data-code={label.code || undefined}
              >
                {shown}
              </span>
              <span
                class="donut-value"
                data-tip={exactText(slice.value, value.unit)}
                data-pad={decimalPad(slice.value, scale) || undefined}
              >
                {formatNumber(slice.value, scale)}
              </span>
              <span class="donut-share">{percent(slice)}</span>
            </button>
          );
        })}
        <div class="donut-line donut-total">
          <i class="swatch none" />
          <span class="donut-name">{words.total}</span>
          <span class="donut-value" data-pad={decimalPad(whole, scale) || undefined}>
            {formatNumber(whole, scale)}
          </span>
          <span class="donut-share">{scale.label}</span>
        </div>
      </div>
    </div>
  );
}

function percent(slice: Slice): string {
  const share = slice.share * 100;
  return share > 0 && share < 0.05 ? "<0.1%" : `${share.toFixed(1)}%`;
}
