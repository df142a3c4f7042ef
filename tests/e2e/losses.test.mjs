// The comparison of training logs, in a browser with the real program.
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

const log = (name, losses, iteration = "iteration", loss = "loss:") => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(
    losses
      .map((value, i) => `${iteration} ${i + 1} | ${loss} ${value} |`)
      .join("\n"),
  ),
});

describe("losses", { skip: withoutProgram() }, () => {
  const at = withProgram(`${samples}/transformer`);
  const choose = (page, files) =>
    page.locator('[data-view="losses"] input[type=file]').setInputFiles(files);
  const rows = (page, table) =>
    page.waitForSelector(`[data-table="${table}"] [data-row]`);

  test("two logs and their difference are drawn; the address holds a swap", async () => {
    await onPage(at("?view=losses"), async (page) => {
      await viewReady(page, "losses");
      await choose(page, [
        log("a.log", [3, 2, 1]),
        log("b.log", [3, 2.5, 0.5]),
      ]);
      await rows(page, "differences");
      assert.deepEqual(await columnTexts(page, "differences", "difference"), [
        "0",
        "0.500",
        "−0.500",
      ]);
      await page.getByLabel("with the base").selectOption("2");
      await page
        .getByRole("main")
        .getByLabel("Compare", { exact: true })
        .selectOption("1");
      await page.waitForFunction(() =>
        document
          .querySelector('[data-table="differences"] [data-row="1"]')
          ?.textContent.includes("−0.5"),
      );
      assert.equal(queryOf(page).base, "2");
      await page.goBack();
      await page.goBack();
      await page.waitForFunction(() => !location.search.includes("base="));
    });
  });

  test("a log with other tags can be configured; a log can be left out and removed", async () => {
    await onPage(at("?view=losses"), async (page) => {
      await viewReady(page, "losses");
      await choose(page, [log("c.log", [3, 2], "step", "train")]);
      await page.getByText("none of 2 lines has both tags").waitFor();
      await page.getByLabel("Text before the loss").fill("train");
      await page.getByLabel("Text before the iteration").fill("step");
      await rows(page, "losses");
      assert.deepEqual(await columnTexts(page, "losses", "log_1"), ["3", "2"]);
      await page.getByRole("checkbox").uncheck();
      await page.waitForFunction(
        () => !document.querySelector('[data-table="losses"]'),
      );
      await page.getByRole("button", { name: "Remove c.log" }).click();
      await page.getByText("Choose training logs").waitFor();
    });
  });
});
