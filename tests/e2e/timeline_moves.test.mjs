// How the timeline fills the window and moves in it: the wheel, a touchpad's two fingers, touches, and what
// stays in sight. With the fixture's profiles, by what is on the screen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtures, onPage, queryOf } from "./browser.mjs";
import {
  onTimeline,
  open,
  placeOf,
  title,
  waitForLine,
  windowOf,
  zoom,
} from "./timeline_page.mjs";

const at = fixtures({ only: ["huge", "resnet50"] });
const kSmall = "?run=resnet50&view=timeline";
const kHuge = "?run=huge&view=timeline";

const scrolled = (page) =>
  page.locator(".timeline-body").evaluate((body) => body.scrollTop);
const untilScrolled = (page) =>
  page.waitForFunction(
    () => document.querySelector(".timeline-body").scrollTop > 0,
  );

test("the timeline fills the window below the bar, without another title", () =>
  onPage(at(kSmall), async (page) => {
    await open(page);
    const content = await page.locator(".content").boundingBox();
    const box = await page.locator(".timeline").boundingBox();
    assert.ok(box.y - content.y <= 3, `${box.y} ${content.y}`);
    assert.ok(Math.abs(box.y + box.height - 900) <= 1);
    assert.ok(Math.abs(box.x + box.width - 1440) <= 1);
    assert.equal(await page.locator(".panel-head").count(), 0);
    assert.equal(await page.locator(".timeline-details").isVisible(), false);
    // The page still has one heading, for those who do not see it.
    assert.equal(await page.locator("h1").textContent(), "Timeline");
  }));

for (const [name, width, height] of [
  ["at 1024 pixels", 1024, 700],
  ["at 200 percent", 720, 450],
])
  test(`every control of the bar is reachable ${name}`, () =>
    onPage(
      at(kSmall),
      async (page) => {
        await open(page);
        const controls = page.locator(
          ".timeline-bar > *:is(button, label, input)",
        );
        assert.ok((await controls.count()) >= 9);
        for (const control of await controls.all()) {
          const { x, width: wide } = await control.boundingBox();
          assert.ok(x >= 0 && x + wide <= width, `${x} ${wide}`);
        }
        await page.getByRole("button", { name: "Show all" }).click();
        const { height: lanes } = await page
          .locator(".timeline-lanes")
          .boundingBox();
        assert.ok(lanes >= 150, String(lanes));
        const legend = await page.locator(".timeline-legend").boundingBox();
        assert.ok(Math.abs(legend.y + legend.height - height) <= 1);
      },
      { width, height },
    ));

test("the wheel scrolls the lanes; with Ctrl it zooms, with Shift it pans", () =>
  onPage(
    at(kHuge + "&timeline.window=823000000,826000000"),
    async (page) => {
      const box = await open(page);
      await page.mouse.move(box.x + box.width / 2, box.y + 100);
      await page.mouse.wheel(0, 120);
      await untilScrolled(page);
      assert.deepEqual(windowOf(page), [823000000, 826000000]);
      await page.keyboard.down("Shift");
      await page.mouse.wheel(0, 200);
      await page.keyboard.up("Shift");
      await page.waitForURL((url) => !url.search.includes("=823000000,"));
      const [start, end] = windowOf(page);
      assert.ok(start > 823000000 && Math.abs(end - start - 3000000) <= 2);
      const top = await scrolled(page);
      await zoom(page, -300);
      await page.waitForURL((url) => !url.search.includes(`=${start},`));
      const [from, to] = windowOf(page);
      assert.ok(to - from < 2500000, `${from} ${to}`);
      assert.equal(await scrolled(page), top);
    },
    { height: 600 },
  ));

test("two fingers on a touchpad pan both ways, and a small stray does not count", () =>
  onPage(
    at(kHuge + "&timeline.window=823000000,826000000"),
    async (page) => {
      const box = await open(page);
      await page.mouse.move(box.x + box.width / 2, box.y + 100);
      await page.mouse.wheel(4, 60);
      await untilScrolled(page);
      await page.mouse.wheel(40, 40);
      await page.waitForURL((url) => !url.search.includes("=823000000,"));
      const pixel = 3000000 / box.width;
      const [start] = windowOf(page);
      assert.ok(Math.abs((start - 823000000) / pixel - 40) < 1, String(start));
      assert.equal(await scrolled(page), 100);
    },
    { height: 600 },
  ));

test("a setting lets the wheel zoom without Ctrl, and the key sheet says so", () =>
  onPage(at(kHuge), async (page) => {
    const box = await open(page);
    const gestures = async () => {
      await page.keyboard.press("?");
      const rows = page.locator(".key-sheet dl > div", { hasText: "Wheel" });
      const texts = (await rows.allTextContents()).sort();
      await page.keyboard.press("Escape");
      return texts;
    };
    assert.deepEqual(await gestures(), [
      "Ctrl+WheelZoom at the pointer",
      "Shift+WheelMove left and right",
      "WheelScroll the lanes",
    ]);
    await page.getByRole("button", { name: "Options", exact: true }).click();
    await page
      .getByRole("menuitemcheckbox", { name: "The wheel zooms without Ctrl" })
      .click();
    await page.keyboard.press("Escape");
    assert.deepEqual(await gestures(), [
      "Shift+WheelMove left and right",
      "WheelZoom at the pointer",
    ]);
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await page.mouse.wheel(0, -600);
    await page.waitForURL(/timeline\.window=/);
    assert.equal(await scrolled(page), 0);
  }));

test("two touching fingers zoom, one finger pans, and neither selects a slice", () =>
  onPage(at(kHuge + "&timeline.window=823000000,826000000"), async (page) => {
    const box = await open(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map((x, id) => ({
          x: box.x + x,
          y: box.y + 100,
          id,
        })),
      });
    await touch("touchStart", 400);
    await touch("touchStart", 400, 600);
    for (const by of [10, 20, 50, 100])
      await touch("touchMove", 400 - by, 600 + by);
    await touch("touchEnd", 500);
    await touch("touchEnd");
    // Twice as far apart: half of the time is visible, with the middle where it was. The address may hold earlier windows first.
    await page.waitForURL(() => {
      const [from, to] = windowOf(page);
      return Math.abs((to - from) / 1500000 - 1) < 0.05;
    });
    const [start, end] = windowOf(page);
    const under = start + (500 / box.width) * (end - start);
    const before = 823000000 + (500 / box.width) * 3000000;
    assert.ok(Math.abs(under - before) < 30000, `${under} ${before}`);
    await touch("touchStart", 500);
    for (const x of [450, 400, 300]) await touch("touchMove", x);
    await touch("touchEnd");
    await page.waitForURL((url) => !url.search.includes(`=${start},`));
    assert.ok(windowOf(page)[0] > start);
    assert.equal(queryOf(page)["timeline.select"], undefined);
  }));

/** Waits until the frame of the selected slice is drawn inside the lanes. */
async function chosenInSight(page) {
  await waitForLine(page, "lanes", /^frame chosen/);
  await page.waitForFunction(() => {
    const { height } = document.querySelector(".timeline-lanes").style;
    const line = (globalThis.sightlineDrawLog.lanes ?? []).find((l) =>
      l.startsWith("frame chosen"),
    );
    const [, y] = /^frame chosen -?[\d.]+ (-?[\d.]+)/.exec(line ?? "") ?? [];
    return y !== undefined && +y >= 0 && +y + 14 <= parseFloat(height);
  });
}

test("the details do not hide the slice that opened them: a hit, a click, a link, a resized window", () =>
  onTimeline(
    at(kHuge),
    async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("DataLoader");
      await page.keyboard.press("Enter");
      await chosenInSight(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.waitForURL((url) => !url.search.includes("select"));
      // The lowest visible slice is below the place where the details open.
      const lanes = await page.locator(".timeline-lanes").boundingBox();
      await page.mouse.click(lanes.x + 500, lanes.y + lanes.height - 30);
      await page.waitForURL(/timeline\.select=/);
      await chosenInSight(page);
      await page.setViewportSize({ width: 1440, height: 560 });
      await chosenInSight(page);
      const address = page.url();
      await page.goto(address);
      await chosenInSight(page);
    },
    { height: 700 },
  ));

test("going along a flow keeps both ends in sight; an end elsewhere has a button that goes there", () =>
  onTimeline(
    at(kSmall + "&timeline.window=10000000,13000000"),
    async (page) => {
      const { x, y } = await placeOf(page, "conv_kernel");
      await page.mouse.click(x, y);
      await waitForLine(page, "lanes", /^curve flow/);
      await page.keyboard.press("r");
      await title(page, "cudaLaunchKernel");
      await chosenInSight(page);
      const [start, end] = windowOf(page);
      assert.ok(start <= 10_700_000 && end >= 12_500_000, `${start} ${end}`);
      assert.equal(await page.locator(".timeline-end").count(), 0);
      // Zoomed to the launch, the kernel is at the right of the window.
      await page.keyboard.press("z");
      const button = page.locator('.timeline-end[data-edge="right"]');
      await button.waitFor();
      assert.equal(await button.textContent(), "→ Launched conv_kernel");
      await button.click();
      await title(page, "conv_kernel");
      await page.waitForFunction(
        () => document.querySelectorAll(".timeline-end").length === 0,
      );
      // In a group that is folded, it is above.
      await page.keyboard.press("r");
      await title(page, "cudaLaunchKernel");
      await page.locator('[data-key="g0"] .timeline-toggle').click();
      await page.locator('.timeline-end[data-edge="up"]').click();
      await title(page, "conv_kernel");
      await chosenInSight(page);
    },
  ));
