// The page as one file, opened from file:// with the network off: every view opens, tables sort, nothing is asked of anybody.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  onPage,
  programPath,
  samples,
  viewReady,
  withoutProgram,
} from "./browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the page as a file", { skip: withoutProgram() }, () => {
  let folder;
  const at = (name, query = "") =>
    pathToFileURL(join(folder, name)).href + query;
  const write = (path, name, ...more) =>
    execFileSync(programPath, [
      "export",
      path,
      "--format",
      "html",
      "-o",
      join(folder, name),
      ...more,
    ]);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "sightline-page-"));
    write(join(samples, "transformer"), "page.html");
    const trace = join(folder, "odd.pt.trace.json");
    execFileSync("python3", [
      join(root, "tools/gen_trace"),
      join(root, "tests/fixtures/odd_names.trace"),
      trace,
    ]);
    write(trace, "odd.html");
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs `use` and fails when anything but files and what the page made itself was asked for. */
  const offline = (address, use) =>
    onPage(address, async (page) => {
      const asked = [];
      page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url()))
          asked.push(request.url());
      });
      await page.context().setOffline(true);
      try {
        await page.reload();
        await use(page);
      } finally {
        await page.context().setOffline(false);
      }
      assert.deepEqual(asked, []);
    });

  test("every view opens, and a place in the address opens too", async () => {
    assert.ok(statSync(join(folder, "page.html")).size < 20e6);
    await offline(at("page.html"), async (page) => {
      await viewReady(page, "overview");
      const views = await page
        .locator(".rail a")
        .evaluateAll((links) => links.map((a) => a.getAttribute("href")));
      assert.ok(views.length >= 6);
      for (const href of views) {
        await page.goto(at("page.html", href.slice(href.indexOf("?"))));
        await page.waitForSelector('[data-ready="true"], .state');
        assert.ok(
          (await page.locator(".panel, .state").count()) > 0,
          `${href} draws nothing`,
        );
      }
    });
  });

  test("a table sorts, and a choice of a parameter is there", async () => {
    await offline(at("page.html", "?view=operators"), async (page) => {
      await viewReady(page, "operators");
      const header = page.getByRole("columnheader", { name: /^Calls/ }).first();
      await header.click();
      await page.waitForFunction(() => location.search.includes(".sort="));
      const control = page.locator(".parameter .segment").nth(1);
      if (await control.count()) {
        await control.click();
        await viewReady(page, "operators");
        assert.equal(await page.locator('.state[role="alert"]').count(), 0);
      }
    });
  });

  test("the timeline draws its lanes", async () => {
    await offline(at("page.html", "?view=timeline"), async (page) => {
      await viewReady(page, "timeline");
      await page.waitForSelector('.timeline-lanes[data-drawn="true"]');
    });
  });

  test("what is not in the file is said", async () => {
    await offline(at("page.html", "?view=query"), async (page) => {
      await page.getByText("A file holds no tables to query").waitFor();
    });
    await offline(
      at("page.html", "?view=operators&group_by=nothing"),
      async (page) => {
        await page.getByText("This is not in the file").waitFor();
      },
    );
  });

  test("names of a hostile trace are text and no script", async () => {
    await offline(at("odd.html", "?view=operators"), async (page) => {
      await viewReady(page, "operators");
      await page.getByText("<script>alert(1)</script>").first().waitFor();
    });
  });
});
