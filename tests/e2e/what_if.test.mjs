// What if: a change in the address gives a prediction, a row of the table leads to its change, and a wrong change is an error that
// says what would be valid.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  columnTexts,
  onPage,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

// The host waits until `slow` has ended.
const kRun = `thread 1:
  0-100000 ProfilerStep#1
  1000-30000 aten::mm, 10000-12000 cudaLaunchKernel [corr=1]
  31000-90010 cudaDeviceSynchronize
stream 7:
  20000-90000 slow [corr=1]
`;

describe("what if", { skip: withoutProgram() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-what-if-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "run.pt.trace.json");
  const generator = fileURLToPath(
    new URL("../../tools/gen_trace", import.meta.url),
  );
  execFileSync("python3", [generator, "-", path], { input: kRun });
  const at = withProgram(path);

  test("a row leads to the prediction if it were twice as fast", () =>
    onPage(at("?view=what_if"), async (page) => {
      await viewReady(page, "what_if");
      assert.deepEqual(await columnTexts(page, "gains", "name"), [
        "slow",
        "aten::mm",
        "other kernels",
        "All code",
      ]);
      assert.match((await columnTexts(page, "gains", "half"))[0], /^35/);
    }));

  test("the field of changes offers examples, and one of them is answered", () =>
    onPage(at("?view=what_if"), async (page) => {
      await viewReady(page, "what_if");
      const field = page.getByLabel("What changes");
      assert.equal(await field.getAttribute("placeholder"), "host*0.5");
      assert.equal(await page.locator("#change-examples option").count(), 4);
      await field.fill("no-sync");
      await page.waitForURL(/change=no-sync/);
      await page.getByText("Predicted step").first().waitFor();
    }));

  test("a change in the address gives a prediction", () =>
    onPage(at("?view=what_if&change=kernel:slow*0.5"), async (page) => {
      await viewReady(page, "what_if");
      assert.deepEqual(await columnTexts(page, "changes", "change"), [
        "kernel:slow*0.5",
      ]);
      await page.getByText("Predicted step").first().waitFor();
    }));

  test("a wrong change says what would be valid", () =>
    onPage(
      at("?view=what_if&change=kernel:other"),
      async (page) => {
        await page.getByText("is no change; changes are").first().waitFor();
      },
      { expectErrors: true },
    ));
});
