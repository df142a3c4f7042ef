// Selecting on a curve, tables that are read page by page, ranges of numbers, and finding a row by its name.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  columnTexts,
  fixtures,
  onPage,
  queryOf,
  viewReady,
} from "./browser.mjs";

const at = fixtures({ only: ["resnet50"] });
const number = (text) => Number(text.replace(/,/g, ""));
const count = (page, table) =>
  page.evaluate(
    (table) =>
      document
        .querySelector(`[data-table="${table}"]`)
        .closest(".table-frame")
        .querySelector(".row-count").textContent,
    table,
  );
const waitCount = (page, table, pattern) =>
  page.waitForFunction(
    ([table, pattern]) =>
      new RegExp(pattern).test(
        document
          .querySelector(`[data-table="${table}"]`)
          .closest(".table-frame")
          .querySelector(".row-count").textContent,
      ),
    [table, pattern],
  );

/** The chart's box, once it is drawn. */
async function curveOf(page) {
  await viewReady(page, "memory");
  await page.waitForSelector('[data-panel="curve"] .curve-marks');
  return page.locator('[data-panel="curve"] .curve').boundingBox();
}

async function drag(page, box, from, to) {
  await page.mouse.move(box.x + from, box.y + 120);
  await page.mouse.down();
  await page.mouse.move(box.x + to, box.y + 150, { steps: 5 });
}

test("dragging over the curve narrows the tables, Back undoes it, and the address holds it", () =>
  onPage(at("?view=memory"), async (page) => {
    const box = await curveOf(page);
    assert.equal(await count(page, "events"), "60,000 rows");
    await drag(page, box, 300, 500);
    const brush = await page.locator(".curve-brush").boundingBox();
    assert.ok(Math.abs(brush.x - box.x - 300) <= 1, "drawn at once");
    assert.ok(Math.abs(brush.width - 200) <= 2);
    await page.mouse.up();
    await page.waitForURL(/start=\d+/);
    await waitCount(page, "events", "^1\\d,\\d+ rows$");
    const { start, end } = queryOf(page);
    assert.ok(Number(end) > Number(start));
    await page.getByText(/^\d+ – \d+ ms$/).waitFor();
    const narrowed = await count(page, "events");
    await page.goBack();
    await waitCount(page, "events", "^60,000 rows$");
    assert.equal(queryOf(page).start, undefined);
    await page.goForward();
    await waitCount(page, "events", `^${narrowed}$`);
    await page.reload();
    await curveOf(page);
    assert.equal(await count(page, "events"), narrowed);
    assert.equal(await page.locator(".curve-brush").count(), 0);
  }));

test("the old drawing stays, zoomed immediately, until the new report arrives", () =>
  onPage(at("?view=memory"), async (page) => {
    const box = await curveOf(page);
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route("**/api/report?**start=**", async (route) => {
      await held;
      await route.continue();
    });
    await page.evaluate(() => {
      document.querySelector(".curve canvas").dataset.first = "yes";
    });
    await drag(page, box, 300, 500);
    await page.mouse.up();
    await page.waitForSelector('[data-view="memory"][data-ready="false"]');
    await page.locator("[data-reset]").waitFor();
    assert.equal(await page.locator(".curve-brush").count(), 0);
    assert.equal(await count(page, "events"), "60,000 rows");
    assert.ok((await page.locator('[data-table="events"] .row').count()) > 5);
    // No mark is in the window: the axis is already the new one.
    assert.equal(await page.locator(".curve-mark").count(), 0);
    release();
    await waitCount(page, "events", "^1\\d,\\d+ rows$");
    assert.equal(
      await page.locator('.curve canvas[data-first="yes"]').count(),
      1,
    );
  }));

test("a narrow window gets the whole table", () =>
  onPage(
    at("?view=memory&start=100000000&end=110000000&events.sort=-size"),
    async (page) => {
      await curveOf(page);
      const sizes = (await columnTexts(page, "events", "size")).map(number);
      assert.ok(sizes.every((size, i) => i === 0 || sizes[i - 1] >= size));
      await page
        .locator('[data-panel="events"] [data-search]')
        .fill("size>150");
      await waitCount(page, "events", "^\\d+ of [\\d,]+ rows$");
    },
  ));

test("a click sets the moment, a right click and the button clear it", () =>
  onPage(at("?view=memory"), async (page) => {
    const box = await curveOf(page);
    await page.mouse.click(box.x + 400, box.y + 150);
    await page.waitForURL(/[?&]at=\d+/);
    await page.getByText("Held at that moment").waitFor();
    const line = await page.locator(".curve-at > i").boundingBox();
    assert.ok(Math.abs(line.x + line.width / 2 - box.x - 400) <= 2);
    await page.mouse.click(box.x + 500, box.y + 100, { button: "right" });
    await page.waitForFunction(() => !/[?&]at=/.test(location.search));
    await page
      .getByText("Held at that moment")
      .first()
      .waitFor({ state: "detached" });
    await page.mouse.click(box.x + 300, box.y + 150);
    await page.waitForURL(/[?&]at=\d+/);
    await page.locator("[data-reset]").click();
    await page.waitForFunction(() => !/[?&]at=/.test(location.search));
  }));

test("the chips above the view clear the selection", () =>
  onPage(
    at("?view=memory&start=100000000&end=150000000&at=120000000"),
    async (page) => {
      await curveOf(page);
      await page
        .getByRole("button", { name: "Remove: 100.0 – 150.0 ms" })
        .click();
      await waitCount(page, "events", "^60,000 rows$");
      assert.equal(queryOf(page).at, "120000000");
      await page.getByRole("button", { name: "Remove: At 120 ms" }).click();
      await page.locator(".chip").waitFor({ state: "detached" });
    },
  ));

test("keys select on the curve", () =>
  onPage(at("?view=memory"), async (page) => {
    await curveOf(page);
    await page.locator(".curve").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".curve-cursor");
    for (let i = 0; i < 20; i++) await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL(/start=\d+/);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !location.search.includes("start="));
  }));

test("the report's marks are on the curve; labels that would cover another are left out", () =>
  onPage(at("?view=memory"), async (page) => {
    await curveOf(page);
    assert.equal(await page.locator(".curve-mark").count(), 3);
    assert.deepEqual(await page.locator(".curve-mark span").allTextContents(), [
      "peak 3.7 GiB",
      "step 3",
    ]);
  }));

test("pointing at a row marks its times on the curve", () =>
  onPage(at("?view=memory"), async (page) => {
    await curveOf(page);
    const row = page.locator('[data-table="events"] .row').nth(3);
    await row.locator(".name-text").hover();
    await page.waitForFunction(
      () => document.querySelectorAll(".curve-pointed").length === 2,
    );
    await page.locator("h1").hover();
    await page.waitForFunction(
      () => document.querySelectorAll(".curve-pointed").length === 0,
    );
  }));

test("a long table loads as it scrolls, with a placeholder for rows that are loading", () =>
  onPage(at("?view=memory"), async (page) => {
    await curveOf(page);
    const asked = [];
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route("**/api/table?**", async (route) => {
      asked.push(
        Number(new URL(route.request().url()).searchParams.get("offset")),
      );
      await held;
      await route.continue().catch(() => undefined);
    });
    const scroll = (top) =>
      page.evaluate(
        (top) =>
          (document.querySelector('[data-table="events"]').scrollTop = top),
        top,
      );
    await scroll(24 * 30_010);
    await page.waitForSelector(".row-waiting");
    await scroll(24 * 45_010);
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".row-waiting")].some(
        (row) => Number(row.ariaRowIndex) > 45_000,
      ),
    );
    release();
    await page.waitForSelector(
      '[data-table="events"] [data-row="45012"] .name-text',
    );
    assert.equal(await page.locator(".row-waiting").count(), 0);
    assert.ok(
      asked.includes(30_000) && asked.includes(45_000) && asked.length <= 3,
      asked.join(),
    );
    const [time] = (await columnTexts(page, "events", "allocated_at"))
      .map(number)
      .filter((n) => n > 0);
    assert.ok(Math.abs(time - (45_010 / 60_000) * 640) < 1, String(time));
  }));

test("a long table is sorted and searched by the server, and the address holds it", () =>
  onPage(at("?view=memory"), async (page) => {
    await curveOf(page);
    await page
      .locator('[data-table="events"]')
      .getByRole("columnheader", { name: /^Size/ })
      .getByRole("button")
      .click();
    await page.waitForFunction(
      () =>
        Number(
          document.querySelector('[data-table="events"] [data-column="size"]')
            .textContent,
        ) > 190,
    );
    const sizes = (await columnTexts(page, "events", "size")).map(number);
    assert.ok(sizes.every((size, i) => i === 0 || sizes[i - 1] >= size));
    await page.locator('[data-panel="events"] [data-search]').fill("LINEAR");
    await waitCount(page, "events", "^\\d+ of 60,000 rows$");
    const names = await columnTexts(page, "events", "operator");
    assert.ok(names.length > 5 && names.every((name) => /linear/.test(name)));
    const before = page.url();
    await page.goto("about:blank");
    await page.goto(before);
    await curveOf(page);
    await page.waitForFunction(() => !document.querySelector(".row-waiting"));
    assert.deepEqual(await columnTexts(page, "events", "operator"), names);
  }));

test("rows that could not be loaded show an error and can be requested again", () =>
  onPage(
    at("?view=memory&events.search=broken"),
    async (page) => {
      await page
        .getByText("Rows could not be loaded: The rows are broken.")
        .waitFor();
      await page
        .locator('[data-panel="events"]')
        .getByRole("button", { name: "Try again" })
        .click();
      await page
        .getByText("Rows could not be loaded: The rows are broken.")
        .waitFor();
    },
    { expectErrors: true },
  ));

test("a row of a long table is selected, copied and opened like any other", () =>
  onPage(at("?view=memory"), async (page) => {
    await curveOf(page);
    await page.focus('[data-table="events"]');
    await page.keyboard.press("End");
    await page.waitForURL(/events\.select=59999/);
    await page.waitForSelector(
      '[data-table="events"] [data-row="59999"][aria-selected="true"]',
    );
    await page.keyboard.press("Control+c");
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^aten::.*\t[\d,]+ bytes\t639,[\d,]+ ns/);
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "The operator" }).click();
    await viewReady(page, "operators");
    assert.match(queryOf(page).find, /^aten::/);
    await page
      .locator('.row[aria-selected="true"]', { hasText: queryOf(page).find })
      .waitFor();
  }));

test("rows are narrowed to a range of numbers, in memory and by the server", () =>
  onPage(at("?view=memory"), async (page) => {
    await curveOf(page);
    for (const [panel, table, column, least, all] of [
      ["events", "events", "Size", "150 MiB", "60,000"],
      ["operators", "by_operator", "Allocations", "834", "73"],
    ]) {
      await page
        .locator(`[data-panel="${panel}"]`)
        .getByRole("button", { name: "Filter" })
        .click();
      await page
        .getByLabel("Column", { exact: true })
        .selectOption({ label: column });
      await page.getByLabel(`Least: ${column}`).first().fill(least);
      await waitCount(page, table, `^[\\d,]+ of ${all} rows$`);
      await page.keyboard.press("Escape");
    }
    assert.equal(queryOf(page)["events.filter"], `size:${150 * 1024 ** 2}..`);
    const sizes = (await columnTexts(page, "events", "size")).map(number);
    assert.ok(sizes.length > 5 && sizes.every((size) => size >= 150));
    const counts = (await columnTexts(page, "by_operator", "count")).map(
      number,
    );
    assert.ok(counts.length > 0 && counts.every((n) => n === 834));
    await page.getByRole("button", { name: "Remove: Size ≥ 150 MiB" }).click();
    await waitCount(page, "events", "^60,000 rows$");
  }));

test("the slider's ends stop at each other and reach the least and greatest value", () =>
  onPage(at("?view=memory"), async (page) => {
    await curveOf(page);
    await page
      .locator('[data-panel="events"]')
      .getByRole("button", { name: "Filter" })
      .click();
    await page.getByText("195.28 MiB").waitFor();
    const most = page.getByRole("slider", { name: "Most: Size" });
    await most.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("PageDown");
    await page.waitForURL(
      /events\.filter=size%3A\.\.\d+|events\.filter=size:\.\.\d+/,
    );
    await page.keyboard.press("End");
    await page.waitForFunction(() => !location.search.includes("filter"));
  }));

test("find marks and reveals the row of that name, in the first table that has it", () =>
  onPage(at("?view=operators&find=aten::slice"), async (page) => {
    await viewReady(page, "operators");
    const row = page.locator('.row[aria-selected="true"]');
    await row.waitFor();
    assert.equal(await row.locator(".name-text").textContent(), "aten::slice");
    assert.equal(await page.locator(".row-detail").count(), 0);
    await page.locator(".row .name-text").first().click();
    await page.waitForURL(/operators\.select=\d+/);
    await page
      .locator('.row[aria-selected="true"]', { hasNotText: "aten::slice" })
      .waitFor();
  }));

test("find requests a row of a long table that is not loaded yet", () =>
  onPage(at("?view=memory&find=aten::rare"), async (page) => {
    await viewReady(page, "memory");
    await page
      .locator('[data-table="events"] .row[aria-selected="true"]', {
        hasText: "aten::rare",
      })
      .waitFor();
    assert.equal(await count(page, "events"), "1 of 60,000 rows");
    await page
      .locator('[data-panel="events"]')
      .getByRole("button", { name: "Clear the search" })
      .click();
    await waitCount(page, "events", "^60,000 rows$");
  }));

test("find says so when no row has the name", () =>
  onPage(at("?view=memory&find=nothing"), async (page) => {
    await page.getByText("There is no row named “nothing” here.").waitFor();
  }));
