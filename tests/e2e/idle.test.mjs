// Idle time: causes sum to the idle time, and a row leads to its longest gap on the timeline.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  columnTexts,
  onPage,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";
import {
  boxesOf,
  linesOf,
  onTimeline,
  title,
  waitForLine,
} from "./timeline_page.mjs";

// The device works from 20 to 30 and from 90 to 100; between them the host loads data for 40 and is in an operator for 10.
const kRun = `thread 1:
  0-100 ProfilerStep#1 (user_annotation), 0-10 cudaLaunchKernel [corr=1]
  35-75 "enumerate(DataLoader)#_Next.__next__" (user_annotation)
  75-90 aten::mm, 85-90 cudaLaunchKernel [corr=2]
stream 7:
  20-30 gemm [corr=1], 90-100 gemm [corr=2]
`;

describe("idle time", { skip: withoutProgram() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-idle-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "run.pt.trace.json");
  const generator = fileURLToPath(
    new URL("../../tools/gen_trace", import.meta.url),
  );
  execFileSync("python3", [generator, "-", path], { input: kRun });
  const at = withProgram(path);

  test("each part of a gap has its cause", () =>
    onPage(at("?view=idle"), async (page) => {
      await viewReady(page, "idle");
      const causes = await columnTexts(page, "causes", "cause");
      const times = await columnTexts(page, "causes", "time");
      assert.deepEqual(
        Object.fromEntries(causes.map((cause, i) => [cause, times[i]])),
        {
          "Data loading": "40.0",
          "Launching call": "15.0",
          Operator: "10.0",
          "Launch latency": "10.0",
          "Outside of recorded code": "5.00",
        },
      );
    }));

  test("a row leads to its longest gap on the timeline", () =>
    onPage(at("?view=idle"), async (page) => {
      await viewReady(page, "idle");
      await page
        .locator('[data-table="causes"] [data-row]')
        .first()
        .click({ button: "right" });
      await page
        .getByRole("menuitem", { name: "Longest on the timeline" })
        .click();
      await page.waitForURL(/view=timeline/);
      const address = new URL(page.url());
      assert.equal(address.searchParams.get("timeline.range"), "35000,75000");
    }));

  test("the critical path and the causes are lanes of the timeline, and a click leads to the slice", () =>
    onTimeline(at("?view=timeline"), async (page) => {
      const titles = page.locator(".timeline-entry");
      assert.ok(!(await titles.allTextContents()).join().includes("Critical"));
      await page.getByRole("button", { name: "Lanes", exact: true }).click();
      await page
        .locator(".menu-item", { hasText: "Critical path and idle causes" })
        .click();
      await page.waitForURL(/timeline\.waits=1/);
      await page.keyboard.press("Escape");
      await waitForLine(page, "lanes", /^rect derived enumerate/);
      const listed = (await titles.allTextContents()).join("|");
      assert.match(listed, /Critical path.*Idle causes, device 0.*stream 7/);
      const lines = await linesOf(page);
      const names = boxesOf(lines, "derived").map(({ name }) => name);
      // The path ends with the second gemm; the last cause is its latency, of its launch.
      assert.ok(names.includes("gemm"), names.join());
      const box = boxesOf(lines, "derived").filter(({ name }) =>
        name.startsWith("enumerate"),
      )[0];
      const canvas = await page.locator(".timeline-lanes").boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.click(canvas.x + x, canvas.y + y);
      await title(page, "enumerate(DataLoader)");
      await page.reload();
      await waitForLine(page, "lanes", /^rect derived enumerate/);
    }));
});
