// Runs the unit tests beside the code (src/**/*.test.ts): bundles each with esbuild, so that Node needs no
// TypeScript, and passes them to Node's test runner.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = fileURLToPath(new URL("..", import.meta.url));
const out = join(web, "node_modules", ".unit");

function tests(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return tests(path);
    return /\.test\.(tsx?|mjs)$/.test(name) ? [path] : [];
  });
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
await build({
  entryPoints: tests(join(web, "src")),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const run = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...tests(out)], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
