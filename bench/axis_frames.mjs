// Frame times of ranks on one axis, in Chromium: how long the page takes from frame to frame while the axis is panned, zoomed and
// scrolled.
//
// usage: node bench/axis_frames.mjs FOLDER [frames]     FOLDER: the traces of a job, such as bench/make_ranks.py 1024 FOLDER --steps 2 --layers 2
//
// Prints, for each gesture, the median and the 95th percentile of the times between frames, and the time on a processor of the page's
// thread per gesture. The first line is the floor: the same frames without a gesture. A screen of 60 frames a second leaves 16.7 ms.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { chromium } = createRequire(join(root, "web/package.json"))(
  "playwright-core",
);
const [folder, frames = "120"] = process.argv.slice(2);
if (!folder)
  throw new Error("usage: node bench/axis_frames.mjs FOLDER [frames]");

function served() {
  const program = spawn(
    join(root, "build/release/sightline"),
    ["view", folder, "--port", "0"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return new Promise((done) =>
    program.stdout.on("data", (text) => {
      const address = /http:\/\/\S+/.exec(String(text));
      if (address) done({ program, address: address[0] });
    }),
  );
}

const { program, address } = await served();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--headless", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
page.setDefaultTimeout(600_000);
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });

/** Seconds on a processor that the page's thread has used in tasks. */
async function taskTime() {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value;
}

/** Acts in every other frame; the times between acts. */
async function measure(act) {
  return page.evaluate(
    async ([count, source]) => {
      const each = new Function("canvas", "i", source);
      const canvas = document.querySelector("canvas.timeline-lanes");
      const between = [];
      let last = 0;
      for (let i = 0; i < count; i++) {
        await new Promise((next) => requestAnimationFrame(next));
        const begun = performance.now();
        if (last > 0) between.push(begun - last);
        last = begun;
        each(canvas, i);
        // The page draws in the next callback of this kind: what is queued before it has run then.
        await new Promise((next) =>
          requestAnimationFrame(() => setTimeout(next)),
        );
      }
      const at = (values, share) =>
        values.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
      return {
        median: at(between, 0.5),
        p95: at(between, 0.95),
      };
    },
    [Number(frames), act],
  );
}

const wheel = (more) =>
  `canvas.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: 700, clientY: 500, ${more} }))`;
/** While ranks are still being read, the axis is made again and again. */
async function allRead() {
  const state = new URL("api/state", address.split("?")[0]);
  state.search = new URL(address).search;
  for (;;) {
    const { runs } = await (await fetch(state)).json();
    const spans = runs.flatMap((run) =>
      run.workers.flatMap((worker) => worker.spans),
    );
    if (spans.length > 0 && spans.every(({ status }) => status === "ready"))
      return;
    await new Promise((next) => setTimeout(next, 200));
  }
}

try {
  await allRead();
  await page.goto(
    `${address}${address.includes("?") ? "&" : "?"}view=timeline&timeline.ranks=span`,
  );
  await page.waitForFunction(async () => {
    const names = document.querySelectorAll(".ranks-row").length;
    return (
      names > 0 &&
      document.querySelector('canvas.timeline-lanes[data-drawn="true"]') !==
        null
    );
  });
  const seen = async () =>
    (await page.locator(".timeline-corner").innerText()).replace(/\n/g, ", ");
  console.log(await seen());
  for (const [name, act] of [
    ["nothing", ""],
    ["zoom", wheel("deltaY: i % 60 < 30 ? -20 : 20, ctrlKey: true")],
    ["in", wheel("deltaY: i < 20 ? -20 : 0, ctrlKey: true")], // so that there is something to pan
    ["pan", wheel("deltaX: i % 60 < 30 ? 12 : -12, shiftKey: true")],
    ["scroll", wheel("deltaY: i % 60 < 30 ? 40 : -40")],
  ]) {
    const before = await taskTime();
    const { median, p95 } = await measure(act);
    const computed = ((await taskTime()) - before) / Number(frames);
    console.log(
      `${name}: ${(median / 2).toFixed(1)} ms between frames (95%: ${(p95 / 2).toFixed(1)}), ${(1000 * computed).toFixed(1)} ms computed per gesture; ${await seen()}`,
    );
  }
} finally {
  await browser.close();
  program.kill("SIGINT");
}
