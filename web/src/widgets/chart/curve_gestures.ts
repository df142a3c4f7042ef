// Selecting on a curve: dragging selects a window, a press selects a moment, a right click resets both. With
// keys: arrows move a cursor, Shift and arrows select a window, Enter applies it, Escape resets.
import { useEffect, useRef, useState } from "preact/hooks";
import type { CurveAxis, Plot, Window } from "./curve_axis";

export interface Selecting {
  onWindow: (window: Window) => void;
  onAt?: (value: number) => void;
  onReset: () => void;
  /** Whether there is a selection to reset. */
  isSet: boolean;
}

/** Pixels from the press (or the cursor's first position) to the current position. */
export interface Brush {
  from: number;
  to: number;
  keys: boolean;
}

const kLeastDrag = 4;
const kKeyStep = 0.01;

export function useCurveGestures(axis: CurveAxis, plot: Plot | null, selecting: Selecting) {
  const [brush, setBrush] = useState<Brush | null>(null);
  const latest = useRef({ axis, plot, selecting, brush });
  latest.current = { axis, plot, selecting, brush };
  const end = useRef<() => void>(() => undefined);
  useEffect(() => () => end.current(), []);

  const take = ({ from, to }: Brush) => {
    const { axis, plot, selecting } = latest.current;
    setBrush(null);
    if (!plot) return;
    const a = axis.value(Math.min(from, to), plot);
    const b = axis.value(Math.max(from, to), plot);
    if (Math.abs(to - from) >= kLeastDrag && b > a) selecting.onWindow({ start: a, end: b });
    else selecting.onAt?.(axis.value(to, plot));
  };

  const onPointerDown = (event: PointerEvent) => {
    const box = event.currentTarget as HTMLElement;
    const { plot } = latest.current;
    if (event.button !== 0 || !plot) return;
    const { left, top } = box.getBoundingClientRect();
    const inPlot = (at: number) => Math.max(plot.left, Math.min(plot.left + plot.width, at));
    const down = event.clientX - left;
    const height = event.clientY - top;
    if (down < plot.left - 8 || down > plot.left + plot.width + 8 || height > plot.top + plot.height) return;
    const from = inPlot(down);
    setBrush(null);
    let dragged = false;
    const move = (e: PointerEvent) => {
      const to = inPlot(e.clientX - left);
      dragged ||= Math.abs(to - from) >= kLeastDrag;
      if (dragged) setBrush({ from, to, keys: false });
    };
    const up = (e: PointerEvent) => {
      end.current();
      take({ from, to: dragged ? inPlot(e.clientX - left) : from, keys: false });
    };
    const key = (e: KeyboardEvent) => {
      if (e.key !== "Escape") return;
      e.preventDefault();
      e.stopPropagation();
      end.current();
      setBrush(null);
    };
    end.current = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", key, true);
      end.current = () => undefined;
    };
    const cancel = () => {
      end.current();
      setBrush(null);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
    addEventListener("keydown", key, true);
  };

  const onContextMenu = (event: MouseEvent) => {
    if (!latest.current.selecting.isSet) return;
    event.preventDefault();
    latest.current.selecting.onReset();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { plot, selecting, brush } = latest.current;
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey || !plot)
      return;
    const last = plot.left + plot.width;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      const now = brush?.to ?? (step > 0 ? plot.left : last);
      const to = Math.max(plot.left, Math.min(last, now + step * kKeyStep * plot.width));
      setBrush({ from: event.shiftKey ? (brush?.from ?? now) : to, to, keys: true });
    } else if (event.key === "Enter" && brush) take(brush);
    else if (event.key === "Escape" && brush) setBrush(null);
    else if (event.key === "Escape" && selecting.isSet) selecting.onReset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return { brush, clear: () => setBrush(null), on: { onPointerDown, onContextMenu, onKeyDown } };
}
