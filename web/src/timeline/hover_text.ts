// The hover text of a mark: a slice's name, duration and start; for a density mark how many slices it
// sums up, how busy they make it, and the longest of them.
import { formatAlone } from "../base/units";
import { categoryWord, fill, grouped, words } from "../base/words";
import type { HitMark } from "./hit";
import { categoryOfKind } from "./colors";

export function kindWord(kind: string): string {
  return words.timeline.kinds[kind] ?? categoryWord(categoryOfKind(kind) || kind).toLowerCase();
}

export function hoverText(hit: HitMark): string {
  const at = fill(words.timeline.at, { time: formatAlone(hit.start, "ns") });
  if (hit.count === 1) {
    return `${hit.name}\n${formatAlone(hit.end - hit.start, "ns")}, ${at}, ${kindWord(hit.kind)}`;
  }
  const share = hit.end > hit.start ? Math.min(1, hit.busy / (hit.end - hit.start)) : 1;
  const sums = fill(words.timeline.sums, { n: grouped(hit.count), share: `${(share * 100).toFixed(1)}%` });
  return `${sums}\n${fill(words.timeline.longest, { name: hit.name })}\n${at}`;
}
