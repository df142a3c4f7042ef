// The page as one file, opened from file:// with the network off: every view opens, tables sort, and it sends no request.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  dragFiles,
  onPage,
  programPath,
  queryOf,
  samples,
  viewReady,
  withoutProgram,
} from "./browser.mjs";

const sample = join(samples, "transformer");
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
    write(sample, "page.html");
    write(join(samples, "ddp"), "all.html", "--all");
    const trace = join(folder, "odd.pt.trace.json");
    execFileSync("python3", [
      join(root, "tools/gen_trace"),
      join(root, "tests/fixtures/odd_names.trace"),
      trace,
    ]);
    write(trace, "odd.html");
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs `use` and fails if anything was requested except files and the page's own blobs. */
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

  test("a dropped file does not replace the page, which says that it opens none", () =>
    offline(at("page.html"), async (page) => {
      await viewReady(page, "overview");
      assert.equal(
        await page.getByRole("button", { name: "Open…" }).count(),
        0,
      );
      const before = page.url();
      await dragFiles(page, [join(folder, "odd.html")], "over");
      await page
        .locator(".drop-cover", { hasText: "without a server" })
        .waitFor();
      await dragFiles(page, [join(folder, "odd.html")]);
      await page
        .locator(".notice.shown", { hasText: "without a server" })
        .waitFor();
      assert.equal(page.url(), before);
    }));

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

  test("the file contains Chinese: every view shows it, and the choice is kept", async () => {
    const inChinese = (page) => page.waitForSelector('html[lang="zh-CN"]');
    const title = (page, view) =>
      page.locator(`[data-view-link="${view}"] .rail-title`).textContent();
    await offline(at("page.html", "?view=operators"), async (page) => {
      await viewReady(page, "operators");
      assert.equal(await title(page, "operators"), "Operators");
      await page.getByRole("button", { name: "Language: English" }).click();
      await inChinese(page);
      assert.equal(await title(page, "operators"), "算子");
      const calls = page.getByRole("columnheader", { name: /^调用次数/ });
      assert.ok((await calls.count()) > 0);
      const open = await page
        .locator(".rail [data-view-link]:not(.shut)")
        .evaluateAll((links) => links.map((link) => link.dataset.viewLink));
      assert.ok(open.length >= 6);
      for (const view of open) {
        await page.locator(`[data-view-link="${view}"]`).click();
        await viewReady(page, view);
        assert.equal(queryOf(page).lang, "zh");
        assert.match(await page.locator("h1").textContent(), /\p{Script=Han}/u);
      }
      // The program's text when it wrote the file, not only the page's own texts.
      await page.locator('[data-view-link="overview"]').click();
      await viewReady(page, "overview");
      const panels = await page.locator(".panel h2").allTextContents();
      const chinese = panels.filter((text) => /\p{Script=Han}/u.test(text));
      assert.ok(chinese.length >= 3, panels.join()); // "Step" is the term in both
      // Opened again without the address, it is still the user's choice.
      await page.goto(at("page.html"));
      await viewReady(page, "overview");
      await inChinese(page);
    });
  });

  test("the timeline draws its lanes", async () => {
    await offline(at("page.html", "?view=timeline"), async (page) => {
      await viewReady(page, "timeline");
      await page.waitForSelector('.timeline-lanes[data-drawn="true"]');
    });
  });

  test("the page lists what is not in the file", async () => {
    await offline(at("page.html", "?view=query"), async (page) => {
      await page.getByText("This file has no tables to query").waitFor();
    });
    await offline(
      at("page.html", "?view=operators&group_by=nothing"),
      async (page) => {
        await page.getByText("This is not in the file").waitFor();
      },
    );
  });

  test("a table is saved as the same CSV as the program's", async () => {
    const wanted = execFileSync(programPath, [
      ...["report", sample, "--view", "operators", "--table", "operators"],
      ...["--format", "csv"],
    ]).toString();
    await offline(at("page.html", "?view=operators"), async (page) => {
      await viewReady(page, "operators");
      await page.getByRole("button", { name: "Panel menu: Operators" }).click();
      const saved = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: "Save CSV" }).click();
      const file = await (await saved).path();
      assert.equal(readFileSync(file, "utf8"), wanted);
    });
  });

  test("slices can be searched and selected; features that need the program are labelled", async () => {
    const counted = execFileSync(programPath, [
      ...["query", sample, "--format", "csv"],
      "SELECT count(*) FROM slices WHERE name LIKE '%aten::addmm%'",
    ]).toString();
    const count = Number(counted.split("\n")[1]);
    assert.ok(count > 0);
    await offline(at("page.html", "?view=timeline"), async (page) => {
      await viewReady(page, "timeline");
      await page.getByLabel("Slices by name").fill("aten::ADDMM");
      await page
        .locator(".timeline-hits", { hasText: `${count} slices` })
        .waitFor();
      await page.keyboard.press("Enter");
      const details = page.locator(".timeline-details[data-slice]");
      await details.getByText("aten::addmm").first().waitFor();
      await details.getByText("only the position of a slice").waitFor();
      for (const button of [/^Flows/, "Save"]) {
        await page.getByRole("button", { name: button, exact: true }).click();
        const entry = page.getByRole("menuitem", { disabled: true });
        await entry.getByText("needs sightline view").waitFor();
        await page.keyboard.press("Escape");
      }
    });
  });

  test("--all puts every profile into one file", async () => {
    await offline(at("all.html"), async (page) => {
      await viewReady(page, "overview");
      for (const worker of ["ddp_rank0", "ddp_rank1"]) {
        for (const view of ["overview", "timeline", "distributed"]) {
          const query = `?run=ddp&worker=${worker}&view=${view}`;
          await page.goto(at("all.html", query));
          await viewReady(page, view);
          assert.equal(await page.locator('.state[role="alert"]').count(), 0);
          const picked = page.getByRole("button", { name: /^Worker: / });
          assert.match(await picked.textContent(), new RegExp(worker));
        }
      }
    });
  });

  test("a view of several workers is disabled in a file of one", async () => {
    write(join(samples, "ddp"), "one.html", "--worker", "ddp_rank1");
    await offline(at("one.html", "?view=distributed"), async (page) => {
      await page.getByText("Export with --all").waitFor();
      await page.locator('[data-view-link="distributed"].shut').waitFor();
    });
  });

  test("names of a hostile trace are text, not script", async () => {
    await offline(at("odd.html", "?view=operators"), async (page) => {
      await viewReady(page, "operators");
      await page.getByText("<script>alert(1)</script>").first().waitFor();
    });
  });
});
