// The row of a table under the pointer, for the panel that marks its instants.
import { Atom } from "../base/atom";
import type { CurveMark } from "../widgets/chart/curve_marks";
import type { RowRef } from "../widgets/table/row_source";

export interface Pointed {
  /** Key of the panel that marks them. */
  panel: string;
  marks: CurveMark[];
}

export const pointed = new Atom<Pointed | null>(null);

/** Called when the pointer moves to another row of a table; undefined if the table marks nothing. */
export function marker(
  marks: { panel: string; columns: string[] } | undefined,
  prefix: string,
): ((at: RowRef | null) => void) | undefined {
  if (!marks) return undefined;
  return (at) => {
    const instants = marks.columns
      .map((key) => at?.table.byKey.get(key))
      .flatMap((column) =>
        column?.kind === "number" && at && !Number.isNaN(column.numbers[at.row])
          ? [{ x: column.numbers[at.row], label: column.title }]
          : [],
      );
    pointed.set(at ? { panel: prefix + marks.panel, marks: instants } : null);
  };
}
