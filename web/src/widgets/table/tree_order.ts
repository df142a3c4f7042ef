// The rows of a tree table: depth-first, siblings in the table's sort order, children of collapsed rows left
// out. During a search, matches are drawn with their ancestors, and all rows between are open; otherwise a
// match inside a collapsed row would be invisible.
import type { NumberColumn } from "../../api/table_data";

export interface TreeRows {
  rows: Uint32Array;
  /** Per row of the table (not per position): its depth, and whether it has children. */
  depth: Uint16Array;
  hasChildren: Uint8Array;
}

export interface Tree {
  roots: number[];
  children: Map<number, number[]>;
  parents: Float64Array;
}

/** If a parent is unknown, out of range or the row itself, the row is a root. */
export function makeTree(sorted: Uint32Array, parent: NumberColumn): Tree {
  const roots: number[] = [];
  const children = new Map<number, number[]>();
  for (const row of sorted) {
    const up = parent.numbers[row];
    if (!(up >= 0 && up < sorted.length) || up === row) {
      roots.push(row);
      continue;
    }
    const list = children.get(up);
    if (list) list.push(row);
    else children.set(up, [row]);
  }
  return { roots, children, parents: parent.numbers };
}

export function treeRows(
  tree: Tree,
  total: number,
  isOpen: (row: number) => boolean,
  mask: Uint8Array | null,
): TreeRows {
  const wanted = mask && withAncestors(tree, mask);
  const depth = new Uint16Array(total);
  const hasChildren = new Uint8Array(total);
  for (const row of tree.children.keys()) hasChildren[row] = 1;
  const out: number[] = [];
  const stack: [row: number, depth: number][] = [];
  for (let i = tree.roots.length - 1; i >= 0; i--) stack.push([tree.roots[i], 0]);
  while (stack.length > 0) {
    const [row, level] = stack.pop() as [number, number];
    if (wanted && !wanted[row]) continue;
    depth[row] = level;
    out.push(row);
    const below = tree.children.get(row);
    if (!below || !(wanted || isOpen(row))) continue;
    for (let i = below.length - 1; i >= 0; i--) stack.push([below[i], level + 1]);
  }
  return { rows: Uint32Array.from(out), depth, hasChildren };
}

function withAncestors(tree: Tree, mask: Uint8Array): Uint8Array {
  const wanted = mask.slice();
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) continue;
    for (let up = tree.parents[row]; up >= 0 && up < mask.length && !wanted[up]; up = tree.parents[up])
      wanted[up] = 1;
  }
  return wanted;
}

/** A row and its ancestors: all of them must be open for the row to be visible. */
export function ancestorsOf(tree: Tree, row: number): number[] {
  const out: number[] = [];
  for (
    let up = tree.parents[row];
    up >= 0 && up < tree.parents.length && !out.includes(up);
    up = tree.parents[up]
  ) {
    out.push(up);
  }
  return out;
}

const kFewRoots = 4;

/** Which part of a tree is open at first: few roots, and their descendants as long as there is only one child. */
export function firstOpen(tree: Tree): Set<number> {
  const open = new Set<number>();
  if (tree.roots.length > kFewRoots) return open;
  for (const root of tree.roots) {
    for (
      let row = root, below = tree.children.get(row);
      below && !open.has(row);
      below = tree.children.get(row)
    ) {
      open.add(row);
      if (below.length !== 1) break;
      row = below[0];
    }
  }
  return open;
}
