# Puts the table of devices (src/analyses/peaks/device_peaks.txt) into the program; the interface is device_peaks.h beside it.
set(peaks_file ${PROJECT_SOURCE_DIR}/src/analyses/peaks/device_peaks.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${peaks_file})
file(READ ${peaks_file} peaks_text)
set(peaks_source ${PROJECT_BINARY_DIR}/device_peaks/known_devices.cc)
file(CONFIGURE OUTPUT ${peaks_source} @ONLY CONTENT [[
#include "analyses/peaks/device_peaks.h"

namespace sightline::analyses {

std::string_view known_devices() { return R"sightline(@peaks_text@)sightline"; }

}  // namespace sightline::analyses
]])
