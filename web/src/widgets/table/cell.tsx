// One cell. Numbers are at the right, with a faint bar of their share behind; names are shortened to the
// column's width in characters, with the whole name on hover and in the clipboard; unknown is a dash with a
// reason.
import {
  cellExact,
  cellPad,
  cellText,
  isUnknown,
  wireText,
  type Column,
  type NumberColumn,
  type TableData,
} from "../../api/table_data";
import { categoryHue, isCategory, nameHue, type Theme } from "../../base/hues";
import { categoryWord, words } from "../../base/words";
import { shortNameOf } from "../short_names";
import { SourceText } from "../source_text";

/** The filled part of the bar behind a number, 0 to 1; null for none. */
export function barShare(table: TableData, column: NumberColumn, row: number): number | null {
  const clamp = (share: number) => (share > 0 ? Math.min(1, share) : null);
  if (column.bar === "") return null;
  const other = table.byKey.get(column.bar);
  const source = other?.kind === "number" ? other : column;
  if (source.unit === "share") return clamp(source.numbers[row]);
  if (source.unit === "percent") return clamp(source.numbers[row] / 100);
  return source.largest > 0 ? clamp(Math.abs(source.numbers[row]) / source.largest) : null;
}

/** The hover text: the exact value, if the cell does not already show all of it. */
export function cellTip(column: Column, row: number, drawn: string): string | undefined {
  if (isUnknown(column, row)) return column.unknown || words.unknown;
  const exact = cellExact(column, row);
  return exact === drawn ? undefined : exact;
}

/** The meaning of a difference other than 0; its hue has the same meaning as its sign. */
function changeWord(value: number): { name: "more" | "less"; text: string } | null {
  if (value > 0) return { name: "more", text: words.moreThanBaseline };
  return value < 0 ? { name: "less", text: words.lessThanBaseline } : null;
}

export function NumberCell({ table, column, row }: { table: TableData; column: NumberColumn; row: number }) {
  const text = cellText(column, row);
  const share = barShare(table, column, row);
  const change = column.change ? changeWord(column.numbers[row]) : null;
  const tip = change ? `${cellExact(column, row)}\n${change.text}` : cellTip(column, row, text);
  return (
    <div
      class={change ? `cell number ${change.name}` : "cell number"}
      role="gridcell"
      data-column={column.key}
      data-tip={tip}
    >
      {share !== null && <i class="share" style={{ width: `${(share * 100).toFixed(1)}%` }} />}
      <span data-pad={cellPad(column, row) || undefined}>{text}</span>
    </div>
  );
}

export function cellHue(column: Column, row: number, theme: Theme): string {
  const text = wireText(column, row);
  return isCategory(text) ? categoryHue(text, theme) : nameHue(text);
}

/** Text at most this long is never cut by its column. */
const kSure = 24;

/** Sans text is cut at its end by the style sheet; only line breaks need a separate sign. */
export function firstLine(text: string): string {
  const at = text.indexOf("\n");
  return at < 0 ? text : `${text.slice(0, at)} …`;
}

interface PlainProps {
  column: Column;
  /** Characters that fit. */
  chars: number;
  row: number;
  theme: Theme;
}

export function PlainCell({ column, chars, row, theme }: PlainProps) {
  const text = cellText(column, row);
  const category = column.role === "category";
  const word = category ? categoryWord(text) : text;
  const shown = column.code ? shortNameOf(column, word, chars) : firstLine(word);
  return (
    <div
      class={column.code ? "cell code" : "cell"}
      role="gridcell"
      data-column={column.key}
      data-tip={category ? undefined : cellTip(column, row, word.length > kSure ? "" : shown)}
      data-code={column.code || undefined}
    >
      {category && <i class="swatch" style={{ background: cellHue(column, row, theme) }} />}
      <span>{column.code ? <SourceText frame={text} shown={shown} /> : shown}</span>
    </div>
  );
}
