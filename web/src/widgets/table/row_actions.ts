// Keys and pointer actions on rows. There is one listener per table: it reads the row and the column from the
// element that was hit.
import type { RefObject } from "preact";
import {
  cellExact,
  cellText,
  isUnknown,
  labelColumn,
  type NumberColumn,
  type TableData,
} from "../../api/table_data";
import { words } from "../../base/words";
import { copyText } from "../copy";
import { anchorAt, anchorOf, type Anchor } from "../float";
import { openMenu, type MenuEntries } from "../menu";
import type { DrawnColumn } from "./columns";
import { rowText } from "./copying";
import { kRowHeight } from "./layout";
import type { RowRef, RowSource } from "./row_source";
import type { TableState } from "./table_state";

export interface RowActions {
  table: TableData;
  columns: DrawnColumn[];
  source: RowSource;
  state: TableState;
  change: (change: Partial<TableState>) => void;
  toggle: (id: number) => void;
  isOpen: (id: number) => boolean | undefined;
  reveal: (id: number, middle: boolean) => void;
  rowEntries?: (at: RowRef) => MenuEntries;
  /** Opens the number filters, at `column` if one is given. */
  filter: (column: NumberColumn | null, anchor: Anchor) => void;
  scroller: RefObject<HTMLElement>;
}

export function openRowMenu(actions: RowActions, id: number, columnKey: string, anchor: Anchor): void {
  const { columns, rowEntries, change, source } = actions;
  const at = source.rowOf(id);
  if (!at) return;
  const { table, row } = at;
  const column = table.byKey.get(columnKey);
  const label = labelColumn(table);
  const own = rowEntries?.(at) ?? [];
  openMenu(anchor, words.rowMenu, () => [
    ...own,
    ...(own.length > 0 ? [null] : []),
    ...(label && column !== label
      ? [{ title: words.copyName, run: () => void copyText(cellText(label, row)) }]
      : []),
    ...(column ? [{ title: words.copyCell, run: () => void copyText(cellExact(column, row)) }] : []),
    { title: words.copyRow, hint: "Ctrl+C", run: () => void copyText(rowText(columns, at)) },
    ...(actions.state.group !== "" && label && !isUnknown(label, row)
      ? [
          {
            title: words.rowsOfGroup,
            run: () => change({ group: "", search: cellText(label, row) }),
          },
        ]
      : []),
    ...(column?.kind === "text"
      ? [{ title: words.searchThis, run: () => change({ search: cellText(column, row) }) }]
      : []),
    ...(column?.kind === "number"
      ? [{ title: words.filterColumn, run: () => actions.filter(column, anchor) }]
      : []),
  ]);
}

/** The row's element under the pointer; null for a row of another table, shown inside an expanded row. */
export function rowUnder(target: EventTarget | null, table: HTMLElement | null): HTMLElement | null {
  const line = (target as Element).closest<HTMLElement>("[data-row]");
  return line?.closest("[data-table]") === table ? line : null;
}

export function rowPointer(event: MouseEvent, actions: RowActions): void {
  const target = event.target as HTMLElement;
  const line = rowUnder(target, actions.scroller.current);
  if (!line) return;
  const row = Number(line.dataset.row);
  const act = target.closest<HTMLElement>("[data-act]")?.dataset.act;
  const column = target.closest<HTMLElement>("[data-column]")?.dataset.column ?? "";
  if (event.type === "dblclick") {
    if (!act && actions.isOpen(row) !== undefined) {
      getSelection()?.removeAllRanges();
      actions.toggle(row);
    }
    return;
  }
  if (event.type === "contextmenu") {
    event.preventDefault();
    actions.change({ selected: row });
    openRowMenu(actions, row, column, anchorAt(event));
    return;
  }
  if (act === "expand") return actions.toggle(row);
  if (act === "menu") return openRowMenu(actions, row, column, anchorOf(target.closest("[data-act]")));
  if (getSelection()?.isCollapsed !== false) actions.change({ selected: row });
}

export function rowKeys(event: KeyboardEvent, actions: RowActions): void {
  if (event.target !== actions.scroller.current || event.altKey) return;
  const { state, source, scroller, isOpen, toggle } = actions;
  const at = source.positionOf(state.selected);
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / kRowHeight) - 2);
  const select = (position: number) => {
    if (source.count === 0) return;
    const id = source.idAt(Math.max(0, Math.min(source.count - 1, position)));
    actions.change({ selected: id });
    actions.reveal(id, false);
  };
  const open = at >= 0 ? isOpen(state.selected) : undefined;
  const key = event.ctrlKey || event.metaKey ? `Ctrl+${event.key.toLowerCase()}` : event.key;
  switch (key) {
    case "ArrowDown":
      select(at + 1);
      break;
    case "ArrowUp":
      select(Math.max(0, at - 1));
      break;
    case "PageDown":
      select(at + page);
      break;
    case "PageUp":
      select(at - page);
      break;
    case "Home":
      select(0);
      break;
    case "End":
      select(source.count - 1);
      break;
    case "Enter":
      if (open === undefined) return;
      toggle(state.selected);
      break;
    case "ArrowRight":
      if (open !== false) return;
      toggle(state.selected);
      break;
    case "ArrowLeft":
      if (open !== true) return;
      toggle(state.selected);
      break;
    case "Escape":
      if (at < 0) return;
      actions.change({ selected: -1 });
      break;
    case "ContextMenu":
    case "m": {
      if (at < 0) return;
      const line = scroller.current?.querySelector(`[data-row="${state.selected}"]`);
      if (line) openRowMenu(actions, state.selected, "", anchorOf(line));
      break;
    }
    case "Ctrl+c": {
      const row = source.rowOf(state.selected);
      if (at < 0 || !row || getSelection()?.isCollapsed === false) return;
      void copyText(rowText(actions.columns, row));
      break;
    }
    default:
      return;
  }
  event.preventDefault();
  event.stopPropagation();
}
