// One row: cells in the order of the columns. The name's cell also has the row's controls: the chevron if it
// can be expanded, indentation in a tree, and the menu button.
import { memo } from "../memo";
import { cellText, isUnknown, type Column, type TableData } from "../../api/table_data";
import type { Theme } from "../../base/hues";
import { categoryWord, words } from "../../base/words";
import { Icon } from "../icon";
import { shortNameOf } from "../short_names";
import { SourceText } from "../source_text";
import { cellHue, cellTip, firstLine, NumberCell, PlainCell } from "./cell";
import type { DrawnColumn } from "./columns";

export interface RowProps {
  /** The row's id in the address; `row` is its number in `table`. */
  id: number;
  table: TableData;
  columns: DrawnColumn[];
  /** The key of the column with chevron and menu. */
  nameKey: string;
  row: number;
  position: number;
  top: number;
  selected: boolean;
  /** Undefined if the row cannot be expanded. */
  open: boolean | undefined;
  depth: number;
  /** Room for chevrons is kept in every row of a table that has any. */
  chevrons: boolean;
  theme: Theme;
}

export const kIndent = 14;
export const kChevron = 18;

/** A page of a long table has the same columns with other values. */
function columnOf(table: TableData, { column }: DrawnColumn): Column {
  return table.byKey.get(column.key) ?? column;
}

function NameCell({ drawn, props }: { drawn: DrawnColumn; props: RowProps }) {
  const { width, chars } = drawn;
  const { row, depth, open, chevrons, theme } = props;
  const column = columnOf(props.table, drawn);
  const category = column.role === "category";
  const unnamed = column.kind === "text" && isUnknown(column, row);
  const named = category ? categoryWord(cellText(column, row)) : cellText(column, row);
  const text = unnamed ? words.notNamed : named;
  const taken = chevrons ? kChevron + Math.min(depth, 20) * kIndent - 4 : 0;
  const fit = Math.max(4, Math.floor((chars * (width - 16 - taken)) / (width - 16)));
  const shown = column.kind === "number" || !column.code ? firstLine(text) : shortNameOf(column, text, fit);
  return (
    <div
      class={column.code ? "cell name code" : "cell name"}
      role="rowheader"
      data-column={column.key}
      style={chevrons ? { paddingLeft: `${4 + Math.min(depth, 20) * kIndent}px` } : undefined}
    >
      {chevrons && (
        <button
          class={open ? "chevron open" : "chevron"}
          data-act="expand"
          tabIndex={-1}
          aria-label={open ? words.collapse : words.expand}
          style={open === undefined ? { visibility: "hidden" } : undefined}
        >
          <Icon name="chevron" />
        </button>
      )}
      {category && <i class="swatch" style={{ background: cellHue(column, row, theme) }} />}
      <span
        class={unnamed ? "name-text muted" : "name-text"}
        data-tip={category ? undefined : cellTip(column, row, shown)}
        data-code={column.code || undefined}
      >
        {column.code ? <SourceText frame={text} shown={shown} /> : shown}
      </span>
      <button class="row-menu" data-act="menu" tabIndex={-1} aria-label={words.rowMenu}>
        <Icon name="menu" />
      </button>
    </div>
  );
}

function RowView(props: RowProps) {
  const { id, table, columns, row, position, top, selected, open, nameKey, theme } = props;
  return (
    <div
      class={selected ? "row selected" : "row"}
      role="row"
      aria-rowindex={position + 2}
      aria-selected={selected}
      aria-expanded={open}
      data-row={id}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map((drawn) => {
        const column = columnOf(table, drawn);
        if (column.key === nameKey) return <NameCell key={column.key} drawn={drawn} props={props} />;
        if (column.kind === "number")
          return <NumberCell key={column.key} table={table} column={column} row={row} />;
        return <PlainCell key={column.key} column={column} chars={drawn.chars} row={row} theme={theme} />;
      })}
    </div>
  );
}

export const Row = memo(RowView);

/** A placeholder for a row that has not arrived yet. */
export function WaitingRow({ columns, top, position }: Pick<RowProps, "columns" | "top" | "position">) {
  return (
    <div
      class="row row-waiting"
      role="row"
      aria-rowindex={position + 2}
      aria-busy="true"
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map(({ column }) => (
        <div key={column.key} class={column.kind === "number" ? "cell number" : "cell"} role="gridcell">
          <i />
        </div>
      ))}
    </div>
  );
}
