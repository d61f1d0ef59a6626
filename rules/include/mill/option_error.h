// What both programs say of command lines that Boost.Program_options refuses.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace mill {

/// The message of an error in `arguments`. Boost fills in placeholders such as %value% when asked for its message, and
/// never ends if what it fills in holds one itself; so it is not asked where an argument could.
inline std::string option_error(const std::exception& error, const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments)
        if (argument.find('%') != std::string::npos)
            return "options: one of them is unknown, lacks its value or cannot take it";
    return error.what();
}

} // namespace mill
