// One frame: requests the visible data and draws the canvases that changed, at most once per frame of the
// screen. The canvases are sized in device pixels and drawn in CSS pixels. `data-drawn` on the lanes' canvas
// says whether everything visible is drawn at its own level, for tests only.
import type { Theme } from "../base/hues";
import { formatShort } from "../base/units";
import { fill, words } from "../base/words";
import type { Controller } from "./controller";
import { recordedOnly } from "./derived";
import { drawMinimap, drawRuler, drawStrips, kMinimap, kRuler } from "./draw_head";
import { drawLanes, type Scene } from "./draw_lanes";
import { alsoLogged } from "./draw_log";
import { FlowEnds } from "./flow_ends";
import { makeLooks, type Looks } from "./looks";
import { CanvasPainter } from "./canvas_painter";

/** Sized in device pixels; drawing on it is in CSS pixels. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio = devicePixelRatio || 1,
): CanvasRenderingContext2D | null {
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
  /** Shows the visible length of time. */
  shown: HTMLElement;
  /** Holds the buttons to the ends of flows that are not visible. */
  ends: HTMLElement;
}

/** Draws `timeline` on its canvases until it is stopped. */
export class Frames {
  private pending = 0;
  private looks: Looks;
  private strips = document.createElement("canvas");
  private stripsKey = "";
  private ends: FlowEnds;

  constructor(
    private timeline: Controller,
    private on: Surfaces,
    private theme: Theme,
  ) {
    this.looks = makeLooks(theme, timeline.state.colour, timeline.info);
    this.ends = new FlowEnds(timeline, on.ends);
    timeline.redraw = () => this.schedule();
    this.schedule();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.looks = makeLooks(theme, this.timeline.state.colour, this.timeline.info);
    this.stripsKey = "";
    this.schedule();
  }

  leave(): void {
    cancelAnimationFrame(this.pending);
    this.timeline.redraw = () => undefined;
  }

  private schedule(): void {
    if (this.pending === 0) this.pending = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.pending = 0;
    const { timeline } = this;
    const { lanes, counters, tiles, moves, state } = timeline;
    const { width, window } = moves;
    if (width <= 0 || lanes.height <= 0) return;
    if (this.looks.scene.colors.by !== state.colour) this.setTheme(this.theme);
    const marks = lanes.numbers();
    const values = lanes.counters();
    tiles.want(marks.inSight, marks.nearby, window, width);
    counters.want(values.inSight, values.nearby, window, width);
    timeline.flows.want(recordedOnly([...marks.inSight, ...marks.nearby]), window, width);
    this.drawLanes();
    this.drawHead();
    this.ends.show();
    const length = formatShort(Math.round(window.end - window.start), "ns");
    const shown = fill(words.timeline.shown, { length });
    if (this.on.shown.textContent !== shown) this.on.shown.textContent = shown;
    const whole =
      tiles.complete(marks.inSight, window, width) && counters.complete(values.inSight, window, width);
    if (this.on.lanes.dataset.drawn !== String(whole)) this.on.lanes.dataset.drawn = String(whole);
  }

  private drawLanes(): void {
    const { timeline, looks } = this;
    const { lanes, moves, state, selection, info } = timeline;
    const scene: Scene = {
      layout: lanes.layout,
      window: moves.window,
      width: moves.width,
      height: lanes.height,
      scrollTop: lanes.scrollTop,
      steps: state.bands ? info.steps : [],
      range: state.range,
      markers: timeline.markers.list,
      hits: timeline.search.hits,
      detail: selection.detail,
      flows: state.flows,
      flowsOff: state.flowsOff,
      allFlows: timeline.flows.answer?.flows ?? null,
      tileOf: timeline.tileOf,
      counterOf: (counter) => timeline.counters.best(counter, moves.window, moves.width),
    };
    const context = fitCanvas(this.on.lanes, scene.width, scene.height);
    if (!context) return;
    context.fillStyle = looks.head.surface;
    context.fillRect(0, 0, scene.width, scene.height);
    const look = { ...looks.scene, chosen: selection.chosen, only: state.only };
    alsoLogged("lanes", new CanvasPainter(context), (painter) => drawLanes(painter, scene, look));
  }

  private drawHead(): void {
    const { timeline, looks } = this;
    const { moves, extent, state, info } = timeline;
    const { width, window } = moves;
    const tall = kMinimap + kRuler + timeline.stepBar;
    const context = fitCanvas(this.on.head, width, tall);
    if (!context) return;
    context.fillStyle = looks.head.surface;
    context.fillRect(0, 0, width, tall);
    this.drawStrips(width);
    if (this.strips.width > 0) context.drawImage(this.strips, 0, 0, width, kMinimap);
    const markers = timeline.markers.list;
    const { range } = state;
    const hits = timeline.search.ticks;
    const steps = state.bands ? info.steps : [];
    alsoLogged("head", new CanvasPainter(context), (painter) => {
      drawMinimap(painter, { extent, window, hits, markers, range }, width, looks.head);
      const scene = { window, range, steps, markers, axis: timeline.axis };
      drawRuler(painter, scene, width, kMinimap, looks.head);
    });
  }

  /** The utilization of the whole profile does not change with the window: it is drawn once and kept. */
  private drawStrips(width: number): void {
    const { strips } = this.timeline.minimap;
    const key = `${width} ${devicePixelRatio} ${strips.length}`;
    if (key === this.stripsKey) return;
    this.stripsKey = key;
    const context = fitCanvas(this.strips, width, kMinimap);
    if (!context) return;
    alsoLogged("strips", new CanvasPainter(context), (painter) =>
      drawStrips(painter, strips, width, this.looks.head),
    );
  }
}
