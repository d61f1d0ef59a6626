// A mapped file that holds no descriptor.
#pragma once

#include "mill/probe/table_reader.h"

#include <memory>
#include <string>

namespace mill {

/// Like open_file() with FileAccess::map, but the descriptor is closed once the file is mapped: a complete
/// set has more files than a process may hold open. A file that is cut short while it is mapped ends the
/// process (SIGBUS), as with every mapping; tables are replaced by renaming, which is safe. Who must expect
/// otherwise uses FileAccess::read.
std::unique_ptr<ByteSource> map_file(const std::string& path);

} // namespace mill
