// Shortens long names for a column without distorting them. Kernel names are C++: parts that all of them repeat
// are removed first (the argument list, nested template arguments, namespaces inside them), and as many
// template arguments as fit are kept, because they distinguish kernels. Only a name that is still too long is
// cut in the middle. Hovering shows the whole name, and copying copies it.
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

/** "Kernel2<cutlass_80_…_align8>": the arguments cut in the middle; null when hardly any would be left. */
function cutArguments(name: string, width: number): string | null {
  const at = name.indexOf("<");
  const room = width - at - 2;
  if (at < 0 || !name.endsWith(">") || room < 10) return null;
  return `${name.slice(0, at + 1)}${cutMiddle(name.slice(at + 1, -1), room)}>`;
}

export function cutMiddle(text: string, width: number): string {
  if (text.length <= width) return text;
  if (width <= 1) return kFolded;
  const head = Math.ceil((width - 1) * 0.55);
  return text.slice(0, head) + kFolded + text.slice(text.length - (width - 1 - head));
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
    cutArguments(form, width) ??
    fewerForm ??
    cutMiddle(dropNamespace(foldBrackets(plain, "<", ">", 0)), width)
  );
}

/** Width of the text in Latin characters: a Chinese character takes the room of two. */
export function latinLength(text: string): number {
  return [...text].reduce((sum, character) => sum + (character < "\u2e80" ? 1 : 2), 0);
}
