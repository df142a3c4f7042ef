// An execution is what says the same run_id, which counts up for each compilation of a function apart. Nothing in the file names
// its call, but for the first of a queue, whose work an arrow or the thread itself ties to the call; the others are asked for
// when the one before is done. So calls of a function f and executions of the module jit_f are paired by their starts, from the
// first pair that is tied; where none is, from the first execution with which no program begins before it is called.
#include "formats/xplane/executions.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "formats/xplane/arrows.h"

namespace sightline::formats::xplane {

namespace {

constexpr std::string_view kCall = "PjitFunction(";
constexpr int kArrowsBack = 64;           // that are looked at for the one that began an execution
constexpr std::size_t kMostQueued = 256;  // executions that may have been asked for before the recording

bool is_call(const Profile& p, Row slice) {
  return p.slices.kind[slice] == SliceKind::op && p.text(p.slices.name[slice]).starts_with(kCall);
}

// "<lambda>" of a call is "_lambda_" of a module.
std::string letters(std::string_view name) {
  std::string kept;
  std::copy_if(name.begin(), name.end(), std::back_inserter(kept),
               [](unsigned char c) { return c >= 0x80 || std::isalnum(c) != 0; });
  return kept;
}

std::string function_of_call(std::string_view call) { return "jit" + letters(call.substr(kCall.size())); }

class Dispatches {
 public:
  explicit Dispatches(const Builder& builder) : b_(builder), p_(builder.profile()) {}

  std::vector<Dispatch> run() {
    struct Function {
      std::vector<Row> calls;
      std::vector<const Execution*> executions;
    };
    std::unordered_map<std::string, Function> functions;
    for (const auto& [run, execution] : b_.executions) {
      if (execution.module != StringId::none) functions[letters(p_.text(execution.module))].executions.push_back(&execution);
    }
    if (functions.empty()) return {};
    for (const Row call : outermost_calls(p_)) {
      const auto of = functions.find(function_of_call(p_.text(p_.slices.name[call])));
      if (of != functions.end()) of->second.calls.push_back(call);
    }
    std::vector<Dispatch> found;
    for (auto& [name, function] : functions) {
      auto& [calls, executions] = function;
      const auto earlier = [&](Row x, Row y) { return p_.slices.start[x] < p_.slices.start[y]; };
      std::stable_sort(calls.begin(), calls.end(), earlier);
      std::stable_sort(executions.begin(), executions.end(),
                       [&](const Execution* x, const Execution* y) { return earlier(x->first, y->first); });
      const std::optional<std::size_t> before = executions_before(calls, executions);
      if (!before) continue;
      for (std::size_t i = 0; i < calls.size() && *before + i < executions.size(); ++i)
        found.push_back({calls[i], executions[*before + i]->end});
    }
    return found;
  }

 private:
  // How many of the executions were asked for before the first call; nothing when calls and executions do not fit. Both by start.
  std::optional<std::size_t> executions_before(const std::vector<Row>& calls,
                                               const std::vector<const Execution*>& executions) const {
    std::unordered_map<Row, std::ptrdiff_t> place;  // of a call
    for (const Row call : calls) place.emplace(call, std::ssize(place));
    std::map<std::ptrdiff_t, std::size_t> votes;
    std::set<Row> tied;  // calls: each begins one execution, the first that is tied to it
    for (std::ptrdiff_t i = 0; i < std::ssize(executions); ++i) {
      const auto call = place.find(call_tied_to(executions[static_cast<std::size_t>(i)]->first));
      if (call != place.end() && tied.insert(call->first).second) ++votes[i - call->second];
    }
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
    if (most != votes.end()) return most->first < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(most->first));
    for (std::size_t before = 0; before < std::min(executions.size(), kMostQueued); ++before) {
      bool fits = true;
      for (std::size_t i = 0; fits && i < calls.size() && before + i < executions.size(); ++i)
        fits = p_.slices.start[executions[before + i]->first] >= p_.slices.start[calls[i]];
      if (fits) return before;
    }
    return std::nullopt;
  }

  // The outermost call around the slice.
  Row call_around(Row slice) const {
    Row call = kNoRow;
    for (Row at = slice; at != kNoRow; at = p_.slices.parent[at]) {
      if (is_call(p_, at)) call = at;
    }
    return call;
  }

  // The call that an execution runs in, by its first slice, or from which the last arrow comes that reached its thread before it.
  Row call_tied_to(Row first) const {
    if (const Row call = call_around(first); call != kNoRow) return call;
    auto arrow = std::lower_bound(b_.arrows.begin(), b_.arrows.end(), first, [](const Arrow& a, Row row) { return a.to < row; });
    for (int back = 0; arrow != b_.arrows.begin() && back < kArrowsBack; ++back) {
      --arrow;
      if (thread(arrow->to) != thread(first)) break;
      if (thread(arrow->from) != thread(first)) return call_around(arrow->from);
    }
    return kNoRow;
  }

  Row thread(Row slice) const { return p_.main_lane(p_.slices.lane[slice]); }

  const Builder& b_;
  const Profile& p_;
};

}  // namespace

void Builder::add_execution(Row slice, const Facts& facts) {
  if (facts[Number::run] == kUnknown) return;
  const Profile& p = profile();
  Execution& execution = executions[facts[Number::run]];
  if (execution.first == kNoRow || p.slices.start[slice] < p.slices.start[execution.first]) execution.first = slice;
  execution.end = std::max(execution.end, p.end_of(slice));
  if (execution.module == StringId::none) execution.module = facts[Text::hlo_module];
}

std::vector<Row> outermost_calls(const Profile& p) {
  std::vector<Row> calls;
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (!is_call(p, slice)) continue;
    Row around = p.slices.parent[slice];
    while (around != kNoRow && !is_call(p, around)) around = p.slices.parent[around];
    if (around == kNoRow) calls.push_back(slice);
  }
  return calls;
}

std::vector<Dispatch> dispatches(const Builder& builder) { return Dispatches(builder).run(); }

}  // namespace sightline::formats::xplane
