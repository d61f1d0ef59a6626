// What decoding a block of one metric takes of the others, out of a TableSet and through its cache.
#pragma once

#include "probe/tables/table_set.h"

namespace mill {

/// Lives as long as the set. Throws Error(missing_table) naming the table that is not there.
class SetCompanions : public Companions {
public:
    SetCompanions(const TableSet& set, const SubspaceTables& tables) : set_(&set), tables_(&tables) {}
    void outcomes(std::uint64_t begin, std::span<std::uint8_t> codes) const override;
    void depths(std::uint64_t begin, std::span<std::uint16_t> values) const override;

private:
    template <class T> void copy(Metric m, std::uint64_t begin, std::span<T> values) const;
    const TableSet* set_;
    const SubspaceTables* tables_;
};

} // namespace mill
