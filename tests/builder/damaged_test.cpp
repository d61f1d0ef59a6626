// Damaged and exchanged files: verification finds them, a build refuses them as children, and a manifest that does
// not fit is noticed.
#include "builder/check/verify.h"
#include "builder/jobs/build.h"
#include "rules/error.h"
#include "tests/probe/damage.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;
using builder::TableStore;

constexpr Metric kMetrics[] = {Metric::wdl, Metric::dtz, Metric::dte};

/// A copy of solved tables in which one child of a parent is damaged.
class Directory {
public:
    Directory(const SolvedTables& solved, const char* child, const char* parent)
        : solved_(solved), child_(parse_subspace(child)), parent_(parse_subspace(parent)),
          store_(solved.rules, copy_.path()) {
        fs::copy(solved.directory.path(), copy_.path(), fs::copy_options::recursive);
        builder::Selection selection;
        selection.subspaces = {parent_};
        plan_ = builder::make_plan(solved.rules, selection, {}, 1);
    }

    const TableStore& store() const { return store_; }
    Bytes good(Subspace s, Metric m) const {
        return read_file(solved_.file(s, std::string(to_text(m)).c_str()));
    }
    std::string path(Metric m) const { return store_.path(child_, m); }
    Subspace child() const { return child_; }
    void mend(Metric m) const { write_file(path(m), good(child_, m)); }

    /// Whether verification of the child ends with a fault or an error; which, in `said`.
    bool verify_complains(std::string& said) const {
        builder::VerifyOptions options;
        options.full = true;
        options.memory = 1 << 30;
        try {
            builder::TableCache tables(store_, {}, options.memory, 1);
            said = builder::verify_subspace(store_, child_, {}, tables, options).fault;
        } catch (const Error& e) {
            said = e.what();
            EXPECT_TRUE(is_damage(e.code())) << said;
        }
        return !said.empty();
    }

    /// Builds the parent anew. Whether that is refused; if not, its tables must be those of an undamaged build.
    bool build_refuses(std::string& said) const {
        for (const Metric m : kMetrics) fs::remove(store_.path(parent_, m));
        builder::BuildOptions options;
        options.memory = 1 << 30;
        builder::BuildObserver silent;
        try {
            builder::build(store_, plan_, options, silent);
        } catch (const Error& e) {
            said = e.what();
            EXPECT_TRUE(is_damage(e.code())) << said;
            for (const Metric m : kMetrics) EXPECT_FALSE(fs::exists(store_.path(parent_, m)));
            return true;
        }
        for (const Metric m : kMetrics)
            EXPECT_EQ(read_file(store_.path(parent_, m)), good(parent_, m)) << "built from a damaged child";
        return false;
    }

private:
    static bool is_damage(ErrorCode code) {
        return code == ErrorCode::corrupt_table || code == ErrorCode::unsupported_format ||
               code == ErrorCode::wrong_fingerprint;
    }

    const SolvedTables& solved_;
    Subspace child_, parent_;
    TemporaryDirectory copy_;
    TableStore store_;
    std::vector<builder::PlannedGroup> plan_;
};

void damage_children(const SolvedTables& solved, const char* child, const char* parent, bool dtz_is_read,
                     int rounds) {
    const Directory directory(solved, child, parent);
    std::mt19937_64 random(3);
    std::vector<Bytes> all;
    for (const Metric m : kMetrics) all.push_back(directory.good(directory.child(), m));
    int refused = 0, unread = 0;
    for (std::size_t m = 0; m < 3; ++m) {
        Damager damager(all[m], all);
        for (int n = 0; n < rounds; ++n) {
            const Region region = kRegions[n % 4];
            const Damage damage = damager.next(region, random);
            const std::string what = damage.operation + " in the " + to_text(region) + " of " +
                                     table_file_name(directory.child(), kMetrics[m]);
            write_file(directory.path(kMetrics[m]), damage.bytes);
            std::string said;
            ASSERT_TRUE(directory.verify_complains(said)) << what;
            ASSERT_NE(said.find(to_text(directory.child())), std::string::npos) << said;
            if (directory.build_refuses(said)) {
                ASSERT_NE(said.find(to_text(directory.child())), std::string::npos) << said;
                ++refused;
            } else {
                ASSERT_TRUE(region == Region::blocks && kMetrics[m] == Metric::dtz && !dtz_is_read) << what;
                ++unread;
            }
            directory.mend(kMetrics[m]);
        }
    }
    std::cout << 3 * rounds << " damaged children: all found by verification, " << refused
              << " refused by the build, " << unread << " of no use to it\n";
}

TEST(Damaged, ChildrenAreFoundAndNeverBuiltUpon) {
    damage_children(three_pieces(), "2-2+1-1", "1-2+2-1", false, 40);
    damage_children(counting_placements(), "2-2+1-1", "1-2+2-1", true, 40);
}
TEST(SlowDamaged, Children) {
    damage_children(three_pieces(), "3-3+0-0", "2-3+1-0", false, 400);
    damage_children(counting_placements(), "3-3+0-0", "2-3+1-0", true, 400);
}

TEST(Damaged, ExchangedFiles) {
    const SolvedTables& solved = three_pieces();
    const Directory directory(solved, "2-2+1-1", "1-2+2-1");
    int swaps = 0;
    for (const Metric m : kMetrics) {
        // Empty; of another ruleset; of other subspaces and metrics.
        std::vector<Bytes> others = {
            {}, read_file(unlimited().file(directory.child(), std::string(to_text(m)).c_str()))};
        for (const auto& [s, table] : solved.tables)
            for (const Metric other : kMetrics)
                if (s != directory.child() || other != m) others.push_back(directory.good(s, other));
        for (const Bytes& other : others) {
            write_file(directory.path(m), other);
            std::string said;
            EXPECT_TRUE(directory.verify_complains(said));
            EXPECT_TRUE(directory.build_refuses(said));
            EXPECT_NE(said.find(table_file_name(directory.child(), m)), std::string::npos) << said;
            ++swaps;
        }
        directory.mend(m);
    }
    std::cout << swaps << " exchanged files, all found and refused\n";
}

TEST(Damaged, Manifests) {
    const SolvedTables& solved = three_pieces();
    const Directory directory(solved, "2-2+1-1", "1-2+2-1");
    const std::string path = directory.store().folder() + "/manifest.json";
    const auto check = [&] { return builder::check_manifest(directory.store()); };
    ASSERT_EQ(check(), "");
    const Bytes good = read_file(path);
    const auto json = [](const Bytes& bytes) {
        return nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
    };
    std::mt19937_64 random(9);
    int found = 0, harmless = 0;
    for (int n = 0; n < 500; ++n) {
        Bytes bad = good;
        switch (random() % 4) {
        case 0: bad[random() % bad.size()] ^= static_cast<std::uint8_t>(1U << random() % 8); break;
        case 1: bad.resize(random() % bad.size()); break;
        case 2:
            bad[random() % bad.size()] = static_cast<std::uint8_t>("0123456789\",[]{}"[random() % 16]);
            break;
        case 3: { // a digit for another one: still a manifest, of other files
            std::size_t at = random() % bad.size();
            while (bad[at] < '0' || bad[at] > '9') at = random() % bad.size();
            bad[at] = static_cast<std::uint8_t>('0' + (bad[at] - '0' + 1 + random() % 9) % 10);
            break;
        }
        }
        if (bad == good) continue;
        write_file(path, bad);
        if (!check().empty()) {
            ++found;
            continue;
        }
        // What says the same of the tables may say something else of the tool or of titles.
        const auto a = json(good), b = json(bad);
        ASSERT_TRUE(b.is_object());
        ASSERT_EQ(a["tables"], b["tables"]);
        ASSERT_EQ(a["fingerprint"], b["fingerprint"]);
        ++harmless;
    }
    EXPECT_GT(found, 250);
    std::cout << found << " damaged manifests found, " << harmless << " that say the same of the tables\n";

    // Stale: a table was written anew, with other bytes; one was taken away; the manifest is of other rules.
    write_file(path, good);
    directory.store().save(*solved.tables.at(directory.child()), {true, false, false}, 19, 1);
    EXPECT_NE(check().find("2-2+1-1.wdl is not the file that was listed"), std::string::npos) << check();
    fs::remove(directory.path(Metric::wdl));
    EXPECT_NE(check().find("2-2+1-1.wdl, which is not there"), std::string::npos) << check();
    directory.mend(Metric::wdl);
    EXPECT_EQ(check(), "");
    fs::copy_file(fs::path(unlimited().file(directory.child(), "wdl")).parent_path() / "manifest.json", path,
                  fs::copy_options::overwrite_existing);
    EXPECT_NE(check().find("fingerprint"), std::string::npos) << check();
    fs::remove(path);
    EXPECT_NE(check().find("missing"), std::string::npos) << check();
    std::ofstream(path).close();
    fs::resize_file(path, std::uintmax_t{1} << 36); // a hole: it takes no room on the disk
    EXPECT_NE(check().find("68719476736 bytes"), std::string::npos) << check();
    write_file(path, good);
    write_file(directory.path(Metric::wdl), {});
    EXPECT_THROW(check(), Error);
}

} // namespace
} // namespace mill::testing
