// The rows of a paged table, sorted and filtered by the server. Until the answer to a new request arrives, the
// old rows stay, so that the table is never empty.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { errorText } from "../../api/client";
import { fetchRows, PagedRows } from "../../api/paged_rows";
import type { TableData } from "../../api/table_data";
import { kMostRows } from "./layout";
import type { RowSource } from "./row_source";
import { parseSearch, rangesOf } from "./search";
import { isStandard, spellRanges, type TableState } from "./table_state";

/** `table` null: the table is not paged. */
export function usePagedRows(table: TableData | null, state: TableState): RowSource | null {
  const [version, setVersion] = useState(0);
  const sortKey = state.sort ? `${state.sort.column} ${state.sort.descending}` : "";
  const requested = useMemo(() => {
    if (!table) return null;
    const { plain, conditions } = parseSearch(table, state.search);
    const ranges = rangesOf(conditions, state.ranges);
    return new PagedRows(
      table,
      { sort: state.sort, search: plain.join(" "), ranges },
      isStandard(table, state),
      () => setVersion((n) => n + 1),
    );
  }, [table, sortKey, state.search, spellRanges(state.ranges)]);
  useEffect(() => () => requested?.close(), [requested]);

  const shown = useRef<PagedRows | null>(null);
  const answered = requested !== null && (requested.matching !== null || requested.error !== null);
  if (answered || !shown.current || !requested) shown.current = requested;
  const drawn = shown.current;
  return useMemo(() => {
    if (!requested || !drawn) return null;
    const matching = drawn.matching ?? 0;
    const count = Math.min(matching, kMostRows);
    const rowOf = (id: number) => {
      const at = id >= 0 && id < matching ? drawn.at(id) : null;
      return at && { id, ...at };
    };
    return {
      count,
      matching,
      all: drawn.table.wire.rows,
      idAt: (position: number) => position,
      positionOf: (id: number) => (id >= 0 && id < count ? id : -1),
      rowOf,
      tree: null,
      above: () => [],
      searched: false,
      every: async () => {
        const all = await fetchRows(drawn.table, drawn.question);
        return Array.from({ length: all.rows }, (_, row) => ({ id: row, table: all, row }));
      },
      busy: requested.error === null && (drawn !== requested || drawn.matching === null),
      error: requested.error ? errorText(requested.error) : "",
      retry: () => requested.retry(),
      want: (first: number, last: number) => requested.want(first, last),
    };
  }, [requested, drawn, version]);
}
