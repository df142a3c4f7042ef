// Where lanes stand: a 20 px head per group, lanes of 18 px rows below it, a small gap after each lane.
// A closed group shows its head only, a closed lane one row. Everything is measured from the top of the
// whole list; who draws takes off how far it is scrolled.
import type { Lane, LaneGroup } from "../api/timeline";

export const kRow = 18;
export const kHead = 20;
const kGap = 6;

export interface Placed {
  /** A group's head, or a lane. */
  group: number;
  lane: Lane | null;
  title: string;
  top: number;
  height: number;
  closed: boolean;
  /** Rows drawn: 1 when closed. */
  rows: number;
}

export interface Layout {
  placed: Placed[];
  height: number;
  /** By lane number. */
  lanes: Map<number, Placed>;
}

/** `closed` holds "g2" for a group and "7" for a lane. */
export function layOut(groups: LaneGroup[], closed: ReadonlySet<string>): Layout {
  const placed: Placed[] = [];
  const lanes = new Map<number, Placed>();
  let top = 0;
  groups.forEach(({ title, lanes: members }, group) => {
    const shut = closed.has(`g${group}`);
    placed.push({ group, lane: null, title, top, height: kHead, closed: shut, rows: 0 });
    top += kHead;
    if (shut) return;
    for (const lane of members) {
      const folded = lane.rows > 1 && closed.has(String(lane.lane));
      const rows = folded ? 1 : Math.max(1, lane.rows);
      const at: Placed = {
        group,
        lane,
        title: lane.title,
        top,
        height: rows * kRow + kGap,
        closed: folded,
        rows,
      };
      placed.push(at);
      lanes.set(lane.lane, at);
      top += at.height;
    }
  });
  return { placed, height: top, lanes };
}

/** What stands between two heights. */
export function between({ placed }: Layout, top: number, bottom: number): Placed[] {
  let low = 0;
  let high = placed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placed[middle].top + placed[middle].height <= top) low = middle + 1;
    else high = middle;
  }
  const seen: Placed[] = [];
  for (let i = low; i < placed.length && placed[i].top < bottom; i++) seen.push(placed[i]);
  return seen;
}

/** The lane and row at a height; null on heads and in gaps. */
export function rowAt(layout: Layout, y: number): { at: Placed; row: number } | null {
  const [at] = between(layout, y, y + 0.01);
  if (!at?.lane) return null;
  const row = Math.floor((y - at.top) / kRow);
  return row < at.rows ? { at, row } : null;
}
