// A part of the page that few users open: its code is loaded when it is first drawn.
import type { FunctionComponent, VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Skeleton } from "./skeleton";

/** `before` is drawn until the code is there. */
export function lazy<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  before: VNode | null = <Skeleton />,
): FunctionComponent<P> {
  let Part: FunctionComponent<P> | null = null;
  return (props: P) => {
    const [, redraw] = useState(0);
    useLayoutEffect(() => {
      if (Part) return;
      void load().then((loaded) => {
        Part = loaded;
        redraw(1);
      });
    }, []);
    return Part ? <Part {...props} /> : before;
  };
}
