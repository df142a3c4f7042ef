// Keeps only rows whose number is between two values: boxes in the column's unit, and a slider with two ends
// over the range of the values. The filter is in the address and, as a chip, above the table.
import { useEffect, useState } from "preact/hooks";
import { fetchExtents } from "../../api/paged_rows";
import type { NumberRange } from "../../api/paged_rows";
import type { NumberColumn, TableData } from "../../api/table_data";
import { place as placeAtom } from "../../base/history";
import { formatAlone } from "../../base/units";
import { words } from "../../base/words";
import { closeFloat, openFloat, type Anchor } from "../float";
import { useAtom, useDebounced } from "../hooks";
import { extentOf, numberColumns, positionOfValue, valueAt, type Extent } from "./range_scale";
import { parseValue } from "./search";
import { parseRanges, readTableState, setTableState } from "./table_state";

export interface RangesProps {
  table: TableData;
  stateKey: string;
  /** null: the column that the table is sorted by, else the first one of numbers. */
  column: NumberColumn | null;
  anchor: Anchor;
}

const kSteps = 1000;
const kRestMs = 150;

export function openRanges(props: RangesProps): void {
  openFloat({
    anchor: props.anchor,
    title: words.filterNumbers,
    align: "left",
    content: () => <Ranges {...props} />,
  });
}

/** `undefined` until a paged table's extents arrive, null if no value is known. Without extents there are only
 * boxes. */
function useExtent(table: TableData, column: NumberColumn): Extent | null | undefined {
  const [all, setAll] = useState<Map<string, Extent> | null>(null);
  useEffect(() => {
    if (!table.wire.paged) return;
    const leave = new AbortController();
    fetchExtents(table, leave.signal)
      .then(setAll)
      .catch((error: Error) => error.name !== "AbortError" && setAll(new Map()));
    return () => leave.abort();
  }, [table]);
  if (!table.wire.paged) return extentOf(column);
  return all ? (all.get(column.key) ?? null) : undefined;
}

function Ranges({ table, stateKey, column }: RangesProps) {
  const place = useAtom(placeAtom);
  const columns = numberColumns(table);
  const { hidden, sort } = readTableState(place, stateKey, table);
  const offered = columns.filter((c) => !hidden.has(c.key) || c === column);
  const first = column ?? offered.find((c) => c.key === sort?.column) ?? offered[0] ?? columns[0];
  const [key, setKey] = useState(first?.key ?? "");
  const chosen = columns.find((c) => c.key === key);
  if (!chosen) return <p class="ranges muted">{words.nothingHere}</p>;
  return (
    <div class="ranges">
      <label class="ranges-column">
        <span class="muted">{words.filterBy}</span>
        <select
          class="field"
          aria-label={words.filterBy}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        >
          {offered.map((c) => (
            <option key={c.key} value={c.key}>
              {c.title}
            </option>
          ))}
        </select>
      </label>
      <Range key={key} table={table} stateKey={stateKey} column={chosen} />
    </div>
  );
}

function Range({ table, stateKey, column }: { table: TableData; stateKey: string; column: NumberColumn }) {
  const place = useAtom(placeAtom);
  const extent = useExtent(table, column);
  const ranges = parseRanges(place.page[`${stateKey}.filter`]);
  const kept = ranges.get(column.key) ?? { least: null, most: null };
  const [range, setRange] = useState<NumberRange>(kept);
  // Enter closes this immediately: the typed text counts.
  const apply = useDebounced(
    (next: NumberRange) => {
      const all = parseRanges(placeAtom.get().page[`${stateKey}.filter`]);
      if (next.least === null && next.most === null) all.delete(column.key);
      else all.set(column.key, next);
      setTableState(stateKey, table, { ranges: all });
    },
    kRestMs,
    true,
  );
  const set = (next: NumberRange) => {
    setRange(next);
    apply(next);
  };
  const unit = column.scale.label;
  return (
    <>
      <div class="ranges-boxes">
        <Box
          title={words.least}
          column={column}
          value={range.least}
          onValue={(least) => set({ ...range, least })}
        />
        <Box
          title={words.most}
          column={column}
          value={range.most}
          onValue={(most) => set({ ...range, most })}
        />
        <span class="muted">{unit}</span>
      </div>
      {extent === undefined && <p class="muted">{words.loading}</p>}
      {extent === null && <p class="muted">{words.noValues}</p>}
      {extent && <Slider column={column} extent={extent} range={range} onRange={set} />}
      <div class="ranges-foot">
        <button
          class="plain text"
          disabled={range.least === null && range.most === null}
          onClick={() => set({ least: null, most: null })}
        >
          {words.clearFilter}
        </button>
        <button class="plain text" onClick={closeFloat}>
          {words.done}
        </button>
      </div>
    </>
  );
}

interface BoxProps {
  title: string;
  column: NumberColumn;
  value: number | null;
  onValue: (value: number | null) => void;
}

function Box({ title, column, value, onValue }: BoxProps) {
  const spelt = value === null ? "" : String(Number((value / column.scale.divisor).toPrecision(12)));
  const [text, setText] = useState(spelt);
  const [typing, setTyping] = useState(false);
  const typed = parseValue(text, column);
  const wrong = typing && text.trim() !== "" && typed === null;
  return (
    <label class="ranges-box">
      <span class="muted">{title}</span>
      <input
        class="field"
        type="text"
        inputMode="decimal"
        spellcheck={false}
        aria-label={`${title}: ${column.title}`}
        aria-invalid={wrong}
        value={typing ? text : spelt}
        onFocus={() => {
          setText(spelt);
          setTyping(true);
        }}
        onBlur={() => setTyping(false)}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          const value = parseValue(next, column);
          if (next.trim() === "" || value !== null) onValue(value);
        }}
        onKeyDown={(event) => event.key === "Enter" && closeFloat()}
      />
    </label>
  );
}

interface SliderProps {
  column: NumberColumn;
  extent: Extent;
  range: NumberRange;
  onRange: (range: NumberRange) => void;
}

function Slider({ column, extent, range, onRange }: SliderProps) {
  const from = positionOfValue(range.least ?? extent.least, column, extent);
  const to = positionOfValue(range.most ?? extent.most, column, extent);
  const say = (value: number) => formatAlone(value, column.unit);
  // If both ends are at one place, the one that can still move is in front.
  const end = (title: string, front: number, position: number, move: (position: number) => void) => (
    <input
      type="range"
      min={0}
      max={kSteps}
      value={Math.round(position * kSteps)}
      style={{ zIndex: String(front) }}
      aria-label={`${title}: ${column.title}`}
      aria-valuetext={say(valueAt(position, column, extent))}
      onInput={(event) => move(Number(event.currentTarget.value) / kSteps)}
    />
  );
  return (
    <div class="slider">
      <div class="slider-track" style={{ "--from": `${from * 100}%`, "--to": `${to * 100}%` }}>
        {end(words.least, from > 0.5 ? 2 : 1, from, (position) => {
          const at = Math.min(position, to);
          onRange({ ...range, least: at <= 0 ? null : valueAt(at, column, extent) });
        })}
        {end(words.most, from > 0.5 ? 1 : 2, to, (position) => {
          const at = Math.max(position, from);
          onRange({ ...range, most: at >= 1 ? null : valueAt(at, column, extent) });
        })}
      </div>
      <p class="slider-ends muted">
        <span>{say(extent.least)}</span>
        <span>{say(extent.most)}</span>
      </p>
    </div>
  );
}
