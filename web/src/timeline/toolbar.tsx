// Above the lanes: the search with its hits, the time origin, the meaning of colours and flows, the markers,
// saving, and "show all".
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { changeSettings, dockDetails, settings } from "../base/settings";
import { fill, grouped, words } from "../base/words";
import { errorText } from "../api/client";
import { inFile } from "../api/source";
import { formatAlone } from "../base/units";
import { anchorOf, openFloat } from "../widgets/float";
import { useDebounced } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { openMenu, type MenuEntries } from "../widgets/menu";
import type { Controller } from "./controller";
import { groupKey } from "./lane_list";
import { MarkerList } from "./marker_list";
import { AddMenu } from "./ranks/add_menu";
import { saveWindowPng, traceAddress } from "./saving";
import { kAxisModes, kColourBy, kFlowKinds, kFlowModes, type AxisMode, type ColourBy } from "./state";

/** Why there may be more hits; undefined if these are all. */
function unsearchedText({ search }: Controller): string | undefined {
  if (!search.answered || search.partial === 0) return undefined;
  return fill(words.timeline.unsearched, { n: grouped(search.partial) });
}

function hitsText({ search }: Controller): string {
  if (!search.answered) return "";
  if (search.count === 0) return words.timeline.noHits;
  const n = grouped(search.count) + (search.partial > 0 ? "+" : "");
  return search.index < 0
    ? fill(words.timeline.hits, { n })
    : fill(words.timeline.hitOf, { i: grouped(search.index + 1), n });
}

/** Why an axis is not available; undefined if it is. */
function withoutAxis(timeline: Controller, mode: AxisMode): string | undefined {
  if (mode === "step" && timeline.info.steps.length === 0) return words.timeline.noSteps;
  const clock = mode === "utc" || mode === "local";
  return clock && timeline.info.origin_unix_ns === null ? words.timeline.noClock : undefined;
}

function withoutColour(timeline: Controller, by: ColourBy): string | undefined {
  const known = timeline.info.colours.find((colour) => colour.group === by);
  return by === "module" && !known?.available ? words.timeline.noModules : undefined;
}

/** Compiled programs are rare: only a profile of one offers to colour by its operators. */
function isOffered(timeline: Controller, by: ColourBy): boolean {
  if (by !== "operator" && by !== "layer") return true;
  return (
    by === timeline.state.colour ||
    timeline.info.colours.some(({ group, available }) => group === by && available)
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  tip: string;
  value: T;
  choices: T[];
  titles: Record<string, string>;
  reason?: (choice: T) => string | undefined;
  onChange: (choice: T) => void;
}

function Choice<T extends string>({ label, tip, value, choices, titles, reason, onChange }: ChoiceProps<T>) {
  return (
    <label class="timeline-choice" data-tip={tip}>
      <span>{label}</span>
      <select
        class="bare"
        value={value}
        aria-label={tip}
        onChange={(event) => {
          onChange(event.currentTarget.value as T);
          event.currentTarget.blur();
        }}
      >
        {choices.map((choice) => {
          const why = reason?.(choice);
          return (
            <option key={choice} value={choice} disabled={why !== undefined} title={why}>
              {why ? `${titles[choice]} (${why})` : titles[choice]}
            </option>
          );
        })}
      </select>
    </label>
  );
}

function SearchField({ timeline }: { timeline: Controller }) {
  const [text, setText] = useState(timeline.state.text);
  const typed = useRef(false);
  const search = useDebounced((wanted: string) => {
    typed.current = false;
    timeline.setText(wanted);
  }, 180);
  useLayoutEffect(() => {
    if (!typed.current) setText(timeline.state.text);
  }, [timeline.state.text]);
  return (
    <input
      class="field timeline-search"
      type="search"
      data-search
      value={text}
      placeholder={words.timeline.searchHint}
      aria-label={words.timeline.searchHint}
      onInput={(event) => {
        typed.current = true;
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          search.flush();
          timeline.nextHit(event.shiftKey ? -1 : 1);
        } else if (event.key === "Escape") {
          event.preventDefault();
          event.currentTarget.blur();
        }
      }}
    />
  );
}

function HitButton({ timeline, by }: { timeline: Controller; by: 1 | -1 }) {
  const title = by > 0 ? words.timeline.nextHit : words.timeline.previousHit;
  return (
    <button
      class="plain round"
      disabled={timeline.search.count === 0}
      aria-label={title}
      data-tip={title}
      onClick={() => timeline.nextHit(by)}
    >
      <span class={by > 0 ? "hit-arrow" : "hit-arrow turned"}>
        <Icon name="chevron" />
      </span>
    </button>
  );
}

/** The kinds of flows in the profile, and which flows are drawn. */
function flowEntries(timeline: Controller): MenuEntries {
  if (inFile()) return [{ title: words.timeline.flows, disabled: true, hint: words.needsProgram }];
  const { flows, flowsOff } = timeline.state;
  const toggled = (kind: string) => {
    const off = new Set(flowsOff);
    if (!off.delete(kind)) off.add(kind);
    return off;
  };
  return [
    ...kFlowModes.map((mode) => ({
      title: words.timeline.flowModes[mode],
      checked: flows === mode,
      stays: true,
      run: () => timeline.set({ flows: mode }, "adjust"),
    })),
    null,
    ...kFlowKinds.map((kind) => ({
      title: words.timeline.flowKinds[kind],
      checked: !flowsOff.has(kind),
      stays: true,
      run: () => timeline.set({ flowsOff: toggled(kind) }, "adjust"),
    })),
  ];
}

/** Which lanes are shown, by kind and by group; hidden if there is only one of each. */
function laneEntries(timeline: Controller): MenuEntries {
  const { lanes, info, state } = timeline;
  const kinds = lanes.kinds();
  const why = inFile() ? words.needsProgram : info.waits ? undefined : words.timeline.noWaits;
  return [
    {
      title: words.timeline.waits,
      checked: state.waits,
      stays: true,
      disabled: why !== undefined,
      hint: why,
      run: () => timeline.set({ waits: !state.waits }, "adjust"),
    },
    null,
    ...kinds.map((kind) => ({
      title: words.timeline.laneKinds[kind] ?? kind,
      checked: !state.kindsOff.has(kind),
      stays: true,
      run: () => lanes.toggleKind(kind),
    })),
    null,
    ...info.groups.map(({ title }, group) => ({
      title,
      checked: !state.hidden.has(groupKey(group)),
      stays: true,
      run: () => lanes.toggleGroup(group),
    })),
  ];
}

/** How the timeline looks and moves; the last two are settings of the user. */
function optionEntries(timeline: Controller): MenuEntries {
  const say = words.timeline;
  const { bands } = timeline.state;
  const { wheelZooms, detailsBeside } = settings.get();
  return [
    {
      title: say.bands,
      checked: bands,
      stays: true,
      disabled: timeline.info.steps.length === 0,
      hint: timeline.info.steps.length === 0 ? say.noSteps : undefined,
      run: () => timeline.set({ bands: !bands }, "adjust"),
    },
    null,
    {
      title: say.wheelZooms,
      checked: wheelZooms,
      stays: true,
      run: () => changeSettings({ wheelZooms: !wheelZooms }),
    },
    { title: say.dockRight, checked: detailsBeside, stays: true, run: () => dockDetails(!detailsBeside) },
  ];
}

interface ToolbarProps {
  timeline: Controller;
  stateKey: string;
  help?: VNode;
}

export function Toolbar({ timeline, stateKey, help }: ToolbarProps) {
  const { range, colour, axis, flows } = timeline.state;
  const say = words.timeline;
  const saving = (): MenuEntries => [
    { title: say.savePng, run: () => saveWindowPng(timeline) },
    inFile()
      ? { title: say.saveTrace, disabled: true, hint: words.needsProgram }
      : { title: say.saveTrace, href: traceAddress(timeline), download: "timeline.trace.json" },
  ];
  const error = timeline.tiles.error ?? timeline.counters.error;
  return (
    <div class="timeline-bar">
      <SearchField timeline={timeline} />
      <HitButton timeline={timeline} by={-1} />
      <HitButton timeline={timeline} by={1} />
      <span class="timeline-hits muted" role="status" data-tip={unsearchedText(timeline)}>
        {hitsText(timeline)}
      </span>
      <span class="timeline-rest">
        {error && <span class="timeline-error">{fill(say.tilesFailed, { why: errorText(error) })}</span>}
        {timeline.measuring !== null && <span class="timeline-range">{say.measuring}</span>}
        {range && (
          <span class="timeline-range">
            {say.range} {formatAlone(Math.round(range.end - range.start), "ns")}
          </span>
        )}
      </span>
      <Choice
        label={say.colour}
        tip={say.colourTip}
        value={colour}
        choices={kColourBy.filter((by) => isOffered(timeline, by))}
        titles={say.colours}
        reason={(by) => withoutColour(timeline, by)}
        onChange={(by) => timeline.set({ colour: by, only: new Set() }, "adjust")}
      />
      <Choice
        label={say.axis}
        tip={say.axisTip}
        value={axis}
        choices={kAxisModes}
        titles={say.axes}
        reason={(mode) => withoutAxis(timeline, mode)}
        onChange={(mode) => timeline.set({ axis: mode }, "adjust")}
      />
      <AddMenu stateKey={stateKey} />
      <button
        class="plain text"
        aria-haspopup="menu"
        data-tip={say.flowsTip}
        onClick={(event) => {
          openMenu(anchorOf(event.currentTarget), say.flows, () => flowEntries(timeline));
        }}
      >
        {say.flows}: {say.flowModes[flows].toLowerCase()}
      </button>
      <button
        class="plain text"
        aria-haspopup="menu"
        data-tip={say.lanesTip}
        onClick={(event) => openMenu(anchorOf(event.currentTarget), say.lanes, () => laneEntries(timeline))}
      >
        {say.lanes}
      </button>
      <button
        class="plain text"
        aria-haspopup="menu"
        onClick={(event) =>
          openMenu(anchorOf(event.currentTarget), say.options, () => optionEntries(timeline))
        }
      >
        {say.options}
      </button>
      <button
        class="plain text"
        aria-haspopup="dialog"
        onClick={(event) =>
          openFloat({
            anchor: anchorOf(event.currentTarget),
            title: say.markers,
            align: "right",
            content: () => <MarkerList timeline={timeline} />,
          })
        }
      >
        {say.markers}
        {timeline.markers.list.length > 0 && (
          <span class="timeline-count">{timeline.markers.list.length}</span>
        )}
      </button>
      <button
        class="plain text"
        aria-haspopup="menu"
        onClick={(event) => openMenu(anchorOf(event.currentTarget), say.save, saving, "right")}
      >
        {say.save}
      </button>
      <button class="plain text" data-tip={say.fitTip} onClick={() => timeline.moves.fit(timeline.target)}>
        {say.fit}
      </button>
      {help}
    </div>
  );
}
