// What the vendor's tables say of an operator of the compiled program: a line of HLO text, and its attributes.
#pragma once

#include <string>
#include <string_view>

namespace sightline::formats::neuron {

// Parts of "%dot.3 = f32[128,304]{1,0} dot(%p0, %p1)". Text of another form is the name, whole.
struct HloLine {
  std::string_view name, shape, opcode;
};
HloLine hlo_line(std::string_view text);

// Of [{"op_type": "aten__mm", "source_file": "model.py", "source_line": "7"}]: the first that is not empty of each; a fused
// operator has several.
struct HloAttributes {
  std::string operation;
  std::string source;  // file:line
};
HloAttributes hlo_attributes(std::string_view json);

}  // namespace sightline::formats::neuron
