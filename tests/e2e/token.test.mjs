// The page and its token: missing, wrong and right; beyond loopback and on it, where pages of other sites send requests.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  listening,
  makeTraces,
  onPage,
  programPath,
  viewReady,
  withoutProgram,
} from "./browser.mjs";

const fake = fileURLToPath(
  new URL("../support/fake_torch.py", import.meta.url),
);

describe("the token", { skip: withoutProgram() }, () => {
  const sockets = mkdtempSync("/tmp/capture-"); // the path of a socket must be short
  process.env.KINETO_IPC_SOCKET_DIR = sockets; // for both the program and the process
  const folder = makeTraces(["classic"]);
  const children = [];
  /** Its port and its token, from the printed address. */
  const start = async (...where) => {
    const child = spawn(programPath, [
      ...["view", folder, "--port", "0", ...where],
    ]);
    children.push(child);
    const printed = /http:\/\/\S+?:(\d+)\/\?token=(\w+) /;
    const [, at, token] = await listening(child, printed, "the program");
    return { at: `http://127.0.0.1:${at}/`, port: at, token };
  };
  let server;
  let training;
  before(async () => {
    server = await start("--host", "0.0.0.0");
    training = spawn("python3", [fake]);
    children.push(training);
  });
  after(() => {
    for (const child of children) child.kill();
    rmSync(sockets, { recursive: true, force: true });
  });
  const refused = { expectErrors: true }; // the browser logs each 403

  test("without the token, and with a wrong one, a message says what to open", async () => {
    for (const [query, line] of [
      ["", /a token is required: open the address that the program printed/],
      ["?token=wrong", /this is not the token of this server/],
    ]) {
      const use = async (page) => {
        assert.match(await page.locator("body").innerText(), line);
        const answer = await page.request.get(`${server.at}api/capture`);
        assert.equal(answer.status(), 403);
        assert.equal((await page.context().cookies(server.at)).length, 0);
      };
      await onPage(server.at + query, use, refused);
    }
  });

  test("with the token, a process is recorded, and the address no longer has it", async () => {
    await onPage(`${server.at}?token=${server.token}`, async (page) => {
      await viewReady(page, "overview");
      assert.doesNotMatch(page.url(), /token/);
      await page.getByRole("button", { name: "Record a process" }).click();
      const dialog = page.getByRole("dialog", { name: "Record a process" });
      await dialog.getByRole("button", { name: "Look for processes" }).click();
      await dialog.getByText(String(training.pid)).waitFor();
      await dialog.getByLabel("Seconds").fill("0.2");
      await dialog.getByRole("button", { name: "Record" }).click();
      await dialog.getByText("Recorded:").waitFor();
      await dialog.getByRole("button", { name: "Open" }).click();
      await viewReady(page, "overview");
      assert.match(page.url(), /run=captures/);
    });
  });

  test("two servers of one host have separate tokens; a server with a new token refuses the old one", async () => {
    const other = await start("--host", "0.0.0.0");
    const use = async (page) => {
      await viewReady(page, "overview");
      await page.goto(server.at);
      await viewReady(page, "overview");
      await page.goto(other.at);
      await viewReady(page, "overview");
      const name = `sightline_token_${other.port}`;
      const before = { name, value: "of-before", url: other.at };
      await page.context().addCookies([before]);
      await page.getByText(/this is not the token of this server/).waitFor();
    };
    await onPage(`${other.at}?token=${other.token}`, use, refused);
  });

  test("the address loses the token before the page loads: neither Back nor the page's script can read it", async () => {
    await onPage(
      `${server.at}?token=${server.token}&view=operators`,
      async (page) => {
        await viewReady(page, "operators");
        assert.doesNotMatch(page.url(), /token/);
        const entry = "performance.getEntriesByType('navigation')[0].name";
        assert.doesNotMatch(await page.evaluate(entry), /token/);
        const cookies = await page.evaluate("document.cookie");
        assert.ok(!cookies.includes(`sightline_token_${server.port}=`));
      },
    );
  });

  test(
    "a page of another site cannot use the user's cookie for requests, but may link here",
    { timeout: 120_000 },
    async () => {
      const local = await start();
      const elsewhere = createServer((request, response) => {
        response.setHeader("Content-Type", "text/html");
        response.end(`<a href="${local.at}?view=operators">to the profile</a>`);
      });
      await new Promise((done) => elsewhere.listen(0, "127.0.0.1", done));
      const { port } = elsewhere.address();
      const use = async (page) => {
        await viewReady(page, "overview");
        const session = await page.context().newCDPSession(page);
        await session.send("Network.enable");
        // The status of each response by its address, which the page itself does not see. The two events come in any order.
        const asked = new Map();
        const statuses = new Map();
        session.on("Network.requestWillBeSent", ({ request, requestId }) =>
          asked.set(request.url, requestId),
        );
        const told = "Network.responseReceivedExtraInfo";
        session.on(told, ({ requestId, statusCode }) =>
          statuses.set(requestId, statusCode),
        );
        const statusOf = async (address) => {
          while (!statuses.has(asked.get(address)))
            await page.evaluate(() => new Promise(requestAnimationFrame));
          return statuses.get(asked.get(address));
        };
        // The same site with another port, and another site: "localhost" is not the same site as 127.0.0.1.
        for (const host of ["127.0.0.1", "localhost"]) {
          await page.goto(`http://${host}:${port}/`);
          const address = `${local.at}api/query?sql=select+1&from=${host}`;
          const loaded = await page.evaluate(
            (source) =>
              new Promise((done) => {
                const image = document.createElement("img");
                image.onload = () => done(true);
                image.onerror = () => done(false);
                image.src = source;
              }),
            address,
          );
          assert.equal(loaded, false);
          assert.equal(await statusOf(address), 403);
        }
        await page.getByText("to the profile").click();
        await viewReady(page, "operators");
      };
      try {
        await onPage(`${local.at}?token=${local.token}`, use, refused);
      } finally {
        elsewhere.close();
        elsewhere.closeAllConnections();
      }
    },
  );
});
