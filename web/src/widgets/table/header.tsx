// The head of a table: titles with their unit, the sort mark, and a handle that drags the column's width
// (double click resets it). A click sorts: numbers from the largest, names from A.
import type { Column, NumberColumn } from "../../api/table_data";
import { words } from "../../base/words";
import { anchorAt, type Anchor } from "../float";
import { openMenu } from "../menu";
import { titleLines, unitOf, type DrawnColumn } from "./columns";
import type { TableState } from "./table_state";

interface Props {
  columns: DrawnColumn[];
  lines: 1 | 2;
  /** The column that names the row: it is aligned left even if it holds numbers. */
  nameKey: string;
  state: TableState;
  change: (change: Partial<TableState>) => void;
  filter: (column: NumberColumn, anchor: Anchor) => void;
}

export function headHeight(lines: 1 | 2): number {
  return lines === 1 ? 24 : 38;
}

export function Header({ columns, lines, nameKey, state, change, filter }: Props) {
  const sortBy = (column: Column) => {
    const now = state.sort;
    const first = column.kind === "number";
    change({
      sort: { column: column.key, descending: now?.column === column.key ? !now.descending : first },
    });
  };
  const setWidth = (key: string, width: number | null) => {
    const widths = new Map(state.widths);
    if (width === null) widths.delete(key);
    else widths.set(key, Math.max(40, Math.min(2000, width)));
    change({ widths });
  };
  const drag = (event: PointerEvent, drawn: DrawnColumn) => {
    event.preventDefault();
    event.stopPropagation();
    const handle = event.currentTarget as HTMLElement;
    const from = event.clientX;
    handle.setPointerCapture(event.pointerId);
    const move = (e: PointerEvent) => setWidth(drawn.column.key, drawn.width + e.clientX - from);
    const end = () => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("lostpointercapture", end);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", end);
  };
  const menu = (event: MouseEvent, column: Column) => {
    event.preventDefault();
    const anchor = anchorAt(event);
    openMenu(anchor, column.title, () => [
      ...(column.kind === "number" ? [{ title: words.filterColumn, run: () => filter(column, anchor) }] : []),
      { title: words.hideColumn, run: () => change({ hidden: new Set([...state.hidden, column.key]) }) },
      { title: words.resetWidths, run: () => change({ widths: new Map() }) },
    ]);
  };
  return (
    <div class="table-head" role="row" aria-rowindex={1} style={{ height: `${headHeight(lines)}px` }}>
      {columns.map((drawn) => {
        const { column } = drawn;
        const sorted = state.sort?.column === column.key;
        const unit = unitOf(column);
        return (
          <div
            key={column.key}
            class={
              (column.kind === "number" && column.key !== nameKey ? "head-cell number" : "head-cell") +
              (column.key === nameKey ? " first" : "")
            }
            role="columnheader"
            aria-sort={sorted ? (state.sort?.descending ? "descending" : "ascending") : "none"}
            onContextMenu={(event) => menu(event, column)}
          >
            <button
              class="head-title"
              aria-label={unit ? `${column.title} ${unit}` : column.title}
              data-tip={column.doc ? `${column.title}\n${column.doc}` : column.title}
              onClick={() => sortBy(column)}
            >
              <span class="head-sort" aria-hidden="true">
                {sorted ? (state.sort?.descending ? "▾" : "▴") : ""}
              </span>
              <span class="head-text">
                {titleLines(column.title, unit, lines).map((line, at, all) => (
                  <span class="head-line" key={at}>
                    {at < all.length - 1 ? `${line} ` : line}
                    {at === all.length - 1 && unit && (
                      <span class="head-unit">{line === "" ? unit : ` ${unit}`}</span>
                    )}
                  </span>
                ))}
              </span>
            </button>
            <span
              class="head-handle"
              onPointerDown={(event) => drag(event, drawn)}
              onDblClick={() => setWidth(column.key, null)}
            />
          </div>
        );
      })}
    </div>
  );
}
