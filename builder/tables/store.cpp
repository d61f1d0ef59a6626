#include "builder/tables/store.h"

#include "builder/encode/plain_block.h"
#include "builder/encode/table_writer.h"
#include "builder/machine/parallel.h"
#include "builder/tables/entry_range.h"
#include "probe/index/turn_classes.h"
#include "rules/error.h"
#include "rules/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace mill::builder {

namespace fs = std::filesystem;

namespace {

/// make_plain_block() for entries [begin, end) of a table in memory, whose outcomes are packed already.
void fill_raw(const MemoryTable& t, const TableMeta& meta, std::uint64_t begin, std::uint64_t end,
              std::vector<std::uint8_t>& raw) {
    raw.clear();
    if (meta.metric == Metric::wdl) {
        const std::size_t first = begin / 4, bytes = (end - begin + 3) / 4;
        raw.assign(t.wdl.begin() + first, t.wdl.begin() + first + bytes);
        // The last byte may reach past the end of the table.
        if ((end - begin) % 4)
            raw.back() = static_cast<std::uint8_t>(raw.back() & ((1U << (2 * ((end - begin) % 4))) - 1));
        return;
    }
    const auto& values = meta.metric == Metric::dtz ? t.dtz : t.dte;
    append_distances(
        values.data() + begin, end - begin, meta.code_bits,
        [&](std::size_t i) { return t.code(begin + i) == 0; }, raw);
    if (meta.metric != Metric::dte) return;
    const ProfileStep from{static_cast<std::uint32_t>(begin), 0, 0};
    const auto first = std::lower_bound(t.steps.begin(), t.steps.end(), from);
    auto last_step = first;
    while (last_step != t.steps.end() && last_step->entry < end) ++last_step;
    append_steps(raw,
                 {t.steps.data() + (first - t.steps.begin()), static_cast<std::size_t>(last_step - first)},
                 static_cast<std::uint32_t>(begin));
}

} // namespace

Metrics parse_metrics(std::string_view text) {
    Metrics m{false, false, false};
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        switch (parse_metric(text.substr(at, comma - at))) {
        case Metric::wdl: m.wdl = true; break;
        case Metric::dtz: m.dtz = true; break;
        case Metric::dte: m.dte = true; break;
        }
        at = comma + 1;
    }
    if (!m.wdl)
        throw Error(ErrorCode::bad_argument, "metrics '" + std::string(text) + "': wdl must be among them");
    return m;
}

TableStore::TableStore(const Ruleset& rules, const std::string& tables)
    : rules_(rules), folder_((fs::path(tables) / rules.folder_name()).string()),
      fingerprint_(rules.fingerprint()) {}

std::string TableStore::path(Subspace s, Metric m) const {
    return (fs::path(folder_) / table_file_name(s, m)).string();
}

void TableStore::make_folder() const {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw Error(ErrorCode::io, "cannot make folder " + folder_ + ": " + error.message());
}

TableReader TableStore::open(Subspace s, Metric m) const {
    const std::string file = path(s, m);
    try {
        TableReader reader(open_file(file, FileAccess::map));
        expect_identity(reader.meta(), fingerprint_, s, m);
        return reader;
    } catch (const Error& e) {
        if (e.code() == ErrorCode::missing_table)
            throw Error(e.code(), "no table " + table_file_name(s, m) + " in " + folder_);
        throw Error(e.code(), file + ": " + e.what());
    }
}

bool TableStore::has(Subspace s, Metric m) const {
    if (!fs::exists(path(s, m))) return false;
    open(s, m);
    return true;
}

bool TableStore::has_all(Subspace s, const Metrics& metrics) const {
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte})
        if (metrics.has(m) && !has(s, m)) return false;
    return true;
}

MemoryTable TableStore::load(Subspace s, const Metrics& metrics, int threads,
                             const std::atomic<bool>* stop) const {
    MemoryTable t(s);
    std::mutex mutex;
    auto read = [&](Metric m, auto&& take) {
        const TableReader reader = open(s, m);
        // Doubling would waste gigabytes. More steps than entries are rare, and a header may lie.
        if (metrics.dtz) t.steps.reserve(std::min(reader.meta().step_count, reader.meta().entries));
        std::vector<std::vector<std::uint8_t>> buffers(static_cast<std::size_t>(threads));
        std::vector<std::unique_ptr<EntryReader>> companions(static_cast<std::size_t>(threads));
        if (reader.needs_companions())
            for (auto& c : companions)
                c = std::make_unique<EntryReader>(*this, s, Metrics{true, m == Metric::dte, false});
        parallel_rows(reader.meta().block_count(), threads, stop, [&](std::uint32_t b, int thread) {
            auto& raw = buffers[static_cast<std::size_t>(thread)];
            try {
                reader.read_block(b, raw, companions[static_cast<std::size_t>(thread)].get());
            } catch (const Error& e) {
                throw Error(e.code(), path(s, m) + ": " + e.what());
            }
            take(reader.meta(), b, raw);
        });
    };
    if (metrics.wdl) {
        t.wdl = HugeArray<std::uint8_t>(t.index.size() / 4 + 9);
        read(Metric::wdl, [&](const TableMeta& meta, std::uint32_t b, const std::vector<std::uint8_t>& raw) {
            std::memcpy(t.wdl.data() + std::size_t{b} * meta.block_entries / 4, raw.data(), raw.size());
        });
    }
    auto distances = [&](Metric m, HugeArray<std::uint16_t>& values) {
        values = HugeArray<std::uint16_t>(t.index.size());
        read(m, [&](const TableMeta& meta, std::uint32_t b, const std::vector<std::uint8_t>& raw) {
            const std::uint64_t first = std::uint64_t{b} * meta.block_entries;
            const std::uint32_t n = meta.entries_in(b);
            for (std::uint32_t i = 0; i < n; ++i) {
                // Draws have no distance: what is stored there only compresses well.
                if (metrics.wdl && t.code(first + i) == 0) continue;
                values[first + i] = static_cast<std::uint16_t>(
                    meta.code_bits == 8 ? raw[i] : raw[2 * i] | raw[2 * i + 1] << 8);
            }
            // Without DTZ nobody asks for values below the full budget.
            const std::size_t steps = metrics.dtz ? step_count(meta, b, raw.size()) : 0;
            if (steps == 0) return;
            const std::lock_guard lock(mutex);
            for (std::size_t i = 0; i < steps; ++i) {
                ProfileStep step = step_at(meta, b, raw.data(), i);
                step.entry += static_cast<std::uint32_t>(first);
                t.steps.push_back(step);
            }
        });
    };
    if (metrics.dtz) distances(Metric::dtz, t.dtz);
    if (metrics.dte) distances(Metric::dte, t.dte);
    std::sort(t.steps.begin(), t.steps.end());
    if (rules_.mill_return != MillReturn::free) t.mark_steps();
    return t;
}

namespace {

/// Wins and losses among entries [begin, end), by whole words.
std::pair<std::uint64_t, std::uint64_t> decided_in(const MemoryTable& t, std::uint64_t begin,
                                                   std::uint64_t end) {
    constexpr std::uint64_t kLow = 0x5555555555555555;
    std::uint64_t wins = 0, losses = 0;
    auto add = [&](std::uint64_t word, std::uint64_t mask) {
        wins += static_cast<std::uint64_t>(std::popcount(word & mask & kLow));
        losses += static_cast<std::uint64_t>(std::popcount(word >> 1 & (mask >> 1) & kLow));
    };
    // The table has slack for a whole word behind its last entry.
    for (std::uint64_t i = begin; i < end;) {
        std::uint64_t word;
        std::memcpy(&word, t.wdl.data() + (i >> 2), sizeof word);
        const std::uint64_t skip = i & 3, n = std::min<std::uint64_t>(32 - skip, end - i);
        const std::uint64_t mask = (n == 32 ? ~std::uint64_t{0} : (std::uint64_t{1} << (2 * n)) - 1)
                                   << (2 * skip);
        add(word, mask);
        i += n;
    }
    return {wins, losses};
}

} // namespace

TableStats statistics(const MemoryTable& t, Metric m, int threads, const std::atomic<bool>* stop) {
    TableStats total;
    std::mutex mutex;
    const std::uint32_t size = t.index.row_size();
    const HugeArray<std::uint16_t>* values = m == Metric::wdl ? nullptr : m == Metric::dtz ? &t.dtz : &t.dte;
    // Rows in bunches: one turn of the lock for each.
    constexpr std::uint32_t kBunch = 64;
    parallel_rows((t.index.rows() + kBunch - 1) / kBunch, threads, stop, [&](std::uint32_t bunch, int) {
        TableStats s;
        for (std::uint32_t row = bunch * kBunch; row < std::min(t.index.rows(), (bunch + 1) * kBunch);
             ++row) {
            const std::uint64_t begin = std::uint64_t{row} * size;
            const auto weight = static_cast<std::uint64_t>(t.index.row_weight(row));
            const auto [wins, losses] = decided_in(t, begin, begin + size);
            s.win += weight * wins;
            s.loss += weight * losses;
            s.draw += weight * (size - wins - losses);
            if (!values || wins + losses == 0) continue;
            // Distances of draws are 0 in memory.
            std::uint64_t sum = 0;
            std::uint16_t max = 0;
            for (const std::uint16_t *v = values->data() + begin, *last = v + size; v != last; ++v) {
                sum += *v;
                max = std::max(max, *v);
            }
            s.sum += weight * sum;
            s.max = std::max<std::int32_t>(s.max, max);
        }
        const std::lock_guard lock(mutex);
        total.draw += s.draw;
        total.win += s.win;
        total.loss += s.loss;
        total.sum += s.sum;
        total.max = std::max(total.max, s.max);
    });
    return total;
}

void TableStore::save(const MemoryTable& t, const Metrics& metrics, int level, int threads,
                      const std::atomic<bool>* stop) const {
    make_folder();
    for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) {
        const bool present = m == Metric::wdl   ? !t.wdl.empty()
                             : m == Metric::dtz ? !t.dtz.empty()
                                                : !t.dte.empty();
        if (!metrics.has(m) || !present) continue;
        const TableStats stats = statistics(t, m, threads, stop);
        TableMeta meta;
        meta.fingerprint = fingerprint_;
        meta.subspace = t.subspace;
        meta.metric = m;
        meta.zstd_level = static_cast<std::uint8_t>(level);
        meta.limit = static_cast<std::uint32_t>(TurnClasses(rules_, t.subspace).limit);
        meta.entries = t.index.size();
        meta.code_bits = m == Metric::wdl ? 2 : stats.max > 255 ? 16 : 8;
        meta.block_entries = plain_block_entries(meta);
        TableWriter writer(path(t.subspace, m), meta);
        if (m == Metric::dte) writer.add_steps(t.steps.size());
        const std::uint32_t blocks = meta.block_count(), batch = static_cast<std::uint32_t>(threads) * 16;
        std::vector<EncodedBlock> encoded(batch);
        for (std::uint32_t first = 0; first < blocks; first += batch) {
            const std::uint32_t n = std::min(batch, blocks - first);
            parallel_rows(n, threads, stop, [&](std::uint32_t i, int) {
                thread_local std::vector<std::uint8_t> raw;
                const std::uint64_t begin = std::uint64_t{first + i} * meta.block_entries;
                fill_raw(t, meta, begin, begin + meta.entries_in(first + i), raw);
                encoded[i] = encode_block(raw, level);
            });
            for (std::uint32_t i = 0; i < n; ++i) writer.append(encoded[i]);
        }
        writer.finish(stats);
    }
}

namespace {
const char* const kSolveLog = "solve-log.jsonl";
}

void TableStore::record(const SolveRecord& r) const {
    const nlohmann::ordered_json line = {{"subspace", r.subspace},       {"positions", r.positions},
                                         {"seconds", r.seconds},         {"total_seconds", r.total_seconds},
                                         {"threads", r.threads},         {"dte", r.dte},
                                         {"cpu_seconds", r.cpu_seconds}, {"peak_memory", r.peak_memory}};
    std::string text = line.dump() + "\n";
    const std::string file = (fs::path(folder_) / kSolveLog).string();
    // One write in append mode: lines of several processes do not mix.
    const int fd = ::open(file.c_str(), O_CREAT | O_APPEND | O_RDWR | O_CLOEXEC, 0644);
    if (fd < 0) throw Error(ErrorCode::io, "cannot open " + file + ": " + std::strerror(errno));
    // After a line that a full disk cut off, the next one begins anew.
    char last = '\n';
    const off_t end = ::lseek(fd, 0, SEEK_END);
    if (end > 0 && ::pread(fd, &last, 1, end - 1) == 1 && last != '\n') text.insert(text.begin(), '\n');
    errno = 0;
    const ssize_t n = ::write(fd, text.data(), text.size());
    const int error = errno ? errno : ENOSPC; // cut off
    ::close(fd);
    if (n != static_cast<ssize_t>(text.size()))
        throw Error(ErrorCode::io, "cannot write " + file + ": " + std::strerror(error));
}

std::map<std::string, SolveRecord> TableStore::records() const {
    std::map<std::string, SolveRecord> out;
    std::ifstream in((fs::path(folder_) / kSolveLog).string());
    for (std::string line; std::getline(in, line);) {
        const auto j = nlohmann::json::parse(line, nullptr, false);
        if (!j.is_object()) continue; // a line cut off by a crash tells nothing
        try {
            SolveRecord r;
            r.subspace = j.value("subspace", "");
            r.positions = j.value("positions", std::uint64_t{0});
            r.seconds = j.value("seconds", 0.0);
            r.total_seconds = j.value("total_seconds", 0.0);
            r.cpu_seconds = j.value("cpu_seconds", 0.0);
            r.peak_memory = j.value("peak_memory", std::uint64_t{0});
            r.threads = j.value("threads", 0);
            r.dte = j.value("dte", false);
            out[r.subspace] = r;
        } catch (const nlohmann::json::exception&) {
            continue; // nor does one that somebody has written by hand
        }
    }
    return out;
}

std::string TableStore::manifest() const {
    nlohmann::ordered_json tables = nlohmann::ordered_json::array();
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        const std::string ending = entry.path().extension().string();
        if (ending == ".wdl" || ending == ".dtz" || ending == ".dte") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const TableReader reader = [&] {
            try {
                return TableReader(open_file(file.string(), FileAccess::map));
            } catch (const Error& e) {
                throw Error(e.code(), file.string() + ": " + e.what());
            }
        }();
        const TableMeta& m = reader.meta();
        if (m.fingerprint != fingerprint_) continue;
        nlohmann::ordered_json entry = {{"file", file.filename().string()},
                                        {"bytes", m.file_size()},
                                        {"entries", m.entries},
                                        {"limit", m.limit},
                                        {"header_checksum", hex(checksum_of(encode_header(m)))},
                                        {"index_checksum", hex(m.index_checksum)},
                                        {"win", m.stats.win},
                                        {"draw", m.stats.draw},
                                        {"loss", m.stats.loss}};
        if (m.metric != Metric::wdl) {
            entry["max"] = m.stats.max;
            entry["sum"] = m.stats.sum;
        }
        tables.push_back(std::move(entry));
    }
    const nlohmann::ordered_json manifest = {{"format", kFormatVersion},
                                             {"tool", std::string("millwright ") + MILL_VERSION},
                                             {"fingerprint", hex(fingerprint_)},
                                             {"ruleset", rules_.to_ini()},
                                             {"tables", std::move(tables)}};
    return manifest.dump(1) + "\n";
}

void TableStore::write_manifest() const {
    const std::string file = (fs::path(folder_) / "manifest.json").string(), text = manifest();
    std::error_code ignored;
    std::ifstream in;
    if (fs::is_regular_file(file, ignored)) in.open(file, std::ios::binary);
    const std::string there((std::istreambuf_iterator<char>(in)), {});
    if (there != text) write_file_atomically(file, text);
}

std::uint64_t memory_of(const MemoryTable& t) {
    return t.wdl.size() + 2 * (t.dtz.size() + t.dte.size()) + sizeof(ProfileStep) * t.steps.size() +
           8 * t.stepped.size();
}

TableCache::TableCache(const TableStore& store, const Metrics& metrics, std::uint64_t budget, int threads,
                       const std::atomic<bool>* stop)
    : store_(store), metrics_(metrics), budget_(budget), threads_(threads), stop_(stop) {}

std::shared_ptr<const MemoryTable> TableCache::find(Subspace s) {
    const std::lock_guard lock(mutex_);
    return kept(s);
}

std::shared_ptr<const MemoryTable> TableCache::kept(Subspace s) {
    const auto it = tables_.find(s);
    if (it == tables_.end()) return nullptr;
    order_.remove(s);
    order_.push_front(s);
    return it->second;
}

std::shared_ptr<const MemoryTable> TableCache::get(Subspace s) {
    const std::lock_guard lock(mutex_);
    if (auto table = kept(s)) return table;
    // Within a parallel region of the solver this loads on one thread; the others wait for it.
    auto table = std::make_shared<const MemoryTable>(
        store_.load(s, metrics_, omp_in_parallel() ? 1 : threads_, stop_));
    bytes_ += memory_of(*table);
    tables_.emplace(s, table);
    order_.push_front(s);
    shrink();
    return table;
}

void TableCache::put(std::shared_ptr<const MemoryTable> table) {
    const std::lock_guard lock(mutex_);
    const Subspace s = table->subspace;
    const auto it = tables_.find(s);
    if (it != tables_.end()) {
        bytes_ -= memory_of(*it->second);
        order_.remove(s);
        tables_.erase(it);
    }
    bytes_ += memory_of(*table);
    tables_.emplace(s, std::move(table));
    order_.push_front(s);
    shrink();
}

void TableCache::set_budget(std::uint64_t budget) {
    const std::lock_guard lock(mutex_);
    budget_ = budget;
    shrink();
}

void TableCache::shrink() {
    for (auto it = order_.end(); bytes_ > budget_ && it != order_.begin();) {
        --it;
        const auto table = tables_.find(*it);
        if (table->second.use_count() > 1) continue; // in use: dropping it would free nothing
        bytes_ -= memory_of(*table->second);
        tables_.erase(table);
        it = order_.erase(it);
    }
}

} // namespace mill::builder
