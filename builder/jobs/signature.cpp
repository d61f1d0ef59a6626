#include "builder/jobs/signature.h"

#include "builder/solve/solved_set.h"
#include "builder/solve/transfers.h"
#include "builder/tables/store.h"
#include "probe/index/turn_classes.h"
#include "rules/error.h"
#include "rules/perft.h"
#include "rules/text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace mill::builder {

namespace fs = std::filesystem;

namespace {

/// What is hashed: texts and numbers, in blocks.
class Hash {
public:
    void add(std::string_view text) {
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        bytes_.push_back(0);
        if (bytes_.size() > 1 << 16) fold();
    }
    void add(std::uint64_t number) { add(std::to_string(number)); }
    void add(Value v) {
        add(to_text(v.outcome));
        add(v.dte);
    }
    std::uint64_t value() {
        fold();
        return hash_;
    }

private:
    void fold() {
        for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<std::uint8_t>(hash_ >> (8 * i)));
        hash_ = checksum_of(bytes_);
        bytes_.clear();
    }
    std::vector<std::uint8_t> bytes_;
    std::uint64_t hash_ = 0;
};

/// SplitMix64: the same numbers everywhere, unlike those of the standard library's distributions.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t operator()(std::uint64_t below) {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return (z ^ (z >> 31)) % below;
    }

private:
    std::uint64_t state_;
};

/// One game of the spread: a preset, with small limits that keep it quick, and what is solved of it.
struct Sample {
    const char* preset;
    std::vector<const char*> changes;
    std::vector<const char*> subspaces;
};

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = {
        {"lg9", {"quiet_limit=9"}, {"0-0+3-3", "4-3", "3-2+0-1"}},
        {"lg10", {"quiet_limit=9"}, {"0-0+3-3"}},
        {"lg12", {"quiet_limit=9", "endgame_limit=5"}, {"0-0+3-3", "5-3"}},
        {"app9", {"quiet_limit=12"}, {"0-0+3-3"}},
        {"app6", {"flying=off"}, {"3-3+0-0"}},
        {"app3", {}, {"3-3+0-0"}},
        {"twelve", {}, {"0-0+3-3"}},
        {"twelve-tournament", {}, {"5-3"}},
        {"gf9", {"quiet_limit=7"}, {"0-0+3-3"}},
        {"solved9", {}, {"0-0+3-3"}},
        {"solved10", {}, {"0-0+3-3"}},
        {"solved12", {}, {"0-0+3-3"}},
    };
    return all;
}

class Maker {
public:
    Maker(std::string folder, int threads, const std::atomic<bool>* stop)
        : folder_(std::move(folder)), threads_(threads), stop_(stop) {}

    Signature make() {
        for (const std::string& name : preset_names()) rules_of(load_ruleset(name));
        for (const Sample& s : samples()) {
            Ruleset rules = load_ruleset(s.preset);
            for (const char* change : s.changes) rules.set(change);
            solve_sample(rules, s);
        }
        out_.values = values_.value();
        out_.tables = tables_.value();
        return out_;
    }

private:
    /// The ruleset's text, and games of random turns, with everything that can be said of their positions.
    void rules_of(const Ruleset& rules) {
        values_.add(rules.to_ini());
        values_.add(rules.fingerprint());
        for (int depth = 1; depth <= 3; ++depth) values_.add(perft(rules, initial_position(rules), depth));
        for (int game = 0; game < 40; ++game) {
            Position p = initial_position(rules);
            for (int ply = 0; ply < 120; ++ply) {
                values_.add(to_text(p));
                const Ending end = judge(rules, p);
                values_.add(to_text(end.reason));
                ++out_.positions;
                TurnList turns;
                generate_turns(rules, p, turns);
                for (const Turn t : turns) values_.add(to_text(t));
                out_.turns += static_cast<std::uint64_t>(turns.size());
                if (turns.empty()) break;
                p = apply_turn(rules, p, turns[static_cast<int>(random_(turns.size()))]);
                const int limit = draw_limit(rules, p);
                if (limit && p.counter >= limit) break;
            }
        }
    }

    void solve_sample(const Ruleset& rules, const Sample& s) {
        SolveOptions options;
        options.threads = threads_;
        options.stop = stop_;
        SolvedSet solved(rules, options);
        for (const char* text : s.subspaces) solved.need(parse_subspace(text));
        std::vector<Subspace> all;
        for (const auto& [subspace, table] : solved.all()) all.push_back(subspace);
        const TableValues values(all, [&](Subspace c) { return solved.get(c); });
        for (const auto& [subspace, table] : solved.all()) values_of(rules, *table, values);
        bytes_of(solved);
    }

    Stones random_set(int size, Stones free) {
        Stones set = 0;
        while (count(set) < size) set |= free & bit(static_cast<int>(random_(kPoints)));
        return set;
    }

    /// Whole-table statistics, and random boards with all their turns. Boards are drawn as boards, so that the
    /// order in which a table holds them plays no part.
    void values_of(const Ruleset& rules, const MemoryTable& t, const TableValues& values) {
        for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) {
            const TableStats s = statistics(t, m, threads_, stop_);
            for (const std::uint64_t n :
                 {s.win, s.draw, s.loss, s.sum, static_cast<std::uint64_t>(s.max + 1)})
                values_.add(n);
        }
        for (int n = 0; n < 150; ++n) {
            const Stones own = random_set(t.subspace.own, kAllPoints);
            const Position p = make_position(t.subspace, own, random_set(t.subspace.opp, kAllPoints & ~own));
            values_.add(to_text(p));
            if (judge(rules, p).reason != Reason::none) continue;
            const int limit = draw_limit(rules, p);
            const int budgets[] = {limit, std::max(1, limit - 1), limit / 2 + 1, 1};
            const Depth d = evaluate_depth(rules, p, values);
            values_.add(to_text(d.outcome));
            values_.add(static_cast<std::uint64_t>(d.dtz));
            TurnList turns;
            generate_turns(rules, p, turns);
            for (const int r : budgets) {
                values_.add(evaluate(rules, p, limit ? r : 0, values));
                for (const Turn turn : turns) {
                    values_.add(to_text(turn));
                    values_.add(evaluate_turn(rules, p, turn, limit ? r : 0, values));
                }
                if (!limit) break;
            }
            ++out_.positions;
            out_.turns += static_cast<std::uint64_t>(turns.size());
        }
    }

    void bytes_of(const SolvedSet& solved) {
        const TableStore store(solved.rules(), folder_);
        for (const auto& [subspace, table] : solved.all()) {
            store.save(*table, {}, 3, threads_, stop_);
            for (const Metric m : {Metric::wdl, Metric::dtz, Metric::dte}) {
                const std::string path = store.path(subspace, m);
                std::ifstream in(path, std::ios::binary);
                const std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
                if (bytes.empty()) throw Error(ErrorCode::io, "cannot read " + path);
                tables_.add(fs::path(path).filename().string());
                tables_.add(checksum_of(bytes));
                ++out_.files;
            }
        }
        fs::remove_all(store.folder());
    }

    std::string folder_;
    int threads_;
    const std::atomic<bool>* stop_;
    Hash values_, tables_;
    Random random_{2024};
    Signature out_;
};

} // namespace

Signature signature(const std::string& folder, int threads, const std::atomic<bool>* stop) {
    return Maker(folder, threads, stop).make();
}

} // namespace mill::builder
