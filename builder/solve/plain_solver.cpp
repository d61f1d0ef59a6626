// The rare subspaces in which a mill can be moved into another while the opponent has no stone on the
// board (movement while reserves remain, with a mill-return rule): such a transfer captures nothing, so
// its restricted child is quiet and depends on the budget. The opponent can only place, so nothing
// cycles, and the tables are small: every value is taken straight from the plain rules.

#include "builder/machine/parallel.h"
#include "builder/solve/solver_parts.h"
#include "builder/solve/transfers.h"

#include <algorithm>

namespace mill::builder {

bool needs_plain_solver(const Ruleset& rules, Subspace s) {
    const TurnClasses t(rules, s);
    return t.transfers && !t.captures;
}

MemoryTable solve_plain(const Ruleset& rules, Subspace s, const TableSource& source,
                        const SolveOptions& options) {
    std::vector<Subspace> needed = dependencies(rules, s);
    needed.push_back(s.mirrored());
    const TableValues values(needed, source);
    const int limit = TurnClasses(rules, s).limit;
    MemoryTable t(s);
    const std::uint64_t size = t.index.size();
    t.wdl = HugeArray<std::uint8_t>(size / 4 + 9);
    t.dtz = HugeArray<std::uint16_t>(size);
    if (options.dte) t.dte = HugeArray<std::uint16_t>(size);
    std::mutex mutex;
    // Four entries a step: codes of the same byte belong to one thread.
    parallel_rows(static_cast<std::uint32_t>((size + 3) / 4), options.threads, options.stop,
                  [&](std::uint32_t four, int) {
                      for (std::uint64_t i = std::uint64_t{four} * 4;
                           i < std::min(size, std::uint64_t{four} * 4 + 4); ++i) {
                          const auto [own, opp] = t.index.position(i);
                          const Position p = make_position(s, own, opp);
                          // Its own value is not stored yet: the turns are looked at one by one.
                          TurnList turns;
                          generate_turns(rules, p, turns);
                          Depth depth{judge(rules, p).outcome, 0};
                          if (!turns.empty()) {
                              int win = 1 << 20, loss = 0;
                              bool draws = false;
                              for (const Turn turn : turns) {
                                  const Depth d = evaluate_turn_depth(rules, p, turn, values);
                                  if (d.outcome == Outcome::win) win = std::min(win, d.dtz);
                                  else if (d.outcome == Outcome::draw) draws = true;
                                  else loss = std::max(loss, d.dtz);
                              }
                              depth = win < 1 << 20 ? Depth{Outcome::win, win}
                                      : draws       ? Depth{}
                                                    : Depth{Outcome::loss, loss};
                          }
                          t.wdl[i >> 2] = static_cast<std::uint8_t>(
                              t.wdl[i >> 2] | static_cast<unsigned>(depth.outcome) << (2 * (i & 3)));
                          if (depth.outcome == Outcome::draw) continue;
                          t.dtz[i] = static_cast<std::uint16_t>(depth.dtz);
                          if (!options.dte || turns.empty()) continue;
                          auto at = [&](int budget) {
                              Value best{Outcome::loss, 0};
                              for (const Turn turn : turns) {
                                  const Value v = evaluate_turn(rules, p, turn, budget, values);
                                  if (better(v, best)) best = v;
                              }
                              return best.dte;
                          };
                          t.dte[i] = at(limit);
                          std::uint16_t before = t.dte[i];
                          std::vector<ProfileStep> steps;
                          for (int r = limit - 1; r >= std::max(1, depth.dtz); --r) {
                              const std::uint16_t now = at(r);
                              if (now != before)
                                  steps.push_back({static_cast<std::uint32_t>(i),
                                                   static_cast<std::uint16_t>(r + 1), now});
                              before = now;
                          }
                          const std::lock_guard lock(mutex);
                          t.steps.insert(t.steps.end(), steps.begin(), steps.end());
                      }
                  });
    std::sort(t.steps.begin(), t.steps.end());
    return t;
}

} // namespace mill::builder
