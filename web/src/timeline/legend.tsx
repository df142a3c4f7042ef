// Below the lanes: the classes of slices seen so far with their hues. A click isolates one and dims all others;
// a click with Shift adds one more; a click on the only one shows all again.
import type { Tile } from "../api/tiles";
import { categoryHue, isCategory, nameHue, type Theme } from "../base/hues";
import { shortenName } from "../base/names";
import { translate } from "../base/translate";
import { formatAlone } from "../base/units";
import { categoryWord, fill, grouped, words } from "../base/words";
import { classHue, classOfKind, keyOfName, namesOf } from "./colors";
import type { Controller } from "./controller";
import { recordedOnly } from "./derived";
import { hasNames, type ColourBy } from "./state";

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

/** Notes on what is not drawn: slices finer than a file contains, and flows that a screen cannot distinguish. */
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

/** More names than this are counted, not listed. */
const kMostNames = 10;
const kNameWidth = 28;
const kSums = new WeakMap<Tile, { by: ColourBy; sums: Map<string, number> }>();

/** Busy time by name of the marks of a tile. */
function busyByName(tile: Tile, by: ColourBy): Map<string, number> {
  const known = kSums.get(tile);
  if (known?.by === by) return known.sums;
  const sums = new Map<string, number>();
  kSums.set(tile, { by, sums });
  const named = namesOf(tile, by);
  for (const marks of tile.rows) {
    const of = marks && named?.of(marks);
    if (!marks || !named || !of) continue;
    for (let i = 0; i < marks.length; i++) {
      const text = named.texts[of[i]];
      sums.set(text, (sums.get(text) ?? 0) + marks.busy[i]);
    }
  }
  return sums;
}

/** The visible names, the busiest first; an empty name is left out. */
function namesInSight(timeline: Controller): string[] {
  const all = new Map<string, number>();
  for (const lane of recordedOnly(timeline.lanes.numbers().inSight)) {
    const tile = timeline.tileOf(lane);
    for (const [name, busy] of tile ? busyByName(tile, timeline.state.colour) : [])
      all.set(name, (all.get(name) ?? 0) + busy);
  }
  all.delete("");
  return [...all].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

interface Class {
  key: string;
  title: string;
  /** Null: it has many. */
  hue: string;
}

function classesOf(timeline: Controller, theme: Theme): { classes: Class[]; more: number } {
  const { colour } = timeline.state;
  const seenCauses = timeline.state.waits ? [...timeline.causes] : [];
  const causes = seenCauses.map(([title, hue]): Class => {
    return { key: keyOfName(title), title: translate(title), hue: classHue(hue, theme) };
  });
  if (hasNames(colour)) {
    const names = namesInSight(timeline);
    const listed = names.slice(0, kMostNames).map((name) => ({
      key: keyOfName(name),
      title: name,
      hue: nameHue(name),
    }));
    return { classes: [...listed, ...causes], more: names.length - listed.length };
  }
  const seen = new Set([...timeline.kinds].map(classOfKind));
  const ordered = [
    ...kOrder.filter((name) => seen.has(name)),
    ...[...seen].filter((n) => !kOrder.includes(n)),
  ];
  const classes = ordered.map((key): Class => {
    const category = key === "step" ? "idle" : key;
    const fixed = colour === "category" && isCategory(category);
    return {
      key,
      title: words.timeline.classes[key] ?? categoryWord(key),
      hue: fixed ? categoryHue(category, theme) : "",
    };
  });
  return { classes: [...classes, ...causes], more: 0 };
}

export function Legend({ timeline, theme }: { timeline: Controller; theme: Theme }) {
  const { only, colour, slice, range } = timeline.state;
  const nothing = slice === null && range === null;
  const { classes, more } = classesOf(timeline, theme);
  const click = (name: string, more: boolean) => {
    const next = new Set(more ? only : []);
    if (only.has(name) && (more || only.size === 1)) next.delete(name);
    else next.add(name);
    timeline.set({ only: next }, "adjust");
  };
  return (
    <div class="timeline-legend" role="group" aria-label={words.timeline.legend}>
      {classes.map(({ key, title, hue }) => (
        <button
          key={key}
          class={only.size > 0 && !only.has(key) ? "legend-class dim" : "legend-class"}
          aria-pressed={only.has(key)}
          data-class={key}
          data-tip={hasNames(colour) ? `${title}\n${words.timeline.legendTip}` : words.timeline.legendTip}
          onClick={(event) => click(key, event.shiftKey)}
        >
          <span class={hue ? "swatch" : "swatch many"} style={hue ? { background: hue } : undefined} />
          {hasNames(colour) ? shortenName(title, kNameWidth) : title}
        </button>
      ))}
      {more > 0 && <span class="muted">{fill(words.timeline.moreNames, { n: grouped(more) })}</span>}
      <Notes timeline={timeline} />
      {nothing && <span class="timeline-hint muted">{words.timeline.nothingChosen}</span>}
    </div>
  );
}
