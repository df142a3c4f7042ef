// Where the selected slice's flows lead when their other end is not on the screen: a button at that edge, with an
// arrow and a name, goes there. Elements of the page and not part of the drawing, so that keys reach them.
import type { Related } from "../api/timeline";
import { shortenName } from "../base/names";
import { fill, words } from "../base/words";
import type { Controller } from "./controller";
import { isFlow } from "./flows";
import { xOf } from "./viewport";

type Edge = "up" | "down" | "left" | "right";

const kArrows: Record<Edge, string> = { up: "↑", down: "↓", left: "←", right: "→" };
const kNameWidth = 32;

/** The edge behind which a slice is; null if a part of it is on the screen. */
function edgeOf(timeline: Controller, lane: number, other: Related): Edge | null {
  const { lanes, moves } = timeline;
  const { window, width } = moves;
  if (!lanes.layout.lanes.has(other.lane)) return lanes.isBelow(other.lane, lane) ? "down" : "up";
  const side = lanes.side(other.lane, other.row);
  if (side !== 0) return side < 0 ? "up" : "down";
  if (xOf(other.start + other.duration, window, width) < 0) return "left";
  return xOf(other.start, window, width) > width ? "right" : null;
}

export class FlowEnds {
  private drawn = "";

  constructor(
    private timeline: Controller,
    private box: HTMLElement,
  ) {}

  /** One button per edge, for the first relative behind it. */
  show(): void {
    const { state, selection, lanes } = this.timeline;
    const detail = state.flows !== "none" && selection.detail;
    const ends = new Map<Edge, Related>();
    if (detail && detail.slice === state.slice && lanes.height > 0) {
      for (const other of detail.related.filter(({ relation }) => isFlow(relation))) {
        const edge = edgeOf(this.timeline, detail.lane, other);
        if (edge && !ends.has(edge)) ends.set(edge, other);
      }
    }
    const text = [...ends].map(([edge, { slice }]) => `${edge} ${slice}`).join();
    if (text === this.drawn) return;
    this.drawn = text;
    this.box.replaceChildren(...[...ends].map(([edge, other]) => this.button(edge, other)));
  }

  private button(edge: Edge, other: Related): HTMLButtonElement {
    const button = document.createElement("button");
    const relation = words.timeline.relations[other.relation];
    const name = shortenName(other.name, kNameWidth);
    button.className = `timeline-end ${edge}`;
    button.dataset.edge = edge;
    button.textContent = `${kArrows[edge]} ${fill(words.timeline.flowEnd, { relation, name })}`;
    button.dataset.tip = other.name;
    button.addEventListener("click", () => this.timeline.goTo(other));
    return button;
  }
}
