// How components see the world outside them: atoms, element sizes, and values that settle.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";
import type { Atom } from "../base/atom";

/** The atom's value; the component is drawn again when it changes. */
export function useAtom<T>(atom: Atom<T>): T {
  const [, redraw] = useState(0);
  useLayoutEffect(() => atom.watch(() => redraw((n) => n + 1)), [atom]);
  return atom.get();
}

export interface Size {
  width: number;
  height: number;
}

/** The element's inner size, kept up to date; zeros until it is laid out. */
export function useSize<E extends HTMLElement>(): [RefObject<E>, Size] {
  const ref = useRef<E>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}

/** A function that runs `action` once its last call is `ms` old. */
export function useDebounced<A extends unknown[]>(
  action: (...args: A) => void,
  ms: number,
): (...args: A) => void {
  const latest = useRef(action);
  latest.current = action;
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const [debounced] = useState(() => (...args: A) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => latest.current(...args), ms);
  });
  return debounced;
}
