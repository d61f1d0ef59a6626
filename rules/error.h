// Typed errors of all rooms. Library code throws Error and nothing else of its own; the C interface
// turns it into an integer, the programs into an exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace mill {

/// Why an operation failed. The values are stable: the C interface returns them (negated there).
enum class ErrorCode {
    ok = 0,
    bad_ruleset = 1,        ///< unknown preset, unknown key or value outside what is allowed
    bad_position = 2,       ///< position text that does not parse
    illegal_position = 3,   ///< parses, but no such position can exist under the ruleset
    bad_turn = 4,           ///< turn text that does not parse
    illegal_turn = 5,       ///< parses, but is not legal in the position
    missing_table = 6,      ///< no table for a subspace that the answer needs
    wrong_fingerprint = 7,  ///< a table that belongs to another ruleset
    corrupt_table = 8,      ///< checksum, size or structure of a table file is wrong
    unsupported_format = 9, ///< a format version this build does not read
    io = 10,                ///< the operating system refused a read or write
    out_of_memory = 11,     ///< allocation failed or a budget is too small
    bad_argument = 12,      ///< a parameter outside its documented range
    not_cached = 13,        ///< a soft probe would have had to read
    aborted = 14,           ///< a callback asked to stop
    locked = 15,            ///< another process works on the same subspace
    internal = 16,          ///< a broken invariant: please report
};

/// The one exception type. what() names what was found and what was expected.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

} // namespace mill
