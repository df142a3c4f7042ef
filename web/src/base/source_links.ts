// From a frame of a call stack to the line in an editor or on a web site. Frames come from a trace and are
// untrusted: they fill two gaps of a pattern that the user chose, escaped, and never its scheme or host.

export interface Frame {
  path: string;
  line: number;
}

export interface SourceSettings {
  /** A link with the gaps {path} and {line}; empty for no links. */
  sourcePattern: string;
  /** One rule per line, "from => to": the first rule whose `from` is a prefix of the path applies. */
  pathMap: string;
}

export const kPatterns: [name: string, pattern: string][] = [
  ["VS Code", "vscode://file/{path}:{line}"],
  ["VS Code Insiders", "vscode-insiders://file/{path}:{line}"],
  ["Cursor", "cursor://file/{path}:{line}"],
  ["JetBrains IDE", "idea://open?file={path}&line={line}"],
];

const kEditors = ["vscode", "vscode-insiders", "cursor", "idea", "jetbrains"];

// "model.py(12): forward"; "model.py:12" with anything after a colon or blank. A file has an extension, or is
// <frozen ...> and the like, which no editor can open.
const kFrame = /^([^;\n]*?[^;/\\<>\n]\.\w{1,8})\((\d{1,9})\): /;
const kPlain = /^([^;\n]*?[^;/\\<>:\n]\.[A-Za-z]\w{0,7}):(\d{1,9})(?=$|[:\s;])/;

/** The place at the beginning of a text; null if there is none. */
export function parseFrame(text: string): Frame | null {
  const found = kFrame.exec(text) ?? kPlain.exec(text);
  return found && found[1].length < 4096 ? { path: found[1], line: Number(found[2]) } : null;
}

/** Why a pattern cannot be used; null if it can. An empty pattern means no links and is valid. */
export function patternProblem(pattern: string): "scheme" | "gap" | "host" | null {
  if (pattern === "") return null;
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(pattern) ?? [];
  const known = scheme.toLowerCase();
  if (known === "https" || known === "http") {
    if (!/^[^{}/?#@\\\s]+\//.test(rest)) return "host";
  } else if (!kEditors.includes(known)) {
    return "scheme";
  }
  return pattern.includes("{path}") ? null : "gap";
}

const isAbsolute = (path: string) => /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);

/** The path after the first rule that fits, and whether one did. A rule without a `from` is for relative paths. */
function mapped(path: string, map: string): { path: string; changed: boolean } {
  for (const line of map.split("\n")) {
    const [from, to, ...more] = line.split("=>").map((part) => part.trim());
    if (to === undefined || more.length > 0) continue;
    if (from === "" ? !isAbsolute(path) : path.startsWith(from))
      return { path: to + path.slice(from.length), changed: true };
  }
  return { path, changed: false };
}

function escaped(path: string): string {
  return path
    .replace(/\\/g, "/")
    .split("/")
    .map((part, i) => (i === 0 && /^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part)))
    .join("/");
}

/** The target of a frame; null if the settings give none: an editor needs an absolute path. */
export function sourceLink(frame: Frame, { sourcePattern, pathMap }: SourceSettings): string | null {
  const pattern = sourcePattern.trim();
  if (pattern === "" || patternProblem(pattern)) return null;
  const { path, changed } = mapped(frame.path, pathMap);
  const web = /^https?:/i.test(pattern);
  if (path === "" || (!isAbsolute(path) && !(web && changed))) return null;
  let text = escaped(path);
  if (/[^?&=]\/\{path\}/.test(pattern)) text = text.replace(/^\/+/, "");
  const link = pattern.replace(/\{path\}|\{line\}/g, (gap) => (gap === "{path}" ? text : String(frame.line)));
  try {
    const scheme = new URL(link).protocol.slice(0, -1);
    const allowed = scheme === "https" || scheme === "http" || kEditors.includes(scheme);
    return allowed ? link : null;
  } catch {
    return null;
  }
}
