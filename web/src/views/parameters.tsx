// A report's parameters as controls. A choice goes into the address, and the report is requested again; while
// the user types, the request waits for a pause. The step filter is drawn in the top bar instead, because it
// has the same meaning in every view.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Report } from "../api/client";
import { inFile } from "../api/source";
import type { Parameter } from "../api/types";
import { adjust, go, place } from "../base/history";
import { withoutRows, withParameters } from "../base/place";
import { words } from "../base/words";
import { Chip } from "../widgets/chip";
import { useAtom, useDebounced } from "../widgets/hooks";
import { goWith } from "./lines_panel";
import { kStepKeys } from "./navigate";
import { timeChips } from "./time_chips";

const kTypingMs = 350;

/** Requests the report with another value; with `typing`, without a history entry. */
export function setParameter(key: string, value: string, typing = false): void {
  const next = withParameters(withoutRows(place.get()), { [key]: value });
  if (typing) adjust(() => next);
  else go(next);
}

/** A few short choices are side by side; more go into a list. */
function isShort(parameter: Parameter): boolean {
  const choices = parameter.choices ?? [];
  return choices.length <= 3 && choices.reduce((sum, choice) => sum + choice.title.length, 0) <= 52;
}

function Choice({ parameter }: { parameter: Parameter }) {
  const value = String(parameter.value);
  const choices = parameter.choices ?? [];
  if (isShort(parameter)) {
    return (
      <span class="segments" role="radiogroup" aria-label={parameter.title}>
        {choices.map((choice) => (
          <button
            key={choice.value}
            role="radio"
            aria-checked={choice.value === value}
            class={choice.value === value ? "segment on" : "segment"}
            onClick={() => setParameter(parameter.key, choice.value)}
          >
            {choice.title}
          </button>
        ))}
      </span>
    );
  }
  return (
    <select
      class="field"
      aria-label={parameter.title}
      value={value}
      onChange={(event) => setParameter(parameter.key, event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.title}
        </option>
      ))}
    </select>
  );
}

/** What a field has beside its text: padding, and the arrows of a number or of a list. */
const kFieldRest = 26;

/** The whole value is visible, as far as there is room; a number has digits, which are narrow. */
function fieldLetters(text: string, isNumber: boolean): number {
  return Math.max(isNumber ? 4 : 8, Math.min(40, text.length + 1));
}

function Typed({ parameter }: { parameter: Parameter }) {
  const value = String(parameter.value ?? "");
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebounced((next: string) => {
    sent.current = next;
    setParameter(parameter.key, next, true);
  }, kTypingMs);
  useLayoutEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  const isNumber = parameter.type === "integer";
  const examples = parameter.choices ?? [];
  const list = examples.length > 0 ? `${parameter.key}-examples` : undefined;
  const hint = isNumber ? "" : examples[0]?.value || words.anyValue;
  const field = (
    <input
      class={isNumber ? "field field-number" : "field field-text"}
      type={isNumber ? "number" : "text"}
      aria-label={parameter.title}
      value={text}
      list={list}
      placeholder={hint || undefined}
      style={{ width: `calc(${fieldLetters(text || hint, isNumber)}ch + ${kFieldRest}px)` }}
      spellcheck={false}
      onInput={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        if (!isNumber || /^-?\d+$/.test(next)) send(next);
      }}
    />
  );
  if (list === undefined) return field;
  return (
    <>
      {field}
      <datalist id={list}>
        {examples.map(({ value: example, title }) => (
          <option key={example} value={example} label={title} />
        ))}
      </datalist>
    </>
  );
}

export function ParameterControl({ parameter }: { parameter: Parameter }) {
  if (parameter.type === "flag") {
    return (
      <label class="parameter" data-tip={parameter.doc}>
        <input
          type="checkbox"
          checked={parameter.value === "true" || parameter.value === "1"}
          onChange={(event) => setParameter(parameter.key, String(event.currentTarget.checked))}
        />
        <span class="parameter-title">{parameter.title}</span>
      </label>
    );
  }
  return (
    <div class="parameter" data-parameter={parameter.key}>
      <span class="parameter-title" data-tip={parameter.doc}>
        {parameter.title}
      </span>
      {parameter.type === "choice" ? <Choice parameter={parameter} /> : <Typed parameter={parameter} />}
    </div>
  );
}

/** Parameters that the page applies itself, without a request: searching rows, slices of a donut and of the
 * timeline, a click on a curve. */
const kOwn = ["search", "top", "slice", "place"];

/** Parameters with arbitrary values: a page file has answers for choices only. */
function isTyped({ type }: Parameter): boolean {
  return type === "text" || type === "integer";
}

/** Drawn here: all except the step filter and parameters that the page applies itself, which are drawn only if
 * an address sets them. */
function isDrawn(parameter: Parameter): boolean {
  if (kStepKeys.includes(parameter.key) || parameter.type === "time") return false;
  if (parameter.type === "choice" && parameter.choices?.length === 1) return false;
  if (!kOwn.includes(parameter.key) && !(inFile() && isTyped(parameter))) return true;
  return place.get().parameters[parameter.key] !== undefined;
}

export function ParameterBar({ report }: { report: Report }) {
  useAtom(place);
  const inTrail = new Set(report.trail?.flatMap((step) => Object.keys(step.parameters)));
  const own = report.parameters.filter((parameter) => isDrawn(parameter) && !inTrail.has(parameter.key));
  const chips = timeChips(place.get(), report);
  if (own.length === 0 && chips.length === 0) return null;
  return (
    <div class="parameters">
      {chips.map(({ text, clears }) => (
        <Chip
          key={clears.join()}
          text={text}
          onRemove={() => goWith(Object.fromEntries(clears.map((key) => [key, null])))}
        />
      ))}
      {own.map((parameter) => (
        <ParameterControl key={parameter.key} parameter={parameter} />
      ))}
    </div>
  );
}
