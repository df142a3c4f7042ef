#include "server/loss_route.h"

#include <optional>
#include <vector>

#include "analyses/losses/loss_comparison.h"
#include "base/text.h"

namespace sightline::server {

namespace {

constexpr std::size_t kLongestField = 1000;

// Takes the parts of the form one after the other.
class LossForm {
 public:
  void begin(const std::string& name, const std::string& file_name) {
    end_part();
    field_ = name;
    text_.clear();
    if (name == "log") reader_.emplace(file_name, tags_);
  }

  void add(std::string_view bytes) {
    if (reader_) {
      reader_->add(bytes);
    } else {
      text_.append(bytes.substr(0, kLongestField - std::min(kLongestField, text_.size())));
    }
  }

  Result<Report> report() {
    end_part();
    const Result<std::size_t> base = number_of_log("base", base_), compared = number_of_log("compared", compared_);
    if (!base) return base.error();
    if (!compared) return compared.error();
    return loss_report(logs_, *base, *compared);
  }

 private:
  void end_part() {
    if (reader_) logs_.push_back(reader_->finish());
    reader_.reset();
    if (field_ == "loss_tag") tags_.loss = text_;
    if (field_ == "iteration_tag") tags_.iteration = text_;
    if (field_ == "base") base_ = text_;
    if (field_ == "compared") compared_ = text_;
    field_.clear();
  }

  static Result<std::size_t> number_of_log(const std::string& field, const std::string& text) {
    const std::optional<std::int64_t> number = whole_number<std::int64_t>(text);
    if (number && *number > 0) return static_cast<std::size_t>(*number - 1);
    return Error{ErrorCode::invalid_argument, field + " must be the number of a log, from 1, not '" + text + "'", ""};
  }

  LossTags tags_;
  std::vector<LossLog> logs_;
  std::optional<LossLogReader> reader_;
  std::string field_, text_, base_ = "1", compared_ = "2";
};

}  // namespace

Result<Report> losses_answer(const Request& request) {
  if (!request.form)
    return Error{ErrorCode::invalid_argument, "send the logs as a form (multipart/form-data) with files named log", ""};
  LossForm form;
  const bool whole = request.form([&](const std::string& name, const std::string& file) { form.begin(name, file); },
                                  [&](std::string_view bytes) { form.add(bytes); });
  if (!whole) return Error{ErrorCode::invalid_argument, "the form with the logs ended too early, or is larger than 1 GiB", ""};
  return form.report();
}

}  // namespace sightline::server
