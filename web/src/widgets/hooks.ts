// Hooks through which components see atoms, element sizes, and debounced values.
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

export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  /** Runs a pending action immediately. */
  flush: () => void;
}

/** A function that runs `action` once its last call is `ms` old. A pending action is dropped when the component
 * is removed, unless `toTheEnd`. */
export function useDebounced<A extends unknown[]>(
  action: (...args: A) => void,
  ms: number,
  toTheEnd = false,
): Debounced<A> {
  const latest = useRef({ action, ms });
  latest.current = { action, ms };
  const [{ debounced, drop }] = useState(() => {
    let timer = 0;
    let waiting: A | null = null;
    const drop = () => {
      clearTimeout(timer);
      waiting = null;
    };
    const flush = () => {
      const args = waiting;
      drop();
      if (args) latest.current.action(...args);
    };
    const call = (...args: A) => {
      clearTimeout(timer);
      waiting = args;
      timer = window.setTimeout(flush, latest.current.ms);
    };
    return { debounced: Object.assign(call, { flush }), drop };
  });
  useEffect(() => (toTheEnd ? debounced.flush : drop), []);
  return debounced;
}
