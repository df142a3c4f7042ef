// The scrolled part of a timeline: the names of its lanes at the left, and what is drawn beside them.
import type { ComponentChildren, Ref } from "preact";
import { useState } from "preact/hooks";
import type { Controller } from "./controller";
import { LaneNames } from "./names";

/** Lane names are drawn again when the list has scrolled by this much. */
const kScrollStep = 200;

interface Props {
  timeline: Controller;
  box: Ref<HTMLDivElement>;
  height: number;
  children: ComponentChildren;
}

export function LanesBody({ timeline, box, height, children }: Props) {
  const [steps, setSteps] = useState(0);
  return (
    <div
      class="timeline-body"
      ref={box}
      onScroll={(event) => {
        timeline.lanes.scrollTop = event.currentTarget.scrollTop;
        setSteps(Math.floor(timeline.lanes.scrollTop / kScrollStep));
        timeline.draw();
      }}
    >
      <LaneNames timeline={timeline} top={steps * kScrollStep} height={height + kScrollStep} />
      {children}
    </div>
  );
}
