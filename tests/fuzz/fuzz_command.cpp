// libFuzzer target: command lines of both programs. Each line of the input is one argument, the first one names
// the program; what follows a zero byte is standard input. Whatever the arguments are, they are read or refused
// with a message. What was asked for is also done, unless that may take long or write files.
#include "builder/cli/commands.h"
#include "builder/cli/options.h"
#include "probe/cli/commands.h"
#include "probe/cli/common.h"
#include "rules/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <streambuf>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace {

using Arguments = std::vector<std::string>;

/// The current directory is an empty one for a while: names of files and tables lead nowhere. Whoever runs this
/// keeps the own directory, since libFuzzer's paths are relative to it.
class EmptyDirectory {
public:
    EmptyDirectory() {
        std::string path = (std::filesystem::temp_directory_path() / "fuzz_command-XXXXXX").string();
        if (!mkdtemp(path.data())) std::abort();
        empty_ = ::open(path.c_str(), O_DIRECTORY | O_CLOEXEC);
        home_ = ::open(".", O_DIRECTORY | O_CLOEXEC);
        ::rmdir(path.c_str()); // nothing can be made in a directory that is gone
        if (empty_ < 0 || home_ < 0) std::abort();
    }
    void enter() const { change_to(empty_); }
    void leave() const { change_to(home_); }

private:
    static void change_to(int directory) {
        if (::fchdir(directory) != 0) std::abort();
    }
    int empty_ = -1, home_ = -1;
};

/// Takes what the programs say to nobody.
class Nowhere : public std::streambuf {
    int_type overflow(int_type c) override { return traits_type::not_eof(c); }
    std::streamsize xsputn(const char*, std::streamsize n) override { return n; }
};

/// Commands that compute or write; of these only the reading is tried. `fuzz_text` counts turns as perft does.
bool takes_long(const Arguments& arguments) {
    constexpr std::string_view kLong[] = {"build", "repack", "verify", "bench", "signature", "perft"};
    return !arguments.empty() &&
           std::find(std::begin(kLong), std::end(kLong), arguments[0]) != std::end(kLong);
}

/// Devices may have no end, and pipes wait for a writer.
bool leads_outside(const Arguments& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](const std::string& a) {
        return a.find("dev/") != std::string::npos || a.find("..") != std::string::npos;
    });
}

void try_command(const mill::cli::Program& program, const Arguments& arguments) {
    try {
        const mill::cli::Work work = read_command_line(program, arguments);
        if (!takes_long(arguments)) work();
    } catch (const mill::cli::UsageError&) {
    } catch (const mill::Error& e) {
        if (e.code() == mill::ErrorCode::internal) throw;
    } catch (const std::system_error&) { // the name of a file that cannot be
    }
    // Anything else would be a word about the program and not about its arguments.
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const EmptyDirectory directory;
    static Nowhere nowhere;
    static const bool silent = std::freopen("/dev/null", "w", stdout) != nullptr;
    if (!silent) std::abort();
    std::cout.rdbuf(&nowhere);
    std::cerr.rdbuf(&nowhere);

    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = std::min(input.find('\0'), input.size());
    std::stringbuf in(std::string(input.substr(std::min(zero + 1, input.size()))));
    std::cin.rdbuf(&in);
    std::cin.clear();

    std::istringstream lines{std::string(input.substr(0, zero))};
    std::string program;
    std::getline(lines, program);
    Arguments arguments;
    for (std::string line; std::getline(lines, line);) arguments.push_back(line);
    if (leads_outside(arguments)) return 0;

    directory.enter();
    if (program == "millprobe") try_command(mill::cli::millprobe(), arguments);
    else if (program == "millwright") try_command(mill::builder::cli::millwright(), arguments);
    directory.leave();
    std::cin.rdbuf(nullptr);
    return 0;
}
