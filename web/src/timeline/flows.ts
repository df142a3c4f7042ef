// Flows between slices: those of the selected slice come with its details. All flows of the window are
// requested when it stops moving; until they arrive, the last answer is drawn.
import { fetchFlows, type FlowAnswer, type SliceDetail } from "../api/timeline";
import type { Host } from "./host";
import { kFlowKinds } from "./state";
import { pixelFor, tileWindow, type Span } from "./viewport";

export interface Flow {
  kind: string;
  fromLane: number;
  fromRow: number;
  fromTime: number;
  toLane: number;
  toRow: number;
  toTime: number;
}

const kWaitMs = 120;
/** Relations that lead away from the selected slice, and those that lead to it. */
const kForward: Record<string, string> = {
  launched: "launch",
  backward: "forward_backward",
  leads_to: "other",
};
const kBack: Record<string, string> = { launch: "launch", forward: "forward_backward", comes_from: "other" };

/** Whether a relation is a flow. */
export function isFlow(relation: string): boolean {
  return relation in kForward || relation in kBack;
}

/** The flows of one slice, in both directions. */
export function flowsOf(detail: SliceDetail, off: ReadonlySet<string>): Flow[] {
  return detail.related.flatMap((other) => {
    const onward = kForward[other.relation];
    const kind = onward ?? kBack[other.relation];
    if (kind === undefined || off.has(kind)) return [];
    const [from, to] = onward ? [detail, other] : [other, detail];
    return [
      {
        kind,
        fromLane: from.lane,
        fromRow: from.row,
        fromTime: from.start,
        toLane: to.lane,
        toRow: to.row,
        toTime: to.start,
      },
    ];
  });
}

export class Flows {
  answer: FlowAnswer | null = null;
  private key = "";
  private timer = 0;
  private leaving = new AbortController();

  constructor(private host: Host) {}

  leave(): void {
    clearTimeout(this.timer);
    this.leaving.abort();
  }

  /** Requests all flows between these lanes if the last answer is for other lanes. */
  want(lanes: number[], window: Span, width: number): void {
    const { flows, flowsOff } = this.host.state;
    const kinds = kFlowKinds.filter((kind) => !flowsOff.has(kind));
    if (flows !== "all" || kinds.length === 0) {
      this.leave();
      this.answer = null;
      this.key = "";
      return;
    }
    const pixel = pixelFor(window, width);
    const { start, end } = tileWindow(window, pixel, 0.5);
    const { extent } = this.host;
    const request = {
      start: Math.max(start, Math.floor(extent.start)),
      end: Math.min(end, Math.ceil(extent.end) + 1),
      pixel,
      lanes: [...lanes].sort((a, b) => a - b),
      kinds,
    };
    const key = JSON.stringify(request);
    if (key === this.key) return;
    this.key = key;
    clearTimeout(this.timer);
    this.leaving.abort();
    this.timer = self.setTimeout(() => {
      this.leaving = new AbortController();
      fetchFlows(this.host.profile, request, this.leaving.signal).then(
        (answer) => {
          this.answer = answer;
          this.host.bump();
        },
        (error: Error) => {
          // The next frame requests them again.
          if (error.name !== "AbortError") this.key = "";
        },
      );
    }, kWaitMs);
  }
}
