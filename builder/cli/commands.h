// The subcommands of millwright.
#pragma once

#include "probe/cli/program.h"

namespace mill::builder::cli {

using namespace mill::cli;

const Program& millwright();

Work read_plan(const Arguments&);
Work read_build(const Arguments&);
Work read_repack(const Arguments&);
Work read_verify(const Arguments&);
Work read_stats(const Arguments&);
Work read_bench(const Arguments&);
Work read_signature(const Arguments&);

} // namespace mill::builder::cli
