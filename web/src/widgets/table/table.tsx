// The virtual table: draws only the visible rows, of a million or of three. Its state (sort, search, ranges,
// columns, expanded and selected rows) is in the address under `stateKey`; its rows come from memory or, page
// by page, from the server. It knows nothing of reports: its owner provides the content of expanded rows and
// the entries of a row's menu.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { labelColumn, type NumberColumn, type TableData } from "../../api/table_data";
import { place as placeAtom } from "../../base/history";
import { theme as themeAtom } from "../../base/settings";
import { fill, grouped, words } from "../../base/words";
import { useAtom, useSize } from "../hooks";
import type { MenuEntries } from "../menu";
import { charWidths } from "./char_widths";
import { drawnColumns } from "./columns";
import { copiers, selectionText, tableText, type CopyFormat } from "./copying";
import { foldRows } from "./fold";
import { Header, headHeight } from "./header";
import { kMostRows, kRowHeight, RowLayout, type Detail } from "./layout";
import { identity } from "./order";
import { usePagedRows } from "./paged_rows";
import { openRanges } from "./range_filter";
import { kChevron, kIndent, Row, WaitingRow } from "./row";
import { rowKeys, rowPointer, rowUnder, type RowActions } from "./row_actions";
import { RowDetail } from "./row_detail";
import type { RowRef, RowSource } from "./row_source";
import { useEdges, useScroll } from "./scroll";
import { readTableState, setTableState, type TableState } from "./table_state";
import { kFewRows, Toolbar } from "./toolbar";
import { firstOpen, makeTree } from "./tree_order";
import { useWholeRows } from "./whole_rows";

/** Groups of the matching rows, which the server makes. */
export interface Grouping {
  /** The groups of the last answer; null until there is one, or without a column to group by. */
  table: TableData | null;
  busy: boolean;
  error: string;
  retry: () => void;
}

export interface TableProps {
  table: TableData;
  /** Absent if the rows can not be grouped. */
  grouping?: Grouping;
  stateKey: string;
  /** The column in which rows must have a value; the others are folded. */
  known?: string;
  /** Draws the table as a tree along this column of row numbers. */
  parent?: NumberColumn | null;
  /** Marked and scrolled to while no other row is selected; -1 for none. */
  found?: number;
  /** The content of an expanded row; `undefined` for rows that cannot be expanded. */
  detail?: (at: RowRef) => (() => ComponentChildren) | undefined;
  /** The entries of a row's menu besides copying. */
  rowEntries?: (at: RowRef) => MenuEntries;
  /** Called with the row under the pointer, else the selected one, else null. */
  onPoint?: (at: RowRef | null) => void;
}

const kOverscan = 6;
const kDetailGuess = 96;
const kNoTree = { hasChildren: new Uint8Array(), depth: new Uint16Array() };

export function Table(props: TableProps) {
  const { table: rows, grouping, stateKey, parent, found = -1, detail, rowEntries, onPoint } = props;
  const table = grouping?.table ?? rows;
  const place = useAtom(placeAtom);
  const theme = useAtom(themeAtom);
  const openAtFirst = useMemo(
    () => (parent ? firstOpen(makeTree(identity(table.rows), parent)) : undefined),
    [table, parent],
  );
  const state = useMemo(() => {
    const read = readTableState(place, stateKey, table, openAtFirst);
    return read.selected < 0 ? { ...read, selected: found } : read;
  }, [place, stateKey, table, openAtFirst, found]);
  const change = (part: Partial<TableState>) => setTableState(stateKey, table, part, openAtFirst);
  const [scroller, size] = useSize<HTMLDivElement>();
  const [measured, setMeasured] = useState<ReadonlyMap<number, number>>(new Map());

  // Groups are made of the matching rows.
  const filters = useMemo(
    () => (table === rows ? state : { ...state, search: "", ranges: new Map() }),
    [table, rows, state],
  );
  const [unfolded, setUnfolded] = useState(false);
  const searches = state.search !== "" || state.ranges.size > 0;
  const folded = useMemo(
    () => (unfolded || searches || parent ? null : foldRows(table, props.known)),
    [table, props.known, unfolded, searches, parent],
  );
  const whole = useWholeRows(table, filters, parent ?? null, folded);
  const source = withGroups(usePagedRows(table.wire.paged ? table : null, filters) ?? whole, grouping);
  const { tree } = source;

  const detailOf = (id: number) => {
    const at = detail && source.rowOf(id);
    return at ? detail?.(at) : undefined;
  };
  const isOpen = (id: number): boolean | undefined => {
    if (tree) return tree.hasChildren[id] ? source.searched || state.open.has(id) : undefined;
    return detailOf(id) ? state.open.has(id) : undefined;
  };
  const openKey = [...state.open].join(",");
  const opened = useMemo(() => {
    if (tree) return [];
    const details: (Detail & { id: number })[] = [];
    for (const id of state.open) {
      const position = source.positionOf(id);
      if (position < 0 || !detailOf(id)) continue;
      details.push({ position, id, height: measured.get(id) ?? kDetailGuess });
    }
    return details.sort((a, b) => a.position - b.position);
  }, [source, openKey, measured]);
  const layout = useMemo(() => new RowLayout(source.count, opened), [source, opened]);

  const chevrons = tree !== null || table.wire.row_detail !== undefined;
  const { hasChildren, depth } = tree ?? kNoTree;
  const deepest = useMemo(() => depth.reduce((most, level) => Math.max(most, level), 0), [depth]);
  const indent = chevrons ? kChevron + Math.min(deepest, 20) * kIndent : 0;
  const { columns, lines } = useMemo(
    () => drawnColumns(table, state, size.width, charWidths(), indent),
    [table, size.width, indent, [...state.hidden].join(), [...state.widths].join()],
  );
  const nameKey =
    (columns.find((c) => c.column.key === labelColumn(table)?.key) ?? columns[0])?.column.key ?? "";
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const top = useScroll(scroller, `${stateKey}.top`);
  useEdges(scroller, width, size.width);
  const reveal = (id: number, middle: boolean) => {
    const position = source.positionOf(id);
    const element = scroller.current;
    if (position < 0 || !element) return;
    const y = layout.top(position);
    const room = element.clientHeight - kRowHeight;
    if (middle && (y < element.scrollTop || y + kRowHeight > element.scrollTop + room)) {
      element.scrollTop = y - room / 2;
    } else if (y < element.scrollTop) element.scrollTop = y;
    else if (y + kRowHeight > element.scrollTop + room) element.scrollTop = y + kRowHeight - room;
  };

  // A row selected elsewhere (a slice of a donut) is scrolled to, and its ancestors are opened.
  useEffect(() => {
    if (state.selected < 0) return;
    if (source.positionOf(state.selected) >= 0) return reveal(state.selected, true);
    const above = source.above(state.selected);
    if (above.length > 0) change({ open: new Set([...state.open, ...above]) });
  }, [state.selected, whole, source.count, size.height > 0]);

  // From the search into the rows: to the first row, once the rows match the typed text.
  const [entering, setEntering] = useState(false);
  useEffect(() => {
    if (!entering || source.busy) return;
    setEntering(false);
    if (source.count > 0 && source.positionOf(state.selected) < 0) change({ selected: source.idAt(0) });
  }, [entering, source]);

  const pointed = useRef(-1);
  const point = (id: number) => {
    if (!onPoint || id === pointed.current) return;
    pointed.current = id;
    onPoint(source.rowOf(id < 0 ? state.selected : id));
  };
  useEffect(() => {
    if (pointed.current < 0) onPoint?.(source.rowOf(state.selected));
  }, [state.selected, source]);
  useEffect(() => () => onPoint?.(null), []);

  useEffect(() => {
    const copier = async (format: CopyFormat) => tableText(columns, await source.every(), format);
    copiers.set(stateKey, copier);
    return () => void (copiers.get(stateKey) === copier && copiers.delete(stateKey));
  }, [stateKey, columns, source]);

  const toggle = (id: number) => {
    const open = new Set(state.open);
    if (!open.delete(id)) open.add(id);
    change({ open });
  };
  const actions: RowActions = {
    table,
    columns,
    source,
    state,
    change,
    toggle,
    isOpen,
    reveal,
    rowEntries,
    scroller,
    filter: (column, anchor) => {
      const of = column && rows.byKey.get(column.key);
      openRanges({ table: rows, stateKey, column: of?.kind === "number" ? of : null, anchor });
    },
  };
  const visible = Math.max(size.height, 200);
  const { count } = source;
  const first = count === 0 ? 0 : Math.max(0, layout.positionAt(top) - kOverscan);
  const last = count === 0 ? -1 : Math.min(count - 1, layout.positionAt(top + visible) + kOverscan);
  const positions = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  useEffect(() => source.want(first, Math.max(first, last)), [source, first, last]);
  const frame = ["table-frame", source.busy && "waiting"].filter(Boolean).join(" ");

  return (
    <div class={frame} aria-busy={source.busy}>
      {(rows.wire.rows > kFewRows || state.ranges.size > 0) && (
        <Toolbar
          table={rows}
          shown={table}
          canGroup={grouping !== undefined}
          stateKey={stateKey}
          state={state}
          source={source}
          change={change}
          enterRows={() => {
            scroller.current?.focus();
            setEntering(true);
          }}
          expandAll={
            tree
              ? () => change({ open: new Set(identity(table.rows).filter((row) => hasChildren[row])) })
              : undefined
          }
          collapseAll={tree ? () => change({ open: new Set() }) : undefined}
        />
      )}
      <div class="table-box">
        <div
          class="table"
          ref={scroller}
          role={chevrons ? "treegrid" : "grid"}
          aria-label={table.title}
          aria-rowcount={count + 1}
          tabIndex={0}
          data-table={stateKey}
          onKeyDown={(event) => rowKeys(event, actions)}
          onClick={(event) => rowPointer(event, actions)}
          onDblClick={(event) => rowPointer(event, actions)}
          onContextMenu={(event) => rowPointer(event, actions)}
          onPointerOver={(event) => {
            const line = rowUnder(event.target, scroller.current);
            point(line ? Number(line.dataset.row) : -1);
          }}
          onPointerLeave={() => point(-1)}
          onCopy={(event) => {
            const text = scroller.current && selectionText(scroller.current, source.rowOf);
            if (!text || !event.clipboardData) return;
            event.clipboardData.setData("text/plain", text);
            event.preventDefault();
          }}
        >
          <div
            class="table-sheet"
            style={{
              minWidth: `${width}px`,
              height: `${headHeight(lines) + Math.max(layout.total, count === 0 ? 48 : 0)}px`,
              "--columns": columns.map((column) => `${column.width}px`).join(" "),
            }}
          >
            <Header
              columns={columns}
              lines={lines}
              nameKey={nameKey}
              state={state}
              change={change}
              filter={actions.filter}
            />
            <div class="table-rows">
              {positions.map((position) => {
                const id = source.idAt(position);
                const at = source.rowOf(id);
                const y = layout.top(position);
                if (!at) return <WaitingRow key={id} columns={columns} top={y} position={position} />;
                return (
                  <Row
                    key={id}
                    id={id}
                    table={at.table}
                    row={at.row}
                    columns={columns}
                    nameKey={nameKey}
                    position={position}
                    top={y}
                    selected={id === state.selected}
                    open={isOpen(id)}
                    depth={tree ? depth[id] : 0}
                    chevrons={chevrons}
                    theme={theme}
                  />
                );
              })}
              {opened
                .filter(({ position }) => position >= first && position <= last)
                .map(({ id, position }) => (
                  <RowDetail
                    key={`detail ${id}`}
                    top={layout.top(position) + kRowHeight}
                    width={size.width}
                    onHeight={(height) =>
                      setMeasured((before) =>
                        before.get(id) === height ? before : new Map(before).set(id, height),
                      )
                    }
                  >
                    {detailOf(id)?.()}
                  </RowDetail>
                ))}
              {count === 0 && <div class="table-empty">{emptyText(state, source.busy)}</div>}
            </div>
          </div>
        </div>
      </div>
      {folded && (
        <p class="folded">
          {fill(words.foldedFacts, { n: String(folded.names.length), names: folded.names.join(", ") })}
          <button class="plain text" onClick={() => setUnfolded(true)}>
            {words.showFolded}
          </button>
        </p>
      )}
      {source.error !== "" && (
        <div class="table-foot" role="alert">
          {fill(words.rowsFailed, { why: source.error })}
          <button class="plain text" onClick={source.retry}>
            {words.retry}
          </button>
        </div>
      )}
      {source.matching > kMostRows && (
        <div class="table-foot">{fill(words.tooMany, { n: grouped(kMostRows) })}</div>
      )}
    </div>
  );
}

function withGroups(source: RowSource, grouping: Grouping | undefined): RowSource {
  if (!grouping || (!grouping.busy && grouping.error === "")) return source;
  return { ...source, busy: source.busy || grouping.busy, error: grouping.error, retry: grouping.retry };
}

function emptyText(state: TableState, busy: boolean): string {
  if (busy) return words.loadingRows;
  if (state.ranges.size > 0) return words.noneInRange;
  return state.search ? fill(words.noMatch, { text: state.search }) : words.noRows;
}
