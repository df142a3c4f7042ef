// Opportunities: what could be fused, hidden, avoided or computed in a narrower type, and what each would win.
#include "analyses/columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/whatif/opportunities.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

// What differs between the tables.
struct Kind {
  std::string_view key;
  Message title, name_doc, doc, empty;
  Message detail_title{};                // empty: no such column
  Message amount_title{}, amount_doc{};  // empty: no such column
  Unit amount_unit = Unit::none;
  Message gain_doc;
};

constexpr std::string_view kGraphSource = "dependency graph";
constexpr std::string_view kReplaySource = "replays of the dependency graph";
constexpr std::string_view kGain = "(recorded step - predicted step) / recorded step";

TableOf<Opportunity> table_of(const Kind& kind) {
  TableOf<Opportunity> table({.key = std::string(kind.key), .title = kind.title, .sort_column = "gain"});
  table.add(label_column("name", "Name", kind.name_doc), even_empty(&Opportunity::name));
  if (!kind.detail_title.empty())
    table.add(code_column("detail", kind.detail_title, "Shapes and types of the inputs, and the type that it computes with"),
              &Opportunity::detail);
  table.add(integer_column("count", "Count", Unit::count, {"How often it was found.", "number of finds", kGraphSource}),
            &Opportunity::count);
  table.add(integer_column("time", "Device time", Unit::ns, {"Time of its device work.", "sum of durations", "device work"}),
            &Opportunity::time);
  if (!kind.amount_title.empty())
    table.add(
        real_column("amount", kind.amount_title, kind.amount_unit,
                    {kind.amount_doc,
                     kind.amount_unit == Unit::bytes ? "sum of 2 * bytes of each result that is handed on" : "sum of durations",
                     kind.amount_unit == Unit::bytes ? "costs of operators" : kGraphSource}),
        &Opportunity::amount);
  table.add(real_column("gain", "At most", Unit::share, {kind.gain_doc, kGain, std::string(kReplaySource)})
                .with_unknown("the peaks of the device are not known"),
            &Opportunity::gain);
  table.add(code_column("change", "What changes", "The change, for the view What if").hide(), &Opportunity::change);
  table.add(flag_column("has_change", "Has a change", {"Whether What if can show it.", "", "kind of row"}).hide(),
            [](const Opportunity& row) { return !row.change.empty(); });
  table.add_link({.title = "What if", .view = "what_if", .parameters = {{"change", "$change"}}, .when = "has_change"});
  return table;
}

const Kind kChains{
    .key = "chains",
    .title = "Chains that could be fused",
    .name_doc = "Operators whose kernels follow each other on a stream, in their order",
    .doc =
        "Kernels that only move data follow each other on one stream, and each has an input of exactly the size of "
        "the result before it. One kernel would neither write nor read these results. That the next one reads them "
        "is not recorded, and a result that is needed later has to be written: at most.",
    .empty = "No chain of kernels that only move data was found.",
    .amount_title = "Bytes saved",
    .amount_doc = "Bytes that one kernel would neither write nor read.",
    .amount_unit = Unit::bytes,
    .gain_doc = "How much shorter the mean step would be if these kernels took less time by the share of the bytes."};
const Kind kCollectives{
    .key = "collectives",
    .title = "Collectives that other work could hide",
    .name_doc = "Name of the collective",
    .doc =
        "After each collective, until the end of its step: device work that does not wait for any collective "
        "of this name, not even through other work or the host. It could run beside it.",
    .empty = "No collective was recorded on a device.",
    .amount_title = "Independent work",
    .amount_doc = "Time of device work that comes later in the step and waits for no collective of this name.",
    .amount_unit = Unit::ns,
    .gain_doc = "How much shorter the mean step would be if nothing but its end waited for them."};
const Kind kSmallKernels{.key = "small",
                         .title = "Kernels shorter than 10 µs",
                         .name_doc = "Name of the kernel",
                         .doc = "Starting such a kernel takes as long as the kernel. Fuse them, or launch them in a graph.",
                         .empty = "No kernel is shorter than 10 µs.",
                         .gain_doc = "How much shorter the mean step would be without them."};
const Kind kCopies{.key = "copies",
                   .title = "Copies",
                   .name_doc = "Name of the copy",
                   .doc = "Copies between host and device, and on the device.",
                   .empty = "No copy was recorded.",
                   .gain_doc = "How much shorter the mean step would be without them."};
const Kind kLayouts{.key = "layouts",
                    .title = "Changes of layout",
                    .name_doc = "Name of the kernel",
                    .doc =
                        "Kernels whose names say that they only change the layout of a tensor (transpose, permute, NCHW to NHWC, "
                        "im2col). Keep tensors in the layout that the next operator needs.",
                    .empty = "No kernel's name says that it changes a layout.",
                    .gain_doc = "How much shorter the mean step would be without them."};
const Kind kPrecisions{
    .key = "precisions",
    .title = "Products in 32 or 64 bits",
    .name_doc = "Operator",
    .doc =
        "Matrix products, convolutions and attention that compute with fp32 or fp64. In 16 bits they would take "
        "less time by the ratio of the device's peaks.",
    .empty = "No operator with a cost computes products in 32 or 64 bits.",
    .detail_title = "Inputs",
    .gain_doc = "How much shorter the mean step would be at that ratio."};
const Kind kDimensions{.key = "dimensions",
                       .title = "Dimensions that do not fit matrix units",
                       .name_doc = "Operator",
                       .doc =
                           "Products with one of the last two dimensions of an operand that is no multiple of 16 bytes, which is "
                           "what matrix units load at once: the library pads them, or takes a slower kernel.",
                       .empty = "All dimensions of products with a cost are multiples of 16 bytes.",
                       .detail_title = "Inputs",
                       .gain_doc = "How much shorter the mean step would be if these products took the attainable time."};

constexpr double kLeastShownGain = 0.0005;  // share of the step: less is shown as 0.0 %

void add(Report& report, const DependencyGraph& graph, const Kind& kind, std::vector<Opportunity> rows) {
  find_gains(graph, rows);
  const auto left_out =
      static_cast<std::int64_t>(std::erase_if(rows, [](const Opportunity& row) { return row.gain < kLeastShownGain; }));
  Panel panel{.id = std::string(kind.key), .title = kind.title, .content = PlainTable{std::string(kind.key)}};
  panel.doc = kind.doc;
  if (left_out > 0)
    panel.scope =
        say("{} left out that would gain less than 0.05% of the step", count_words(left_out, "{} row is", "{} rows are"));
  panel.empty = left_out > 0 ? Message("None that was found would gain 0.05% of the step.") : kind.empty;
  report.tables.push_back(table_of(kind).of(rows));
  report.panels.push_back(std::move(panel));
}

Result<Report> run_opportunities(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const auto graph = dependency_graph(profile);
  const WorkSelection selection(profile, *graph);
  Opportunities found = find_opportunities(*profile, *graph, selection);
  Report report{.view = "opportunities", .title = "Opportunities"};
  report.scope = scope_words(*steps_of(profile));
  report.parameters = input.parameters.all();
  report.notes.push_back(
      {Note::Level::info, "Each gain is that of a replay with this row alone changed: gains overlap, and do not add up."});
  if (profile->costed_calls.rows() == 0) {
    report.notes.push_back({Note::Level::info,
                            "No operator has a cost here, so chains, precisions and dimensions are not known: record shapes "
                            "(record_shapes=True)."});
  }
  add(report, *graph, kChains, std::move(found.chains));
  add(report, *graph, kCollectives, std::move(found.collectives));
  add(report, *graph, kSmallKernels, std::move(found.small));
  add(report, *graph, kCopies, std::move(found.copies));
  add(report, *graph, kLayouts, std::move(found.layouts));
  add(report, *graph, kPrecisions, std::move(found.precisions));
  add(report, *graph, kDimensions, std::move(found.dimensions));
  return report;
}

std::optional<Message> opportunities_unavailable(const Profile& profile) {
  if (profile.device_work.rows() > 0) return std::nullopt;
  return "no device activity was recorded";
}

std::vector<ReportTable> opportunities_tables() {
  std::vector<ReportTable> tables;
  for (const Kind* kind : {&kChains, &kCollectives, &kSmallKernels, &kCopies, &kLayouts, &kPrecisions, &kDimensions})
    tables.push_back(table_of(*kind).blank());
  return tables;
}

}  // namespace

Analysis opportunities_analysis() {
  return {.id = "opportunities",
          .title = "Opportunities",
          .group = ViewGroup::where_time_went,
          .doc = "What could be fused, hidden, avoided or computed in a narrower type, and what that would win.",
          .parameters = {},
          .unavailable = opportunities_unavailable,
          .run = run_opportunities,
          .tables = opportunities_tables,
          .slow = true};
}

}  // namespace sightline::analyses
