// A graph as boxes in layers with arrows down, as the server placed them. A box has a name, a second line and the value that
// shades it. Hovering or focusing a box shows its arrows; a click follows its row's link. The panel scrolls to the box in the middle.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { cellText, wireText, type Column, type NumberColumn, type TableData } from "../../api/table_data";
import { boxLabel } from "../../base/names";
import { formatFigure } from "../../base/units";
import { charWidths } from "../table/char_widths";

interface Props {
  table: TableData;
  label: Column;
  detail: Column;
  value: NumberColumn;
  layer: NumberColumn;
  place: NumberColumn;
  here: Column;
  /** Rows of the table that each arrow leads from and to. */
  from: NumberColumn;
  to: NumberColumn;
  title: string;
  onRow?: (row: number, event?: MouseEvent) => void;
}

const kWidth = 176;
const kHeight = 52;
const kGapX = 16;
const kGapY = 34;
const kPad = 12;

export function Graph({ table, label, detail, value, layer, place, here, from, to, title, onRow }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(-1);
  const rows = useMemo(() => [...Array(table.rows).keys()], [table]);
  const isHere = (row: number) => here.kind === "flag" && here.flags[row] === 1;
  const left = Math.min(...rows.map((row) => place.numbers[row]));
  const right = Math.max(...rows.map((row) => place.numbers[row]));
  const xOf = (row: number) => kPad + (place.numbers[row] - left) * (kWidth + kGapX);
  const yOf = (row: number) => kPad + layer.numbers[row] * (kHeight + kGapY);
  const width = 2 * kPad + kWidth + (right - left) * (kWidth + kGapX);
  const height = Math.max(...rows.map(yOf)) + kHeight + kPad;
  const arrows = useMemo(() => {
    const known = new Map<string, { from: number; to: number }>();
    from.numbers.forEach((start, i) =>
      known.set(`${start} ${to.numbers[i]}`, { from: start, to: to.numbers[i] }),
    );
    return [...known.values()];
  }, [from, to]);
  const middle = rows.find(isHere) ?? 0;
  const shown = over >= 0 ? over : middle;

  useLayoutEffect(() => {
    const box = scroll.current;
    if (!box) return;
    box.scrollLeft = xOf(middle) + kWidth / 2 - box.clientWidth / 2;
    box.scrollTop = yOf(middle) + kHeight / 2 - box.clientHeight / 2;
  }, [table, middle]);

  const char = charWidths().mono;
  const room = Math.floor((kWidth - 16) / char);
  const path = (arrow: { from: number; to: number }) => {
    const [x, y] = [xOf(arrow.from) + kWidth / 2, yOf(arrow.from) + kHeight];
    const [u, v] = [xOf(arrow.to) + kWidth / 2, yOf(arrow.to) - 6];
    const bend = Math.max(kGapY / 2, (v - y) / 2);
    return `M${x},${y}C${x},${y + bend} ${u},${v - bend} ${u},${v}`;
  };
  const about = (row: number) => {
    const time = Number.isNaN(value.numbers[row]) ? "" : formatFigure(value.numbers[row], value.unit);
    return [wireText(label, row), cellText(detail, row), time].filter((part) => part !== "").join("\n");
  };
  return (
    <div class="graph" ref={scroll} role="group" aria-label={title} tabIndex={0}>
      <svg width={width} height={height}>
        <defs>
          {["plain", "shown"].map((kind) => (
            <marker
              id={`arrow-${kind}`}
              class={`graph-head ${kind}`}
              viewBox="0 0 8 8"
              refX="2"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0,0L8,4L0,8Z" />
            </marker>
          ))}
        </defs>
        {[false, true].map((marked) =>
          arrows
            .filter((arrow) => (arrow.from === shown || arrow.to === shown) === marked)
            .map((arrow) => (
              <path
                class={marked ? "graph-arrow shown" : "graph-arrow"}
                d={path(arrow)}
                marker-end={`url(#arrow-${marked ? "shown" : "plain"})`}
              />
            )),
        )}
        {rows.map((row) => (
          <g
            class={isHere(row) ? "graph-box here" : "graph-box"}
            transform={`translate(${xOf(row)},${yOf(row)})`}
            role="button"
            tabIndex={0}
            onPointerEnter={() => setOver(row)}
            onPointerLeave={() => setOver(-1)}
            onFocus={() => setOver(row)}
            onBlur={() => setOver(-1)}
            onClick={(event: MouseEvent) => onRow?.(row, event)}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key === "Enter") onRow?.(row);
            }}
          >
            <title>{about(row)}</title>
            <rect class="graph-ground" width={kWidth} height={kHeight} rx="4" />
            {value.largest > 0 && value.numbers[row] > 0 && (
              <rect
                class="graph-value"
                y={kHeight - 5}
                width={Math.max(2, (value.numbers[row] / value.largest) * kWidth)}
                height="5"
                rx="2"
              />
            )}
            <text class="graph-name" x="8" y="16">
              {boxLabel(wireText(label, row), room)}
            </text>
            <text class="graph-detail" x="8" y="30">
              {boxLabel(cellText(detail, row), room)}
            </text>
            {!Number.isNaN(value.numbers[row]) && (
              <text class="graph-detail" x="8" y="43">
                {formatFigure(value.numbers[row], value.unit)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}
