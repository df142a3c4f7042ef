// The one element that floats above the page at a time: a menu, a picker, a definition. It opens beside an
// anchor, stays inside the window, closes on Escape or a press elsewhere, and returns the focus to where it
// was.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Atom } from "../base/atom";
import { useAtom } from "./hooks";

export interface Anchor {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Float {
  anchor: Anchor;
  /** Names the dialog for a screen reader. */
  title: string;
  /** Whether the left or the right edges are aligned. */
  align: "left" | "right";
  content: () => ComponentChildren;
}

const open = new Atom<Float | null>(null);
let before: HTMLElement | null = null;

export function openFloat(float: Float): void {
  if (open.get() === null) before = document.activeElement as HTMLElement | null;
  open.set(float);
}

export function closeFloat(): void {
  if (open.get() === null) return;
  open.set(null);
  before?.focus?.({ preventScroll: true });
  before = null;
}

export function isFloatOpen(): boolean {
  return open.get() !== null;
}

export function anchorOf(target: EventTarget | null): Anchor {
  const { left, right, top, bottom } = (target as Element).getBoundingClientRect();
  return { left, right, top, bottom };
}

export function anchorAt(event: { clientX: number; clientY: number }): Anchor {
  return { left: event.clientX, right: event.clientX, top: event.clientY, bottom: event.clientY };
}

const kMargin = 8;

function Floating({ float }: { float: Float }) {
  const ref = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState<{ left: number; top: number } | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const place = () => {
      const { offsetWidth: width, offsetHeight: height } = element;
      const { anchor } = float;
      const wishedLeft = float.align === "left" ? anchor.left : anchor.right - width;
      const left = Math.max(kMargin, Math.min(wishedLeft, innerWidth - width - kMargin));
      const below = anchor.bottom + 2;
      const fits = below + height + kMargin <= innerHeight;
      const top = fits
        ? below
        : Math.max(kMargin, Math.min(anchor.top - height - 2, innerHeight - height - kMargin));
      setPosition((now) => (now?.left === left && now.top === top ? now : { left, top }));
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    if (!element.contains(document.activeElement)) element.focus({ preventScroll: true });
    return () => observer.disconnect();
  }, [float]);
  useLayoutEffect(() => {
    const press = (event: PointerEvent) => {
      if (!ref.current?.contains(event.target as Node)) closeFloat();
    };
    addEventListener("pointerdown", press, true);
    addEventListener("resize", closeFloat);
    addEventListener("popstate", closeFloat);
    return () => {
      removeEventListener("pointerdown", press, true);
      removeEventListener("resize", closeFloat);
      removeEventListener("popstate", closeFloat);
    };
  }, []);
  return (
    <div
      class="float"
      ref={ref}
      role="dialog"
      aria-label={float.title}
      tabIndex={-1}
      style={position ? { left: `${position.left}px`, top: `${position.top}px` } : { opacity: "0" }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          closeFloat();
        }
      }}
    >
      {float.content()}
    </div>
  );
}

export function FloatHost() {
  const float = useAtom(open);
  return float && <Floating float={float} />;
}
