// What if and Critical path over ranks, and History: each page opens and shows the figures of runs that are worked by hand.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  columnTexts,
  onPage,
  queryOf,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

const generator = fileURLToPath(
  new URL("../../tools/gen_trace", import.meta.url),
);
const kRanks = 3;
const kSteps = 6;
const kGemm = [200, 210, 500]; // us; the last rank is slow

/** In each step of 900 us, gemm begins at 50 us, and an all-reduce ends at 650 us on all ranks. The host waits until 655 us. */
function recording(rank) {
  let thread = "";
  let stream = "";
  for (let step = 0; step < kSteps; ++step) {
    const at = 1000 * step;
    const of = `coll=allreduce dtype=Float in=1000 out=1000 group=${kRanks} pg=0 ranks="[0, 1, 2]" Seq=${step}`;
    const came = at + 50 + kGemm[rank];
    thread +=
      `  ${at}-${at + 900} ProfilerStep#${step}, ${at + 10}-${at + 15} aten::mm [ext=${4 * step + 1}]\n` +
      `  ${at + 11}-${at + 14} cudaLaunchKernel [ext=${4 * step + 1} corr=${2 * step + 1}]\n` +
      `  ${at + 20}-${at + 30} record_param_comms [ext=${4 * step + 2} ${of}]\n` +
      `  ${at + 22}-${at + 26} cudaLaunchKernel [ext=${4 * step + 2} corr=${2 * step + 2}], ${at + 100}-${at + 655} cudaDeviceSynchronize\n`;
    stream +=
      `  ${at + 50}-${came} gemm [corr=${2 * step + 1}]\n` +
      `  ${came}-${at + 650} ncclDevKernel_AllReduce_Sum_f32_RING_LL [ext=${4 * step + 2} ${of} corr=${2 * step + 2}]\n`;
  }
  return `device 0: numSms=80\ndistributed: backend=nccl rank=${rank} world_size=${kRanks}\nthread 1:\n${thread}stream 7:\n${stream}`;
}

function temporary(name) {
  const folder = mkdtempSync(join(tmpdir(), `sightline-${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("over ranks", { skip: withoutProgram() }, () => {
  const folder = temporary("ranks");
  for (let rank = 0; rank < kRanks; ++rank)
    execFileSync(
      "python3",
      [generator, "-", join(folder, `rank${rank}.1.pt.trace.json`)],
      { input: recording(rank) },
    );
  const at = withProgram(folder);

  test("What if: what each rank would win, and a row leads to its prediction", () =>
    onPage(at("?view=what_if_ranks"), async (page) => {
      await viewReady(page, "what_if_ranks");
      const workers = await columnTexts(page, "ranks", "worker");
      const slow = workers.indexOf("rank2");
      assert.notEqual(slow, -1);
      // With 205 us, rank 1 comes last, 290 us earlier; a step takes 1000 us, and the first 900.
      assert.match((await columnTexts(page, "ranks", "gain"))[slow], /^29\.5/);
      await page.goto(at("?view=what_if_ranks&change=rank:2%20as-median"));
      await viewReady(page, "what_if_ranks");
      const said = (panel) =>
        page.locator(`[data-panel="${panel}"]`).innerText();
      assert.match(await said("prediction"), /Gain\s*29\.5%/);
      const chart = '[data-panel="before_after"]';
      await page.waitForSelector(`${chart} [data-drawn="true"]`);
      assert.match(
        await said("before_after"),
        /1\.00 ms recorded, 710 µs predicted/,
      );
    }));

  test("Critical path: the slow rank, by rank and by operator", () =>
    onPage(at("?view=critical_path_ranks&step=2"), async (page) => {
      await viewReady(page, "critical_path_ranks");
      assert.equal((await columnTexts(page, "ranks", "worker"))[0], "rank2");
      const operators = await columnTexts(page, "operators", "name");
      const mm = operators.indexOf("aten::mm");
      assert.notEqual(mm, -1);
      assert.equal(
        (await columnTexts(page, "operators", "worker"))[mm],
        "rank2",
      );
      const row = page
        .locator('[data-table="operators"] [data-row]', { hasText: "aten::mm" })
        .first();
      await row.scrollIntoViewIfNeeded();
      await row.click({ button: "right" });
      await page
        .getByRole("menuitem", { name: "Longest on the timeline" })
        .click();
      await page.waitForURL(/view=timeline/);
      assert.match(queryOf(page).worker, /rank2/);
    }));
});

describe("History", { skip: withoutProgram() }, () => {
  const folder = temporary("history");
  // The step of four runs takes 100 to 102 us, and that of the next four 120 to 122 us.
  for (const [day, length] of [
    100, 101, 100, 102, 120, 121, 120, 122,
  ].entries()) {
    const traceEvents = [];
    for (let step = 0; step < 4; ++step)
      traceEvents.push({
        ph: "X",
        pid: 1,
        tid: 1,
        cat: "user_annotation",
        name: `ProfilerStep#${step}`,
        ts: step * length,
        dur: length,
      });
    mkdirSync(join(folder, String(day)));
    writeFileSync(
      join(folder, String(day), "w.pt.trace.json"),
      JSON.stringify({
        schemaVersion: 1,
        baseTimeNanoseconds: (1_700_000_000 + day * 86_400) * 1e9,
        traceEvents,
      }),
    );
  }
  const at = withProgram(folder);

  test("one row a run, and where the level changed", () =>
    onPage(at("?view=history"), async (page) => {
      await viewReady(page, "history");
      assert.equal((await columnTexts(page, "runs", "run")).length, 8);
      assert.equal((await columnTexts(page, "trends", "at"))[0], "4");
    }));
});
