// A short list of actions that floats beside its target. Arrow keys move, Enter acts, Escape closes. An entry
// may be a link (a CSV to save), so that the browser's own gestures work on it.
import { useLayoutEffect, useRef } from "preact/hooks";
import { closeFloat, openFloat, type Anchor } from "./float";

export interface MenuEntry {
  title: string;
  run?: () => void;
  href?: string;
  download?: string;
  /** Shown muted at the right: a key, a number. */
  hint?: string;
  checked?: boolean;
  /** Disabled: the hint gives the reason. */
  disabled?: boolean;
  /** The menu stays open: for lists of check marks. */
  stays?: boolean;
}

/** `null` is a line between groups. */
export type MenuEntries = (MenuEntry | null)[];

function MenuList({ entries }: { entries: () => MenuEntries }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    ref.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus({ preventScroll: true });
  }, []);
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const items = [...(ref.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + step + items.length) % items.length]?.focus();
  };
  return (
    <div class="menu" role="menu" ref={ref} onKeyDown={move}>
      {entries().map((entry, i) => (entry ? <MenuItem key={i} entry={entry} /> : <hr key={i} />))}
    </div>
  );
}

function MenuItem({ entry }: { entry: MenuEntry }) {
  const act = () => {
    if (!entry.stays) closeFloat();
    entry.run?.();
  };
  const inside = (
    <>
      {entry.checked !== undefined && <span class="menu-check">{entry.checked ? "✓" : ""}</span>}
      <span class="menu-title">{entry.title}</span>
      {entry.hint && <span class="menu-hint">{entry.hint}</span>}
    </>
  );
  if (entry.href) {
    return (
      <a role="menuitem" class="menu-item" href={entry.href} download={entry.download} onClick={act}>
        {inside}
      </a>
    );
  }
  const role = entry.checked === undefined ? "menuitem" : "menuitemcheckbox";
  return (
    <button
      role={role}
      aria-checked={entry.checked}
      aria-disabled={entry.disabled}
      class="menu-item"
      onClick={entry.disabled ? undefined : act}
    >
      {inside}
    </button>
  );
}

/** `entries` is called again for each drawing, so that check marks stay correct. */
export function openMenu(
  anchor: Anchor,
  title: string,
  entries: () => MenuEntries,
  align: "left" | "right" = "left",
): void {
  openFloat({ anchor, title, align, content: () => <MenuList entries={entries} /> });
}
