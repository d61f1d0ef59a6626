#include "probe/tables/small_file.h"

#include "probe/format/table_reader.h"
#include "rules/error.h"

namespace mill {

std::string read_small_file(const std::string& path, std::uint64_t longest) {
    const auto file = open_file(path, FileAccess::read);
    if (file->size() > longest)
        throw Error(ErrorCode::corrupt_table, "it has " + std::to_string(file->size()) +
                                                  " bytes, expected at most " + std::to_string(longest));
    std::string text(file->size(), '\0');
    file->read(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    return text;
}

} // namespace mill
