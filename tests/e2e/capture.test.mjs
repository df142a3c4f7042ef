// Recording from the page, with the real program and a process that polls for requests as PyTorch does.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  listening,
  makeTraces,
  onPage,
  viewReady,
  withProgram,
  withoutProgram,
} from "./browser.mjs";

const fake = fileURLToPath(
  new URL("../support/fake_torch.py", import.meta.url),
);

describe("recording from the page", { skip: withoutProgram() }, () => {
  const sockets = mkdtempSync("/tmp/capture-"); // the path of a socket must be short
  process.env.KINETO_IPC_SOCKET_DIR = sockets; // for both the program and the process
  const at = withProgram(makeTraces(["classic"]));
  let training;
  before(() => {
    training = spawn("python3", [fake]);
  });
  after(() => {
    training.kill();
    rmSync(sockets, { recursive: true, force: true });
  });

  const open = async (page) => {
    await viewReady(page, "overview");
    await page.getByRole("button", { name: "Record a process" }).click();
    return page.getByRole("dialog", { name: "Record a process" });
  };

  test("a process is found, recorded, and shown as a profile", async () => {
    await onPage(at("?view=overview"), async (page) => {
      const dialog = await open(page);
      const record = dialog.getByRole("button", { name: "Record" });
      assert.equal(
        await record.isDisabled(),
        true,
        "no process is selected yet",
      );
      await dialog.getByRole("button", { name: "Look for processes" }).click();
      await dialog.getByText(String(training.pid)).waitFor();
      await dialog.getByLabel("Seconds").fill("0.3");
      await dialog.getByLabel("Shapes").check();
      const asked = listening(
        training,
        /"PROFILE_REPORT_INPUT_SHAPES": "true"/,
        "the process",
      );
      await record.click();
      await asked;
      await dialog.getByText("Recorded:").waitFor();
      const [file] = await dialog
        .getByText(/\.pt\.trace\.json\.gz$/)
        .allTextContents();
      assert.match(file, new RegExp(`captures/.*_${training.pid}\\.`));
      await dialog.getByRole("button", { name: "Open" }).click();
      await viewReady(page, "overview");
      assert.match(page.url(), /run=captures/);
    });
  });

  test("a process that cannot be recorded shows the reason", async () => {
    await onPage(at("?view=overview"), async (page) => {
      const dialog = await open(page);
      await dialog.getByLabel("Framework").selectOption("xla");
      await dialog.getByLabel("Addresses of the servers").fill("localhost");
      await dialog.getByRole("button", { name: "Record" }).click();
      await dialog
        .getByRole("alert")
        .getByText("an address is HOST:PORT")
        .waitFor();
    });
  });

  test("a recording in progress is stopped", async () => {
    await onPage(at("?view=overview"), async (page) => {
      const dialog = await open(page);
      await dialog.getByRole("button", { name: "Look for processes" }).click();
      await dialog.getByText(/listening for/).waitFor();
      await dialog.getByRole("button", { name: "Stop" }).click();
      await dialog.getByRole("button", { name: "Record" }).waitFor();
    });
  });
});
