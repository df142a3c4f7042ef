// The namespaces of the layers, one for each folder of src/. A layer sees
// only the names of the layers below it, in the order that tools/check_layers
// checks for includes. Two layers may use one name for different things.
#pragma once

namespace sightline::base {}

namespace sightline::model {
using namespace base;
}

namespace sightline::formats {
using namespace model;
}

namespace sightline::analyses {
using namespace model;
}

namespace sightline::timeline {
using namespace model;
}

namespace sightline::store {
using namespace model;
}

namespace sightline::sql {
using namespace model;
}

namespace sightline::capture {
using namespace model;
}

namespace sightline::engine {
using namespace formats;
using namespace analyses;
using namespace timeline;
using namespace store;
using namespace sql;
using namespace capture;
}  // namespace sightline::engine

namespace sightline::output {
using namespace engine;
}

namespace sightline::agent {
using namespace output;
}

namespace sightline::server {
using namespace agent;
}

namespace sightline::fleet {
using namespace output;
}

namespace sightline::cli {
using namespace server;
using namespace fleet;
}  // namespace sightline::cli

namespace sightline::tests {
using namespace cli;
}

namespace sightline::benches {
using namespace tests;
}
