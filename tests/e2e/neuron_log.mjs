// A log of the Neuron TensorBoard plugin, made by the encoder of tests/support.
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

const kSimulated = `
import os, sys
from ntff_export import Run, notify, slot
run = Run(revision="simulated")
run.code("sp", [notify(2), slot(0xA4, {12: 3})])
run.instruction("sp", 1, start=500, length=20)
os.makedirs(sys.argv[1])
open(sys.argv[1] + "/core0.ntff", "wb").write(run.file())
`;

/** Writes a recording of a simulated runtime below `folder`, as a run named simulated. */
export function writeSimulated(folder) {
  const settings = { ...process.env, PYTHONPATH: join(root, "tests/support") };
  execFileSync("python3", ["-c", kSimulated, join(folder, "simulated")], {
    env: settings,
  });
}

/** A log folder with it; removed when the tests end. */
export function makeNeuronLog() {
  const folder = mkdtempSync(join(tmpdir(), "sightline-neuron-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeNeuronLog(folder);
  return folder;
}
