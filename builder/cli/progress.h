// Progress of a build: a bar on a terminal, plain lines in a log, JSON lines for machines.
#pragma once

#include "builder/jobs/build.h"

#include <chrono>
#include <memory>
#include <string>

namespace mill::builder::cli {

/// `mode`: auto, bar, plain, json or none. Bar and lines go to standard error, JSON to standard
/// output. Throws UsageError.
std::unique_ptr<builder::BuildObserver> make_progress(const std::string& mode);

} // namespace mill::builder::cli
