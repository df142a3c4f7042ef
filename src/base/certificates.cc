// Where distributions keep the certificates that they trust.
#include "base/certificates.h"

#include <cstdlib>
#include <filesystem>

namespace sightline::base {

std::string certificate_file() {
  for (const char* name : {"AWS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"}) {
    if (const char* file = std::getenv(name); file != nullptr && *file != '\0') return file;
  }
  for (const char* file : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                           "/etc/ssl/cert.pem"}) {
    std::error_code failed;
    if (std::filesystem::exists(file, failed)) return file;
  }
  return {};
}

}  // namespace sightline::base
