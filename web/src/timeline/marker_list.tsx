// The markers of a set: go to one, rename, delete; and the sets: open one, save the shown one under another
// name, delete. Opens beside its button; a new marker is named where it was placed.
import { errorText } from "../api/client";
import { inFile } from "../api/source";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Marker } from "../api/timeline";
import { fill, words } from "../base/words";
import { closeFloat, openFloat, type Anchor } from "../widgets/float";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { timeText } from "./axis";
import type { Controller } from "./controller";
import { keepInside, lengthOf } from "./viewport";

const kLongestName = 200;

function goTo(timeline: Controller, { time }: Marker): void {
  const half = lengthOf(timeline.moves.window) / 2;
  timeline.moves.jump(keepInside({ start: time - half, end: time + half }, timeline.extent));
}

interface FieldProps {
  value: string;
  label: string;
  focused?: boolean;
  done: (value: string) => void;
}

function NameField({ value, label, focused, done }: FieldProps) {
  const ref = useRef<HTMLInputElement>(null);
  // Focused before anything is shown, so the first keys are typed here.
  useLayoutEffect(() => {
    if (focused) ref.current?.select();
  }, []);
  return (
    <input
      ref={ref}
      class="field"
      type="text"
      maxLength={kLongestName}
      // The text belongs to the field: redrawing the list does not change a half-typed text.
      defaultValue={value}
      aria-label={label}
      spellcheck={false}
      onChange={(event) => done(event.currentTarget.value.trim())}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.currentTarget.blur();
        if (focused) closeFloat();
      }}
    />
  );
}

/** A field beside a marker that is new, or is being renamed. */
export function openMarkerName(timeline: Controller, marker: Marker, anchor: Anchor): void {
  const content = () => (
    <div class="marker-name">
      <NameField
        value={marker.name}
        label={words.timeline.markerNameLabel}
        focused
        done={(name) => {
          timeline.markers.rename(marker, name);
        }}
      />
    </div>
  );
  // After the menu has closed.
  setTimeout(() => openFloat({ anchor, title: words.timeline.renameMarker, align: "left", content }));
}

function Sets({ timeline }: { timeline: Controller }) {
  const { markers } = timeline;
  const [naming, setNaming] = useState(false);
  const sets = markers.sets.includes(markers.set) ? markers.sets : [...markers.sets, markers.set];
  const say = words.timeline;
  return (
    <div class="marker-sets">
      <select
        class="field"
        aria-label={say.markerSet}
        value={markers.set}
        onChange={(event) => markers.open(event.currentTarget.value)}
      >
        {sets.map((set) => (
          <option key={set} value={set}>
            {set}
          </option>
        ))}
      </select>
      <button class="plain text" aria-expanded={naming} onClick={() => setNaming(!naming)}>
        {say.saveSetAs}
      </button>
      <button class="plain text" onClick={() => markers.removeSet()}>
        {say.deleteSet}
      </button>
      {naming && (
        <NameField
          value=""
          label={say.newSetName}
          done={(name) => {
            setNaming(false);
            if (name !== "") markers.saveAs(name);
          }}
        />
      )}
    </div>
  );
}

export function MarkerList({ timeline }: { timeline: Controller }) {
  useAtom(timeline.changed);
  const { markers, axis } = timeline;
  const say = words.timeline;
  return (
    <div class="marker-list">
      <Sets timeline={timeline} />
      {markers.error && (
        <p class="marker-note" role="alert">
          {fill(say.markersFailed, { why: errorText(markers.error) })}
        </p>
      )}
      {!markers.saved && (
        <p class="marker-note muted">{inFile() ? say.markersInFile : say.markersNotSaved}</p>
      )}
      {markers.list.length === 0 && <p class="marker-note muted">{say.noMarkers}</p>}
      <ul>
        {markers.list.map((marker) => (
          <li key={`${marker.time} ${marker.name}`} data-marker={marker.name}>
            <NameField
              value={marker.name}
              label={say.markerNameLabel}
              done={(name) => markers.rename(marker, name)}
            />
            <button class="link" data-tip={say.goToMarker} onClick={() => goTo(timeline, marker)}>
              {timeText(axis, marker.time)}
            </button>
            <button
              class="plain round"
              aria-label={fill(say.deleteNamed, { name: marker.name })}
              data-tip={say.deleteMarker}
              onClick={() => markers.remove(marker)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
