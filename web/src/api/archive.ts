// The answers of a page that is a file: base64 of gzip of an index and the bodies, as src/server/page_file.cc writes them. What is
// drawn by level (tiles, counters) is there for the whole profile at a few levels; a request is cut out of the one that suits.
import { fill, words } from "../base/words";
import { cutColumns } from "./cut_columns";
import type { WireReport } from "./types";

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

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

async function inflate(text: string): Promise<ArrayBuffer> {
  const packed = atob(text.trim());
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** A long table becomes one of the rows that are there, and says so. */
function whole(report: WireReport): WireReport {
  for (const [key, table] of Object.entries(report.tables ?? {})) {
    if (!table.paged) continue;
    const held = table.columns[0]?.values.length ?? 0;
    const text = fill(words.firstRowsInFile, {
      n: held.toLocaleString("en"),
      all: table.rows.toLocaleString("en"),
    });
    for (const panel of report.panels) {
      if ("table" in panel && panel.table === key) (panel.notes ??= []).push({ level: "warning", text });
    }
    table.rows = held;
    table.paged = false;
  }
  return report;
}

export class Archive {
  private byKey = new Map<string, Entry>();
  private levels = new Map<string, Entry[]>();

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

  answer(address: string): Response {
    const [path, query = ""] = address.split("?", 2);
    const route = path.replace(/^api\//, "");
    const parameters = new URLSearchParams(query);
    if (route === "markers") {
      return json(200, {
        sets: ["default"],
        set: parameters.get("set") || "default",
        saved: false,
        markers: [],
      });
    }
    if (route in kByLevel) return this.answerLevel(route, parameters);
    const entry = this.byKey.get(keyOf(route, parameters));
    if (!entry) {
      const message = route === "query" ? words.notInFileQuery : words.notInFile;
      return json(404, { error: { code: "not_in_file", message, where: "" } });
    }
    const body = this.bodyOf(entry);
    if (route !== "report") return new Response(body);
    return json(200, whole(JSON.parse(new TextDecoder().decode(body)) as WireReport));
  }

  /** The coarsest level that is as fine as was asked for, else the finest there is. */
  private answerLevel(route: string, parameters: URLSearchParams): Response {
    const place = ["run", "worker", "span"].map((key): [string, string] => [key, parameters.get(key) ?? ""]);
    const levels = this.levels.get(keyOf(route, place)) ?? [];
    const wanted = Number(parameters.get("pixel"));
    const pixel = (entry: Entry) => Number(entry.parameters.pixel);
    const level =
      levels.find(
        (entry) =>
          pixel(entry) <= wanted && !levels.some((e) => pixel(e) <= wanted && pixel(e) > pixel(entry)),
      ) ?? levels.reduce<Entry | undefined>((a, b) => (a && pixel(a) < pixel(b) ? a : b), undefined);
    if (!level) return json(404, { error: { code: "not_in_file", message: words.notInFile, where: "" } });
    const ids = new Set((parameters.get(kByLevel[route]) ?? "").split(",").map(Number));
    const window = { start: Number(parameters.get("start")), end: Number(parameters.get("end")) };
    return new Response(cutColumns(this.bodyOf(level), kByLevel[route].slice(0, -1), ids, window));
  }

  private bodyOf({ offset, size }: Entry): ArrayBuffer {
    return this.bytes.slice(this.start + offset, this.start + offset + size);
  }
}
