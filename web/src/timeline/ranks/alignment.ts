// Where the times of each rank are on the axis, and the order of the rows. Pure arithmetic on what the server measured.
import type { AxisRank, RankAxis } from "../../api/ranks";
import type { Span } from "../viewport";
import type { RanksState } from "./ranks_state";

/** The first step that both have: its starts; null if there is none. */
function commonStep(rank: AxisRank, reference: AxisRank): [own: number, other: number] | null {
  const starts = new Map(reference.steps.map((step) => [step.number, step.start]));
  const step = rank.steps.find(({ number }) => starts.has(number));
  return step ? [step.start, starts.get(step.number) ?? 0] : null;
}

export class Alignment {
  private reference: AxisRank;

  constructor(
    private axis: RankAxis,
    private state: RanksState,
  ) {
    this.reference = axis.ranks.find(({ clock }) => clock?.rule === "reference") ?? axis.ranks[0];
  }

  /** What is added to a rank's times around `time` of the axis. */
  shift(row: number, time = 0): number {
    const rank = this.axis.ranks[row];
    return Math.round(this.measured(rank, time) + (this.state.shifts.get(row) ?? 0));
  }

  private measured(rank: AxisRank, time: number): number {
    const { align } = this.state;
    if (align === "step" || align === "start") return this.bySteps(rank, align === "step");
    const { clock } = rank;
    if (!clock) return 0;
    // Another job has a clock of its own: its first common step, else its start, is put under that of the reference.
    const ofJob = rank.job === 0 ? 0 : this.jobShift(rank.job);
    if (align === "recorded") return ofJob;
    const own = clock.shift + ofJob;
    return own - (clock.drift ?? 0) * (time - own - clock.at);
  }

  private bySteps(rank: AxisRank, step: boolean): number {
    const common = step ? commonStep(rank, this.reference) : null;
    return common ? common[1] - common[0] : this.reference.start - rank.start;
  }

  private jobShift(job: number): number {
    const reference = this.axis.ranks.find((rank) => rank.job === job && rank.clock?.rule === "reference");
    return reference ? this.bySteps(reference, true) : 0;
  }

  /** Whether the rank's place on the axis is not known: it is shown by the files' times. */
  isUncertain(row: number): boolean {
    const { clock, steps } = this.axis.ranks[row];
    if (this.state.align === "step") return steps.length === 0;
    return this.state.align === "clocks" && clock !== null && !clock.known;
  }

  /** All that the ranks recorded, on the axis. */
  extent(): Span {
    let [start, end] = [Infinity, -Infinity];
    this.axis.ranks.forEach((rank, row) => {
      if (!rank.clock || rank.end <= rank.start) return;
      start = Math.min(start, rank.start + this.shift(row, rank.start));
      end = Math.max(end, rank.end + this.shift(row, rank.end));
    });
    return start < end ? { start, end } : { start: 0, end: 1 };
  }
}

/** The rows in the order of the display. */
export function sortedRows(axis: RankAxis, sort: string): number[] {
  const rows = axis.ranks.map((_, row) => row);
  const dimension = axis.dimensions.indexOf(sort);
  const place = (row: number) => axis.ranks[row].places.find((each) => each.dimension === dimension);
  if (sort === "late") rows.sort((a, b) => (axis.ranks[b].caused ?? -1) - (axis.ranks[a].caused ?? -1));
  else if (dimension >= 0) {
    const key = (row: number) => place(row)?.group ?? Infinity;
    rows.sort((a, b) => key(a) - key(b) || a - b);
  }
  return rows;
}
