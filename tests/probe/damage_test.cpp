// Damage of every kind to every part of every kind of table file: noticed when the file is opened, or by every
// probe that reads the damaged part; no answer is ever wrong.
#include "probe/tables/answers.h"
#include "rules/text.h"
#include "tests/probe/damage.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iomanip>
#include <iostream>

namespace mill::testing {
namespace {

constexpr Metric kMetrics[] = {Metric::wdl, Metric::dtz, Metric::dte};

std::uint64_t mutations() {
    const char* wanted = std::getenv("MILL_MUTATIONS");
    return wanted ? std::strtoull(wanted, nullptr, 10) : 100000;
}

/// What became of the damaged files and of the probes into them.
struct Outcomes {
    std::uint64_t files = 0, refused = 0, read_errors = 0, probe_errors = 0, right = 0, unasked = 0;
};

/// The files of one subspace, and how each can be damaged.
struct Victim {
    Subspace subspace;
    std::vector<Damager> files; ///< by metric
};

class DamageTest {
public:
    explicit DamageTest(const SolvedTables& solved, const std::vector<const char*>& subspaces)
        : solved_(solved) {
        std::vector<Bytes> all;
        for (const char* text : subspaces)
            for (const Metric m : kMetrics)
                all.push_back(
                    read_file(solved.file(parse_subspace(text), std::string(mill::to_text(m)).c_str())));
        for (std::size_t i = 0; i < subspaces.size(); ++i) {
            Victim v{parse_subspace(subspaces[i]), {}};
            for (std::size_t m = 0; m < 3; ++m) v.files.emplace_back(all[3 * i + m], all);
            victims_.push_back(std::move(v));
        }
    }

    void round(std::uint64_t n) {
        // Small files take most of it: they are quick, and no part of a large one is of another kind.
        Victim& victim = victims_[n % 16 == 0 ? 0 : 1 + n % (victims_.size() - 1)];
        const std::size_t hit = random_() % 3;
        const Region region = kRegions[random_() % 4];
        const Damage damage = victim.files[hit].next(region, random_);
        Outcomes& o =
            outcomes_[{std::string(mill::to_text(kMetrics[hit])) + " " + to_text(region), damage.operation}];
        ++o.files;
        TableSet set(solved_.rules);
        bool taken = true;
        for (std::size_t m = 0; m < 3; ++m) {
            const Bytes& bytes = m == hit ? damage.bytes : victim.files[m].good();
            try {
                set.add_source(memory_source(bytes), "damaged");
            } catch (const Error& e) {
                ASSERT_EQ(m, hit) << e.what();
                ASSERT_TRUE(e.code() == ErrorCode::corrupt_table || e.code() == ErrorCode::unsupported_format)
                    << e.what();
                taken = false;
                ++o.refused;
            }
        }
        if (taken) {
            ASSERT_FALSE(reads_well(damage.bytes)) << damage.operation << " in the " << to_text(region);
            ++o.read_errors;
        }
        for (int i = 0; i < 6; ++i) probe(set, victim, hit, damage, taken, o);
    }

    void print() const {
        std::cout
            << "file and part   damage                   files  refused  unreadable | probes: errors  right\n";
        Outcomes sum;
        for (const auto& [kind, o] : outcomes_) {
            std::cout << std::left << std::setw(16) << kind.first << std::setw(22) << kind.second
                      << std::right << std::setw(8) << o.files << std::setw(9) << o.refused << std::setw(12)
                      << o.read_errors << std::setw(17) << o.probe_errors << std::setw(7) << o.right << "\n";
            sum.files += o.files;
            sum.refused += o.refused;
            sum.read_errors += o.read_errors;
            sum.probe_errors += o.probe_errors;
            sum.right += o.right;
        }
        std::cout << sum.files << " damaged files: " << sum.refused << " refused when opened, "
                  << sum.read_errors << " when read; of the probes " << sum.probe_errors << " were errors, "
                  << sum.right << " right, none wrong\n";
    }

    std::size_t kinds() const { return outcomes_.size(); }

private:
    /// Whether all blocks of a file that opens can be read.
    static bool reads_well(const Bytes& bytes) {
        const TableReader reader(memory_source(bytes));
        std::vector<std::uint8_t> raw;
        try {
            for (std::uint32_t b = 0; b < reader.meta().block_count(); ++b) reader.read_block(b, raw);
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::corrupt_table) << e.what();
            return false;
        }
        return true;
    }

    void probe(const TableSet& set, const Victim& victim, std::size_t hit, const Damage& damage, bool taken,
               Outcomes& o) {
        const builder::MemoryTable& truth = *solved_.tables.at(victim.subspace);
        const TableMeta& meta = victim.files[hit].meta();
        const bool in_block = damage.region == Region::blocks && taken && random_() % 2;
        const std::uint64_t n = in_block ? std::uint64_t{damage.block} * meta.block_entries +
                                               random_() % meta.entries_in(damage.block)
                                         : random_() % truth.index.size();
        const auto [own, opp] = truth.index.position(n);
        Position p = make_position(victim.subspace, own, opp);
        if (judge(solved_.rules, p).reason != Reason::none) return;
        const int limit = draw_limit(solved_.rules, p);
        if (limit && random_() % 2)
            p.counter = static_cast<std::uint8_t>(random_() % static_cast<std::uint64_t>(limit));
        const Value v = truth.at(n, limit - p.counter);
        // A draw's distances are not looked up.
        const bool touches =
            in_block &&
            (hit == 0 || (truth.outcome(n) != Outcome::draw && (hit == 1 || v.outcome != Outcome::draw)));
        try {
            const Answer a = answer(set, p, kAllMetrics);
            ASSERT_FALSE(touches) << mill::to_text(p) << " is answered from a damaged block";
            ASSERT_EQ(a.outcome, v.outcome) << mill::to_text(p);
            if (v.outcome != Outcome::draw) {
                ASSERT_TRUE(a.dte == v.dte || (a.dte == -1 && hit == 2 && !taken)) << mill::to_text(p);
                ASSERT_TRUE(a.dtz == truth.dtz[n] || (a.dtz == -1 && hit == 1 && !taken)) << mill::to_text(p);
            }
            ++o.right;
        } catch (const Error& e) {
            ASSERT_TRUE(e.code() == ErrorCode::corrupt_table ||
                        (!taken && e.code() == ErrorCode::missing_table))
                << e.what();
            ++o.probe_errors;
        }
    }

    const SolvedTables& solved_;
    std::vector<Victim> victims_;
    std::mt19937_64 random_{5};
    std::map<std::pair<std::string, std::string>, Outcomes> outcomes_;
};

TEST(Damage, OfEveryKindIsNoticed) {
    DamageTest test(three_pieces(), {"3-3+0-0", "2-2+1-1", "1-2+2-1", "1-1+2-2", "0-1+3-2"});
    for (std::uint64_t n = 0; n < mutations() && !::testing::Test::HasFatalFailure(); ++n) test.round(n);
    test.print();
    // Three metrics, and in each eight kinds in place of three parts and six of size, but for rounding: two names
    // are shared by several numbers.
    EXPECT_GE(test.kinds(), 3U * (3 * 6 + 6) - 6);
}

} // namespace
} // namespace mill::testing
