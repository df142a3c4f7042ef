// The timeline: drawn from tiles, moved by wheel, drag and keys, a slice selected and cleared, search, and an
// address that restores all of it. First with the fixture's million slices, then with the real program.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  fixtures,
  get,
  onPage,
  queryOf,
  samples,
  startProgram,
  withoutProgram,
} from "./browser.mjs";
import {
  chosen,
  drawn,
  linesOf,
  onTimeline,
  open,
  waitForLine,
  windowOf,
  zoom,
} from "./timeline_page.mjs";

const at = fixtures({ only: ["huge", "resnet50"] });
const kHome = "?run=huge&view=timeline";

test("Ctrl and the wheel zoom at the pointer, drag pans, and the address holds the window", () =>
  onPage(at(kHome), async (page) => {
    const box = await open(page);
    await page.mouse.move(box.x + box.width / 4, box.y + 100);
    await zoom(page, -1500);
    await page.waitForURL(/timeline\.window=/);
    const [start, end] = windowOf(page);
    // A quarter of the profile is left of the first quarter of the width, before and after.
    const under = start + (end - start) / 4;
    assert.ok(Math.abs(under / 2_080_000_000 - 0.24) < 0.01, String(under));
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4 - 200, box.y + 100, {
      steps: 5,
    });
    await page.mouse.up();
    await page.waitForFunction(
      (before) => !location.search.includes(before),
      `${start},${end}`,
    );
    const [later, laterEnd] = windowOf(page);
    assert.ok(later > start);
    assert.ok(Math.abs(laterEnd - later - (end - start)) <= 2);
    assert.equal(
      queryOf(page)["timeline.select"],
      undefined,
      "a drag is not a click",
    );
    await drawn(page);
  }));

test("f shows all again and Back returns to the window before", () =>
  onPage(at(kHome + "&timeline.window=823000000,826000000"), async (page) => {
    await open(page);
    await page.keyboard.press("f");
    await page.waitForURL((url) => !url.search.includes("timeline.window"));
    await page.goBack();
    await page.waitForURL(/timeline\.window=823000000,826000000/);
    await drawn(page);
  }));

test("a click selects a slice; its relatives are links; Escape clears it", () =>
  onPage(at(kHome + "&timeline.window=823000000,826000000"), async (page) => {
    const box = await open(page);
    await page.mouse.click(box.x + box.width / 2, box.y + 141);
    await page
      .locator(".timeline-details h3", { hasText: "ProfilerStep#20" })
      .waitFor();
    const slice = queryOf(page)["timeline.select"];
    assert.ok(slice);
    await page.locator('[data-relation="child"]').first().click();
    await page.waitForFunction(
      (before) =>
        (document.querySelector(".timeline-details")?.dataset.slice ??
          before) !== before,
      slice,
    );
    await page.locator('[data-relation="parent"]').click();
    await chosen(page, slice);
    await page.goBack();
    await page.goBack();
    await chosen(page, slice);
    await page.keyboard.press("Escape");
    await page.waitForFunction(
      () => !document.querySelector(".timeline-details[data-slice]"),
    );
    assert.equal(queryOf(page)["timeline.select"], undefined);
  }));

test("the keys [ and ] go to the same name", () =>
  onPage(at(kHome + "&timeline.select=0"), async (page) => {
    await open(page);
    await chosen(page, "0");
    await page.keyboard.press("]");
    await page
      .locator(".timeline-details h3", { hasText: "aten::" })
      .or(page.locator(".timeline-details h3", { hasText: "ProfilerStep" }))
      .waitFor();
    await page.keyboard.press("w");
    await page.waitForURL(/timeline\.window=/);
  }));

test("search finds slices by name; Enter goes from hit to hit", () =>
  onPage(at(kHome), async (page) => {
    await open(page);
    await page.keyboard.press("/");
    await page.keyboard.type("allreduce");
    await page.locator(".timeline-hits", { hasText: "480 slices" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".timeline-hits", { hasText: "1 of 480" }).waitFor();
    await page
      .locator(".timeline-details h3", { hasText: "AllReduce" })
      .waitFor();
    const first = queryOf(page)["timeline.select"];
    await page.keyboard.press("Enter");
    await page.locator(".timeline-hits", { hasText: "2 of 480" }).waitFor();
    await page.waitForFunction(
      (before) => !location.search.includes(`timeline.select=${before}&`),
      first,
    );
    assert.equal(queryOf(page)["timeline.text"], "allreduce");
  }));

test("steps through more hits than come at a time, round both ends", () =>
  onPage(at(`${kHome}&timeline.text=aten`), async (page) => {
    await open(page);
    const hits = page.locator(".timeline-hits");
    await hits.filter({ hasText: "slices" }).waitFor();
    const all = (await hits.textContent()).split(" ")[0];
    assert.ok(Number(all.replace(/,/g, "")) > 4000, all);
    await page.locator(".timeline-search").press("Shift+Enter");
    await hits.filter({ hasText: `${all} of ${all}` }).waitFor();
    await page.keyboard.press("Enter");
    await hits.filter({ hasText: `1 of ${all}` }).waitFor();
    await page.keyboard.press("Enter");
    await hits.filter({ hasText: `2 of ${all}` }).waitFor();
  }));

test("the first step goes to the first hit of the window, however many are before it", () =>
  onPage(
    at(`${kHome}&timeline.window=1000000000,1000500000&timeline.text=aten`),
    async (page) => {
      await open(page);
      await page.locator(".timeline-hits", { hasText: "slices" }).waitFor();
      await page.locator(".timeline-search").press("Enter");
      await page.waitForURL(/timeline\.select=\d+/);
      const place = await page.locator(".timeline-hits").textContent();
      assert.ok(Number(place.split(" ")[0].replace(/,/g, "")) > 2000, place);
    },
  ));

test("the question mark explains the view", () =>
  onPage(at(kHome), async (page) => {
    await open(page);
    await page.locator(".timeline-bar").getByText("?", { exact: true }).click();
    await page
      .getByRole("dialog")
      .getByText("Every slice on its lane.")
      .waitFor();
  }));

test("shift and drag measures, and the address reproduces all of it in a new page", () =>
  onPage(at(kHome + "&timeline.window=823000000,826000000"), async (page) => {
    const box = await open(page);
    await page
      .locator('.timeline-lane[data-lane="0"] .timeline-toggle')
      .click();
    await page.waitForURL(/timeline\.closed=0/);
    await page.keyboard.down("Shift");
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 400, box.y + 100, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await page.locator(".timeline-range", { hasText: "µs" }).waitFor();
    const [from, to] = queryOf(page)["timeline.range"].split(",").map(Number);
    // Each end snaps to the edge of a slice within 6 pixels.
    const pixel = 3_000_000 / box.width;
    assert.ok(Math.abs((to - from) / pixel - 300) <= 2 * 6 + 1);
    const address = page.url();
    await onPage(address, async (copy) => {
      await open(copy);
      assert.equal(copy.url(), address);
      await copy.locator(".timeline-range", { hasText: "µs" }).waitFor();
      assert.equal(
        await copy
          .locator('.timeline-lane[data-lane="0"] .timeline-toggle')
          .getAttribute("aria-expanded"),
        "false",
      );
    });
  }));

test("a key that is held glides, and a short press moves by a step", () =>
  onTimeline(
    at(kHome + "&timeline.window=823000000,826000000"),
    async (page) => {
      await page.keyboard.press("d");
      await page.waitForURL(
        (url) => !url.search.includes("window=823000000,826000000"),
      );
      const [stepped] = windowOf(page);
      assert.ok(
        stepped > 823_000_000 && stepped < 824_500_000,
        String(stepped),
      );
      await page.keyboard.down("a");
      await waitForLine(page, "head", /text "822\.\d ms"/);
      await page.keyboard.up("a");
      await page.waitForURL(
        (url) => Number(/window=(\d+)/.exec(url.search)[1]) < 823_000_000,
      );
      await page.keyboard.press("0");
      await page.waitForURL((url) => !url.search.includes("timeline.window"));
    },
  ));

test("a pinch zooms, the minimap's edge resizes the window, a step title fills it", () =>
  onPage(at(kHome), async (page) => {
    const box = await open(page);
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await zoom(page, -40);
    await page.waitForURL(/timeline\.window=/);
    const [start, end] = windowOf(page);
    assert.ok(end - start < 1_500_000_000);
    const head = await page.locator(".timeline-head canvas").boundingBox();
    const left = head.x + ((start - 0) / 2_080_000_000) * head.width;
    await page.mouse.move(left, head.y + 10);
    await page.mouse.down();
    await page.mouse.move(left - 100, head.y + 10, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL((url) => !url.search.includes(`window=${start},`));
    const [wider, same] = windowOf(page);
    assert.ok(wider < start && Math.abs(same - end) < 5, `${wider} ${same}`);
    // The middle of a step: between two there is a gap.
    const share = (20.5 * 52_000_000 - wider) / (same - wider);
    await page.mouse.click(head.x + share * head.width, head.y + 66);
    await page.waitForURL((url) => !url.search.includes(`,${end}`));
    const [from, to] = windowOf(page);
    assert.ok(to - from < 60_000_000 && to - from > 50_000_000);
  }));

test("while finer tiles load, no frame is empty", () =>
  onPage(
    at(kHome),
    async (page) => {
      const box = await open(page);
      await page.route("**/api/tiles*", async (route) => {
        await new Promise((done) => setTimeout(done, 400));
        await route.continue();
      });
      await page.evaluate(() => {
        globalThis.emptyFrames = 0;
        globalThis.frames = 0;
        const look = () => {
          const lines = globalThis.sightlineDrawLog.lanes ?? [];
          globalThis.frames++;
          if (
            !lines.some((line) => /^rect (density|op|kernel|step)/.test(line))
          )
            globalThis.emptyFrames++;
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await page.mouse.move(box.x + box.width / 2, box.y + 100);
      for (let i = 0; i < 12; i++) await zoom(page, -400);
      await page.waitForURL(/timeline\.window=/);
      for (let i = 0; i < 6; i++) await page.mouse.wheel(900, 0);
      await drawn(page);
      const { frames, emptyFrames } = await page.evaluate(() => ({
        frames: globalThis.frames,
        emptyFrames: globalThis.emptyFrames,
      }));
      assert.ok(frames > 10);
      assert.equal(emptyFrames, 0);
      assert.ok((await linesOf(page)).length > 10);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    },
    { drawLog: true },
  ));

test("only visible lanes are requested", () =>
  onPage(at(kHome), async (page) => {
    const asked = new Set();
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (
        url.pathname.endsWith("/api/tiles") &&
        url.searchParams.get("start") !== "0"
      )
        for (const lane of url.searchParams.get("lanes").split(","))
          asked.add(lane);
    });
    const box = await open(page);
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await zoom(page, -2400);
    await page.waitForURL(/timeline\.window=/);
    await drawn(page);
    assert.ok(asked.has("0") && !asked.has("44"), [...asked].join());
    await page.keyboard.press("Escape");
    await page.locator(".timeline-body").evaluate((e) => (e.scrollTop = 1e6));
    await page.waitForFunction(
      () => document.querySelector(".timeline-body").scrollTop > 0,
    );
    await page.locator('.timeline-lane[data-lane="44"]').waitFor();
    await drawn(page);
    assert.ok(asked.has("44"));
  }));

describe("the timeline of the program", { skip: withoutProgram() }, () => {
  let program;
  before(async () => {
    program = await startProgram(samples);
  });
  after(() => program?.stop());

  test("every sample is drawn; a step is selected and its first child is a link", async () => {
    for (const run of program.state.runs) {
      const worker = run.workers[0];
      const place = new URLSearchParams({
        run: run.name,
        worker: worker.name,
        span: worker.spans[0].name,
      });
      const info = await get(`${program.address}api/timeline?${place}`);
      const { steps } = await info.json();
      const slice = steps[0]?.slice ?? 0; // without steps: the first slice
      await onPage(
        `${program.address}?${place}&view=timeline&timeline.select=${slice}`,
        async (page) => {
          await open(page);
          await chosen(page, String(slice));
          await page.locator('[data-relation="child"]').first().click();
          await page.waitForFunction(
            (before) =>
              (document.querySelector(".timeline-details")?.dataset.slice ??
                before) !== before,
            String(slice),
          );
          await drawn(page);
        },
      );
    }
  });
});
