// fmt as a static library, from its headers: Debian has the shared library only.
#include <fmt/format-inl.h>

namespace fmt {
inline namespace v9 {
namespace detail {

template class buffer<char>;
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);

}  // namespace detail
}  // namespace v9
}  // namespace fmt
