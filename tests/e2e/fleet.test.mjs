// From a rank in a lake to its timeline: the page has the server open the trace of that rank. Skipped if the program is not built.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  onPage,
  programPath,
  queryOf,
  samples,
  startProgram,
  viewReady,
  withoutProgram,
} from "./browser.mjs";

describe("A lake", { skip: withoutProgram() }, () => {
  let folder;
  let program;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "sightline-lake-"));
    cpSync(join(samples, "ddp_cuda"), join(folder, "traces"), {
      recursive: true,
    });
    const lake = join(folder, "lake");
    const capture = ["--capture", "job"];
    const map = ["map", join(folder, "traces"), "-o", lake, ...capture];
    execFileSync(programPath, map);
    execFileSync(programPath, ["fleet", "commit", lake, ...capture]);
    program = await startProgram(lake);
  });
  after(() => {
    program?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Follows the link of the table's first row. */
  async function follow(page, view, link) {
    await page.goto(`${program.address}?view=${view}`);
    await viewReady(page, view);
    const row = page.locator(`[data-table="${view}"] [data-row]`).first();
    await row.scrollIntoViewIfNeeded();
    await row.click({ button: "right" });
    await page.getByRole("menuitem", { name: link }).click();
  }

  async function workers(page) {
    const { runs } = await page.evaluate(async () =>
      (await fetch("/api/state")).json(),
    );
    return runs.flatMap((run) => run.workers.map(({ name }) => name)).sort();
  }

  const failedRequest = { expectErrors: /Failed to load resource/ };

  test("a trace that is gone says so", () =>
    onPage(
      program.address,
      async (page) => {
        renameSync(join(folder, "traces"), join(folder, "away"));
        try {
          await follow(page, "fleet_ranks", "Timeline of the rank");
          await page.getByRole("alert").waitFor();
          const said = await page.getByRole("alert").textContent();
          assert.match(said, /traces.*no such file/);
        } finally {
          renameSync(join(folder, "away"), join(folder, "traces"));
        }
      },
      failedRequest,
    ));

  test("a rank leads to its timeline, and only its trace is opened", () =>
    onPage(program.address, async (page) => {
      assert.deepEqual(await workers(page), ["all ranks"]);
      await follow(page, "fleet_ranks", "Timeline of the rank");
      await page.waitForSelector('.timeline-lanes[data-drawn="true"]');
      assert.equal(queryOf(page).view, "timeline");
      assert.equal(queryOf(page).run, "traces");
      const rank = queryOf(page).worker;
      assert.deepEqual(await workers(page), ["all ranks", rank]);
    }));

  test("a rank of a collective leads to its part in it", () =>
    onPage(program.address, async (page) => {
      await follow(page, "fleet_members", "Timeline of the rank");
      await page.waitForSelector('.timeline-lanes[data-drawn="true"]');
      await page.locator(".timeline-details h3").first().waitFor();
      assert.match(
        queryOf(page)["timeline.select"] ?? queryOf(page).slice,
        /\d/,
      );
    }));
});
