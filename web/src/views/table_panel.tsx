// A table or tree of a report: adds to the plain table the content of expanded rows (another report, drawn in
// place), links of rows, and the instants of a row that are marked on a curve.
import { useMemo } from "preact/hooks";
import { errorText, reportQuery } from "../api/client";
import { fillParameters, type NumberColumn, type TableData } from "../api/table_data";
import { place as placeAtom } from "../base/history";
import { words } from "../base/words";
import { useAtom } from "../widgets/hooks";
import type { RowRef } from "../widgets/table/row_source";
import { Table } from "../widgets/table/table";
import { found as foundAtom } from "./find_row";
import { doorIsOpen } from "./navigate";
import { Notes } from "./notes";
import { PanelGrid } from "./panel_grid";
import { marker } from "./pointed";
import { linkEntries } from "./row_door";
import { useReport } from "./use_report";

interface Props {
  table: TableData;
  prefix: string;
  parent: NumberColumn | null;
}

export function TablePanel({ table, prefix, parent }: Props) {
  const stateKey = prefix + table.key;
  const found = useAtom(foundAtom);
  const door = table.wire.row_detail;
  const detail = door
    ? (at: RowRef) =>
        doorIsOpen(door, at.table, at.row)
          ? () => (
              <InPlace
                view={door.view}
                parameters={fillParameters(at.table, at.row, door.parameters)}
                prefix={`${stateKey}/${at.id}/`}
              />
            )
          : undefined
    : undefined;
  const onPoint = useMemo(() => marker(table.wire.marks, prefix), [table, prefix]);
  return (
    <Table
      table={table}
      stateKey={stateKey}
      parent={parent}
      found={found?.table === stateKey ? found.row : -1}
      detail={parent ? undefined : detail}
      rowEntries={(at) => linkEntries(at.table, at.row)}
      onPoint={onPoint}
    />
  );
}

interface InPlaceProps {
  view: string;
  parameters: Record<string, string>;
  prefix: string;
}

/** The report of another view, requested and drawn in place. */
export function InPlace({ view, parameters, prefix }: InPlaceProps) {
  const { run, worker, span } = placeAtom.get();
  const query = reportQuery({ run, worker, span, view, parameters });
  const { report, error } = useReport(query, "");
  if (error) return <p class="panel-empty">{errorText(error)}</p>;
  if (!report) return <p class="panel-empty muted">{words.loadingReport}</p>;
  return (
    <>
      {report.notes && <Notes notes={report.notes} />}
      <PanelGrid report={report} prefix={prefix} />
    </>
  );
}
