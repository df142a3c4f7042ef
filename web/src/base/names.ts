// Shortens long names for a column without distorting them. Kernel names are C++: parts that all of them repeat
// are removed first (the argument list, nested template arguments, namespaces inside them), and as many
// template arguments as fit are kept, because they distinguish kernels. If none fits, the names inside them are
// (the functor). Only a name that is still too long is cut in the middle. Names that are shown together
// (`Shortener`) keep what tells them apart. Hovering shows the whole name, and copying copies it.
const kFolded = "…";

/** Keeps bracketed text nested less than `depth` deep; deeper text becomes "…". */
export function foldBrackets(name: string, open: string, close: string, depth: number): string {
  let level = 0;
  let out = "";
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    if (c === open && isBracket(name, i)) {
      level++;
      if (level <= depth + 1) out += c;
      if (level === depth + 1) out += kFolded;
    } else if (c === close && level > 0 && name[i - 1] !== "-") {
      if (level <= depth + 1) out += c;
      level--;
    } else if (level <= depth) {
      out += c;
    }
  }
  return level === 0 ? out : name;
}

/** "<" opens template arguments only after a name: not in "operator<", "a < b" or "<<". */
function isBracket(name: string, at: number): boolean {
  if (name[at] === "<") {
    return (
      /[\w:~}]/.test(name[at - 1] ?? "") && !name.slice(0, at).endsWith("operator") && name[at + 1] !== "<"
    );
  }
  return !name.startsWith("(anonymous", at) && name[at + 1] !== ")";
}

/** The argument list at the end of a function's name, which repeats its template arguments. */
function dropArguments(name: string): string {
  if (!name.endsWith(")")) return name;
  let level = 0;
  for (let i = name.length - 1; i > 0; i--) {
    if (name[i] === ")") level++;
    else if (name[i] === "(" && --level === 0) {
      const before = name.slice(0, i);
      return /[\w>\]]$/.test(before) && !before.endsWith("operator") ? before : name;
    }
  }
  return name;
}

/** "void f<…>" as "f<…>": a result type (itself perhaps a template) before the function's name. */
function dropResult(name: string): string {
  let level = 0;
  for (let i = name.length - 1; i > 0; i--) {
    if (">)}".includes(name[i])) level++;
    else if ("<({".includes(name[i])) level--;
    else if (name[i] === " " && level === 0) {
      const tail = name.slice(i + 1);
      return /^(\w|\(anon|~)/.test(tail) && /<|::/.test(tail) ? tail : name;
    }
  }
  return name;
}

/** "f<4, at::native::Add<…> >" as "f<4, Add<…>>": namespaces inside template arguments, and spaces. */
function bareArguments(name: string): string {
  const at = name.indexOf("<");
  if (at < 0) return name;
  const inside = name.slice(at).replace(/(?:(?:\w+|\(anonymous namespace\))::)+(?=[\w{])/g, "");
  return name.slice(0, at) + inside.replace(/> >/g, ">>").replace(/> >/g, ">>");
}

/** "f<a, b, c>" as "f<a, …>": as many whole arguments as fit; null when not even one does. */
function fewerArguments(name: string, width: number): string | null {
  const at = name.indexOf("<");
  if (at < 0 || !name.endsWith(">")) return null;
  const inside = name.slice(at + 1, -1);
  const ends: number[] = [];
  let level = 0;
  for (let i = 0; i < inside.length; i++) {
    if ("<({".includes(inside[i])) level++;
    else if (">)}".includes(inside[i])) level--;
    else if (inside[i] === "," && level === 0) ends.push(i);
  }
  for (const end of ends.reverse()) {
    const form = `${name.slice(0, at + 1)}${inside.slice(0, end)}, ${kFolded}>`;
    if (form.length <= width) return form;
  }
  return null;
}

export function cutMiddle(text: string, width: number): string {
  if (text.length <= width) return text;
  if (width <= 1) return kFolded;
  const head = Math.ceil((width - 1) * 0.55);
  return text.slice(0, head) + kFolded + text.slice(text.length - (width - 1 - head));
}

/** The part of a name that says what it is: "AddmmBackward0" of "autograd::engine::evaluate_function: AddmmBackward0", "step" of
 * "train.py(88): step", "mm" of "aten::mm", "gemm" of "void at::gemm<4>(int)". */
export function tellingPart(name: string): string {
  const after = name.lastIndexOf(": ");
  const own = after < 0 ? name : name.slice(after + 2);
  const bare = dropArguments(own);
  const path = dropNamespace(bare === own ? own.replace(/^void /, "") : dropResult(bare)).replace(/<.*$/, "");
  const colons = path.lastIndexOf("::");
  return (colons < 0 ? path : path.slice(colons + 2)) || name;
}

const kLeastCut = 7;

/** The name in a box: whole, else its telling part, else the beginning of that; nothing where too little of it fits. */
export function boxLabel(name: string, room: number): string {
  if (name.length <= room) return name;
  const part = tellingPart(name);
  if (part.length <= room) return part;
  return room < kLeastCut ? "" : part.slice(0, room - 1) + kFolded;
}

/** Names that `fold` understands; a Python frame ("train.py(88): step") is not C++. */
function looksLikeCpp(name: string): boolean {
  return name.includes("<") || name.includes("::") || /^[\w~]+\(.*\)$/.test(name);
}

/** "at::native::f<…>" as "f<…>": the namespaces before a function's own name. */
function dropNamespace(name: string): string {
  const at = name.indexOf("<");
  const path = at < 0 ? name : name.slice(0, at);
  return path.replace(/^(?:(?:\w+|\(anonymous namespace\))::)+(?=\w)/, "") + (at < 0 ? "" : name.slice(at));
}

/** Whole arguments are preferred to cut ones when they fill this much of the width. */
const kWellFilled = 0.75;
const kMostCached = 20_000;
const cache = new Map<string, string>();

/** The longest form of `name` that fits `width` characters of a mono font. */
export function shortenName(name: string, width: number): string {
  if (name.length <= width && !name.includes("\n")) return name;
  if (name.includes("\n")) {
    const lines = name.split("\n");
    const more = ` ${kFolded} +${lines.length - 1}`;
    return shortenName(lines[0], width - more.length) + more;
  }
  if (!looksLikeCpp(name)) return cutMiddle(name, width);
  const key = `${width} ${name}`;
  let form = cache.get(key);
  if (form === undefined) {
    if (cache.size >= kMostCached) cache.clear();
    cache.set(key, (form = shortenCode(name, width)));
  }
  return form;
}

function shortenCode(name: string, width: number): string {
  const unspoken = dropArguments(name);
  const bare = unspoken === name ? name.replace(/^void /, "") : dropResult(unspoken);
  const plain = foldBrackets(bare, "(", ")", 0);
  const fewer = [
    () => bare,
    () => plain,
    () => foldBrackets(plain, "<", ">", 2),
    () => foldBrackets(plain, "<", ">", 1),
    () => bareArguments(foldBrackets(plain, "<", ">", 1)),
  ];
  let form = bare;
  for (const make of fewer) {
    form = make();
    if (form.length <= width) return form;
  }
  if (!form.includes("<")) return cutMiddle(form, width);
  form = dropNamespace(form);
  if (form.length <= width) return form;
  const fewerForm = fewerArguments(form, width);
  if (fewerForm !== null && fewerForm.length > width * kWellFilled) return fewerForm;
  return (
    wordsForm(
      name,
      tellingWords(name, () => 1),
      1,
      width,
    ) ??
    fewerForm ??
    cutMiddle(form, width)
  );
}

/** The function's own name, and its template arguments: "elementwise_kernel" and "128, 4, …". */
function partsOf(name: string): { head: string; inside: string } | null {
  const unspoken = dropArguments(name);
  const bare = dropNamespace(unspoken === name ? name.replace(/^void /, "") : dropResult(unspoken));
  const at = bare.indexOf("<");
  return at > 0 && bare.endsWith(">") ? { head: bare.slice(0, at), inside: bare.slice(at + 1, -1) } : null;
}

/** Words that every C++ name may have. */
const kPlainWords = new Set(
  "int unsigned signed long short char bool float double void const auto lambda operator anonymous namespace std true false".split(
    " ",
  ),
);

/** The words of the template arguments: functions and templates first, the rarest first; then other names, types and
 * numbers. Namespaces and, of a
 * word's repetitions, all but the first are left out. `count`: how many of the names shown together have the word. */
function tellingWords(name: string, count: (word: string) => number): string[] {
  const inside = partsOf(name)?.inside.replace(/(?:\w+|\(anonymous namespace\))::(?=[\w(])/g, "") ?? "";
  const words = [...new Set(inside.match(/[#\w]*\w/g) ?? [])];
  const opens = new Set(inside.match(/\w+(?=[<(])/g) ?? []);
  const rank = (word: string) =>
    /^[#\d]/.test(word) ? 3
    : kPlainWords.has(word) ? 2
    : opens.has(word) ? 0
    : 1; // prettier-ignore
  return words
    .filter((word) => word !== "lambda" && word !== "operator" && word !== "const")
    .sort((a, b) => rank(a) - rank(b) || count(a) - count(b));
}

const kLeastHead = 10;

/** "elementwise_kernel<direct_copy_kernel_cuda, …>": as many of `words` as fit, and the first `needed` in any case;
 * null when hardly any of it would be left. */
function wordsForm(name: string, words: string[], needed: number, width: number): string | null {
  const parts = partsOf(name);
  if (!parts || words.length === 0 || width < 2 * kLeastHead) return null;
  const others = words.slice(1, needed).map((word) => `, ${word}`);
  const taken = others.join("").length + 2;
  const first = cutMiddle(words[0], Math.max(6, width - taken - Math.min(parts.head.length, kLeastHead)));
  const start = cutMiddle(parts.head, Math.max(4, width - taken - first.length));
  let form = `${start}<${first}${others.join("")}`;
  let at = needed;
  while (at < words.length && form.length + words[at].length + 6 <= width) form += `, ${words[at++]}`;
  if (at < words.length && form.length + 4 <= width) form += `, ${kFolded}`;
  return cutMiddle(`${form}>`, width);
}

/** Short words are preferred; numbers say least. */
function costOf(word: string): number {
  return /^[#\d]/.test(word) ? 100 : word.length;
}

/** The first word and the fewest, then shortest, that together with it tell a name apart from the others; then the
 * rest. */
function tellingFirst(words: string[], others: string[][]): { words: string[]; needed: number } {
  const needed: string[] = [];
  let left = others;
  const leaves = (word: string) => left.filter((other) => other.includes(word)).length;
  for (let next = words[0]; next !== undefined && left.length > 0;) {
    needed.push(next);
    left = left.filter((other) => other.includes(next));
    const better = words.filter((word) => leaves(word) < left.length);
    next = better.sort((a, b) => leaves(a) - leaves(b) || costOf(a) - costOf(b))[0];
  }
  return { words: [...needed, ...words.filter((word) => !needed.includes(word))], needed: needed.length };
}

/** The beginning, and the text from the first difference on: "cudnn_gen…bprop_wgmma_f16…". */
function cutBefore(name: string, from: number, width: number): string {
  const start = Math.max(0, name.slice(0, from).search(/\w+$/), name.lastIndexOf("_", from - 1) + 1);
  const room = width - 1 - Math.min(name.length - start, Math.floor(width * 0.6));
  if (start <= room + 1) return name.length <= width ? name : name.slice(0, width - 1) + kFolded;
  const rest = name.slice(start);
  const left = width - room - 1;
  return name.slice(0, room) + kFolded + (rest.length <= left ? rest : rest.slice(0, left - 1) + kFolded);
}

function commonStart(names: string[]): number {
  let length = names[0].length;
  for (const name of names) {
    let at = 0;
    while (at < length && name[at] === names[0][at]) at++;
    length = at;
  }
  return length;
}

/** With more names, they are shortened one by one. */
const kMostTogether = 3000;

/** Shortens names that are shown together, in one table or chart, so that different names look different wherever
 * the width allows it. */
export class Shortener {
  private readonly names: string[];
  private readonly forms = new Map<number, Map<string, string>>();

  constructor(names: Iterable<string>) {
    this.names = [...new Set(names)];
  }

  short(name: string, width: number): string {
    if (this.names.length > kMostTogether || (name.length <= width && !name.includes("\n")))
      return shortenName(name, width);
    let forms = this.forms.get(width);
    if (!forms) this.forms.set(width, (forms = this.formsAt(width)));
    return forms.get(name) ?? shortenName(name, width);
  }

  private formsAt(width: number): Map<string, string> {
    const forms = new Map(this.names.map((name) => [name, shortenName(name, width)]));
    for (const { head, names } of this.alike(forms)) {
      const all = new Map(names.map((name) => [name, tellingWords(name, () => 1)]));
      const counts = new Map<string, number>();
      for (const words of all.values())
        for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      const count = (word: string) => counts.get(word) ?? 0;
      const from = commonStart(names);
      for (const name of names) {
        if (name.length <= width) continue;
        const telling = tellingWords(name, count).filter((word) => count(word) < names.length);
        const others = names.filter((other) => other !== name).map((other) => all.get(other) ?? []);
        const { words, needed } = tellingFirst(telling, others);
        const form = head === "" ? null : wordsForm(name, words, needed, width);
        forms.set(name, form ?? cutBefore(name, from, width));
      }
    }
    return forms;
  }

  /** Names some of which look the same: those of one function, else those that look the same. */
  private alike(forms: Map<string, string>): { head: string; names: string[] }[] {
    const byForm = new Map<string, string[]>();
    const byHead = new Map<string, string[]>();
    const add = (to: Map<string, string[]>, key: string, name: string) =>
      to.set(key, [...(to.get(key) ?? []), name]);
    const headOf = (name: string) => (looksLikeCpp(name) ? (partsOf(name)?.head ?? "") : "");
    for (const [name, form] of forms) {
      add(byForm, form, name);
      add(byHead, headOf(name), name);
    }
    const found = new Map<string, { head: string; names: string[] }>();
    for (const [form, names] of byForm) {
      if (names.length < 2) continue;
      const head = names.every((name) => headOf(name) === headOf(names[0])) ? headOf(names[0]) : "";
      if (head === "") found.set(` ${form}`, { head, names });
      else found.set(head, { head, names: byHead.get(head) ?? names });
    }
    return [...found.values()];
  }
}

/** Width of the text in Latin characters: a Chinese character takes the room of two. */
export function latinLength(text: string): number {
  return [...text].reduce((sum, character) => sum + (character < "\u2e80" ? 1 : 2), 0);
}
