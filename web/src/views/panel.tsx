// A panel: a 28 px head (title, scope, "?", menu) above its content. When enlarged, it covers the page until
// Escape, with the same content.
import type { ECharts } from "echarts/core";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { csvAddress, type Report } from "../api/client";
import { tableCsv } from "../api/table_csv";
import type { TableData } from "../api/table_data";
import type { Panel } from "../api/types";
import { adjust, go, linkTo, place as placeAtom } from "../base/history";
import { withPage } from "../base/place";
import { theme } from "../base/settings";
import { fill, grouped, words } from "../base/words";
import { readLook } from "../widgets/chart/look";
import { drawnMarks } from "../widgets/chart/curve_marks";
import { composePicture, savePicture } from "../widgets/chart/picture";
import { copyText } from "../widgets/copy";
import { anchorOf } from "../widgets/float";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { openMenu, type MenuEntries, type MenuEntry } from "../widgets/menu";
import { saveBlob } from "../widgets/save";
import { copiers } from "../widgets/table/copying";
import { DocButton } from "./doc";
import { revealed } from "./navigate";
import { Notes } from "./notes";
import { groupQueries } from "./table_panel";
import { PanelBody, panelLegend } from "./panel_body";
import { hasChoice, TopChoice } from "./top_choice";

interface Props {
  panel: Panel;
  report: Report;
  prefix: string;
}

const kPictured = ["breakdown", "bars", "lines", "heatmap", "scatter", "gantt", "flame"];

/** The server writes the whole table; a page file has only the rows that it contains. */
function csvEntry(report: Report, table: TableData, stateKey: string): MenuEntry {
  const name = `${report.view}-${table.key}.csv`;
  const href = csvAddress({ ...report, query: groupQueries.get(stateKey) ?? report.query }, table.key);
  if (href) return { title: words.saveCsv, href, download: name };
  const { all, rows } = table.wire;
  return {
    title: words.saveCsv,
    hint: all === undefined ? undefined : fill(words.firstRows, { n: grouped(rows) }),
    run: () => saveBlob(new Blob([tableCsv(table.wire)], { type: "text/csv" }), name),
  };
}

/** The table as it is shown: as numbers of the base unit for a spreadsheet, or as they are drawn. */
function copyEntries(stateKey: string): MenuEntry[] {
  const copy = copiers.get(stateKey);
  if (!copy) return [];
  return [
    { title: words.copyTsv, run: () => void copy("tsv").then(copyText) },
    { title: words.copyMarkdown, run: () => void copy("markdown").then(copyText) },
  ];
}

export function PanelView({ panel, report, prefix }: Props) {
  const place = useAtom(placeAtom);
  const element = useRef<HTMLElement>(null);
  const chart = useRef<ECharts>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const key = prefix + panel.id;
  // A timeline fills the page anyway, and its bar is its head.
  const headless = panel.kind === "timeline";
  const enlarged = !headless && place.page[`${key}.big`] === "1";
  const table = "table" in panel ? panel.table : "";

  useEffect(() => {
    if (location.hash === `#${key}`) element.current?.scrollIntoView({ block: "start" });
  }, []);
  useEffect(() => {
    if (panel.kind !== "table" && panel.kind !== "tree") return;
    return revealed.watch(({ table: shown }) => {
      if (shown === prefix + table) element.current?.scrollIntoView({ block: "nearest" });
    });
  }, [table]);
  useLayoutEffect(() => {
    if (!enlarged) return;
    const escape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) setBig(false);
    };
    addEventListener("keydown", escape);
    return () => removeEventListener("keydown", escape);
  }, [enlarged]);

  const setBig = (big: boolean) => {
    const next = withPage(placeAtom.get(), { [`${key}.big`]: big ? "1" : "" });
    if (big) go(next);
    else adjust(() => next);
  };
  const savePng = () => {
    const look = readLook(theme.get());
    const drawn = chart.current?.renderToCanvas({ pixelRatio: 2 }) ?? canvas.current;
    if (!drawn) return;
    const shown = chart.current ? chart.current.getDom() : canvas.current;
    const scope = [report.title, panel.scope ?? report.scope ?? ""].filter(Boolean).join(", ");
    const legend = panelLegend(panel, report, key, placeAtom.get(), theme.get());
    const { clientWidth: width, clientHeight: height } = shown as HTMLElement;
    const marks = element.current ? drawnMarks(element.current) : [];
    savePicture(
      composePicture({ title: panel.title, scope, canvas: drawn, width, height, legend, marks }, look),
      `${report.view}-${panel.id}.png`,
    );
  };
  const data = report.tables.get(table);
  const entries = (): MenuEntries => [
    ...(data ? [csvEntry(report, data, prefix + table)] : []),
    ...(panel.kind === "table" || panel.kind === "tree" ? copyEntries(prefix + table) : []),
    ...(kPictured.includes(panel.kind) ? [{ title: words.savePng, run: savePng }] : []),
    { title: words.copyLink, run: () => void copyText(linkTo(placeAtom.get(), key)) },
    ...(prefix === ""
      ? [{ title: enlarged ? words.shrink : words.enlarge, run: () => setBig(!enlarged) }]
      : []),
  ];
  const pinned = panel.kind === "lines" && panel.select !== undefined && prefix === "" && !enlarged;
  // A chart and a table of one title have different names.
  const isTwin = report.panels.some((other) => other !== panel && other.title === panel.title);
  const name =
    isTwin && kPictured.includes(panel.kind) ? `${panel.title} (${words.queryChart.title})` : panel.title;
  const classes = [
    `panel panel-${panel.kind} width-${panel.width ?? "full"}`,
    enlarged && "enlarged",
    pinned && "pinned",
  ];
  return (
    <section
      class={classes.filter(Boolean).join(" ")}
      id={key}
      ref={element}
      role="group"
      aria-label={name}
      data-panel={key}
    >
      {!headless && (
        <header class="panel-head">
          <h2>{panel.title}</h2>
          <span class="panel-scope" data-tip={panel.scope}>
            {panel.scope}
          </span>
          {panel.kind === "breakdown" && hasChoice(report.tables.get(panel.table)) && (
            <TopChoice panel={panel} panelKey={key} />
          )}
          {panel.doc && <DocButton title={panel.title} text={panel.doc} />}
          <button
            class="plain round"
            aria-label={`${words.panelMenu}: ${panel.title}`}
            aria-haspopup="menu"
            onClick={(event) => openMenu(anchorOf(event.currentTarget), panel.title, entries, "right")}
          >
            <Icon name="menu" />
          </button>
          {enlarged && (
            <button
              class="plain round"
              aria-label={words.shrink}
              data-tip={words.shrink}
              onClick={() => setBig(false)}
            >
              <Icon name="close" />
            </button>
          )}
        </header>
      )}
      {panel.notes && <Notes notes={panel.notes} />}
      <PanelBody
        panel={panel}
        report={report}
        prefix={prefix}
        panelKey={key}
        enlarged={enlarged}
        chartRef={chart}
        canvasRef={canvas}
      />
    </section>
  );
}
