// The position of each row of a virtual table. Rows are 24 px; the few expanded rows have a detail of measured
// height below them. Positions are computed from the sorted list of expanded positions alone, so a million
// plain rows cost nothing.
export const kRowHeight = 24;
/** Browsers clip elements taller than about 17 million pixels: more rows than this are not drawn. */
export const kMostRows = 600_000;

export interface Detail {
  /** Position in the drawn order, not the row number. */
  position: number;
  height: number;
}

export class RowLayout {
  /** Pixels added above the position of each detail, by running sum. */
  private readonly added: number[] = [];

  constructor(
    readonly count: number,
    private readonly details: Detail[],
  ) {
    let sum = 0;
    for (const detail of details) {
      this.added.push(sum);
      sum += detail.height;
    }
    this.total = count * kRowHeight + sum;
  }

  readonly total: number;

  /** How many details are above `position`. */
  private detailsBefore(position: number): number {
    let low = 0;
    let high = this.details.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.details[middle].position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  top(position: number): number {
    const before = this.detailsBefore(position);
    const extra = before === 0 ? 0 : this.added[before - 1] + this.details[before - 1].height;
    return position * kRowHeight + extra;
  }

  /** The row that covers pixel `y` (its detail included). */
  positionAt(y: number): number {
    let low = 0;
    let high = Math.max(0, this.count - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
