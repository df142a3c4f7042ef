// The verdict: what bounds the step, what to try first and what that can win, in one line; below it a bar of the
// parts of the step.
import type { Report } from "../api/client";
import { numberColumn } from "../api/table_data";
import type { PanelOf } from "../api/types";
import { categoryHue } from "../base/hues";
import { theme as themeAtom } from "../base/settings";
import { formatAlone } from "../base/units";
import { useAtom } from "../widgets/hooks";

interface Part {
  title: string;
  hue: string;
  value: number;
  time: string;
  share: string;
}

function partsOf(panel: PanelOf<"verdict">, report: Report, theme: "light" | "dark"): Part[] {
  const table = report.tables.get(panel.table);
  const label = table?.byKey.get(panel.label);
  const hue = table?.byKey.get(panel.hue);
  const value = table && numberColumn(table, panel.value);
  const share = table && value && numberColumn(table, value.bar);
  if (!table || !value || label?.kind !== "text" || hue?.kind !== "text") return [];
  return Array.from({ length: table.rows }, (_, row) => ({
    title: label.shown[label.codes[row]] ?? "",
    hue: categoryHue(hue.texts[hue.codes[row]] ?? "other", theme),
    value: value.numbers[row],
    time: formatAlone(value.numbers[row], value.unit),
    share: share ? formatAlone(share.numbers[row], share.unit) : "",
  }));
}

export function Verdict({ panel, report }: { panel: PanelOf<"verdict">; report: Report }) {
  const parts = partsOf(panel, report, useAtom(themeAtom));
  return (
    <div class="verdict">
      <dl class="verdict-items">
        {panel.items.map((item) => (
          <div key={item.id} class={`verdict-item verdict-${item.id}`} data-item={item.id}>
            <dt data-tip={item.doc} class={item.doc ? "explained" : undefined}>
              {item.label}
            </dt>
            <dd class="verdict-value">{item.value}</dd>
            {item.note && <dd class="verdict-note muted">{item.note}</dd>}
          </div>
        ))}
      </dl>
      {parts.length > 0 && (
        <>
          <div class="verdict-bar" aria-hidden="true">
            {parts.map((part) => (
              <i
                key={part.title}
                style={{ flexGrow: part.value, background: part.hue }}
                data-tip={`${part.title}: ${part.time} (${part.share})`}
              />
            ))}
          </div>
          <ul class="verdict-parts">
            {parts.map((part) => (
              <li key={part.title} data-tip={part.time}>
                <i class="swatch" style={{ background: part.hue }} aria-hidden="true" />
                {part.title} <span class="muted">{part.share}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
