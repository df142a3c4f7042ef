// What one device did, summed over a profile: its engines, its copies, and what the work cost. The metrics of the device summary
// and the advice about programs of a device are based on these. Times are ns, with fractions where the file states them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- the sums ----

// One engine, or one stream: the lanes of one track.
struct EngineTotals {
  std::string name;               // its track
  std::string title;              // its display name
  bool is_engine = false;         // else a stream
  bool matrix = false;            // some of its work ran on matrix units
  std::int64_t instructions = 0;  // work and waits
  double time = 0;                // sum of the work's lengths, ns; as are all times below
  double active = 0;              // its union
  std::int64_t by_hand = 0;       // instructions of kernels that were written by hand
};

// Copies of one queue, or of one type of queue.
struct CopyTotals {
  std::string name, type;
  std::int64_t count = 0, bytes = 0;  // known bytes
  std::int64_t without_bytes = 0;     // number of copies without known bytes
  double time = 0, active = 0;

  double known_bytes() const;  // NaN unless they are known of all
};

struct DeviceTotals {
  std::int64_t device = kUnknown;  // ordinal
  std::string name;                // product, or empty

  Time recording = 0;            // length of the profile
  double total = kUnknownReal;   // ns: how long the program ran, else the recording
  bool total_is_summed = false;  // by the file's own summary
  std::string total_source;      // where that comes from
  double active = 0;             // union of all work and copies
  std::vector<EngineTotals> engines;
  bool has_engines() const;  // else they are streams
  double computing = 0;      // union of kernels, collectives left out

  std::vector<CopyTotals> queues;  // by lane
  std::vector<CopyTotals> types;   // by type of queue
  CopyTotals copies;               // all of them
  CopyTotals fills;                // which are not copies
  CopyTotals dynamic_copies;       // of queues that are filled while the program runs: those with a type that contains "dynamic"
  CopyTotals fixed_copies;         // of all others
  std::int64_t transfers = 0;      // that copies are parts of, if the file states it
  double transfer_time = 0;
  double transfer_bytes = kUnknownReal;  // NaN unless the file states it of all
  CopyTotals collectives;                // on the device; their bytes are not summed
  std::int64_t needful_copies = 0;       // copies that carry data: longer than 4 bytes, and no instructions
  std::int64_t needful_bytes = 0;        // of those
  std::int64_t small_copies = 0;         // of those, under 512 bytes

  // Of work other than copies; NaN if unknown.
  double flops = kUnknownReal, transpose_flops = kUnknownReal, model_flops = kUnknownReal;
  double scaled_flops = kUnknownReal, scaled_transpose_flops = kUnknownReal;  // as with 16-bit elements; NaN unless known of all
  std::int64_t activations = 0;                                               // work that applies a function to each element
  double activation_time = 0;
  std::int64_t with_flops = 0;       // work with known FLOPs above 0
  std::int64_t matrix_products = 0;  // of these; kUnknown if some are unknown
  double bytes_read = kUnknownReal, bytes_written = kUnknownReal, bytes_moved = kUnknownReal;  // of device memory
  std::map<std::string, double, std::less<>> stated_bytes;                                     // facts named ..._bytes, summed

  double tensors_in = kUnknownReal, tensors_out = kUnknownReal, weights = kUnknownReal;  // bytes

  double clock = kUnknownReal, peak_flops = kUnknownReal, peak_bandwidth = kUnknownReal;
  double copy_bandwidth = kUnknownReal;  // of the copy engines; else that of the memory
  std::string peak_source;
};

// Ordinals of devices that did work, ascending; kUnknown represents one of unknown number.
std::vector<std::int64_t> devices_with_work(const Profile& profile);

// The device of that number; if none is given, the first that computed, else the first that did any work. An error that names
// those that did work otherwise.
Result<std::int64_t> chosen_device(const Profile& profile, const std::string& given);

DeviceTotals device_totals(const Profile& profile, std::int64_t device);

// The number that a member of the file holds, or NaN.
double stated_number(const Profile& profile, std::string_view key);

}  // namespace sightline::analyses
