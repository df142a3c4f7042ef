// Below the lanes: the classes of slices seen so far with their hues. A click isolates one, and dims all
// else; a click with Shift adds one more; a click on the only one brings all back.
import { categoryHue, isCategory, type Theme } from "../base/hues";
import { formatAlone } from "../base/units";
import { categoryWord, fill, grouped, words } from "../base/words";
import { classOfKind } from "./colors";
import type { Controller } from "./controller";

const kOrder = [
  "kernel",
  "memcpy",
  "memset",
  "communication",
  "runtime",
  "dataloader",
  "op",
  "python",
  "module",
  "optimizer",
  "annotation",
  "step",
  "idle",
  "other",
];

/** What is not drawn: slices finer than a file holds, and flows beyond what a screen can tell apart. */
function Notes({ timeline }: { timeline: Controller }) {
  const say = words.timeline;
  const { answer } = timeline.flows;
  const coarse = timeline.coarsePixel();
  return (
    <span class="timeline-notes" role="status">
      {coarse !== null && (
        <span data-tip={say.coarseTip}>{fill(say.coarse, { pixel: formatAlone(coarse, "ns") })}</span>
      )}
      {answer && answer.count > answer.shown && (
        <span class="muted">
          {fill(say.flowsShown, { shown: grouped(answer.shown), n: grouped(answer.count) })}
        </span>
      )}
    </span>
  );
}

export function Legend({ timeline, theme }: { timeline: Controller; theme: Theme }) {
  const { only, colour } = timeline.state;
  const seen = new Set([...timeline.kinds].map(classOfKind));
  const listed = [
    ...kOrder.filter((name) => seen.has(name)),
    ...[...seen].filter((n) => !kOrder.includes(n)),
  ];
  const click = (name: string, more: boolean) => {
    const next = new Set(more ? only : []);
    if (only.has(name) && (more || only.size === 1)) next.delete(name);
    else next.add(name);
    timeline.set({ only: next }, "adjust");
  };
  return (
    <div class="timeline-legend" role="group" aria-label={words.timeline.legend}>
      {listed.map((name) => {
        const fixed = colour === "category" && isCategory(name === "step" ? "idle" : name);
        const hue = fixed ? categoryHue(name === "step" ? "idle" : name, theme) : "";
        return (
          <button
            key={name}
            class={only.size > 0 && !only.has(name) ? "legend-class dim" : "legend-class"}
            aria-pressed={only.has(name)}
            data-class={name}
            data-tip={words.timeline.legendTip}
            onClick={(event) => click(name, event.shiftKey)}
          >
            <span class={hue ? "swatch" : "swatch many"} style={hue ? { background: hue } : undefined} />
            {words.timeline.classes[name] ?? categoryWord(name)}
          </button>
        );
      })}
      <Notes timeline={timeline} />
    </div>
  );
}
