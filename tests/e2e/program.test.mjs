// The page with the real program and the project's own sample profiles: the page draws what the program answers,
// and nothing else. Skipped, with the reason, if the program is not built.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  columnTexts,
  get,
  goTo,
  onPage,
  queryOf,
  samples,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

/** Views that join the ranks of a job. */
const kJoined = ["critical_path_ranks", "what_if_ranks"];

describe("with the program and its samples", { skip: withoutProgram() }, () => {
  const at = withProgram(samples);
  const ask = async (query) => (await get(at(`api/${query}`))).json();

  test("every view of every sample is drawn or gives the reason why not", async () => {
    const state = await ask("state");
    for (const run of state.runs) {
      const worker = run.workers[0];
      const span = worker.spans[0];
      assert.equal(span.status, "ready", span.file);
      const address = (view) =>
        at(
          `?${new URLSearchParams({ run: run.name, worker: worker.name, span: span.name, view })}`,
        );
      const everyView = async (page) => {
        for (const view of state.views) {
          await goTo(page, address(view.id));
          const name = `${run.name} ${view.id}`;
          const reason = span.views[view.id];
          if (reason !== null) {
            await page.locator(".state h1", { hasText: view.title }).waitFor();
            assert.equal(await page.getByText(reason).count(), 1, name);
            continue;
          }
          await viewReady(page, view.id);
          // The clocks of these ranks cannot be compared, which only their profiles together tell.
          const refused = run.name === "ddp_cuda" && kJoined.includes(view.id);
          await page
            .locator(refused ? ".state" : ".panel")
            .first()
            .waitFor();
          assert.equal(
            (await page.locator(".panel").count()) > 0,
            !refused,
            name,
          );
          assert.equal(
            (await page.locator(".state").count()) > 0,
            refused,
            name,
          );
        }
      };
      await onPage(address("overview"), everyView, {
        expectErrors: run.name === "ddp_cuda" && /Failed to load resource/,
      });
    }
  });

  test("the operators table shows the program's operators, in its order", async () => {
    const state = await ask("state");
    const run = state.runs[0];
    const query = {
      run: run.name,
      worker: run.workers[0].name,
      span: run.workers[0].spans[0].name,
      view: "operators",
    };
    const report = await ask(`report?${new URLSearchParams(query)}`);
    const { columns, sort, rows } = report.tables.operators;
    const values = (key) => columns.find((column) => column.key === key).values;
    const order = Array.from({ length: rows }, (_, i) => i);
    order.sort(
      (a, b) => values(sort.column)[b] - values(sort.column)[a] || a - b,
    );
    await onPage(at(`?${new URLSearchParams(query)}`), async (page) => {
      await viewReady(page, "operators");
      await page.waitForSelector('[data-table="operators"] .row');
      const names = await columnTexts(page, "operators", "name");
      assert.ok(names.length > 5);
      assert.deepEqual(
        names.slice(0, 5),
        order.slice(0, 5).map((row) => values("name")[row]),
      );
      const calls = await columnTexts(page, "operators", "calls");
      assert.deepEqual(
        calls.slice(0, 5).map((text) => Number(text.replace(/,/g, ""))),
        order.slice(0, 5).map((row) => values("calls")[row]),
      );
    });
  });

  test("an operator's call stacks open in its row, down to the frames", async () => {
    await ask("state");
    await onPage(at("?view=operators"), async (page) => {
      await viewReady(page, "operators");
      await page
        .locator('.row[aria-expanded="false"] .chevron')
        .first()
        .click();
      const detail = page.locator(".row-detail").first();
      await detail.getByText("Call stacks").first().waitFor();
      await detail.locator(".row").first().waitFor();
    });
  });

  test("a slice of a donut selects its row, and the address reproduces it", async () => {
    await ask("state");
    await onPage(at("?view=operators"), async (page) => {
      await viewReady(page, "operators");
      await page.locator('[data-panel="host_self"] .donut-line').nth(1).click();
      await page.waitForURL(/operators\.select=\d+/);
      const name = await page
        .locator('.row[aria-selected="true"] .name-text')
        .textContent();
      const address = page.url();
      await page.goto("about:blank");
      await page.goto(address);
      await viewReady(page, "operators");
      assert.equal(
        await page
          .locator('.row[aria-selected="true"] .name-text')
          .textContent(),
        name,
      );
    });
  });

  test("the steps' bars and table are the same steps", async () => {
    await ask("state");
    await onPage(at("?view=overview"), async (page) => {
      await viewReady(page, "overview");
      await page.waitForSelector('[data-panel="steps"] [data-drawn="true"]');
      const steps = (await columnTexts(page, "steps", "step")).map(Number);
      assert.ok(
        steps.length > 1 &&
          steps.every((step, i) => i === 0 || step > steps[i - 1]),
        steps.join(),
      );
    });
  });

  test("workers of a distributed run are chosen in the breadcrumb", async () => {
    const state = await ask("state");
    const run = state.runs.find((r) => r.workers.length > 1);
    assert.ok(run, "the samples hold a run with two workers");
    await onPage(at(`?run=${run.name}`), async (page) => {
      await viewReady(page, "overview");
      await page.click('[data-crumb="worker"]');
      await page
        .locator(".picker-item", { hasText: run.workers[1].name })
        .click();
      await viewReady(page, "overview");
      assert.equal(queryOf(page).worker, run.workers[1].name);
    });
  });

  test("memory: a window narrows its tables, the moment lists live blocks, an operator links to its row", async () => {
    const state = await ask("state");
    const run = state.runs.find(
      (r) => r.workers[0].spans[0].views.memory === null,
    );
    assert.ok(run, "the samples hold memory events");
    const query = {
      run: run.name,
      worker: run.workers[0].name,
      span: run.workers[0].spans[0].name,
      view: "memory",
    };
    const report = await ask(`report?${new URLSearchParams(query)}`);
    const curve = report.panels.find((panel) => panel.kind === "lines");
    const table = report.panels.find(
      (panel) =>
        panel.kind === "table" &&
        report.tables[panel.table].marks?.panel === curve.id,
    ).table;
    await onPage(at(`?${new URLSearchParams(query)}`), async (page) => {
      await viewReady(page, "memory");
      await page.waitForSelector(".curve-marks");
      const rows = () =>
        page.getAttribute(`[data-table="${table}"]`, "aria-rowcount");
      assert.equal(Number(await rows()) - 1, report.tables[table].rows);

      const box = await page.locator(".curve").boundingBox();
      await page.mouse.move(box.x + box.width * 0.4, box.y + 120);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.6, box.y + 120, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL(/start=\d+/);
      await viewReady(page, "memory");
      const { start, end } = queryOf(page);
      const narrow = await ask(
        `report?${new URLSearchParams({ ...query, start, end })}`,
      );
      assert.ok(narrow.tables[table].rows < report.tables[table].rows);
      assert.equal(Number(await rows()) - 1, narrow.tables[table].rows);

      const row = page.locator(`[data-table="${table}"] .row`).first();
      await row.scrollIntoViewIfNeeded();
      await row.hover();
      await page.waitForSelector(".curve-pointed, .curve-span");
      await page.locator("[data-reset]").click();
      await page.waitForFunction(() => !location.search.includes("start="));

      await page.locator('[data-table="operators"]').focus();
      await page.keyboard.press("Home");
      const name = await page
        .locator('[data-table="operators"] [aria-selected="true"] .name-text')
        .textContent();
      await page.keyboard.press("m");
      await page.getByRole("menuitem", { name: "Operator" }).click();
      await viewReady(page, "operators");
      assert.equal(queryOf(page).find, name);
      await page
        .locator('.row[aria-selected="true"]', { hasText: name })
        .waitFor();
    });
  });

  test("steps are picked from those of the profile", async () => {
    const state = await ask("state");
    const run = state.runs[0];
    const report = await ask(
      `report?${new URLSearchParams({ run: run.name, worker: run.workers[0].name, span: run.workers[0].spans[0].name, view: "operators" })}`,
    );
    const { choices } = report.parameters.find(({ key }) => key === "step");
    assert.ok(choices.length > 1);
    await onPage(at(`?run=${run.name}&view=operators`), async (page) => {
      await viewReady(page, "operators");
      await page.getByRole("button", { name: "Step: all" }).click();
      assert.deepEqual(
        await page.locator(".picker-title").allTextContents(),
        choices.map(({ title }) => title),
      );
      await page.locator(".picker-item").last().click();
      await page.waitForURL(/step=\d+/);
      await viewReady(page, "operators");
      await page
        .getByRole("button", { name: `Step: ${choices.at(-1).title}` })
        .waitFor();
    });
  });

  test("the table's CSV is the program's own", async () => {
    await ask("state");
    await onPage(at("?view=operators"), async (page) => {
      await viewReady(page, "operators");
      await page.click('[aria-label="Panel menu: Operators"]');
      const href = await page
        .getByRole("menuitem", { name: "Save CSV" })
        .getAttribute("href");
      const answer = await get(new URL(href, page.url()));
      assert.equal(answer.status(), 200);
      assert.match(await answer.text(), /aten::/);
    });
  });

  test("the page is inside the program and sends requests to no other server", async () => {
    await ask("state");
    await onPage(at(), async (page) => {
      const others = [];
      page.on("request", (request) => {
        if (
          !request.url().startsWith(at()) &&
          !/^(data|blob):/.test(request.url())
        )
          others.push(request.url());
      });
      await page.reload();
      await viewReady(page, "overview");
      assert.deepEqual(others, []);
    });
  });
});
