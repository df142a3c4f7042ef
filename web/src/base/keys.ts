// Keyboard shortcuts of the page, in one place, so that the key sheet (`?`) lists exactly the keys that work. A
// key is ignored while the user types in a field, unless it is a chord with Ctrl. "g k" is a sequence: the
// second key must follow within 1.5 seconds.
export interface Shortcut {
  /** "g k", "/", "?", "Escape", "Ctrl+k". */
  keys: string;
  title: string;
  group: string;
  run: () => void;
}

const shortcuts = new Map<string, Shortcut>();
let prefix = "";
let prefixTime = 0;
const kSequenceMs = 1500;

export function addShortcut(shortcut: Shortcut): () => void {
  shortcuts.set(shortcut.keys, shortcut);
  return () => {
    if (shortcuts.get(shortcut.keys) === shortcut) shortcuts.delete(shortcut.keys);
  };
}

export type KeyNote = Omit<Shortcut, "run">;

const notes = new Set<KeyNote>();

/** A gesture that the key sheet lists beside the keys ("Wheel"). */
export function addGestureNote(note: KeyNote): () => void {
  notes.add(note);
  return () => notes.delete(note);
}

export function listShortcuts(): KeyNote[] {
  return [...shortcuts.values(), ...notes];
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/** The spelling of the event in `Shortcut.keys`. */
export function spell(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">): string {
  const chord = event.ctrlKey || event.metaKey;
  return (chord ? "Ctrl+" : "") + (event.key.length === 1 && chord ? event.key.toLowerCase() : event.key);
}

export function startKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const key = spell(event);
    const chord = key.startsWith("Ctrl+");
    if (!chord && isTyping(event.target)) return;
    const sequence = performance.now() - prefixTime < kSequenceMs && prefix !== "" ? `${prefix} ${key}` : "";
    prefix = "";
    const shortcut = shortcuts.get(sequence) ?? shortcuts.get(key);
    if (shortcut) {
      event.preventDefault();
      shortcut.run();
    } else if ([...shortcuts.keys()].some((keys) => keys.startsWith(key + " "))) {
      prefix = key;
      prefixTime = performance.now();
    }
  });
}
