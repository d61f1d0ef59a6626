// The presets that are compiled in, as INI text.
#pragma once

#include <string_view>
#include <vector>

namespace mill {

struct Preset {
    std::string_view name;
    std::string_view ini;
};

/// In the order in which they are listed to people.
const std::vector<Preset>& presets();

} // namespace mill
