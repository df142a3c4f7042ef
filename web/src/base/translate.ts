// The program's texts in the current language. On the wire, in the terminal and in files they are English, and
// the page looks them up by the English text. An answer has the templates and values of its texts (`messages`,
// docs/http.md): the templates are looked up, and those values that are texts themselves. Other texts have no
// values and are looked up as a whole, a doc line by line. A text without a translation stays English. Names of
// the trace are never looked up.
export type Language = "en" | "zh";

import type { Messages, Said } from "./wire";
export type { Messages } from "./wire";

export type ProgramWords = Record<string, string>;

/** What a line of a doc may begin with. */
interface Labels {
  Formula: string;
  Source: string;
  Differs: string;
}

let exact = new Map<string, string>();
let labels: Labels | null = null;

/** The table to look up in; null: everything stays English. `names` are the labels of a doc's lines. */
export function setProgramWords(table: ProgramWords | null, names: Labels | null): void {
  exact = new Map(Object.entries(table ?? {}));
  labels = names;
}

/** Consecutive sentences need no space if both end in the other language's full stop. */
function joined(sentences: string[]): string {
  return sentences.reduce((all, next) => all + (/[。：；]$/.test(all) || all === "" ? "" : " ") + next, "");
}

function lineOfDoc(line: string): string {
  for (const [label, name] of Object.entries(labels ?? {}))
    if (line.startsWith(`${label}: `)) return `${name}：${translate(line.slice(label.length + 2))}`;
  return exact.get(line) ?? line;
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

/** For a place that may also hold a name: the answer says which texts are not names. */
export function translateNamed(messages: Messages | undefined, text: string): string {
  return messages?.[text] === undefined ? text : translateIn(messages, text);
}

/** A text of the program without values. */
export function translate(text: string): string {
  if (exact.size === 0 || text === "") return text;
  return exact.get(text) ?? text.split("\n").map(lineOfDoc).join("\n");
}
