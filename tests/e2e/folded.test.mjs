// Panels and metrics that have nothing to show are one line, which opens them.
import { test } from "node:test";
import { fixtures, onPage, viewReady } from "./browser.mjs";

const at = fixtures({ only: ["resnet50"] });

const fact = (label, value) => ({ label, value, unit: "ns", type: "integer" });

test("what has no value folds into a line, and opens", () =>
  onPage(at(), async (page) => {
    await page.route(/api\/report\?.*view=kernels/, async (route) => {
      const response = await route.fetch();
      const report = await response.json();
      const facts = (id, values) => ({
        id,
        title: id,
        kind: "facts",
        facts: values.map((value, i) => fact(`${id} ${i}`, value)),
      });
      report.panels.push(
        facts("Some", [5, null, null, null]),
        facts("Nothing", [null]),
      );
      await route.fulfill({ response, json: report });
    });
    await page.goto(at("?view=kernels"));
    await viewReady(page, "kernels");
    const panels = page.getByText("Empty, or with one value only: Nothing.");
    const metrics = page.getByText(
      "3 figures are not recorded: Some 1, Some 2, Some 3.",
    );
    await metrics.getByRole("button", { name: "Show" }).click();
    await page.getByText("Some 3").waitFor();
    await panels.getByRole("button", { name: "Show" }).click();
    await page.locator('[data-panel="Nothing"]').waitFor();
    await panels.waitFor({ state: "detached" });
  }));
