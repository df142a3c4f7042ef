// What of a table's declaration has no types of rows, and the texts of a column whose values are StringIds.
#include "model/table_of.h"

namespace sightline::model {

void TableDeclaration::put(ReportColumn&& column, Filler&& filler) {
  table_.columns.push_back(std::move(column));
  fillers_.push_back(std::move(filler));
}

void show_texts(Cells& cells, const Profile& profile) {
  const Cells::Integers& ids = std::get<Cells::Integers>(cells.storage());
  WordCells texts;
  texts.word.reserve(ids.size());
  if (ids.size() < profile.strings.size() / 16) {
    for (const std::int64_t id : ids) texts.add(profile.text(static_cast<StringId>(id)));
  } else {
    std::vector<std::uint32_t> word_of(profile.strings.size(), WordCells::kNone);
    for (const std::int64_t id : ids) {
      std::uint32_t& word = word_of[static_cast<std::size_t>(id)];
      if (word == WordCells::kNone && static_cast<StringId>(id) != StringId::none) {
        word = texts.add_word(profile.text(static_cast<StringId>(id)));
      }
      texts.word.push_back(word);
    }
  }
  cells = Cells(std::move(texts));
}

}  // namespace sightline::model
