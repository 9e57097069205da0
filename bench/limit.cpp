// The limit that Croupier's sampler is measured against: the same rounds, written by hand for one core.
//
// One seat, default rules, every round from a fresh shoe: blackjack, Double Down Madness and mini-baccarat, with the
// side wagers that `croupier simulate` counts. Numbers, shuffle, order of cards and strategy are Croupier's own, so the
// counts of the same seed and chunks are equal, cell by cell; `bench/limit.py`, which builds and calls this, compares.
//
// What makes it fast:
// - random numbers, slots and whether some slots are alike are made a block at a time, which the compiler turns into
//   vector code;
// - the shoe holds what a card adds to a hand, not its number: a hand is a sum and a set of bits, both in registers;
// - the first card that a hand may take is added without a branch;
// - the strategy is an automaton: a hand is a node, a card leads to the next node, a node says what to do; its few
//   nodes fit the fastest cache even when play looks at every card of a hand;
// - what is looked up beside it (totals, the dealer's rule, outcomes, rows of side wagers) is a small table;
// - one cell is counted for a whole result, and turned into the counts asked for at the end.

#include <cstdint>

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

#define INLINE inline __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline))

INLINE bool rarely(bool what) { return __builtin_expect(what, false); }
INLINE u32 if_so(u32 yes, u32 what) { return what & (0u - yes); }  // without a branch; `yes` is 0 or 1

// --------------------------------------------------------------------------------------------- what Python hands over

// Nodes are multiples of 16, so that a node and a card's value, 1 to 10, make an index. From node 0 the cards of a hand
// lead to its node; value 0, no card, leads to a node that stands.
constexpr u32 HIT = 1, DOUBLE = 2, SPLIT = 4;

struct Plan {
    i64 decks;
    i64 tens;             // ten-values in the shoe, for insurance; 0 never insures
    i64 jackpot_suit;     // that the progressive names
    const i64* pays;      // profit for each unit staked, by outcome, in the smallest unit
    const u16* step;      // by node and value of the card
    const u8* code;       // by node and value of the up card
};

struct Counts {
    i64 *main, *insurance, *net, *wager, *bets;
    i64 *far_profit, *far_square, *far_staked;
};

constexpr i64 NET_CELLS = 512, WAGER_CELLS = 64, BET_CELLS = 32;
enum Outcome : u32 { LOSE, BLACKJACK, SUITED_BLACKJACK, UNSUITED_BLACKJACK, DOUBLE_BARREL, WIN, PUSH, OUTCOMES };

// ----------------------------------------------------------------------------------------------------- a card, a hand

// The low bits of cards are added up: values, aces, number of cards. The high bits are a set: ranks, suits.
// The lowest ten, values and aces, decide a total, so tables are looked up by them.
constexpr u32 VALUE = 31, ACE = 1 << 5, CARD = 1 << 10, KEYS = 1 << 10;
constexpr int CARDS_AT = 10, RANKS_AT = 15, SUITS_AT = 28;
constexpr u32 BLACKJACK_KEY = 11 | ACE;  // ace and ten-value, nothing else

constexpr u32 card_of(u32 id, u32 value_of_tens) {
    const u32 rank = id >> 2, value = rank < 9 ? rank + 1 : value_of_tens;
    return value | (rank == 0 ? ACE : 0) | CARD | 1u << (RANKS_AT + rank) | 1u << (SUITS_AT + (id & 3));
}

INLINE u32 key(u32 sum) { return sum & (KEYS - 1); }
INLINE u32 value(u32 card) { return card & VALUE; }
INLINE u32 size(u32 sum) { return sum >> CARDS_AT & 31; }
INLINE u32 ranks(u32 bits) { return bits >> RANKS_AT & 0x1FFF; }
INLINE u32 suits(u32 bits) { return bits >> SUITS_AT; }

// ----------------------------------------------------------------------------------------------------------- the shoe

constexpr u64 GOLDEN = 0x9E3779B97F4A7C15;

INLINE u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

constexpr u32 DECK = 52, MOST_CARDS = 8 * DECK;
constexpr u32 BLOCK = 256;       // random numbers made at a time, each for four draws of 16 bits
constexpr u32 MOST_NUMBERS = 32; // more than a round takes
constexpr u32 MOST_DRAWN = 4 * MOST_NUMBERS;
constexpr u32 SURE = 8;          // cards of a round that are compared with each other ahead

constexpr u64 EVEN = 0x0000FFFF0000FFFF, ODD = EVEN << 16, ONES = 0x0001000100010001, TOPS = ONES << 15;

INLINE u64 same(u64 one, u64 other) { return ((one ^ other) - ONES) & ~(one ^ other) & TOPS; }
INLINE u64 turned(u64 slots, int by) { return slots << by | slots >> (64 - by); }

// A card is drawn by its slot in the whole shoe; a slot that was drawn before in the round is drawn again.
struct Shoe {
    alignas(64) u64 numbers[BLOCK + MOST_NUMBERS];
    alignas(64) u64 slots[BLOCK + MOST_NUMBERS + SURE / 4];  // four in one; the last are those of a round drawn again
    alignas(64) u64 unsure[BLOCK + MOST_NUMBERS];
    alignas(64) u32 cards[MOST_CARDS];
    u32 picks[MOST_DRAWN];
    u64 counter = 0;  // of the stream, where `numbers` begin
    u32 next = 0;     // number of this round's first cards
    u32 at = 0;       // where their slots are
    u32 full, spare;

    Shoe(i64 decks, u32 value_of_tens) : full(u32(decks) * DECK), spare((1 << 16) % full) {
        for (u32 place = 0; place < full; ++place) cards[place] = card_of(place % DECK, value_of_tens);
    }

    NEVER_INLINE void refill() {
        const u64 start = counter += next * GOLDEN;
        constexpr u32 made = BLOCK + MOST_NUMBERS;
        for (u32 i = 0; i < made; ++i) numbers[i] = mix(start + (i + 1) * GOLDEN);
        for (u32 i = 0; i < made; ++i) {
            const u64 even = (numbers[i] & EVEN) * full, odd = (numbers[i] >> 16 & EVEN) * full;
            const u64 rests = (even & EVEN) | (odd & EVEN) << 16, here = slots[i] = (even >> 16 & EVEN) | (odd & ODD);
            unsure[i] = ((rests - spare * ONES) & ~rests & TOPS) | same(here, turned(here, 16)) |
                        same(here, turned(here, 32));
        }
        for (u32 i = 0; i + 1 < made; ++i) {
            const u64 here = slots[i], there = slots[i + 1];
            unsure[i] |= unsure[i + 1] | same(here, there) | same(here, turned(there, 16)) |
                         same(here, turned(there, 32)) | same(here, turned(there, 48));
        }
        next = 0;
    }

    // Draws until a slot comes that was not drawn before in this round.
    NEVER_INLINE u32 pick(u32 place) {
        for (u64 number = numbers[next + place / 4];; number = mix(number + GOLDEN)) {
            const u32 product = u32(number >> place % 4 * 16 & 0xFFFF) * full, slot = product >> 16;
            bool good = (product & 0xFFFF) >= spare;
            for (u32 earlier = 0; good && earlier < place; ++earlier) good = picks[earlier] != slot;
            if (good) return picks[place] = slot;
        }
    }

    NEVER_INLINE void draw_again() {
        at = BLOCK + MOST_NUMBERS;
        slots[at] = slots[at + 1] = 0;
        for (u32 place = 0; place < SURE; ++place) slots[at + place / 4] |= u64(pick(place)) << place % 4 * 16;
    }

    NEVER_INLINE u32 draw_late(u32 place) {
        if (place == SURE)
            for (u32 early = 0; early < SURE; ++early) picks[early] = u32(slots[at + early / 4] >> early % 4 * 16) & 0xFFFF;
        return cards[pick(place)];
    }

    INLINE void begin_round() {
        at = next;
        if (rarely(unsure[next] != 0)) draw_again();
    }

    INLINE u32 first(u32 place) const { return cards[slots[at + place / 4] >> place % 4 * 16 & 0xFFFF]; }

    INLINE u32 draw(u32 place) { return rarely(place >= SURE) ? draw_late(place) : first(place); }

    INLINE void end_round(u32 drawn) { next += (drawn + 3) / 4; }
};

template <class Game> void play_chunks(Game& game, u64 run_key, i64 first, i64 last, i64 rounds) {
    Shoe& shoe = game.shoe;
    for (i64 chunk = first; chunk < last; ++chunk) {
        shoe.counter = mix(run_key + u64(chunk) * GOLDEN);
        shoe.next = 0;
        shoe.refill();
        for (i64 round = 0; round < rounds; ++round) {
            if (rarely(shoe.next >= BLOCK)) shoe.refill();
            shoe.begin_round();
            shoe.end_round(game.play_round());
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- tables

constexpr bool is_one_suit(u32 suits) { return (suits & (suits - 1)) == 0; }
constexpr bool is_one_color(u32 suits) { return (suits & 0b0110) == 0 || (suits & 0b1001) == 0; }

enum DealerRow : u32 { NO_22, SUITED_22, COLORED_22, OTHER_22, NAMED_4567, SUITED_4567, DEALER_ROWS };

struct Tables {
    u8 total[KEYS];         // an ace is 11 while it fits
    u8 dealer_draws[KEYS];  // to 16, and on soft 17
    u8 outcome[2][32][32];  // if the dealer's 22 pushes; by own and dealer's total
    u8 one_suit[16];
    u8 lucky_lucky[KEYS][2];     // by one suit
    u8 lucky_break[32][2][32];   // by dealer's total, one suit, number of cards
    u8 push_22[32][16];          // by dealer's total and suits

    constexpr Tables() : total(), dealer_draws(), outcome(), one_suit(), lucky_lucky(), lucky_break(), push_22() {
        for (u32 at = 0; at < KEYS; ++at) {
            const u32 hard = at & VALUE;
            const bool soft = at >= ACE && hard <= 11;
            const u32 sum = total[at] = u8(soft ? hard + 10 : hard);
            dealer_draws[at] = sum < 17 || (sum == 17 && soft);
            for (u32 suited = 0; suited < 2; ++suited)
                lucky_lucky[at][suited] = u8(sum == 21 ? 6 - suited : sum == 20 ? 7 : sum == 19 ? 8 : 0);
        }
        for (u32 set = 0; set < 16; ++set) one_suit[set] = is_one_suit(set);
        for (u32 sum = 0; sum < 32; ++sum) {
            for (u32 own = 0; own < 32; ++own)
                for (u32 pushes = 0; pushes < 2; ++pushes) outcome[pushes][own][sum] = u8(compare(own, sum, pushes));
            for (u32 cards = 0; cards < 32; ++cards)
                for (u32 suited = 0; suited < 2; ++suited) {
                    const u32 of_suit = suited ? 5 - (cards < 5 ? cards : 5) : 3;
                    lucky_break[sum][suited][cards] = u8(sum > 21 && sum <= 26 ? 1 + (26 - sum) * 4 + of_suit : 0);
                }
            for (u32 set = 0; set < 16; ++set)
                push_22[sum][set] = u8(sum != 22            ? NO_22
                                       : is_one_suit(set)   ? SUITED_22
                                       : is_one_color(set) ? COLORED_22
                                                            : OTHER_22);
        }
    }

    static constexpr Outcome compare(u32 own, u32 dealer, bool pushes_22) {
        if (own > 21) return LOSE;
        if (dealer == 22 && pushes_22) return PUSH;
        return dealer > 21 || own > dealer ? WIN : own == dealer ? PUSH : LOSE;
    }
};

constexpr Tables T;

// -------------------------------------------------------------------------------------------- results of a main wager

struct Results {
    static constexpr int MOST_DOUBLES = 24;
    i64 cells[OUTCOMES][MOST_DOUBLES] = {};  // of rounds with one hand

    // Profit and money staked of a round, so often.
    static void seat(const Counts& out, i64 profit, i64 staked, i64 times) {
        const i64 cell = profit + NET_CELLS / 2, wagers = staked / 2;
        const bool fits = 0 < cell && cell < NET_CELLS && wagers < WAGER_CELLS;
        out.net[fits ? cell : 0] += times;
        out.wager[fits ? wagers : 0] += times;
        *out.far_profit += fits ? 0 : profit * times;
        *out.far_square += fits ? 0 : profit * profit * times;
        *out.far_staked += fits ? 0 : staked * times;
    }

    void fold(const Plan& plan, const Counts& out) const {
        for (u32 outcome = 0; outcome < OUTCOMES; ++outcome)
            for (int doubles = 0; doubles < MOST_DOUBLES; ++doubles)
                if (const i64 times = cells[outcome][doubles]) {
                    const i64 staked = 2LL << doubles;
                    out.main[outcome] += times;
                    seat(out, plan.pays[outcome] * staked, staked, times);
                }
    }
};

// With an ace up: insured when more than a third of the unseen cards are ten-values.
NEVER_INLINE void insure(const Plan& plan, const Counts& out, u32 own_tens, u32 seen, bool dealer_blackjack) {
    if (plan.tens > 0 && 3 * (plan.tens - own_tens) > plan.decks * DECK - seen) ++out.insurance[dealer_blackjack];
}

// ---------------------------------------------------------------------------------------------------------- blackjack

struct Blackjack {
    static constexpr u32 MOST_HANDS = 4;
    struct Split {
        u32 hands = 1, sums[MOST_HANDS], stakes[MOST_HANDS];
    };
    const Plan plan;
    const Counts& out;
    Shoe shoe{plan.decks, 10};
    Results results{};
    i64 lucky_lucky[BET_CELLS] = {}, lucky_break[BET_CELLS] = {};

    INLINE u32 play_round() {
        const u16* const step = plan.step;
        const u32 first = shoe.first(0), up = shoe.first(1), second = shoe.first(2), hole = shoe.first(3);
        u32 drawn = 4, sum = first + second, dealer = up + hole, dealer_bits = up | hole;
        count_lucky_lucky(sum + up, first | second | up);
        const bool natural = key(sum) == BLACKJACK_KEY, dealer_blackjack = key(dealer) == BLACKJACK_KEY;
        if (rarely(value(up) == 1))
            insure(plan, out, (value(first) == 10) + (value(second) == 10), 3, dealer_blackjack);
        if (rarely(dealer_blackjack)) {
            ++results.cells[natural ? PUSH : LOSE][0];
            ++lucky_break[0];
            return drawn;
        }
        const u8* const code = plan.code + value(up);
        u32 node = step[step[value(first)] + value(second)], todo = code[node], doubles = 0;
        Split split;
        if (rarely(todo & SPLIT)) {
            drawn = play_split(first, second, code, split);
            sum = split.sums[0];
        } else {
            const u32 takes = (todo & (HIT | DOUBLE)) != 0, card = if_so(takes, shoe.first(4));
            doubles = (todo & DOUBLE) / DOUBLE;
            drawn += takes;
            sum += card;
            node = step[node + value(card)];
            for (todo = if_so(1 - doubles, code[node]); todo & HIT; todo = code[node]) {
                const u32 more = shoe.draw(drawn++);
                sum += more;
                node = step[node + value(more)];
            }
        }
        while (T.dealer_draws[key(dealer)]) {
            const u32 card = shoe.draw(drawn++);
            dealer += card;
            dealer_bits |= card;
        }
        const u32 own_total = T.total[key(sum)], dealer_total = T.total[key(dealer)];
        const u32 row = T.lucky_break[dealer_total][T.one_suit[suits(dealer_bits)]][size(dealer)];
        ++lucky_break[rarely(own_total > 26) ? 0 : row];
        if (rarely(split.hands > 1))
            settle_split(split, dealer_total);
        else
            ++results.cells[rarely(natural) ? u32(BLACKJACK) : T.outcome[0][own_total][dealer_total]][doubles];
        return drawn;
    }

    // The first two cards and the up card.
    INLINE void count_lucky_lucky(u32 sum, u32 bits) {
        const u32 suited = T.one_suit[suits(bits)];
        u32 row = T.lucky_lucky[key(sum)][suited];
        if (rarely(ranks(bits) == 0b001'000000)) row = suited ? 1 : 3;  // three sevens
        if (rarely(ranks(bits) == 0b111'00000)) row = suited ? 2 : 4;   // six, seven, eight
        ++lucky_lucky[row];
    }

    // Up to four hands, in the order in which they lie; split aces get one card each. Returns cards drawn so far.
    NEVER_INLINE u32 play_split(u32 one, u32 two, const u8* code, Split& split) {
        const u16* const step = plan.step;
        u32 drawn = 4, first[MOST_HANDS] = {one, two};
        split.hands = 2;
        for (u32 hand = 0; hand < split.hands; ++hand) {
            const u32 start = step[value(first[hand])];
            u32 card = shoe.draw(drawn++), node = step[start + value(card)], todo = if_so(value(one) != 1, code[node]);
            while (todo & SPLIT && split.hands < MOST_HANDS) {
                for (u32 later = split.hands++; later > hand + 1; --later) first[later] = first[later - 1];
                first[hand + 1] = card;
                card = shoe.draw(drawn++);
                node = step[start + value(card)];
                todo = code[node];
            }
            u32 sum = first[hand] + card;
            split.stakes[hand] = todo & DOUBLE ? 4 : 2;
            if (todo & DOUBLE) {
                sum += shoe.draw(drawn++);
                todo = 0;
            }
            for (; todo & HIT; todo = code[node]) {
                card = shoe.draw(drawn++);
                sum += card;
                node = step[node + value(card)];
            }
            split.sums[hand] = sum;
        }
        return drawn;
    }

    NEVER_INLINE void settle_split(const Split& split, u32 dealer_total) {
        i64 profit = 0, staked = 0;
        for (u32 hand = 0; hand < split.hands; ++hand) {
            const u32 outcome = T.outcome[0][T.total[key(split.sums[hand])]][dealer_total];
            ++out.main[outcome];
            profit += plan.pays[outcome] * split.stakes[hand];
            staked += split.stakes[hand];
        }
        Results::seat(out, profit, staked, 1);
    }

    void fold() {
        results.fold(plan, out);
        for (int row = 0; row < BET_CELLS; ++row) {
            out.bets[row] += lucky_lucky[row];
            out.bets[BET_CELLS + row] += lucky_break[row];
        }
    }
};

// ------------------------------------------------------------------------------------------------ Double Down Madness

struct DoubleDownMadness {
    const Plan plan;
    const Counts& out;
    Shoe shoe{plan.decks, 10};
    Results results{};
    i64 dealer_rows[DEALER_ROWS] = {};

    INLINE u32 play_round() {
        const u32 up = shoe.first(0), first = shoe.first(1), hole = shoe.first(2);
        u32 dealer = up + hole, dealer_bits = up | hole;
        const bool dealer_blackjack = key(dealer) == BLACKJACK_KEY;
        if (rarely(value(up) == 1)) insure(plan, out, value(first) == 10, 2, dealer_blackjack);
        if (rarely(dealer_blackjack)) {
            ++results.cells[LOSE][0];
            ++dealer_rows[NO_22];
            return 3;
        }
        const u16* const step = plan.step;
        const u8* const code = plan.code + value(up);
        u32 node = step[value(first)], todo = code[node], doubles = (todo & DOUBLE) / DOUBLE;
        const u32 takes = todo != 0, second = if_so(takes, shoe.first(3));
        u32 drawn = 3 + takes, sum = first + second;
        node = step[node + value(second)];
        // An ace takes exactly one card.
        for (todo = if_so(value(first) != 1, code[node]); todo != 0; todo = code[node]) {
            const u32 card = shoe.draw(drawn++);
            doubles += (todo & DOUBLE) / DOUBLE;
            sum += card;
            node = step[node + value(card)];
        }
        while (T.dealer_draws[key(dealer)]) {
            const u32 card = shoe.draw(drawn++);
            dealer += card;
            dealer_bits |= card;
        }
        const u32 own_total = T.total[key(sum)], dealer_total = T.total[key(dealer)];
        u32 outcome = T.outcome[1][own_total][dealer_total];
        if (rarely(key(sum) == BLACKJACK_KEY && size(sum) == 2))
            outcome = is_one_suit(suits(first | second)) ? SUITED_BLACKJACK : UNSUITED_BLACKJACK;
        ++results.cells[outcome][doubles];
        u32 row = T.push_22[dealer_total][suits(dealer_bits)];
        if (rarely(row == SUITED_22 && ranks(dealer_bits) == 0b1111'000))
            row = suits(dealer_bits) == 1u << plan.jackpot_suit ? NAMED_4567 : SUITED_4567;
        ++dealer_rows[row];
        return drawn;
    }

    void fold() {
        results.fold(plan, out);
        i64 *push_22 = out.bets, *progressive = out.bets + BET_CELLS;
        const i64* rows = dealer_rows;
        push_22[0] += rows[NO_22], progressive[0] += rows[NO_22];
        push_22[1] += rows[SUITED_22] + rows[NAMED_4567] + rows[SUITED_4567];
        push_22[2] += rows[COLORED_22];
        push_22[3] += rows[OTHER_22];
        progressive[1] += rows[NAMED_4567], progressive[2] += rows[SUITED_4567];
        progressive[3] += rows[SUITED_22], progressive[4] += rows[COLORED_22], progressive[5] += rows[OTHER_22];
    }
};

// ------------------------------------------------------------------------------------------------------ mini-baccarat

struct Side {
    int total, third;  // points; 1 with a third card
    constexpr bool natural() const { return total >= 8 && third == 0; }
};

struct ThirdCards {
    enum : u8 { PLAYER_DRAWS = 0, PLAYER_STANDS = 10, NATURAL = 11 };
    u8 points[32];      // the last digit
    u8 player[16][16];  // by both totals: one of the above, to which the third card's points are added
    u8 banker[16][16];  // by the banker's total and that sum: 1 to draw

    constexpr ThirdCards() : points(), player(), banker() {
        for (int sum = 0; sum < 32; ++sum) points[sum] = u8(sum % 10);
        constexpr int lowest[] = {0, 0, 0, 0, 2, 4, 6}, highest[] = {9, 9, 9, 9, 7, 7, 7};
        for (int own = 0; own < 10; ++own)
            for (int other = 0; other < 10; ++other)
                player[own][other] = own >= 8 || other >= 8 ? NATURAL : own <= 5 ? PLAYER_DRAWS : PLAYER_STANDS;
        for (int total = 0; total <= 6; ++total) {
            for (int third = lowest[total]; third <= highest[total]; ++third) banker[total][third] = 1;
            banker[total][PLAYER_STANDS] = total <= 5;
        }
        banker[3][8] = 0;
    }
};

constexpr ThirdCards THIRD;

struct MiniBaccarat {
    static constexpr u32 CELLS = 1 << 10;
    enum Bet { PLAYER, BANKER, TIE, DRAGON_PLAYER, DRAGON_BANKER, PROGRESSIVE };
    enum Special { NAMED_234, SUITED_234, UNSUITED_234, SPECIALS };
    const Plan plan;
    const Counts& out;
    Shoe shoe{plan.decks, 0};
    i64 cells[CELLS] = {};       // by both totals and third cards
    i64 specials[SPECIALS] = {};  // of those, nine to nothing by exactly 2, 3 and 4

    INLINE u32 play_round() {
        const u32 player = shoe.first(0) + shoe.first(2), banker = shoe.first(1) + shoe.first(3);
        const u32 banker_two = THIRD.points[value(banker)];
        const u32 by_player = THIRD.player[THIRD.points[value(player)]][banker_two];
        const u32 player_takes = by_player == ThirdCards::PLAYER_DRAWS, player_third = if_so(player_takes, shoe.first(4));
        const u32 banker_takes = THIRD.banker[banker_two][by_player + value(player_third)];
        const u32 banker_third = if_so(banker_takes, shoe.first(4 + player_takes));
        const u32 player_total = THIRD.points[value(player + player_third)];
        const u32 banker_total = THIRD.points[value(banker + banker_third)];
        if (rarely(player_total + banker_total == 9 && (player_total == 0 || banker_total == 0))) {
            const u32 two = player_total == 9 ? shoe.first(0) | shoe.first(2) : shoe.first(1) | shoe.first(3);
            count_special(two | (player_total == 9 ? player_third : banker_third));
        }
        ++cells[player_total << 6 | banker_total << 2 | player_takes << 1 | banker_takes];
        return 4 + player_takes + banker_takes;
    }

    NEVER_INLINE void count_special(u32 bits) {
        if (ranks(bits) != 0b111'0) return;
        const u32 set = suits(bits);
        ++specials[set == 1u << plan.jackpot_suit ? NAMED_234 : is_one_suit(set) ? SUITED_234 : UNSUITED_234];
    }

    static int win(Side own, Side other) { return own.total == other.total ? 2 : own.total > other.total; }

    static int dragon(Side own, Side other) {
        const int margin = own.total - other.total;
        if (own.natural()) return margin > 0 ? 7 : margin == 0 && other.natural() ? 8 : 0;
        return margin >= 4 ? 10 - margin : 0;
    }

    // Of the winner; 2-3-4 apart.
    static int progressive(Side own, Side other) {
        if (own.total <= other.total) return 0;
        if (other.total == 0 && own.total == 9) return 4;
        if (other.total == 0 && !own.natural()) return own.total == 8 ? 5 : 0;
        return own.natural() ? 6 : 0;
    }

    void fold() {
        for (u32 cell = 0; cell < CELLS; ++cell) {
            const Side player{int(cell >> 6), int(cell >> 1 & 1)}, banker{int(cell >> 2 & 15), int(cell & 1)};
            const auto add = [&](Bet bet, int row) { out.bets[bet * BET_CELLS + row] += cells[cell]; };
            add(PLAYER, win(player, banker));
            add(BANKER, win(banker, player));
            add(TIE, player.total == banker.total);
            add(DRAGON_PLAYER, dragon(player, banker));
            add(DRAGON_BANKER, dragon(banker, player));
            add(PROGRESSIVE, banker.total > player.total ? progressive(banker, player) : progressive(player, banker));
            Results::seat(out, 0, 0, cells[cell]);
        }
        i64* rows = out.bets + PROGRESSIVE * BET_CELLS;
        for (int special = 0; special < SPECIALS; ++special) {
            rows[1 + special] += specials[special];
            rows[4] -= specials[special];
        }
    }
};

template <class Game> void play(const Plan* plan, u64 run_key, i64 first, i64 last, i64 rounds, const Counts* out) {
    Game game{*plan, *out};
    play_chunks(game, run_key, first, last, rounds);
    game.fold();
}

}  // namespace

// Chunks `first` to `last`, the last one not, of so many rounds each; what they give is added to the counts.
extern "C" {
void play_blackjack(const Plan* plan, u64 run_key, i64 first, i64 last, i64 rounds, const Counts* out) {
    play<Blackjack>(plan, run_key, first, last, rounds, out);
}
void play_double_down_madness(const Plan* plan, u64 run_key, i64 first, i64 last, i64 rounds, const Counts* out) {
    play<DoubleDownMadness>(plan, run_key, first, last, rounds, out);
}
void play_mini_baccarat(const Plan* plan, u64 run_key, i64 first, i64 last, i64 rounds, const Counts* out) {
    play<MiniBaccarat>(plan, run_key, first, last, rounds, out);
}
}
