// Every view is accessible: axe finds no violation in any view of any kind of profile, in light and dark, nor in the dialogs; and
// one Tab leads past the frame.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  fixtures,
  goTo,
  onPage,
  programPath,
  samples,
  startProgram,
  viewReady,
  withoutProgram,
} from "./browser.mjs";
import { writeNeuronLog } from "./neuron_log.mjs";

const axe = readFileSync(
  new URL("../../web/node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);

/** Neither what is right nor selectors: a third faster. */
const kBrief = { resultTypes: ["violations"], selectors: false };

async function addAxe(page) {
  if (!(await page.evaluate(() => "axe" in globalThis)))
    await page.evaluate(axe);
}

const inWords = (violations) =>
  violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join()}`,
  );

/** What axe finds on the page as it is, contrast aside. */
async function violations(page) {
  const rules = {
    "label-content-name-mismatch": { enabled: true },
    "color-contrast": { enabled: false },
  };
  const found = await page.evaluate(
    async (options) => (await globalThis.axe.run(document, options)).violations,
    { ...kBrief, rules },
  );
  return inWords(found);
}

/** What gave colours to the texts that were judged so far: classes and styles of an element and its parent. */
const judged = new Set();

/** Texts with too little contrast among those whose colours were not judged yet; and `looks`, which gave colours to the page. */
async function contrastOfNew(page) {
  const { looks, found } = await page.evaluate(
    async ([known, options]) => {
      const before = new Set(known);
      const look = (element) =>
        `${element?.localName} ${element?.className} ${element?.style?.color} ${element?.style?.background}`;
      const looks = new Set();
      const include = [];
      for (const element of document.querySelectorAll("body *")) {
        const all = `${look(element.parentElement)} > ${look(element)}`;
        looks.add(all);
        if (!before.has(all)) include.push(element);
      }
      // At once: a page that is drawn again has other elements.
      const found =
        include.length > 0
          ? (await globalThis.axe.run({ include }, options)).violations
          : [];
      return { looks: [...looks], found };
    },
    [[...judged], { ...kBrief, runOnly: ["color-contrast"] }],
  );
  return { looks, found: inWords(found) };
}

/** In both themes; only contrast, which takes most of the time, depends on the theme. */
async function assertAccessible(page, what) {
  await addAxe(page);
  const light = await violations(page);
  const inLight = await contrastOfNew(page);
  light.push(...inLight.found);
  const dark = [];
  if (inLight.looks.some((look) => !judged.has(look))) {
    await page.emulateMedia({ colorScheme: "dark" });
    const inDark = await contrastOfNew(page);
    dark.push(...inDark.found);
    for (const look of inDark.looks) judged.add(look);
    await page.emulateMedia({ colorScheme: "light" });
  }
  for (const look of inLight.looks) judged.add(look);
  assert.deepEqual({ light, dark }, { light: [], dark: [] }, what);
}

/** A view is drawn: its report, or what it shows instead. */
async function drawn(page, view) {
  await page.waitForSelector(
    `[data-view="${view}"][data-ready="true"], .content .state`,
  );
}

const at = fixtures();

test("axe finds nothing in the views of the fixtures", () =>
  onPage(
    at(),
    async (page) => {
      const state = await page.evaluate(async () =>
        (await fetch("api/state")).json(),
      );
      for (const { id } of state.views) {
        await goTo(page, at(`?run=resnet50&view=${id}`));
        await drawn(page, id);
        await assertAccessible(page, id);
      }
      for (const run of ["torn", "slow", "bare"]) {
        await page.goto(at(`?run=${run}&view=overview`));
        await page.waitForSelector(".content .state, .content [data-view]");
        await assertAccessible(page, run);
      }
    },
    { expectErrors: true },
  ));

test("the first Tab offers to skip the frame", () =>
  onPage(at("?run=resnet50&view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "content");
  }));

const kAscend = `
import pathlib, sys
from ascend_export import Block, Held, Operator, Run, Task
run = Run(step=(3, 0, 100_000),
          operators=[Operator("mm", 10_000, 50_000, causes=[0]), Operator("relu", 62_000, 9_000, causes=[1])],
          tasks=[Task("MatMul", "AI_CORE", 40_000, 7_500), Task("Relu", "AI_VECTOR_CORE", 65_000, 2_000)])
run.write_text(pathlib.Path(sys.argv[1]) / "ascend" / "rank0_ascend_pt")
`;

/** Three steps of an engine: names of vLLM's form, each with one kernel. */
function writeEngine(folder) {
  const range = (name, cat, tid, ts, dur, args) => ({
    ph: "X",
    pid: tid,
    tid,
    name,
    cat,
    ts,
    dur,
    args,
  });
  const step = (at, i) => [
    range(
      "execute_context_0(0)_generation_4(4)",
      "user_annotation",
      1,
      at,
      90,
      { "External id": 3 * i + 1 },
    ),
    range("aten::mm", "cpu_op", 1, at + 10, 50, { "External id": 3 * i + 2 }),
    range("cudaLaunchKernel", "cuda_runtime", 1, at + 20, 10, {
      "External id": 3 * i + 2,
      correlation: i + 1,
    }),
    range("gemm", "kernel", 0, at + 40, 40, {
      "External id": 3 * i + 2,
      correlation: i + 1,
      device: 0,
      stream: 7,
    }),
  ];
  const traceEvents = [0, 1, 2].flatMap((i) => step(100 * i, i));
  mkdirSync(join(folder, "engine"));
  const file = join(folder, "engine", "rank0.pt.trace.json");
  writeFileSync(
    file,
    JSON.stringify({ schemaVersion: 1, deviceProperties: [], traceEvents }),
  );
}

const support = fileURLToPath(new URL("../support", import.meta.url));

/** Runs Python with the modules of tests/support. */
function runPython(text, ...parameters) {
  execFileSync("python3", ["-c", text, ...parameters], {
    env: { ...process.env, PYTHONPATH: support },
  });
}

function writeSnapshot(folder) {
  const write =
    "import pickle, sys, memory_snapshot as m; pickle.dump(m.small(), open(sys.argv[1], 'wb'))";
  runPython(write, join(folder, "rank0.pickle"));
}

/** Dumps of three ranks, of which one never came to a collective. */
function writeDumps(folder) {
  const write = `
import pathlib, pickle, sys, flight_records
for rank, dump in flight_records.job().items():
    (pathlib.Path(sys.argv[1]) / f"nccl_trace_rank_{rank}").write_bytes(pickle.dumps(dump))
`;
  runPython(write, folder);
}

/** A trace of this text (tools/gen_trace). */
function writeTrace(folder, input) {
  const generator = fileURLToPath(
    new URL("../../tools/gen_trace", import.meta.url),
  );
  const file = join(folder, "run.pt.trace.json");
  execFileSync("python3", [generator, "-", file], { input });
}

const kLightning = readFileSync(
  new URL("../fixtures/lightning.trace", import.meta.url),
  "utf8",
);

const kCompiled = `
thread 1:
  0-40 "_compile.compile_inner (dynamo_timed)" (user_annotation)
  100-140 "Torch-Compiled Region: 0/0" [ext=1]
  105-135 "## Call CompiledFxGraph abc ##" (user_annotation)
  110-115 triton_poi_fused_0 [ext=2 kernel_file=/tmp/a.py kernel_hash=h kernel_kwargs="XBLOCK=16"], 111-112 cudaLaunchKernel [ext=2 corr=1]
stream 7: 120-130 triton_poi_fused_0 [corr=1]
`;

/** The sample of two ranks, mapped and committed. */
function writeLake(folder) {
  const capture = ["--capture", "job"];
  execFileSync(programPath, [
    "map",
    join(samples, "ddp_cuda"),
    "-o",
    folder,
    ...capture,
  ]);
  execFileSync(programPath, ["fleet", "commit", folder, ...capture]);
}

function writeAscend(folder) {
  runPython(kAscend, folder);
}

describe("axe, with the program", { skip: withoutProgram() }, () => {
  /** Every view that a run has, the first one if none is named; `has` must be among them. */
  async function everyView(folder, run = "", has = "overview") {
    const program = await startProgram(folder);
    try {
      const found =
        program.state.runs.find(({ name }) => name === run) ??
        program.state.runs[0];
      const worker = found.workers[0];
      const span = worker.spans[0];
      assert.equal(span.views[has], null, `${has} is available`);
      const place = new URLSearchParams({
        run: found.name,
        worker: worker.name,
        span: span.name,
      });
      const everyPage = async (page) => {
        for (const { id } of program.state.views) {
          if (span.views?.[id]) continue; // not available
          await goTo(page, `${program.address}?${place}&view=${id}`);
          await drawn(page, id);
          await assertAccessible(page, `${found.name}: ${id}`);
        }
      };
      // A view over ranks may refuse them, which the browser reports as a failed request.
      await onPage(program.address, everyPage, {
        expectErrors: found.workers.length > 1 && /Failed to load resource/,
      });
    } finally {
      program.stop();
    }
  }

  for (const run of ["gpt_cuda", "ddp_cuda", "graph_cuda", "jax_cuda"])
    test(`axe finds nothing in the views of ${run}`, () =>
      everyView(samples, run));

  for (const [name, write, has] of [
    ["a Neuron log", writeNeuronLog, "overview"],
    ["an Ascend export", writeAscend, "overview"],
    ["an inference engine", writeEngine, "serving"],
    ["a memory snapshot", writeSnapshot, "memory"],
    ["a lake", writeLake, "fleet_ranks"],
    ["a hanging job", writeDumps, "hangs"],
    [
      "a Lightning program",
      (folder) => writeTrace(folder, kLightning),
      "lightning",
    ],
    [
      "a compiled program",
      (folder) => writeTrace(folder, kCompiled),
      "compiled_code",
    ],
  ])
    test(`axe finds nothing in the views of ${name}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "sightline-axe-"));
      try {
        write(folder);
        await everyView(folder, "", has);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

  test("axe finds nothing in Diff with a chosen run, nor in ranks on one axis", async () => {
    const program = await startProgram(samples);
    try {
      await onPage(program.address, async (page) => {
        await page.goto(
          `${program.address}?view=diff&run=ddp_cuda&worker=ddp_cuda_rank0&other_run=ddp_cuda&other_worker=ddp_cuda_rank1`,
        );
        await viewReady(page, "diff");
        await page.locator('[data-panel="step_time"]').waitFor();
        await assertAccessible(page, "diff");
        await page.goto(
          `${program.address}?view=timeline&run=ddp_cuda&worker=ddp_cuda_rank0&timeline.ranks=span`,
        );
        await page.locator(".ranks-name").nth(1).waitFor();
        await assertAccessible(page, "ranks");
      });
    } finally {
      program.stop();
    }
  });

  test("axe finds nothing in two memory snapshots side by side", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sightline-axe-"));
    for (const run of ["before", "after"]) {
      mkdirSync(join(folder, run));
      writeSnapshot(join(folder, run));
    }
    const program = await startProgram(folder);
    try {
      await onPage(program.address, async (page) => {
        await page.goto(
          `${program.address}?view=memory_diff&run=before&worker=rank0&other_run=after&other_worker=rank0`,
        );
        await viewReady(page, "memory_diff");
        await page.locator("[data-panel] .row").first().waitFor();
        await assertAccessible(page, "memory_diff");
      });
    } finally {
      program.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("axe finds nothing in the dialogs, nor while a query is typed", async () => {
    const program = await startProgram(`${samples}/transformer`);
    try {
      await onPage(program.address, async (page) => {
        await viewReady(page, "overview");
        const dialog = page.getByRole("dialog").first();
        for (const name of [
          "Open…",
          "Record a process",
          "Source links",
          "Keys (?)",
        ]) {
          await page.getByRole("button", { name }).first().click();
          await dialog.waitFor();
          await assertAccessible(page, name);
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
        }
        await page.keyboard.press("Control+k");
        await dialog.waitFor();
        await assertAccessible(page, "the palette");
        await page.keyboard.press("Escape");
        const sql = "SELECT name, count(*) AS calls FROM ops GROUP BY name";
        await page.goto(
          `${program.address}?view=query&chart.kind=bars&sql=${encodeURIComponent(sql)}`,
        );
        await viewReady(page, "query");
        await page.locator('[data-panel="chart"] canvas').first().waitFor();
        await page.locator("textarea.console-editor").press("End");
        await page.keyboard.type(" ORDER BY ca");
        await page.getByRole("option").first().waitFor();
        await assertAccessible(page, "the console");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Saved" }).click();
        await dialog.waitFor();
        await assertAccessible(page, "saved queries");
      });
    } finally {
      program.stop();
    }
  });
});
