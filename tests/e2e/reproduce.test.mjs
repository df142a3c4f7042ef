// Reproduce: a row of an operator opens the program that runs it; the page as a file has it too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  onPage,
  programPath,
  queryOf,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

const kRun = `thread 1:
  0-40 aten::mm [ext=1 shapes=[[4,8],[8,16]]], 12-13 cudaLaunchKernel [ext=1 corr=2]
  50-90 aten::mm [ext=2 shapes=[[2,8],[8,16]]], 52-53 cudaLaunchKernel [ext=2 corr=3]
stream 7:
  20-30 gemm [corr=2], 60-65 gemm [corr=3]
`;

describe("reproduce", { skip: withoutProgram() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-reproduce-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const trace = join(folder, "run.pt.trace.json");
  const generator = fileURLToPath(
    new URL("../../tools/gen_trace", import.meta.url),
  );
  execFileSync("python3", [generator, "-", trace], { input: kRun });
  const at = withProgram(trace);

  const openFromRow = async (page) => {
    await viewReady(page, "operators");
    await page
      .locator(".row .name-text", { hasText: /^aten::mm$/ })
      .first()
      .click({ button: "right" });
    await page.getByRole("menuitem", { name: "Reproduce" }).click();
    await viewReady(page, "reproduce");
    assert.equal(queryOf(page).name, "aten::mm");
    return page.locator('[data-panel="program"] .code-text').textContent();
  };

  test("a row opens the program, which can be copied and saved", () =>
    onPage(at("?view=operators&group_by=shape"), async (page) => {
      const text = await openFromRow(page);
      assert.match(text, /^NAME = "aten::mm"$/m);
      assert.match(text, /^SHAPES = "\[\[4, ?8\], ?\[8, ?16\]\]"$/m);
      const copy = page.getByRole("button", { name: "Copy the text" });
      await copy.click();
      await page.locator(".notice.shown").waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save as a file" }).click(),
      ]);
      assert.equal(saved.suggestedFilename(), "reproduce.py");
    }));

  test("the page as a file has it", () => {
    const file = join(folder, "page.html");
    execFileSync(programPath, [
      "export",
      trace,
      "--format",
      "html",
      "-o",
      file,
    ]);
    return onPage(
      `${pathToFileURL(file).href}?view=operators`,
      async (page) => {
        assert.match(await openFromRow(page), /^NAME = "aten::mm"$/m);
      },
    );
  });
});
