// Modules and the call tree of a real recording: the tree opens, the flame graph zooms and returns, rows lead on. And
// source links: where a frame's link leads, and that the setting is kept. Skipped parts give the reason.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  columnTexts,
  fixtures,
  get,
  onPage,
  queryOf,
  samples,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

const at = fixtures({ only: ["resnet50"] });
const stacks = "?view=operator_stacks&name=aten::conv2d";

async function openSettings(page) {
  await page.getByRole("button", { name: "Source links" }).click();
  return page.getByRole("dialog", { name: "Source links" });
}

test("a frame is text until a rule makes its path absolute, then it is a link, and stays one", () =>
  onPage(at(stacks), async (page) => {
    await viewReady(page, "operator_stacks");
    assert.equal(await page.locator("a.source").count(), 0);
    const dialog = await openSettings(page);
    await dialog.getByLabel("Recorded paths").fill("=> /home/me/a b/");
    const link = "vscode://file/home/me/a%20b/torchvision/models/resnet.py:146";
    await page.waitForFunction(
      (link) =>
        document.querySelector("a.source")?.getAttribute("href") === link,
      link,
    );
    assert.equal(await dialog.locator("[data-preview]").textContent(), link);
    await page.reload();
    await viewReady(page, "operator_stacks");
    assert.equal(
      await page.locator("a.source").first().getAttribute("href"),
      link,
    );
    assert.ok(!page.url().includes("home"));
  }));

test("another editor, a web site, and no links at all", () =>
  onPage(at(stacks), async (page) => {
    await viewReady(page, "operator_stacks");
    const dialog = await openSettings(page);
    await dialog.getByLabel("Recorded paths").fill("=> /r/");
    const href = () => page.locator("a.source").first().getAttribute("href");
    const choose = dialog.getByLabel("Open in");
    await choose.selectOption({ label: "JetBrains IDE" });
    assert.equal(
      await href(),
      "idea://open?file=/r/torchvision/models/resnet.py&line=146",
    );
    await choose.selectOption({ label: "Another pattern" });
    await dialog
      .getByLabel("Pattern")
      .fill("https://host.example/{path}#L{line}");
    assert.equal(
      await href(),
      "https://host.example/r/torchvision/models/resnet.py#L146",
    );
    assert.equal(
      await page.locator("a.source").first().getAttribute("rel"),
      "noopener noreferrer",
    );
    await choose.selectOption({ label: "No links" });
    assert.equal(await page.locator("a.source").count(), 0);
  }));

test("a pattern that could run something is refused, typed or stored", () =>
  onPage(at(stacks), async (page) => {
    await viewReady(page, "operator_stacks");
    const dialog = await openSettings(page);
    await dialog.getByLabel("Recorded paths").fill("=> /r/");
    await dialog
      .getByLabel("Open in")
      .selectOption({ label: "Another pattern" });
    for (const pattern of [
      "javascript://%0aalert(1)//{path}",
      "data:text/html,{path}",
    ]) {
      await dialog.getByLabel("Pattern").fill(pattern);
      await dialog.getByRole("alert").getByText("are allowed").waitFor();
      assert.equal(await page.locator("a.source").count(), 0, pattern);
    }
    await page.evaluate(() =>
      localStorage.setItem(
        "sightline.settings",
        JSON.stringify({
          sourcePattern: "javascript://x/{path}",
          pathMap: "=> /r/",
        }),
      ),
    );
    await page.reload();
    await viewReady(page, "operator_stacks");
    assert.equal(await page.locator("a.source").count(), 0);
  }));

describe("with the program", { skip: withoutProgram() }, () => {
  const on = withProgram(`${samples}/transformer`);

  test("the tree of modules opens level by level", () =>
    onPage(on("?view=modules"), async (page) => {
      await viewReady(page, "modules");
      const before = await columnTexts(page, "modules", "name");
      assert.ok(before.includes("Encoder_0"), before.join());
      const layer = page.locator(".row", { hasText: "TransformerEncoder_0" });
      await layer.getByRole("button", { name: "Expand" }).click();
      await page
        .locator(".row", { hasText: "TransformerEncoderLayer_0" })
        .waitFor();
      assert.ok(
        (await columnTexts(page, "modules", "name")).length > before.length,
      );
      await layer.getByRole("button", { name: "Collapse" }).click();
      await page.waitForFunction(
        (n) =>
          document.querySelectorAll('[data-table="modules"] [data-row]')
            .length === n,
        before.length,
      );
    }));

  test("the flame graph of modules zooms in, its row is chosen, and Escape shows all again", () =>
    onPage(on("?view=modules"), async (page) => {
      await viewReady(page, "modules");
      await page.waitForSelector(".flame canvas[data-drawn]");
      const box = await page.locator(".flame canvas").boundingBox();
      await page.mouse.click(box.x + 40, box.y + 30);
      await page.waitForURL(/modules_flame\.focus=\d+/);
      await page.locator('.row[aria-selected="true"]').waitFor();
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => !location.search.includes("focus"));
    }));

  test("a module leads to its operators and to its longest call", () =>
    onPage(on("?view=modules"), async (page) => {
      await viewReady(page, "modules");
      const row = page.locator(".row", { hasText: "Encoder_0" }).first();
      await row.click({ button: "right" });
      await page
        .getByRole("menuitem", { name: "Operators of this module" })
        .click();
      await viewReady(page, "operators");
      assert.equal(queryOf(page).module, "nn.Module: Encoder_0");
      assert.ok((await columnTexts(page, "operators", "name")).length > 0);
      await page.goBack();
      await viewReady(page, "modules");
      await row.click({ button: "right" });
      await page
        .getByRole("menuitem", { name: "Longest on the timeline" })
        .click();
      await page.waitForURL(/view=timeline.*slice=\d+/);
    }));

  test("the call tree names Python functions, whose lines are links once their paths are known", () =>
    onPage(on("?view=call_tree&tree=python"), async (page) => {
      await viewReady(page, "call_tree");
      const dialog = await openSettings(page);
      await dialog.getByLabel("Recorded paths").fill("=> /home/me/");
      await page.keyboard.press("Escape");
      const link = page.locator('[data-table="calls"] a.source').first();
      assert.match(
        await link.getAttribute("href"),
        /^vscode:\/\/file\/home\/me\/.+\.py:\d+$/,
      );
    }));

  /** The widths of the boxes and the search are asserted by their text: the graph itself is a drawing. */
  const flameStatus = (page, flame) =>
    page.locator(`[data-panel="${flame}"] .flame-search [role="status"]`);

  test("a search in the flame graph counts its matches and goes from one to the next", () =>
    onPage(on("?view=call_tree&time=host"), async (page) => {
      await viewReady(page, "call_tree");
      const field = page.getByRole("searchbox", {
        name: "Search: Host time by path",
      });
      await field.fill("backward");
      const status = flameStatus(page, "flame");
      await page.waitForURL(/flame\.find=backward/);
      const counted = /^(\d+) boxes, (\d+\.\d)% of the total$/.exec(
        await status.textContent(),
      );
      assert.ok(counted && Number(counted[1]) > 1);
      assert.ok(Number(counted[2]) > 0 && Number(counted[2]) < 100);
      await field.press("Enter");
      assert.match(await status.textContent(), /^1 of \d+ boxes/);
      const first = queryOf(page)["flame.found"];
      await page
        .getByRole("button", { name: "Next match (Enter)" })
        .first()
        .click();
      assert.match(await status.textContent(), /^2 of \d+ boxes/);
      assert.notEqual(queryOf(page)["flame.found"], first);
      await field.press("Shift+Enter");
      assert.equal(queryOf(page)["flame.found"], first);
      await field.fill("no such thing");
      assert.equal(await status.textContent(), "no box matches");
      await field.press("Escape");
      await page.waitForURL((url) => !url.search.includes("flame.find"));
    }));

  test("bottom up: functions and their callers; a row leads to what is around its function", () =>
    onPage(on("?view=call_tree&time=host"), async (page) => {
      await viewReady(page, "call_tree");
      await page.getByRole("radio", { name: "Bottom up" }).click();
      await page.waitForURL(/show=callers/);
      const row = page
        .locator('[data-table="functions"] [data-row]', {
          hasText: "aten::addmm",
        })
        .first();
      await row.click({ button: "right" });
      await page.getByRole("menuitem", { name: "Callers and callees" }).click();
      await page.waitForURL(/function=aten::addmm/);
      await page.waitForSelector('[data-table="callers"] [data-row]');
      const callers = await columnTexts(page, "callers", "name");
      assert.equal(callers[0], "aten::addmm");
      assert.equal(
        (await columnTexts(page, "callees", "name"))[0],
        "aten::addmm",
      );
      const boxes = await page
        .locator(".flame canvas[data-drawn]")
        .evaluateAll((all) =>
          all.map((each) => each.getBoundingClientRect().y),
        );
      assert.equal(boxes.length, 2); // callers above, callees below
      const [scrolled, hidden] = await page
        .locator(".flame")
        .first()
        .evaluate((flame) => [
          flame.scrollTop,
          flame.scrollHeight - flame.clientHeight,
        ]);
      assert.equal(scrolled, hidden); // its root is in sight
      assert.equal(hidden, 0); // and all of so small a graph
      await page
        .locator(".trail")
        .getByRole("button", { name: "All functions" })
        .click();
      await page.waitForURL((url) => !url.search.includes("function="));
      await page.waitForSelector('[data-table="calls"] [data-row]');
    }));

  test("a Python function on the timeline shows its line", () =>
    onPage(on(""), async (page) => {
      const found = await (
        await get(on("api/search?text=train_transformer.py&limit=1"))
      ).json();
      await page.evaluate(() =>
        localStorage.setItem(
          "sightline.settings",
          JSON.stringify({ pathMap: "=> /home/me/" }),
        ),
      );
      await page.goto(on(`?view=timeline&slice=${found.hits[0].slice}`));
      const link = page.locator(".timeline-facts a.source").first();
      assert.match(
        await link.getAttribute("href"),
        /^vscode:\/\/file\/home\/me\/train_transformer\.py:\d+$/,
      );
    }));

  test("Lightning says why it is not available", () =>
    onPage(on("?view=lightning"), async (page) => {
      await page
        .getByText("not recorded by PyTorch Lightning")
        .first()
        .waitFor();
    }));
});
