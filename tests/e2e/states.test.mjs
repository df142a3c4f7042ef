// Loading, empty, failed and gone: each state says what happened, why, and what to do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtures, onPage, viewReady } from "./browser.mjs";

const at = fixtures({ only: ["torn", "bare", "resnet50"] });
const loadingAt = fixtures({ only: ["slow"] });

test("while a profile loads each file shows its progress, and the view fills when it is ready", () =>
  onPage(loadingAt("?view=operators"), async (page) => {
    await page
      .locator('[data-file="slow/rank0.pt.trace.json.gz"] >> text=MB/s')
      .waitFor();
    await page
      .locator('[data-file="slow/rank2.pt.trace.json.gz"] >> text=queued')
      .waitFor();
    const progress = () =>
      page
        .getByRole("progressbar", { name: "slow/rank0.pt.trace.json.gz" })
        .getAttribute("aria-valuenow");
    const before = Number(await progress());
    await page.waitForFunction(
      (n) =>
        Number(document.querySelector('[role="progressbar"]').ariaValueNow) > n,
      before,
    );
    await page.request.post(loadingAt("dev/finish"));
    await viewReady(page, "operators");
    await page.getByText(/^\d+ rows$/).waitFor();
  }));

test("a failed profile shows the place and the cause", () =>
  onPage(at("?run=torn"), async (page) => {
    await page.getByText("This profile could not be read").waitFor();
    await page.getByText("it was cut before anything could be read").waitFor();
    await page.getByText("torn/worker0.pt.trace.json.gz:1048576").waitFor();
  }));

test("a panel without rows shows its sentence instead of an empty frame", () =>
  onPage(at("?run=bare&view=operators"), async (page) => {
    await page
      .getByText(
        "No operator was recorded: the capture holds only annotations.",
      )
      .waitFor();
  }));

test("a wrong address is answered with the part that is wrong", () =>
  onPage(at("?run=nothing"), async (page) => {
    await page
      .getByText("There is no run named “nothing” here. Choose one above.")
      .waitFor();
  }));

test("a failed report shows the server's message and can be requested again", () =>
  onPage(
    at("?view=operators&group_by=broken"),
    async (page) => {
      await page.getByText("group_by is name or shape, not broken.").waitFor();
      await page.getByRole("button", { name: "Try again" }).waitFor();
      await page.goto(at("?view=operators"));
      await viewReady(page, "operators");
      await page.evaluate(() =>
        history.replaceState(null, "", location.search + "&group_by=broken"),
      );
      await page.evaluate(() => dispatchEvent(new PopStateEvent("popstate")));
      await page.getByText("group_by is name or shape, not broken.").waitFor();
      await page.getByRole("radio", { name: "Operator", exact: true }).click();
      await viewReady(page, "operators");
      await page.locator(".row").first().waitFor();
    },
    { expectErrors: true },
  ));

test("a view that the profile cannot have says why, and offers no further try", () =>
  onPage(
    at("?view=overview"),
    async (page) => {
      await viewReady(page, "overview");
      await page.route("**/api/report?*view=kernels*", (route) =>
        route.fulfill({
          status: 404,
          json: {
            error: {
              code: "unsupported",
              message: "there is only one profile",
            },
          },
        }),
      );
      await page.click('[data-view-link="kernels"]');
      await page.getByText("This view is not possible here").waitFor();
      await page.getByText("There is only one profile.").waitFor();
      assert.equal(
        await page.getByRole("button", { name: "Try again" }).count(),
        0,
      );
    },
    { expectErrors: true },
  ));

test("a partial answer is marked on the view and on the panel", () =>
  onPage(at("?run=resnet50&view=memory"), async (page) => {
    await page
      .locator('[data-panel="curve"] .note', {
        hasText: "what was allocated before is not known",
      })
      .waitFor();
    await page.goto(at("?run=resnet50&view=overview"));
    await page
      .locator(".view > .notes", { hasText: "3 events could not be read" })
      .waitFor();
  }));

test("when the server ends, the page stays and shows a message", async () => {
  const { startFixtures } = await import("../../web/dev/server.mjs");
  const server = await startFixtures({ only: ["resnet50"] });
  await onPage(
    `http://127.0.0.1:${server.address().port}/?view=kernels`,
    async (page) => {
      await viewReady(page, "kernels");
      server.closeAllConnections();
      server.close();
      await page.getByText("The server does not answer.").waitFor();
      assert.ok((await page.locator(".row").count()) > 5);
    },
    { expectErrors: true },
  );
});

test("nothing is fetched from anywhere but the server", () =>
  onPage(at("?run=resnet50&view=overview"), async (page) => {
    const others = [];
    page.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (!["data:", "blob:"].includes(protocol) && hostname !== "127.0.0.1")
        others.push(request.url());
    });
    for (const view of [
      "overview",
      "operators",
      "modules",
      "memory",
      "distributed",
    ]) {
      await page.goto(at(`?run=resnet50&view=${view}`));
      await viewReady(page, view);
    }
    assert.deepEqual(others, []);
  }));
