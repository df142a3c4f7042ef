// Long names made short enough for a column, without lying about them. Kernel names are C++: nested
// template arguments are folded first ("elementwise<…>"), then the argument list, and only what is
// still too long is cut in the middle, since both ends tell kernels apart. The whole name is always
// one hover away and is what gets copied.
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

/** "<" opens template arguments only after a name: not in "operator<", "a < b", "<<" or "(anonymous namespace)". */
function isBracket(name: string, at: number): boolean {
  if (name[at] === "<") {
    return (
      /[\w:~}]/.test(name[at - 1] ?? "") && !name.slice(0, at).endsWith("operator") && name[at + 1] !== "<"
    );
  }
  return !name.startsWith("(anonymous", at) && !name.startsWith("(lambda", at);
}

export function cutMiddle(text: string, width: number): string {
  if (text.length <= width) return text;
  if (width <= 1) return kFolded;
  const head = Math.ceil((width - 1) * 0.55);
  return text.slice(0, head) + kFolded + text.slice(text.length - (width - 1 - head));
}

const kLooksLikeCode = /[<(]/;

/** The longest honest form of `name` that fits `width` characters of a mono font. */
export function shortenName(name: string, width: number): string {
  if (name.length <= width) return name;
  if (!kLooksLikeCode.test(name)) return cutMiddle(name, width);
  const bare = name.replace(/^void /, "");
  let form = bare;
  for (const depth of [2, 1, 0]) {
    if (form.length <= width) return form;
    form = foldBrackets(bare, "<", ">", depth);
  }
  if (form.length > width) form = foldBrackets(form, "(", ")", 0);
  return cutMiddle(form, width);
}
