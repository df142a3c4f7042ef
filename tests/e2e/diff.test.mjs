// Comparing two recordings: the bar and the address show the comparison, a bar leads into its part, the trail and Back
// lead out again, and a row leads to the timeline of the right profile.
import assert from "node:assert/strict";
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

describe("diff", { skip: withoutProgram() }, () => {
  const on = withProgram(samples);
  const kSpans =
    "?run=transformer&worker=transformer_rank0&span=1&view=diff&other_run=transformer&other_worker=transformer_rank0&other_span=2";
  const trail = (page) =>
    page.evaluate(() => document.querySelector(".trail")?.textContent ?? "");

  /** Inside the first bar of the chart by part. */
  async function firstBar(page) {
    const chart = page.locator('[data-panel="bars"] canvas').first();
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    const rows = await page.evaluate(
      async () =>
        (await (await fetch(`api/report${location.search}`)).json()).tables
          .parts.rows,
    );
    const left = 40; // the axis and its labels
    return {
      x: box.x + left + (box.width - left - 12) / rows / 2 - 12,
      y: box.y + box.height - 40,
    };
  }

  test("nothing is compared before the user confirms the proposal or chooses", () =>
    onPage(
      on("?run=transformer&worker=transformer_rank0&span=1&view=diff"),
      async (page) => {
        await viewReady(page, "diff");
        const proposal = page.locator('[data-advice="proposal"]');
        const title = await proposal.getByRole("heading").textContent();
        assert.match(title, /^Most alike: transformer/);
        assert.match(
          await proposal.textContent(),
          /of their operators are the same/,
        );
        assert.equal(await page.locator('[data-table="parts"]').count(), 0);
        const runs = await columnTexts(page, "profiles", "run");
        assert.equal(runs[0], "transformer");
        assert.ok(runs.includes("conv"));
        await proposal.getByRole("button", { name: "Compare with it" }).click();
        await page.waitForURL(/other_span=2/);
        await page.waitForSelector('[data-table="parts"] [data-row]');
        const compared = page.locator(".compared");
        await compared.getByRole("button", { name: "Compared run" }).click();
        await page.getByRole("option", { name: "conv" }).click();
        await page.waitForURL(/other_run=conv/);
        await viewReady(page, "diff");
        assert.equal(
          await compared
            .getByRole("button", { name: "Compared run" })
            .textContent(),
          "conv",
        );
        await page
          .getByRole("button", { name: "Swap baseline and comparison" })
          .click();
        await page.waitForURL(/[?&]run=conv/);
        await viewReady(page, "diff");
        assert.equal(queryOf(page).other_run, "transformer");
        await page.goBack();
        await page.goBack();
        await page.goBack();
        await page.waitForURL((url) => !url.search.includes("other_run"));
        await page.waitForSelector('[data-advice="proposal"]');
      },
    ));

  test("a row of the proposal compares with its profile", () =>
    onPage(
      on("?run=transformer&worker=transformer_rank0&span=1&view=diff"),
      async (page) => {
        await viewReady(page, "diff");
        await page
          .locator('[data-table="profiles"] [data-row]', { hasText: "conv" })
          .first()
          .click({ button: "right" });
        await page.getByRole("menuitem", { name: "Compare with it" }).click();
        await page.waitForURL(/other_run=conv/);
        await page.waitForSelector('[data-table="parts"] [data-row]');
      },
    ));

  test("a bar leads into its part, the trail and Back lead out", () =>
    onPage(on(kSpans), async (page) => {
      await viewReady(page, "diff");
      const whole = await columnTexts(page, "parts", "name");
      assert.ok(whole.length > 1);
      assert.equal(await trail(page), "");
      const { x, y } = await firstBar(page);
      await page.mouse.click(x, y);
      await page.waitForURL(/node=0/);
      await viewReady(page, "diff");
      await page.waitForFunction(() => document.querySelector(".trail"));
      assert.ok((await trail(page)).startsWith("Whole run"));
      assert.equal(queryOf(page).other_span, "2");
      const inside = await columnTexts(page, "parts", "name");
      assert.notDeepEqual(inside, whole);
      const deeper = page
        .locator('[data-table="parts"] [data-row]', { hasText: "Encoder" })
        .first();
      await deeper.click({ button: "right" });
      await page.getByRole("menuitem", { name: "Look inside" }).click();
      await page.waitForURL(/node=0-\d+/);
      await viewReady(page, "diff");
      await page.goBack();
      await page.waitForURL(/node=0(&|$)/);
      await viewReady(page, "diff");
      assert.deepEqual(await columnTexts(page, "parts", "name"), inside);
      await page
        .locator(".trail")
        .getByRole("button", { name: "Whole run" })
        .click();
      await page.waitForURL((url) => !url.search.includes("node="));
      await viewReady(page, "diff");
      assert.deepEqual(await columnTexts(page, "parts", "name"), whole);
    }));

  test("a row leads to the timeline of either profile", () =>
    onPage(on(kSpans), async (page) => {
      for (const [name, span] of [
        ["Baseline on the timeline", "1"],
        ["Compared on the timeline", "2"],
      ]) {
        await viewReady(page, "diff");
        await page
          .locator('[data-table="operators"] [data-row]')
          .first()
          .click({ button: "right" });
        await page.getByRole("menuitem", { name }).click();
        await page.waitForURL(/view=timeline/);
        assert.equal(queryOf(page).span, span);
        assert.ok(queryOf(page).slice);
        await page.goBack();
      }
    }));

  test("a row opens both on one axis, around the baseline's slice", () =>
    onPage(on(kSpans), async (page) => {
      await viewReady(page, "diff");
      await page
        .locator('[data-table="operators"] [data-row]')
        .first()
        .click({ button: "right" });
      await page
        .getByRole("menuitem", { name: "Both runs on one axis" })
        .click();
      await page.locator(".ranks-row").nth(1).waitFor();
      const query = queryOf(page);
      assert.equal(query["timeline.ranks"], "span");
      assert.equal(JSON.parse(query["timeline.added"])[1], "2");
      assert.match(query["timeline.window"], /^-?\d+,\d+$/);
    }));

  test("a difference has its sign, and a hover text with its meaning", () =>
    onPage(on(kSpans), async (page) => {
      await viewReady(page, "diff");
      const cells = page.locator(
        '[data-table="operators"] [data-column="change_host_total"]',
      );
      const texts = await cells.allTextContents();
      assert.ok(texts.some((text) => text.startsWith("+")));
      assert.ok(texts.some((text) => text.startsWith("−")));
      const more = page.locator('[data-table="operators"] .cell.more').first();
      assert.match(
        await more.getAttribute("data-tip"),
        /^\+.*\nmore than the baseline$/,
      );
    }));

  test("a recording compared with itself has no difference", () =>
    onPage(on(kSpans.replace("other_span=2", "other_span=1")), async (page) => {
      await viewReady(page, "diff");
      assert.equal(await page.locator(".cell.more, .cell.less").count(), 0);
      const { tables } = await page.evaluate(async () =>
        (await fetch(`api/report${location.search}`)).json(),
      );
      const changes = Object.values(tables).flatMap(({ columns }) =>
        columns.filter(({ change }) => change),
      );
      assert.ok(changes.length > 0);
      for (const { values } of changes)
        assert.ok(values.every((value) => !value));
    }));
});
