// What may be typed in a table's search, any number of each: words (all must occur, in any text column, in any
// case), /expressions/ (regular expressions), and conditions on numbers such as calls>100, total>=1.5ms or share<5%.
// A column is named by its title or a part of it. A bare number is in the unit that is in the column's header.
import type { NumberRange } from "../../api/paged_rows";
import type { NumberColumn, TableData } from "../../api/table_data";
import type { Unit } from "../../base/units";
import { fill, words } from "../../base/words";

export interface Condition {
  column: NumberColumn;
  operator: ">" | ">=" | "<" | "<=" | "=";
  value: number;
}

export interface Search {
  conditions: Condition[];
  texts: ((text: string) => boolean)[];
  /** The words that are searched as text. */
  plain: string[];
  problems: Problem[];
}

interface Problem {
  text: string;
  /** It may be meant as text: a problem only if no row matches. */
  weak: boolean;
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

/** The columns of numbers that `name` may mean: the one of that name, else those that have it in their name. */
function columnsNamed(table: TableData, name: string): NumberColumn[] {
  const wanted = squash(name);
  const names = ({ key, title }: NumberColumn) => [squash(key), squash(title)];
  const numbers = table.columns.filter((column) => column.kind === "number");
  const exact = numbers.filter((column) => names(column).includes(wanted));
  if (exact.length > 0) return exact.slice(0, 1);
  const within = numbers.filter((column) => names(column).some((of) => of.includes(wanted)));
  const sorted = within.find(({ key }) => key === table.wire.sort?.column);
  return sorted ? [sorted] : within;
}

function readCondition(table: TableData, word: string): Condition | Problem | null {
  const match = kCondition.exec(word);
  if (!match) return null;
  const [, name, operator, number, unit] = match;
  const columns = columnsNamed(table, name);
  if (columns.length === 0) return { text: fill(words.searchNoColumn, { name }), weak: true };
  if (columns.length > 1) {
    const titles = columns.map(({ title }) => title).join(", ");
    return { text: fill(words.searchManyColumns, { name, titles }), weak: true };
  }
  const value = parseValue(number + unit, columns[0]);
  if (value === null) {
    return {
      text: fill(words.searchBadValue, { text: number + unit, title: columns[0].title }),
      weak: false,
    };
  }
  return { column: columns[0], operator: operator as Condition["operator"], value };
}

/** Words, and expressions between slashes, which may contain spaces. */
function partsOf(text: string): string[] {
  return text.match(/\/(?:[^/\\]|\\.)+\/(?=\s|$)|\S+/g) ?? [];
}

function readExpression(part: string): RegExp | Problem | null {
  if (part.length < 3 || !part.startsWith("/") || !part.endsWith("/")) return null;
  try {
    return new RegExp(part.slice(1, -1), "i");
  } catch (error) {
    const why = (error as Error).message.replace(/^.*: /, "");
    return { text: fill(words.searchBadExpression, { text: part, why }), weak: false };
  }
}

/** `byServer`: the server searches, which knows no expressions. */
export function parseSearch(table: TableData, text: string, byServer = table.wire.paged === true): Search {
  const search: Search = { conditions: [], texts: [], plain: [], problems: [] };
  for (const part of partsOf(text)) {
    const expression = readExpression(part);
    if (expression instanceof RegExp) {
      if (byServer) search.problems.push({ text: words.searchPlainOnly, weak: false });
      search.texts.push((value) => expression.test(value));
      continue;
    }
    const condition = expression ?? readCondition(table, part);
    if (condition && "column" in condition) {
      search.conditions.push(condition);
      continue;
    }
    if (condition) search.problems.push(condition);
    const lower = part.toLowerCase();
    search.plain.push(part);
    search.texts.push((value) => value.toLowerCase().includes(lower));
  }
  return search;
}

/** The double next to `value`, above or below it. */
function nextTo(value: number, up: boolean): number {
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] += value > 0 === up ? 1n : -1n;
  return new Float64Array(bits.buffer)[0];
}

/** Conditions as ranges of their columns, within the `ranges` that there are: for a server, which knows ranges. */
export function rangesOf(
  conditions: Condition[],
  ranges: ReadonlyMap<string, NumberRange>,
): Map<string, NumberRange> {
  const all = new Map(ranges);
  for (const { column, operator, value } of conditions) {
    const range = { least: null, most: null, ...all.get(column.key) };
    const least = operator === ">" ? nextTo(value, true) : value;
    const most = operator === "<" ? nextTo(value, false) : value;
    if (!operator.startsWith("<")) range.least = Math.max(least, range.least ?? -Infinity);
    if (!operator.startsWith(">")) range.most = Math.min(most, range.most ?? Infinity);
    all.set(column.key, range);
  }
  return all;
}
