// The rows of a table that is completely in memory: sorted, searched and, in a tree, folded there.
import { useMemo } from "preact/hooks";
import type { NumberColumn, TableData } from "../../api/table_data";
import type { Fold } from "./fold";
import { filterRows, matchRows, sortedRows } from "./order";
import { kMostRows } from "./layout";
import type { RowSource } from "./row_source";
import { spellRanges, type TableState } from "./table_state";
import { ancestorsOf, makeTree, treeRows } from "./tree_order";

/** `folded`: rows that are not drawn, and not counted. */
export function useWholeRows(
  table: TableData,
  state: TableState,
  parent: NumberColumn | null,
  folded: Fold | null = null,
): RowSource {
  const sortKey = state.sort ? `${state.sort.column} ${state.sort.descending}` : "";
  const rangeKey = spellRanges(state.ranges);
  const sorted = useMemo(() => sortedRows(table, state.sort), [table, sortKey]);
  const mask = useMemo(() => matchRows(table, state.search, state.ranges), [table, state.search, rangeKey]);
  const parents = useMemo(() => (parent ? makeTree(sorted, parent) : null), [sorted, parent]);
  const openKey = parents ? [...state.open].join(",") : "";
  const tree = useMemo(
    () => parents && treeRows(parents, table.rows, (row) => state.open.has(row), mask),
    [parents, mask, openKey],
  );
  const matching = useMemo(
    () => tree?.rows ?? filterRows(sorted, mask ?? folded?.mask ?? null),
    [sorted, mask, tree, folded],
  );
  return useMemo(() => {
    const rows = matching.length > kMostRows ? matching.subarray(0, kMostRows) : matching;
    return {
      count: rows.length,
      matching: tree && !mask ? table.rows : matching.length,
      all: table.rows - (mask ? 0 : (folded?.names.length ?? 0)),
      idAt: (position: number) => rows[position],
      positionOf: (id: number) => rows.indexOf(id),
      rowOf: (id: number) => (id >= 0 && id < table.rows ? { id, table, row: id } : null),
      tree,
      above: (id: number) => (parents && !mask ? ancestorsOf(parents, id) : []),
      searched: mask !== null,
      every: async () => Array.from(matching, (row) => ({ id: row, table, row })),
      busy: false,
      error: "",
      retry: () => undefined,
      want: () => undefined,
    };
  }, [table, matching, tree, mask, parents, folded]);
}
