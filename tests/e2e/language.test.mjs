// English and Chinese: switching in place, where the choice is kept, and that only names of the trace stay English.
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  fixtures,
  get,
  makeTraces,
  onPage,
  queryOf,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";
import { writeNeuronLog } from "./neuron_log.mjs";
import {
  englishLeft,
  loadTables,
  namesIn,
  namesOf,
  textsOf,
  visibleTexts,
} from "./texts.mjs";

const at = fixtures({ only: ["resnet50"] });

/** The view's title in the rail. */
const titleOf = (page, view) =>
  page.locator(`[data-view-link="${view}"] .rail-title`).textContent();
const inChinese = (page) => page.waitForSelector('html[lang="zh-CN"]');
const inEnglish = (page) => page.waitForSelector('html[lang="en"]');

test("the language changes in place and in the address", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    const search = page.locator("[data-search]").first();
    await search.fill("conv");
    await page.waitForFunction(() => location.search.includes(".search=conv"));
    await page.locator("main").evaluate((element) => {
      element.dataset.same = "yes";
    });
    await page.getByRole("button", { name: "Language: English" }).click();
    await inChinese(page);
    assert.equal(await titleOf(page, "operators"), "算子");
    assert.equal(await page.locator("h1").textContent(), "算子");
    assert.equal(queryOf(page).lang, "zh");
    // The same page, with the typed text in it.
    assert.equal(await page.locator('main[data-same="yes"]').count(), 1);
    assert.equal(await search.inputValue(), "conv");
    assert.equal(await search.getAttribute("placeholder"), "搜索");
    assert.ok(
      await page.getByRole("columnheader", { name: /^调用次数/ }).count(),
    );
    assert.deepEqual(
      asked.filter((address) => address.includes("/api/report")),
      [],
    );
    await page.getByRole("button", { name: "语言：中文" }).click();
    await inEnglish(page);
    assert.equal(await titleOf(page, "operators"), "Operators");
    assert.equal(queryOf(page).lang, "en");
    assert.ok(await page.getByRole("columnheader", { name: /^Calls/ }).count());
  }));

test("reloading keeps the language, another window uses it, and a link overrides it", () =>
  onPage(at("?view=operators&lang=zh"), async (page) => {
    await inChinese(page);
    const other = async (query, use) => {
      const second = await page.context().newPage();
      try {
        await second.goto(at(query));
        await viewReady(second, "operators");
        await use(second);
      } finally {
        await second.close();
      }
    };
    // The language of a link is not a choice of the user.
    await other("?view=operators", (second) => inEnglish(second));
    await page.reload();
    await inChinese(page);
    await page.keyboard.press("l");
    await inEnglish(page);
    await page.keyboard.press("l");
    await inChinese(page);
    await other("?view=operators", async (second) => {
      await inChinese(second);
      assert.equal(queryOf(second).lang, "zh");
    });
    await other("?view=operators&lang=en", (second) => inEnglish(second));
    await page.evaluate(() => localStorage.clear());
  }));

test("Back keeps the current language", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.locator('[data-view-link="kernels"]').click();
    await viewReady(page, "kernels");
    await page.keyboard.press("l");
    await inChinese(page);
    await page.goBack();
    await viewReady(page, "operators");
    await inChinese(page);
    assert.equal(queryOf(page).lang, "zh");
  }));

test("the palette and the key sheet use it", () =>
  onPage(at("?view=operators"), async (page) => {
    await viewReady(page, "operators");
    await page.keyboard.press("?");
    await page.getByText("The other language: English, 中文").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Language 中文");
    await page.keyboard.press("Enter");
    await inChinese(page);
    await page.keyboard.press("?");
    await page.getByText("切换语言：English、中文").waitFor();
  }));

test("English pages do not load Chinese", () =>
  onPage(at("?view=operators"), async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.reload();
    await viewReady(page, "operators");
    assert.ok(asked.length > 0);
    assert.ok(!asked.some((address) => address.includes("chinese")));
    await page.keyboard.press("l");
    await inChinese(page);
    assert.ok(asked.some((address) => address.includes("chinese")));
  }));

test("a browser that prefers Chinese gets Chinese, and the address does not name it", () =>
  onPage(at("?view=operators"), async (page) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "language", { get: () => "zh-TW" }),
    );
    await page.reload();
    await viewReady(page, "operators");
    await inChinese(page);
    assert.equal(queryOf(page).lang, undefined);
  }));

const kTexts = [
  "nccl",
  "nccl_rank1",
  "hip_memory",
  "modules",
  "lightning",
  "two_gpus",
  "trailing_step",
  "no_step",
  "cpu_only",
  "counters",
];

/** Every view of these is read. */
const kRead = ["ddp", "hip_memory", "modules", "log"];

describe("with the program", { skip: withoutProgram() }, () => {
  const traces = makeTraces(kTexts);
  writeNeuronLog(join(traces, "log")); // operators of compiled programs
  const program = withProgram(traces);
  const ask = async (query) => (await get(program(`api/${query}`))).json();

  for (const lang of ["en", "zh"])
    test(`the user reads every view's name in the rail to its end (${lang})`, () =>
      onPage(program(`?view=metadata&lang=${lang}`), async (page) => {
        await viewReady(page, "metadata");
        await page.mouse.move(720, 450);
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll("[data-view-link]")]
            .filter((link) => {
              const title = link.querySelector(".rail-title");
              const words = document.createRange();
              words.selectNodeContents(title);
              const [read, seen] = [words, title].map(
                (each) => each.getBoundingClientRect().right,
              );
              return read > seen + 0.5;
            })
            .map((link) => link.textContent),
        );
        assert.deepEqual(cut, []);
        assert.ok((await page.locator("[data-view-link]").count()) > 40);
      }));

  test("every text of the program for these traces has Chinese", async () => {
    const { translateIn } = await loadTables();
    const left = new Set();
    for (const { text, messages } of await textsOf(ask)) {
      const said = translateIn(messages, text);
      const names = namesOf(messages?.[text]);
      if (englishLeft(said, names).length > 0) left.add(text);
    }
    assert.deepEqual(
      [...left],
      [],
      "texts without Chinese: add them to web/src/base/zh",
    );
  });

  /** The English words in the texts of a page, with `where`. */
  const leftIn = (texts, names, where) =>
    texts.flatMap((text) =>
      englishLeft(text, names).map((word) => `${where}: ${word} in "${text}"`),
    );
  const readPage = async (page, names, where) =>
    leftIn(await page.evaluate(visibleTexts), names, where);

  test("on every view only names of the trace stay English", async () => {
    const state = await ask("state");
    const left = [];
    for (const run of state.runs.filter(({ name }) => kRead.includes(name))) {
      const [worker] = run.workers;
      const names = state.runs.flatMap((each) => [
        each.name,
        ...each.workers.map(({ name }) => name),
      ]);
      names.push("one-graph"); // a change, as users write it
      const query = new URLSearchParams({
        run: run.name,
        worker: worker.name,
        span: worker.spans[0].name,
        view: "overview",
        lang: "zh",
      });
      await onPage(
        program(),
        async (page) => {
          const answers = [];
          page.on("response", (answer) => {
            if (/api\/(report|timeline|slice)/.test(answer.url()))
              answers.push(answer.json().catch(() => null));
          });
          await page.goto(program(`?${query}`));
          await viewReady(page, "overview");
          for (const { id } of state.views) {
            if (id === "query") continue; // its tables and columns are names
            // Without the navigation: a view that this profile cannot have shows the reason.
            await page
              .locator(`[data-view-link="${id}"]`)
              .click({ force: true });
            await page.waitForSelector(
              `[data-view="${id}"][data-ready="true"], .state`,
            );
            await page.waitForLoadState("networkidle");
            // The page first: the responses that it shows have arrived then, and contain its names.
            const texts = await page.evaluate(visibleTexts);
            for (const answer of await Promise.all(answers))
              names.push(...namesIn(answer));
            left.push(
              ...leftIn(texts, [...new Set(names)], `${run.name}, ${id}`),
            );
          }
          // A view over ranks may refuse them, which the browser reports as a failed request.
        },
        { expectErrors: run.workers.length > 1 && /Failed to load resource/ },
      );
    }
    assert.deepEqual(left, []);
  });

  test("the losses of two logs, the key sheet and the selected slice are Chinese", () =>
    onPage(program("?view=losses&lang=zh"), async (page) => {
      await viewReady(page, "losses");
      const log = (name, least) => ({
        name,
        mimeType: "text/plain",
        buffer: Buffer.from(
          [3, 2, least]
            .map((loss, i) => `iteration ${i} loss: ${loss}`)
            .join("\n"),
        ),
      });
      await page
        .locator('input[type="file"]')
        .setInputFiles([log("a.log", 1), log("b.log", 1.5)]);
      await page.locator('[data-panel="differences_table"]').waitFor();
      const runs = (await ask("state")).runs.map(({ name }) => name);
      const names = ["a.log", "b.log", "worker", ...runs];
      const left = await readPage(page, names, "losses");
      await page.locator("main").click({ position: { x: 4, y: 4 } });
      await page.keyboard.press("?");
      await page.locator(".key-sheet").waitFor();
      left.push(...(await readPage(page, names, "keys")));
      assert.deepEqual(left, []);
    }));
});
