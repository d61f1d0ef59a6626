#include "probe/tables/table_set.h"

#include "probe/index/turn_classes.h"
#include "rules/text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace mill {

namespace fs = std::filesystem;

namespace {

/// Subspace and metric of a file name such as "5-4+0-0.wdl".
struct NamedTable {
    Subspace subspace;
    Metric metric;
};
std::optional<NamedTable> parse_file_name(const std::string& name) {
    const auto dot = name.rfind('.');
    if (dot == std::string::npos) return std::nullopt;
    try {
        NamedTable t{parse_subspace(std::string_view(name).substr(0, dot)),
                     parse_metric(std::string_view(name).substr(dot + 1))};
        if (table_file_name(t.subspace, t.metric) == name) return t;
    } catch (const Error&) { // some other file
    }
    return std::nullopt;
}

/// The table files of a folder, sorted by name.
std::vector<fs::path> table_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (parse_file_name(it->path().filename().string())) files.push_back(it->path());
    if (error)
        throw Error(ErrorCode::io, "cannot read directory " + folder.string() + ": " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

/// The fingerprint of the first readable header among files.
std::uint64_t fingerprint_of(const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
        try {
            const auto source = open_file(file.string(), FileAccess::read);
            std::array<std::uint8_t, kHeaderSize> header{};
            if (source->size() < kHeaderSize) continue;
            source->read(0, header);
            return decode_header(header, source->size()).fingerprint;
        } catch (const Error&) { // the next one will tell
        }
    }
    return 0;
}

} // namespace

std::uint64_t folder_fingerprint(const std::string& folder) { return fingerprint_of(table_files(folder)); }

OpenTable::OpenTable(std::uint32_t id, std::string path, std::unique_ptr<TableReader> reader,
                     FileAccess access, bool keep)
    : id_(id), path_(std::move(path)), access_(access), meta_(reader->meta()) {
    if (!keep) return;
    owner_ = std::move(reader);
    reader_.store(owner_.get(), std::memory_order_release);
}

OpenTable::~OpenTable() = default;

std::size_t OpenTable::memory() const {
    const TableReader* r = reader_.load(std::memory_order_acquire);
    return sizeof *this + (r ? r->memory() : 0);
}

const TableReader& OpenTable::reader() const {
    if (const TableReader* r = reader_.load(std::memory_order_acquire)) return *r;
    const std::lock_guard lock(mutex_);
    if (!owner_) {
        try {
            auto reader = std::make_unique<TableReader>(open_file(path_, access_));
            const TableMeta& now = reader->meta();
            expect_identity(now, meta_.fingerprint, meta_.subspace, meta_.metric);
            // Blocks of two versions of a table must not mix in the cache.
            if (now.index_checksum != meta_.index_checksum || now.block_entries != meta_.block_entries ||
                now.code_bits != meta_.code_bits || now.codec != meta_.codec ||
                now.model_checksum != meta_.model_checksum)
                throw Error(ErrorCode::corrupt_table, "the file has been replaced since it was opened");
            owner_ = std::move(reader);
        } catch (const Error& e) {
            throw Error(e.code(), path_ + ": " + e.what());
        }
        reader_.store(owner_.get(), std::memory_order_release);
    }
    return *owner_;
}

void OpenTable::read_block(std::uint32_t block, std::vector<std::uint8_t>& raw,
                           const Companions* companions) const {
    const TableReader& r = reader();
    try {
        r.read_block(block, raw, companions);
    } catch (const Error& e) {
        throw Error(e.code(), path_ + ": " + e.what());
    }
}

SubspaceTables::SubspaceTables(const Ruleset& rules, Subspace s)
    : subspace(s), index(s), limit(rules.limit(s.own, s.opp, s.own_reserve, s.opp_reserve)) {}

TableSet::TableSet(const Ruleset& rules, const TableSetOptions& options)
    : rules_(rules), fingerprint_(rules.fingerprint()), options_(options), cache_(options.cache_bytes),
      by_subspace_(new std::atomic<SubspaceTables*>[kSubspaceNumbers]()) {}

TableSet::~TableSet() = default;

OpenReport TableSet::add_directory(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error))
        throw Error(ErrorCode::io, "cannot read directory " + path + ": " +
                                       (error ? error.message() : std::string("it is no directory")));
    std::vector<fs::path> files = table_files(path);
    std::vector<fs::path> folders;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
        if (std::error_code ignored; it->is_directory(ignored)) folders.push_back(it->path());
    if (error) throw Error(ErrorCode::io, "cannot read directory " + path + ": " + error.message());
    std::sort(folders.begin(), folders.end());
    std::string ending = "-";
    ending += hex(fingerprint_).substr(0, 8);
    for (const fs::path& folder : folders) {
        std::vector<fs::path> inside;
        try {
            inside = table_files(folder);
        } catch (const Error&) { // not for us to read; if it was ours, its tables will be missed by name
            continue;
        }
        // A folder of ours by its name counts even if no header in it can be read: then all are refused.
        if (fingerprint_of(inside) == fingerprint_ || folder.filename().string().ends_with(ending))
            files.insert(files.end(), inside.begin(), inside.end());
    }
    OpenReport report;
    for (const fs::path& file : files) take_file(file.string(), report);
    return report;
}

void TableSet::take_file(const std::string& path, OpenReport& report) {
    TableFile file;
    file.path = path;
    const auto named = parse_file_name(fs::path(path).filename().string());
    file.subspace = named->subspace;
    file.metric = named->metric;
    try {
        auto reader = std::make_unique<TableReader>(open_file(path, options_.access));
        file.bytes = reader->meta().file_size();
        expect_identity(reader->meta(), fingerprint_, named->subspace, named->metric);
        take(std::move(reader), path, false);
    } catch (const Error& e) {
        file.code = e.code();
        file.reason = e.what();
    }
    const std::lock_guard lock(mutex_);
    if (file.code == ErrorCode::ok) {
        report.found.push_back(file);
        files_.found.push_back(std::move(file));
    } else {
        report.refused.push_back(file);
        files_.refused.push_back(std::move(file));
        any_refused_.store(true, std::memory_order_release);
    }
}

TableFile TableSet::add_source(std::unique_ptr<ByteSource> source, const std::string& name) {
    auto reader = std::make_unique<TableReader>(std::move(source));
    const TableMeta meta = reader->meta();
    expect_identity(meta, fingerprint_, meta.subspace, meta.metric);
    take(std::move(reader), name, true);
    TableFile file{name, meta.subspace, meta.metric, meta.file_size(), ErrorCode::ok, ""};
    const std::lock_guard lock(mutex_);
    files_.found.push_back(file);
    return file;
}

void TableSet::take(std::unique_ptr<TableReader> reader, const std::string& path, bool keep) {
    const TableMeta& meta = reader->meta();
    const std::lock_guard lock(mutex_);
    SubspaceTables& s = make(meta.subspace);
    if (meta.limit != static_cast<std::uint32_t>(s.limit))
        throw Error(ErrorCode::corrupt_table, "table header: draw limit is " + std::to_string(meta.limit) +
                                                  ", expected " + std::to_string(s.limit) +
                                                  " under the ruleset");
    auto& place = s.tables[static_cast<std::size_t>(meta.metric) - 1];
    if (place.load(std::memory_order_relaxed)) return; // the first one found stays
    const auto id = static_cast<std::uint32_t>(tables_.size());
    tables_.push_back(std::make_unique<OpenTable>(id, path, std::move(reader), options_.access, keep));
    place.store(tables_.back().get(), std::memory_order_release);
}

SubspaceTables& TableSet::make(Subspace s) {
    auto& place = by_subspace_[number_of(s)];
    if (SubspaceTables* known = place.load(std::memory_order_relaxed)) return *known;
    subspaces_.push_back(std::make_unique<SubspaceTables>(rules_, s));
    place.store(subspaces_.back().get(), std::memory_order_release);
    return *subspaces_.back();
}

OpenReport TableSet::files() const {
    const std::lock_guard lock(mutex_);
    return files_;
}

std::uint64_t TableSet::table_bytes() const {
    std::uint64_t sum = 0;
    for (const OpenTable* t : open_tables()) sum += t->memory();
    return sum;
}

std::vector<const OpenTable*> TableSet::open_tables() const {
    const std::lock_guard lock(mutex_);
    std::vector<const OpenTable*> out;
    out.reserve(tables_.size());
    for (const auto& t : tables_) out.push_back(t.get());
    return out;
}

const SubspaceTables* TableSet::find(Subspace s) const {
    return has_number(s) ? by_subspace_[number_of(s)].load(std::memory_order_acquire) : nullptr;
}

bool TableSet::has(Subspace s, Metric m) const {
    const SubspaceTables* t = find(s);
    return t && t->table(m);
}

bool TableSet::derives(Subspace s) const {
    std::call_once(half_once_, [&] { half_ = std::make_unique<const HalfSet>(rules_); });
    if (!half_->leaves_out(s)) return false;
    if (!any_refused_.load(std::memory_order_acquire)) return true;
    const std::lock_guard lock(mutex_);
    return std::none_of(files_.refused.begin(), files_.refused.end(),
                        [s](const TableFile& file) { return file.subspace == s; });
}

void TableSet::throw_if_refused(Subspace s, Metric m) const {
    if (!any_refused_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    for (const TableFile& file : files_.refused)
        if (file.subspace == s && file.metric == m)
            throw Error(file.code,
                        "table " + table_file_name(s, m) + " was refused: " + file.path + ": " + file.reason);
}

void TableSet::throw_missing(Subspace s, Metric m) const {
    throw_if_refused(s, m);
    throw Error(ErrorCode::missing_table, "no table " + table_file_name(s, m) + " for ruleset " +
                                              rules_.name + " (fingerprint " + hex(fingerprint_) + ")");
}

} // namespace mill
