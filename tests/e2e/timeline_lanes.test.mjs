// The lanes of the timeline: folded, pinned, hidden, moved and filtered; their counters; colours,
// legend and axis. With the fixture's small profile, by what is drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtures, onPage, queryOf } from "./browser.mjs";
import {
  boxesOf,
  drawn,
  linesOf,
  onTimeline,
  open,
  placeOf,
  waitForLine,
} from "./timeline_page.mjs";

const at = fixtures({ only: ["resnet50", "huge"] });
const kHome = "?run=resnet50&view=timeline";
const onHome = (use, query = "") => onTimeline(at(kHome + query), use);

const entry = (page, key) => page.locator(`.timeline-entry[data-key="${key}"]`);
const keys = (page) =>
  page.locator(".timeline-entry").evaluateAll((all) =>
    all
      .map((e) => ({
        key: e.dataset.key,
        top: e.getBoundingClientRect().top,
      }))
      .sort((a, b) => a.top - b.top)
      .map((e) => e.key),
  );
async function choose(page, key, title) {
  await entry(page, key).hover();
  await entry(page, key).locator(".timeline-more").click();
  await page.getByRole("menuitem", { name: title, exact: true }).click();
}

test("a lane folds into one row and unfolds; a group folds to its head; c folds all", () =>
  onHome(async (page) => {
    const before = boxesOf(await linesOf(page), "step")[0];
    assert.equal(before.height, 16);
    await entry(page, "0").locator(".timeline-toggle").click();
    await page.waitForURL(/timeline\.closed=0/);
    const pressed = boxesOf(await linesOf(page), "step")[0];
    assert.ok(pressed.height < 5, String(pressed.height));
    await entry(page, "g0").locator(".timeline-toggle").click();
    await page.waitForURL(/timeline\.closed=0,g0/);
    assert.equal(boxesOf(await linesOf(page), "kernel").length, 0);
    await page.keyboard.press("c");
    await page.waitForURL(/timeline\.closed=0,g0,g1/);
    assert.deepEqual(await keys(page), ["g0", "g1", "g2"]);
    await page.keyboard.press("c");
    await page.waitForURL(/timeline\.closed=0,g2(&|$)/);
  }));

test("lanes are switched off by kind and by group, and the address keeps it", () =>
  onHome(async (page) => {
    const before = await keys(page);
    await page.getByRole("button", { name: "Lanes", exact: true }).click();
    const item = (name) => page.locator(".menu-item", { hasText: name });
    await item("Host threads").click();
    await page.waitForURL(/timeline\.kindsOff=host_thread/);
    const without = await keys(page);
    assert.ok(without.length > 0 && without.length < before.length);
    assert.ok(!without.includes("g1"));
    await item("Host threads").click();
    await page.waitForURL((url) => !url.search.includes("kindsOff"));
    assert.deepEqual(await keys(page), before);
  }));

test("a pinned lane is on top and stays there while the rest scrolls", () =>
  onHome(async (page) => {
    await choose(page, "3", "Pin to the top");
    await page.waitForURL(/timeline\.pinned=3/);
    assert.equal((await keys(page))[0], "3");
    assert.equal(boxesOf(await linesOf(page), "kernel")[0].y, 1);
    await page.setViewportSize({ width: 1440, height: 560 });
    await page.locator(".timeline-body").evaluate((e) => (e.scrollTop = 90));
    await page.waitForFunction(
      () => document.querySelector(".timeline-body").scrollTop > 0,
    );
    assert.equal(boxesOf(await linesOf(page), "kernel")[0].y, 1);
    await choose(page, "3", "Unpin");
    await page.waitForURL((url) => !url.search.includes("pinned"));
  }, "&timeline.range=1,2"));

test("lanes are hidden, counted, and shown again", () =>
  onHome(async (page) => {
    await choose(page, "1", "Hide");
    await page.waitForURL(/timeline\.hidden=1/);
    assert.equal(boxesOf(await linesOf(page), "python").length, 0);
    await choose(page, "3", "Hide the others");
    await page.waitForURL(/timeline\.hidden=1,4,k0/);
    await page.getByText("5 hidden, show").click();
    await page.waitForURL((url) => !url.search.includes("hidden"));
    assert.equal(boxesOf(await linesOf(page), "python").length, 3);
  }));

test("lanes and groups are moved by the menu and by dragging", () =>
  onHome(async (page) => {
    await choose(page, "g1", "Move up");
    await page.waitForURL(/timeline\.order=g1,g0/);
    assert.equal((await keys(page))[0], "g1");
    const from = await entry(page, "4").boundingBox();
    const to = await entry(page, "3").boundingBox();
    await page.mouse.move(from.x + 60, from.y + 9);
    await page.mouse.down();
    await page.mouse.move(to.x + 60, to.y + 12, { steps: 4 });
    await page.mouse.move(to.x + 60, to.y + 9);
    await page.mouse.up();
    await page.waitForURL(/timeline\.order=g1,g0,4,3/);
    const list = await keys(page);
    assert.ok(list.indexOf("4") < list.indexOf("3"), list.join());
    const kernels = boxesOf(await linesOf(page), "kernel", "memcpy");
    const y = (kind) => kernels.find((box) => box.kind === kind).y;
    assert.ok(y("memcpy") < y("kernel"));
  }));

test("the filter keeps lanes by their names", () =>
  onHome(async (page) => {
    await page.getByPlaceholder("Filter lanes").fill("stream 7");
    await page.waitForURL(/timeline\.filter=stream/);
    // Stream 7 and the queue of stream 7.
    assert.deepEqual(await keys(page), ["g0", "3", "k0", "c1"]);
    await page.getByPlaceholder("Filter lanes").fill("python autograd");
    await page.waitForURL(/autograd/);
    assert.deepEqual(await keys(page), ["g1", "2"]);
  }));

test("counters are drawn as steps, and the pointer shows their value", () =>
  onHome(async (page) => {
    const lines = await linesOf(page);
    const steps = lines.filter((line) => line.startsWith("steps counter"));
    assert.deepEqual(
      steps.map((line) => line.split(/ (?=-?[\d.]+:)/)[0]),
      [
        "steps counter utilization",
        "steps counter queued",
        "steps counter host to device",
        "steps counter device to host",
      ],
    );
    // The first kernel keeps the device busy from 1 ms to 2.5 ms: full height, then none.
    assert.match(steps[0], /utilization [\d.]+:29 [\d.]+:0 /);
    const canvas = await page.locator(".timeline-lanes").boundingBox();
    const lane = await entry(page, "c0").boundingBox();
    const { x } = await placeOf(page, "conv_kernel");
    await page.mouse.move(x, lane.y + 15);
    await page
      .locator(".timeline-tip", { hasText: "GPU utilization" })
      .waitFor();
    assert.match(await page.locator(".timeline-tip").textContent(), /100/);
    await page.mouse.move(canvas.x + canvas.width / 2 + 20, lane.y + 85);
    await page
      .locator(".timeline-tip", { hasText: "device to host" })
      .waitFor();
  }, "&timeline.closed=k0"));

test("many similar counters are folded at first and unfold", () =>
  onPage(
    at("?run=huge&view=timeline"),
    async (page) => {
      await page.waitForSelector('.timeline-lanes[data-drawn="true"]');
      await entry(page, "k0").locator(".timeline-toggle").click();
      await page.waitForURL(/timeline\.closed=k0/);
      await entry(page, "q1").locator(".timeline-toggle").click();
      await page.waitForURL(/timeline\.closed=k0,q1/);
      await page.locator('[data-key="c5"]').waitFor();
    },
    { drawLog: true },
  ));

test("colours follow the name, the module or the lane", () =>
  onHome(async (page) => {
    const colours = async () => {
      const boxes = boxesOf(await linesOf(page), "kernel", "op");
      return Object.fromEntries(boxes.map((box) => [box.name, box.color]));
    };
    const byCategory = await colours();
    assert.equal(byCategory.conv_kernel, byCategory.gemm_kernel);
    const select = page.getByLabel("What the colours mean");
    await select.selectOption("name");
    await page.waitForURL(/timeline\.colour=name/);
    const byName = await colours();
    assert.notEqual(byName.conv_kernel, byName.gemm_kernel);
    await select.selectOption("module");
    await page.waitForURL(/timeline\.colour=module/);
    await drawn(page);
    const byModule = await colours();
    assert.equal(byModule.conv_kernel, byModule["aten::conv2d"]);
    assert.notEqual(byModule.conv_kernel, byModule.gemm_kernel);
    await select.selectOption("stream");
    await page.waitForURL(/timeline\.colour=stream/);
    const byLane = await colours();
    assert.equal(byLane.conv_kernel, byLane.gemm_kernel);
    assert.notEqual(byLane.conv_kernel, byLane["aten::mm"]);
  }));

test("the legend isolates a kind of slice, adds another, and restores all", () =>
  onHome(async (page) => {
    await page.locator('[data-class="kernel"]').click();
    await page.waitForURL(/timeline\.only=kernel/);
    const dimmed = async () => {
      const boxes = boxesOf(await linesOf(page), "kernel", "op", "memcpy");
      return [...new Set(boxes.filter((b) => b.dim).map((b) => b.kind))].sort();
    };
    assert.deepEqual(await dimmed(), ["memcpy", "op"]);
    await page.locator('[data-class="op"]').click({ modifiers: ["Shift"] });
    await page.waitForURL(/timeline\.only=kernel,op/);
    assert.deepEqual(await dimmed(), ["memcpy"]);
    await page.locator('[data-class="op"]').click();
    await page.locator('[data-class="op"]').click();
    await page.waitForURL((url) => !url.search.includes("only"));
    assert.deepEqual(await dimmed(), []);
  }));

test("times are shown from the start, from the step, or by the clock", () =>
  onHome(async (page) => {
    await waitForLine(page, "head", /^text "13 ms"/);
    const select = page.getByLabel("Time origin");
    await select.selectOption("step");
    await page.waitForURL(/timeline\.axis=step/);
    await waitForLine(page, "head", /^text "step 6"/);
    await waitForLine(page, "head", /^text "3 ms"/);
    await select.selectOption("utc");
    await waitForLine(page, "head", /^text "2021-06-08/);
    await waitForLine(page, "head", /^text "09:04:49\.87\d"/);
  }, "&timeline.window=11000000,18000000"));

test("devices come first, counters are one row, and what holds next to nothing is folded at the end", () =>
  onHome(async (page) => {
    const list = ["g0", "3", "4", "k0", "g1", "0", "1", "2", "g2"];
    assert.deepEqual(await keys(page), list);
    const lines = await linesOf(page);
    const [kernel] = boxesOf(lines, "kernel");
    const [step] = boxesOf(lines, "step");
    assert.ok(kernel.y < step.y);
    assert.equal(lines.filter((line) => line.startsWith("steps")).length, 0);
    await entry(page, "k0").getByText("3 counters").click();
    await page.waitForURL(/timeline\.closed=k0/);
    assert.deepEqual((await keys(page)).slice(3, 7), ["k0", "c0", "c1", "c2"]);
    await entry(page, "g2").getByText("Spans").click();
    await page.waitForURL(/timeline\.closed=g2,k0/);
    await entry(page, "5").waitFor();
    // A hit in a folded group unfolds it.
    await entry(page, "g2").getByText("Spans").click();
    await entry(page, "5").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("PyTorch Profiler");
    await page.keyboard.press("Enter");
    await entry(page, "5").waitFor();
  }));

test("the address holds and restores all of it", () =>
  onHome(async (page) => {
    const query =
      "&timeline.axis=step&timeline.closed=2,k0&timeline.colour=stream&timeline.hidden=4&timeline.only=kernel" +
      "&timeline.order=g1,g0&timeline.pinned=3,c1&timeline.window=11000000,18000000";
    await onPage(
      at(kHome + query),
      async (copy) => {
        await open(copy);
        const list = await keys(copy);
        assert.deepEqual(list.slice(0, 3), ["3", "c1", "g1"]);
        assert.ok(!list.includes("4"));
        const held = queryOf(copy);
        for (const [key, value] of new URLSearchParams(query))
          assert.equal(held[key], value, key);
      },
      { drawLog: true },
    );
    assert.ok(!page.url().includes("pinned"));
  }));
