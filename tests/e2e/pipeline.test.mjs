// The view Pipeline of a job of four stages, made by tests/support/pipeline_job.py. Skipped if the program is not built.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  columnTexts,
  onPage,
  queryOf,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

const make = fileURLToPath(
  new URL("../support/pipeline_job.py", import.meta.url),
);

describe("Pipeline", { skip: withoutProgram() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-pipeline-"));
  execFileSync("python3", [make, folder]);
  const on = withProgram(folder);
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("the stages of a step, and their bubbles", () =>
    onPage(on("?view=pipeline&step=2"), async (page) => {
      await viewReady(page, "pipeline");
      for (const panel of ["bars", "map"])
        await page.waitForSelector(
          `[data-panel="${panel}"] [data-drawn="true"]`,
        );
      const stages = await columnTexts(page, "stages", "stage");
      assert.deepEqual(stages, ["0", "1", "2", "3"]);
      // 3 of 7 turns are empty, as computed in tests/e2e_cli/test_pipeline.py.
      for (const key of ["bubble", "ideal"])
        assert.match(
          (await columnTexts(page, "pipelines", key))[0],
          /^42\.[89]/,
        );
    }));

  test("a stage leads to the ranks on one axis", () =>
    onPage(on("?view=pipeline"), async (page) => {
      await viewReady(page, "pipeline");
      const row = page.locator('[data-table="stages"] [data-row]').first();
      await row.scrollIntoViewIfNeeded();
      await row.click({ button: "right" });
      await page.getByRole("menuitem", { name: "Ranks on one axis" }).click();
      await page.locator(".ranks-name").nth(3).waitFor();
      assert.equal(queryOf(page).view, "timeline");
    }));
});
