// A searchable list: the top bar's pickers and the command palette use it. Typing narrows it, arrows move,
// Enter selects. Only as many entries are drawn as can be read; typing finds the others.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { words } from "../base/words";
import { shortenName } from "../base/names";

export interface PickerItem {
  title: string;
  /** Muted, at the right: what kind of thing this is, or its state. */
  hint?: string;
  /** Why it cannot be selected; shown in place of the hint. */
  disabled?: string;
  current?: boolean;
  code?: boolean;
  take: () => void;
}

const kDrawn = 200;

/** One picker is open at a time. */
const kList = "picker-list";
const optionId = (i: number) => `${kList}-${i}`;

/** Entries in which every word of the query occurs, those that begin with it first. */
export function matchItems(items: PickerItem[], query: string): PickerItem[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return items;
  const rank = (item: PickerItem): number => {
    const text = (item.title + " " + (item.hint ?? "")).toLowerCase();
    if (!wanted.every((word) => text.includes(word))) return -1;
    const title = item.title.toLowerCase();
    return title.startsWith(wanted[0]) ? 2 : title.includes(wanted[0]) ? 1 : 0;
  };
  return items
    .map((item, at) => ({ item, at, rank: rank(item) }))
    .filter((entry) => entry.rank >= 0)
    .sort((a, b) => b.rank - a.rank || a.at - b.at)
    .map((entry) => entry.item);
}

const nameOf = ({ title, hint = "" }: PickerItem) => `${title}\n${hint}`;

interface Props {
  items: PickerItem[];
  hint: string;
  wide?: boolean;
  /** An entry for the typed text itself, if it is not in the list. */
  typed?: (query: string) => PickerItem;
  onQuery?: (query: string) => void;
  onTake: () => void;
}

export function Picker({ items, hint, wide, typed, onQuery, onTake }: Props) {
  const [query, setQuery] = useState("");
  const own = query.trim();
  const known = own === "" || items.some(({ title }) => title === own);
  const matching = [...matchItems(items, query), ...(typed && !known ? [typed(own)] : [])];
  const drawn = matching.slice(0, kDrawn);
  const first = query === "" ? drawn.findIndex((item) => item.current) : 0;
  const [chosen, setAt] = useState(Math.max(0, first));
  // Entries that arrive late do not replace the one that the user is about to select.
  const drawnBefore = useRef<{ query: string; chosen: number; item: string }>();
  const same = drawnBefore.current?.query === query && drawnBefore.current.chosen === chosen;
  const still = same ? drawn.findIndex((item) => nameOf(item) === drawnBefore.current?.item) : -1;
  const at = still >= 0 ? still : Math.min(chosen, Math.max(0, drawn.length - 1));
  drawnBefore.current = { query, chosen, item: drawn[at] ? nameOf(drawn[at]) : "" };
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, query]);
  const take = (item: PickerItem | undefined) => {
    if (!item || item.disabled !== undefined) return;
    onTake();
    item.take();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step) setAt(Math.max(0, Math.min(drawn.length - 1, at + step)));
    else if (event.key === "Enter") take(drawn[at]);
    else return;
    event.preventDefault();
  };
  return (
    <div class={wide ? "picker picker-wide" : "picker"} onKeyDown={onKeyDown}>
      <input
        ref={input}
        class="field"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={kList}
        aria-activedescendant={drawn.length > 0 ? optionId(at) : undefined}
        placeholder={hint}
        aria-label={hint}
        spellcheck={false}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
          onQuery?.(event.currentTarget.value);
        }}
      />
      <div class="picker-list" role="listbox" id={kList} aria-label={hint} ref={list}>
        {drawn.map((item, i) => (
          <div
            key={i}
            id={optionId(i)}
            role="option"
            aria-selected={i === at}
            aria-disabled={item.disabled !== undefined}
            class={item.current ? "picker-item current" : "picker-item"}
            data-tip={item.disabled ?? (item.title.length > 60 ? item.title : undefined)}
            onPointerMove={() => i !== at && setAt(i)}
            onClick={() => take(item)}
          >
            <span class={item.code ? "picker-title code" : "picker-title"}>
              {shortenName(item.title, wide ? 72 : 52)}
            </span>
            <span class="picker-hint">{item.disabled ?? item.hint}</span>
          </div>
        ))}
        {drawn.length === 0 && <div class="picker-none">{words.nothingMatches}</div>}
      </div>
    </div>
  );
}
