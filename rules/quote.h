// Foreign text inside messages: quoted, printable and of bounded length.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace mill {

inline std::string quote(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string out = "'";
    for (const char c : text.substr(0, longest)) out += c >= ' ' && c <= '~' ? c : '?';
    if (text.size() > longest) out += "...";
    return out + "'";
}

/// A whole text of one to nine digits; nothing else (no sign, no space).
inline std::optional<int> parse_number(std::string_view text) {
    if (text.empty() || text.size() > 9) return std::nullopt;
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
    if (text[0] == '-') return std::nullopt;
    return value;
}

} // namespace mill
