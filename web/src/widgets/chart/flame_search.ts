// Which boxes of a flame graph match a search. A text matches in any letter case; between slashes it is a regular expression.
import type { FlameBoxes } from "./flame_layout";

export interface FlameMatches {
  /** Rows of the table, from left to right and from the root on. */
  rows: number[];
  /** Of the width of the graph: boxes inside a box that matches count once. */
  share: number;
  isMatch: (box: number) => boolean;
}

/** Null: nothing is searched for, or the expression is not complete. */
export function matcherOf(search: string): ((name: string) => boolean) | null {
  const text = search.trim();
  if (text === "") return null;
  const expression = /^\/(.+)\/$/.exec(text);
  if (!expression) {
    const wanted = text.toLowerCase();
    return (name) => name.toLowerCase().includes(wanted);
  }
  try {
    const known = new RegExp(expression[1], "i");
    return (name) => known.test(name);
  } catch {
    return null;
  }
}

export function findBoxes(boxes: FlameBoxes, matches: (row: number) => boolean): FlameMatches {
  const flags = new Uint8Array(boxes.rows.length);
  const found: number[] = [];
  for (let i = 0; i < boxes.rows.length; i++) {
    if (!matches(boxes.rows[i])) continue;
    flags[i] = 1;
    found.push(i);
  }
  found.sort((a, b) => boxes.left[a] - boxes.left[b] || boxes.depth[a] - boxes.depth[b]);
  // An outer box comes before those inside it: it begins at the same place or before.
  let share = 0;
  let end = 0;
  for (const i of found) {
    const right = boxes.left[i] + boxes.width[i];
    // Sums of widths are not exact: a neighbour may begin a hair before the end.
    if (right <= end + 1e-12) continue;
    share += boxes.width[i];
    end = right;
  }
  return { rows: found.map((i) => boxes.rows[i]), share, isMatch: (box) => flags[box] === 1 };
}
