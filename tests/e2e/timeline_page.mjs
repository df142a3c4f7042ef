// Shared by the timeline's browser tests: opening it, positions on the screen, and the last drawing,
// a line per shape ("rect kernel gemm_kernel 120 18 39 16 #1f6fc2").
import { onPage, queryOf, viewReady } from "./browser.mjs";

/** Everything still to be drawn is drawn in the next frame. */
const nextFrame = (page) =>
  page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(done)),
      ),
  );

/** Waits until the last request is answered and drawn; the request itself is known one frame later. */
export async function drawn(page) {
  await nextFrame(page);
  await page.waitForSelector('.timeline-lanes[data-drawn="true"]');
}

/** The box of the lanes' canvas. */
export async function open(page) {
  await viewReady(page, "timeline");
  await drawn(page);
  return page.locator(".timeline-lanes").boundingBox();
}

/** Opens the address, whose drawing is logged, and passes the page to `use` when the timeline is drawn. */
export const onTimeline = (address, use, options = {}) =>
  onPage(
    address,
    async (page) => {
      await open(page);
      await use(page);
    },
    { drawLog: true, ...options },
  );

export const windowOf = (page) =>
  (queryOf(page)["timeline.window"] ?? "").split(",").map(Number);

export const chosen = (page, slice) =>
  page.waitForSelector(`.timeline-details[data-slice="${slice}"]`);

export const title = (page, text) =>
  page.locator(".timeline-details h3", { hasText: text }).first().waitFor();

/** Turns the wheel with Ctrl held: a negative step zooms in. */
export async function zoom(page, step) {
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, step);
  await page.keyboard.up("Control");
}

/** The lines of the last frame: of the "lanes", the "head" or the "strips". */
export async function linesOf(page, surface = "lanes") {
  await nextFrame(page);
  return page.evaluate(
    (name) => globalThis.sightlineDrawLog[name] ?? [],
    surface,
  );
}

/** Waits until some line of the surface matches. */
export async function waitForLine(page, surface, pattern) {
  await page.waitForFunction(
    ([name, source]) =>
      (globalThis.sightlineDrawLog[name] ?? []).some((line) =>
        new RegExp(source).test(line),
      ),
    [surface, pattern.source],
  );
}

/** Shapes of slices of these kinds, as {kind, name, x, y, width, height, color}. */
export function boxesOf(lines, ...kinds) {
  return lines.flatMap((line) => {
    const match =
      /^rect (\w+) (.+) (-?[\d.]+) (-?[\d.]+) ([\d.]+) ([\d.]+)( shade [\d.]+)? (#\w+)$/.exec(
        line,
      );
    if (!match || !kinds.includes(match[1])) return [];
    const [, kind, name, x, y, width, height, shade, color] = match;
    return [
      {
        kind,
        name,
        x: +x,
        y: +y,
        width: +width,
        height: +height,
        dim: Boolean(shade),
        color,
      },
    ];
  });
}

/** The place of a slice on the screen: by its drawn box. */
export async function placeOf(page, name, nth = 0) {
  const canvas = await page.locator(".timeline-lanes").boundingBox();
  const lines = await linesOf(page);
  const all = boxesOf(
    lines,
    "op",
    "kernel",
    "runtime",
    "annotation",
    "step",
    "memcpy",
    "collective",
    "python",
    "module",
  );
  const box = all.filter((b) => b.name === name)[nth];
  if (!box)
    throw new Error(
      `no box ${name} among ${all.map((b) => b.name).join(", ")}`,
    );
  return {
    x: canvas.x + box.x + box.width / 2,
    y: canvas.y + box.y + box.height / 2,
    left: canvas.x + box.x,
    right: canvas.x + box.x + box.width,
  };
}
