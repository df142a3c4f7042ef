// The source of a table's rows. The table draws positions; a source returns the row at each: immediately for a
// whole table, when it arrives for a paged one. The address names a row by an id: its number in the report, or,
// in a paged table, its position in the order that was requested from the server.
import type { TableData } from "../../api/table_data";
import type { TreeRows } from "./tree_order";

/** A row and where it is: the table that holds it and its number there. */
export interface RowRef {
  id: number;
  table: TableData;
  row: number;
}

export interface RowSource {
  /** Positions to draw. */
  count: number;
  /** Matching rows, and all rows. */
  matching: number;
  all: number;
  idAt(position: number): number;
  /** -1: the row is not drawn. */
  positionOf(id: number): number;
  /** null: no such row, or it has not arrived yet. */
  rowOf(id: number): RowRef | null;
  /** Present when the rows form a tree. */
  tree: TreeRows | null;
  /** A search is active: the ancestors of matches are open. */
  searched: boolean;
  /** The rows to open so that this one is drawn; empty if nothing hides it. */
  above(id: number): number[];
  /** Every row that is shown, in order; of a paged table, the first 10,000. */
  every(): Promise<RowRef[]>;
  /** The drawn answer is not yet the requested one. */
  busy: boolean;
  error: string;
  retry(): void;
  /** These positions are visible. */
  want(first: number, last: number): void;
}
