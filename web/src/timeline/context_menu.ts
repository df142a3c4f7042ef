// The context menu: actions for a time, a slice, or a marker.
import type { Marker } from "../api/timeline";
import { words } from "../base/words";
import { copyText } from "../widgets/copy";
import { anchorAt } from "../widgets/float";
import { openMenu, type MenuEntries } from "../widgets/menu";
import type { Controller } from "./controller";
import { openMarkerName } from "./marker_list";
import { markUnder, snapped, timeOf } from "./pointer";
import { timeText } from "./axis";

function timeEntries(timeline: Controller, time: number, event: MouseEvent): MenuEntries {
  const say = words.timeline;
  return [
    {
      title: say.addMarker,
      hint: "v",
      run: () => openMarkerName(timeline, timeline.markers.add(time), anchorAt(event)),
    },
    { title: say.measureFrom, hint: "m", run: () => timeline.measureFrom(time) },
    { title: say.copyTime, run: () => void copyText(timeText(timeline.axis, time)) },
  ];
}

export function lanesMenu(timeline: Controller, event: MouseEvent): void {
  event.preventDefault();
  const time = snapped(timeline, event.offsetX, event.offsetY);
  const hit = markUnder(timeline, event.offsetX, event.offsetY);
  const say = words.timeline;
  const entries: MenuEntries = timeEntries(timeline, time, event);
  if (hit) {
    const chosen = { slice: hit.slice, lane: hit.lane, start: hit.start, end: hit.end };
    entries.push(
      null,
      { title: say.zoomTo, run: () => timeline.moves.fit(hit) },
      {
        title: say.rangeOfIt,
        run: () => timeline.setRange({ start: hit.start, end: Math.max(hit.end, hit.start + 1) }, true),
      },
      { title: say.chooseIt, run: () => timeline.choose(chosen, hit.row) },
      { title: say.searchName, run: () => timeline.setText(hit.name) },
      { title: words.copyName, run: () => void copyText(hit.name) },
    );
  }
  openMenu(anchorAt(event), say.menu, () => entries);
}

export function headMenu(timeline: Controller, event: MouseEvent, marker: Marker | null): void {
  event.preventDefault();
  const say = words.timeline;
  const entries = timeEntries(timeline, timeOf(timeline, event.offsetX), event);
  if (marker)
    entries.unshift(
      { title: say.renameMarker, run: () => openMarkerName(timeline, marker, anchorAt(event)) },
      { title: say.deleteMarker, run: () => timeline.markers.remove(marker) },
      null,
    );
  openMenu(anchorAt(event), say.menu, () => entries);
}
