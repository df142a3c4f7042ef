// Titles of the columns that msprof records for the AI Cores. Each word of a name has one, and the names follow one pattern. The
// other columns of its tables have names with capitals, "Input Data Types", and get the page's case.
#include <algorithm>
#include <array>
#include <utility>

#include "analyses/ascend/ascend.h"

namespace sightline::analyses {

namespace {

using Word = std::pair<std::string_view, std::string_view>;

constexpr std::array<Word, 5> kFirst{
    {{"aic", "Cube core"}, {"aiv", "Vector core"}, {"aicore", "AI core"}, {"cube", "Cube"}, {"memory", "Memory"}}};

constexpr std::array<Word, 26> kWords{
    {{"mac", "matrix"},  {"vec", "vector"},   {"fixpipe", "FixPipe"}, {"icache", "instruction cache"},
     {"mte1", "MTE1"},   {"mte2", "MTE2"},    {"mte3", "MTE3"},       {"l0a", "L0A"},
     {"l0b", "L0B"},     {"l0c", "L0C"},      {"l1", "L1"},           {"l2", "L2"},
     {"ub", "UB"},       {"gm", "GM"},        {"r0", "R0"},           {"r1", "R1"},
     {"int8", "INT8"},   {"fp16", "FP16"},    {"fp32", "FP32"},       {"int32", "INT32"},
     {"mem", "memory"},  {"bw", "bandwidth"}, {"cflt", "conflict"},   {"fops", "operations"},
     {"ratio", "share"}, {"rate", "rate"}}};

template <std::size_t size>
std::string_view meaning_of(std::string_view word, const std::array<Word, size>& words) {
  const auto known = std::find_if(words.begin(), words.end(), [&](const Word& each) { return each.first == word; });
  return known == words.end() ? std::string_view() : known->second;
}

// "HF32 Eligible" -> "HF32 eligible"; empty where nothing changes.
std::string sentence_case(std::string_view name) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::string title(name);
  for (std::size_t at = title.find(' '); at != title.npos; at = title.find(' ', at)) {
    const std::size_t end = std::min(title.find(' ', ++at), title.size());
    const auto rest = std::string_view(title).substr(at, end - at);
    if (rest.size() > 1 && is_capital(rest[0]) && std::all_of(rest.begin() + 1, rest.end(), is_small)) title[at] += 'a' - 'A';
  }
  return title == name ? "" : title;
}

}  // namespace

std::string ascend_column_title(std::string_view name) {
  if (name.find('_') == name.npos) return sentence_case(name);
  std::string title;
  while (!name.empty()) {
    const std::string_view word = name.substr(0, name.find('_'));
    name.remove_prefix(std::min(word.size() + 1, name.size()));
    const std::string_view meaning = title.empty() ? meaning_of(word, kFirst) : meaning_of(word, kWords);
    if (title.empty() && (meaning.empty() || name.empty())) return "";
    if (!title.empty()) title += ' ';
    title += meaning.empty() ? word : meaning;
  }
  return title;
}

}  // namespace sightline::analyses
