// A log of the Neuron TensorBoard plugin, by the encoder of tests/support.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Writes the small network's log below `folder`. */
export function writeNeuronLog(folder) {
  execFileSync("python3", [join(root, "tests/support/neuron_log.py"), folder]);
}

/** A log folder with it; gone when the tests end. */
export function makeNeuronLog() {
  const folder = mkdtempSync(join(tmpdir(), "sightline-neuron-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeNeuronLog(folder);
  return folder;
}
