// sightline tables: every table and column of a profile, as markdown (docs/formats/tables.md).
#include "cli/command.h"
#include "model/shared_tables.h"

namespace sightline::cli {

void add_tables_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("tables", "Document every table and column of a profile, in markdown");
  command->callback([&run] { run = [] { return write_out(tables_markdown()); }; });
}

}  // namespace sightline::cli
