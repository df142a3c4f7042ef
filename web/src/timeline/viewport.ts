// The arithmetic of the visible window: times to pixels and back, zooming at a point, panning, and which tile
// covers a window. Windows stay inside the profile (with a small margin) and are never narrower than a few
// nanoseconds. All functions are pure and use ns and CSS pixels.
export interface Span {
  start: number;
  end: number;
}

export const kLeastSpan = 100;
/** Share of the extent that is visible beyond either end. */
const kAir = 0.02;

export function lengthOf({ start, end }: Span): number {
  return end - start;
}

export function xOf(time: number, window: Span, width: number): number {
  return ((time - window.start) / (window.end - window.start)) * width;
}

export function timeAt(x: number, window: Span, width: number): number {
  return window.start + (x / width) * (window.end - window.start);
}

/** The extent with a small margin at its ends: the window of "show all". */
export function withAir(extent: Span): Span {
  const air = Math.max(kLeastSpan, lengthOf(extent)) * kAir;
  return { start: extent.start - air, end: extent.end + air };
}

/** The window moved and shrunk so that it is in the extent with its margin. */
export function keepInside(window: Span, extent: Span): Span {
  const all = withAir(extent);
  const span = Math.min(Math.max(lengthOf(window), kLeastSpan), lengthOf(all));
  const middle = (window.start + window.end) / 2;
  const wished = span === lengthOf(window) ? window.start : middle - span / 2;
  const start = Math.min(Math.max(wished, all.start), all.end - span);
  return { start, end: start + span };
}

/** Zooms by `factor` (above 1: closer) so that the time under `x` stays under `x`. */
export function zoomAt(window: Span, factor: number, x: number, width: number, extent: Span): Span {
  const share = width > 0 ? x / width : 0.5;
  const most = lengthOf(withAir(extent));
  const span = Math.min(Math.max(lengthOf(window) / factor, kLeastSpan), most);
  const start = window.start + share * (lengthOf(window) - span);
  return keepInside({ start, end: start + span }, extent);
}

export function panBy(window: Span, pixels: number, width: number, extent: Span): Span {
  const by = (pixels / width) * lengthOf(window);
  return keepInside({ start: window.start + by, end: window.end + by }, extent);
}

/** The window that shows `range` with a margin on both sides. */
export function around(range: Span, extent: Span, air = 0.1): Span {
  const more = Math.max(lengthOf(range) * air, kLeastSpan / 4);
  return keepInside({ start: range.start - more, end: range.end + more }, extent);
}

/** The same zoom, moved no further than needed to show `range`; zoomed out if it does not fit. */
export function bringInto(window: Span, range: Span, extent: Span): Span {
  if (range.start >= window.start && range.end <= window.end) return window;
  if (lengthOf(range) > lengthOf(window) * 0.9) return around(range, extent);
  const start = (range.start + range.end) / 2 - lengthOf(window) / 2;
  return keepInside({ start, end: start + lengthOf(window) }, extent);
}

/** The ns per pixel of the tile: the power of two at or below one pixel of the screen. */
export function pixelFor(window: Span, width: number): number {
  return 2 ** Math.max(0, Math.floor(Math.log2(lengthOf(window) / Math.max(1, width))));
}

/** The window to request: longer by `more` of its length on both sides, on a coarse grid, so that nearby
 * windows make the same request. */
export function tileWindow(window: Span, pixel: number, more = 1): Span {
  const span = lengthOf(window) * more;
  const grid = pixel * 256;
  return {
    start: Math.floor((window.start - span) / grid) * grid,
    end: Math.ceil((window.end + span) / grid) * grid,
  };
}
