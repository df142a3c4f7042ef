// Opening profiles from the page: real drops of files and folders, the dialog, the empty page. The program is
// started without a profile.
import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  dragFiles,
  makeTraces,
  onPage,
  queryOf,
  samples,
  startProgram,
  viewReady,
  withoutProgram,
} from "./browser.mjs";

const filesOf = (folder) =>
  readdirSync(folder).map((name) => join(folder, name));
const gpt = filesOf(join(samples, "gpt_cuda")).find((path) =>
  path.endsWith(".pt.trace.json.gz"),
);

const transfer = (page, name) => page.locator(`[data-transfer="${name}"]`);

describe("opening", { skip: withoutProgram() }, () => {
  let folder;
  let program;
  before(() => (folder = mkdtempSync(join(tmpdir(), "sightline-opening-"))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A page of a program that has no profile yet. */
  async function empty(use, { query = "", options = [], ...page } = {}) {
    process.env.SIGHTLINE_CACHE_DIR = mkdtempSync(join(folder, "cache-"));
    program = await startProgram("--wait", ...options);
    try {
      await onPage(program.address + query, use, page);
    } finally {
      program.stop();
    }
  }

  test("the empty page says how to open a profile, and its rail says why it leads nowhere", () =>
    empty(async (page) => {
      await page.getByText("Drop traces or a folder here").waitFor();
      await page
        .getByRole("main")
        .getByRole("button", { name: "Record a process" })
        .waitFor();
      assert.equal(await page.locator(".empty-commands code").count(), 3);
      await page
        .getByRole("button", { name: "Copy the command: sightline view runs/" })
        .click();
      assert.equal(
        await page.evaluate(() => navigator.clipboard.readText()),
        "sightline view runs/",
      );
      const dead = await page.locator(".rail-view[aria-disabled=true]").count();
      const all = await page.locator(".rail-view").count();
      assert.equal(all - dead, 1, "only the losses need no profile");
      await page.hover('[data-view-link="kernels"]');
      await page
        .locator(".tip.shown", { hasText: "Open a profile first." })
        .waitFor();
      await page.click('[data-view-link="losses"]');
      await page.getByText("Choose training logs").waitFor();
    }));

  test("a dropped file opens, and the page stays where it is", () =>
    empty(async (page) => {
      await page.getByText("Drop traces or a folder here").waitFor();
      await dragFiles(page, [gpt], "over");
      await page.locator(".drop-cover", { hasText: "Drop to open" }).waitFor();
      await page.locator(".drop-cover").waitFor({ state: "detached" });
      await dragFiles(page, [gpt]);
      await viewReady(page, "overview");
      assert.equal(queryOf(page).run, "gpt_cuda_rank0");
      const entries = await page.locator(".rail-view").count();
      const pictures = await page
        .locator(".rail-view .icon path")
        .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
      assert.equal(new Set(pictures).size, entries, "each has its own picture");
      assert.equal(new URL(page.url()).origin, new URL(program.address).origin);
      await transfer(page, gpt.split("/").at(-1)).waitFor({
        state: "detached",
      });
    }));

  test("several folders and files are dropped at once, over the timeline too", () =>
    empty(async (page) => {
      await dragFiles(page, [gpt]);
      await viewReady(page, "overview");
      await page.click('[data-view-link="timeline"]');
      await page.waitForSelector("canvas");
      await dragFiles(page, [
        join(samples, "ddp_cuda"),
        join(samples, "jax_cuda"),
        ...filesOf(join(samples, "ddp")),
      ]);
      for (const name of ["ddp_cuda", "jax_cuda"])
        await page
          .locator(`[data-transfer="${name}"][data-state="open"]`)
          .waitFor();
      await page.waitForFunction(
        () => document.querySelectorAll('[data-state="open"]').length === 3,
      );
      await page.click('[data-crumb="run"]');
      for (const name of [
        "gpt_cuda_rank0",
        "ddp_cuda",
        "jax_cuda",
        "ddp_rank0 +1",
      ])
        await page.locator(".picker-item", { hasText: name }).first().waitFor();
      await page.keyboard.press("Escape");
      await transfer(page, "ddp_cuda")
        .getByRole("button", { name: "Show" })
        .click();
      await page.waitForFunction(() =>
        location.search.includes("run=ddp_cuda"),
      );
    }));

  test("a folder of Ascend's is one profile", () =>
    empty(async (page) => {
      const run = makeTraces(["two_gpus"]);
      const made = join(folder, "host_1_20260101_ascend_pt");
      mkdirSync(join(made, "ASCEND_PROFILER_OUTPUT"), { recursive: true });
      const trace = readdirSync(run, { recursive: true }).find((name) =>
        /\.json(\.gz)?$/.test(name),
      );
      cpSync(
        join(run, trace),
        join(made, "ASCEND_PROFILER_OUTPUT/trace_view.json"),
      );
      mkdirSync(join(made, ".git"));
      writeFileSync(join(made, ".git/config"), "not sent");
      await dragFiles(page, [made]);
      await viewReady(page, "overview");
      assert.equal(queryOf(page).run, "host_1_20260101_ascend_pt");
    }));

  test("what cannot be opened says why", () =>
    empty(
      async (page) => {
        const notes = join(folder, "notes.txt");
        writeFileSync(notes, "hello");
        const bare = join(folder, "bare");
        mkdirSync(bare);
        await page.getByText("Drop traces or a folder here").waitFor();
        await dragFiles(page, [notes, bare]);
        await transfer(page, "notes.txt")
          .getByText("not a profile in a supported format")
          .waitFor();
        await transfer(page, "bare")
          .getByText("This folder contains no files.")
          .waitFor();
        await page.getByText("Drop traces or a folder here").waitFor();
        await page.getByRole("button", { name: "Done" }).click();
        await page.locator(".transfers").waitFor({ state: "detached" });
      },
      { expectErrors: true },
    ));

  test("a large file that cannot be opened is refused after its beginning", () =>
    empty(
      async (page) => {
        const film = join(folder, "film.mp4");
        writeFileSync(film, Buffer.alloc(3 << 20));
        const sent = [];
        page.on("request", (request) => {
          if (request.method() === "PUT") sent.push(request.url());
        });
        await dragFiles(page, [film]);
        await transfer(page, "film.mp4")
          .getByText("not a profile in a supported format")
          .waitFor();
        assert.deepEqual(
          sent.map((url) => new URL(url).search),
          ["?part=head"],
        );
      },
      { expectErrors: true },
    ));

  test("a transfer is cancelled, and nothing is left of it", () =>
    empty(async (page) => {
      await page.route("**/api/uploads/**", (route) =>
        route.request().method() === "PUT" ? undefined : route.continue(),
      );
      await dragFiles(page, [gpt]);
      const name = gpt.split("/").at(-1);
      await page
        .locator(`[data-transfer="${name}"][data-state="sending"]`)
        .waitFor();
      const gone = page.waitForResponse(
        (response) => response.request().method() === "DELETE",
      );
      await transfer(page, name)
        .getByRole("button", { name: /^Cancel/ })
        .click();
      assert.equal((await gone).status(), 200);
      await transfer(page, name).waitFor({ state: "detached" });
    }));

  test("the dialog opens files, a folder, a path, and closes what was sent", () =>
    empty(
      async (page) => {
        const button = page.getByRole("button", { name: "Open…" });
        await button.click();
        const dialog = page.getByRole("dialog", { name: "Open a profile" });
        await dialog
          .locator('[data-choose="folder"]')
          .setInputFiles(join(samples, "ddp_cuda"));
        await viewReady(page, "overview");
        assert.equal(queryOf(page).run, "ddp_cuda");
        await button.click();
        await dialog.locator('[data-choose="files"]').setInputFiles([gpt]);
        await page.waitForFunction(() => location.search.includes("gpt_cuda"));
        await button.click();
        const path = dialog.getByLabel("Or a path on the server");
        await path.fill("/nothing/here");
        await path.press("Enter");
        await dialog
          .getByText("/nothing/here: no such file or directory")
          .waitFor();
        await path.fill(join(samples, "conv"));
        await path.press("Enter");
        await page.waitForFunction(() => location.search.includes("run=conv"));
        await viewReady(page, "overview");
        await button.click();
        await dialog.getByRole("button", { name: /^Close ddp_cuda/ }).click();
        await dialog
          .locator('[data-upload="ddp_cuda"]')
          .waitFor({ state: "detached" });
        await page.keyboard.press("Escape");
        await page.click('[data-crumb="run"]');
        await page.locator(".picker-item", { hasText: "gpt_cuda" }).waitFor();
        assert.equal(
          await page.locator(".picker-item", { hasText: "ddp_cuda" }).count(),
          0,
        );
      },
      { expectErrors: true },
    ));

  test("the sample and a recent profile open from the empty page", () =>
    empty(async (page) => {
      await page.getByRole("button", { name: "Open the sample" }).click();
      await viewReady(page, "overview");
      assert.equal(queryOf(page).run, "sample_gpt");
      let recent;
      do
        recent = (
          await (await page.request.get(`${program.address}api/open`)).json()
        ).recent;
      while (recent.length === 0);
      const bare = mkdtempSync(join(folder, "bare-"));
      const next = await startProgram(bare, "--wait");
      try {
        await page.goto(next.address);
        await page.click('[data-recent="sample_gpt"]');
        await viewReady(page, "overview");
      } finally {
        next.stop();
      }
    }));

  test("a view that does not exist leads to the Overview", () =>
    empty(async (page) => {
      await dragFiles(page, [gpt]);
      await viewReady(page, "overview");
      await page.goto(`${program.address}?view=nope`);
      await page.getByText("There is no view named “nope”.").waitFor();
      await page.getByRole("link", { name: "Go to the Overview" }).click();
      await viewReady(page, "overview");
    }, {}));

  test("a server that opens nothing keeps the page, too", () =>
    empty(
      async (page) => {
        await page
          .getByText("This server opens no files from the page.")
          .first()
          .waitFor();
        assert.equal(
          await page.getByRole("button", { name: "Open…" }).count(),
          0,
        );
        const before = page.url();
        await dragFiles(page, [gpt]);
        await page
          .locator(".notice.shown", { hasText: "opens no files" })
          .waitFor();
        assert.equal(page.url(), before);
      },
      { options: ["--no-add"] },
    ));
});
