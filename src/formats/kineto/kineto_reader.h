// Reader of PyTorch (Kineto) traces and of other Chrome traces: JSON or gzipped JSON, by content.
// docs/formats/pytorch.md says what is read and how damage is treated.
#pragma once

#include "formats/reader.h"

namespace sightline::formats {

Reader kineto_reader();

}  // namespace sightline::formats
