// The base of every browser test: one Chromium per file, one fresh page per test, the fixture server,
// and the program if it is built. Tests wait on conditions, never on time. A page that logs an error
// or breaks the content security policy fails its test.
//
// E2E_SLOW=6 makes the browser six times slower and delays each response of a server by 200 to 400 ms, so that responses
// overtake one another: a failure is then a race, in the page or in the test.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { startFixtures } from "../../web/dev/server.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { chromium } = createRequire(join(root, "web/package.json"))(
  "playwright-core",
);
const kChromium = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";
const kFlags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const slowdown = Number(process.env.E2E_SLOW ?? 0);
// After this time it will not come: test files run in parallel, and compilers beside them.
const kWaitMs = 60_000;

// The program's cache is a folder of this test file, never the user's.
const remembered = mkdtempSync(join(tmpdir(), "sightline-e2e-cache-"));
process.env.SIGHTLINE_CACHE_DIR = remembered;
process.on("exit", () => rmSync(remembered, { recursive: true, force: true }));

let context;
let profile;

before(async () => {
  profile = mkdtempSync(join(tmpdir(), "sightline-e2e-"));
  context = await chromium.launchPersistentContext(profile, {
    executablePath: kChromium,
    args: kFlags,
    env: { ...process.env, TMPDIR: "/tmp" }, // the path of a socket must be short
    viewport: { width: 1440, height: 900 },
    acceptDownloads: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(kWaitMs);
  if (slowdown) await delayAnswers(context);
});

/** Every page of `context` gets its responses as over a slow line. */
async function delayAnswers(context) {
  await context.route("**/api/**", async (route) => {
    await new Promise((done) => setTimeout(done, 200 + 200 * Math.random()));
    // The page may have dropped the request by now, or be closed.
    await route.continue().catch(() => undefined);
  });
}

/** A page of the browser, slowed down if E2E_SLOW is set. */
async function newPage() {
  const page = await context.newPage();
  if (slowdown) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  }
  return page;
}

after(async () => {
  await context?.close();
  if (profile) rmSync(profile, { recursive: true, force: true });
});

/** Runs `use` on a fresh page at `address` and fails if the page complained. */
export async function onPage(
  address,
  use,
  {
    width = 1440,
    height = 900,
    theme = "light",
    expectErrors = false,
    drawLog = false,
  } = {},
) {
  const page = await newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  try {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme });
    // The timeline writes its drawing there, a line per shape.
    if (drawLog)
      await page.addInitScript(() => (globalThis.sightlineDrawLog = {}));
    await page.goto(address);
    await page.evaluate(() => localStorage.clear());
    await use(page);
    const unexpected =
      expectErrors instanceof RegExp
        ? complaints.filter((text) => !expectErrors.test(text))
        : expectErrors
          ? []
          : complaints;
    if (unexpected.length > 0)
      throw new Error(`the page complained: ${unexpected.join(" | ")}`);
  } finally {
    // The user's choices stay in the browser: the next test is another user.
    await page.evaluate(() => localStorage.clear()).catch(() => undefined);
    await page.close();
  }
}

/** Starts a fixture server for the file's tests; returns a function that makes addresses. */
export function fixtures(options = {}) {
  let server;
  before(async () => {
    server = await startFixtures(options);
  });
  after(() => server?.close());
  return (query = "") =>
    `http://127.0.0.1:${server.address().port}${options.prefix ?? ""}/${query}`;
}

/** Waits until the view is drawn from its own report. */
export async function viewReady(page, view) {
  await page.waitForSelector(`[data-view="${view}"][data-ready="true"]`);
}

/** Leads an open page to another address of the same program, as Forward does: without loading it again. */
export async function goTo(page, address) {
  await page.evaluate((address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
    return new Promise((drawn) => setTimeout(drawn));
  }, String(address));
}

/** Drags files and folders of this machine over the page, as the user does, and drops them unless `until` is "over". */
export async function dragFiles(page, paths, until = "drop") {
  await page.getByRole("main").waitFor();
  const session = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize();
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const types = [
    "dragEnter",
    "dragOver",
    ...(until === "drop" ? ["drop"] : []),
  ];
  for (const type of types)
    await session.send("Input.dispatchDragEvent", {
      type,
      x: width / 2,
      y: height / 2,
      data,
    });
  await session.detach();
}

export function queryOf(page) {
  return Object.fromEntries(new URL(page.url()).searchParams);
}

/** Texts of one column of a table, top to bottom, as far as they are drawn. */
export function columnTexts(page, table, column) {
  return page.evaluate(
    ([table, column]) =>
      [...document.querySelectorAll(`[data-table="${table}"] [data-row]`)]
        .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map(
          (row) =>
            row.querySelector(`[data-column="${column}"]`)?.textContent ?? "",
        ),
    [table, column],
  );
}

export const programPath =
  process.env.SIGHTLINE ?? join(root, "build/release/sightline");
export const samples = join(root, "samples");

/** A folder with some of tests/fixtures as traces, a run each (`ddp` has several workers); removed when the tests end. */
export function makeTraces(names) {
  const folder = mkdtempSync(join(tmpdir(), "sightline-traces-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const texts = names.map((name) => join(root, `tests/fixtures/${name}.trace`));
  execFileSync("python3", [
    join(root, "tools/gen_trace"),
    "--into",
    folder,
    ...texts,
  ]);
  return folder;
}

/** Why program tests cannot run; false when they can. */
export function withoutProgram() {
  if (!existsSync(programPath))
    return `no program at ${programPath}: build it, or set SIGHTLINE`;
  if (!existsSync(samples)) return "no samples folder";
  return false;
}

/** The match of `pattern` in the line that a server prints when it listens. */
export function listening(child, pattern, name) {
  return new Promise((resolve, reject) => {
    let said = "";
    const listen = (chunk) => {
      said += chunk;
      const match = pattern.exec(said);
      if (match) resolve(match);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", (code) =>
      reject(new Error(`${name} ended with ${code}: ${said}`)),
    );
  });
}

/** Sends a request as the browser does, with its cookies. */
export function get(address) {
  return context.request.get(String(address));
}

/**
 * Starts `sightline view` on a free port and opens the printed address, so that the browser has its token from then on; returns
 * the address without the token, the state once everything is read, and a function that ends it.
 */
export async function startProgram(path, ...options) {
  const child = spawn(programPath, ["view", path, "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const address = /http:\/\/\S+(?= )/;
  const [printed] = await listening(child, address, "the program");
  await get(printed);
  const top = new URL("/", printed).href;
  let state;
  do state = await (await get(`${top}api/state`)).json();
  while (state.loading);
  return { address: top, state, stop: () => child.kill() };
}

/** The program on `path` for the tests of a describe block; returns a function that makes addresses. */
export function withProgram(path, ...options) {
  let program;
  before(async () => {
    program = await startProgram(path, ...options);
  });
  after(() => program?.stop());
  return (query = "") => program.address + query;
}
