// The legend is the control: a click shows one series alone, a second click shows all again; Shift or Ctrl adds
// or removes a single one. It is HTML above the chart, so it wraps, can be reached with Tab, and never covers
// the drawing.
import { words } from "../../base/words";

export interface LegendEntry {
  key: string;
  title: string;
  hue: string;
}

interface Props {
  entries: LegendEntry[];
  /** Keys of the drawn series. */
  shown: Set<string>;
  onShow: (shown: Set<string>) => void;
}

export function nextShown(keys: string[], shown: Set<string>, key: string, add: boolean): Set<string> {
  if (add) {
    const next = new Set(shown);
    if (!next.delete(key)) next.add(key);
    return next.size === 0 ? new Set(keys) : next;
  }
  return shown.size === 1 && shown.has(key) ? new Set(keys) : new Set([key]);
}

export function Legend({ entries, shown, onShow }: Props) {
  const keys = entries.map((entry) => entry.key);
  return (
    <div class="legend">
      {entries.map(({ key, title, hue }) => (
        <button
          key={key}
          class={shown.has(key) ? "legend-entry" : "legend-entry off"}
          aria-pressed={shown.has(key)}
          data-tip={shown.size === 1 && shown.has(key) ? words.restoreAll : words.isolate}
          onClick={(event) =>
            onShow(nextShown(keys, shown, key, event.shiftKey || event.ctrlKey || event.metaKey))
          }
        >
          <i class="swatch" style={{ background: hue }} />
          {title}
        </button>
      ))}
    </div>
  );
}
