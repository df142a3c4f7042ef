// Graphs of device work: the view lists them, an operator of the capture beside the file has the device time, and the timeline
// draws none of it on the host. Skipped parts give the reason.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  columnTexts,
  get,
  onPage,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

const kCapture = `thread 1:
  0-100 capture_4_FULL (user_annotation)
  5-6 hipStreamBeginCapture [corr=1]
  10-20 aten::mm [ext=1 shapes=[[4,8],[8,8]]], 12-13 hipLaunchKernel [ext=1 corr=2 kernel=gemm]
  40-41 hipStreamEndCapture [corr=5]
`;
const kRun = `thread 1:
  0-100 "execute_3_context_0(sq0)_generation_3(sq3)" (user_annotation)
  10-12 hipGraphLaunch [corr=9], 20-22 hipGraphLaunch [corr=10], 30-35 aten::argmax
stream 7:
  20-30 gemm [corr=9], 40-45 another [corr=10]
`;

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const generator = fileURLToPath(
    new URL("../../tools/gen_trace", import.meta.url),
  );
  execFileSync("python3", [generator, "-", path], { input: text });
  return path;
}

describe("graphs", { skip: withoutProgram() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-graphs-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  write(join(folder, "capture_traces", "graph_capture_0.json"), kCapture);
  const at = withProgram(write(join(folder, "run.pt.trace.json"), kRun));

  test("a graph names its capture, and one that fits none says why", () =>
    onPage(at("?view=graphs"), async (page) => {
      await viewReady(page, "graphs");
      assert.deepEqual(await columnTexts(page, "graphs", "name"), [
        "capture_4_FULL",
        "hipGraphLaunch",
      ]);
      assert.deepEqual(await columnTexts(page, "graphs", "match"), [
        "by the names of the kernels",
        "no: captures launch other kernels",
      ]);
    }));

  test("the captured operator has the device time, and no host time", () =>
    onPage(
      at("?view=operators"),
      async (page) => {
        await viewReady(page, "operators");
        const texts = (column) => columnTexts(page, "operators", column);
        assert.deepEqual(await texts("name"), ["aten::mm", "aten::argmax"]);
        assert.match((await texts("device_self"))[0], /^10/);
        const host = await texts("host_total");
        assert.equal(host[0], "–");
        assert.match(host[1], /^5/);
      },
      { width: 2400 },
    ));

  test("the timeline draws no captured operator", async () => {
    const state = await (await get(at("api/state"))).json();
    const run = state.runs[0];
    const place = new URLSearchParams({
      run: run.name,
      worker: run.workers[0].name,
      span: run.workers[0].spans[0].name,
    });
    const timeline = await (await get(at(`api/timeline?${place}`))).json();
    const lanes = timeline.groups.flatMap((group) => group.lanes);
    // The step, two launches, the operator and two kernels.
    assert.equal(
      lanes.reduce((sum, lane) => sum + lane.slices, 0),
      6,
    );
  });
});
