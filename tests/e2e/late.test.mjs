// An action before a response arrives still takes effect, and a late response undoes nothing. The test holds responses
// back until it releases them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  fixtures,
  onPage,
  queryOf,
  samples,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";
import { open } from "./timeline_page.mjs";

const at = fixtures({ only: ["resnet50", "huge"] });

/** Holds back the responses of these addresses; returns the function that releases them. */
async function hold(page, addresses) {
  let release;
  const held = new Promise((done) => (release = done));
  await page.route(addresses, async (route) => {
    await held;
    await route.fallback().catch(() => undefined);
  });
  return release;
}

test("Enter right after typing goes to a hit of the typed text, not of the previous search", () =>
  onPage(at("?run=huge&view=timeline"), async (page) => {
    await open(page);
    await page.keyboard.press("/");
    await page.keyboard.type("optimizer");
    await page.locator(".timeline-hits", { hasText: "slices" }).waitFor();
    const release = await hold(page, "**/api/search?**text=allreduce**");
    await page.locator("[data-search]").fill("allreduce");
    await page.keyboard.press("Enter");
    await page.waitForURL(/timeline\.text=allreduce/);
    assert.equal(queryOf(page)["timeline.select"], undefined);
    release();
    await page.locator(".timeline-hits", { hasText: "1 of 480" }).waitFor();
    await page
      .locator(".timeline-details h3", { hasText: "AllReduce" })
      .waitFor();
  }));

test("hits that arrive after the user moved on move nothing", () =>
  onPage(at("?run=huge&view=timeline"), async (page) => {
    await open(page);
    const release = await hold(page, "**/api/search?**");
    await page.keyboard.press("/");
    await page.keyboard.type("allreduce");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("x");
    await page.waitForURL(/timeline\.flows=/);
    release();
    await page.locator(".timeline-hits", { hasText: "480 slices" }).waitFor();
    assert.equal(queryOf(page)["timeline.select"], undefined);
  }));

test("a bound that is closed with Enter right after typing counts", () =>
  onPage(at("?run=resnet50&view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const least = page.getByLabel(/^Least: /).first();
    // Both in one task, as by a user who is faster than the page.
    await least.evaluate((field) => {
      field.focus();
      field.value = "3";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", bubbles: true }),
      );
    });
    await page.waitForURL(/operators\.filter=/);
    await page.locator(".row-count", { hasText: /of \d+ rows/ }).waitFor();
  }));

test("Enter right after typing goes into the rows that match the typed text", () =>
  onPage(at("?run=huge&view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.locator("[data-search]").evaluate((field) => {
      field.focus();
      field.value = "_99999";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", bubbles: true }),
      );
    });
    await page
      .locator('.row[aria-selected="true"]', { hasText: "_99999" })
      .waitFor();
    assert.equal(
      await page.evaluate(() => document.activeElement.dataset.table),
      "operators",
    );
  }));

test("names that come late do not move the palette's choice", () =>
  onPage(at("?run=resnet50&view=overview"), async (page) => {
    await viewReady(page, "overview");
    const release = await hold(page, "**/api/report?**view=operators**");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("o");
    const options = page.getByRole("option");
    const chosen = page.locator('[role="option"][aria-selected="true"]');
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const [count, before] = [await options.count(), await chosen.textContent()];
    release();
    await page.waitForFunction(
      (n) => document.querySelectorAll('[role="option"]').length > n,
      count,
    );
    assert.equal(await chosen.textContent(), before);
  }));

test("a reload restores the scroll position, even if the report is late", () =>
  onPage(at("?run=resnet50&view=overview"), async (page) => {
    await page.setViewportSize({ width: 1440, height: 500 });
    await viewReady(page, "overview");
    const content = page.locator("main.content");
    await content.evaluate((e) => (e.scrollTop = 200));
    await page.waitForFunction(() => history.state?.scrolls?.page === 200);
    const release = await hold(page, "**/api/report?**");
    await page.reload();
    await page.waitForSelector('[data-view="overview"][data-ready="false"]');
    release();
    await page.waitForFunction(
      () => document.querySelector("main.content").scrollTop === 200,
    );
  }));

describe("the console", { skip: withoutProgram() }, () => {
  const on = withProgram(`${samples}/transformer`);

  test("text typed while a query runs stays, and the query's error does not take the focus", () =>
    onPage(
      on("?view=query"),
      async (page) => {
        await viewReady(page, "query");
        const release = await hold(page, "**/api/query?**sql=**");
        const editor = page.locator("textarea.console-editor");
        await editor.fill("SELECT * FORM slices");
        await editor.press("Control+Enter");
        await editor.press("End");
        await page.keyboard.type(" LIMIT 3");
        release();
        await page.locator(".console-error").waitFor();
        assert.equal(await editor.inputValue(), "SELECT * FORM slices LIMIT 3");
        await page.keyboard.type("0");
        assert.equal(
          await editor.inputValue(),
          "SELECT * FORM slices LIMIT 30",
        );
      },
      { expectErrors: true },
    ));
});
