// Settings of source links: which editor or site opens a frame of a call stack, and where the recorded paths
// are on this machine. Typed text applies immediately, and the preview shows the link of a frame of this
// profile.
import { useState } from "preact/hooks";
import { changeSettings, settings as settingsAtom } from "../base/settings";
import { kPatterns, parseFrame, patternProblem, sourceLink } from "../base/source_links";
import { words } from "../base/words";
import { closeFloat, openFloat } from "../widgets/float";
import { useAtom } from "../widgets/hooks";

const kExample = "/workspace/train/model.py(42): forward";
const kCustom = "custom";
const kFirstCustom = "https://github.com/OWNER/REPOSITORY/blob/main/{path}#L{line}";

/** A frame that the page shows now, so that the preview uses the user's own paths. */
function frameOnPage(): string {
  for (const element of document.querySelectorAll<HTMLElement>(
    "[data-tip], .stack li, .source, .cell.code span",
  )) {
    for (const text of [element.dataset.tip, element.textContent]) {
      if (text && parseFrame(text)) return text.split(";")[0];
    }
  }
  return kExample;
}

function SourceSettings({ frame }: { frame: string }) {
  const say = words.sourceLinks;
  const { sourcePattern, pathMap } = useAtom(settingsAtom);
  const known = kPatterns.some(([, pattern]) => pattern === sourcePattern);
  const [custom, setCustom] = useState(!known && sourcePattern !== "");
  const problem = patternProblem(sourcePattern.trim());
  const place = parseFrame(frame);
  const link = place && sourceLink(place, { sourcePattern, pathMap });
  const choose = (value: string) => {
    setCustom(value === kCustom);
    changeSettings({ sourcePattern: value === kCustom ? kFirstCustom : value });
  };
  return (
    <div class="source-settings">
      <h3>{say.title}</h3>
      <p class="muted">{say.doc}</p>
      <label>
        <span class="muted">{say.open}</span>
        <select
          class="field"
          aria-label={say.open}
          value={custom ? kCustom : sourcePattern}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {kPatterns.map(([name, pattern]) => (
            <option key={pattern} value={pattern}>
              {name}
            </option>
          ))}
          <option value={kCustom}>{say.custom}</option>
          <option value="">{say.none}</option>
        </select>
      </label>
      {sourcePattern !== "" || custom ? (
        <label>
          <span class="muted">{say.pattern}</span>
          <input
            class="field code"
            type="text"
            spellcheck={false}
            aria-label={say.pattern}
            aria-invalid={problem !== null}
            readOnly={!custom}
            value={sourcePattern}
            onInput={(event) => changeSettings({ sourcePattern: event.currentTarget.value })}
          />
        </label>
      ) : null}
      {problem && (
        <p class="source-problem" role="alert">
          {say.problems[problem]}
        </p>
      )}
      <label>
        <span class="muted">{say.map}</span>
        <textarea
          class="field code"
          rows={3}
          spellcheck={false}
          aria-label={say.map}
          placeholder={say.mapHint}
          value={pathMap}
          onInput={(event) => changeSettings({ pathMap: event.currentTarget.value })}
        />
      </label>
      <dl class="source-preview">
        <dt class="muted">{say.preview}</dt>
        <dd class="code">{frame}</dd>
        <dd class="code" data-preview>
          {link ?? <span class="muted">{sourcePattern === "" ? say.noLinks : say.stays}</span>}
        </dd>
      </dl>
      <div class="ranges-foot">
        <button class="plain text" onClick={closeFloat}>
          {words.done}
        </button>
      </div>
    </div>
  );
}

export function openSourceSettings(): void {
  const frame = frameOnPage();
  const middle = innerWidth / 2;
  openFloat({
    anchor: { left: middle - 280, right: middle + 280, top: 48, bottom: 48 },
    title: words.sourceLinks.title,
    align: "left",
    content: () => <SourceSettings frame={frame} />,
  });
}
