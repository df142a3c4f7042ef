// Slices on the timeline: selecting, following flows and relatives, searching, ranges and
// their sums, measuring, markers, and saving. With the fixture's small profile, by what is drawn.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { columnTexts, fixtures, queryOf } from "./browser.mjs";
import {
  boxesOf,
  chosen,
  linesOf,
  onTimeline,
  open,
  placeOf,
  title,
  waitForLine,
  windowOf,
} from "./timeline_page.mjs";

const at = fixtures({ only: ["resnet50"] });
const kHome = "?run=resnet50&view=timeline";
const onHome = (use, query = "") => onTimeline(at(kHome + query), use);

const curves = async (page) =>
  (await linesOf(page)).filter((line) => line.startsWith("curve"));
async function click(page, name, nth = 0, options = {}) {
  const { x, y } = await placeOf(page, name, nth);
  await page.mouse.click(x, y, options);
}
const menu = (page, name) =>
  page.getByRole("menuitem", { name, exact: true }).click();

test("a click shows the facts of a slice, and keys go to its relatives", () =>
  onHome(async (page) => {
    await click(page, "aten::mm", 1);
    await title(page, "aten::mm");
    const details = page.locator(".timeline-details");
    await details.getByText("Input shapes").waitFor();
    await details.getByText("Event as recorded").waitFor();
    const slice = queryOf(page)["timeline.select"];
    await page.keyboard.press("e");
    await title(page, "cudaLaunchKernel");
    await page.keyboard.press("r");
    await title(page, "gemm_kernel");
    await page.keyboard.press("r");
    await title(page, "cudaLaunchKernel");
    await page.keyboard.press("q");
    await chosen(page, slice);
    await page.keyboard.press("]");
    await page.waitForFunction(
      (before) =>
        (document.querySelector(".timeline-details").dataset.slice ??
          before) !== before,
      slice,
    );
    await page.keyboard.press("[");
    await chosen(page, slice);
    for (let i = 0; i < 5; i++) await page.goBack();
    await title(page, "cudaLaunchKernel");
    await page.goForward();
    await title(page, "gemm_kernel");
  }));

test("a key pressed twice moves by two slices, however late the first response is", () =>
  onHome(async (page) => {
    await click(page, "aten::mm");
    await title(page, "aten::mm");
    const details = page.locator(".timeline-details");
    const chosenNow = () => details.getAttribute("data-slice");
    const ids = [await chosenNow()];
    for (let step = 0; step < 2; step++) {
      await page.keyboard.press("]");
      await page.waitForFunction(
        (before) =>
          document.querySelector(".timeline-details").dataset.slice !== before,
        ids.at(-1),
      );
      await title(page, "aten::mm");
      ids.push(await chosenNow());
    }
    await page.route(/\/slice\?/, async (route) => {
      await new Promise((answered) => setTimeout(answered, 100));
      await route.continue().catch(() => undefined);
    });
    for (const key of ["[", "["]) await page.keyboard.press(key);
    await chosen(page, ids[0]);
    for (const key of ["]", "]"]) await page.keyboard.press(key);
    await chosen(page, ids[2]);
  }));

test("the selected slice, its ancestors and its flow are emphasized, everything else is dimmed", () =>
  onHome(async (page) => {
    await click(page, "conv_kernel", 1);
    await title(page, "conv_kernel");
    await waitForLine(page, "lanes", /^curve flow/);
    const lines = await linesOf(page);
    assert.equal(
      lines.filter((line) => line.startsWith("curve flow")).length,
      1,
    );
    assert.ok(lines.some((line) => line.startsWith("frame chosen")));
    const kernels = boxesOf(lines, "kernel").filter(
      (box) => box.name === "conv_kernel",
    );
    assert.ok(
      kernels.some((box) => !box.dim) && kernels.some((box) => box.dim),
    );
  }));

test("flows: none, those of the selected slice in both directions, or all, by kind", () =>
  onHome(async (page) => {
    assert.deepEqual(await curves(page), []);
    await click(page, "ConvolutionBackward0", 1);
    await waitForLine(page, "lanes", /^curve flow/);
    const [backward] = await curves(page);
    await click(page, "aten::conv2d", 1);
    await title(page, "aten::conv2d");
    await waitForLine(page, "lanes", /^curve flow/);
    assert.deepEqual(
      await curves(page),
      [backward],
      "forward to backward is the same curve from either end",
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("x");
    await page.waitForURL(/timeline\.flows=all/);
    await waitForLine(page, "lanes", /^curve launch/);
    const count = async (kind) =>
      (await curves(page)).filter((line) => line.startsWith(`curve ${kind} `))
        .length;
    assert.equal(await count("launch"), 9);
    assert.equal(await count("forward_backward"), 3);
    await page.getByRole("button", { name: /^Flows/ }).click();
    await page
      .getByRole("menuitemcheckbox", { name: "Launch to device work" })
      .click();
    await page.waitForURL(/timeline\.flowsOff=launch/);
    assert.equal(await count("launch"), 0);
    assert.equal(await count("forward_backward"), 3);
    await page.getByRole("menuitemcheckbox", { name: "None" }).click();
    await page.waitForURL(/timeline\.flows=none/);
    assert.deepEqual(await curves(page), []);
  }));

test("a slice links to its row in another view, and Back returns", () =>
  onHome(async (page) => {
    await click(page, "gemm_kernel");
    await title(page, "gemm_kernel");
    const address = page.url();
    await page.locator('.timeline-links [data-view="kernels"]').click();
    await page.waitForSelector('[data-view="kernels"][data-ready="true"]');
    assert.equal(queryOf(page).find, "gemm_kernel");
    await page.goBack();
    await title(page, "gemm_kernel");
    assert.equal(page.url(), address);
  }));

test("hits are marked on the lanes and the minimap; n and N go from one to the next", () =>
  onHome(async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("AllReduce");
    await page.locator(".timeline-hits", { hasText: "3 slices" }).waitFor();
    const hits = (await linesOf(page, "head")).filter((line) =>
      line.startsWith("rect hit"),
    );
    assert.equal(hits.length, 3);
    const marked = (await linesOf(page)).filter((line) =>
      line.startsWith("rect hit ncclDevKernel_AllReduce"),
    );
    assert.equal(marked.length, 3);
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await page.locator(".timeline-hits", { hasText: "1 of 3" }).waitFor();
    await title(page, "ncclDevKernel_AllReduce");
    await page.keyboard.press("N");
    await page.locator(".timeline-hits", { hasText: "3 of 3" }).waitFor();
  }));

test("a range on the ruler is summed up by lane, on devices first, and fills the window", () =>
  onHome(async (page) => {
    const head = await page.locator(".timeline-head canvas").boundingBox();
    const { left, right } = await placeOf(page, "ProfilerStep#6");
    await page.mouse.move(left - 2, head.y + 47);
    await page.mouse.down();
    await page.mouse.move(right + 4, head.y + 47, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/timeline\.range=/);
    await waitForLine(page, "lanes", /^rect range/);
    const rows = (part) =>
      page.locator(`[data-table="timeline/range/${part}"] .row`).first();
    await rows("sums").waitFor();
    const names = (part) => columnTexts(page, `timeline/range/${part}`, "name");
    const lanes = await names("sums");
    assert.ok(lanes.indexOf("stream 7") < lanes.indexOf("thread 100 (main)"));
    const part = (name) => page.locator(`[data-part="${name}"]`).click();
    await part("devices");
    await page.waitForURL(/timeline\.part=devices/);
    await rows("devices").waitFor();
    const kernels = await names("devices");
    assert.ok(kernels.includes("gemm_kernel") && !kernels.includes("forward"));
    await part("host");
    await rows("host").waitFor();
    const calls = await names("host");
    const counts = await columnTexts(page, "timeline/range/host", "count");
    assert.equal(counts[calls.indexOf("ProfilerStep#6")], "1");
    assert.equal(counts[calls.indexOf("cudaLaunchKernel")], "3");
    await part("calls");
    await page.locator('[data-panel="timeline/range/calls"] canvas').waitFor();
    await part("callers");
    await rows("callers").waitFor();
    await part("sums");
    await page.waitForURL((url) => !url.search.includes("timeline.part"));
    await page.keyboard.press("z");
    await page.waitForURL(/timeline\.window=/);
    const [start, end] = windowOf(page);
    const [from, to] = queryOf(page)["timeline.range"].split(",").map(Number);
    assert.ok(Math.abs(start - from) < 10_000 && Math.abs(end - to) < 10_000);
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.search.includes("range"));
  }));

for (const side of ["below", "beside"])
  test(`the numbers of a range are not cut ${side} the lanes`, () =>
    onHome(async (page) => {
      if (side === "beside")
        await page.getByRole("button", { name: "Dock right" }).click();
      for (const part of ["sums", "devices", "host", "callers"]) {
        await page.locator(`[data-part="${part}"]`).click();
        const table = page.locator(`[data-table="timeline/range/${part}"]`);
        await table.locator(".row").nth(1).waitFor();
        const box = await page.locator(".details-range").boundingBox();
        for (const cell of await table.locator(".row .cell").all()) {
          const { x, y, width, height } = await cell.boundingBox();
          assert.ok(x + width <= box.x + box.width + 1, `${part} ${x}`);
          if (side === "below" && part === "sums" && y + height < 900)
            assert.ok(y > box.y);
        }
        const first = await table.locator(".row").nth(1).boundingBox();
        assert.ok(first.y + first.height <= 900, "rows are visible at once");
      }
    }, "&timeline.range=10000000,20000000"));

test("Shift and drag snaps to the edges of slices; hidden lanes do not count", () =>
  onHome(async (page) => {
    const { left, right, y } = await placeOf(page, "conv_kernel", 1);
    await page.keyboard.down("Shift");
    await page.mouse.move(left + 3, y);
    await page.mouse.down();
    await page.mouse.move(right - 3, y, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await page.waitForURL(/timeline\.range=11000000,12500000/);
    await title(page, "Range of 1.5 ms");
  }, "&timeline.hidden=0"));

test("measuring goes from one edge of a slice to another", () =>
  onHome(async (page) => {
    const from = await placeOf(page, "conv_kernel", 1);
    const to = await placeOf(page, "gemm_kernel", 1);
    await page.mouse.click(from.right - 3, from.y, { button: "right" });
    await menu(page, "Measure from here m");
    await page.mouse.move(to.left + 2, to.y, { steps: 3 });
    await waitForLine(page, "head", /^text "100\.0 µs"/);
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForURL(/timeline\.range=12500000,12600000/);
    // m measures a selected slice.
    await page.keyboard.press("Escape");
    await click(page, "forward", 1);
    await page.keyboard.press("m");
    await page.waitForURL(/timeline\.range=10200000,14200000/);
  }));

test("markers are added, named, listed, renamed and deleted, and stored by set", () =>
  onHome(async (page) => {
    const { left, y } = await placeOf(page, "ConvolutionBackward0", 1);
    await page.mouse.click(left + 2, y, { button: "right" });
    await menu(page, "Add a marker here v");
    await page.getByLabel("Name of the marker").waitFor();
    await page.keyboard.type("backward begins");
    await page.keyboard.press("Enter");
    await waitForLine(page, "head", /^rect flag backward begins/);
    await waitForLine(page, "lanes", /^line marker/);
    await page.mouse.move(left + 200, y);
    await page.keyboard.press("v");
    await waitForLine(page, "head", /^rect flag marker 2/);

    await page.getByRole("button", { name: /^Markers/ }).click();
    const row = page.locator('[data-marker="marker 2"]');
    await row.getByRole("textbox").fill("later");
    await row.getByRole("textbox").press("Enter");
    await waitForLine(page, "head", /^rect flag later/);
    await page.getByRole("button", { name: "Save as" }).click();
    await page.getByLabel("Name of the new set").fill("before fusion");
    await page.getByLabel("Name of the new set").press("Enter");
    await page.waitForURL(/timeline\.markers=before\+fusion/);
    await page.getByRole("button", { name: "Delete later" }).click();
    await page.locator('[data-marker="later"]').waitFor({ state: "detached" });
    await page.getByLabel("Set of markers").selectOption("default");
    await page.locator('[data-marker="later"]').waitFor();

    await page.reload();
    await open(page);
    await waitForLine(page, "head", /^rect flag later/);
    await page.getByRole("button", { name: /^Markers/ }).click();
    await page.getByLabel("Set of markers").selectOption("before fusion");
    await page.locator('[data-marker="backward begins"]').waitFor();
    await page.getByRole("button", { name: "Delete the set" }).click();
    await page.waitForURL((url) => !url.search.includes("markers"));
    const sets = page.getByLabel("Set of markers").locator("option");
    await page.waitForFunction(
      () =>
        document.querySelectorAll('[aria-label="Set of markers"] option')
          .length === 1,
    );
    assert.deepEqual(await sets.allTextContents(), ["default"]);
  }));

test("the visible part is saved as a PNG, and as a trace of its window and lanes", () =>
  onHome(async (page) => {
    const save = async (name) => {
      await page.getByRole("button", { name: "Save", exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name }).click(),
      ]);
      return readFile(await download.path());
    };
    const png = await save("PNG of the visible part");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.readUInt32BE(16) > 1000, "as wide as names and lanes");
    const trace = JSON.parse(await save("Chrome trace of the window"));
    const names = trace.traceEvents.map((event) => event.name).sort();
    assert.deepEqual(names, ["conv_kernel", "gemm_kernel"]);
  }, "&timeline.filter=stream+7&timeline.window=11000000,13000000"));

test("the key sheet lists the keys and gestures of the timeline", () =>
  onHome(async (page) => {
    await page.keyboard.press("?");
    const sheet = page.locator(".key-sheet");
    await sheet.getByText("In the timeline").waitFor();
    for (const said of [
      "Zoom in (hold to glide)",
      "Measure",
      "Shift+Drag",
      "Flows: none, selected, all",
    ])
      await sheet.getByText(said).first().waitFor();
  }));

test("facts of a slice are beside one another, and its call stack is visible at once", () =>
  onHome(async (page) => {
    await click(page, "aten::mm", 1);
    await title(page, "aten::mm");
    const facts = page.locator(".timeline-facts > div");
    const [first, second] = [
      await facts.nth(0).boundingBox(),
      await facts.nth(1).boundingBox(),
    ];
    assert.equal(first.y, second.y);
    assert.ok(second.x > first.x + first.width);
    const stack = page.locator(".timeline-stack li").first();
    const { y, height } = await stack.boundingBox();
    assert.ok(y + height < 900);
    assert.match(await stack.textContent(), /forward/);
  }));

test("all names of the legend, and all lines of the key sheet, are legible", () =>
  onHome(async (page) => {
    await page.setViewportSize({ width: 900, height: 700 });
    await page.getByLabel("What the colours mean").selectOption("name");
    await page.locator(".legend-class").nth(5).waitFor();
    const legend = await page.locator(".timeline-legend").boundingBox();
    for (const name of await page.locator(".legend-class").all()) {
      const { x, width } = await name.boundingBox();
      assert.ok(x + width <= legend.x + legend.width, String(x));
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("?");
    const cut = await page.locator(".key-sheet dl > div").evaluateAll((rows) =>
      rows.flatMap((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        const text = row.querySelector("dd").getBoundingClientRect();
        return text.top < top || text.bottom > bottom + 0.5
          ? [row.textContent]
          : [];
      }),
    );
    assert.deepEqual(cut, []);
  }));

test("the user can dock the details below or beside, and they stay there", () =>
  onHome(async (page) => {
    await click(page, "aten::mm");
    await title(page, "aten::mm");
    const before = await page.locator(".timeline-lanes").boundingBox();
    await page.getByRole("button", { name: "Dock right" }).click();
    await page.waitForFunction(
      (wide) =>
        document.querySelector(".timeline-lanes").clientWidth < wide - 200,
      before.width,
    );
    const divider = await page.locator(".timeline-divider").boundingBox();
    await page.mouse.move(divider.x + 2, divider.y + 100);
    await page.mouse.down();
    await page.mouse.move(divider.x - 98, divider.y + 100, { steps: 3 });
    await page.mouse.up();
    const wide = (await page.locator(".timeline-details").boundingBox()).width;
    assert.ok(Math.abs(wide - 560) < 3, String(wide));
    const kept = await page.evaluate(() =>
      JSON.parse(localStorage["sightline.settings"]),
    );
    assert.equal(kept.detailsBeside, true);
  }));
