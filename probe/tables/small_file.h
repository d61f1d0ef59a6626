// Whole small files that come along with tables, and from as far away: manifests.
#pragma once

#include <cstdint>
#include <string>

namespace mill {

/// No manifest is longer: the largest games have some 8000 tables, of 200 bytes each there.
inline constexpr std::uint64_t kLongestManifest = 8 << 20;

/// The bytes of a regular file. Throws Error(missing_table) if there is none, Error(io), and Error(corrupt_table)
/// if it has more than `longest` bytes, before it takes memory for them.
std::string read_small_file(const std::string& path, std::uint64_t longest);

} // namespace mill
