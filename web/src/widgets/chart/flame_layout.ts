// Positions of the boxes of a flame graph, as numbers from 0 to 1 across. Children are under their parent from
// the left, largest first; roots are in the order of the table; a parent is at least as wide as its children together.
import type { NumberColumn } from "../../api/table_data";

export interface FlameBoxes {
  /** Row of the table, per box. */
  rows: Int32Array;
  left: Float64Array;
  width: Float64Array;
  depth: Uint16Array;
  /** Row number to box index; -1 when the row has no box. */
  boxOf: Int32Array;
  deepest: number;
  total: number;
}

export function layoutFlame(rows: number, parent: NumberColumn, value: NumberColumn): FlameBoxes {
  const children = new Map<number, number[]>();
  const roots: number[] = [];
  for (let row = 0; row < rows; row++) {
    const up = parent.numbers[row];
    if (!(up >= 0 && up < rows) || up === row) roots.push(row);
    else if (children.has(up)) children.get(up)?.push(row);
    else children.set(up, [row]);
  }
  const size = new Float64Array(rows);
  const order: number[] = [];
  const stack = [...roots];
  while (stack.length > 0) {
    const row = stack.pop() as number;
    order.push(row);
    stack.push(...(children.get(row) ?? []));
  }
  for (let i = order.length - 1; i >= 0; i--) {
    const row = order[i];
    const below = (children.get(row) ?? []).reduce((sum, child) => sum + size[child], 0);
    size[row] = Math.max(value.numbers[row] || 0, below);
  }
  const total = roots.reduce((sum, row) => sum + size[row], 0);
  const boxes: FlameBoxes = {
    rows: new Int32Array(order.length),
    left: new Float64Array(order.length),
    width: new Float64Array(order.length),
    depth: new Uint16Array(order.length),
    boxOf: new Int32Array(rows).fill(-1),
    deepest: 0,
    total,
  };
  let count = 0;
  const place = (siblings: number[], from: number, depth: number): [number, number, number][] => {
    let x = from;
    return siblings.map((row) => {
      const entry: [number, number, number] = [row, x, depth];
      x += total > 0 ? size[row] / total : 0;
      return entry;
    });
  };
  const largestFirst = (a: number, b: number) => size[b] - size[a] || a - b;
  const todo = place(roots, 0, 0);
  while (todo.length > 0) {
    const [row, left, depth] = todo.pop() as [number, number, number];
    boxes.rows[count] = row;
    boxes.left[count] = left;
    boxes.width[count] = total > 0 ? size[row] / total : 0;
    boxes.depth[count] = depth;
    boxes.boxOf[row] = count++;
    boxes.deepest = Math.max(boxes.deepest, depth);
    const below = children.get(row);
    if (below) todo.push(...place(below.sort(largestFirst), left, depth + 1));
  }
  return boxes;
}
