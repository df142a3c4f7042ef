// A query as a file: SQL below header lines, the format of a view (docs/sql-views.md). `sightline view --views DIR` shows such a
// file as a view, and the console reads one again. Header lines that the console has no use for stay in the SQL, as comments.
export type ChartKind = "bars" | "lines" | "scatter";

/** A chart of a query's answer: columns by their names. */
export interface QueryChart {
  kind: ChartKind;
  x: string;
  y: string[];
}

export interface Query {
  name: string;
  sql: string;
  chart: QueryChart | null;
}

const kHeader = /^--\s*(id|title|panel):\s*(.*?)\s*$/;
const kChart = /^(bars|lines|scatter)\s+(.*)$/;

/** The arguments of `bars x=step y="a b,c"`; null where there is one that only a view has. */
function chartOf(line: string): QueryChart | null {
  const [, kind, rest] = kChart.exec(line) ?? [];
  if (!kind) return null;
  const given = new Map<string, string>();
  for (const [, key, quoted, bare] of rest.matchAll(/(\w+)(?:=(?:"([^"]*)"|(\S*)))?/g))
    given.set(key, quoted ?? bare ?? "");
  const [x, y] = [given.get("x"), given.get("y")];
  const isPlain = [...given.keys()].every((key) => ["x", "y", "label"].includes(key));
  return x && y && isPlain ? { kind: kind as ChartKind, x, y: y.split(",") } : null;
}

/** `file`: its name, for a query without a title. */
export function readQuery(text: string, file: string): Query {
  let [id, title] = ["", ""];
  let chart: QueryChart | null = null;
  const kept = text.split(/\r?\n/).filter((line) => {
    const [, key, value] = kHeader.exec(line) ?? [];
    if (key === "id") id = value;
    else if (key === "title") title = value;
    else if (key !== "panel") return true;
    else if (value !== "table") {
      const drawn = chart === null ? chartOf(value) : null;
      if (!drawn) return true;
      chart = drawn;
    }
    return false;
  });
  return { name: title || id || file.replace(/\.sql$/i, ""), sql: kept.join("\n").trim(), chart };
}

/** The id of a view: letters, digits and _. `taken`: ids of the program's views. */
export function queryId(name: string, taken: string[]): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return id === "" || taken.includes(id) ? `query_${id}`.replace(/_$/, "") : id;
}

const argument = (text: string) => (/^[\w,]+$/.test(text) ? text : `"${text}"`);

/** `label`: the column that names a point of a scatter chart. */
export function writeQuery({ name, sql, chart }: Query, taken: string[], label: string): string {
  const lines = [`-- id: ${queryId(name, taken)}`, `-- title: ${name}`];
  if (chart) {
    const of = chart.kind === "scatter" ? ` label=${argument(label)}` : "";
    lines.push(`-- panel: ${chart.kind}${of} x=${argument(chart.x)} y=${argument(chart.y.join(","))}`);
    lines.push("-- panel: table");
  }
  return [...lines, readQuery(sql, "").sql].join("\n") + "\n";
}
