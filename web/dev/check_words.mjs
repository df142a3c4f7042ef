// Every text that the user sees is in a table, in both languages. Fails, and names text and file, if
// - a component writes a text itself instead of taking it from base/words.ts,
// - the two tables of the page's words differ in their keys or in the gaps of a sentence,
// - a text of the program has no Chinese in base/zh. The program's texts are the literals of its sources: pieces of
//   sentences, each of which must occur in some key. Formulas are not translated; docs/metrics.md lists them. The texts
//   of errors and problems, and all templates, are checked by the compiler (dev/templates.mjs).
// - a text in base/zh is not a text of the program.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const faults = [];

function files(folder, wanted) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return files(path, wanted);
    return wanted.test(name) ? [path] : [];
  });
}

// ---- the tables ----

async function load(entry) {
  const made = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm" });
  return import(
    `data:text/javascript;base64,${Buffer.from(made.outputFiles[0].contents).toString("base64")}`
  );
}

const { words: chinese, program } = await load(join(root, "web/src/base/zh/chinese.ts"));
const { english } = await load(join(root, "web/src/base/words.ts"));

const gapsOf = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join(" ");

function compare(before, after, path) {
  if (typeof before === "string") {
    if (typeof after !== "string" || after === "")
      faults.push(`web/src/base/zh/words.ts: no Chinese for ${path}: "${before}"`);
    else if (gapsOf(before) !== gapsOf(after))
      faults.push(`web/src/base/zh/words.ts: ${path} has other gaps than "${before}"`);
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after ?? {})])) {
    if (!(key in before)) faults.push(`web/src/base/zh/words.ts: ${path}.${key} is not in words.ts`);
    else compare(before[key], after?.[key], path ? `${path}.${key}` : key);
  }
}
compare(english, chinese, "");

/** The gaps of a template, by their numbers. */
const valuesOf = (template) => [...template.matchAll(/\{[a-z]*\}/g)].map((_, i) => `{${i}}`);

for (const [key, translation] of Object.entries(program)) {
  const gaps = new Set(["{}", ...valuesOf(key)]);
  const used = [...translation.matchAll(/\{(\w*)\}/g)].map(([gap]) => gap);
  for (const gap of used)
    if (!gaps.has(gap)) faults.push(`web/src/base/zh: the translation of "${key}" has a gap ${gap}`);
  const next = used.filter((gap) => gap === "{}").length;
  if (next > 0 && (next !== used.length || next !== valuesOf(key).length))
    faults.push(`web/src/base/zh: the translation of "${key}" has gaps with and without numbers, or too few`);
}

// ---- the page's sources ----

/** Attributes that are shown or read aloud. */
const kShown =
  /\b(?:title|aria-label|placeholder|alt|label|hint|data-tip)\s*[=:]\s*"([^"]*[A-Za-z]{2}[^"]*)"/g;
/** Text between tags that is not an expression. */
const kText = /<\/?[A-Za-z][^<>{}]*>([^<>{}]*[A-Za-z]{2,}[^<>{}]*)<\//g;
const kThrown = /new Error\(\s*["`]/g;
const kDrawn = /fillText\(\s*["`]/g;
/** Names that are the same in every language: keys, and editors that open a source file. */
const kSame = ["Ctrl K", "Ctrl+C"];

for (const path of files(join(root, "web/src"), /\.tsx?$/)) {
  if (/\.test\.tsx?$|base\/(words|zh\/.*)\.ts$/.test(path)) continue;
  const text = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const found = [...text.matchAll(kShown), ...(path.endsWith("x") ? text.matchAll(kText) : [])].map(
    ([, said]) => said.trim(),
  );
  for (const said of found)
    if (!kSame.includes(said))
      faults.push(`${relative(root, path)}: "${said}" belongs into web/src/base/words.ts`);
  for (const expression of [kThrown, kDrawn])
    for (const { index } of text.matchAll(expression))
      faults.push(
        `${relative(root, path)}: ${text.slice(index, index + 60)}... belongs into web/src/base/words.ts`,
      );
}

// ---- the program's sources ----

/** Sources with the texts of reports, of the timeline and of problems. */
const kFolders = ["analyses", "timeline"];

/** Sources whose texts are names of types in recordings, and the functions of cost formulas, which only the terminal shows. */
const kNotOnPage = /costs\/(call_arguments|cost_functions|shape_functions)\.cc$/;

/** The string literals of a C++ source; consecutive ones are joined. */
function literals(source) {
  const found = [];
  let last = null;
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|#include[^\n]*|'(?:[^'\\\n]|\\.)'|"((?:[^"\\\n]|\\.)*)"|\S/g;
  for (const [all, text] of source.matchAll(token)) {
    if (/^(\/\/|\/\*)/.test(all)) continue;
    if (text === undefined) last = null;
    else if (last) last.text += text;
    else found.push((last = { text }));
  }
  return found.map(({ text }) => text.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1"));
}

/** Texts of docs/metrics.md that the page does not show: formulas, and the conditions of the advice. */
const metrics = readFileSync(join(root, "docs/metrics.md"), "utf8").replaceAll("\\|", "|");
const rules = metrics.slice(metrics.indexOf("\n## Advice"));
const formulas = [...metrics.matchAll(/\*Formula:\* (.*?)(?=<br>| \|\n|\n)/g)].map(([, formula]) => formula);
/** Formulas that are in no table of metrics.md, commands, and keys. */
const kNotShown = [
  "length of (union of kernels ∩ bucket) / length of the bucket; a bucket is the smallest power of ten µs with which at most 100 buckets cover the profiler's window; the last one extends to its end",
  "100 x min(1, sum of blocks per SM of the kernels running",
  "calls that began to launch work for the stream - work of the stream that started; work that seems to start before its call counts at its start",
  "sum of bytes / duration over the copies of the direction that are running, without copies of length 0",
  "the totals after each allocation and release",
  "mean(|compared − base| / |base|), without iterations where base is 0",
  "sum of lengths / number of steps",
  "length of the union of slice ∩ range / length of the range.",
  "time of the record",
  "number of nodes",
  "median step - median step of the run before) / median step of the run before",
  "median after - median before) / median before",
  "largest difference of a node's replayed and recorded time",
  "number of pieces of device work",
  "sum of tokens / (end of the last step - start of the first",
  "sum of decode tokens / (end of the last step - start of the first",
  "percentile over the steps of (end - end of the step before) * decode requests / decode tokens",
  "sum over the steps of the time in which a device works / (end of the last step - start of the first",
  "sum of max(0, start of the first device work - end of the last before) / (end of the last step - start of the first",
  "1 - sum of requests or tokens / sum of what they were padded to",
  "median over decode steps of the sum of max(operations / peak, bytes / bandwidth) of their calls",
  "median over mixed steps of (length - median length of decode steps with as many requests",
  "kernel:NAME*0.5, operator:NAME*0.5, module:NAME*0.5, category:NAME*0.5, collective:NAME hidden, shorter:10us*0.5, host*0.5, host:NAME*0.5, data-loading*0, roofline, no-sync, one-graph; 'free' is *0, and device work may be at 'roofline'",
  "100 x min(1, sum of blocks per multiprocessor of the kernels running",
  "sum(value) / number of values, over calls that have one",
  "total / sum of totals",
  "sum of the durations of the device work of calls with a cost / sum of the durations of the device work that recorded ranges caused, without collectives and copies between host and device",
  "y = operations / device time; x = operations / bytes",
  "sum of (operations / peak of the precision) of the calls on matrix units in the steps, without recomputation / (sum of the steps' lengths x devices that computed",
  "sum of (operations / peak of the precision) of all calls on matrix units in the steps / (sum of the steps' lengths x devices that computed",
  "/ total time",
  "sum of operations / duration over the work that is running, without work of length 0",
  "length of (union of work ∩ bucket) / length of the bucket; a bucket is the smallest power of ten ns with which at most 20,000 buckets cover the recording",
  "y = operations / time; x = operations / bytes; y <= peak operations; y <= x x peak bandwidth",
  // Endings and names of the file's own columns.
  "rate (derived",
  "figure of the file",
  "Input Data Types",
  "Input Shapes",
  "Mix Block Dim",
  "Mix Block Num",
  "Core Freq",
  "Python GC",
  "preparing + computing alone + overlapped + communication not overlapped + free; without preparing, that is stage + bubble.",
  "The last gap of a step reaches into the next step's preparing, so the bars of several steps add up to more than the recording",
  "Communication(Not Overlapped and Exclude Receive",
  "What the overview recommends, when, and what it can win at most.",
  "Means are over the kept steps; the parts of the step are those of the table `bounds`.",
  "Advice is ranked by its gain, and its severity is the gain as a share of the step: high from 30%, medium from 15%, low from 1%, else a note.",
  "Several findings about one cause are one advice.",
  "[Verdicts](verdicts.md) compares both with what engineers say of real recordings.",
  "`at most` is a sum of times: a bound.",
  "The scenario is a [change](what-if.md) that predicts the real gain, because the step may then wait for something else.",
  "NAME is the name that the rule found.",
  "Advice has no scenario if the recording does not show what would shorten the time, or if it is not about time.",
  "| advice | when | at most | scenario | differs |",
  "sightline losses A.log B.log",
  "sightline query PATH 'SELECT ...",
];
const translated = Object.keys(program).join("\n");

/** The part of a literal that must be translated: sentences and pieces of them between the gaps, if they
 * contain words. */
function pieces(literal) {
  return literal
    .split(/\{[^{}]*\}|\n|(?<=[.:]) (?=[A-Z])|, (?=copies not)/)
    .map((piece) => piece.replace(/^(Formula|Source|Differs):( |$)/, ""))
    .map((piece) => piece.replace(/^[\s,.:;()'"]+|[\s,:;()'"]+$/g, ""))
    .filter((piece) => /^[A-Z][a-z]+$/.test(piece) || /[A-Za-z]{2,} [A-Za-z(]/.test(piece));
}

const isFine = (piece) => [translated, rules, ...formulas, ...kNotShown].some((text) => text.includes(piece));

for (const folder of kFolders)
  for (const path of files(join(root, "src", folder), /(?<!_test)\.(cc|h)$/))
    for (const literal of kNotOnPage.test(path) ? [] : literals(readFileSync(path, "utf8")))
      for (const piece of pieces(literal))
        if (!isFine(piece))
          faults.push(`${relative(root, path)}: no Chinese in web/src/base/zh for "${piece}"`);

/** The texts in the header of a view in SQL: its title and doc, and all quoted texts. */
function headerTexts(source) {
  return source
    .split("\n")
    .filter((line) => /^-- \w+: /.test(line))
    .flatMap((line) => {
      const [, whole] = /^-- (?:title|doc): (.*)$/.exec(line) ?? [];
      return whole ? [whole] : [...line.matchAll(/"([^"]*)"/g)].map(([, text]) => text);
    });
}

const sqlViews = ["src/sql/views", "src/fleet/sql/views"].flatMap((folder) =>
  files(join(root, folder), /\.sql$/),
);
for (const path of sqlViews)
  for (const text of headerTexts(readFileSync(path, "utf8")))
    for (const piece of pieces(text))
      if (!isFine(piece))
        faults.push(`${relative(root, path)}: no Chinese in web/src/base/zh for "${piece}"`);

/** Texts that the program makes of the file's words. */
const kComposed = [
  ...["Dynamic", "Static", "Software dynamic", "Hardware dynamic"].map((made) => `${made} copies`),
  ...["Matrix cores", "Tensor cores", "multiprocessor"],
];
const known = new Set(kComposed);
for (const path of files(join(root, "src"), /(?<!_test)\.(cc|h)$/))
  for (const literal of literals(readFileSync(path, "utf8")))
    for (const line of [literal, ...literal.split("\n")])
      known.add(line.replace(/^(Formula|Source|Differs): /, ""));
for (const path of sqlViews) for (const text of headerTexts(readFileSync(path, "utf8"))) known.add(text);
const checked = readFileSync(join(root, "web/src/base/zh/templates_said.ts"), "utf8");
for (const [, text] of checked.matchAll(/^  \| (".*?");?$/gm)) known.add(JSON.parse(text));
for (const key of Object.keys(program))
  if (!known.has(key)) faults.push(`web/src/base/zh: "${key}" is not a text of the program`);

for (const fault of new Set(faults)) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`words: ${Object.keys(program).length} texts of the program in Chinese`);
