// Each name is looked at once; the way from a range outwards is remembered.
#include "analyses/serving/work_parts.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>

#include "base/fields.h"

namespace sightline::analyses {

namespace {

constexpr WorkPartInfo kParts[] = {
    {"attention", "Attention", "kernel", "attention, and writing its cache"},
    {"products", "Products and experts", "runtime", "products of matrices, and mixtures of experts with their routing"},
    {"norms", "Norms and elementwise", "dataloader",
     "normalization, activations, positions, quantization and other work on single elements"},
    {"sampling", "Sampling", "memset", "choosing the next tokens"},
    {"other", "Other kernels", "other", "kernels of which neither the name nor the operator tells what they do"},
    {"communication", "Communication", "communication", "collectives, as far as nothing above runs at the same time"},
    {"copies", "Copies", "memcpy", "copies and fills, as far as nothing above runs at the same time"}};
static_assert(std::size(kParts) == kWorkParts);

// ---- what a name says ----

enum Sign : std::uint8_t {
  kAttention = 1,
  kProduct = 2,
  kExperts = 4,
  kSampler = 8,
  kChoice = 16,
  kElements = 32,
  kCollective = 64
};

struct SignWord {
  std::string_view word;  // of a name in lower case
  Sign sign;
};

constexpr SignWord kWords[] = {{"attention", kAttention},
                               {"attn", kAttention},
                               {"mha", kAttention},
                               {"_mla", kAttention},
                               {"mla_", kAttention},
                               {"flash_fwd", kAttention},
                               {"flash::", kAttention},
                               {"fmha", kAttention},
                               {"reshape_and_cache", kAttention},
                               {"kv_cache", kAttention},
                               {"kvcache", kAttention},
                               {"cache_kernel", kAttention},
                               {"gemm", kProduct},
                               {"matmul", kProduct},
                               {"::mm", kProduct},
                               {"addmm", kProduct},
                               {"::bmm", kProduct},
                               {"linear", kProduct},
                               {"gemv", kProduct},
                               {"splitk", kProduct},
                               {"conv2d", kProduct},
                               {"convolution", kProduct},
                               {"moe", kExperts},
                               {"expert", kExperts},
                               {"routing", kExperts},
                               {"sorttokens", kExperts},
                               {"topk", kChoice},
                               {"top_k", kChoice},
                               {"sampl", kSampler},
                               {"logitsprocessor", kSampler},
                               {"argmax", kChoice},
                               {"multinomial", kSampler},
                               {"penalt", kSampler},
                               {"top_p", kSampler},
                               {"min_p", kSampler},
                               {"cumsum", kChoice},
                               {"sort", kChoice},
                               {"norm", kElements},
                               {"elementwise", kElements},
                               {"silu", kElements},
                               {"gelu", kElements},
                               {"swiglu", kElements},
                               {"act_and_mul", kElements},
                               {"rotary", kElements},
                               {"rope", kElements},
                               {"triton_poi", kElements},
                               {"triton_red", kElements},
                               {"triton_per", kElements},
                               {"quant", kElements},
                               {"embedding", kElements},
                               {"::copy_", kElements},
                               {"::add", kElements},
                               {"::sub", kElements},
                               {"::mul", kElements},
                               {"::div", kElements},
                               {"::index", kElements},
                               {"::cat", kElements},
                               {"::fill", kElements},
                               {"::where", kElements},
                               {"::pow", kElements},
                               {"reduce_kernel", kElements},
                               {"gather", kElements},
                               {"softmax", kElements},
                               {"allreduce", kCollective},
                               {"all_reduce", kCollective},
                               {"cross_device_reduce", kCollective},
                               {"reduce_scatter", kCollective},
                               {"all_gather", kCollective},
                               {"alltoall", kCollective}};

std::uint8_t signs_of(std::string_view name) {
  const std::string lower = lower_case(name);
  std::uint8_t signs = 0;
  for (const SignWord& each : kWords) {
    if (lower.find(each.word) != std::string::npos) signs |= each.sign;
  }
  return signs;
}

class Classifier {
 public:
  explicit Classifier(const Profile& profile) : p_(profile) {}

  WorkPart part_of(Row work) {
    const Row slice = p_.device_work.slice[work];
    switch (p_.slices.kind[slice]) {
      case SliceKind::collective: return WorkPart::communication;
      case SliceKind::memcpy:
      case SliceKind::memset: return WorkPart::copies;
      default: break;
    }
    const std::uint8_t kernel = signs(p_.slices.name[slice]);
    const Around around = this->around(p_.device_work.owner[work]);
    if (kernel & kCollective) return WorkPart::communication;
    if ((kernel | around.operators) & kAttention) return WorkPart::attention;
    const bool matrix = p_.device_work.core_type[work] == CoreType::matrix;
    if (matrix || ((kernel | around.operators) & (kProduct | kExperts))) return WorkPart::products;
    if (around.in_sampler || ((kernel | around.operators) & kSampler)) return WorkPart::sampling;
    if ((kernel | around.operators) & kChoice) return around.in_experts ? WorkPart::products : WorkPart::sampling;
    if ((kernel | around.operators) & kElements) return WorkPart::norms;
    return WorkPart::other;
  }

 private:
  // What the ranges from a slice outwards say.
  struct Around {
    std::uint8_t operators = 0;  // signs of operators
    bool in_sampler = false, in_experts = false;
  };

  std::uint8_t signs(StringId name) {
    const auto [known, is_new] = signs_.try_emplace(name, 0);
    if (is_new) known->second = signs_of(p_.text(name));
    return known->second;
  }

  Around around(Row slice) {
    path_.clear();
    Around found;
    for (; slice != kNoRow; slice = p_.slices.parent[slice]) {
      if (const auto known = around_.find(slice); known != around_.end()) {
        found = known->second;
        break;
      }
      path_.push_back(slice);
    }
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      add_range(found, *at);
      around_.emplace(*at, found);
    }
    return found;
  }

  void add_range(Around& found, Row slice) {
    const std::uint8_t own = signs(p_.slices.name[slice]);
    const SliceKind kind = p_.slices.kind[slice];
    const bool is_module = kind == SliceKind::module;
    if (kind == SliceKind::op) found.operators |= own;
    if (is_module || kind == SliceKind::annotation) found.in_sampler |= (own & kSampler) != 0;
    if (is_module || kind == SliceKind::op || kind == SliceKind::python) found.in_experts |= (own & kExperts) != 0;
  }

  const Profile& p_;
  std::unordered_map<StringId, std::uint8_t> signs_;
  std::unordered_map<Row, Around> around_;
  std::vector<Row> path_;
};

}  // namespace

const WorkPartInfo& info_of(WorkPart part) { return kParts[static_cast<std::size_t>(part)]; }

std::vector<WorkPart> parts_of_work(const Profile& profile) {
  Classifier classifier(profile);
  std::vector<WorkPart> parts;
  parts.reserve(profile.device_work.rows());
  for (Row work = 0; work < profile.device_work.rows(); ++work) parts.push_back(classifier.part_of(work));
  return parts;
}

}  // namespace sightline::analyses
