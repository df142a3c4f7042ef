// What keys and the pointer do to rows. One listener per table: the row and the column are read from
// the element that was hit.
import type { RefObject } from "preact";
import { cellExact, cellText, labelColumn, type TableData } from "../../api/table_data";
import { words } from "../../base/words";
import { copyText } from "../copy";
import { anchorAt, anchorOf, type Anchor } from "../float";
import { openMenu, type MenuEntries } from "../menu";
import type { DrawnColumn } from "./columns";
import { rowText } from "./copying";
import { kRowHeight } from "./layout";
import type { TableState } from "./table_state";

export interface RowActions {
  table: TableData;
  columns: DrawnColumn[];
  rows: Uint32Array;
  state: TableState;
  change: (change: Partial<TableState>) => void;
  toggle: (row: number) => void;
  isOpen: (row: number) => boolean | undefined;
  reveal: (row: number, middle: boolean) => void;
  positionOf: (row: number) => number;
  rowEntries?: (row: number) => MenuEntries;
  scroller: RefObject<HTMLElement>;
}

export function openRowMenu(actions: RowActions, row: number, columnKey: string, anchor: Anchor): void {
  const { table, columns, rowEntries, change } = actions;
  const column = table.byKey.get(columnKey);
  const label = labelColumn(table);
  const own = rowEntries?.(row) ?? [];
  openMenu(anchor, words.rowMenu, () => [
    ...own,
    ...(own.length > 0 ? [null] : []),
    ...(label && column !== label
      ? [{ title: words.copyName, run: () => void copyText(cellText(label, row)) }]
      : []),
    ...(column ? [{ title: words.copyCell, run: () => void copyText(cellExact(column, row)) }] : []),
    { title: words.copyRow, hint: "Ctrl+C", run: () => void copyText(rowText(columns, row)) },
    ...(column?.kind === "text"
      ? [{ title: words.searchThis, run: () => change({ search: cellText(column, row) }) }]
      : []),
  ]);
}

export function rowPointer(event: MouseEvent, actions: RowActions): void {
  const target = event.target as HTMLElement;
  if (target.closest(".row-detail")) return;
  const line = target.closest<HTMLElement>("[data-row]");
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
  const { state, rows, scroller, isOpen, toggle, positionOf } = actions;
  const at = positionOf(state.selected);
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / kRowHeight) - 2);
  const select = (position: number) => {
    if (rows.length === 0) return;
    const row = rows[Math.max(0, Math.min(rows.length - 1, position))];
    actions.change({ selected: row });
    actions.reveal(row, false);
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
      select(rows.length - 1);
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
    case "Ctrl+c":
      if (at < 0 || getSelection()?.isCollapsed === false) return;
      void copyText(rowText(actions.columns, state.selected));
      break;
    default:
      return;
  }
  event.preventDefault();
  event.stopPropagation();
}
