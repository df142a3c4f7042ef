// Panels on twelve columns: full, half, third; narrow windows stack them. Halves that follow one another
// share a row.
import type { Report } from "../api/client";
import { PanelView } from "./panel";

interface Props {
  report: Report;
  /** Put before every state key: tells apart the panels inside expanded rows. */
  prefix: string;
}

export function PanelGrid({ report, prefix }: Props) {
  return (
    <div class={prefix === "" ? "panel-grid" : "panel-grid inner"}>
      {report.panels.map((panel) => (
        <PanelView key={panel.id} panel={panel} report={report} prefix={prefix} />
      ))}
    </div>
  );
}
