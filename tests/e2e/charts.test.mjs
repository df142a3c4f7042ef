// Charts are drawn, link to rows, and can be saved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fixtures, onPage, queryOf, viewReady } from "./browser.mjs";

const at = fixtures({ only: ["resnet50"] });
const drawn = (page, panel) =>
  page.waitForSelector(`[data-panel="${panel}"] [data-drawn="true"]`);

/** The number of colours on a chart's canvas: one means that nothing was drawn. */
const colours = (page, panel) =>
  page.evaluate((panel) => {
    const canvas = document.querySelector(`[data-panel="${panel}"] canvas`);
    const { data } = canvas
      .getContext("2d")
      .getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4 * 7)
      seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  }, panel);

for (const [view, panels] of Object.entries({
  overview: ["breakdown", "steps"],
  modules: ["flame"],
  memory: ["curve"],
  distributed: ["overlap", "matrix", "grouped", "roof"],
})) {
  test(`the charts of the ${view} view are drawn`, () =>
    onPage(at(`?view=${view}`), async (page) => {
      await viewReady(page, view);
      for (const panel of panels) {
        await drawn(page, panel);
        await page.locator(`[data-panel="${panel}"]`).scrollIntoViewIfNeeded();
        assert.ok((await colours(page, panel)) > 4, panel);
      }
    }));
}

test("a slice selects its row, and Back returns exactly", () =>
  onPage(at("?view=kernels"), async (page) => {
    await viewReady(page, "kernels");
    const before = page.url();
    const line = page.locator('[data-panel="total"] .donut-line').nth(2);
    const name = await page
      .locator('[data-panel="total"] .donut-name')
      .nth(2)
      .getAttribute("data-tip");
    await line.click();
    await page.waitForURL(/kernels\.select=\d+/);
    const chosen = page.locator('.row[aria-selected="true"]');
    await chosen.waitFor();
    assert.equal(
      await chosen.locator(".name-text").getAttribute("data-tip"),
      name,
    );
    await page.goBack();
    await page.waitForFunction(
      () => !document.querySelector('.row[aria-selected="true"]'),
    );
    assert.equal(page.url(), before);
  }));

test("a slice whose rows are in no table follows its row link", () =>
  onPage(at("?view=kernels"), async (page) => {
    await viewReady(page, "kernels");
    const line = page.locator('[data-panel="tensor"] .donut-line').first();
    await line.click();
    await page.getByText("kernels of Tensor Cores").waitFor();
    assert.equal(queryOf(page).operator, "Tensor Cores");
    await page.goBack();
    await page.getByText("all 8,772 kernels, GPU 0").waitFor();
  }));

test("a click on the drawing does the same", () =>
  onPage(at("?view=kernels"), async (page) => {
    await viewReady(page, "kernels");
    await drawn(page, "total");
    const box = await page.locator('[data-panel="total"] .chart').boundingBox();
    await page.mouse.click(box.x + box.width / 2 + 20, box.y + 22);
    await page.waitForURL(/kernels\.select=\d+/);
  }));

test("a step's bar selects the step in the table below", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    await drawn(page, "steps");
    const box = await page.locator('[data-panel="steps"] .chart').boundingBox();
    await page.mouse.click(box.x + box.width * 0.11, box.y + box.height * 0.8);
    await page.waitForURL(/steps\.select=0/);
    await page.locator('.row[aria-selected="true"]').waitFor();
  }));

test("the legend isolates a series and the address keeps it", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    const entry = page.locator('[data-panel="steps"] .legend-entry', {
      hasText: "Communication",
    });
    await entry.click();
    await page.waitForURL(/steps\.series=communication/);
    assert.equal(
      await page.locator('[data-panel="steps"] .legend-entry.off').count(),
      7,
    );
    await entry.click();
    await page.waitForFunction(() => !location.search.includes("series"));
  }));

test("the number of slices is chosen in the panel's head", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page
      .locator('[data-panel="device_self"] .top-choice select')
      .selectOption("3");
    await page.waitForFunction(
      () =>
        document.querySelectorAll(
          '[data-panel="device_self"] button.donut-line',
        ).length === 4,
    );
    assert.equal(queryOf(page)["device_self.top"], "3");
  }));

test("advice leads to the rows it is about", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    await page.getByRole("button", { name: "Open in Kernels" }).click();
    await viewReady(page, "kernels");
    assert.equal(queryOf(page).search, "gemm");
  }));

test("advice that several rules found leads to the evidence of each", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    const doors = page.locator('[data-advice="occupancy"] .advice-doors');
    assert.deepEqual(await doors.getByRole("button").allTextContents(), [
      "Open in Kernels",
      "Open in Operators",
    ]);
    await doors.getByText("Open in Operators").click();
    await viewReady(page, "operators");
    assert.equal(queryOf(page).search, "mm");
  }));

test("advice leads to the gap on the timeline: its window, and the gap as the range", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    await page.getByRole("button", { name: "Go to the longest gap" }).click();
    await viewReady(page, "timeline");
    assert.equal(queryOf(page)["timeline.range"], "2000000,4000000");
    assert.equal(queryOf(page)["timeline.window"], "1500000,4500000");
    assert.equal(queryOf(page).slice, undefined);
  }));

test("advice states what it can win at most, where that is known", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    const gain = (id) => page.locator(`[data-advice="${id}"] .advice-gain`);
    const text = await gain("dataloader").innerText();
    assert.match(text, /at most −11(\.0+)? ms/);
    assert.match(text, /−10\.1/);
    assert.equal(await gain("occupancy").count(), 0);
  }));

test("the verdict is first: its figures, and a bar of the parts of the step", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    assert.equal(
      await page.locator("[data-panel]").first().getAttribute("data-panel"),
      "verdict",
    );
    const item = (id) =>
      page
        .locator(`[data-panel="verdict"] [data-item="${id}"] .verdict-value`)
        .innerText();
    assert.equal(await item("step"), "109 ms");
    assert.equal(await item("bound"), "data loading");
    const parts = await page.locator(".verdict-parts li").allInnerTexts();
    assert.deepEqual(
      parts.map((part) => part.trim().replace(/\s+/g, " ")),
      ["Computing 70.0%", "Data loading 30.0%"],
    );
    const widths = await page
      .locator(".verdict-bar > i")
      .evaluateAll((bars) =>
        bars.map((bar) => bar.getBoundingClientRect().width),
      );
    assert.ok(Math.abs(widths[0] / widths[1] - 7 / 3) < 0.05, widths.join());
  }));

test("the definition of a panel gives formula and source", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.click('[aria-label="What this shows: Device self time"]');
    await page.getByText("sum over all calls.").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".doc").waitFor({ state: "detached" });
  }));

test("a chart is saved as a picture", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    await drawn(page, "breakdown");
    await page.click('[aria-label="Panel menu: Step time breakdown"]');
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Save PNG" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "overview-breakdown.png");
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.length > 4000);
  }));

test("a panel is enlarged over the page and Escape brings the page back", () =>
  onPage(at("?view=kernels"), async (page) => {
    await viewReady(page, "kernels");
    await page.click('[aria-label="Panel menu: Kernels"]');
    await page.getByRole("menuitem", { name: "Enlarge" }).click();
    await page.locator(".panel.enlarged").waitFor();
    const box = await page.locator(".panel.enlarged").boundingBox();
    assert.deepEqual([box.x, box.y, box.width], [0, 0, 1440]);
    await page.keyboard.press("Escape");
    await page.locator(".panel.enlarged").waitFor({ state: "detached" });
  }));

test("a flame graph zooms into a box and the tree follows", () =>
  onPage(at("?view=modules"), async (page) => {
    await viewReady(page, "modules");
    await drawn(page, "flame");
    const box = await page.locator(".flame canvas").boundingBox();
    await page.mouse.click(box.x + 100, box.y + 30);
    await page.waitForURL(/flame\.focus=\d+/);
    await page
      .locator('.row[aria-selected="true"]', { hasText: "layer1" })
      .waitFor();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !location.search.includes("focus"));
  }));

test("dragging over a curve zooms, Back and a double-click show all again", () =>
  onPage(at("?view=distributed"), async (page) => {
    await viewReady(page, "distributed");
    await drawn(page, "losses");
    const box = await page
      .locator('[data-panel="losses"] .chart')
      .boundingBox();
    const drag = async () => {
      await page.mouse.move(box.x + 100, box.y + 100);
      await page.mouse.down();
      await page.mouse.move(box.x + 200, box.y + 150, { steps: 5 });
      await page.mouse.up();
      await page.waitForURL(/losses\.zoom=\d+\.\.\d+/);
    };
    await page.locator('[data-panel="losses"]').scrollIntoViewIfNeeded();
    await drag();
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes("zoom"));
    await drag();
    await page.mouse.dblclick(box.x + 150, box.y + 120);
    await page.waitForFunction(() => !location.search.includes("zoom"));
  }));

test("points are below their ceilings and are links; rows without a point are counted", () =>
  onPage(at("?view=distributed"), async (page) => {
    await viewReady(page, "distributed");
    await drawn(page, "roof");
    const panel = page.locator('[data-panel="roof"]');
    await panel.scrollIntoViewIfNeeded();
    assert.match(
      await panel.locator(".chart-note").textContent(),
      /^1 not plotted/,
    );
    const box = await panel.locator(".chart").boundingBox();
    // The only point at the upper right is the product; the pointer finds it by its cursor.
    const found = await page.evaluate(async ({ x, y, width, height }) => {
      const canvas = document.querySelector('[data-panel="roof"] canvas');
      for (let at = width - 30; at > width / 3; at -= 6)
        for (let down = 40; down < height / 2; down += 6) {
          const event = {
            clientX: x + at,
            clientY: y + down,
            bubbles: true,
          };
          canvas.dispatchEvent(new MouseEvent("mousemove", event));
          if (canvas.parentElement.style.cursor === "pointer")
            return { x: event.clientX, y: event.clientY };
        }
      return null;
    }, box);
    assert.ok(found);
    await page.mouse.move(found.x, found.y);
    await page
      .locator(".chart-tip-title", { hasText: "gemm" })
      .waitFor({ state: "attached" });
    await page.mouse.click(found.x, found.y);
    await page.waitForURL(
      /view=timeline.*search=gemm|search=gemm.*view=timeline/,
    );
  }));
