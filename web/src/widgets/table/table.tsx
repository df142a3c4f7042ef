// The virtual table: draws only the rows in sight, of a hundred thousand or of three. Its state (sort,
// search, columns, expanded and selected rows) lives in the address under `stateKey`. It knows nothing
// of reports: what an expanded row shows and what a row's menu offers are given to it.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { labelColumn, type NumberColumn, type TableData } from "../../api/table_data";
import { place as placeAtom } from "../../base/history";
import { theme as themeAtom } from "../../base/settings";
import { fill, grouped, words } from "../../base/words";
import { useAtom, useSize } from "../hooks";
import type { MenuEntries } from "../menu";
import { charWidths } from "./char_widths";
import { drawnColumns } from "./columns";
import { selectionText } from "./copying";
import { Header, headHeight } from "./header";
import { kMostRows, kRowHeight, RowLayout, type Detail } from "./layout";
import { filterRows, identity, matchRows, sortedRows } from "./order";
import { kChevron, kIndent, Row } from "./row";
import { rowKeys, rowPointer } from "./row_actions";
import { useScroll } from "./scroll";
import { readTableState, setTableState, type TableState } from "./table_state";
import { kFewRows, Toolbar } from "./toolbar";
import { ancestorsOf, firstOpen, makeTree, treeRows } from "./tree_order";

export interface TableProps {
  table: TableData;
  stateKey: string;
  /** Draws the table as a tree along this column of row numbers. */
  parent?: NumberColumn | null;
  /** What an expanded row shows; `undefined` for rows that cannot be expanded. */
  detail?: (row: number) => (() => ComponentChildren) | undefined;
  /** What a row's menu offers beyond copying. */
  rowEntries?: (row: number) => MenuEntries;
}

const kOverscan = 6;
const kDetailGuess = 96;

export function Table({ table, stateKey, parent, detail, rowEntries }: TableProps) {
  const place = useAtom(placeAtom);
  const theme = useAtom(themeAtom);
  const openAtFirst = useMemo(
    () => (parent ? firstOpen(makeTree(identity(table.rows), parent)) : undefined),
    [table, parent],
  );
  const state = useMemo(
    () => readTableState(place, stateKey, table, openAtFirst),
    [place, stateKey, table, openAtFirst],
  );
  const change = (part: Partial<TableState>) => setTableState(stateKey, table, part, openAtFirst);
  const [scroller, size] = useSize<HTMLDivElement>();
  const [measured, setMeasured] = useState<ReadonlyMap<number, number>>(new Map());

  const sortKey = state.sort ? `${state.sort.column} ${state.sort.descending}` : "";
  const sorted = useMemo(() => sortedRows(table, state.sort), [table, sortKey]);
  const mask = useMemo(() => matchRows(table, state.search), [table, state.search]);
  const tree = useMemo(() => (parent ? makeTree(sorted, parent) : null), [sorted, parent]);
  const openKey = [...state.open].join(",");
  const treeView = useMemo(
    () => tree && treeRows(tree, table.rows, (row) => state.open.has(row), mask),
    [tree, mask, openKey],
  );
  const flat = useMemo(() => (treeView ? null : filterRows(sorted, mask)), [sorted, mask, treeView]);
  const matching = (treeView?.rows ?? flat) as Uint32Array;
  const rows = matching.length > kMostRows ? matching.subarray(0, kMostRows) : matching;

  const hasDetail = (row: number) => detail?.(row) !== undefined;
  const isOpen = (row: number): boolean | undefined => {
    if (treeView) return treeView.hasChildren[row] ? mask !== null || state.open.has(row) : undefined;
    return hasDetail(row) ? state.open.has(row) : undefined;
  };
  const opened = useMemo(() => {
    if (treeView || state.open.size === 0) return [];
    const found: (Detail & { row: number })[] = [];
    for (let position = 0; position < rows.length && found.length < state.open.size; position++) {
      const row = rows[position];
      if (state.open.has(row) && hasDetail(row)) {
        found.push({ position, row, height: measured.get(row) ?? kDetailGuess });
      }
    }
    return found;
  }, [rows, openKey, measured, treeView]);
  const layout = useMemo(() => new RowLayout(rows.length, opened), [rows, opened]);

  const chevrons = treeView !== null || table.wire.row_detail !== undefined;
  const deepest = useMemo(
    () => (treeView ? treeView.depth.reduce((most, depth) => Math.max(most, depth), 0) : 0),
    [treeView],
  );
  const indent = chevrons ? kChevron + Math.min(deepest, 20) * kIndent : 0;
  const { columns, lines } = useMemo(
    () => drawnColumns(table, state, size.width, charWidths(), indent),
    [table, size.width, indent, [...state.hidden].join(), [...state.widths].join()],
  );
  const nameKey = (columns.find((c) => c.column === labelColumn(table)) ?? columns[0])?.column.key ?? "";
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const top = useScroll(scroller, `${stateKey}.top`);
  const positionOf = (row: number) => rows.indexOf(row);
  const reveal = (row: number, middle: boolean) => {
    const position = positionOf(row);
    const element = scroller.current;
    if (position < 0 || !element) return;
    const y = layout.top(position);
    const room = element.clientHeight - kRowHeight;
    if (middle && (y < element.scrollTop || y + kRowHeight > element.scrollTop + room)) {
      element.scrollTop = y - room / 2;
    } else if (y < element.scrollTop) element.scrollTop = y;
    else if (y + kRowHeight > element.scrollTop + room) element.scrollTop = y + kRowHeight - room;
  };

  // A row chosen elsewhere (a slice of a donut) is brought into sight, its ancestors opened.
  useEffect(() => {
    if (state.selected < 0) return;
    if (positionOf(state.selected) >= 0) return reveal(state.selected, true);
    if (tree && !mask) change({ open: new Set([...state.open, ...ancestorsOf(tree, state.selected)]) });
  }, [state.selected, rows, size.height > 0]);

  const toggle = (row: number) => {
    const open = new Set(state.open);
    if (!open.delete(row)) open.add(row);
    change({ open });
  };
  const actions = {
    table,
    columns,
    rows,
    state,
    change,
    toggle,
    isOpen,
    reveal,
    positionOf,
    rowEntries,
    scroller,
  };
  const visible = Math.max(size.height, 200);
  const first = rows.length === 0 ? 0 : Math.max(0, layout.positionAt(top) - kOverscan);
  const last =
    rows.length === 0 ? -1 : Math.min(rows.length - 1, layout.positionAt(top + visible) + kOverscan);
  const positions = Array.from({ length: last - first + 1 }, (_, i) => first + i);

  return (
    <div class="table-frame">
      {table.rows > kFewRows && (
        <Toolbar
          table={table}
          state={state}
          shown={treeView && !mask ? table.rows : matching.length}
          change={change}
          enterRows={() => {
            scroller.current?.focus();
            if (rows.length > 0 && positionOf(state.selected) < 0) change({ selected: rows[0] });
          }}
          expandAll={treeView ? () => change({ open: new Set(tree?.children.keys()) }) : undefined}
          collapseAll={treeView ? () => change({ open: new Set() }) : undefined}
        />
      )}
      <div
        class="table"
        ref={scroller}
        role={treeView ? "treegrid" : "grid"}
        aria-label={table.title}
        aria-rowcount={rows.length + 1}
        tabIndex={0}
        data-table={stateKey}
        onKeyDown={(event) => rowKeys(event, actions)}
        onClick={(event) => rowPointer(event, actions)}
        onDblClick={(event) => rowPointer(event, actions)}
        onContextMenu={(event) => rowPointer(event, actions)}
        onCopy={(event) => {
          const text = scroller.current && selectionText(scroller.current, table);
          if (!text || !event.clipboardData) return;
          event.clipboardData.setData("text/plain", text);
          event.preventDefault();
        }}
      >
        <div
          class="table-sheet"
          style={{
            minWidth: `${width}px`,
            height: `${headHeight(lines) + Math.max(layout.total, rows.length === 0 ? 48 : 0)}px`,
            "--columns": columns.map((column) => `${column.width}px`).join(" "),
          }}
        >
          <Header columns={columns} lines={lines} nameKey={nameKey} state={state} change={change} />
          <div class="table-rows">
            {positions.map((position) => {
              const row = rows[position];
              return (
                <Row
                  key={row}
                  table={table}
                  columns={columns}
                  nameKey={nameKey}
                  row={row}
                  position={position}
                  top={layout.top(position)}
                  selected={row === state.selected}
                  open={isOpen(row)}
                  depth={treeView ? treeView.depth[row] : 0}
                  chevrons={chevrons}
                  theme={theme}
                />
              );
            })}
            {opened
              .filter(({ position }) => position >= first && position <= last)
              .map(({ row, position }) => (
                <RowDetail
                  key={`detail ${row}`}
                  top={layout.top(position) + kRowHeight}
                  width={size.width}
                  onHeight={(height) =>
                    setMeasured((before) =>
                      before.get(row) === height ? before : new Map(before).set(row, height),
                    )
                  }
                >
                  {detail?.(row)?.()}
                </RowDetail>
              ))}
            {rows.length === 0 && (
              <div class="table-empty">
                {state.search ? fill(words.noMatch, { text: state.search }) : words.noRows}
              </div>
            )}
          </div>
        </div>
      </div>
      {matching.length > kMostRows && (
        <div class="table-foot">{fill(words.tooMany, { n: grouped(kMostRows) })}</div>
      )}
    </div>
  );
}

interface RowDetailProps {
  top: number;
  width: number;
  onHeight: (height: number) => void;
  children: ComponentChildren;
}

/** What an expanded row shows: as wide as the window onto the table, and as tall as it needs. */
function RowDetail({ top, width, onHeight, children }: RowDetailProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => onHeight(element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="row-detail" style={{ transform: `translateY(${top}px)` }}>
      <div class="row-detail-inside" ref={ref} style={{ width: `${width}px` }}>
        {children}
      </div>
    </div>
  );
}
