// What may be typed in a table's search: words (all must occur, in any text column, in any case),
// /expression/ (a regular expression), and conditions on numbers such as calls>100, total>=1.5ms or
// share<5%. A bare number is in the unit that is in the column's header.
import type { NumberColumn, TableData } from "../../api/table_data";
import type { Unit } from "../../base/units";

export interface Condition {
  column: NumberColumn;
  operator: ">" | ">=" | "<" | "<=" | "=";
  value: number;
}

export interface Search {
  conditions: Condition[];
  texts: ((text: string) => boolean)[];
}

const kCondition = /^(.+?)(>=|<=|>|<|=)(-?[\d.,]+)\s*([a-zµ%]*)$/i;
const kTime: Record<string, number> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
const kBytes: Record<string, number> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
};
const kPlain: Record<string, number> = { k: 1e3, m: 1e6, g: 1e9 };

function factorOf(unit: Unit, suffix: string, column: NumberColumn): number | undefined {
  const key = suffix.toLowerCase();
  if (key === "") return column.scale.divisor;
  if (unit === "ns") return kTime[key];
  if (unit === "bytes") return kBytes[key];
  if (unit === "share") return key === "%" ? 0.01 : undefined;
  if (unit === "percent") return key === "%" ? 1 : undefined;
  return kPlain[key];
}

/** "1.5ms" or "64 KiB" as a value of the column; without a suffix it is in the unit of its header. */
export function parseValue(text: string, column: NumberColumn): number | null {
  const match = /^(-?[\d.,]+)\s*([a-zµ%]*)$/i.exec(text.trim());
  if (!match) return null;
  const factor = factorOf(column.unit, match[2], column);
  const number = Number(match[1].replace(/,/g, ""));
  return factor === undefined || Number.isNaN(number) ? null : number * factor;
}

function squash(text: string): string {
  return text.toLowerCase().replace(/[\s_]+/g, "");
}

function parseCondition(table: TableData, word: string): Condition | null {
  const match = kCondition.exec(word);
  if (!match) return null;
  const name = squash(match[1]);
  const column = table.columns.find((c) => squash(c.key) === name || squash(c.title) === name);
  if (column?.kind !== "number") return null;
  const value = parseValue(match[3] + match[4], column);
  if (value === null) return null;
  return { column, operator: match[2] as Condition["operator"], value };
}

export function parseSearch(table: TableData, text: string): Search {
  const search: Search = { conditions: [], texts: [] };
  const trimmed = text.trim();
  if (trimmed.length > 2 && trimmed.startsWith("/") && trimmed.endsWith("/")) {
    try {
      const expression = new RegExp(trimmed.slice(1, -1), "i");
      search.texts.push((value) => expression.test(value));
      return search;
    } catch {
      // Not yet a complete expression: it is searched as text.
    }
  }
  for (const word of trimmed.split(/\s+/)) {
    if (word === "") continue;
    const condition = parseCondition(table, word);
    if (condition) search.conditions.push(condition);
    else {
      const lower = word.toLowerCase();
      search.texts.push((value) => value.toLowerCase().includes(lower));
    }
  }
  return search;
}
