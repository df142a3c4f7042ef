// `?`: every key that works here. The page's keys are listed from their registration; those of tables and
// curves are listed by hand, because they belong to the focused element.
import { listShortcuts } from "../base/keys";
import { words } from "../base/words";
import { openFloat } from "../widgets/float";

const tableKeys = (): [string, string][] => [
  ["↑ ↓", words.keyRows],
  ["Enter ← →", words.keyExpand],
  ["Home End", words.keyEnds],
  ["m", words.keyMenu],
  ["Ctrl+C", words.keyCopy],
];

const curveKeys = (): [string, string][] => [
  ["← →", words.keyCursor],
  ["Shift+← Shift+→", words.keyWindow],
  ["Enter", words.keyTake],
  ["Escape", words.keyGiveBack],
];

/** Keys that are not written as the browser spells them. */
const kWritten: Record<string, string> = {
  "Ctrl+k": "Ctrl+K",
  Escape: "Esc",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

function Keys({ text }: { text: string }) {
  return (
    <span class="keys">
      {text.split(" ").map((key, i) => (
        <kbd key={i}>{kWritten[key] ?? key}</kbd>
      ))}
    </span>
  );
}

function KeySheet() {
  const groups = new Map<string, [string, string][]>();
  for (const { group, keys, title } of listShortcuts()) {
    const before = groups.get(group) ?? [];
    const same = before.find(([, other]) => other === title);
    // Two keys for the same action are side by side.
    if (same) same[0] += ` ${keys}`;
    else groups.set(group, [...before, [keys, title]]);
  }
  groups.set(words.keyGroups.table, tableKeys());
  groups.set(words.keyGroups.curve, curveKeys());
  return (
    <div class="key-sheet">
      {[...groups].map(([group, keys]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {keys.map(([key, title]) => (
              <div key={key}>
                <dt>
                  <Keys text={key} />
                </dt>
                <dd>{title}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

export function openKeySheet(): void {
  const middle = innerWidth / 2;
  openFloat({
    anchor: { left: middle - 480, right: middle + 480, top: 64, bottom: 64 },
    title: words.keysTitle,
    align: "left",
    content: () => <KeySheet />,
  });
}
