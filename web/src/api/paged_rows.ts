// The rows of a paged table, requested when they become visible, sorted and filtered by the server. Answered
// pages are kept up to a limit, the most recently used longest; the request of a page that is no longer visible
// is cancelled.
import { getJson, RequestError } from "./client";
import { makePage, type TableData } from "./table_data";
import type { WireRows } from "./types";

export interface NumberRange {
  least: number | null;
  most: number | null;
}

/** Which rows, in which order. */
export interface RowQuestion {
  sort: { column: string; descending: boolean } | null;
  search: string;
  ranges: ReadonlyMap<string, NumberRange>;
}

const kMostAtOnce = 10_000;
const kPage = 500;
const kKeptPages = 40;

function addFilter(query: URLSearchParams, { search, ranges }: Pick<RowQuestion, "search" | "ranges">): void {
  if (search !== "") query.set("contains", search);
  for (const [key, { least, most }] of ranges) {
    if (least !== null) query.set(`least.${key}`, String(least));
    if (most !== null) query.set(`most.${key}`, String(most));
  }
}

/** The query of a report of one table: the groups of its matching rows. */
export function groupQuery(
  table: TableData,
  column: string,
  filter: Pick<RowQuestion, "search" | "ranges">,
): string {
  const query = new URLSearchParams(table.query);
  query.set("table", table.key);
  query.set("group_rows", column);
  addFilter(query, filter);
  return query.toString();
}

export function rowsAddress(table: TableData, question: RowQuestion, offset: number, limit: number): string {
  const query = new URLSearchParams(table.query);
  query.set("table", table.key);
  query.set("offset", String(offset));
  query.set("limit", String(limit));
  if (question.sort) {
    query.set("sort", question.sort.column);
    query.set("descending", question.sort.descending ? "1" : "0");
  }
  addFilter(query, question);
  return `api/table?${query}`;
}

export const kEveryRow: RowQuestion = { sort: null, search: "", ranges: new Map() };

/** The least and the most value of every column of numbers, over all rows of a paged table. */
export async function fetchExtents(
  table: TableData,
  signal?: AbortSignal,
): Promise<Map<string, { least: number; most: number }>> {
  const page = await getJson<WireRows>(rowsAddress(table, kEveryRow, 0, 1), signal);
  const known = page.columns.filter(
    ({ least, most }) => typeof least === "number" && typeof most === "number",
  );
  return new Map(known.map(({ key, least, most }) => [key, { least: Number(least), most: Number(most) }]));
}

/** All rows that match, at most as many as one request may have. */
export async function fetchRows(table: TableData, question: RowQuestion): Promise<TableData> {
  return makePage(table, await getJson<WireRows>(rowsAddress(table, question, 0, kMostAtOnce)));
}

export class PagedRows {
  /** How many rows match; null until the server has answered. */
  matching: number | null = null;
  error: RequestError | null = null;
  private pages = new Map<number, TableData>();
  private inFlight = new Map<number, AbortController>();
  private sight: [first: number, last: number] = [0, 0];
  private readonly first: TableData | null;

  /** `standard`: the request is that of the report itself, whose first rows came with it. */
  constructor(
    readonly table: TableData,
    readonly question: RowQuestion,
    standard: boolean,
    private readonly onChange: () => void,
  ) {
    this.first = standard ? table : null;
    if (standard) this.matching = table.wire.rows;
  }

  /** The table that holds the row at `position`, and its number there; null until it has arrived. */
  at(position: number): { table: TableData; row: number } | null {
    if (this.first && position < this.first.rows) return { table: this.first, row: position };
    const page = this.pages.get(Math.floor(position / kPage));
    const row = position % kPage;
    return page && row < page.rows ? { table: page, row } : null;
  }

  /** Requests these rows, and cancels requests for rows that are no longer visible. */
  want(first: number, last: number): void {
    this.sight = [Math.floor(Math.max(0, first) / kPage), Math.floor(Math.max(0, last) / kPage)];
    for (const [number, request] of this.inFlight) {
      if (this.isInSight(number)) continue;
      this.inFlight.delete(number);
      request.abort();
    }
    if (this.error) return;
    for (let number = this.sight[0]; number <= this.sight[1]; number++) this.fetchPage(number);
  }

  retry(): void {
    this.error = null;
    this.want(this.sight[0] * kPage, this.sight[1] * kPage);
    this.onChange();
  }

  close(): void {
    for (const request of this.inFlight.values()) request.abort();
    this.inFlight.clear();
  }

  private isInSight(number: number): boolean {
    return number >= this.sight[0] && number <= this.sight[1];
  }

  private fetchPage(number: number): void {
    const offset = number * kPage;
    const kept = this.pages.get(number);
    if (kept) {
      this.pages.delete(number);
      this.pages.set(number, kept);
      return;
    }
    if (this.inFlight.has(number)) return;
    if (this.first && offset + kPage <= this.first.rows) return;
    if (this.matching !== null && offset > 0 && offset >= this.matching) return;
    const request = new AbortController();
    this.inFlight.set(number, request);
    getJson<WireRows>(rowsAddress(this.table, this.question, offset, kPage), request.signal)
      .then((page) => this.take(number, page))
      .catch((error: Error) => {
        if (error.name === "AbortError") return;
        this.inFlight.delete(number);
        this.error =
          error instanceof RequestError
            ? error
            : new RequestError(0, { code: "page", message: error.message });
        this.onChange();
      });
  }

  private take(number: number, page: WireRows): void {
    this.inFlight.delete(number);
    this.matching = page.rows;
    this.pages.set(number, makePage(this.table, page));
    for (const old of this.pages.keys()) {
      if (this.pages.size <= kKeptPages) break;
      if (!this.isInSight(old)) this.pages.delete(old);
    }
    this.onChange();
  }
}
