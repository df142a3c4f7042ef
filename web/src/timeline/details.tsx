// Details of the selected slice, and sums of the range: two tabs of one resizable area below the lanes or
// beside them.
import { useLayoutEffect, useState } from "preact/hooks";
import type { VNode } from "preact";
import { changeSettings, dockDetails, settings as settingsAtom } from "../base/settings";
import { formatAlone } from "../base/units";
import { fill, words } from "../base/words";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { timeText } from "./axis";
import type { Controller } from "./controller";
import { recordedOnly } from "./derived";
import { follow } from "./press";
import { SliceDetails } from "./slice_details";
import { kRangeParts } from "./state";
import type { Span } from "./viewport";

/** Draws a report of another view in place. */
export type DrawReport = (view: string, parameters: Record<string, string>, prefix: string) => VNode;

const kLeast = 96;

/** Between the lanes and the details: drag to resize. */
export function Divider({ beside }: { beside: boolean }) {
  return (
    <div
      class={beside ? "timeline-divider beside" : "timeline-divider"}
      role="separator"
      aria-label={words.timeline.resize}
      onPointerDown={(down) => {
        const { detailsSize } = settingsAtom.get();
        follow(
          down,
          (_event, dx, dy) => {
            const most = (beside ? innerWidth : innerHeight) * 0.7;
            const size = Math.round(detailsSize - (beside ? dx : dy));
            changeSettings({ detailsSize: Math.max(kLeast, Math.min(most, size)) });
          },
          () => undefined,
        );
      }}
    />
  );
}

function rangeParameters(timeline: Controller): Record<string, string> {
  const { range } = timeline.state;
  const lanes = timeline.lanes.layout;
  const all = recordedOnly(timeline.info.groups.flatMap((group) => group.lanes.map(({ lane }) => lane)));
  const numbers = recordedOnly(
    [...lanes.pinned, ...lanes.placed].flatMap(({ lane }) => (lane ? [lane.lane] : [])),
  );
  const some = lanes.hidden + lanes.filtered > 0 && numbers.length < all.length;
  return {
    start: String(Math.round(range?.start ?? 0)),
    end: String(Math.round(range?.end ?? 0)),
    part: timeline.state.part,
    ...(some ? { lanes: numbers.sort((a, b) => a - b).join(",") } : {}),
  };
}

function rangeTitle(timeline: Controller, { start, end }: Span): string {
  const { axis } = timeline;
  const timeOf = (time: number) =>
    axis.mode === "start" ? formatAlone(Math.round(time), "ns") : timeText(axis, time);
  const length = formatAlone(Math.round(end - start), "ns");
  return fill(words.timeline.rangeTitle, { length, start: timeOf(start), end: timeOf(end) });
}

/** What of the range is shown; the panel's own menu is at the right end of this line. */
function Parts({ timeline }: { timeline: Controller }) {
  const say = words.timeline;
  const { part } = timeline.state;
  return (
    <div class="details-parts">
      <span class="segments" role="radiogroup" aria-label={say.range}>
        {kRangeParts.map((name) => (
          <button
            key={name}
            role="radio"
            aria-checked={part === name}
            class={part === name ? "segment on" : "segment"}
            data-part={name}
            onClick={() => timeline.set({ part: name }, "adjust")}
          >
            {say.rangeParts[name]}
          </button>
        ))}
      </span>
    </div>
  );
}

interface Props {
  timeline: Controller;
  stateKey: string;
  drawReport: DrawReport;
}

export function Details({ timeline, stateKey, drawReport }: Props) {
  const { slice, range } = timeline.state;
  const { detailsBeside } = useAtom(settingsAtom);
  const [tab, setTab] = useState<"slice" | "range">(slice === null ? "range" : "slice");
  // The latest selection is shown.
  useLayoutEffect(() => (slice !== null ? setTab("slice") : undefined), [slice]);
  useLayoutEffect(() => (range !== null ? setTab("range") : undefined), [range?.start, range?.end]);
  const shown = slice === null ? "range" : range === null ? "slice" : tab;
  const say = words.timeline;
  const nothing = slice === null && range === null;
  return (
    <section
      class={nothing ? "timeline-details empty" : "timeline-details"}
      aria-label={say.details}
      data-slice={shownSlice(timeline)}
    >
      <header class="details-head">
        {slice !== null && range !== null && (
          <span class="segments" role="radiogroup" aria-label={say.details}>
            {(["slice", "range"] as const).map((name) => (
              <button
                key={name}
                role="radio"
                aria-checked={shown === name}
                class={shown === name ? "segment on" : "segment"}
                onClick={() => setTab(name)}
              >
                {name === "slice" ? say.sliceTab : say.rangeTab}
              </button>
            ))}
          </span>
        )}
        {nothing && <p class="muted details-nothing">{say.nothingChosen}</p>}
        {shown === "slice" && <SliceTitle timeline={timeline} />}
        {shown === "range" && range !== null && <h3>{rangeTitle(timeline, range)}</h3>}
        {!nothing && timeline.target && (
          <button class="plain text" onClick={() => timeline.moves.fit(timeline.target, 0)}>
            {say.zoomTo}
          </button>
        )}
        <button class="plain text" onClick={() => dockDetails(!detailsBeside)}>
          {detailsBeside ? say.below : say.beside}
        </button>
        {!nothing && (
          <button
            class="plain round"
            aria-label={say.close}
            data-tip={say.close}
            onClick={() => timeline.deselect()}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      {shown === "slice" && <SliceDetails timeline={timeline} />}
      {shown === "range" && range !== null && (
        <div class="details-range">
          <Parts timeline={timeline} />
          {drawReport("range", rangeParameters(timeline), `${stateKey}/range/`)}
        </div>
      )}
    </section>
  );
}

function shownSlice(timeline: Controller): number | undefined {
  const { detail } = timeline.selection;
  return detail && detail.slice === timeline.state.slice ? detail.slice : undefined;
}

function SliceTitle({ timeline }: { timeline: Controller }) {
  const { detail } = timeline.selection;
  const name = shownSlice(timeline) === undefined ? "" : (detail?.name ?? "");
  return (
    <h3 class="code" data-tip={name} data-code>
      {name}
    </h3>
  );
}
