// Prints the gzipped size of every script in dist and fails above the budget: 360 KB without the Chinese words, which grow with
// each text of the program, and 80 KB for the first paint (everything but ECharts, rare charts, the timeline, the Chinese words, and
// dialogs and views few users open).
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const folder = new URL("../dist/assets/", import.meta.url);
const budget = { total: 360 * 1024, first: 80 * 1024 };
let total = 0;
let first = 0;
for (const name of readdirSync(folder).sort()) {
  const bytes = gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length;
  console.log(`${name.padEnd(40)} ${(bytes / 1024).toFixed(1).padStart(8)} KB gzipped`);
  if (!name.endsWith(".js")) continue;
  if (!/^chinese-/.test(name)) total += bytes;
  if (
    !/^(echarts|chinese|timeline|gantt|graph|capture_dialog|source_settings|console|losses|transfer_list|open_parts|open_dialog|empty_page)-/.test(
      name,
    )
  )
    first += bytes;
}
console.log(
  `scripts without the Chinese words: ${(total / 1024).toFixed(1)} KB, at first: ${(first / 1024).toFixed(1)} KB`,
);
if (total > budget.total || first > budget.first) {
  console.error("over the budget: import ECharts by its parts, and keep large code out of the first chunk");
  process.exit(1);
}
