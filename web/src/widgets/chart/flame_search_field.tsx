// The search of a flame graph: the field, how many boxes match and their share, and the way from one to the next.
import { fill, grouped, words } from "../../base/words";
import { Icon } from "../icon";
import type { FlameMatches } from "./flame_search";

interface Props {
  title: string;
  search: string;
  /** The row of the match that the user has gone to; -1 for none. */
  found: number;
  matches: FlameMatches | null;
  onSearch: (text: string, found: number) => void;
  onGo: (row: number) => void;
}

export function FlameSearch({ title, search, found, matches, onSearch, onGo }: Props) {
  const say = words.flameSearch;
  const rows = matches?.rows ?? [];
  const at = rows.indexOf(found);
  const step = (by: number) => {
    if (rows.length === 0) return;
    onGo(rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length]);
  };
  const share = `${((matches?.share ?? 0) * 100).toFixed(1)}%`;
  const count =
    at < 0
      ? fill(say.count, { n: grouped(rows.length), share })
      : fill(say.at, { at: grouped(at + 1), n: grouped(rows.length), share });
  return (
    <div class="flame-search">
      <input
        class="field"
        type="search"
        aria-label={`${say.title}: ${title}`}
        placeholder={say.hint}
        spellcheck={false}
        value={search}
        onInput={(event) => onSearch(event.currentTarget.value, -1)}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape" && search !== "") onSearch("", -1);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span class="muted" role="status">
        {matches ? (rows.length === 0 ? say.none : count) : ""}
      </span>
      {rows.length > 0 && (
        <>
          <button
            class="plain round"
            aria-label={say.previous}
            data-tip={say.previous}
            onClick={() => step(-1)}
          >
            <span class="flame-previous">
              <Icon name="down" />
            </span>
          </button>
          <button class="plain round" aria-label={say.next} data-tip={say.next} onClick={() => step(1)}>
            <Icon name="down" />
          </button>
        </>
      )}
    </div>
  );
}
