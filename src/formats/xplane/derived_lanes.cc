// A derived slice reaches from the first to the last of consecutive pieces of work with the same value, in one execution of a
// module. The range of the host around the launch tells executions apart: the same module run twice is two slices.
#include "base/sort.h"
#include "formats/xplane/builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

namespace sightline::formats::xplane {

namespace {

// One piece of work on a stream, with the values that lanes show.
struct Piece {
  Time start, end;
  std::int64_t source;
  Row program_operator, owner, execution;
};

// What must be equal for a piece to extend the slice before it.
using Key = std::array<Row, 3>;

// Consecutive pieces of one key become one slice.
class Run {
 public:
  // Whether it begins a slice, or ends one without beginning another: a piece without a name is in no slice.
  bool add(const Piece& piece, StringId name, const Key& key) {
    if (open_ && key == key_) {
      NewSlice& last = slices_.back();
      last.duration = std::max(last.duration, piece.end - last.start);
      return false;
    }
    key_ = key;
    open_ = name != StringId::none;
    if (open_) slices_.push_back({piece.start, piece.end - piece.start, name, SliceKind::device_annotation, piece.source});
    return true;
  }
  void stop() { open_ = false; }
  const std::vector<NewSlice>& slices() const { return slices_; }

 private:
  bool open_ = false;
  Key key_{};
  std::vector<NewSlice> slices_;
};

// The names of an operator on the derived lanes, from the framework's path: "jit(f)/while/dot_general:" is inside the scopes
// jit(f) and while. Its type follows the colon, if there is one.
struct FrameworkNames {
  StringId path, leaf;
  std::vector<StringId> scopes;  // from the outermost
};

FrameworkNames framework_names(StringPool& strings, std::string path) {
  if (path.ends_with(':')) path.pop_back();
  const std::size_t leaf = path.rfind('/');
  FrameworkNames names{strings.intern(path), strings.intern(path.substr(leaf == std::string::npos ? 0 : leaf + 1)), {}};
  std::string_view above = leaf == std::string::npos ? std::string_view() : std::string_view(path).substr(0, leaf);
  while (!above.empty()) {
    const std::string_view part = above.substr(0, above.find('/'));
    above.remove_prefix(std::min(above.size(), part.size() + 1));
    names.scopes.push_back(strings.intern(part));
  }
  return names;
}

// The levels of scopes: each is a separate run, which ends when one above it does.
class Scopes {
 public:
  void add(const Piece& piece, const std::vector<StringId>& scopes) {
    if (levels_.size() < scopes.size()) levels_.resize(scopes.size());
    bool anew = false;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      if (anew || level >= scopes.size()) levels_[level].stop();
      if (level < scopes.size())
        anew = levels_[level].add(piece, scopes[level], {piece.execution, static_cast<Row>(scopes[level]), 0}) || anew;
    }
  }

  // Outer ones first, so that equal ones nest in that order.
  std::vector<NewSlice> slices() const {
    std::vector<NewSlice> all;
    for (const Run& level : levels_) all.insert(all.end(), level.slices().begin(), level.slices().end());
    return all;
  }

 private:
  std::vector<Run> levels_;
};

class Derived {
 public:
  explicit Derived(Builder& builder) : b_(builder), p_(builder.profile()) {}

  // The rows of a stream are together, followed by those of its overflow lanes, so only one stream at a time is in memory.
  void run() {
    const std::map<std::int64_t, std::set<Row>> streams = streams_of_devices();
    if (streams.empty()) return;
    make_room();
    Row stream = kNoRow;
    std::vector<Piece> pieces;
    const auto end_stream = [&] {
      if (pieces.empty()) return;
      sort_up(pieces, &Piece::start);
      add_lanes(stream, pieces, streams.at(p_.lanes.device[stream]).size() > 1);
      pieces.clear();
    };
    each_work([&](std::size_t i, std::size_t work) {
      const Row slice = p_.program_work.slice[i];
      const Row of = p_.main_lane(p_.slices.lane[slice]);
      if (of != stream) end_stream();
      stream = of;
      const Row owner = p_.device_work.owner[work];
      pieces.push_back({p_.slices.start[slice], p_.end_of(slice), p_.slices.source[slice], p_.program_work.program_operator[i],
                        owner, execution_of(owner)});
    });
    end_stream();
    p_.slices.for_each_column([](const ColumnInfo&, auto& column) { column.shrink_to_fit(); });
  }

 private:
  // There may be more derived slices than others. To grow a column later would copy it, and undo the sharing.
  void make_room() {
    constexpr std::size_t kLanes = 4, kMostRoom = 4;  // lanes: besides one for each scope
    std::vector<std::size_t> most_of;                 // slices of one execution, by operator
    for (const StringId path : p_.program_operators.framework_operator) {
      const std::string_view text = p_.text(path);
      most_of.push_back(kLanes + static_cast<std::size_t>(std::count(text.begin(), text.end(), '/')));
    }
    std::size_t most = p_.slices.rows();
    each_work([&](std::size_t i, std::size_t) { most += most_of[p_.program_work.program_operator[i]]; });
    most = std::min(most, kMostRoom * p_.slices.rows());  // consecutive pieces become one slice, so few profiles need more
    p_.slices.for_each_column([&](const ColumnInfo&, auto& column) { column.reserve(most); });
    Profile::visit_tables(p_, [](auto& table) { share_repeated(table); });
    shared_ = p_.slices.rows();
  }

  // The rows of one lane alone may be too few for a run.
  void share_new_slices() {
    constexpr std::size_t kLeast = std::size_t{1} << 20;  // rows
    if (p_.slices.rows() - shared_ < kLeast) return;
    share_repeated(p_.slices, shared_);
    shared_ = p_.slices.rows();
  }

  // Calls visit(i, work) for the rows of program_work that are of device work.
  template <typename Visit>
  void each_work(Visit&& visit) const {
    const DeviceWork& work = p_.device_work;
    std::size_t at = 0;
    for (std::size_t i = 0; i < p_.program_work.rows(); ++i) {
      const Row slice = p_.program_work.slice[i];
      while (at < work.rows() && work.slice[at] < slice) ++at;
      if (at == work.rows()) return;
      if (work.slice[at] == slice) visit(i, at);
    }
  }

  std::map<std::int64_t, std::set<Row>> streams_of_devices() const {
    std::map<std::int64_t, std::set<Row>> streams;
    Row last = kNoRow;
    each_work([&](std::size_t i, std::size_t) {
      const Row lane = p_.slices.lane[p_.program_work.slice[i]];
      if (lane == last) return;
      last = lane;
      streams[p_.lanes.device[p_.main_lane(lane)]].insert(p_.main_lane(lane));
    });
    return streams;
  }

  // The range around the launching one, or that one itself if it is outermost.
  Row execution_of(Row owner) const {
    if (owner == kNoRow || p_.slices.kind[owner] != SliceKind::op) return owner;
    return p_.slices.parent[owner] == kNoRow ? owner : p_.slices.parent[owner];
  }

  void add_lanes(Row stream, const std::vector<Piece>& pieces, bool several) {
    const ProgramOperators& operators = p_.program_operators;
    Run modules, hlo, framework, source;
    Scopes scopes;
    for (const Piece& piece : pieces) {
      const Row row = piece.program_operator;
      const auto key = [&](StringId name) { return Key{piece.execution, static_cast<Row>(name), 0}; };
      modules.add(piece, operators.program[row], key(operators.program_id[row]));
      hlo.add(piece, operators.name[row], {piece.execution, row, piece.owner});
      const FrameworkNames& names = names_of(row);
      scopes.add(piece, names.scopes);
      framework.add(piece, names.leaf, key(names.path));
      source.add(piece, operators.source[row], key(operators.source[row]));
    }
    // The units of a TPU have their own lanes for modules and operators.
    const bool own = p_.lanes.kind[stream] == LaneKind::engine;
    const std::string of = several ? fmt::format(" - {}", p_.text(p_.lanes.name[stream])) : "";
    if (!own) add_lane(stream, "XLA Modules" + of, modules.slices());
    if (!own) add_lane(stream, "XLA Ops" + of, hlo.slices());
    add_lane(stream, "Framework Name Scope" + of, scopes.slices());
    add_lane(stream, "Framework Ops" + of, framework.slices());
    add_lane(stream, "Source code" + of, source.slices());
  }

  void add_lane(Row stream, const std::string& name, const std::vector<NewSlice>& slices) {
    if (slices.empty()) return;
    const std::string track = fmt::format("derived {} {}", p_.text(p_.lanes.track[stream]), name);
    b_.add_lane({LaneKind::other, p_.lanes.process[stream], p_.lanes.device[stream], track, name}, slices,
                [](std::size_t, Row) {});
    share_new_slices();
  }

  const FrameworkNames& names_of(Row program_operator) {
    const auto [known, is_new] = names_.try_emplace(program_operator);
    if (is_new)
      known->second =
          framework_names(p_.strings, std::string(p_.text(p_.program_operators.framework_operator[program_operator])));
    return known->second;
  }

  Builder& b_;
  Profile& p_;
  std::unordered_map<Row, FrameworkNames> names_;  // by row of program_operators
  std::size_t shared_ = 0;                         // rows of slices whose repeated values share their memory
};

}  // namespace

void add_derived_lanes(Builder& builder) { Derived(builder).run(); }

}  // namespace sightline::formats::xplane
