// The field for SQL: a text area over the same text in colours, and a list of what can be typed at the caret. The list opens while
// the user types or with Ctrl+Space; arrows move in it, Tab or Enter inserts, Escape closes it.
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SchemaTable } from "../api/query";
import { fill, words } from "../base/words";
import { completionsAt, type Completions } from "./sql_completion";
import { sqlTokens } from "./sql_tokens";

interface Props {
  value: string;
  tables: SchemaTable[];
  area: RefObject<HTMLTextAreaElement>;
  onChange: (text: string) => void;
  onRun: () => void;
}

/** Types a text in place of a part, so that the browser's undo knows it. */
export function typeInto(area: HTMLTextAreaElement, text: string, from?: number): void {
  area.focus();
  if (from !== undefined) area.setSelectionRange(from, area.selectionEnd);
  if (document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** Where the letter at `offset` of the coloured text is drawn, relative to `frame`. */
function placeOf(paint: HTMLElement, offset: number, frame: HTMLElement): { left: number; top: number } {
  const range = document.createRange();
  const walker = document.createTreeWalker(paint, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (left < length) {
      range.setStart(node, left);
      range.setEnd(node, left + 1);
      break;
    }
    left -= length;
  }
  const at = range.getBoundingClientRect();
  const origin = frame.getBoundingClientRect();
  return { left: at.left - origin.left, top: at.bottom - origin.top };
}

interface Offer extends Completions {
  at: number;
}

const kList = "sql-offers";
const option = (i: number) => `${kList}-${i}`;

export function SqlEditor({ value, tables, area, onChange, onRun }: Props) {
  const [offer, setOffer] = useState<Offer | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const paint = useRef<HTMLPreElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const tokens = useMemo(() => sqlTokens(value), [value]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!offer || !element || !paint.current || !frame.current) return;
    const { left, top } = placeOf(paint.current, offer.from, frame.current);
    const most = frame.current.clientWidth - element.offsetWidth;
    element.style.left = `${Math.max(0, Math.min(left, most))}px`;
    element.style.top = `${top + 2}px`;
    document.getElementById(option(offer.at))?.scrollIntoView({ block: "nearest" });
  }, [offer, value]);

  const look = (wished = false) => {
    const field = area.current;
    if (!field) return;
    const found = completionsAt(field.value, field.selectionStart, tables, wished);
    setOffer(found && { ...found, at: 0 });
  };
  const take = (i: number) => {
    const field = area.current;
    const item = offer?.items[i];
    if (!field || !offer || !item) return;
    typeInto(field, item.text, offer.from);
    setOffer(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chord = event.ctrlKey || event.metaKey;
    if (chord && event.key === "Enter") {
      setOffer(null);
      onRun();
    } else if (event.ctrlKey && event.key === " ") {
      look(true);
    } else if (offer && (event.key === "Tab" || event.key === "Enter") && !event.shiftKey) {
      take(offer.at);
    } else if (offer && event.key === "Escape") {
      setOffer(null);
    } else if (offer && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const { length } = offer.items;
      const step = event.key === "ArrowDown" ? 1 : length - 1;
      setOffer({ ...offer, at: (offer.at + step) % length });
    } else {
      if (/^(Arrow(Left|Right)|Home|End|Page)/.test(event.key)) setOffer(null);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="sql-editor" ref={frame}>
      <div class="sql-scroll">
        <pre class="sql-paint code" ref={paint} aria-hidden="true">
          {tokens.map(({ kind, text, from }) => (
            <span key={from} class={`sql-${kind}`}>
              {text}
            </span>
          ))}
          {"\n"}
        </pre>
        <textarea
          ref={area}
          class="console-editor code"
          aria-label={words.sqlLabel}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={offer ? kList : undefined}
          aria-activedescendant={offer ? option(offer.at) : undefined}
          placeholder={words.sqlHint}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          value={value}
          onInput={(event) => {
            onChange(event.currentTarget.value);
            look();
          }}
          onKeyDown={onKeyDown}
          onPointerDown={() => setOffer(null)}
          onBlur={() => setOffer(null)}
        />
      </div>
      {offer && (
        <ul class="sql-offers" id={kList} role="listbox" aria-label={words.completions} ref={list}>
          {offer.items.map(({ text, note, doc }, i) => (
            <li
              key={text}
              id={option(i)}
              role="option"
              aria-selected={i === offer.at}
              // The field keeps the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                take(i);
              }}
            >
              <span class="code">{text}</span>
              <span class="sql-offer-note">{note}</span>
              {i === offer.at && doc && <span class="sql-offer-doc">{doc}</span>}
            </li>
          ))}
        </ul>
      )}
      <span class="unseen" role="status">
        {offer ? fill(words.completionsFound, { n: offer.items.length }) : ""}
      </span>
    </div>
  );
}
