// The evaluator of seven-card poker hands, src/croupier/kernels/poker_five.py, and its census written in C++.
#include <algorithm>
#include <bit>
#include <cstdint>

namespace {

using u64 = uint64_t;
using u32 = uint32_t;

enum Class : u32 { PAIRS, TRIPS = 3, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = 10, TWO_PAIR = 2 };

constexpr u32 SUIT = 0x1FFF, ACE = 1 << 12;

inline u32 make_rank(u32 hand_class, u32 first, u32 second) { return hand_class << 26 | first << 13 | second; }
inline u32 drop(u32 ranks) { return ranks & (ranks - 1); }
inline u32 highest(u32 ranks) { return std::bit_floor(ranks); }

inline u32 straight_of_five(u32 ranks) {
    const u32 low = ranks << 1 | ranks >> 12, pairs = low & low >> 1, starts = pairs & pairs >> 2 & low >> 4;
    return highest(starts) << 3;
}

inline u32 best_flush(u32 suited) {
    if (const u32 top = straight_of_five(suited)) return make_rank(top == ACE ? ROYAL_FLUSH : STRAIGHT_FLUSH, 0, top);
    while (std::popcount(suited) > 5) suited = drop(suited);
    return make_rank(FLUSH, 0, suited);
}

inline u32 rank_five_of_seven(u64 hand) {
    const u32 a = hand & SUIT, b = hand >> 13 & SUIT, c = hand >> 26 & SUIT, d = hand >> 39 & SUIT;
    if ((std::popcount(a) + 3 | (std::popcount(b) + 3 | std::popcount(c) + 3 | std::popcount(d) + 3)) & 8)
        return best_flush(std::popcount(a) > 4 ? a : std::popcount(b) > 4 ? b : std::popcount(c) > 4 ? c : d);
    const u32 bc = b | c, bcd = bc | d, two_of_three = (b & c) | (bc & d), all_three = b & c & d;
    const u32 ranks = a | bcd, three = all_three | (a & two_of_three), straight = straight_of_five(ranks);
    u32 two = two_of_three | (a & bcd);
    if (straight | three) {
        if (const u32 four = a & all_three) return make_rank(QUADS, four, highest(ranks ^ four));
        const u32 trips = highest(three);
        if (three && two != trips) return make_rank(FULL_HOUSE, trips, highest(two ^ trips));
        return straight ? make_rank(STRAIGHT, 0, straight) : make_rank(TRIPS, trips, drop(drop(ranks ^ trips)));
    }
    const u32 pairs = std::popcount(two);
    if (pairs > 2) {
        two = drop(two);
        return make_rank(TWO_PAIR, two, drop(ranks ^ two));
    }
    return make_rank(pairs, two, drop(drop(ranks ^ two)));
}

}  // namespace

// Adds up counts by class and returns the sum of all ranks. `suits` has `row` cells for the sets of each number of ranks.
extern "C" int64_t count_sevens(const int64_t* suits, int64_t row, const int64_t* numbers, int64_t* counts) {
    int64_t total = 0;
    for (int n = 0; n <= 7; ++n)
        for (int i = 0; i < numbers[n]; ++i)
            for (int m = 0; m <= 7 - n; ++m)
                for (int j = 0; j < numbers[m]; ++j)
                    for (int k = 0; k <= 7 - n - m; ++k)
                        for (int o = 0; o < numbers[k]; ++o) {
                            const u64 three = u64(suits[n * row + i]) << 39 | u64(suits[m * row + j]) << 26 |
                                              u64(suits[k * row + o]) << 13;
                            const int left = 7 - n - m - k;
                            for (int p = 0; p < numbers[left]; ++p) {
                                const u32 rank = rank_five_of_seven(three | (suits[left * row + p] & SUIT));
                                ++counts[rank >> 26];
                                total += rank;
                            }
                        }
    return total;
}
