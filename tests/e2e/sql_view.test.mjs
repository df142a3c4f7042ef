// Views written in SQL on the page: one beside the program's own, its parameter, and one that is wrong.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  columnTexts,
  onPage,
  programPath,
  queryOf,
  samples,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

describe("views in SQL", { skip: withoutProgram() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-views-"));
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "named.sql"),
    `-- id: named
-- title: Operators by name
-- group: where_time_went
-- parameter: part text "" "Part of the name"
-- needs: ops
-- panel: breakdown label=name value=total_ns title="Their time"
-- panel: table
SELECT name, count(*) AS calls, sum(duration) AS total_ns
FROM ops WHERE contains(name, $part) GROUP BY name ORDER BY total_ns DESC`,
  );
  writeFileSync(
    join(folder, "wrong.sql"),
    "-- id: wrong\n-- titel: Wrong\nSELECT 1",
  );
  const at = withProgram(`${samples}/transformer`, "--views", folder);

  test("a view is in the rail, and its parameter in the address", () =>
    onPage(at("?view=overview"), async (page) => {
      await viewReady(page, "overview");
      await page.click('[data-view-link="named"]');
      await viewReady(page, "named");
      assert.equal(await page.locator("h1").textContent(), "Operators by name");
      await page.getByText("Their time").first().waitFor();
      assert.ok((await columnTexts(page, "named", "name")).length > 1);
      const part = page.locator("input.field-text").first();
      await part.fill("aten::linear");
      await part.press("Enter");
      await page.waitForFunction(() => location.search.includes("part=aten"));
      await page.waitForFunction(
        () =>
          document.querySelectorAll('[data-table="named"] [data-row]')
            .length === 1,
      );
      assert.equal(queryOf(page).part, "aten::linear");
    }));

  test("a view is in the page as one file", () => {
    const file = join(folder, "page.html");
    const sample = `${samples}/transformer`;
    const how = ["--format", "html", "--views", folder, "-o", file];
    execFileSync(programPath, ["export", sample, ...how], { stdio: "ignore" });
    return onPage(`${pathToFileURL(file).href}?view=named`, async (page) => {
      await viewReady(page, "named");
      assert.ok((await columnTexts(page, "named", "name")).length > 1);
    });
  });

  test("a file that is wrong is shown shut, with its line", () =>
    onPage(at("?view=wrong"), async (page) => {
      await page.waitForSelector(
        '[data-view-link="wrong"][aria-disabled="true"]',
      );
      await page
        .getByText(/wrong\.sql, line 2: /)
        .first()
        .waitFor();
    }));
});
