// Ranks on one axis, of a real recording of two: opened from the timeline's bar, aligned, sorted, selected, and back to one rank at
// the same moment. Skipped if the program is not built.
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  onPage,
  queryOf,
  samples,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

const drawn = (page) =>
  page.waitForSelector('.timeline-lanes[data-drawn="true"]');

describe("Ranks on one axis", { skip: withoutProgram() }, () => {
  const on = withProgram(join(samples, "ddp"));
  const ranks = (more = "") =>
    on(`?view=timeline&worker=ddp_rank0&timeline.ranks=span${more}`);

  test("Add to timeline opens all ranks of the span", async () => {
    await onPage(on("?view=timeline&worker=ddp_rank0"), async (page) => {
      await drawn(page);
      await page.getByRole("button", { name: "Add to timeline" }).click();
      await page.getByText("All 2 ranks of this span").click();
      await page.locator(".ranks-name").nth(1).waitFor();
      await drawn(page);
      assert.equal(queryOf(page)["timeline.ranks"], "span");
      const names = await page.locator(".ranks-name").allTextContents();
      assert.match(names[0], /^rank 0/);
      assert.match(names[1], /^rank 1/);
    });
  });

  test("the strip above has the activity of all ranks, also when zoomed in", async () => {
    const colors = (page) =>
      page.locator(".timeline-head canvas").evaluate((canvas) => {
        const { data } = canvas
          .getContext("2d")
          .getImageData(0, 18, canvas.width, 1);
        return new Set(new Uint32Array(data.buffer)).size;
      });
    await onPage(ranks(), async (page) => {
      await drawn(page);
      assert.ok((await colors(page)) > 5);
      await page.locator(".timeline-lanes").hover();
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -800);
      await page.keyboard.up("Control");
      await page.waitForFunction(() =>
        new URLSearchParams(location.search).has("timeline.window"),
      );
      await drawn(page);
      assert.ok((await colors(page)) > 5);
    });
  });

  test("a name opens the timeline of its rank at the same moment", async () => {
    await onPage(
      ranks("&timeline.align=recorded&timeline.window=1000000,2000000"),
      async (page) => {
        await drawn(page);
        await page.locator(".ranks-name").nth(0).click();
        await page
          .locator(".timeline-name, .timeline-search")
          .first()
          .waitFor();
        const query = queryOf(page);
        assert.equal(query.worker, "ddp_rank0");
        assert.equal(query["timeline.ranks"], undefined);
        assert.equal(query["timeline.window"], "1000000,2000000");
      },
    );
  });

  test("rows stay while the list of ranks is requested again", async () => {
    let requests = 0;
    await onPage(on("?view=overview"), async (page) => {
      await page.route(/\/api\/ranks\?/, async (route) => {
        const answer = await (await route.fetch()).json();
        requests += 1;
        if (requests < 3) answer.ranks[1].status = "reading";
        await route.fulfill({ json: answer });
      });
      await page.goto(ranks());
      await drawn(page);
      await page.evaluate(() => {
        window.first = document.querySelector(".timeline-lanes");
      });
      while (requests < 3) await page.waitForTimeout(50);
      await drawn(page);
      assert.ok(
        await page.evaluate(
          () => document.querySelector(".timeline-lanes") === window.first,
        ),
      );
    });
  });

  test("a click selects a rank, whose clock is explained below", async () => {
    await onPage(ranks(), async (page) => {
      await drawn(page);
      await page
        .locator(".timeline-lanes")
        .click({ position: { x: 300, y: 30 } });
      await page.locator(".ranks-details h3", { hasText: "rank 1" }).waitFor();
      await page.locator(".ranks-details dt", { hasText: "Clock" }).waitFor();
      assert.match(queryOf(page)["timeline.rank"], /^1,/);
    });
  });

  test("colours, order and alignment are in the address", async () => {
    await onPage(ranks(), async (page) => {
      await drawn(page);
      await page.getByLabel("The order of the ranks").selectOption("late");
      await page.getByLabel(/How the clocks/).selectOption("step");
      await page.getByLabel(/What the colours/).selectOption("passes");
      await page.locator(".ranks-legend", { hasText: "Backward" }).waitFor();
      await drawn(page);
      const query = queryOf(page);
      assert.equal(query["timeline.sort"], "late");
      assert.equal(query["timeline.align"], "step");
      assert.equal(query["timeline.passes"], "1");
    });
  });

  test("a row unfolds into the lanes of its rank, in the same window", async () => {
    await onPage(ranks(), async (page) => {
      await drawn(page);
      await page.getByRole("button", { name: "Lanes of rank 0" }).click();
      const lanes = page.locator(".ranks-unfolded");
      await lanes.locator('.timeline-lanes[data-drawn="true"]').waitFor();
      assert.ok((await lanes.locator(".timeline-name").count()) > 1);
      assert.equal(queryOf(page)["timeline.unfold"], "0");
      // The row of rank 1 is below the lanes.
      const [open, second] = await Promise.all([
        lanes.boundingBox(),
        page.locator(".ranks-row").nth(1).boundingBox(),
      ]);
      assert.ok(second.y >= open.y + open.height - 1);
      await page.getByRole("button", { name: "Lanes of rank 0" }).click();
      await lanes.waitFor({ state: "detached" });
    });
  });
});

describe("Two runs on one axis", { skip: withoutProgram() }, () => {
  const on = withProgram(join(samples, "ddp"), join(samples, "ddp_cuda"));

  test("the ranks of both are rows, named by their runs", async () => {
    await onPage(on("?"), async (page) => {
      const state = await page.evaluate(async () =>
        (await fetch("api/state")).json(),
      );
      const [first, second] = ["ddp", "ddp_cuda"].map((name) =>
        state.runs.find((run) => run.name.endsWith(name)),
      );
      const span = second.workers[0].spans[0].name;
      const more = new URLSearchParams({
        run: first.name,
        worker: first.workers[0].name,
        view: "timeline",
        "timeline.ranks": "span",
        "timeline.added": JSON.stringify([second.name, span]),
      });
      await page.goto(on(`?${more}`));
      await drawn(page);
      const names = await page.locator(".ranks-name").allTextContents();
      assert.equal(
        names.length,
        first.workers.length + second.workers.length,
        names.join(),
      );
      assert.ok(names.some((name) => name.includes(second.name)));
    });
  });
});
