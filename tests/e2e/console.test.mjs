// The SQL console with the real program: examples, errors with their place, the address, the schema; completion, colours, the chart of
// an answer, and saved queries.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  columnTexts,
  onPage,
  programPath,
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
      const example = "Gaps of more than 1 ms between kernels of a stream";
      await page.locator(".console-answer").getByText(example).waitFor();
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

  const offers = (page) => page.getByRole("listbox").getByRole("option");

  test("completion: tables after FROM, columns after an alias, with the keyboard alone", async () => {
    await onPage(at(), async (page) => {
      await viewReady(page, "query");
      const field = editor(page);
      await field.pressSequentially("SELECT  FROM ker");
      await offers(page).first().waitFor();
      assert.match(await offers(page).first().textContent(), /^kernels/);
      assert.equal(
        await field.getAttribute("aria-activedescendant"),
        await offers(page).first().getAttribute("id"),
      );
      await field.press("Tab");
      assert.equal(await field.inputValue(), "SELECT  FROM kernels");
      await field.pressSequentially(" k");
      await field.press("Home");
      for (let i = 0; i < "SELECT ".length; i++)
        await field.press("ArrowRight");
      await field.pressSequentially("k.");
      await offers(page).first().waitFor();
      const columns = await offers(page).allTextContents();
      assert.ok(columns.some((text) => text.startsWith("duration")));
      await field.press("ArrowDown");
      const second = await page
        .locator('[role="option"][aria-selected="true"] .code')
        .textContent();
      await field.press("Enter");
      assert.equal(
        await field.inputValue(),
        `SELECT k.${second} FROM kernels k`,
      );
      await field.pressSequentially(", du");
      await offers(page).first().waitFor();
      await field.press("Escape");
      assert.equal(await offers(page).count(), 0);
      await field.press("Control+Space");
      await offers(page).first().waitFor();
      await field.press("Control+z");
      assert.ok(!(await field.inputValue()).endsWith(", du FROM kernels k"));
    });
  });

  test("the words of a query have colours, and the field shows the same text", async () => {
    const sql = encodeURIComponent(
      "SELECT count(*) FROM ops -- all\nWHERE name = 'a b'",
    );
    await onPage(at(`&sql=${sql}`), async (page) => {
      await viewReady(page, "query");
      const paint = page.locator(".sql-paint");
      assert.equal(
        (await paint.textContent()).trimEnd(),
        await editor(page).inputValue(),
      );
      const words = (kind) => paint.locator(`.sql-${kind}`).allTextContents();
      assert.deepEqual(await words("keyword"), ["SELECT", "FROM", "WHERE"]);
      assert.deepEqual(await words("comment"), ["-- all"]);
      assert.deepEqual(await words("text"), ["'a b'"]);
      const colours = await paint
        .locator(".sql-keyword, .sql-text, .sql-comment")
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).color));
      assert.equal(new Set(colours).size, 3);
    });
  });

  const kSums = encodeURIComponent(
    "SELECT name, count(*) AS calls, sum(duration) AS total_ns FROM ops GROUP BY name ORDER BY total_ns DESC LIMIT 12",
  );

  test("an answer as a chart: kind and columns are chosen, and stay in the address", async () => {
    await onPage(at(`&sql=${kSums}`), async (page) => {
      await viewReady(page, "query");
      await page.getByRole("radio", { name: "Bars" }).click();
      await page.waitForURL(/chart\.kind=bars/);
      const chart = page.locator('[data-panel="chart"]');
      await chart.locator("canvas").first().waitFor();
      assert.equal(queryOf(page)["chart.x"], "name");
      assert.equal(queryOf(page)["chart.y"], "total_ns");
      await page.getByRole("button", { name: /^Up/ }).click();
      await page.getByRole("menuitemcheckbox", { name: /^calls/ }).click();
      await page.waitForURL(/chart\.y=calls/);
      assert.equal(
        await chart.getByRole("heading").textContent(),
        "calls by name",
      );
      await page.getByRole("radio", { name: "Points" }).click();
      await page.waitForURL(/chart\.kind=scatter/);
      await page.reload();
      await chart.locator("canvas").first().waitFor();
      await page.getByRole("radio", { name: "None" }).click();
      await chart.waitFor({ state: "detached" });
    });
  });

  test("a query is saved by name, exported as a view that the program takes, and read again", async () => {
    await onPage(at(`&sql=${kSums}&chart.kind=bars`), async (page) => {
      await viewReady(page, "query");
      const open = () => page.getByRole("button", { name: "Saved" }).click();
      await page.locator('[data-panel="chart"]').waitFor();
      await open();
      const dialog = page.getByRole("dialog", { name: "Saved" });
      await dialog.getByLabel("Name of this query").fill("Time of operators");
      await dialog.getByRole("button", { name: "Save", exact: true }).click();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        dialog
          .getByRole("button", { name: "Save as a file: Time of operators" })
          .click(),
      ]);
      assert.equal(file.suggestedFilename(), "time_of_operators.sql");
      const folder = mkdtempSync(join(tmpdir(), "sightline-views-"));
      try {
        const path = join(folder, file.suggestedFilename());
        await file.saveAs(path);
        const report = JSON.parse(
          execFileSync(programPath, [
            "report",
            `${samples}/transformer`,
            "--no-cache",
            "--views",
            folder,
            "--view",
            "time_of_operators",
            "--format",
            "json",
          ]),
        );
        assert.equal(report.title, "Time of operators");
        assert.deepEqual(
          report.panels.map(({ kind }) => kind),
          ["bars", "table"],
        );
        await dialog
          .getByRole("button", { name: "Delete: Time of operators" })
          .click();
        await dialog.getByText("No query is saved yet.").waitFor();
        await dialog.getByLabel("Read .sql files").setInputFiles(path);
        await dialog
          .getByRole("button", { name: "Time of operators", exact: true })
          .waitFor();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      await page.keyboard.press("Escape");
      await page.goto(at());
      await viewReady(page, "query");
      await open();
      await dialog
        .getByRole("button", { name: "Time of operators", exact: true })
        .click();
      await page.locator('[data-panel="chart"] canvas').first().waitFor();
      assert.match(queryOf(page).sql, /^SELECT name, count/);
      assert.equal(queryOf(page)["chart.kind"], "bars");
    });
  });

  test("in a narrow window the dialog of saved queries holds all its parts", async () => {
    await onPage(
      at(),
      async (page) => {
        await viewReady(page, "query");
        await page.getByRole("button", { name: "Saved" }).click();
        const dialog = page.getByRole("dialog", { name: "Saved" });
        const { x, width } = await dialog.boundingBox();
        for (const part of await dialog.locator("form *").all()) {
          const box = await part.boundingBox();
          assert.ok(box.x >= x + 12 && box.x + box.width <= x + width - 12);
        }
      },
      { width: 390, height: 844 },
    );
  });

  test("tables without rows are behind a fold", async () => {
    await onPage(at(), async (page) => {
      await viewReady(page, "query");
      const fold = page.getByRole("button", { name: /^Tables without rows/ });
      await fold.waitFor(); // the list of tables arrives after the query's answer
      const names = () => page.locator("[data-table-name]").count();
      const before = await names();
      await fold.click();
      const empty = Number(/\d+$/.exec(await fold.textContent())[0]);
      assert.ok(empty > 0);
      assert.equal(await names(), before + empty);
    });
  });
});
