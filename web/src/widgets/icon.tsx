// The page's icons: 16 px line drawings in the text's colour. A view without its own drawing shows the
// first letter of its title, so that a new view needs no change here.
const kPaths: Record<string, string> = {
  overview: "M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5v-6M13.5 13.5v-11",
  operators: "M2.5 4h11M2.5 8h8M2.5 12h5",
  kernels: "M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14",
  modules: "M8 2.5v3M3 13.5v-3h10v3M8 5.5v5M6 2.5h4M1.5 13.5h3M11.5 13.5h3M6.5 13.5h3M8 10.5v3",
  framework_operators: "M8 2.5l5.5 3-5.5 3-5.5-3zM2.5 8l5.5 3 5.5-3M2.5 10.5l5.5 3 5.5-3",
  program_operators: "M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3",
  device_summary: "M2.5 11.5a5.5 5.5 0 1 1 11 0M8 11.5l2.8-4M8 11.5h.01",
  serving: "M2.5 3.5h5M2.5 8h5M2.5 12.5h5M9.5 8H14M12 6l2 2-2 2",
  idle: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM6.5 6v4M9.5 6v4",
  graphs: "M2 3h3.5v3H2zM2 10h3.5v3H2zM10.5 6.5H14v3h-3.5zM5.5 4.5L10.5 7.5M5.5 11.5L10.5 8.5",
  what_if: "M3 5.5a5 4 0 1 1 6.2 3.6c-.8.3-1.2.8-1.2 1.6M8 13.2v.1",
  critical_path: "M2 11.5h3l2.5-7h3l1.5 4h2M12.5 6.5L14.5 8.5l-2 2",
  what_if_ranks: "M2.5 13.5v-3M6 13.5v-6M10 13.5v-3M13.5 13.5v-5M6 4.3a2.2 1.8 0 1 1 2.7 1.6c-.5.2-.7.4-.7.8",
  critical_path_ranks: "M2 3.5h4l3 4.5h3M2 8h4l3 4.5h5M12 6.5L13.5 8 12 9.5",
  history: "M2.5 2.5v11h11M4.5 10l2.5-3 2 1.5 3.5-4.5M12.5 4h.01M7 7h.01",
  opportunities: "M8 2a4 4 0 0 1 2.2 7.3V11H5.8V9.3A4 4 0 0 1 8 2M6 13h4M7 15h2",
  compiled_code: "M6 2.5H3v11h3M10 2.5h3v11h-3M6.8 5.5L9.2 8l-2.4 2.5",
  runtime_calls: "M2.5 3h11v10h-11zM4.8 6l2 2-2 2M8.5 10h3",
  fused_operators: "M2.5 3.5h4.5v9h6.5M2.5 8h4.5M2.5 12.5h4.5M11 10l2.5 2.5L11 15",
  metadata: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 7.2v3.6M8 5.2v.1",
  losses: "M2.5 2.5v11h11M4.5 4c1 5 3.5 6.5 8.5 7",
  gaps: "M2 4.5h4M10 4.5h4M2 11.5h2.5M11.5 11.5H14M6.5 8h3M6.5 8l1-1M6.5 8l1 1M9.5 8l-1-1M9.5 8l-1 1",
  stream_waits: "M2 4h4M9 4h5M2 8h7M12 8h2M2 12h2M8 12h6",
  launch_delays: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 5v3.2l2.2 1.5",
  copies: "M5.5 2.5h8v8h-8zM10.5 10.5v3h-8v-8h3",
  fleet: "M2.5 2.5h11v11h-11zM6.2 2.5v11M9.8 2.5v11M2.5 6.2h11M2.5 9.8h11",
  fleet_ranks: "M2.5 4h9M2.5 8h5M2.5 12h11",
  fleet_groups: "M6 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM2.5 13.5v-1a3.5 3.5 0 0 1 7 0v1M10.5 2.8a2 2 0 0 1 0 3.6M13.5 13.5v-1a3.5 3.5 0 0 0-2-3.2",
  fleet_waits: "M4 2.5h8M4 13.5h8M5 2.5c0 5 6 5 6 11M11 2.5c0 5-6 5-6 11",
  fleet_members: "M8 4.5a2 2 0 1 0 0-.1M3.5 12.5h.1M8 12.5h.1M12.5 12.5h.1M8 6.5v3M8 8.5l-4.5 2M8 8.5l4.5 2",
  fleet_bandwidth: "M2.5 12a5.5 5.5 0 1 1 11 0M8 12l3-4",
  fleet_links: "M3 3h4v4H3zM9 9h4v4H9zM7 7l2 2",
  fleet_kernels: "M3 13V8M6.5 13V5M10 13V9M13.5 13V2.5",
  fleet_capture: "M3.5 2.5h9v11h-9zM6 6l1.2 1.2L10 4.8M6 10.5h4",
  network_transfers: "M2.5 5.5h9M9 3l2.5 2.5L9 8M13.5 10.5h-9M7 8l-2.5 2.5L7 13",
  step_metrics: "M2.5 2.5v11h11M4.5 10.5l2.5-3 2 1.5 4-5",
  weighted_stacks: "M2.5 13.5v-3h11v3zM2.5 10v-3h7v3M2.5 6.5v-3h4v3",
  reported_sums: "M12.5 4.5v-2h-9L8.5 8l-5 5.5h9v-2",
  open: "M1.8 12.5V4h4l1.4 1.6h5.3v1.9M1.8 12.5l1.9-5h10.8l-1.9 5z",
  roofline: "M2.5 2.5v11h11M3.5 11 8 5.5h5.5M10 9.5h.01M7 10.5h.01",
  data_loading: "M8 2.5v7M5 6.8l3 3 3-3M2.5 10.5v3h11v-3",
  pipeline: "M2 4h5M4.5 8h5M7 12h5M9.5 4H14M12 8h2",
  program_graph: "M6 2.5h4v3H6zM2.5 10.5h4v3h-4zM9.5 10.5h4v3h-4zM8 5.5v2.5M4.5 10.5V8h7v2.5",
  operator_hierarchy: "M2.5 3h11v2.6h-11zM2.5 6.8h7v2.6h-7zM2.5 10.6h4v2.6h-4z",
  timeline: "M2 4h6M5 8h8M3 12h5M10.5 12H14",
  memory: "M2 13.5V11l3-4 3 2.5 3-6 3 4v6z",
  hangs: "M5 2.5h6M5 13.5h6M5.8 2.5c0 4.5 4.4 4.5 4.4 11M10.2 2.5c0 4.5-4.4 4.5-4.4 11M2 6v4M14 6v4",
  memory_stacks: "M2.5 13.5h11M2.5 10h8M2.5 6.5h5M2.5 3h2",
  memory_segments: "M2 3h5v4H2zM9 3h5v4H9zM2 9h8v4H2zM12 9h2v4h-2z",
  memory_diff: "M2 13.5V10l3-3 3 2M8 13.5V6l3-3 3 4v6.5M8 2v12",
  distributed: "M8 3.5v3M8 6.5l-4.5 5M8 6.5l4.5 5M6.7 2.2h2.6v2.6H6.7zM2.2 11.2h2.6v2.6H2.2zM11.2 11.2h2.6v2.6h-2.6z",
  diff: "M5 2.5v11M5 13.5l-2.5-3M5 13.5l2.5-3M11 13.5v-11M11 2.5l-2.5 3M11 2.5l2.5 3",
  swap: "M4 5.5h9M13 5.5l-3-3M12 10.5H3M3 10.5l3 3",
  query: "M3 4c0-2 10-2 10 0v8c0 2-10 2-10 0zM3 4c0 2 10 2 10 0M3 8c0 2 10 2 10 0",
  problems: "M8 2.5l6 11H2zM8 6.5v3.5M8 11.5v.7",
  chevron: "M6 4l4 4-4 4",
  down: "M4 6l4 4 4-4",
  menu: "M3.2 8h.1M8 8h.1M12.8 8h.1",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.4 3.4",
  fold: "M2.5 3h11v10h-11zM6 3v10",
  close: "M4 4l8 8M12 4l-8 8",
  light: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1",
  dark: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  auto: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  record: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z",
  source: "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5M9 3L7 13",
  call_tree: "M2.5 2.5v8.5M2.5 6h4M2.5 11h4M9 4.2h4.5v3.6H9zM9 9.2h4.5v3.6H9z",
  lightning: "M9 2L4 9h4l-1 5 5-7H8z",
  filter: "M2.5 3.5h11l-4.3 5v4.2l-2.4 1V8.5z",
  group: "M2.5 3h4v4h-4zM2.5 9.5h4v4h-4zM9 3.5h4.5M9 6.5h4.5M9 10h4.5M9 13h4.5",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
}; // prettier-ignore

export function Icon({ name, letter }: { name: string; letter?: string }) {
  const path = kPaths[name];
  if (!path && letter) {
    return (
      <span class="icon icon-letter" aria-hidden="true">
        {letter.slice(0, 1)}
      </span>
    );
  }
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={path ?? kPaths.operators} />
    </svg>
  );
}
