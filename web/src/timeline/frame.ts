// One frame: asks for the tiles in sight and draws both canvases, at most once per frame of the screen.
// The canvases are sized in device pixels and drawn in CSS pixels. `data-drawn` on the lanes' canvas says
// whether every lane in sight is drawn at its own level, for tests and for nobody else.
import type { Theme } from "../base/hues";
import { formatShort } from "../base/units";
import { fill, words } from "../base/words";
import { readLook } from "../widgets/chart/look";
import { charWidths } from "../widgets/table/char_widths";
import { Colors } from "./colors";
import type { Controller } from "./controller";
import { drawMinimap, drawRuler, kMinimap, kRuler, type HeadLook } from "./draw_head";
import { drawLanes, type SceneLook } from "./draw_lanes";
import { CanvasPainter } from "./painter";

const kFontSize = 11;

interface Looks {
  scene: Omit<SceneLook, "chosen">;
  head: HeadLook;
}

function makeLooks(theme: Theme): Looks {
  const look = readLook(theme);
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(name).trim();
  const { text, muted, line, surface, accent } = look;
  const band = get("--hover");
  return {
    scene: {
      colors: new Colors(theme),
      font: `${kFontSize}px ${look.mono}`,
      char: (charWidths().mono * kFontSize) / 12,
      strong: text,
      line,
      band,
      bandLine: get("--line-strong"),
      head: get("--ground"),
      accent,
      muted,
    },
    head: {
      text,
      muted,
      line: get("--line-strong"),
      surface,
      band,
      accent,
      ground: get("--ground"),
      font: `${kFontSize}px ${look.sans}`,
      theme,
    },
  };
}

function fitCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const context = canvas.getContext("2d", { alpha: false });
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

export interface Surfaces {
  lanes: HTMLCanvasElement;
  head: HTMLCanvasElement;
  /** Says how much time is in sight. */
  shown: HTMLElement;
}

/** Draws `timeline` on its canvases until left. */
export class Frames {
  private pending = 0;
  private looks: Looks;

  constructor(
    private timeline: Controller,
    private on: Surfaces,
    theme: Theme,
  ) {
    this.looks = makeLooks(theme);
    timeline.redraw = () => this.ask();
    this.ask();
  }

  setTheme(theme: Theme): void {
    this.looks = makeLooks(theme);
    this.ask();
  }

  leave(): void {
    cancelAnimationFrame(this.pending);
    this.timeline.redraw = () => undefined;
  }

  private ask(): void {
    if (this.pending === 0) this.pending = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.pending = 0;
    const { timeline, looks } = this;
    const { lanes, head, shown } = this.on;
    const { width, height, window } = timeline;
    if (width <= 0 || height <= 0) return;
    const inSight = timeline.lanesInSight();
    timeline.cache.want(inSight, window, width);
    const steps = timeline.state.bands ? timeline.info.steps : [];
    const { range } = timeline.state;
    const onLanes = fitCanvas(lanes, width, height);
    if (onLanes) {
      onLanes.fillStyle = looks.head.surface;
      onLanes.fillRect(0, 0, width, height);
      const { layout, scrollTop, detail, pointer, tileOf, chosen } = timeline;
      const scene = { layout, window, width, height, scrollTop, steps, range, detail, pointer, tileOf };
      drawLanes(new CanvasPainter(onLanes), scene, { ...looks.scene, chosen });
    }
    const tall = kMinimap + kRuler + timeline.stepBar;
    const onHead = fitCanvas(head, width, tall);
    if (onHead) {
      onHead.fillStyle = looks.head.surface;
      onHead.fillRect(0, 0, width, tall);
      const painter = new CanvasPainter(onHead);
      const { extent, strips, pointer } = timeline;
      const hits = timeline.hits.map((hit) => hit.start);
      drawMinimap(painter, { extent, window, strips, hits }, width, looks.head);
      drawRuler(painter, { window, range, steps, pointer }, width, kMinimap, looks.head);
    }
    const length = fill(words.timeline.shown, {
      length: formatShort(Math.round(window.end - window.start), "ns"),
    });
    if (shown.textContent !== length) shown.textContent = length;
    lanes.dataset.drawn = String(timeline.cache.complete(inSight, window, width));
  }
}
