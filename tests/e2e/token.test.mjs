// The page where others can reach it: without the token, with a wrong one, with the right one; and then recording as on loopback.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

describe("beyond loopback", { skip: withoutProgram() }, () => {
  const sockets = mkdtempSync(join(tmpdir(), "capture-"));
  process.env.KINETO_IPC_SOCKET_DIR = sockets; // of the program and the process alike
  const folder = makeTraces(["classic"]);
  const children = [];
  /** Its port and its token, of the address that it prints. */
  const start = async () => {
    const where = ["--host", "0.0.0.0", "--port", "0"];
    const child = spawn(programPath, ["view", folder, ...where]);
    children.push(child);
    const printed = /http:\/\/\S+?:(\d+)\/\?token=(\w+)/;
    const [, at, token] = await listening(child, printed, "the program");
    return { at: `http://127.0.0.1:${at}/`, port: at, token };
  };
  let server;
  let training;
  before(async () => {
    server = await start();
    training = spawn("python3", [fake]);
    children.push(training);
  });
  after(() => {
    for (const child of children) child.kill();
    rmSync(sockets, { recursive: true, force: true });
  });
  const refused = { expectErrors: true }; // the browser logs each 403

  test("without the token, and with another, a line says what to open", async () => {
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

  test("with it, a process is recorded, and the address holds it no more", async () => {
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

  test("two servers of one host keep their tokens apart; one that has another by now says so", async () => {
    const other = await start();
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
});
