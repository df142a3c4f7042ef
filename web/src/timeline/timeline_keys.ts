// The timeline's keys, registered with the page's, so that the key sheet lists them: WASD and arrows
// move, f fits, m measures, [ and ] go to the same name. Escape is taken only while there is something to
// deselect: else it is the page's.
import { addShortcut } from "../base/keys";
import { words } from "../base/words";
import type { Controller } from "./controller";
import { kRow } from "./layout";

const kZoom = 1.3;
const kMove = 0.12;

export function addTimelineKeys(timeline: Controller): () => void {
  const group = words.keyGroups.timeline;
  const say = words.timeline;
  const ends: (() => void)[] = [];
  const add = (keys: string[], title: string, run: () => void) => {
    for (const key of keys) ends.push(addShortcut({ keys: key, title, group, run }));
  };
  const scroll = (rows: number) => timeline.scrollTo(timeline.scrollTop + rows * kRow);
  add(["w", "+"], say.keyZoom, () => timeline.zoom(kZoom));
  add(["s", "-"], say.keyZoom, () => timeline.zoom(1 / kZoom));
  add(["a", "ArrowLeft"], say.keyPan, () => timeline.pan(-timeline.width * kMove));
  add(["d", "ArrowRight"], say.keyPan, () => timeline.pan(timeline.width * kMove));
  add(["ArrowUp"], say.keyScroll, () => scroll(-3));
  add(["ArrowDown"], say.keyScroll, () => scroll(3));
  add(["f"], say.keyFit, () => timeline.fit());
  add(["m"], say.keyMeasure, () => timeline.measure());
  add(["["], say.keySame, () => timeline.same("previous"));
  add(["]"], say.keySame, () => timeline.same("next"));
  return () => ends.forEach((end) => end());
}

export function addDeselect(timeline: Controller): () => void {
  const { group, title } = { group: words.keyGroups.page, title: words.keyEscape };
  return addShortcut({ keys: "Escape", title, group, run: () => timeline.deselect() });
}
