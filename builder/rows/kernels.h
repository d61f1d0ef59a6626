// Row kernels for outcomes and DTZ over expanded rows, compiled once per processor family and chosen
// at run time; all versions give the same bits. Raw pointers and plain data only (see row.h).
#pragma once

#include "builder/rows/messages.h"
#include "builder/rows/row.h"

namespace mill::builder {

/// A row of a smaller table that captures lead to: the child's 2-bit codes and the way from local
/// subsets of this row to its ranks.
struct CaptureRow {
    const std::uint8_t* codes;        ///< of the whole child table
    std::uint64_t base;               ///< index of the row's first entry
    const std::uint32_t* high_offset; ///< RankTable of the child's waiting side
    std::uint32_t low[64];            ///< image of local points 0 to 5
    std::uint32_t middle[512];        ///< of local points 6 to 14
    std::uint32_t top[512];           ///< of local points 15 to 23
};

/// Scratch of one thread for rows of 2^k subsets: zeroed bitsets that kernels leave zeroed.
struct RowScratch {
    std::uint64_t* win = nullptr;        ///< 2^k bits
    std::uint64_t* escape = nullptr;     ///< 2^k bits
    std::uint64_t* cap_win = nullptr;    ///< 2^k bits; arrivals whose capture wins
    std::uint64_t* cap_hold = nullptr;   ///< 2^k bits; arrivals whose best capture does not lose
    std::uint64_t* child_loss = nullptr; ///< 2^k bits; placements: child lost
    std::uint64_t* child_hold = nullptr; ///< 2^k bits; placements: child not won
    std::uint8_t* touched = nullptr;     ///< one flag per block
    std::uint32_t* list = nullptr;       ///< blocks touched
};

/// One row's transfer: arrival subset, local points left and reached.
struct TransferMove {
    std::uint32_t arrival;
    std::uint8_t from, to;
};

/// Arrays named open, cand, win, win_news and loss_news are stored rows; those of the scratch and
/// `hold` are expanded.
struct Kernels {
    const char* name;

    /// Adds to scratch.win/escape what constant turns give: movements that arrive with a mill, from
    /// cap_win/cap_hold. With skip_transfers those that leave a complete mill are left out.
    void (*captures_to_sources)(const RowFrame&, const RowShape&, RowScratch&, bool skip_transfers);
    /// Fills cap_win/cap_hold for every set of the shape with a mill; best over `rows` children. A null
    /// `rows` means that every capture wins at once.
    void (*best_captures)(const RowFrame&, const RowShape&, const CaptureRow* rows, int count, RowScratch&);
    /// Clears cap_win/cap_hold again.
    void (*clear_captures)(const RowShape&, RowScratch&);
    /// Lists transfers (arrivals with a mill out of a complete mill): all, or those that could add to
    /// win or escape of `useful` by what cap_win and cap_hold say. Returns their number; at most `capacity`
    /// are written.
    std::size_t (*list_transfers)(const RowFrame&, const RowShape&, const RowScratch* useful,
                                  TransferMove* out, std::size_t capacity);
    /// Expands one row of 2-bit codes (sets of the shape) to child_loss/child_hold.
    void (*expand_child)(const RowShape&, const std::uint8_t* codes, std::uint64_t base, RowScratch&);
    /// The same from codes and DTZ: decided only where dtz <= budget.
    void (*expand_child_at)(const RowShape&, const std::uint8_t* codes, const std::uint16_t* dtz,
                            std::uint64_t base, int budget, RowScratch&);
    /// Adds to scratch.win/escape what placements give; shape is that of the children (n + 1 stones).
    void (*placements_to_sources)(const RowFrame&, const RowShape& child, RowScratch&, bool captures);
    /// open := all sets of the shape; cand := open minus sets without any movement when `movement` (these are
    /// emitted as lost in 0, or dropped from cand only when `blocked_draw`).
    void (*start_row)(const RowFrame&, const RowShape&, std::uint64_t* open, std::uint64_t* cand,
                      bool movement, bool blocked_draw, const CrossTarget&, Sink<std::uint32_t>& losses);
    /// Takes scratch.win as won (emits), scratch.escape as never lost (drops from cand); clears both.
    void (*settle_constants)(const RowFrame&, const RowShape&, RowScratch&, std::uint64_t* open,
                             std::uint64_t* cand, const CrossTarget&, Sink<std::uint32_t>& wins);
    /// Quiet predecessors of newly lost entries are won. Clears loss_news.
    void (*wins_from_news)(const RowFrame&, const RowShape&, RowScratch&, std::uint64_t* loss_news,
                           std::uint64_t* open, std::uint64_t* cand, bool captures, const CrossTarget&,
                           Sink<std::uint32_t>& wins);
    /// Candidates among quiet predecessors of newly won entries (or all, with win_news null) without a
    /// quiet turn to a position not won are lost. `hold` (may be null) are sets that hold by a turn
    /// that is neither. Clears win_news.
    void (*losses_from_news)(const RowFrame&, const RowShape&, RowScratch&, std::uint64_t* win_news,
                             const std::uint64_t* win, const std::uint64_t* hold, std::uint64_t* open,
                             std::uint64_t* cand, bool movement, bool captures, const CrossTarget&,
                             Sink<std::uint32_t>& losses);
    /// Sends subsets to their rows in the other layout.
    void (*emit_list)(const RowFrame&, const std::uint32_t* subsets, std::size_t count, const CrossTarget&,
                      Sink<std::uint32_t>&);
    /// The same with a payload each: message = key | payload << 32.
    void (*emit_values)(const RowFrame&, const std::uint32_t* subsets, const std::uint32_t* payloads,
                        std::size_t count, const CrossTarget&, Sink<std::uint64_t>&);
};

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;   ///< needs AVX2 and BMI2
extern const Kernels kAvx512Kernels; ///< needs AVX-512 F, BW, DQ, VL and BMI2
#endif

/// The best kernels for this processor; MILLWRIGHT_KERNELS=portable|avx2|avx512 in the environment chooses.
const Kernels& best_kernels();

} // namespace mill::builder
