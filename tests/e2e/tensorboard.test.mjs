// The Sightline tab in real TensorBoards, the oldest supported and the newest: every view opens, a table sorts, the timeline zooms, and
// new recordings appear. On loopback and beyond; behind a path prefix and a proxy, without TensorBoard's fast loading.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  columnTexts,
  dragFiles,
  onPage,
  queryOf,
  samples,
  viewReady,
  withoutProgram,
} from "./browser.mjs";
import { writeNeuronLog, writeSimulated } from "./neuron_log.mjs";
import { openTab, startProxy, startTensorBoard } from "./tensorboard.mjs";
import { open, windowOf, zoom } from "./timeline_page.mjs";

const kConv = "conv/conv_rank0.1795253688434341399.pt.trace.json.gz";
const kPrefixed = ["--path_prefix=/board", "--load_fast=false"];
const kAll = ["--bind_all"];

/** TensorBoard on a folder with one of the samples, or with what `write` puts there, for the calling describe block. */
function tensorBoard(environment, options, behindProxy, write) {
  const made = { folder: "", address: "" };
  const ends = [];
  before(async () => {
    made.folder = mkdtempSync(join(tmpdir(), "sightline-logs-"));
    if (write) write(made.folder);
    else record("conv");
    const board = await startTensorBoard(environment, made.folder, ...options);
    ends.push(board.stop);
    made.address = board.address;
    if (behindProxy) {
      const proxy = await startProxy(board.address, "/lab/7/");
      ends.push(proxy.stop);
      made.address = proxy.address;
    }
  });
  after(() => {
    for (const end of ends.reverse()) end();
    rmSync(made.folder, { recursive: true, force: true });
  });
  const record = (run) => {
    mkdirSync(join(made.folder, run), { recursive: true });
    copyFileSync(join(samples, kConv), join(made.folder, run, kConv.slice(5)));
  };
  /** Runs `use` on a page and the tab's frame; fails if the frame complained. */
  const onTab = async (use) => {
    const complaints = [];
    // First a text of the plugin, because a page of the site is needed before the tab is opened.
    const start = `${made.address}data/plugin/sightline/index.js`;
    await onPage(
      start,
      async (page) => {
        const frame = await openTab(page, made.address, complaints);
        await use(frame, page);
      },
      { expectErrors: true },
    );
    assert.deepEqual(complaints, []);
  };
  return { onTab, record };
}

const ask = (frame) =>
  frame.evaluate(() => fetch("api/state").then((answer) => answer.json()));

async function everyViewOpens(frame) {
  await viewReady(frame, "overview");
  const state = await ask(frame);
  const { views } = state.runs[0].workers[0].spans[0];
  const listed = state.views.map((view) => view.id);
  const there = listed.filter((id) => views[id] === null);
  assert.ok(there.length >= 6, there.join());
  for (const id of there) {
    await frame.locator(`[data-view-link="${id}"]`).click();
    await viewReady(frame, id);
    assert.ok((await frame.locator(".panel").count()) > 0, id);
    assert.equal(await frame.locator(".state").count(), 0, id);
  }
}

/** The address of the tab's frame, which "Copy link" gives, opens the same as a separate page. */
async function aTableSorts(frame, page) {
  await frame.locator('[data-view-link="operators"]').click();
  await viewReady(frame, "operators");
  const calls = frame.getByRole("columnheader", { name: /^Calls/ });
  await calls.click();
  await frame.waitForSelector('[role="columnheader"][aria-sort="descending"]');
  const shown = await columnTexts(frame, "operators", "calls");
  const numbers = shown.map((text) => Number(text.replace(/,/g, "")));
  assert.ok(numbers.length > 5);
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => b - a),
  );
  assert.equal(queryOf(frame)["operators.sort"], "-calls");
  await page.goto(frame.url());
  await viewReady(page, "operators");
  await page.waitForSelector('[role="columnheader"][aria-sort="descending"]');
  const own = await columnTexts(page, "operators", "calls"); // a taller page
  assert.deepEqual(own.slice(0, shown.length), shown);
}

async function theTimelineZooms(frame, page) {
  await frame.locator('[data-view-link="timeline"]').click();
  const box = await open(frame);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await zoom(page, -1000);
  await frame.waitForURL(/timeline\.window=/);
  const [start, end] = windowOf(frame);
  await zoom(page, -1000);
  await frame.waitForFunction(
    (before) => !location.search.includes(before),
    `${start},${end}`,
  );
  const [later, sooner] = windowOf(frame);
  assert.ok(later >= start && sooner <= end && sooner - later < end - start);
}

/** The tab's language: its button changes it in place, and the choice is kept when the tab is reopened. */
async function chineseIsSpoken(frame, page) {
  await viewReady(frame, "overview");
  const title = (of) =>
    of.locator('[data-view-link="operators"] .rail-title').textContent();
  await frame.getByRole("button", { name: "Language: English" }).click();
  await frame.waitForSelector('html[lang="zh-CN"]');
  assert.equal(await title(frame), "算子");
  const panels = await frame.locator(".panel h2").allTextContents();
  const chinese = panels.filter((text) => /\p{Script=Han}/u.test(text));
  assert.ok(chinese.length >= 3, panels.join()); // "Step" is the term in both
  await frame.locator('[data-view-link="operators"]').click();
  await viewReady(frame, "operators");
  assert.ok(
    await frame.getByRole("columnheader", { name: /^调用次数/ }).count(),
  );
  await page.reload();
  const own = (other) => other.url().includes("plugin/sightline/index.html");
  while (!page.frames().some(own)) await page.waitForEvent("framenavigated");
  const again = page.frames().find(own);
  await again.waitForSelector('html[lang="zh-CN"]');
  assert.equal(await title(again), "算子");
}

/** Neither TensorBoard nor the page is reloaded: the page's own request for the state finds the new recording. */
async function whatIsRecordedAppears(frame, page, record) {
  await viewReady(frame, "overview");
  const isRead = async (response) => {
    if (!response.url().endsWith("api/state")) return false;
    const { runs } = await response.json();
    const later = runs.find((run) => run.name === "later");
    return later?.workers[0].spans[0].status === "ready";
  };
  const read = page.waitForResponse(isRead);
  record("later");
  await read;
  await frame.locator('[data-crumb="run"]').click();
  await frame.locator(".picker-item", { hasText: "later" }).click();
  await frame.waitForURL(/run=later/);
  await viewReady(frame, "overview");
}

for (const [name, environment, options, proxy] of [
  ["the newest, open to all", "newest", kAll, false],
  ["the oldest, behind a prefix and a proxy", "oldest", kPrefixed, true],
]) {
  describe(`TensorBoard: ${name}`, { skip: withoutProgram() }, () => {
    const { onTab, record } = tensorBoard(environment, options, proxy);
    test("every view opens", () => onTab(everyViewOpens));
    test("a table sorts", () => onTab(aTableSorts));
    test("the timeline zooms", () => onTab(theTimelineZooms));
    test("the tab shows Chinese", () => onTab(chineseIsSpoken));
    test("a dropped file opens nothing and keeps the tab", () =>
      onTab(async (frame, page) => {
        await viewReady(frame, "overview");
        assert.equal(
          await frame.getByRole("button", { name: "Open…" }).count(),
          0,
        );
        const before = [page.url(), frame.url()];
        await dragFiles(page, [join(samples, kConv)]);
        await frame
          .locator(".notice.shown", { hasText: "opens no files" })
          .waitFor();
        assert.deepEqual([page.url(), frame.url()], before);
      }));
    test("new recordings appear", () =>
      onTab((frame, page) => whatIsRecordedAppears(frame, page, record)));
  });
}

for (const [name, environment, options, proxy] of [
  ["the newest, behind a prefix and a proxy", "newest", kPrefixed, true],
  ["the oldest, as it starts by itself", "oldest", [], false],
]) {
  describe(`TensorBoard: ${name}`, { skip: withoutProgram() }, () => {
    const { onTab } = tensorBoard(environment, options, proxy);
    test("the tab opens, the timeline zooms, a table sorts", () =>
      onTab(async (frame, page) => {
        await viewReady(frame, "overview");
        await theTimelineZooms(frame, page);
        await aTableSorts(frame, page);
      }));
  });
}

describe(
  "TensorBoard: a log of Neuron's plugin",
  {
    skip: withoutProgram(),
  },
  () => {
    const write = (folder) => {
      writeNeuronLog(folder);
      writeSimulated(folder);
    };
    const { onTab } = tensorBoard("newest", [], false, write);
    test("its tools are views of the tab", () =>
      onTab(async (frame) => {
        for (const view of [
          "framework_operators",
          "program_operators",
          "operator_hierarchy",
        ]) {
          await frame.locator(`[data-view-link="${view}"]`).click();
          await viewReady(frame, view);
          assert.ok((await frame.locator(".panel").count()) > 1, view);
        }
        const names = await columnTexts(frame, "hierarchy", "name");
        assert.ok(names.includes("NN[model]"), names.join());
        await frame.locator('[data-view-link="timeline"]').click();
        await frame.getByText("Process Execution").first().waitFor();
      }));
    test("every view of a simulated profile is marked in the tab", () =>
      onTab(async (frame) => {
        await viewReady(frame, "overview");
        await frame.locator('[data-crumb="run"]').click();
        await frame.locator(".picker-item", { hasText: "simulated" }).click();
        await frame.waitForURL(/run=simulated/);
        for (const view of ["overview", "kernels", "timeline", "metadata"]) {
          await frame.locator(`[data-view-link="${view}"]`).click();
          await viewReady(frame, view);
          await frame.locator(".badge", { hasText: /^simulated$/ }).waitFor();
          await frame
            .getByText(/simulated: no device ran/)
            .first()
            .waitFor();
        }
      }));
  },
);
