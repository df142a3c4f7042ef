// The answers in a page file: found whatever the order of the parameters, chosen by level, and reported if
// missing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { words } from "../base/words";
import { Archive } from "./archive";
import { madeTiles, type MadeMark } from "../../test/columns";
import { decodeTiles } from "./tiles";

const profile = { run: "r", worker: "w", span: "s" };

type Kept = { route: string; parameters: Record<string, string>; body: ArrayBuffer | string };

/** As src/server/page_file.cc packs them. */
function packed(answers: Kept[]): string {
  const bodies = answers.map(({ body }) => Buffer.from(body as string));
  let offset = 0;
  const index = answers.map(({ route, parameters }, i) => {
    const entry = { route, parameters, offset, size: bodies[i].length };
    offset += bodies[i].length;
    return entry;
  });
  const text = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return gzipSync(Buffer.concat([length, text, ...bodies])).toString("base64");
}

const opened = (answers: Kept[]) => Archive.open(packed(answers));
const at = (route: string, more: Record<string, string | number>) =>
  `api/${route}?${new URLSearchParams({ ...profile, ...more } as Record<string, string>)}`;

function level(pixel: number, marks: MadeMark[]): Kept {
  const parameters = { ...profile, lanes: "0,1", start: "0", end: "1000", pixel: String(pixel) };
  return { route: "tiles", parameters, body: madeTiles(marks, ["aten::mm", "aten::add"], pixel) };
}

const fine = [
  { lane: 0, row: 0, start: 0, end: 10, slice: 7 },
  { lane: 0, row: 0, start: 20, end: 30, slice: 8, name: 1 },
  { lane: 1, row: 0, start: 5, end: 6, slice: 9 },
];

test("a report is found with its parameters in any order, and not with others", async () => {
  const body = JSON.stringify({ view: "v", title: "V", panels: [], tables: {} });
  const archive = await opened([{ route: "report", parameters: { view: "v", ...profile, by: "x" }, body }]);
  assert.equal(archive.answer("api/report?by=x&span=s&worker=w&run=r&view=v").status, 200);
  const other = archive.answer(at("report", { view: "v", by: "y" }));
  assert.equal(other.status, 404);
  assert.equal(((await other.json()) as { error: { message: string } }).error.message, words.notInFile);
});

test("each thing that a file cannot answer has its own reason", async () => {
  const archive = await opened([level(1, fine)]);
  const messageAt = async (address: string) => {
    const response = archive.answer(address);
    assert.equal(response.status, 404, address);
    return ((await response.json()) as { error: { message: string } }).error.message;
  };
  assert.equal(await messageAt(at("query", { sql: "SELECT 1" })), words.notInFileQuery);
  assert.equal(await messageAt(at("report", { view: "range", start: 0, end: 9 })), words.notInFileRange);
  assert.equal(await messageAt(at("slice", { slice: 99 })), words.notInFileSlice);
  assert.equal(await messageAt(at("flows", {})), words.notInFile);
  assert.equal(
    await messageAt("api/tiles?run=other&worker=w&span=s&lanes=0&start=0&end=9&pixel=1"),
    words.notInFile,
  );
});

test("views that are not in the file, and the console, are views that the profile cannot have", async () => {
  const views = { overview: null, kernels: "no kernels", distributed: null, diff: null, query: null };
  const workers = [{ name: "w", spans: [{ name: "s", views }, { name: "other" }] }];
  const state = JSON.stringify({
    views: [
      { id: "distributed", scope: "ranks" },
      { id: "diff", scope: "pair" },
    ],
    runs: [{ name: "r", workers }],
  });
  const archive = await opened([
    { route: "state", parameters: {}, body: state },
    { route: "report", parameters: { ...profile, view: "overview" }, body: "{}" },
    { route: "report", parameters: { ...profile, view: "query" }, body: "{}" },
  ]);
  const received = (await archive.answer("api/state").json()) as { runs: { workers: typeof workers }[] };
  assert.deepEqual(received.runs[0].workers[0].spans, [
    {
      name: "s",
      views: {
        overview: null,
        kernels: "no kernels",
        distributed: words.notInFileRanks,
        diff: words.notInFileView,
        query: words.notInFileQuery,
      },
    },
    { name: "other" },
  ]);
});

test("a long table has its first rows and says so, and a curve cannot set a range", async () => {
  const columns = [{ key: "n", title: "N", type: "integer", values: [1, 2] }];
  const tables = { t: { title: "T", rows: 50_000, paged: true, columns } };
  const panels = [
    { kind: "table", id: "t", title: "T", table: "t" },
    { kind: "facts", id: "f" },
    { kind: "lines", select: { start: "a" } },
  ];
  const body = JSON.stringify({ view: "v", title: "V", panels, tables });
  const archive = await opened([{ route: "report", parameters: { ...profile, view: "v" }, body }]);
  const report = (await archive.answer(at("report", { view: "v" })).json()) as {
    tables: { t: { rows: number; all: number; paged: boolean } };
    panels: { notes?: { text: string }[]; select?: object }[];
  };
  assert.deepEqual([report.tables.t.rows, report.tables.t.all, report.tables.t.paged], [2, 50_000, false]);
  assert.match(report.panels[0].notes?.[0].text ?? "", /first 2 of 50,000 rows/);
  assert.equal(report.panels[1].notes, undefined);
  assert.equal(report.panels[2].select, undefined);
});

test("tiles come from the coarsest level that is fine enough, else from the finest", async () => {
  const coarse = [{ lane: 0, row: 0, start: 0, end: 30, slice: 7, count: 2 }];
  // The order in the file does not matter.
  const archive = await opened([level(8, coarse), level(64, coarse), level(4, fine)]);
  const pixelFor = async (pixel: number) => {
    const response = archive.answer(at("tiles", { lanes: 0, start: 0, end: 100, pixel }));
    return decodeTiles(await response.arrayBuffer(), [0])[0].pixel;
  };
  assert.equal(await pixelFor(1000), 64);
  assert.equal(await pixelFor(64), 64);
  assert.equal(await pixelFor(63), 8);
  assert.equal(await pixelFor(4), 4);
  assert.equal(await pixelFor(1), 4);
});

test("of several groupings of the marks the requested one is used, and any if none is requested", async () => {
  const grouped = (group: string, pixel: number): Kept => {
    const made = level(pixel, fine);
    return { ...made, parameters: { ...made.parameters, group } };
  };
  const archive = await opened([grouped("operator", 4), grouped("operator", 64), grouped("layer", 16)]);
  const pixelFor = async (group: string) => {
    const response = archive.answer(at("tiles", { lanes: 0, start: 0, end: 100, pixel: 16, group }));
    return decodeTiles(await response.arrayBuffer(), [0])[0].pixel;
  };
  assert.equal(await pixelFor("layer"), 16);
  assert.equal(await pixelFor("operator"), 4);
  assert.equal(await pixelFor(""), 4);
});

test("slices are searched and found in the finest level", async () => {
  const archive = await opened([level(64, []), level(1, fine)]);
  const search = async (text: string, limit = 10) =>
    (await archive.answer(at("search", { text, limit })).json()) as {
      count: number;
      hits: { slice: number }[];
      partial: number;
    };
  const found = await search("ATEN::M");
  assert.deepEqual(found.hits[0], { slice: 7, lane: 0, row: 0, start: 0, duration: 10, name: "aten::mm" });
  assert.deepEqual([found.count, found.hits.map((hit) => hit.slice), found.partial], [2, [7, 9], 0]);
  const first = await search("aten", 1);
  assert.deepEqual([first.count, first.hits.length], [3, 1]);
  assert.equal((await search("")).count, 0);
  const slice = (await archive.answer(at("slice", { slice: 8 })).json()) as Record<string, unknown>;
  assert.deepEqual([slice.name, slice.kind, slice.start, slice.duration], ["aten::add", "op", 20, 10]);
  assert.deepEqual([slice.related, slice.note], [[], words.sliceInFile]);
});

test("a search reports slices that are in the file only together with others", async () => {
  const archive = await opened([
    level(4, [...fine, { lane: 1, row: 0, start: 40, end: 44, slice: 10, count: 3 }]),
  ]);
  const found = (await archive.answer(at("search", { text: "mm" })).json()) as Record<string, unknown>;
  assert.deepEqual([found.count, found.partial], [2, 3]);
  assert.equal(archive.answer(at("slice", { slice: 10 })).status, 404);
});

test("markers last while the page is open, by profile and set", async () => {
  const archive = await opened([]);
  const markers = [{ time: 5, name: "here" }];
  const markersOf = async (set: string, method = "GET", body?: unknown) =>
    (await archive.answer(at("markers", { set }), { method, body: JSON.stringify(body) }).json()) as {
      sets: string[];
      saved: boolean;
      markers: unknown[];
    };
  assert.deepEqual(await markersOf("default"), {
    sets: ["default"],
    set: "default",
    saved: false,
    markers: [],
  });
  assert.deepEqual((await markersOf("mine", "PUT", { markers })).markers, markers);
  assert.deepEqual((await markersOf("default")).sets, ["default", "mine"]);
  assert.deepEqual((await markersOf("default")).markers, []);
  const elsewhere = await archive.answer("api/markers?run=other&worker=w&span=s&set=mine").json();
  assert.deepEqual((elsewhere as { markers: unknown[] }).markers, []);
  assert.deepEqual((await markersOf("mine", "DELETE")).sets, ["default"]);
});
