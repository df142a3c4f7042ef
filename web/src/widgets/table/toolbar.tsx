// The line above a table: search, ranges of numbers, how many rows match, and which columns are shown.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TableData } from "../../api/table_data";
import { fill, grouped, words } from "../../base/words";
import { Chip } from "../chip";
import { anchorOf } from "../float";
import { useDebounced } from "../hooks";
import { Icon } from "../icon";
import { openMenu } from "../menu";
import { openRanges } from "./range_filter";
import { numberColumns, rangeText } from "./range_scale";
import type { RowSource } from "./row_source";
import { parseSearch } from "./search";
import type { TableState } from "./table_state";

interface Props {
  /** The rows that are searched and filtered. */
  table: TableData;
  /** What is drawn: these rows, or groups of them. */
  shown: TableData;
  canGroup: boolean;
  stateKey: string;
  state: TableState;
  source: RowSource;
  change: (change: Partial<TableState>) => void;
  /** Arrow down in the search moves into the rows. */
  enterRows: () => void;
  /** Trees only. */
  expandAll?: () => void;
  collapseAll?: () => void;
}

/** With at most this many rows, there is no search. */
export const kFewRows = 8;

export function rowCount(all: number, shown: number): string {
  if (shown !== all) return fill(words.rowsOf, { n: grouped(shown), all: grouped(all) });
  return all === 1 ? words.row : fill(words.rows, { n: grouped(all) });
}

/** The pause in typing before a search: longer for large tables, longest if the server has to answer. */
function restMs(rows: number, table: TableData): number {
  return table.wire.paged ? 250 : rows > 20_000 ? 120 : 40;
}

export function Toolbar({
  table,
  shown,
  canGroup,
  stateKey,
  state,
  source,
  change,
  enterRows,
  expandAll,
  collapseAll,
}: Props) {
  const [text, setText] = useState(state.search);
  // A value that this field set does not come back to it: the user may have typed more since.
  const sent = useRef(state.search);
  const apply = useDebounced(
    (search: string) => {
      sent.current = search;
      change({ search });
    },
    restMs(source.all, table),
  );
  useLayoutEffect(() => {
    if (state.search !== sent.current) setText(state.search);
    sent.current = state.search;
  }, [state.search]);
  const search = (next: string) => {
    setText(next);
    apply(next);
  };
  const problem = useMemo(
    () =>
      parseSearch(table, state.search, shown !== table || table.wire.paged === true).problems.find(
        ({ weak }) => !weak || (source.matching === 0 && !source.busy),
      ),
    [table, shown, state.search, source.matching, source.busy],
  );
  const openColumns = (event: MouseEvent) =>
    openMenu(
      anchorOf(event.currentTarget),
      words.columns,
      () => [
        ...shown.columns.map((column) => ({
          title: column.title,
          hint: column.kind === "number" ? column.scale.label : "",
          checked: !latest.current.hidden.has(column.key),
          stays: true,
          run: () => toggle(column.key),
        })),
        null,
        { title: words.showAll, run: () => change({ hidden: new Set() }) },
      ],
      "right",
    );
  const latest = useRef(state);
  latest.current = state;
  const toggle = (key: string) => {
    const hidden = new Set(latest.current.hidden);
    if (!hidden.delete(key)) hidden.add(key);
    if (hidden.size < shown.columns.length) change({ hidden });
  };
  const texts = table.columns.filter(({ kind }) => kind === "text");
  const by = texts.find(({ key }) => key === state.group);
  const openGroups = (event: MouseEvent) =>
    openMenu(
      anchorOf(event.currentTarget),
      words.groupBy,
      () =>
        [{ key: "", title: words.groupNone }, ...texts].map(({ key, title }) => ({
          title,
          checked: key === (by?.key ?? ""),
          run: () => change({ group: key }),
        })),
      "right",
    );
  return (
    <div class="toolbar">
      <div class="search">
        <Icon name="search" />
        <input
          class="field search-field"
          type="text"
          data-search
          spellcheck={false}
          placeholder={words.search}
          aria-label={`${words.search}: ${table.title}`}
          data-tip={table.wire.paged ? words.searchPagedHint : words.searchHint}
          value={text}
          onInput={(event) => search(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              if (text === "") event.currentTarget.blur();
              else search("");
            } else if (event.key === "ArrowDown" || event.key === "Enter") {
              apply.flush();
              enterRows();
            } else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        {text !== "" && (
          <button class="plain search-clear" aria-label={words.clearSearch} onClick={() => search("")}>
            <Icon name="close" />
          </button>
        )}
      </div>
      <span class="row-count" role="status">
        {shown === table
          ? rowCount(source.all, source.matching)
          : source.all === 1
            ? words.group
            : fill(words.groups, { n: grouped(source.all) })}
      </span>
      {problem && (
        <span class="search-problem" role="alert">
          {problem.text}
        </span>
      )}
      {by && canGroup && (
        <Chip
          text={fill(words.groupedBy, { title: by.title })}
          onOpen={openGroups}
          onRemove={() => change({ group: "" })}
        />
      )}
      {[...state.ranges].map(([key, range]) => {
        const column = table.byKey.get(key);
        if (column?.kind !== "number") return null;
        const ranges = new Map(state.ranges);
        ranges.delete(key);
        return (
          <Chip
            key={key}
            text={rangeText(column, range)}
            tip={words.changeFilter}
            onOpen={(event) => openRanges({ table, stateKey, column, anchor: anchorOf(event.currentTarget) })}
            onRemove={() => change({ ranges })}
          />
        );
      })}
      <span class="toolbar-rest" />
      {expandAll && (
        <button class="plain text" onClick={expandAll}>
          {words.expandAll}
        </button>
      )}
      {collapseAll && (
        <button class="plain text" onClick={collapseAll}>
          {words.collapseAll}
        </button>
      )}
      {numberColumns(table).length > 0 && (
        <button
          class="plain text"
          aria-haspopup="dialog"
          data-tip={words.filterNumbers}
          onClick={(event) =>
            openRanges({ table, stateKey, column: null, anchor: anchorOf(event.currentTarget) })
          }
        >
          <Icon name="filter" />
          {words.filter}
        </button>
      )}
      {canGroup && texts.length > 0 && (
        <button class="plain text" aria-haspopup="menu" data-tip={words.groupByHint} onClick={openGroups}>
          <Icon name="group" />
          {words.groupBy}
        </button>
      )}
      <button class="plain text" aria-haspopup="menu" onClick={openColumns}>
        <Icon name="columns" />
        {words.columns}
      </button>
    </div>
  );
}
