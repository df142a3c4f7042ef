// Operators of compiled programs in a log that the test makes: charts select a device and a category, a fused operator opens, the
// hierarchy opens level by level. tensorboard.test.mjs does the same in the tab of a real TensorBoard.
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { makeNeuronLog } from "./neuron_log.mjs";
import {
  columnTexts,
  onPage,
  queryOf,
  samples,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

describe("operators of programs", { skip: withoutProgram() }, () => {
  const on = withProgram(makeNeuronLog());

  test("framework operators are listed, and a device can be chosen", () =>
    onPage(on("?view=framework_operators"), async (page) => {
      await viewReady(page, "framework_operators");
      const table = "framework_operators";
      assert.equal((await columnTexts(page, table, "time")).length, 8);
      await page.getByLabel("Device", { exact: true }).selectOption("0/1");
      await page.waitForURL(/device=0%2F1|device=0\/1/);
      await viewReady(page, "framework_operators");
      await page.waitForFunction(
        () =>
          document.querySelectorAll(
            '[data-table="framework_operators"] [data-row]',
          ).length === 4,
      );
      const cores = await columnTexts(page, table, "core");
      assert.deepEqual(new Set(cores), new Set(["1"]));
    }));

  test("a fused operator opens to the operators fused into it", () =>
    onPage(on("?view=program_operators&device=0/0"), async (page) => {
      await viewReady(page, "program_operators");
      const row = page.locator('[data-table="program_operators"] [data-row]', {
        hasText: "fused_3",
      });
      await row.getByRole("button", { name: "Expand" }).click();
      await page.getByText("maximum.9").waitFor();
      const members = await page
        .locator('[data-table$="/fused_operators"] [data-column="name"]')
        .locator(".name-text")
        .allTextContents();
      assert.deepEqual(members, ["input.1", "maximum.9"]);
    }));

  test("the hierarchy opens from the model to the operator", () =>
    onPage(on("?view=operator_hierarchy"), async (page) => {
      await viewReady(page, "operator_hierarchy");
      const names = await columnTexts(page, "hierarchy", "name");
      assert.ok(names.includes("NN[model]"), names.join());
      const layer = page.locator('[data-table="hierarchy"] [data-row]', {
        hasText: "Linear[layer1]",
      });
      await layer.getByRole("button", { name: "Expand" }).click();
      await page
        .locator('[data-table="hierarchy"] [data-row]', {
          hasText: "aten__addmm_dot",
        })
        .waitFor();
    }));

  test("colours by operator have a legend of names, and a click isolates one", () =>
    onPage(on("?view=timeline&timeline.colour=operator"), async (page) => {
      await viewReady(page, "timeline");
      const legend = page.locator(".legend-class", { hasText: "dot.5" });
      await legend.click();
      await page.waitForURL(/timeline\.only=n\w+/);
      assert.equal(await legend.getAttribute("aria-pressed"), "true");
      assert.ok((await page.locator(".legend-class.dim").count()) > 0);
    }));

  test("the timeline has the sections of the log", () =>
    onPage(on("?view=timeline"), async (page) => {
      await viewReady(page, "timeline");
      for (const section of [
        "Process Overview",
        "Process Control",
        "Process Execution",
        "Process Data Transfer",
      ])
        await page.getByText(section).first().waitFor();
      assert.equal(queryOf(page).view, "timeline");
    }));
});

describe(
  "operators of programs in a recording of steps",
  { skip: withoutProgram() },
  () => {
    const on = withProgram(join(samples, "jax_cuda"));

    test("titles take a second line before a column is pushed off the edge", () =>
      onPage(on("?view=roofline"), async (page) => {
        await viewReady(page, "roofline");
        await page.waitForSelector('[data-table="points"] [data-row]');
        assert.equal(
          await page.locator(".table-box[data-more-right]").count(),
          0,
        );
      }));

    test("an operator leads to its graph, and a box to the graph around it", () =>
      onPage(on("?view=program_operators"), async (page) => {
        await viewReady(page, "program_operators");
        const row = page
          .locator('[data-table="program_operators"] [data-row]', {
            hasText: "gemm_fusion_dot.15",
          })
          .first();
        await row.scrollIntoViewIfNeeded();
        await row.click({ button: "right" });
        await page
          .getByRole("menuitem", { name: "The graph around this operator" })
          .click();
        await viewReady(page, "program_graph");
        const here = page.locator(".graph-box.here .graph-name");
        const before = await here.textContent();
        assert.ok((await page.locator(".graph-arrow").count()) > 0);
        const box = page.locator(".graph-box:not(.here)").first();
        const name = await box.locator(".graph-name").textContent();
        await box.click();
        await page.waitForFunction(
          ([old]) =>
            document.querySelector(".graph-box.here .graph-name")
              ?.textContent !== old,
          [before],
        );
        assert.equal(await here.textContent(), name);
        await page.goBack();
        await page.waitForFunction(
          ([old]) =>
            document.querySelector(".graph-box.here .graph-name")
              ?.textContent === old,
          [before],
        );
      }));

    test("selecting one step shows the figures of that step", () =>
      onPage(on("?view=program_operators"), async (page) => {
        await viewReady(page, "program_operators");
        const scope = page.locator("h1 + *");
        await page.goto(on("?view=program_operators&step=1"));
        await viewReady(page, "program_operators");
        await page.getByText("step 1").first().waitFor();
        assert.equal(await page.locator('[data-parameter="step"]').count(), 1);
        assert.match(await scope.textContent(), /step 1/);
        // The hierarchy keeps the step when it is opened from there.
        await page.locator('[data-view-link="operator_hierarchy"]').click();
        await viewReady(page, "operator_hierarchy");
        assert.equal(queryOf(page).step, "1");
      }));
  },
);
