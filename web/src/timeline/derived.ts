// Derived lanes: what the steps waited for. They are requested when the user switches them on, and shown above
// the recorded lanes. Their numbers follow those of all recorded lanes, so both are drawn, folded, pinned and
// moved alike; a mark leads to the recorded slice that explains it.
import { fetchTiles, type Tile, type TileRequest } from "../api/tiles";
import { fetchDerived, type Lane, type LaneGroup, type Profile, type TimelineInfo } from "../api/timeline";
import { spokenTimeline } from "../api/spoken";
import type { Host } from "./host";

const kFirst = 1_000_000;
/** The slice of a mark that leads nowhere. */
export const kNoSlice = 0xffffffff;

export function isDerived(lane: number): boolean {
  return lane >= kFirst;
}

export function isDerivedGroup({ lanes }: { lanes: Lane[] }): boolean {
  return lanes.length > 0 && isDerived(lanes[0].lane);
}

export function recordedOnly(lanes: number[]): number[] {
  return lanes.filter((lane) => !isDerived(lane));
}

/** The tiles of recorded and derived lanes. */
export async function fetchAllTiles(
  profile: Profile,
  request: TileRequest,
  signal: AbortSignal,
): Promise<Tile[]> {
  const recorded = recordedOnly(request.lanes);
  const own = request.lanes.filter(isDerived).map((lane) => lane - kFirst);
  const parts = await Promise.all([
    recorded.length > 0 ? fetchTiles(profile, { ...request, lanes: recorded }, signal) : [],
    own.length > 0
      ? fetchTiles(profile, { ...request, lanes: own, group: "", derived: "waits" }, signal)
      : [],
  ]);
  return [...parts[0], ...parts[1].map((tile) => ({ ...tile, lane: tile.lane + kFirst }))];
}

export class DerivedLanes {
  /** Null until they have arrived. */
  private answer: TimelineInfo | null = null;
  private asked = false;
  private leaving = new AbortController();

  constructor(private host: Host) {}

  leave(): void {
    this.leaving.abort();
  }

  /** Requests the lanes if the state wants them; `arrived` is called when there is something to show. */
  want(arrived: () => void): void {
    if (!this.host.state.waits || this.asked) return;
    this.asked = true;
    fetchDerived(this.host.profile, "waits", this.leaving.signal).then(
      (answer) => {
        this.answer = answer;
        arrived();
      },
      () => (this.asked = false),
    );
  }

  /** The groups of lanes to show, with their texts in the current language. */
  groups(): LaneGroup[] {
    if (!this.answer || !this.host.state.waits) return [];
    return spokenTimeline(this.answer).groups.map((group) => ({
      ...group,
      lanes: group.lanes.map((lane) => ({ ...lane, lane: lane.lane + kFirst })),
    }));
  }
}
