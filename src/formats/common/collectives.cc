// complete_collectives: rows for all, then each takes over what the ranges around its launch say.
#include "formats/common/collectives.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_map>

namespace sightline::formats {

namespace {

// Letters and digits in lower case: "ncclDevKernel_All_Gather" and "_allgather_base" become comparable.
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c + 32);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}

// The part of "nccl:all_reduce" or "xccl::barrier" after the library's name.
std::string_view behind_library(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return name;
  name.remove_prefix(colon);
  return name.substr(std::min(name.find_first_not_of(':'), name.size()));
}

// Calls take(item) for the parts of "[a, [b, c], d]" between the commas of the outermost list.
template <typename Take>
void each_item(std::string_view list, Take&& take) {
  if (list.size() < 2) return;
  list = list.substr(1, list.size() - 2);
  int depth = 0;
  bool quoted = false;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c != ',' || depth != 0) continue;
    std::string_view item = list.substr(from, i - from);
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
    if (i < list.size() || !item.empty()) take(item);
    from = i + 1;
  }
}

// The product of "[2, 3]", 1 of "[]"; kUnknown when it holds anything but sizes or overflows.
std::int64_t product(std::string_view shape) {
  std::int64_t elements = 1;
  each_item(shape, [&](std::string_view size) {
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(size.data(), size.data() + size.size(), value);
    const bool whole = error == std::errc() && rest == size.data() + size.size() && value >= 0;
    if (!whole || elements == kUnknown || __builtin_mul_overflow(elements, value, &elements)) elements = kUnknown;
  });
  return elements;
}

std::int64_t times(std::int64_t elements, std::int64_t bytes) {
  std::int64_t all = 0;
  const bool known = elements != kUnknown && elements >= 0 && bytes != kUnknown;
  return known && !__builtin_mul_overflow(elements, bytes, &all) ? all : kUnknown;
}

class Completion {
 public:
  Completion(Profile& profile, const std::vector<HostCommunication>& communication)
      : p_(profile), communication_(communication) {}

  void run() {
    add_rows();
    measure_arguments();
    describe_host_ranges();
    // Outer ranges first: they have lower rows of the same lane, so they are complete when inner ranges copy from them.
    Collectives& c = p_.collectives;
    for (Row i = 0; i < c.rows(); ++i) {
      const Row slice = c.slice[i];
      if (!is_device_work(p_.slices.kind[slice])) take_over_from_ranges(i, p_.slices.parent[slice]);
    }
    for (Row i = 0; i < c.rows(); ++i) {
      if (is_device_work(p_.slices.kind[c.slice[i]])) describe_device_work(i);
    }
  }

 private:
  Row row_of(Row slice) const {
    const auto& slices = p_.collectives.slice;
    const auto at = std::lower_bound(slices.begin(), slices.end(), slice);
    return at != slices.end() && *at == slice ? static_cast<Row>(at - slices.begin()) : kNoRow;
  }

  // Collectives with arguments already have a row.
  void add_rows() {
    Collectives& c = p_.collectives;
    std::vector<Row> wanted(c.slice.begin(), c.slice.end());
    for (const HostCommunication& range : communication_) wanted.push_back(range.slice);
    for (const Row slice : p_.device_work.slice) {
      if (p_.slices.kind[slice] == SliceKind::collective) wanted.push_back(slice);
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    std::vector<Row> had(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) had[i] = row_of(wanted[i]);
    Collectives all;
    copy_rows(c, had, all);
    for (std::size_t i = 0; i < wanted.size(); ++i) all.slice[i] = wanted[i];
    c = std::move(all);
  }

  static void copy_rows(const Collectives& from, const std::vector<Row>& rows, Collectives& to) {
    const auto copy = [&](const auto& source, auto& target, auto unknown) {
      target.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) target[i] = rows[i] == kNoRow || source.empty() ? unknown : source[rows[i]];
    };
    copy(from.slice, to.slice, kNoRow);
    copy(from.kind, to.kind, CollectiveKind::unknown);
    for (auto text :
         {&Collectives::name, &Collectives::group, &Collectives::group_about, &Collectives::group_ranks, &Collectives::dtype}) {
      copy(from.*text, to.*text, StringId::none);
    }
    for (auto number :
         {&Collectives::group_size, &Collectives::in_elements, &Collectives::out_elements, &Collectives::sequence}) {
      copy(from.*number, to.*number, kUnknown);
    }
    to.in_bytes.resize(rows.size());
    to.out_bytes.resize(rows.size());
    std::fill(to.in_bytes.begin(), to.in_bytes.end(), kUnknown);
    std::fill(to.out_bytes.begin(), to.out_bytes.end(), kUnknown);
  }

  void measure_arguments() {
    Collectives& c = p_.collectives;
    for (Row i = 0; i < c.rows(); ++i) {
      if (c.name[i] != StringId::none) c.kind[i] = kind_of(c.name[i]);
      const std::int64_t bytes = c.dtype[i] == StringId::none ? kUnknown : element_bytes(p_.text(c.dtype[i]));
      c.in_bytes[i] = times(c.in_elements[i], bytes);
      c.out_bytes[i] = times(c.out_elements[i], bytes);
    }
  }

  void describe_host_ranges() {
    Collectives& c = p_.collectives;
    for (const HostCommunication& range : communication_) {
      const Row i = row_of(range.slice);
      if (c.name[i] == StringId::none) {
        c.name[i] = p_.strings.intern(behind_library(p_.text(p_.slices.name[range.slice])));
        c.kind[i] = kind_of(c.name[i]);
      }
      if (c.in_bytes[i] != kUnknown) continue;
      const InputSize size = input_size(p_.text(range.shapes), p_.text(range.types));
      if (size.bytes == kUnknown) continue;
      c.in_elements[i] = size.elements;
      c.in_bytes[i] = size.bytes;
      if (!size.type.empty()) c.dtype[i] = p_.strings.intern(size.type);
    }
  }

  void describe_device_work(Row i) {
    const Row slice = p_.collectives.slice[i];
    const auto& work = p_.device_work;
    const auto at = std::lower_bound(work.slice.begin(), work.slice.end(), slice);
    if (at == work.slice.end() || *at != slice) return;
    const auto row = static_cast<std::size_t>(at - work.slice.begin());
    take_over_from_ranges(i, work.owner[row]);
    CollectiveKind& kind = p_.collectives.kind[i];
    if (kind == CollectiveKind::unknown) kind = kind_of(p_.slices.name[slice]);
  }

  // Fills what row i lacks from `range` and the ranges around it that have a row.
  void take_over_from_ranges(Row i, Row range) {
    for (; range != kNoRow; range = p_.slices.parent[range]) {
      if (const Row from = row_of(range); from != kNoRow) take_over(i, from);
    }
  }

  void take_over(Row i, Row from) {
    Collectives& c = p_.collectives;
    if (c.kind[i] == CollectiveKind::unknown) c.kind[i] = c.kind[from];
    for (auto text :
         {&Collectives::name, &Collectives::group, &Collectives::group_about, &Collectives::group_ranks, &Collectives::dtype}) {
      if ((c.*text)[i] == StringId::none) (c.*text)[i] = (c.*text)[from];
    }
    for (auto number : {&Collectives::group_size, &Collectives::in_elements, &Collectives::out_elements, &Collectives::in_bytes,
                        &Collectives::out_bytes, &Collectives::sequence}) {
      if ((c.*number)[i] == kUnknown) (c.*number)[i] = (c.*number)[from];
    }
  }

  CollectiveKind kind_of(StringId name) {
    const auto [known, is_new] = kinds_.try_emplace(name, CollectiveKind::unknown);
    if (is_new) known->second = collective_kind(p_.text(name));
    return known->second;
  }

  Profile& p_;
  const std::vector<HostCommunication>& communication_;
  std::unordered_map<StringId, CollectiveKind> kinds_;
};

}  // namespace

void complete_collectives(Profile& profile, const std::vector<HostCommunication>& communication) {
  Completion(profile, communication).run();
}

CollectiveKind collective_kind(std::string_view text) {
  struct Word {
    std::string_view part;
    CollectiveKind kind;
  };
  // A name may contain several of these: the longer ones first ("reduce_scatter" before "scatter").
  constexpr Word kWords[] = {{"reducescatter", CollectiveKind::reduce_scatter},
                             {"allreduce", CollectiveKind::all_reduce},
                             {"crossdevicereduce", CollectiveKind::all_reduce},
                             {"allgather", CollectiveKind::all_gather},
                             {"alltoall", CollectiveKind::all_to_all},
                             {"broadcast", CollectiveKind::broadcast},
                             {"barrier", CollectiveKind::barrier},
                             {"sendrecv", CollectiveKind::send_receive},
                             {"gather", CollectiveKind::gather},
                             {"scatter", CollectiveKind::scatter},
                             {"send", CollectiveKind::send},
                             {"recv", CollectiveKind::receive},
                             {"reduce", CollectiveKind::reduce}};
  const std::string name = folded(text);
  for (const Word& word : kWords) {
    if (name.find(word.part) != std::string::npos) return word.kind;
  }
  return CollectiveKind::unknown;
}

std::int64_t element_bytes(std::string_view type) {
  struct Size {
    std::string_view type;
    std::int64_t bytes;
  };
  constexpr Size kSizes[] = {
      {"float", 4},          {"double", 8},       {"half", 2},           {"bfloat16", 2},       {"int", 4},
      {"longint", 8},        {"long", 8},         {"shortint", 2},       {"short", 2},          {"char", 1},
      {"signedchar", 1},     {"unsignedchar", 1}, {"byte", 1},           {"bool", 1},           {"float16", 2},
      {"float32", 4},        {"float64", 8},      {"int8", 1},           {"int16", 2},          {"int32", 4},
      {"int64", 8},          {"uint8", 1},        {"uint16", 2},         {"uint32", 4},         {"uint64", 8},
      {"float8e4m3fn", 1},   {"float8e5m2", 1},   {"float8e4m3fnuz", 1}, {"float8e5m2fnuz", 1}, {"complexfloat", 8},
      {"complexdouble", 16}, {"complexhalf", 4},  {"fp16", 2},           {"fp32", 4},           {"fp64", 8},
      {"bf16", 2},           {"bfp16", 2}};
  if (type.starts_with("c10::")) type.remove_prefix(5);
  const std::string name = folded(type);
  for (const Size& size : kSizes) {
    if (name == size.type) return size.bytes;
  }
  return kUnknown;
}

InputSize input_size(std::string_view shapes, std::string_view types) {
  std::vector<std::string_view> type_of;
  each_item(types, [&](std::string_view type) {
    if (type.size() >= 2 && type.front() == '"') type = type.substr(1, type.size() - 2);
    type_of.push_back(type);
  });
  InputSize sum;
  bool one_type = true;
  std::size_t input = 0;
  each_item(shapes, [&](std::string_view shape) {
    const std::string_view type = input < type_of.size() ? type_of[input] : std::string_view{};
    ++input;
    const std::int64_t elements = product(shape);
    const std::int64_t bytes = times(elements, element_bytes(type));
    if (bytes == kUnknown) return;
    one_type &= sum.type.empty() || sum.type == type;
    if (sum.type.empty()) sum.type = type;
    const auto add = [](std::int64_t& to, std::int64_t what) {
      if (to == kUnknown) to = 0;
      if (__builtin_add_overflow(to, what, &to)) to = kUnknown;
    };
    add(sum.elements, elements);
    add(sum.bytes, bytes);
  });
  if (!one_type) sum.type = {};
  return sum;
}

}  // namespace sightline::formats
