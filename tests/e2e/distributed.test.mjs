// The view across ranks, of a real recording of two: its charts show both, a step narrows them, and a row links to its worker.
// Skipped if the program is not built.
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  columnTexts,
  onPage,
  queryOf,
  samples,
  withProgram,
  viewReady,
  withoutProgram,
} from "./browser.mjs";

const drawn = (page, panel) =>
  page.waitForSelector(`[data-panel="${panel}"] [data-drawn="true"]`);

/** Chooses an item of the menu of the first wait for the second worker. */
async function fromWait(page, name) {
  await viewReady(page, "distributed");
  const row = page
    .locator('[data-table="waits"] [data-row]', { hasText: "ddp_rank1" })
    .first();
  await row.scrollIntoViewIfNeeded();
  await row.click({ button: "right" });
  await page.getByRole("menuitem", { name }).click();
}

describe("Distributed", { skip: withoutProgram() }, () => {
  const on = withProgram(join(samples, "ddp"));
  const at = (query) => on(`?view=distributed${query}`);

  test("both workers are drawn, and each part of the answer", async () => {
    await onPage(at(""), async (page) => {
      await viewReady(page, "distributed");
      for (const panel of ["overview", "synchronizing", "map"])
        await drawn(page, panel);
      assert.deepEqual(await columnTexts(page, "workers", "worker"), [
        "ddp_rank0",
        "ddp_rank1",
      ]);
      for (const table of ["bandwidth", "waits", "operations"])
        assert.ok(
          await page.locator(`[data-table="${table}"] [data-row]`).count(),
          table,
        );
    });
  });

  test("selecting one step in the top bar shows that step in the charts", async () => {
    await onPage(at(""), async (page) => {
      await viewReady(page, "distributed");
      const all = await columnTexts(page, "workers", "total");
      await page.click('[data-crumb="step"]');
      await page.locator(".picker-item", { hasText: "4" }).click();
      await page.waitForFunction(
        (all) =>
          document.querySelector(
            '[data-table="workers"] [data-row] [data-column="total"]',
          )?.textContent !== all,
        all[0],
      );
      assert.equal(queryOf(page).step, "4");
      await page.getByLabel("Map shows").selectOption("computation");
      await page
        .locator('[data-panel="map"] .ramp', { hasText: "Computation" })
        .waitFor();
      assert.equal(queryOf(page).map, "computation");
    });
  });

  test("a worker's row leads to the overview of that worker", async () => {
    await onPage(at("&worker=ddp_rank0"), async (page) => {
      await viewReady(page, "distributed");
      await page
        .locator('[data-table="workers"] [data-row]', { hasText: "ddp_rank1" })
        .click({ button: "right" });
      await page
        .getByRole("menuitem", { name: "Overview of this worker" })
        .click();
      await viewReady(page, "overview");
      assert.equal(queryOf(page).worker, "ddp_rank1");
    });
  });

  test("the last worker is shown on its timeline", async () => {
    await onPage(at("&worker=ddp_rank0"), async (page) => {
      await fromWait(page, "Last worker on the timeline");
      await page.waitForURL(/view=timeline/);
      assert.equal(queryOf(page).worker, "ddp_rank1");
      await page
        .locator('[data-panel="timeline"]', { hasText: "gloo:all_reduce" })
        .waitFor();
    });
  });

  test("a collective's row opens all ranks at its moment, by the clock of the last worker", async () => {
    await onPage(at("&worker=ddp_rank0"), async (page) => {
      await fromWait(page, "All ranks at this moment");
      await page.locator(".ranks-row").nth(1).waitFor();
      const query = queryOf(page);
      assert.equal(query.worker, "ddp_rank1");
      assert.equal(query["timeline.ranks"], "span");
      const [start, end] = query["timeline.window"].split(",").map(Number);
      assert.ok(end > start && end - start < 1e9, `${start} ${end}`);
    });
  });

  test("the Overview of a worker has the advice that compares the workers, which opens Distributed", async () => {
    await onPage(on("?view=overview&worker=ddp_rank1"), async (page) => {
      const advice = page.locator('[data-advice="exposed_communication"]');
      await advice
        .getByText("ddp_rank0 takes 2.98 ms a step, ddp_rank1 takes 1.30 ms")
        .waitFor();
      assert.equal(
        await page
          .locator(
            '[data-advice="slow_communicating"], .note:has-text("not read yet")',
          )
          .count(),
        0,
      );
      await advice.getByText("Open in Distributed").click();
      await viewReady(page, "distributed");
    });
  });
});
