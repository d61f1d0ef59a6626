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

/// Whether a text is UTF-8: no stray bytes, no overlong forms, no surrogates.
inline bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
        const unsigned first = byte(0);
        const std::size_t length = first < 0x80                    ? 1
                                   : first >= 0xc2 && first < 0xe0 ? 2
                                   : first >= 0xe0 && first < 0xf0 ? 3
                                   : first >= 0xf0 && first < 0xf5 ? 4
                                                                   : 0;
        if (length == 0 || text.size() - at < length) return false;
        unsigned point = length == 1 ? first : first & (0x7fU >> length);
        for (std::size_t i = 1; i < length; ++i) {
            if (byte(i) >> 6 != 2) return false;
            point = point << 6 | (byte(i) & 0x3fU);
        }
        constexpr unsigned kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
        if (point < kLeast[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return false;
        at += length;
    }
    return true;
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
