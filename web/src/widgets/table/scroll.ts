// The scroll position of a table, one redraw per frame, kept in the history entry so that Back returns
// to the rows that were left.
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { arrivals, keepScroll, scrollOf } from "../../base/history";
import { useAtom } from "../hooks";

/** Marks the sides of `box` where `scroller` has columns that are not visible. */
function markEdges(scroller: HTMLElement, width: number): void {
  const box = scroller.parentElement;
  const right = width - scroller.clientWidth - scroller.scrollLeft;
  box?.toggleAttribute("data-more-left", scroller.scrollLeft > 1);
  box?.toggleAttribute("data-more-right", right > 1);
}

/** `width`: of all columns; the edges are marked again when it changes. */
export function useEdges(ref: RefObject<HTMLElement>, width: number, room: number): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const mark = () => markEdges(element, width);
    mark();
    element.addEventListener("scroll", mark, { passive: true });
    return () => element.removeEventListener("scroll", mark);
  }, [width, room]);
}

export function useScroll(ref: RefObject<HTMLElement>, key: string): number {
  const [top, setTop] = useState(0);
  const arrival = useAtom(arrivals);
  // Set before scrolling to the kept position, which is an event as well.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    let frame = 0;
    const follow = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        setTop(element.scrollTop);
        keepScroll(key, element.scrollTop);
      });
    };
    element.addEventListener("scroll", follow, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener("scroll", follow);
    };
  }, [key]);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const kept = scrollOf(key);
    if (kept !== element.scrollTop) element.scrollTop = kept;
  }, [key, arrival]);
  return top;
}
