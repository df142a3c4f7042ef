// Where a table's rows come from. The table draws positions; a source says which row is at each:
// at once for a whole table, when it arrives for a paged one. A row is named in the address by an id: its
// number in the report, or, in a paged table, its place in the order that was requested from the server.
import type { TableData } from "../../api/table_data";
import type { TreeRows } from "./tree_order";

/** A row where it is drawn: the table that holds it and its number there. */
export interface RowRef {
  id: number;
  table: TableData;
  row: number;
}

export interface RowSource {
  /** Positions to draw. */
  count: number;
  /** Rows that match, and rows there are. */
  matching: number;
  all: number;
  idAt(position: number): number;
  /** -1: the row is not drawn. */
  positionOf(id: number): number;
  /** null: no such row, or still on its way. */
  rowOf(id: number): RowRef | null;
  /** Present when the rows form a tree. */
  tree: TreeRows | null;
  /** A search is on: what a match is in is open. */
  searched: boolean;
  /** The rows to open so that this one is drawn; none when nothing hides it. */
  above(id: number): number[];
  /** The answer drawn is not yet the one that was requested. */
  busy: boolean;
  error: string;
  retry(): void;
  /** These positions are in sight. */
  want(first: number, last: number): void;
}
