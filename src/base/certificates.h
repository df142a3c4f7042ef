// Where this machine keeps the certificates that it trusts.
#pragma once

#include <string>

#include "base/layers.h"

namespace sightline::base {

// A file of trusted certificates: the one that the environment names, else the distribution's; empty when there is neither.
// OpenSSL's own default is the folder of the distribution that built it.
std::string certificate_file();

}  // namespace sightline::base
