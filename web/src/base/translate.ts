// What the program says, in the language in force. On the wire, in the terminal and in files its words are English; the page
// looks them up by the English text. A text with numbers or names in it is found by its pattern, one of several sentences by
// each of them. What has no translation stays English. Names of the trace are never looked up.
//
// A key of the table is a line, or a pattern: `{name}` represents anything, `{n#}` what begins with a digit and ends with its
// sentence at the latest, `(s)` for an s or none. The translation says where a gap goes: `{n}` as it is, `{say n}` looked up itself, `{each n}` likewise, part by part, `{phrase n}` only where it is
// more than a word, since it may be a name.
export type Language = "en" | "zh";
export type ProgramWords = Record<string, string>;

interface Pattern {
  /** The longest fixed part: what does not hold it cannot match. */
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
  const isPattern = (key: string) => kGap.test(key) || key.includes(kPlural);
  exact = new Map(entries.filter(([key]) => !isPattern(key)));
  // Of several patterns that match, the one that says most itself.
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
        if (how === "phrase") return translatePhrase(value);
        return how === "say" ? translate(value) : value;
      },
    );
  }
  return undefined;
}

/** Sentences after one another need no space where both end in the other language's stop. */
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

/** A text of the program's own. */
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

/** A text that may be a name of the trace as well: only phrases are looked up, since a name could be any single word. */
export function translatePhrase(text: string): string {
  return text.includes(" ") ? translate(text) : text;
}

/** A scope ("12 calls of 3 operators, step 7"): its last parts each say something by themselves, the first may hold a name with
 * commas in it. */
export function translateList(text: string): string {
  if (exact.size === 0) return text;
  const parts = text.split(", ");
  const last: string[] = [];
  while (parts.length > 1) {
    const said = translate(parts[parts.length - 1]);
    if (said === parts[parts.length - 1]) break;
    last.unshift(said);
    parts.pop();
  }
  return [translate(parts.join(", ")), ...last].join("，");
}
