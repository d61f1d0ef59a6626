// The subcommands of millprobe.
#pragma once

#include "probe/cli/program.h"

namespace mill::cli {

const Program& millprobe();

Work read_rules(const Arguments&);
Work read_legal(const Arguments&);
Work read_perft(const Arguments&);
Work read_referee(const Arguments&);
Work read_value(const Arguments&);
Work read_moves(const Arguments&);
Work read_line(const Arguments&);
Work read_missing(const Arguments&);

} // namespace mill::cli
