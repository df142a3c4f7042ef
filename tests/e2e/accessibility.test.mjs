// Every view is accessible: axe finds no violation, and one Tab leads past the frame.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fixtures, onPage, viewReady } from "./browser.mjs";

const at = fixtures({ only: ["resnet50"] });
const axe = readFileSync(
  new URL("../../web/node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);

const kViews = [
  "overview",
  "operators",
  "kernels",
  "modules",
  "memory",
  "distributed",
  "timeline",
];

for (const view of kViews) {
  test(`axe finds nothing in the ${view} view`, () =>
    onPage(at(`?view=${view}`), async (page) => {
      await viewReady(page, view);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const rules = { "label-content-name-mismatch": { enabled: true } };
        const { violations } = await globalThis.axe.run(document, { rules });
        return violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`,
        );
      });
      assert.deepEqual(found, []);
    }));
}

test("the first Tab offers to skip the frame", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "content");
  }));
