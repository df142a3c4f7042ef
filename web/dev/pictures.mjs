// Pictures of every view: `node dev/pictures.mjs PROGRAM FOLDER TRACE...` starts `PROGRAM view` on each trace (a file or a folder)
// and saves every view of its first profile as FOLDER/TRACE_VIEW_THEME.png, 1440x900 in light and dark. WEB=1 draws the page of
// web/dist instead of the one in the program. ONLY=kernels,diff restricts the views, THEMES and SIZE ("1440x900") are what they
// say, FULL=1 takes the whole height of the page.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { chromium } from "playwright-core";
import { startFixtures } from "./server.mjs";

const [program, folder, ...traces] = process.argv.slice(2);
if (traces.length === 0) {
  console.error("usage: node dev/pictures.mjs PROGRAM FOLDER TRACE...");
  process.exit(1);
}
const list = (text) => (text ? text.split(",") : null);
const themes = list(process.env.THEMES) ?? ["light", "dark"];
const only = list(process.env.ONLY);
const [width, height] = (process.env.SIZE ?? "1440x900").split("x").map(Number);
const kWaitMs = 300_000;

const cache = mkdtempSync(join(tmpdir(), "sightline-pictures-"));
mkdirSync(folder, { recursive: true });

/** The address that the program prints, once it listens. */
function started(trace) {
  const child = spawn(program, ["view", trace, "--port", "0", "--no-token"], {
    env: { ...process.env, SIGHTLINE_CACHE_DIR: cache },
  });
  return new Promise((resolve, reject) => {
    let said = "";
    const listen = (chunk) => {
      said += chunk;
      const match = /http:\/\/\S+(?= )/.exec(said);
      if (match) resolve({ child, address: match[0] });
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", (code) => reject(new Error(`the program ended with ${code}: ${said}`)));
  });
}

async function ready(address) {
  for (;;) {
    const state = await (await fetch(new URL("api/state", address))).json();
    if (!state.loading) return state;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** Waits until the view is drawn. */
async function drawn(page, view) {
  await page.waitForSelector(`[data-view="${view}"][data-ready="true"], main .state`, { timeout: kWaitMs });
  await page.waitForLoadState("networkidle", { timeout: kWaitMs });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function pictures(browser, top, state, name) {
  const run = state.runs[0];
  const worker = run.workers[0];
  const span = worker.spans[0];
  const views = state.views.filter(({ id }) => span.views[id] === null && (!only || only.includes(id)));
  for (const theme of themes) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
    page.on("pageerror", (error) => console.error(`${name}: ${error}`));
    for (const { id } of views) {
      const place = new URLSearchParams({ run: run.name, worker: worker.name, span: span.name, view: id });
      await page.setViewportSize({ width, height });
      await page.goto(`${top}?${place}`);
      await drawn(page, id);
      if (process.env.FULL) await wholeHeight(page);
      await page.screenshot({ path: join(folder, `${name}_${id}_${theme}.png`) });
    }
    await page.close();
  }
  console.log(`${name}: ${views.length} views`);
}

/** The page scrolls inside itself: makes the window as high as its content. */
async function wholeHeight(page) {
  const high = await page.evaluate(() => {
    const scrolled = [...document.querySelectorAll("main, main *")].find(
      (each) =>
        /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 4,
    );
    return scrolled ? innerHeight + scrolled.scrollHeight - scrolled.clientHeight : innerHeight;
  });
  await page.setViewportSize({ width, height: Math.min(high, 6000) });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
for (const trace of traces) {
  const { child, address } = await started(trace);
  const page = process.env.WEB ? await startFixtures({ program: address }) : null;
  try {
    const top = page ? `http://127.0.0.1:${page.address().port}/` : address;
    await pictures(browser, top, await ready(address), basename(trace).replace(/\..*$/, ""));
  } finally {
    page?.close();
    child.kill();
  }
}
await browser.close();
rmSync(cache, { recursive: true, force: true });
