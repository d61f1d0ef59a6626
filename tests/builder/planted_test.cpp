// Wrong values in tables whose checksums and statistics are good: verification finds each and names it.
#include "builder/check/verify.h"
#include "builder/tables/store.h"
#include "rules/text.h"
#include "tests/probe/solved_tables.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <sys/wait.h>

namespace mill::testing {
namespace {

namespace fs = std::filesystem;
using builder::MemoryTable;
using builder::TableStore;

enum class Plant { outcome, dtz, dte, step_value, step_budget, step_lost, step_more };
constexpr Plant kPlants[] = {Plant::outcome,     Plant::dtz,       Plant::dte,      Plant::step_value,
                             Plant::step_budget, Plant::step_lost, Plant::step_more};

const char* to_text(Plant p) {
    constexpr const char* names[] = {"outcome",     "dtz",       "dte",       "step value",
                                     "step budget", "lost step", "false step"};
    return names[static_cast<int>(p)];
}

/// Whether the entry holds the position, up to symmetry.
bool same_position(const MemoryTable& t, std::uint64_t entry, const Position& p) {
    const auto [own, opp] = t.index.position(entry);
    for (int s = 0; s < kSymmetries; ++s)
        if (transform(own, s) == p.stones[p.us()] && transform(opp, s) == p.stones[p.them()]) return true;
    return false;
}

class Planted {
public:
    explicit Planted(const SolvedTables& solved) : solved_(solved), store_(solved.rules, copy_.path()) {
        fs::copy(solved.directory.path(), copy_.path(), fs::copy_options::recursive);
    }

    /// One wrong value at a random place of the subspace; its entry, or nothing if there is no such thing
    /// to be wrong.
    std::optional<std::uint64_t> plant(Subspace s, Plant what) {
        const MemoryTable& truth = *solved_.tables.at(s);
        MemoryTable t = copy_of(truth);
        const std::uint64_t entry = what < Plant::step_value || what == Plant::step_more
                                        ? decided_entry(truth, what == Plant::outcome)
                                        : stepped_entry(truth);
        if (entry >= truth.index.size()) return {};
        const auto step = std::lower_bound(t.steps.begin(), t.steps.end(),
                                           ProfileStep{static_cast<std::uint32_t>(entry), 0, 0});
        switch (what) {
        case Plant::outcome: {
            const std::uint32_t other = (t.code(entry) + 1 + static_cast<std::uint32_t>(random_() % 2)) % 3;
            const unsigned shift = 2 * (entry & 3);
            t.wdl[entry >> 2] =
                static_cast<std::uint8_t>((t.wdl[entry >> 2] & ~(3U << shift)) | other << shift);
            if (other == 0) t.dtz[entry] = t.dte[entry] = 0; // as in every table: draws have no distance
            break;
        }
        case Plant::dtz: t.dtz[entry] = shifted(t.dtz[entry]); break;
        case Plant::dte: t.dte[entry] = shifted(t.dte[entry]); break;
        case Plant::step_value: step->dte = shifted(step->dte); break;
        case Plant::step_budget: ++step->budget; break;
        case Plant::step_lost: t.steps.erase(step); break;
        case Plant::step_more: {
            // From the DTZ on the distance would be another one, for one budget.
            const int limit = draw_limit(solved_.rules, make_position(s, 0, 0));
            if (t.dtz[entry] + 1 > limit || t.dtz[entry] == 0 ||
                (step != t.steps.end() && step->entry == entry))
                return plant(s, what); // elsewhere
            t.steps.insert(step, {static_cast<std::uint32_t>(entry),
                                  static_cast<std::uint16_t>(t.dtz[entry] + 1), shifted(t.dte[entry])});
            break;
        }
        }
        std::sort(t.steps.begin(), t.steps.end());
        store_.save(t, {}, 3, 1);
        store_.write_manifest();
        return entry;
    }

    void mend(Subspace s) { store_.save(*solved_.tables.at(s), {}, 3, 1); }

    std::string fault(Subspace s) const {
        builder::VerifyOptions options;
        options.full = true;
        options.memory = 1 << 30;
        builder::TableCache tables(store_, {}, options.memory, 1);
        return builder::verify_subspace(store_, s, {}, tables, options).fault;
    }

    /// Whether the fault names the planted position, or one whose turns lead to it.
    void expect_named(Subspace s, std::uint64_t entry, const std::string& fault) const {
        const Position named = parse_position(solved_.rules, fault.substr(0, fault.find(": ")));
        const MemoryTable& t = *solved_.tables.at(s);
        bool found = subspace_of(named) == s && same_position(t, entry, named);
        TurnList turns;
        generate_turns(solved_.rules, named, turns);
        for (const Turn turn : turns) {
            const Position child = apply_turn(solved_.rules, named, turn);
            found |= subspace_of(child) == s && same_position(t, entry, child);
        }
        EXPECT_TRUE(found) << fault << " is not about entry " << entry << " of " << mill::to_text(s);
    }

    const TableStore& store() const { return store_; }
    std::string folder() const { return copy_.path(); }
    std::uint64_t random(std::uint64_t below) { return random_() % below; }

private:
    std::uint16_t shifted(std::uint16_t v) {
        return static_cast<std::uint16_t>(v == 0 || random_() % 2 ? v + 1 : v - 1);
    }
    std::uint64_t decided_entry(const MemoryTable& t, bool any) {
        for (int tries = 0; tries < 10000; ++tries) {
            const std::uint64_t i = random_() % t.index.size();
            if (any || t.outcome(i) != Outcome::draw) return i;
        }
        return t.index.size();
    }
    std::uint64_t stepped_entry(const MemoryTable& t) {
        return t.steps.empty() ? t.index.size() : t.steps[random_() % t.steps.size()].entry;
    }

    const SolvedTables& solved_;
    TemporaryDirectory copy_;
    TableStore store_;
    std::mt19937_64 random_{11};
};

void plant_and_find(const SolvedTables& solved, const std::vector<const char*>& subspaces, int rounds,
                    const std::vector<Plant>& plants) {
    Planted planted(solved);
    std::map<Plant, int> found;
    for (const char* text : subspaces) {
        const Subspace s = parse_subspace(text);
        ASSERT_EQ(planted.fault(s), "");
        for (const Plant what : plants)
            for (int round = 0; round < rounds; ++round) {
                const auto entry = planted.plant(s, what);
                ASSERT_TRUE(entry) << to_text(what) << " has no place in " << text;
                const std::string fault = planted.fault(s);
                ASSERT_NE(fault, "") << to_text(what) << " at entry " << *entry << " of " << text;
                planted.expect_named(s, *entry, fault);
                ++found[what];
                planted.mend(s);
            }
    }
    for (const Plant what : plants) std::printf("%4d %s\n", found[what], to_text(what));
}

// False steps exist where there is a limit, steps to change only where a capture can be put off.
const std::vector<Plant> kValues = {Plant::outcome, Plant::dtz, Plant::dte};
const std::vector<Plant> kWithStep = {Plant::outcome, Plant::dtz, Plant::dte, Plant::step_more};

const SolvedTables& with_profiles() {
    static const SolvedTables solved("lg9;quiet_limit=30", {parse_subspace("3-4")});
    return solved;
}

TEST(Planted, WrongValuesAreFoundAndNamed) {
    plant_and_find(three_pieces(), {"2-3+1-0", "1-2+2-1", "2-2+1-1"}, 3, kWithStep);
}
TEST(Planted, WherePlacementsCount) {
    plant_and_find(counting_placements(), {"2-3+1-0", "2-2+1-1"}, 3, kWithStep);
}
TEST(Planted, WithoutALimit) { plant_and_find(unlimited(), {"2-3+1-0", "1-2+2-1"}, 3, kValues); }
TEST(Planted, StepOfAProfile) { plant_and_find(with_profiles(), {"3-4+0-0"}, 1, {Plant::step_value}); }

TEST(SlowPlanted, InCycles) {
    for (const SolvedTables* solved : {&three_pieces(), &counting_placements()})
        plant_and_find(*solved, {"3-3+0-0", "2-3+1-0", "2-2+1-1", "1-2+2-1"}, 20, kWithStep);
    plant_and_find(unlimited(), {"3-3+0-0", "2-3+1-0", "2-2+1-1", "1-2+2-1"}, 20, kValues);
}
TEST(SlowPlanted, StepsOfProfiles) {
    plant_and_find(with_profiles(), {"3-4+0-0"}, 6, {kPlants, kPlants + std::size(kPlants)});
}

TEST(Planted, TheProgramFindsThemToo) {
    const SolvedTables& solved = three_pieces();
    Planted planted(solved);
    const std::string output = planted.folder() + "/out";
    const auto verify = [&] {
        const std::string command =
            std::string(MILLWRIGHT) +
            " verify --full --subspace 2-2+1-1 --threads 1 --rules lg9 --set quiet_limit=20 --tables " +
            planted.folder() + " >" + output + " 2>&1";
        return WEXITSTATUS(std::system(command.c_str()));
    };
    EXPECT_EQ(verify(), 0);
    for (const Plant what : kWithStep) {
        const Subspace s = parse_subspace("2-2+1-1");
        ASSERT_TRUE(planted.plant(s, what));
        EXPECT_EQ(verify(), 1) << to_text(what);
        std::ifstream in(output);
        const std::string said((std::istreambuf_iterator<char>(in)), {});
        EXPECT_NE(said.find(": stored "), std::string::npos) << said;
        planted.mend(s);
    }
}

} // namespace
} // namespace mill::testing
