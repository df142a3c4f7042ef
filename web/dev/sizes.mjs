// Prints the gzipped size of every script in dist and fails above the budget: 360 KB without the Chinese words, which grow with
// each text of the program, and 80 KB for the first paint: the page's own script and what it always imports.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const dist = new URL("../dist/", import.meta.url);
const budget = { total: 360 * 1024, first: 80 * 1024 };
const text = (path) => readFileSync(new URL(path, dist), "utf8");

/** The names of the scripts that `names` import, and so on; `import(…)` waits until the page needs it. */
function withImports(names) {
  const all = new Set(names);
  for (const name of all)
    for (const [, imported] of text(`assets/${name}`).matchAll(/(?:import|from)"\.\/([^"]+)"/g))
      all.add(imported);
  return all;
}

const atFirst = withImports(
  [...text("index.html").matchAll(/src="\.\/assets\/([^"]+)"/g)].map(([, name]) => name),
);
if (atFirst.size === 0) throw new Error("dist/index.html has no script in assets");
let total = 0;
let first = 0;
for (const name of readdirSync(new URL("assets/", dist)).sort()) {
  const bytes = gzipSync(readFileSync(new URL(`assets/${name}`, dist)), { level: 9 }).length;
  console.log(`${name.padEnd(40)} ${(bytes / 1024).toFixed(1).padStart(8)} KB gzipped`);
  if (name.endsWith(".js") && !name.startsWith("chinese-")) total += bytes;
  if (atFirst.has(name)) first += bytes;
}
console.log(
  `scripts without the Chinese words: ${(total / 1024).toFixed(1)} KB, at first: ${(first / 1024).toFixed(1)} KB`,
);
if (total > budget.total || first > budget.first) {
  console.error("over the budget: import ECharts by its parts, and keep large code out of the first script");
  process.exit(1);
}
