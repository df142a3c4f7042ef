// A program or another text with lines: to read, to copy, to save.
import type { PanelOf } from "../api/types";
import { words } from "../base/words";
import { copyText } from "../widgets/copy";
import { saveBlob } from "../widgets/save";

export function CodePanel({ panel }: { panel: PanelOf<"code"> }) {
  const { text, file } = panel;
  return (
    <div class="code-panel">
      <div class="code-actions">
        <button class="button" onClick={() => void copyText(text)}>
          {words.copyCode}
        </button>
        {file && (
          <button class="button" onClick={() => saveBlob(new Blob([text], { type: "text/plain" }), file)}>
            {words.saveCode}
          </button>
        )}
      </div>
      <pre class="code-text" tabIndex={0} aria-label={file || panel.title}>
        {text}
      </pre>
    </div>
  );
}
