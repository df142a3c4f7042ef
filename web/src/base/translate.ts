// The program's texts in the current language. On the wire, in the terminal and in files they are English, and
// the page looks them up by the English text. An answer has the templates and values of its texts (`messages`,
// docs/http.md): the templates are looked up, and those values that are texts themselves. Other texts are
// looked up as a whole, a doc line by line. A text without a translation stays English. Names of the trace are
// never looked up.
//
// Problems of files, and texts about recording, are finished sentences: patterns match them. `{name}` in a key
// matches any text, `{n#}` text that begins with a digit and ends within the sentence, `(s)` an s or nothing.
// In the translation, `{n}` inserts the text as it is, `{say n}` looks it up, `{each n}` looks it up part by
// part, `{phrase n}` looks it up only if it is more than one word, since a single word may be a name.
export type Language = "en" | "zh";

import type { Messages, Said } from "./wire";
export type { Messages } from "./wire";

export type ProgramWords = Record<string, string>;

interface Pattern {
  /** The longest fixed part: a text without it cannot match. */
  telling: string;
  expression: RegExp;
  gaps: string[];
  translation: string;
}

interface Labels {
  Formula: string;
  Source: string;
  Differs: string;
}

let exact = new Map<string, string>();
let patterns: Pattern[] = [];
let labels: Labels | null = null;
const kept = new Map<string, string>();
const kMostKept = 20_000;

const kGap = /\{(\w+#?)\}/;
const kPlural = "(s)";

function makePattern(key: string, translation: string): Pattern {
  const parts = key.split(kGap);
  const gaps = parts.filter((_, i) => i % 2 === 1);
  const fixed = parts.filter((_, i) => i % 2 === 0);
  const escaped = (text: string) =>
    text
      .split(kPlural)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("s?");
  const telling = fixed
    .flatMap((text) => text.split(kPlural))
    .reduce((most, text) => (text.length > most.length ? text : most), "");
  const expression = fixed
    .map(
      (text, i) =>
        escaped(text) + (i === gaps.length ? "" : gaps[i].endsWith("#") ? "(\\d(?:(?!\\. ).)*?)" : "(.+?)"),
    )
    .join("");
  return {
    telling,
    expression: new RegExp(`^${expression}$`),
    gaps: gaps.map((gap) => gap.replace("#", "")),
    translation,
  };
}

/** The table to look up in; null: everything stays English. `names` are the labels of a doc's parts. */
export function setProgramWords(table: ProgramWords | null, names: Labels | null): void {
  kept.clear();
  const entries = Object.entries(table ?? {});
  const isPattern = (key: string) => !key.includes("{}") && (kGap.test(key) || key.includes(kPlural));
  exact = new Map(entries.filter(([key]) => !isPattern(key)));
  // If several patterns match, the one with the most fixed text.
  patterns = entries
    .filter(([key]) => isPattern(key))
    .map(([key, translation]) => makePattern(key, translation))
    .sort((a, b) => b.telling.length - a.telling.length);
  labels = names;
}

function byPattern(text: string): string | undefined {
  for (const { telling, expression, gaps, translation } of patterns) {
    const match = text.includes(telling) ? expression.exec(text) : null;
    if (!match) continue;
    const values = new Map(gaps.map((gap, i) => [gap, match[i + 1]]));
    return translation.replace(
      /\{(?:(say|each|phrase) )?(\w+)\}/g,
      (gap, how: string | undefined, name: string) => {
        const value = values.get(name);
        if (value === undefined) return gap;
        if (how === "each")
          return value
            .split(/, | and /)
            .map(translate)
            .join("、");
        if (how === "phrase") return translateNamed(undefined, value);
        return how === "say" ? translate(value) : value;
      },
    );
  }
  return undefined;
}

/** Consecutive sentences need no space if both end in the other language's full stop. */
function joined(sentences: string[]): string {
  return sentences.reduce((all, next) => all + (/[。：；]$/.test(all) || all === "" ? "" : " ") + next, "");
}

function byParts(text: string): string {
  const lines = text.split("\n");
  if (lines.length > 1) return lines.map(translate).join("\n");
  const labelled = /^(Formula|Source|Differs): (.*)$/.exec(text);
  if (labelled && labels) return `${labels[labelled[1] as keyof Labels]}：${translate(labelled[2])}`;
  const sentences = text.split(/(?<=\.) (?=[A-Z0-9])/);
  if (sentences.length > 1) return joined(sentences.map(translate));
  // "kernel_details.csv: a row ...", "Call stacks: recorded without ...".
  const [, place = "", rest = ""] = /^([^:]{1,60}): (.*)$/.exec(text) ?? [];
  return rest !== "" && translate(rest) !== rest ? `${translate(place)}：${translate(rest)}` : text;
}

/** Chinese has a blank only beside a name or a figure. */
const kNoBlank = /(?<=[\u3000-\u9fff\uff00-\uff60]) +(?=[\u3000-\u9fff\uff00-\uff60])/g;

/** If the values are in another order, the translation numbers them: `{1} ... {0}`. */
function speak(said: Said): string {
  if (typeof said === "string") return said;
  if (!Array.isArray(said)) {
    const parts = said.list.map(speak);
    return said.between === " " ? joined(parts) : parts.join(exact.get(said.between) ?? said.between);
  }
  const template = said[0] as string;
  const values = said.slice(1);
  if (values.length === 0) return translate(template);
  let next = 0;
  const filled = (exact.get(template) ?? template).replace(
    /\{(\d*)[a-z]*\}/g,
    (_gap: string, number: string) => speak(values[number === "" ? next++ : Number(number)]),
  );
  return filled.replace(kNoBlank, "").replace(/ {2,}/g, " ").trim();
}

/** A text of an answer with `messages`. */
export function translateIn(messages: Messages | undefined, text: string): string {
  const said = exact.size === 0 ? undefined : messages?.[text];
  return said === undefined ? translate(text) : speak(said);
}

/** For a place that may also hold a name: the answer says which texts are not names. A name that a reader made
 * is looked up by its words; a single word could be any name. */
export function translateNamed(messages: Messages | undefined, text: string): string {
  if (messages?.[text] !== undefined) return translateIn(messages, text);
  return text.includes(" ") ? translate(text) : text;
}

/** A text of the program. */
export function translate(text: string): string {
  if (exact.size === 0 || text === "") return text;
  let said = kept.get(text);
  if (said === undefined) {
    said = exact.get(text) ?? byPattern(text) ?? byParts(text);
    if (kept.size >= kMostKept) kept.clear();
    kept.set(text, said);
  }
  return said;
}
