// The lane names at the left: pinned ones on top, the rest scrolled with the lanes. A click folds, a drag
// moves, a menu pins and hides. Only the visible names, and a few around them, are in the document.
import { useRef, useState } from "preact/hooks";
import { fill, grouped, words } from "../base/words";
import { anchorAt, anchorOf } from "../widgets/float";
import { Icon } from "../widgets/icon";
import { openMenu, type MenuEntries } from "../widgets/menu";
import type { Controller } from "./controller";
import { between, kRow, pinnedShown, type Placed } from "./layout";
import { follow } from "./press";

const kAround = 400;

function entriesOf(timeline: Controller, at: Placed): MenuEntries {
  const { lanes } = timeline;
  const { key } = at;
  const say = words.timeline;
  const beside = lanes.besides(key);
  const place = beside.indexOf(key);
  const foldable = at.kind !== "counter" && (!at.lane || at.lane.rows > 1);
  return [
    { title: at.pinned ? say.unpin : say.pin, run: () => lanes.togglePin(key) },
    ...(place > 0 ? [{ title: say.moveUp, run: () => lanes.step(key, -1) }] : []),
    ...(place < beside.length - 1 ? [{ title: say.moveDown, run: () => lanes.step(key, 1) }] : []),
    ...(foldable ? [{ title: at.closed ? words.expand : words.collapse, run: () => lanes.toggle(key) }] : []),
    null,
    { title: say.hide, run: () => lanes.hide(key) },
    ...(beside.length > 1 && !at.pinned ? [{ title: say.hideOthers, run: () => lanes.hideOthers(key) }] : []),
  ];
}

function tipOf(at: Placed): string {
  if (at.counter) return at.counter.doc ? `${at.title}\n${at.counter.doc}` : at.title;
  if (!at.lane) return at.title;
  const { rows, slices } = at.lane;
  return fill(words.timeline.lane, { title: at.title, n: grouped(slices), rows });
}

function Name({ timeline, at, top }: { timeline: Controller; at: Placed; top: number }) {
  const [drag, setDrag] = useState<number | null>(null);
  const dragged = useRef(false);
  const foldable = at.kind !== "counter" && (!at.lane || at.lane.rows > 1);
  const height = at.kind === "lane" ? kRow : at.height;
  const press = (down: PointerEvent) => {
    dragged.current = false;
    if (down.button !== 0) return;
    let target = at.key;
    follow(
      down,
      (event, _dx, dy) => {
        dragged.current = true;
        setDrag(dy);
        const under = document.elementsFromPoint(event.clientX, event.clientY);
        const other = under.map((e) => (e as HTMLElement).dataset?.key).find((key) => key && key !== at.key);
        if (other) target = other;
      },
      () => {
        setDrag(null);
        if (dragged.current) timeline.lanes.moveTo(at.key, target);
      },
    );
  };
  const menu = (event: MouseEvent) => {
    event.preventDefault();
    const onButton = event.type === "click";
    const anchor = onButton ? anchorOf(event.currentTarget) : anchorAt(event);
    openMenu(anchor, at.title, () => entriesOf(timeline, at));
  };
  const moved = drag === null ? undefined : { transform: `translateY(${drag}px)`, zIndex: 3 };
  return (
    <div
      class={`timeline-${at.kind} timeline-entry${at.pinned ? " pinned" : ""}`}
      style={{ top: `${top}px`, height: `${height}px`, "--level": at.level, ...moved }}
      data-key={at.key}
      data-lane={at.lane?.lane}
      data-counter={at.counter?.counter}
      onContextMenu={menu}
      onPointerDown={press}
    >
      <button
        class="timeline-toggle"
        disabled={!foldable}
        aria-expanded={foldable ? !at.closed : undefined}
        data-tip={tipOf(at)}
        onClick={() => !dragged.current && timeline.lanes.toggle(at.key)}
      >
        {foldable ? <Icon name={at.closed ? "chevron" : "down"} /> : <span class="timeline-nofold" />}
        <span class="timeline-name">{at.title}</span>
      </button>
      <button
        class="timeline-more"
        aria-label={fill(words.timeline.laneMenu, { title: at.title })}
        aria-haspopup="menu"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={menu}
      >
        <Icon name="menu" />
      </button>
    </div>
  );
}

interface Props {
  timeline: Controller;
  top: number;
  height: number;
}

export function LaneNames({ timeline, top, height }: Props) {
  const { layout } = timeline.lanes;
  const cover = pinnedShown(layout, timeline.lanes.height);
  return (
    <div class="timeline-names" style={{ height: `${layout.height}px` }}>
      {cover > 0 && (
        <div class="timeline-pinned" style={{ height: `${cover}px` }}>
          {between(layout.pinned, 0, cover).map((at) => (
            <Name key={`p${at.key}`} timeline={timeline} at={at} top={at.top} />
          ))}
        </div>
      )}
      {between(layout.placed, top - kAround, top + height + kAround).map((at) => (
        <Name key={at.key} timeline={timeline} at={at} top={at.top} />
      ))}
    </div>
  );
}

/** Above the names: the filter, and how many lanes are hidden. */
export function LaneFilter({ timeline }: { timeline: Controller }) {
  const { layout } = timeline.lanes;
  const gone = layout.hidden + layout.filtered;
  return (
    <div class="timeline-filter">
      <input
        class="field"
        type="search"
        value={timeline.state.filter}
        placeholder={words.timeline.filterHint}
        aria-label={words.timeline.filterHint}
        onInput={(event) => timeline.lanes.setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      {gone > 0 && (
        <button class="link" onClick={() => timeline.lanes.showAll()}>
          {fill(words.timeline.hiddenShow, { n: gone })}
        </button>
      )}
    </div>
  );
}
