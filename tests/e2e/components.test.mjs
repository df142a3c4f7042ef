// Memory by component and the sums of steps, from a folder with nothing but two tables, written here.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  columnTexts,
  onPage,
  queryOf,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

const folder = mkdtempSync(join(tmpdir(), "sightline-components-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// Times in us; PTA has 1 GiB, of which it has allocated half, then three quarters; APP reports no allocations.
const start = 1_700_000_000_000_000;
const memory = [
  "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type",
  `PTA,${start},512,1024,NPU:3`,
  `PTA,${start + 40_000},768,1024,NPU:3`,
  `APP,${start + 1_000},,2048,NPU:3`,
  `APP,${start + 50_000},,1536,NPU:3`,
  `WORKSPACE,${start + 100_000},16,32,NPU:3`,
];
const steps = [
  "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,Preparing",
  "7,4000,2000,1000,3000,500,6000,500,250",
];
const made = join(
  folder,
  "host_rank3_20260101_ascend_pt/ASCEND_PROFILER_OUTPUT",
);
mkdirSync(made, { recursive: true });
writeFileSync(join(made, "memory_record.csv"), memory.join("\n"));
writeFileSync(join(made, "step_trace_time.csv"), steps.join("\n"));

const legend = (page, panel) =>
  page.locator(`[data-panel="${panel}"] .legend-entry`).allTextContents();

describe("components and step sums", { skip: withoutProgram() }, () => {
  const at = withProgram(folder);

  test("every component has its curves, and a range narrows the peaks", () =>
    onPage(at("?view=memory"), async (page) => {
      await viewReady(page, "memory");
      const curves = await legend(page, "components_reserved");
      assert.deepEqual(curves, ["APP", "PTA", "WORKSPACE"]);
      const allocated = await legend(page, "components_allocated");
      assert.deepEqual(allocated, ["PTA", "WORKSPACE"]);
      const peaks = () => columnTexts(page, "components", "peak_allocated");
      assert.deepEqual(await peaks(), ["–", "0.750", "0.016"]);
      const marks = '[data-panel="components_reserved"] .curve-marks';
      await page.waitForSelector(marks);
      const box = await page
        .locator('[data-panel="components_reserved"] .curve')
        .boundingBox();
      await page.mouse.move(box.x + 50, box.y + 120);
      await page.mouse.down();
      await page.mouse.move(box.x + 100, box.y + 150, { steps: 5 });
      await page.mouse.up();
      await page.waitForURL(/start=\d+/);
      await page.waitForFunction(
        () =>
          document.querySelectorAll('[data-table="components"] [data-row]')
            .length === 2,
      );
      assert.ok(
        Number(queryOf(page).end) < 40_000_000,
        "before PTA hands out more",
      );
      assert.deepEqual(await peaks(), ["–", "0.500"]);
    }));

  test("a file's own sums are an overview", () =>
    onPage(at("?view=overview"), async (page) => {
      await viewReady(page, "overview");
      assert.deepEqual(await columnTexts(page, "step_sums", "step"), [
        "7 (stated)",
      ]);
      assert.deepEqual(await columnTexts(page, "step_sums", "bubble"), [
        "0.500",
      ]);
      const series = [
        "Preparing",
        "Computing alone",
        "Overlapped",
        "Communication not overlapped",
        "Free",
      ];
      // A chart of one step is folded, below the table that has its numbers.
      await page
        .getByText("Empty, or with one value only:")
        .getByRole("button", { name: "Show" })
        .click();
      await page
        .locator('[data-panel="step_sums"] .legend-entry')
        .first()
        .waitFor();
      assert.deepEqual(await legend(page, "step_sums"), series);
    }));
});
