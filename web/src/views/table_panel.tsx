// A table or tree of a report: adds to the plain table the content of expanded rows (another report, drawn in
// place), links of rows, and the instants of a row that are marked on a curve.
import { useEffect, useMemo } from "preact/hooks";
import { errorText, reportQuery } from "../api/client";
import { groupQuery } from "../api/paged_rows";
import { inFile } from "../api/source";
import { fillParameters, type NumberColumn, type TableData } from "../api/table_data";
import { place as placeAtom } from "../base/history";
import { words } from "../base/words";
import { useAtom } from "../widgets/hooks";
import type { RowRef } from "../widgets/table/row_source";
import { parseSearch, rangesOf } from "../widgets/table/search";
import { Table, type Grouping } from "../widgets/table/table";
import { readTableState, spellRanges } from "../widgets/table/table_state";
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
  known?: string;
}

export function TablePanel({ table, prefix, parent, known }: Props) {
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
  const grouping = useGrouping(table, stateKey, parent !== null);
  const onPoint = useMemo(() => marker(table.wire.marks, prefix), [table, prefix]);
  return (
    <Table
      table={table}
      grouping={grouping}
      stateKey={stateKey}
      known={known}
      parent={parent}
      found={found?.table === stateKey ? found.row : -1}
      detail={parent ? undefined : detail}
      rowEntries={(at) => linkEntries(at.table, at.row)}
      onPoint={onPoint}
    />
  );
}

/** The query of what a table draws, by the table's key: that of its groups. */
export const groupQueries = new Map<string, string>();

/** The groups that the address names; undefined if the table's rows can not be grouped. */
function useGrouping(table: TableData, stateKey: string, isTree: boolean): Grouping | undefined {
  const place = useAtom(placeAtom);
  const can = !isTree && !inFile() && table.query !== "" && !place.parameters.sql;
  const { group, search, ranges } = readTableState(place, stateKey, table);
  const by = can && table.byKey.get(group)?.kind === "text" ? group : "";
  const query = useMemo(() => {
    if (by === "") return null;
    const { plain, conditions } = parseSearch(table, search, true);
    return groupQuery(table, by, { search: plain.join(" "), ranges: rangesOf(conditions, ranges) });
  }, [table, by, search, spellRanges(ranges)]);
  const { report, error, waiting, retry } = useReport(query, "");
  useEffect(() => {
    if (query === null) return;
    groupQueries.set(stateKey, query);
    return () => void groupQueries.delete(stateKey);
  }, [stateKey, query]);
  if (!can) return undefined;
  if (query === null) return { table: null, busy: false, error: "", retry };
  return {
    table: report?.tables.get(table.key) ?? null,
    busy: waiting,
    error: error ? errorText(error) : "",
    retry,
  };
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
