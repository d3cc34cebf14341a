/* The play of the cards in a positive contract for four, written by hand: what the engine's play alone is measured against.
 *
 * Follow suit, else play a trump, else anything; the highest trump wins, else the highest card of the suit that was led;
 * T1 wins a trick with T21 and T22 (where the contract has the Emperor rule). Legal cards are chosen from uniformly, by the
 * same keys as the engine's policy `uniform`, so that both play the same cards. `experiments/bench/play_alone.py` compiles
 * and calls this file.
 *
 * Cards are 8 * suit + strength for the suits (0-31) and 31 + n for trump n (32-53); a set has bit `card` set.
 */
#include <stdint.h>

#define TRUMPS (((1ULL << 22) - 1) << 32)
#define T1 32
#define HONOURS (1ULL << 32 | 1ULL << 52 | 1ULL << 53)
#define EACH_SUIT(rank) (0x01010101ULL << (rank))

typedef struct {
    uint64_t hands[4];
    uint64_t key;      /* of the policy in this hand */
    uint64_t discards; /* they count for the declarers */
    int32_t decision;  /* decisions made before the first card */
    int32_t leader;
    int32_t declarers; /* seats, bit = seat */
    int32_t emperor;
} deal_t;

static inline uint64_t mixed(uint64_t key, uint64_t salt) {
    uint64_t z = key + (salt + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

static inline uint64_t one_way(uint64_t key, uint64_t salt) {
    return mixed(mixed(key, salt), 1) ^ mixed(mixed(key, salt + (1ULL << 32)), 2);
}

static inline int nth(uint64_t cards, int index) {
    while (index-- > 0) cards &= cards - 1;
    return __builtin_ctzll(cards);
}

static inline uint64_t suit_set(int card) { return card >= T1 ? TRUMPS : 0xFFULL << (card & ~7); }

static int thirds(uint64_t cards) {
    return __builtin_popcountll(cards) + 3 * __builtin_popcountll(cards & EACH_SUIT(4)) +
           6 * __builtin_popcountll(cards & EACH_SUIT(5)) + 9 * __builtin_popcountll(cards & EACH_SUIT(6)) +
           12 * __builtin_popcountll(cards & (EACH_SUIT(7) | HONOURS));
}

/* plays: int8 (n, 48), the cards in order; points: int32 (n), of the declarers in thirds; the cards played in all. */
int64_t play_alone(int64_t n, const deal_t *deals, int8_t *plays, int32_t *points) {
    int64_t played = 0;
    for (int64_t i = 0; i < n; i++) {
        const deal_t *deal = &deals[i];
        uint64_t hands[4] = {deal->hands[0], deal->hands[1], deal->hands[2], deal->hands[3]}, won[4] = {0};
        int seat = deal->leader, decision = deal->decision;
        int8_t *out = plays + 48 * i;
        for (int trick_no = 0; trick_no < 12; trick_no++) {
            uint64_t trick = 0, led = 0;
            int best = -1, winner = seat, pagat = seat;
            for (int place = 0; place < 4; place++) {
                uint64_t hand = hands[seat], legal = hand;
                if (place) {
                    legal = hand & led;
                    if (!legal) legal = hand & TRUMPS;
                    if (!legal) legal = hand;
                }
                uint64_t draw = one_way(deal->key, 8 * (uint64_t)decision + seat);
                int card = nth(legal, (int)((draw >> 32) * __builtin_popcountll(legal) >> 32));
                if (!place) led = suit_set(card);
                if (best < 0 || (card > best && (card >= T1 || (led >> card & 1)))) {
                    best = card;
                    winner = seat;
                }
                if (card == T1) pagat = seat;
                trick |= 1ULL << card;
                hands[seat] ^= 1ULL << card;
                *out++ = (int8_t)card;
                decision++;
                seat = (seat + 1) & 3;
            }
            if (deal->emperor && (trick & HONOURS) == HONOURS) winner = pagat;
            won[winner] |= trick;
            seat = winner;
        }
        uint64_t mine = deal->discards;
        for (int p = 0; p < 4; p++)
            if (deal->declarers >> p & 1) mine |= won[p];
        points[i] = thirds(mine);
        played += 48;
    }
    return played;
}
