// Which contexts suit a table: chosen on a sample of its blocks when it is encoded, and kept in the file.
#pragma once

#include "probe/codec/small_codec.h"

#include <span>

namespace mill {

/// How many contexts there may be: the product of the levels of the terms. More would cost little room in the file,
/// but a probe that meets them in a cold processor cache would wait for each.
inline constexpr std::uint32_t kMostContexts = 1U << 14;

/// Greedy: term by term, the one that saves most, as long as it saves more than its distributions cost in the file.
/// Every second block of the sample trains, the others are costed. The result does not depend on threads.
ContextPlan choose_contexts(const TableMeta& meta, std::span<const BlockContent> sample);

} // namespace mill
