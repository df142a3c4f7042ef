// The SQL console with the real program: examples, errors with their place, the address, the schema.
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

describe("the console", { skip: withoutProgram() }, () => {
  const on = withProgram(`${samples}/transformer`);
  const at = (query = "") => on("?view=query" + query);
  const editor = (page) => page.locator("textarea.console-editor");

  test("Ctrl+Enter runs a query; the address holds it, and Back undoes it", async () => {
    await onPage(at(), async (page) => {
      await viewReady(page, "query");
      await editor(page).fill(
        "SELECT name, count(*) AS calls, sum(duration) AS total_ns FROM ops GROUP BY name",
      );
      await editor(page).press("Control+Enter");
      await page.waitForSelector('[data-table="result"] [data-row]');
      assert.match(queryOf(page).sql, /^SELECT name, count/);
      const names = await columnTexts(page, "result", "name");
      assert.ok(names.some((name) => name.startsWith("aten::")));
      await page
        .locator('[data-table="result"]')
        .getByRole("columnheader", { name: /calls/ })
        .click();
      await page.waitForFunction(() => location.search.includes("result.sort"));
      await page.goBack();
      await page.waitForFunction(() => !location.search.includes("sql="));
      assert.equal(await editor(page).inputValue(), "");
    });
  });

  test("an error names its place and the editor shows it", async () => {
    const sql = encodeURIComponent("SELECT *\nFORM slices");
    await onPage(
      at(`&sql=${sql}`),
      async (page) => {
        const error = page.locator(".console-error");
        await error.waitFor();
        assert.match(await error.textContent(), /slices.*line 2, column 6/);
        const selected = await editor(page).evaluate((e) => e.selectionStart);
        assert.equal(selected, "SELECT *\nFORM ".length);
      },
      { expectErrors: true },
    );
  });

  test("a name of the schema inserts itself; examples and recent queries are at hand", async () => {
    await onPage(at(), async (page) => {
      await viewReady(page, "query");
      await page.locator('[data-table-name="kernels"] button').first().click();
      await page
        .locator('[data-table-name="kernels"] .schema-column .schema-name')
        .first()
        .click();
      assert.equal(await editor(page).inputValue(), "id");
      await page.getByRole("button", { name: "Examples" }).click();
      await page
        .getByRole("menuitem", { name: "Peak memory of each device" })
        .click();
      await page.waitForSelector('[data-panel="result"]');
      assert.match(queryOf(page).sql, /memory_events/);
      await page.getByRole("button", { name: "Recent" }).click();
      assert.equal(await page.getByRole("menuitem").count(), 1);
    });
  });
});
