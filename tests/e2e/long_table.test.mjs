// A table with more rows than a report carries, from a trace written here: the page and the program agree on its
// rows, however it is sorted, searched and filtered.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  columnTexts,
  get,
  onPage,
  startProgram,
  viewReady,
  withoutProgram,
} from "./browser.mjs";

const kAllocations = 12_000;

/** One operator in ten is a convolution; block i has (i % 4000 + 1) KiB and is allocated at 10 i + 1 µs. */
function trace() {
  const traceEvents = [];
  for (let i = 0; i < kAllocations; i++) {
    const name = i % 10 === 3 ? "aten::conv2d" : "aten::empty";
    const common = { pid: 1, tid: 1 };
    traceEvents.push({
      ...common,
      ph: "X",
      cat: "cpu_op",
      name,
      ts: 10 * i,
      dur: 5,
    });
    const bytes = ((i % 4000) + 1) * 1024;
    const args = {
      "Device Type": 0,
      "Device Id": -1,
      Addr: 4096 * (i + 1),
      Bytes: bytes,
      "Total Allocated": 1,
      "Total Reserved": 0,
    };
    traceEvents.push({
      ...common,
      ph: "i",
      s: "t",
      cat: "cpu_instant_event",
      name: "[memory]",
      ts: 10 * i + 1,
      args,
    });
  }
  return JSON.stringify({ schemaVersion: 1, traceEvents });
}

describe("a long table of the program", { skip: withoutProgram() }, () => {
  let program;
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "sightline-long-"));
    writeFileSync(join(folder, "worker0.1.pt.trace.json"), trace());
    program = await startProgram(folder);
  });
  after(() => {
    program?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const table = '[data-table="events"]';
  const rowCount = (page, text) =>
    page.locator('[data-panel="events"] .row-count', { hasText: text });
  const number = (text) => Number(text.replace(/,/g, ""));

  test("scrolling reaches the last row, which is the program's last row", () =>
    onPage(`${program.address}?view=memory`, async (page) => {
      await viewReady(page, "memory");
      await rowCount(page, "12,000 rows").waitFor();
      await page.focus(table);
      await page.keyboard.press("End");
      const last = page.locator(`${table} [data-row="11999"] .name-text`);
      await last.waitFor();
      const query = new URL(page.url()).searchParams;
      const asked = new URLSearchParams({
        run: query.get("run"),
        worker: query.get("worker"),
        span: query.get("span"),
        view: "memory",
        table: "events",
        offset: "11999",
        limit: "1",
      });
      const { columns } = await (
        await get(`${program.address}api/table?${asked}`)
      ).json();
      const name = columns.find(({ key }) => key === "operator").values[0];
      assert.equal(await last.textContent(), name);
    }));

  test("it is sorted, searched and narrowed by the program", () =>
    onPage(
      `${program.address}?view=memory&events.sort=-allocated_at`,
      async (page) => {
        await viewReady(page, "memory");
        await page.waitForFunction(
          () =>
            document.querySelectorAll('[data-table="events"] .name-text')
              .length > 5,
        );
        const times = (await columnTexts(page, "events", "allocated_at")).map(
          number,
        );
        assert.ok(times.every((time, i) => i === 0 || times[i - 1] >= time));
        await page.locator('[data-panel="events"] [data-search]').fill("conv");
        await rowCount(page, "1,200 of 12,000 rows").waitFor();
        await page
          .locator('[data-panel="events"]')
          .getByRole("button", { name: "Filter" })
          .click();
        await page
          .getByLabel("Column", { exact: true })
          .selectOption({ label: "Size" });
        await page.locator(".slider-ends", { hasText: "1 KiB" }).waitFor();
        // Blocks 0 to 3999 KiB thrice; of those of at least 3 MiB, 3072 to 4000, every tenth is a convolution.
        await page.getByLabel("Least: Size").first().fill("3 MiB");
        const sizes = Array.from({ length: kAllocations }, (_, i) => i).filter(
          (i) => i % 10 === 3 && (i % 4000) + 1 >= 3072,
        );
        await rowCount(page, `${sizes.length} of 12,000 rows`).waitFor();
      },
    ));

  test("its rows are grouped by a column, with the sums of those that match", () =>
    onPage(`${program.address}?view=memory`, async (page) => {
      await viewReady(page, "memory");
      const panel = page.locator('[data-panel="events"]');
      await rowCount(page, "12,000 rows").waitFor();
      await panel.getByRole("button", { name: "Group by" }).click();
      await page
        .getByRole("menuitemcheckbox", { name: "Operator", exact: true })
        .click();
      await rowCount(page, "2 groups").waitFor();
      assert.equal(
        new URL(page.url()).searchParams.get("events.group"),
        "operator",
      );
      const cells = async (column) => columnTexts(page, "events", column);
      const names = await cells("operator");
      const counts = await cells("group_rows");
      assert.deepEqual(
        Object.fromEntries(names.map((name, i) => [name, counts[i]])),
        { "aten::conv2d": "1,200", "aten::empty": "10,800" },
      );
      // 3 x (1 + ... + 4000) KiB = 22.9 GiB; a time of many rows is none.
      const sizes = (await cells("size")).map(Number);
      assert.ok(Math.abs(sizes[0] + sizes[1] - 24_006_000 / 1024 ** 2) < 0.2);
      assert.deepEqual(await cells("allocated_at"), ["\u2013", "\u2013"]);
      await panel.locator("[data-search]").fill("conv");
      await rowCount(page, "1 group").waitFor();
      await page.reload();
      await rowCount(page, "1 group").waitFor();
      await panel.getByRole("button", { name: "Remove: By Operator" }).click();
      await rowCount(page, "1,200 of 12,000 rows").waitFor();
    }));
});
