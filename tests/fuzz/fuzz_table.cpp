// libFuzzer target: bytes of table files through the memory reader. Two bytes choose what the rest is: a whole
// file, or changes to a valid file of either codec that is made here, with or without checksums repaired, so that the
// fuzzer gets past them; or models or streams of the small codec. Whatever is accepted is probed at positions all over the table. Nothing may crash, hang or take more memory
// than the subspace implies; what the answers are is not judged here.
#include "builder/encode/small_encoder.h"
#include "probe/format/table_format.h"
#include "probe/tables/answers.h"
#include "probe/tables/check_tables.h"
#include "rules/error.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using namespace mill;
using Bytes = std::vector<std::uint8_t>;

const Ruleset& rules() {
    static const Ruleset r = [] {
        Ruleset loaded = load_ruleset("lg9");
        loaded.set("quiet_limit=20");
        return loaded;
    }();
    return r;
}

TableMeta valid_meta(Metric m) {
    TableMeta meta;
    meta.fingerprint = rules().fingerprint();
    meta.subspace = {2, 3, 1, 0};
    meta.metric = m;
    meta.code_bits = m == Metric::wdl ? 2 : m == Metric::dtz ? 8 : 16;
    meta.limit = 20;
    meta.block_entries = 1024;
    meta.entries = SubspaceIndex(meta.subspace).size();
    return meta;
}

/// Header, models, blocks or groups, and index; the checksums fit.
Bytes assemble(TableMeta meta, const std::vector<EncodedBlock>& blocks,
               std::span<const std::uint8_t> models = {}) {
    Bytes file(kHeaderSize), index;
    meta.model_bytes = static_cast<std::uint32_t>(models.size());
    meta.model_checksum = checksum_of(models);
    file.insert(file.end(), models.begin(), models.end());
    for (const EncodedBlock& b : blocks) {
        file.insert(file.end(), b.bytes.begin(), b.bytes.end());
        for (int i = 0; i < 4; ++i) index.push_back(static_cast<std::uint8_t>(b.bytes.size() >> (8 * i)));
        for (int i = 0; i < 8; ++i) index.push_back(static_cast<std::uint8_t>(b.checksum >> (8 * i)));
    }
    meta.index_offset = file.size();
    meta.index_checksum = checksum_of(index);
    file.insert(file.end(), index.begin(), index.end());
    const auto header = encode_header(meta);
    std::copy(header.begin(), header.end(), file.begin());
    return file;
}

Bytes valid_file(Metric m, std::span<const std::uint8_t> extra, bool raw_block) {
    const TableMeta meta = valid_meta(m);
    std::vector<EncodedBlock> blocks;
    for (std::uint32_t b = 0; b < meta.block_count(); ++b) {
        Bytes raw(meta.code_bytes(b));
        for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<std::uint8_t>(i * 37 + b);
        if (b == 0) {
            // The input as content of the first block: codes, and profile steps in whatever order; or as its
            // compressed bytes, with a checksum that fits.
            if (raw_block) {
                blocks.push_back({Bytes(extra.begin(), extra.end()), checksum_of(extra)});
                continue;
            }
            std::copy_n(extra.begin(), std::min(extra.size(), raw.size()), raw.begin());
            if (m == Metric::dte)
                raw.insert(raw.end(), extra.begin(),
                           extra.begin() + static_cast<std::ptrdiff_t>(extra.size() / 8 * 8));
        }
        blocks.push_back(encode_block(raw, 1));
    }
    return assemble(meta, blocks);
}

/// A valid file of the small codec, in parts.
struct SmallFile {
    TableMeta meta;
    std::vector<std::uint8_t> models;
    std::vector<EncodedBlock> groups;
};

const SmallFile& small_file(Metric m) {
    static const auto make = [](Metric metric) {
        SmallFile file;
        TableMeta& meta = file.meta;
        meta = valid_meta(metric);
        meta.codec = Codec::small;
        meta.block_entries = 256;
        meta.group_blocks = 4;
        meta.features = feature_rules(rules(), meta.subspace).bits();
        const auto n = static_cast<std::size_t>(meta.entries);
        std::vector<std::uint8_t> wdl(n);
        std::vector<std::uint16_t> dtz(n), dte(n);
        std::vector<ProfileStep> steps;
        for (std::size_t i = 0; i < n; ++i) {
            wdl[i] = static_cast<std::uint8_t>(i * i / 7 % 3);
            dtz[i] = static_cast<std::uint16_t>(1 + i % 11);
            dte[i] = static_cast<std::uint16_t>(dtz[i] + i % 5);
            if (wdl[i] && i % 13 == 0)
                steps.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(dtz[i] + 3),
                                 static_cast<std::uint16_t>(dte[i] + 2)});
        }
        const BlockValues all{0, wdl, dtz, dte, steps};
        const ContextPlan plan = choose_contexts(meta, std::vector<BlockValues>{all});
        SmallCounts counts(meta, plan);
        counts.add(all);
        const SmallEncoder encoder(meta, counts);
        file.models = encoder.models();
        const std::size_t group = std::size_t{meta.block_entries} * meta.group_blocks;
        for (std::size_t at = 0; at < n; at += group) {
            const std::size_t some = std::min(group, n - at);
            std::vector<ProfileStep> inside;
            for (const ProfileStep& s : steps)
                if (s.entry >= at && s.entry < at + some) inside.push_back(s);
            file.groups.push_back(
                encoder.encode_group({at, std::span(wdl).subspan(at, some), std::span(dtz).subspan(at, some),
                                      std::span(dte).subspan(at, some), inside}));
        }
        return file;
    };
    static const SmallFile files[] = {make(Metric::wdl), make(Metric::dtz), make(Metric::dte)};
    return files[static_cast<std::size_t>(m) - 1];
}

/// Overwrites bytes: pairs of a place (3 bytes) and a value.
void overwrite(Bytes& file, std::span<const std::uint8_t> changes) {
    for (; changes.size() >= 4; changes = changes.subspan(4)) {
        const std::size_t at = changes[0] | changes[1] << 8 | changes[2] << 16;
        file[at % file.size()] ^= changes[3];
    }
}

/// Makes the header's checksum fit whatever the header says.
void repair(Bytes& file) {
    const std::uint64_t sum = checksum_of(std::span(file).first(kHeaderSize - 8));
    for (std::size_t i = 0; i < 8; ++i) file[kHeaderSize - 8 + i] = static_cast<std::uint8_t>(sum >> (8 * i));
}

void probe(const Bytes& file, Metric m, bool complete) {
    TableSetOptions options;
    options.cache_bytes = 1 << 20;
    TableSet set(rules(), options);
    // Distances of the small codec are decoded with these beside them.
    static const Bytes others[] = {valid_file(Metric::wdl, {}, false), valid_file(Metric::dtz, {}, false),
                                   valid_file(Metric::dte, {}, false)};
    try {
        set.add_source(memory_source(file), "input");
    } catch (const Error&) {
        return;
    }
    for (std::size_t i = 0; complete && i < 3; ++i)
        if (i + 1 != static_cast<std::size_t>(m)) set.add_source(memory_source(others[i]), "valid");
    const Subspace s = set.open_tables().front()->meta().subspace;
    const SubspaceIndex index(s);
    for (std::uint64_t i = 0; i < 16; ++i) {
        const auto [own, opp] = index.position(index.size() * i / 16);
        Position p = make_position(s, own, opp);
        try {
            p = checked(rules(), p);
            answer(set, p, kAllMetrics);
            profile(set, p);
            if (i == 5) rank_turns(set, p, kAllMetrics);
        } catch (const Error&) { // refused: fine
        }
    }
    try {
        check_tables(set, {});
    } catch (const Error&) {}
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::span<const std::uint8_t> rest(data + 2, size - 2);
    const auto metric = static_cast<Metric>(1 + data[1] % 3);
    switch (data[0] % 9) {
    case 0: probe(Bytes(rest.begin(), rest.end()), metric, true); break;
    case 1:
    case 2: {
        Bytes file = valid_file(metric, {}, false);
        overwrite(file, rest);
        if (data[0] % 9 == 2) repair(file);
        probe(file, metric, true);
        break;
    }
    case 3: probe(valid_file(metric, rest, false), metric, data[1] & 64); break;
    case 4: probe(valid_file(metric, rest, true), metric, true); break;
    case 5:
    case 6: {
        const SmallFile& small = small_file(metric);
        Bytes file = assemble(small.meta, small.groups, small.models);
        overwrite(file, rest);
        if (data[0] % 9 == 6) repair(file);
        probe(file, metric, data[1] & 64);
        break;
    }
    case 7: { // models with changes, and checksums that fit
        const SmallFile& small = small_file(metric);
        Bytes raw = decompress(small.models, kMaxModelBytes, "models");
        overwrite(raw, rest);
        probe(assemble(small.meta, small.groups, compress(raw, 1)), metric, true);
        break;
    }
    case 8: { // a group of whatever bytes, with a checksum that fits
        const SmallFile& small = small_file(metric);
        std::vector<EncodedBlock> groups = small.groups;
        if (data[1] & 64) groups[0].bytes.assign(rest.begin(), rest.end());
        else overwrite(groups[0].bytes, rest);
        groups[0].checksum = checksum_of(groups[0].bytes);
        probe(assemble(small.meta, groups, small.models), metric, true);
        break;
    }
    }
    return 0;
}
