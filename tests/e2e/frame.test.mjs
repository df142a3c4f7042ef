// The page's frame: views, pickers, palette, keys, themes, and an address that holds everything.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtures, onPage, queryOf, viewReady } from "./browser.mjs";

const at = fixtures({ only: ["resnet50", "bare"] });

test("the bare address opens the first view of the first profile and becomes its full address", () =>
  onPage(at(), async (page) => {
    await viewReady(page, "overview");
    assert.deepEqual(queryOf(page), {
      run: "resnet50",
      worker: "worker0",
      span: "1",
      view: "overview",
    });
    assert.match(await page.title(), /Overview · resnet50/);
  }));

test("a view is reached by the rail, by g and a letter, and left by Back", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    await page.click('[data-view-link="operators"]');
    await viewReady(page, "operators");
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await viewReady(page, "kernels");
    await page.goBack();
    await viewReady(page, "operators");
    assert.equal(queryOf(page).view, "operators");
  }));

test("the rail scrolls to the view that is open, also when it is long", () =>
  onPage(
    at("?view=problems"),
    async (page) => {
      const inSight = (view) =>
        page.waitForFunction((view) => {
          const link = document.querySelector(`[data-view-link="${view}"]`);
          const list = link?.closest(".rail-views");
          if (!list) return false;
          const [inner, outer] = [link, list].map((e) =>
            e.getBoundingClientRect(),
          );
          return inner.top >= outer.top && inner.bottom <= outer.bottom;
        }, view);
      await inSight("problems");
      await page.keyboard.press("g");
      await page.keyboard.press("k");
      await viewReady(page, "kernels");
      await inSight("kernels");
    },
    { height: 260 },
  ));

test("a view that this profile cannot have is disabled, with the reason", () =>
  onPage(at("?run=bare&view=memory"), async (page) => {
    await page.waitForSelector(
      '[data-view-link="memory"][aria-disabled="true"]',
    );
    await page
      .getByText("recorded without memory events: profile_memory=True")
      .first()
      .waitFor();
    await page.hover('[data-view-link="kernels"]');
    await page
      .locator(".tip.shown", { hasText: "no device activity was recorded" })
      .waitFor();
  }));

test("the run picker narrows by typing and opens the selected run", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.click('[data-crumb="run"]');
    await page.keyboard.type("bar");
    await page.waitForFunction(
      () => document.querySelectorAll(".picker-item").length === 1,
    );
    await page.keyboard.press("Enter");
    await page.getByText("No operator was recorded").waitFor();
    assert.equal(queryOf(page).run, "bare");
    assert.equal(queryOf(page).worker, "host-7f3a");
    assert.equal(queryOf(page).view, "operators");
  }));

test("Ctrl-K finds a kernel by name and chooses its row", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    await page.keyboard.press("Control+k");
    await page.locator(".picker-wide input").fill("flash fwd");
    await page
      .locator(".picker-item", { hasText: "flash_fwd_kernel" })
      .waitFor();
    await page.keyboard.press("Enter");
    await viewReady(page, "kernels");
    await page
      .locator('.row[aria-selected="true"]', { hasText: "flash_fwd_kernel" })
      .waitFor();
    assert.ok(Number(queryOf(page)["kernels.select"]) >= 0);
  }));

test("the question mark lists the keys, and Escape closes the list", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    await page.keyboard.press("?");
    await page.getByText("Search everywhere").first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".key-sheet").waitFor({ state: "detached" });
  }));

test("the theme is chosen by hand and remembered", () =>
  onPage(at("?view=overview"), async (page) => {
    await viewReady(page, "overview");
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    await page.click('[aria-label^="Theme"]');
    await page.click('[aria-label="Theme: light"]');
    await page.waitForSelector('html[data-theme="dark"]');
    assert.notEqual(await ground(), before);
    await page.reload();
    await page.waitForSelector('html[data-theme="dark"]');
  }));

test("the problems badge opens the problems", () =>
  onPage(at("?view=overview"), async (page) => {
    await page.click(".badge-problems");
    await viewReady(page, "problems");
    await page.getByText("missing_end").waitFor();
  }));

test("a parameter changes the report and the address, and Back undoes it", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.getByRole("radio", { name: "Operator + input shape" }).click();
    await page
      .locator('[role="radio"][aria-checked="true"]', {
        hasText: "input shape",
      })
      .waitFor();
    assert.equal(queryOf(page).group_by, "shape");
    await page.goBack();
    await page
      .locator('[role="radio"][aria-checked="true"]', { hasText: /^Operator$/ })
      .waitFor();
  }));

test("the step filter is in the top bar and is kept in the next view", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    const filter = page.locator('.top-bar [data-parameter="steps"]');
    await filter.getByRole("button", { name: "Steps: all" }).click();
    await page.locator(".picker-item", { hasText: /^7$/ }).click();
    await page.getByText("operators, steps 7, GPU 0").waitFor();
    await filter.getByRole("button", { name: "Steps: 7" }).click();
    await page.keyboard.type("6-8");
    await page.locator(".picker-item", { hasText: "use this text" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("operators, steps 6-8, GPU 0").waitFor();
    await page.goBack();
    await page.getByText("operators, steps 7, GPU 0").waitFor();
    await page.click('[data-view-link="kernels"]');
    await viewReady(page, "kernels");
    assert.equal(queryOf(page).steps, "7");
  }));

test("the page works behind a path prefix", async (t) => {
  const { startFixtures } = await import("../../web/dev/server.mjs");
  const server = await startFixtures({
    only: ["resnet50"],
    prefix: "/proxy/8790",
  });
  t.after(() => server.close());
  await onPage(
    `http://127.0.0.1:${server.address().port}/proxy/8790/?view=kernels`,
    async (page) => {
      await viewReady(page, "kernels");
      await page.waitForSelector('.chart[data-drawn="true"]');
    },
  );
});

test("a name from a trace is text, whatever it holds", () =>
  onPage(at("?view=operators&operators.search=img"), async (page) => {
    await viewReady(page, "operators");
    await page
      .locator(".row", { hasText: "<img src=x onerror=alert(1)>" })
      .waitFor();
    assert.equal(await page.locator("img").count(), 0);
  }));

for (const width of [900, 1440, 2560]) {
  test(`nothing sticks out of a window ${width} px wide`, () =>
    onPage(
      at("?view=overview"),
      async (page) => {
        for (const view of [
          "overview",
          "operators",
          "kernels",
          "modules",
          "memory",
          "distributed",
        ]) {
          await page.goto(at(`?view=${view}`));
          await viewReady(page, view);
          const out = await page.evaluate(() => {
            const content = document.querySelector(".content");
            return (
              document.documentElement.scrollWidth > innerWidth ||
              content.scrollWidth > content.clientWidth
            );
          });
          assert.equal(out, false, view);
        }
      },
      { width },
    ));
}

for (const width of [390, 1024])
  test(`the top bar of a window ${width} px wide cuts and covers nothing`, () =>
    onPage(
      at("?view=kernels"),
      async (page) => {
        await viewReady(page, "kernels");
        const [bar, ...parts] = await page.evaluate(() =>
          [".top-bar", ".top-bar button", ".top-bar button *"]
            .flatMap((selector) => [...document.querySelectorAll(selector)])
            .map((part) => part.getBoundingClientRect())
            .filter(({ width }) => width > 0)
            .map(({ left, right, top, bottom }) => ({
              left,
              right,
              top,
              bottom,
            })),
        );
        for (const part of parts) {
          assert.ok(part.top >= bar.top && part.bottom <= bar.bottom);
          assert.ok(part.left >= 0 && part.right <= width);
        }
      },
      { width },
    ));

test("nothing moves after the first paint", () =>
  onPage(at("?view=kernels"), async (page) => {
    await page.addInitScript(() => {
      window.shifts = [];
      new PerformanceObserver((list) =>
        window.shifts.push(...list.getEntries().map((e) => e.value)),
      ).observe({
        type: "layout-shift",
        buffered: true,
      });
    });
    await page.reload();
    await viewReady(page, "kernels");
    await page.waitForSelector('.chart[data-drawn="true"]');
    const moved = await page.evaluate(() =>
      window.shifts.reduce((sum, value) => sum + value, 0),
    );
    assert.ok(moved < 0.02, `layout shift ${moved}`);
  }));
