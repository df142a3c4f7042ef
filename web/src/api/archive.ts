// The answers in a page file: base64 of gzip of an index and the bodies, as src/server/page_file.cc writes
// them. Tiles and counters cover the whole profile at a few levels; a request gets its part of the best level.
import { fill, grouped, words } from "../base/words";
import { cutColumns } from "./cut_columns";
import { MarkersInMemory } from "./markers_in_memory";
import { SlicesInFile } from "./slices_in_file";
import type { ServerState, WireReport } from "./types";

interface Entry {
  route: string;
  parameters: Record<string, string>;
  offset: number;
  size: number;
}

/** Routes that are answered by level, and the parameter that names what is drawn. */
const kByLevel: Record<string, string> = { tiles: "lanes", counters: "counters" };

function keyOf(route: string, parameters: Iterable<[string, string]>): string {
  return JSON.stringify([route, ...[...parameters].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

const kProfile = ["run", "worker", "span"];

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

function missing(message: string): Response {
  return json(404, { error: { code: "not_in_file", message, where: "" } });
}

/** The error for a report that the file does not have: the reason, and where to get the report. */
function missingReport(parameters: URLSearchParams): Response {
  return missing(parameters.get("view") === "range" ? words.notInFileRange : words.notInFile);
}

async function inflate(text: string): Promise<ArrayBuffer> {
  const packed = atob(text.trim());
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** A long table becomes a table of its stored rows, and says so; a curve cannot set a range, because the file
 * would need every range. */
function whole(report: WireReport): WireReport {
  for (const panel of report.panels) if (panel.kind === "lines") delete panel.select;
  for (const [key, table] of Object.entries(report.tables ?? {})) {
    if (!table.paged) continue;
    const held = table.columns[0]?.values.length ?? 0;
    const text = fill(words.firstRowsInFile, {
      n: grouped(held),
      all: grouped(table.rows),
    });
    for (const panel of report.panels) {
      if ("table" in panel && panel.table === key) (panel.notes ??= []).push({ level: "warning", text });
    }
    table.all = table.rows;
    table.rows = held;
    table.paged = false;
  }
  return report;
}

export class Archive {
  private byKey = new Map<string, Entry>();
  private levels = new Map<string, Entry[]>();
  private markers = new MarkersInMemory();
  private slices: { of: Entry; known: SlicesInFile } | null = null;

  private constructor(
    entries: Entry[],
    private bytes: ArrayBuffer,
    private start: number,
  ) {
    for (const entry of entries) {
      if (entry.route in kByLevel) {
        const { run, worker, span } = entry.parameters;
        const key = keyOf(entry.route, Object.entries({ run, worker, span }));
        this.levels.set(key, [...(this.levels.get(key) ?? []), entry]);
      } else this.byKey.set(keyOf(entry.route, Object.entries(entry.parameters)), entry);
    }
  }

  static async open(text: string): Promise<Archive> {
    const bytes = await inflate(text);
    const length = new DataView(bytes).getUint32(0, true);
    const index = new TextDecoder().decode(new Uint8Array(bytes, 4, length));
    return new Archive(JSON.parse(index) as Entry[], bytes, 4 + length);
  }

  answer(address: string, init: RequestInit = {}): Response {
    const [path, query = ""] = address.split("?", 2);
    const route = path.replace(/^api\//, "");
    const parameters = new URLSearchParams(query);
    if (route === "markers") return json(200, this.markers.answer(parameters, init));
    if (route === "query") return missing(words.notInFileQuery);
    if (route === "search" || route === "slice") return this.answerSlices(route, parameters);
    if (route in kByLevel) return this.answerLevel(route, parameters);
    const entry = this.byKey.get(keyOf(route, parameters));
    if (!entry) return route === "report" ? missingReport(parameters) : missing(words.notInFile);
    const body = this.bodyOf(entry);
    const parsed = <T>() => JSON.parse(new TextDecoder().decode(body)) as T;
    if (route === "state") return json(200, this.withoutMissing(parsed<ServerState>()));
    return route === "report" ? json(200, whole(parsed<WireReport>())) : new Response(body);
  }

  /** Without a report, the profile cannot have the view; neither can the console. */
  private withoutMissing(state: ServerState): ServerState {
    const acrossRanks = new Set(state.views.filter(({ scope }) => scope === "ranks").map(({ id }) => id));
    for (const run of state.runs) {
      for (const worker of run.workers) {
        for (const span of worker.spans) {
          const place = { run: run.name, worker: worker.name, span: span.name };
          for (const [view, reason] of Object.entries(span.views ?? {})) {
            if (reason !== null || !span.views) continue;
            const isHere = this.byKey.has(keyOf("report", Object.entries({ ...place, view })));
            if (view === "query") span.views[view] = words.notInFileQuery;
            else if (!isHere)
              span.views[view] = acrossRanks.has(view) ? words.notInFileRanks : words.notInFileView;
          }
        }
      }
    }
    return state;
  }

  private answerSlices(route: string, parameters: URLSearchParams): Response {
    const finest = this.levelFor("tiles", parameters, 0);
    if (!finest) return missing(words.notInFile);
    if (this.slices?.of !== finest) {
      this.slices = { of: finest, known: new SlicesInFile(this.bodyOf(finest)) };
    }
    const { known } = this.slices;
    if (route === "search") {
      const number = (key: string, otherwise: number) => Number(parameters.get(key) ?? otherwise);
      const text = parameters.get("text") ?? "";
      return json(
        200,
        known.search(text, number("limit", 1000), number("offset", 0), number("from", -Infinity)),
      );
    }
    const found = known.find(Number(parameters.get("slice")));
    return found ? json(200, found) : missing(words.notInFileSlice);
  }

  /** The coarsest level of the profile that is as fine as `pixel`, else the finest one; with several groupings,
   * the requested one, else the first. */
  private levelFor(route: string, parameters: URLSearchParams, pixel: number): Entry | undefined {
    const place = kProfile.map((key): [string, string] => [key, parameters.get(key) ?? ""]);
    const all = this.levels.get(keyOf(route, place)) ?? [];
    const groupOf = (entry: Entry) => entry.parameters.group ?? "";
    const wanted = parameters.get("group") ?? "";
    const group = all.some((entry) => groupOf(entry) === wanted) ? wanted : all[0] && groupOf(all[0]);
    const levels = all.filter((entry) => groupOf(entry) === group);
    const pixelOf = (entry: Entry) => Number(entry.parameters.pixel);
    levels.sort((a, b) => pixelOf(b) - pixelOf(a));
    return levels.find((entry) => pixelOf(entry) <= pixel) ?? levels.at(-1);
  }

  private answerLevel(route: string, parameters: URLSearchParams): Response {
    const level = this.levelFor(route, parameters, Number(parameters.get("pixel")));
    if (!level) return missing(words.notInFile);
    const ids = new Set((parameters.get(kByLevel[route]) ?? "").split(",").map(Number));
    const window = { start: Number(parameters.get("start")), end: Number(parameters.get("end")) };
    return new Response(cutColumns(this.bodyOf(level), kByLevel[route].slice(0, -1), ids, window));
  }

  private bodyOf({ offset, size }: Entry): ArrayBuffer {
    return this.bytes.slice(this.start + offset, this.start + offset + size);
  }
}
