// The web page's files, compiled into the program (cmake/web_assets.cmake writes the definition).
// Each is stored gzip-compressed: the server sends the bytes as they are when the client accepts gzip,
// and inflates them otherwise. `path` is relative to the page's root and has no leading slash
// ("index.html", "assets/index-1a2b3c.js"). The views live as long as the program; any thread may read.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sightline::server {

struct WebAsset {
  std::string_view path;
  std::string_view content_type;
  std::string_view etag;  // quoted, as it is sent
  std::span<const std::byte> gzip;
};

// Sorted by path; always holds "index.html".
std::span<const WebAsset> web_assets();

}  // namespace sightline::server
