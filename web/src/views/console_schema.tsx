// Tables and views with their columns: a click on a name inserts it, the arrow opens a table.
import { useState } from "preact/hooks";
import type { SchemaColumn, SchemaTable } from "../api/query";
import { fill, words } from "../base/words";
import { Icon } from "../widgets/icon";
import { quotedName } from "./sql_completion";

interface Props {
  tables: SchemaTable[];
  error: string;
  onInsert: (name: string) => void;
}

/** A short description of a column's values: rows of a table, a type or a unit. */
function columnNote({ row_of, type, unit }: SchemaColumn) {
  if (row_of) return `→ ${row_of}`;
  return ["none", "id", "count"].includes(unit) ? type : unit;
}

function TableEntry({ table, onInsert }: { table: SchemaTable; onInsert: Props["onInsert"] }) {
  const [open, setOpen] = useState(false);
  return (
    <li data-table-name={table.name}>
      <div class="schema-table">
        <button class="plain" aria-expanded={open} aria-label={table.name} onClick={() => setOpen(!open)}>
          <span class={open ? "schema-arrow open" : "schema-arrow"}>
            <Icon name="chevron" />
          </span>
        </button>
        <button
          class="plain code schema-name"
          data-tip={`${table.doc}\n${words.insertName}`}
          onClick={() => onInsert(table.name)}
        >
          {table.name}
        </button>
        <span class="muted schema-note">
          {table.rows === null ? words.sqlView : table.rows.toLocaleString("en")}
        </span>
      </div>
      {open && (
        <ul>
          {table.columns.map((column) => (
            <li key={column.name} class="schema-column">
              <button
                class="plain code schema-name"
                data-tip={`${column.doc}\n${words.insertName}`}
                onClick={() => onInsert(quotedName(column.name))}
              >
                {column.name}
              </button>
              <span class="muted schema-note">{columnNote(column)}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Tables that have rows in this profile, and those that have none. */
export function byRows(tables: SchemaTable[]): { full: SchemaTable[]; empty: SchemaTable[] } {
  return { full: tables.filter(({ rows }) => rows !== 0), empty: tables.filter(({ rows }) => rows === 0) };
}

export function SchemaList({ tables, error, onInsert }: Props) {
  const [unfolded, setUnfolded] = useState(false);
  const { full, empty } = byRows(tables);
  const list = (some: SchemaTable[]) => (
    <ul>
      {some.map((table) => (
        <TableEntry key={table.name} table={table} onInsert={onInsert} />
      ))}
    </ul>
  );
  return (
    <section class="panel console-schema" aria-label={words.queryTables}>
      <header class="panel-head">
        <h2>{words.queryTables}</h2>
      </header>
      {error && <p class="panel-empty">{error}</p>}
      {list(full)}
      {empty.length > 0 && (
        <button class="plain schema-empty" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          <span class={unfolded ? "schema-arrow open" : "schema-arrow"}>
            <Icon name="chevron" />
          </span>
          {fill(words.emptyTables, { n: empty.length })}
        </button>
      )}
      {unfolded && list(empty)}
    </section>
  );
}
