#include "builder/cli/options.h"

#include "builder/jobs/signature.h"
#include "rules/error.h"
#include "rules/text.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace mill::builder::cli {

namespace {

/// A directory that goes when the object does.
class TemporaryFolder {
public:
    TemporaryFolder() {
        path_ = (std::filesystem::temp_directory_path() / "millwright-XXXXXX").string();
        if (!mkdtemp(path_.data()))
            throw Error(ErrorCode::io,
                        "cannot make a temporary folder: " + std::string(std::strerror(errno)));
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace

Work read_signature(const Arguments& arguments) {
    Options options(
        "signature",
        "One number for what this build does, so that no change alters a value unseen: solves small parts of all games\n"
        "and hashes turn counts, turns, texts and values ('values'), and the bytes of table files ('tables', which\n"
        "also depend on the table format and on the version of zstd). Neither depends on processor or threads.\n",
        "examples:\n  millwright signature\n");
    options.own().add_options()("threads", boost::program_options::value<int>()->default_value(0),
                                "threads; 0 = all");
    if (!options.parse(arguments)) return done();
    const bool json = options.json();
    const int threads = options.threads();
    return [=]() -> int {
        catch_signals();
        const TemporaryFolder folder;
        builder::Signature s;
        try {
            s = builder::signature(folder.path(), threads, &stop_requested());
        } catch (const Error& e) {
            if (e.code() != ErrorCode::aborted) throw;
            return 128 + caught_signal();
        }
        if (json)
            std::cout << Json{{"values", hex(s.values)},
                              {"tables", hex(s.tables)},
                              {"compressor", compressor_version()},
                              {"positions", s.positions},
                              {"turns", s.turns},
                              {"files", s.files}}
                             .dump()
                      << std::endl;
        else
            std::printf("values %s\ntables %s %s\n", hex(s.values).c_str(), hex(s.tables).c_str(),
                        compressor_version().c_str());
        return exit_ok;
    };
}

} // namespace mill::builder::cli
