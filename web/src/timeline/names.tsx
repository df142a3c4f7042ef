// The lane names at the left: a button per group and lane that folds it. Only what is in sight, and a
// little around it, is in the document; names are text and whole on hover.
import { fill, grouped, words } from "../base/words";
import { Icon } from "../widgets/icon";
import { between, kRow, type Layout } from "./layout";

const kAround = 400;

interface Props {
  layout: Layout;
  top: number;
  height: number;
  onToggle: (key: string) => void;
}

export function LaneNames({ layout, top, height, onToggle }: Props) {
  return (
    <div class="timeline-names" style={{ height: `${layout.height}px` }}>
      {between(layout, top - kAround, top + height + kAround).map((at) => {
        const style = { top: `${at.top}px`, height: `${at.lane ? kRow : at.height}px` };
        if (!at.lane) {
          return (
            <button
              key={`g${at.group}`}
              class="timeline-group"
              style={style}
              aria-expanded={!at.closed}
              data-tip={fill(words.timeline.group, { title: at.title })}
              onClick={() => onToggle(`g${at.group}`)}
            >
              <Icon name={at.closed ? "chevron" : "down"} />
              <span class="timeline-name">{at.title}</span>
            </button>
          );
        }
        const { lane, title, rows, slices } = at.lane;
        return (
          <button
            key={lane}
            class="timeline-lane"
            style={style}
            data-lane={lane}
            disabled={rows < 2}
            aria-expanded={!at.closed}
            data-tip={fill(words.timeline.lane, { title, n: grouped(slices), rows })}
            onClick={() => onToggle(String(lane))}
          >
            {rows > 1 ? <Icon name={at.closed ? "chevron" : "down"} /> : <span class="timeline-nofold" />}
            <span class="timeline-name">{title}</span>
          </button>
        );
      })}
    </div>
  );
}
