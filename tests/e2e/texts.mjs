// The texts of the program and of the page, for tests that read all of them: the program's texts for some traces, the texts
// on a page, and which English words are left in a text that should be Chinese.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("../../web", import.meta.url));
const { build } = createRequire(join(web, "package.json"))("esbuild");

/** The page's own translation function, with the Chinese table. */
export async function loadTables() {
  const made = await build({
    stdin: {
      contents: `export { program, words } from "./zh/chinese"; export * from "./translate";`,
      resolveDir: join(web, "src/base"),
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "esm",
  });
  const code = Buffer.from(made.outputFiles[0].contents).toString("base64");
  const tables = await import(`data:text/javascript;base64,${code}`);
  const { formula, source, differs } = tables.words;
  tables.setProgramWords(tables.program, {
    Formula: formula,
    Source: source,
    Differs: differs,
  });
  return tables;
}

// ---- which words are English ----

/** Words that Chinese texts contain as well: names of products, interfaces, units and keys. */
const kSame = new Set(
  `Sightline Step rank host Holistic Trace Analysis id batch warp Warp Tensor Core TC SM Python PyTorch PyTorchProfiler Lightning TensorBoard Ascend NVIDIA
  DistributedDataParallel NCCL GPU GPUs NPU CPU DMA SQL CSV PNG JSON UTC trace Chrome gzip UTF Ctrl Esc Shift Alt Enter Escape
  checkpointing num_workers ns ms KiB MiB GiB TiB kB MB GB TB profile_memory record_shapes True with_stack with_modules pl profile module EN English TF calls
  sightline view query export html all SELECT FROM kernels PATH profiler step forward tree ranges python stacks nan inf
  diff fail on all_gather gather scatter DtoH HtoD DtoD NaN unnamed FFFD ph freq MHz CU AI Cores RDMA SDMA HCCS PCIE SIO msprof analyze advisor node_
  MLflow token torch jax XLA StepTraceAnnotation enable_hlo_proto python_tracer_level DataLoader num_parallel_calls
  HLO FLOP FLOPs HFU MFU MBU Roofline NeuronDevice NeuronCore dot fusion program_operators devices peak_flops peak_bandwidth
  conv gemm total reproduce py json Input Dims Strides NCHW NHWC transpose permute im col fp ppm Unix us reduce to barrier`
    .split(/\s+/)
    .filter(Boolean),
);

const wordsOf = (text) => text.match(/[A-Za-z_]{2,}/g) ?? [];

/** English words in a text, without names of the trace, the formulas of docs, and changes as `sightline what-if` takes them. */
export function englishLeft(text, names) {
  let rest = text
    .split("\n")
    .filter((line) => !/^(公式|Formula)[:：]/.test(line))
    .map((line) => line.replace(/(按此更改重放各 Step[:：]).*/, "$1"))
    .join("\n");
  const words = wordsOf(rest).filter((word) => !kSame.has(word));
  if (words.length === 0) return [];
  for (const name of [...names].sort((a, b) => b.length - a.length))
    rest = rest.replaceAll(name, " ");
  const left = wordsOf(rest);
  return words.filter((word) => left.includes(word));
}

// ---- texts of the program ----

/** The names among the values of a text: what is no text of the program itself. */
export function namesOf(said) {
  if (typeof said === "string") return [said];
  if (!Array.isArray(said)) return (said?.list ?? []).flatMap(namesOf);
  return said.slice(1).flatMap(namesOf);
}

/** Parameters whose choices are names of the trace. */
const kNamed = ["thread", "root", "device", "step"];

function* textsOfReport(report) {
  const one = (text) => ({ text });
  yield one(report.title);
  yield* (report.notes ?? []).map(({ text }) => one(text));
  for (const { key, title, doc, choices = [] } of report.parameters ?? []) {
    yield one(title);
    yield one(doc);
    if (!kNamed.includes(key))
      yield* choices.map((choice) => one(choice.title));
  }
  for (const panel of report.panels ?? []) {
    yield* [panel.title, panel.doc, panel.empty].map(one);
    yield* (panel.notes ?? []).map(({ text }) => one(text));
    for (const { label, doc, unknown } of panel.facts ?? [])
      if (!/version/.test(label)) yield* [label, doc, unknown].map(one);
    yield* (panel.items ?? []).flatMap(({ title, evidence, action }) =>
      [title, evidence, action].map(one),
    );
    if (/^\d/.test(panel.scope ?? "") && !/ of /.test(panel.scope))
      yield one(panel.scope);
  }
  for (const table of Object.values(report.tables ?? {})) {
    yield one(table.title);
    const doors = [table.row_detail, ...(table.row_links ?? [])];
    yield* doors.filter(Boolean).map(({ title }) => one(title));
    for (const { title, doc, unknown, words, values } of table.columns) {
      yield* [title, doc, unknown].map(one);
      // A range's first column also has lanes, most of which are names.
      if (words === "all" && title !== "Lane, category")
        yield* [...new Set(values)].map(one);
    }
  }
}

/** All texts of the program, each with the `messages` of its answer; `ask` returns the JSON of a route. */
export async function textsOf(ask) {
  const found = new Map();
  const add = ({ text }, { messages }) => {
    // The texts of this column are names: those of the devices.
    if (/^The devices differ/.test(text ?? "")) return;
    if (typeof text === "string" && text !== "") found.set(text, messages);
  };
  const state = await ask("state");
  for (const { title, group, doc } of state.views)
    for (const text of [title, group, doc]) add({ text }, state);
  for (const run of state.runs)
    for (const worker of run.workers) {
      const [span] = worker.spans;
      const place = { run: run.name, worker: worker.name, span: span.name };
      for (const reason of Object.values(span.views))
        add({ text: reason }, state);
      const report = (more) =>
        ask(`report?${new URLSearchParams({ ...place, ...more })}`);
      const views = state.views
        .filter(({ id, scope }) => scope !== "none" && span.views[id] === null)
        .map(({ id }) => id);
      for (const view of [...views, "range"]) {
        const addReport = (answer) =>
          [...textsOfReport(answer)].forEach((one) => add(one, answer));
        const answer = await report({ view });
        addReport(answer);
        for (const { key, type, value, choices = [] } of answer.parameters ??
          [])
          if (type === "choice")
            for (const choice of choices.slice(0, 6))
              if (choice.value !== value)
                addReport(await report({ view, [key]: choice.value }));
      }
      const timeline = await ask(`timeline?${new URLSearchParams(place)}`);
      for (const { counters } of timeline.groups)
        for (const { title, doc, unit } of counters)
          for (const text of unit === "none" ? [doc] : [doc, title])
            add({ text }, timeline);
      for (let slice = 0; slice < 60; slice++) {
        const query = new URLSearchParams({ ...place, slice });
        const detail = await ask(`slice?${query}`);
        if (detail.error) break;
        for (const { label } of detail.facts) add({ text: label }, detail);
        for (const { title } of detail.links) add({ text: title }, detail);
      }
    }
  return [...found].map(([text, messages]) => ({ text, messages }));
}

// ---- texts on a page ----

/** Names of the trace in a response of the program: cells of columns of names, and names of lanes and counters. */
export function namesIn(answer) {
  const names = [];
  const visit = (value, key) => {
    if (typeof value === "string") {
      if (["name", "file", "run", "worker", "span"].includes(key))
        names.push(value);
    } else if (Array.isArray(value)) value.forEach((each) => visit(each, key));
    else if (value !== null && typeof value === "object") {
      const { words, values, unit, title, lanes, type, text, choices } = value;
      if (Array.isArray(values) && words !== "all")
        names.push(...values.filter((cell) => typeof cell === "string"));
      // Lanes, their processes, and counters of the file.
      if (
        typeof value.lane === "number" ||
        (value.counter >= 0 && unit === "none")
      )
        names.push(title, ...(value.series ?? []).map((each) => each.title));
      if (Array.isArray(lanes)) names.push(title.replace(", host threads", ""));
      if (type === "text" && text) names.push(text);
      if (kNamed.includes(value.key))
        names.push(...(choices ?? []).map((choice) => choice.title));
      for (const [inner, each] of Object.entries(value)) visit(each, inner);
    }
  };
  visit(answer, "");
  return names.filter((name) => name.length > 1);
}

/** In the page: its texts and hovers, without those that are code. */
export function visibleTexts() {
  const kCode = ".code, [data-code], kbd, script, style, pre";
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    if (text && !walk.currentNode.parentElement.closest(kCode))
      texts.push(text);
  }
  for (const element of document.querySelectorAll(
    "[data-tip], [aria-label], [placeholder], [title]",
  ))
    for (const name of ["data-tip", "aria-label", "placeholder", "title"])
      if (element.hasAttribute(name) && !element.closest(kCode))
        texts.push(element.getAttribute(name));
  return [...new Set(texts)];
}
