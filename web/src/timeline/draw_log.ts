// What a browser test reads instead of pixels: if the page was given an object `sightlineDrawLog` before it
// started, each frame stores what it drew there, one line per shape. Nothing else uses it.
import type { Painter } from "./painter";
import { Recorder } from "./recorder";

type Log = Record<string, string[]>;

const log = (globalThis as { sightlineDrawLog?: Log }).sightlineDrawLog;

/** Repeats `draw` for the log under `name`, if there is one. */
export function alsoLogged(name: string, painter: Painter, draw: (painter: Painter) => void): void {
  draw(painter);
  if (!log) return;
  const recorder = new Recorder(true);
  draw(recorder);
  log[name] = recorder.lines;
}
