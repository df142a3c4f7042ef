// How smoothly the timeline moves: `node dev/frames.mjs ADDRESS` opens a timeline in headless Chromium, zooms,
// pans, scrolls and hovers for six seconds each, one movement per frame. From the browser's trace it computes the frames
// per second and the time of a frame on the main thread. The machine should be idle.
import { chromium } from "playwright-core";

const kFrames = 360;
const kCategories = ["devtools.timeline", "disabled-by-default-devtools.timeline.frame", "cc", "viz"];

/** Moves in the page, once per frame, so that the delay of the automation is not measured. */
function move([kind, frames]) {
  const lanes = document.querySelector(".timeline-lanes");
  const { left, top, width } = lanes.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + 150, bubbles: true, cancelable: true };
  const wheel = (delta) => lanes.dispatchEvent(new WheelEvent("wheel", { ...at, ...delta }));
  const back = (i, every) => (Math.floor(i / every) % 2 === 0 ? 1 : -1);
  const movements = {
    zoom: (i) => wheel({ deltaY: -40 * back(i, 60), metaKey: true }),
    pan: (i) => wheel({ deltaX: 14 * back(i, 90) }),
    scroll: (i) => wheel({ deltaY: 14 * back(i, 45) }),
    hover: (i) =>
      lanes.dispatchEvent(
        new PointerEvent("pointermove", { ...at, clientX: at.clientX - 200 + ((i * 3) % 400) }),
      ),
  };
  return new Promise((done) => {
    let i = 0;
    const next = () => {
      movements[kind](i);
      if (++i < frames) requestAnimationFrame(next);
      else done();
    };
    requestAnimationFrame(next);
  });
}

async function traced(session, act) {
  const events = [];
  const take = ({ value }) => events.push(...value);
  session.on("Tracing.dataCollected", take);
  await session.send("Tracing.start", { traceConfig: { includedCategories: kCategories } });
  await act();
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.end");
  await complete;
  session.off("Tracing.dataCollected", take);
  return events;
}

function summary(events) {
  const drawn = events.filter(({ name }) => name === "DrawFrame");
  if (drawn.length < 2) return "nothing moved";
  const times = drawn.map(({ ts }) => ts / 1000);
  times.sort((a, b) => a - b);
  const gaps = times.slice(1).map((time, i) => time - times[i]);
  gaps.sort((a, b) => a - b);
  const cpu = (wanted) =>
    events.reduce((sum, { name, tdur = 0 }) => sum + (name === wanted ? tdur / 1000 : 0), 0) / times.length;
  const fps = (1000 * gaps.length) / (times.at(-1) - times[0]);
  const main = cpu("ProxyMain::BeginMainFrame");
  return (
    `${fps.toFixed(1)} frames/s, 95% within ${gaps[Math.floor(gaps.length * 0.95)].toFixed(1)} ms, main thread ` +
    `${main.toFixed(1)} ms a frame (script ${cpu("FireAnimationFrame").toFixed(1)}, raster ` +
    `${cpu("LayerTreeHost::DoUpdateLayers").toFixed(1)})`
  );
}

const address = process.argv[2];
if (!address) {
  console.error("usage: node dev/frames.mjs ADDRESS_OF_A_TIMELINE");
  process.exit(1);
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
await page.goto(address);
await page.waitForSelector('.timeline-lanes[data-drawn="true"]', { timeout: 120_000 });
const session = await page.context().newCDPSession(page);
for (const kind of ["zoom", "pan", "scroll", "hover"])
  console.log(`${kind}: ${summary(await traced(session, () => page.evaluate(move, [kind, kFrames])))}`);
await browser.close();
