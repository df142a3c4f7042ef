// The timeline's keys and gestures, registered with the page's, so that the key sheet lists them. Escape is
// used only while there is something to deselect; otherwise the page gets it.
import { addGestureNote, addShortcut } from "../base/keys";
import { settings } from "../base/settings";
import { words } from "../base/words";
import type { Controller } from "./controller";
import { Glide } from "./glide";
import { kRow } from "./layout";
import { kFlowModes } from "./state";

export function addTimelineKeys(timeline: Controller): () => void {
  const group = words.keyGroups.timeline;
  const say = words.timeline;
  const glide = new Glide(timeline);
  const ends: (() => void)[] = [() => glide.leave()];
  const add = (keys: string[], title: string, run: (key: string) => void) => {
    for (const key of keys) ends.push(addShortcut({ keys: key, title, group, run: () => run(key) }));
  };
  const { moves, lanes, markers } = timeline;
  const scroll = (rows: number) => lanes.scrollTo(lanes.scrollTop + rows * kRow);
  const nextFlows = () => {
    const at = kFlowModes.indexOf(timeline.state.flows);
    timeline.set({ flows: kFlowModes[(at + 1) % kFlowModes.length] }, "adjust");
  };
  add(["w", "+"], say.keyZoomIn, (key) => glide.press(key, 0, 1));
  add(["s", "-"], say.keyZoomOut, (key) => glide.press(key, 0, -1));
  add(["a", "ArrowLeft"], say.keyLeft, (key) => glide.press(key, -1, 0));
  add(["d", "ArrowRight"], say.keyRight, (key) => glide.press(key, 1, 0));
  add(["ArrowUp"], say.keyScrollUp, () => scroll(-3));
  add(["ArrowDown"], say.keyScrollDown, () => scroll(3));
  add(["f"], say.keyFit, () => moves.fit(timeline.target));
  add(["z"], say.keyZoomTo, () => timeline.target && moves.fit(timeline.target, 0));
  add(["0"], say.keyAll, () => moves.fit(null));
  add(["m"], say.keyMeasure, () => timeline.measure());
  add(["v"], say.keyMarker, () => moves.pointer >= 0 && markers.add(timeline.pointerTime));
  add(["["], say.keyPreviousSame, () => timeline.goRelated("previous"));
  add(["]"], say.keyNextSame, () => timeline.goRelated("next"));
  add(["q"], say.keyParent, () => timeline.goRelated("parent"));
  add(["e"], say.keyChild, () => timeline.goRelated("child"));
  add([","], say.keyBefore, () => timeline.goBeside(-1));
  add(["."], say.keyAfter, () => timeline.goBeside(1));
  add(["r"], say.keyFlow, () => timeline.goRelated("launch", "launched"));
  add(["n"], say.keyNextHit, () => timeline.nextHit(1));
  add(["N"], say.keyPreviousHit, () => timeline.nextHit(-1));
  add(["x"], say.keyFlows, nextFlows);
  add(["c"], say.keyFold, () => lanes.toggleAll());
  const wheel = settings.get().wheelZooms ? say.wheelThatZooms : say.wheelThatScrolls;
  for (const [gesture, title] of [...wheel, ...say.gestures])
    ends.push(addGestureNote({ keys: gesture, title, group }));
  return () => ends.forEach((end) => end());
}

export function addDeselect(timeline: Controller): () => void {
  const { group, title } = { group: words.keyGroups.page, title: words.keyEscape };
  return addShortcut({ keys: "Escape", title, group, run: () => timeline.deselect() });
}
