#include "probe/tables/check_tables.h"

#include "probe/tables/set_companions.h"

#include <algorithm>

namespace mill {

namespace {

void check_content(const OpenTable& t, std::uint32_t block, const std::vector<std::uint8_t>& raw) {
    const TableMeta& meta = t.meta();
    const auto fault = [&](const std::string& what) {
        throw Error(ErrorCode::corrupt_table, t.path() + ": block " + std::to_string(block) + ": " + what);
    };
    const std::uint32_t entries = meta.entries_in(block);
    if (meta.metric == Metric::wdl)
        for (std::uint32_t i = 0; i < entries; ++i)
            if (((raw[i / 4] >> (2 * (i % 4))) & 3) == 3)
                fault("entry " + std::to_string(i) + " has no outcome");
    const std::size_t steps = step_count(meta, block, raw.size());
    ProfileStep last{};
    for (std::size_t i = 0; i < steps; ++i) {
        const ProfileStep step = step_at(meta, block, raw.data(), i);
        if (step.entry >= entries || step.budget > meta.limit || (i > 0 && step <= last))
            fault("profile step " + std::to_string(i) + " is impossible or out of order");
        last = step;
    }
}

} // namespace

void check_tables(const TableSet& set, const std::function<bool(const CheckProgress&)>& progress) {
    if (const OpenReport files = set.files(); !files.refused.empty()) {
        const TableFile& file = files.refused.front();
        throw Error(file.code, file.path + ": " + file.reason);
    }
    const std::vector<const OpenTable*> tables = set.open_tables();
    CheckProgress at;
    at.tables = tables.size();
    for (const OpenTable* t : tables) at.blocks += t->meta().block_count();
    std::vector<std::uint8_t> raw;
    for (const OpenTable* t : tables) {
        at.table = t;
        const SetCompanions companions(set, *set.find(t->meta().subspace));
        for (std::uint32_t block = 0; block < t->meta().block_count(); ++block) {
            if (progress && !progress(at))
                throw Error(ErrorCode::aborted, "stopped by the progress callback");
            t->read_block(block, raw, &companions);
            check_content(*t, block, raw);
            ++at.blocks_done;
        }
        ++at.tables_done;
        if (progress && !progress(at)) throw Error(ErrorCode::aborted, "stopped by the progress callback");
    }
}

} // namespace mill
