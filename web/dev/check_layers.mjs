// Includes go one way: base < api < widgets < timeline < views. Prints every import that climbs and
// fails; main.tsx at the top may import anything. Also fails on innerHTML and eval, which untrusted
// names from a trace must never reach.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const order = ["base", "api", "widgets", "timeline", "views"];
const source = fileURLToPath(new URL("../src", import.meta.url));
const faults = [];

function visit(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) visit(path);
    else if (/\.tsx?$/.test(name)) checkFile(path);
  }
}

function checkFile(path) {
  const text = readFileSync(path, "utf8");
  const own = order.indexOf(relative(source, path).split("/")[0]);
  for (const [, target] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
    const other = order.indexOf(relative(source, resolve(dirname(path), target)).split("/")[0]);
    if (own >= 0 && other > own)
      faults.push(`${relative(source, path)} imports ${target}: move what is shared down`);
  }
  if (/innerHTML|dangerouslySetInnerHTML|\beval\(|new Function\(/.test(text)) {
    faults.push(`${relative(source, path)} writes HTML or runs text: use text nodes`);
  }
}

visit(source);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log("layers: in order");
