// Puts the sample that the page can open into dist: one of the project's own traces.
import { copyFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const samples = fileURLToPath(new URL("../../samples/gpt_cuda", import.meta.url));
const trace = readdirSync(samples).find((name) => name.endsWith(".pt.trace.json.gz"));
copyFileSync(
  `${samples}/${trace}`,
  fileURLToPath(new URL("../dist/sample_gpt.pt.trace.json.gz", import.meta.url)),
);
