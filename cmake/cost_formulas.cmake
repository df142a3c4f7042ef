# Puts the table of cost formulas (src/analyses/costs/operators.costs; the interface is cost_model.h beside it) and the program
# that reproduces an operator (reproduce.py; reproduce.h) into the program.
set(cost_folder ${PROJECT_SOURCE_DIR}/src/analyses/costs)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cost_folder}/operators.costs ${cost_folder}/reproduce.py)
file(READ ${cost_folder}/operators.costs cost_text)
file(READ ${cost_folder}/reproduce.py reproduction_text)
set(cost_source ${PROJECT_BINARY_DIR}/cost_formulas/built_in_formulas.cc)
file(CONFIGURE OUTPUT ${cost_source} @ONLY CONTENT [[
#include "analyses/costs/cost_model.h"
#include "analyses/costs/reproduce.h"

namespace sightline::analyses {

std::string_view built_in_formulas() { return R"sightline(@cost_text@)sightline"; }

std::string_view reproduction_template() { return R"sightline(@reproduction_text@)sightline"; }

}  // namespace sightline::analyses
]])
