// Requests to the server. Addresses are relative to the page, so a path prefix needs no setting. A report is
// kept under its address until the profiles change, so Back draws immediately. An AbortSignal cancels a
// request.
import { language } from "../base/language";
import { translateIn, type Language } from "../base/translate";
import type { ErrorBody } from "../base/wire";
import { fill, words } from "../base/words";
import { spokenReport } from "./spoken";
import { inFile, source } from "./source";
import { makeTable, type TableData } from "./table_data";
import type { ApiError, Parameter, ServerState, WireReport } from "./types";

/** Kind of request: a view, the console, or the comparison of logs. */
export type Route = "report" | "query" | "losses";

export interface Report extends Omit<WireReport, "tables" | "parameters"> {
  /** The query of the request, for CSV export and "copy link". */
  query: string;
  route: Route;
  parameters: Parameter[];
  tables: Map<string, TableData>;
  /** The answer that it was made from, and the language of its texts. */
  wire: WireReport;
  language: Language;
}

export class RequestError extends Error {
  constructor(
    public status: number,
    public detail: ApiError,
  ) {
    super(detail.message);
  }
}

/** The error, in the current language. */
export function errorText(error: Error): string {
  return translateIn(error instanceof RequestError ? error.detail.messages : undefined, error.message);
}

const kKept = 24;
let kept = new Map<string, Report>();

/** A pending answer belongs to the earlier profiles: it writes to the earlier map. */
export function forgetReports(): void {
  kept = new Map();
}

async function get(
  address: string,
  accept: string,
  signal?: AbortSignal,
  more: RequestInit = {},
): Promise<Response> {
  try {
    return await source()(address, { signal, ...more, headers: { Accept: accept, ...more.headers } });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new RequestError(0, { code: "unreachable", message: words.noAnswer });
  }
}

function failure(response: Response, body: Partial<ErrorBody> | null): RequestError {
  const said = { code: "http", message: fill(words.badAnswer, { status: response.status }) };
  const told = body?.error && { ...body.error, messages: body.messages };
  return new RequestError(response.status, told ?? said);
}

/** null: the body is not JSON. Cancelling while it arrives is not an error of the server and is passed on. */
function bodyOf<T>(response: Response): Promise<T | null> {
  return response.json().catch((error: Error) => {
    if (error.name === "AbortError") throw error;
    return null;
  });
}

export async function getJson<T>(address: string, signal?: AbortSignal, more: RequestInit = {}): Promise<T> {
  const response = await get(address, "application/json", signal, more);
  const body = await bodyOf<T & Partial<ErrorBody>>(response);
  if (!response.ok || body === null) throw failure(response, body);
  return body;
}

/** A request that changes something. */
export function sendJson<T>(method: "PUT" | "DELETE", address: string, body: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return getJson(address, undefined, { method, headers, body: JSON.stringify(body) });
}

export async function getBytes(address: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await get(address, "application/octet-stream, application/json", signal);
  if (!response.ok) throw failure(response, await bodyOf<Partial<ErrorBody>>(response));
  return response.arrayBuffer();
}

export function fetchState(signal?: AbortSignal): Promise<ServerState> {
  return getJson<ServerState>("api/state", signal);
}

export interface ReportQuery {
  run: string;
  worker: string;
  span: string;
  view: string;
  parameters: Record<string, string>;
}

export function reportQuery(of: ReportQuery): string {
  const query = new URLSearchParams();
  for (const key of ["run", "worker", "span", "view"] as const) if (of[key] !== "") query.set(key, of[key]);
  for (const key of Object.keys(of.parameters).sort()) query.set(key, of.parameters[key]);
  return query.toString();
}

/** Null: no server can write it, because the page is a file, or because the request is too long for an address. */
export function csvAddress({ route, query }: Report, table: string): string | null {
  return inFile() || route === "losses"
    ? null
    : `api/${route}?${query}&format=csv&table=${encodeURIComponent(table)}`;
}

/** A report as the page keeps it, in the current language. */
export function makeReport(wire: WireReport, query: string, route: Route): Report {
  const own = spokenReport(wire);
  const tables = new Map(
    // The columns of a query have the names that the user gave them.
    Object.entries((route === "query" ? wire.tables : own.tables) ?? {}).map(([key, table]) => [
      key,
      makeTable(key, table, query, wire.profiles, wire.messages),
    ]),
  );
  return {
    ...own,
    query,
    route,
    panels: own.panels ?? [],
    parameters: own.parameters ?? [],
    tables,
    wire,
    language: language.get(),
  };
}

const remade = new WeakMap<Report, Report>();

/** The report in the current language: itself, unless the language changed since it was made. */
export function inLanguage(report: Report): Report {
  if (report.language === language.get()) return report;
  let other = remade.get(report);
  if (!other || other.language !== language.get()) {
    other = makeReport(report.wire, report.query, report.route);
    remade.set(report, other);
    remade.set(other, report);
  }
  return other;
}

/** A kept report, available without waiting; undefined if it must be fetched. */
export function keptReport(query: string, route: Route = "report"): Report | undefined {
  const report = kept.get(`${route}?${query}`);
  return report && inLanguage(report);
}

export async function fetchReport(
  query: string,
  signal?: AbortSignal,
  route: Route = "report",
): Promise<Report> {
  const before = keptReport(query, route);
  if (before) return before;
  const into = kept;
  const wire = await getJson<WireReport>(`api/${route}?${query}`, signal);
  const report = makeReport(wire, query, route);
  into.set(`${route}?${query}`, report);
  if (into.size > kKept) into.delete(into.keys().next().value as string);
  return report;
}
