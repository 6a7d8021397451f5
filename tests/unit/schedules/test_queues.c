/* What list schedules are made of, each beside the slow and simple way: the heap beside a search
 * for the least, the set of pairs beside a matrix, the receivers beside a look at all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "schedules/heap.h"
#include "schedules/pair_set.h"
#include "schedules/receivers.h"

#define MOST 200

static int is_before(const struct nuce_heap_entry *a, const struct nuce_heap_entry *b)
{
    if (a->key < b->key || a->key > b->key)
        return a->key < b->key;
    if (a->tie < b->tie || a->tie > b->tie)
        return a->tie < b->tie;
    return a->value < b->value;
}

/* The entries in no order, and the index of the least. */
struct pile {
    struct nuce_heap_entry entries[MOST];
    int count;
};

static int pile_least(const struct pile *pile)
{
    int least = 0;

    for (int i = 1; i < pile->count; i++) {
        if (is_before(&pile->entries[i], &pile->entries[least]))
            least = i;
    }
    return least;
}

/* Keys and ties of few values, so that all three decide. */
static struct nuce_heap_entry draw_entry(struct nuce_rng *rng)
{
    return (struct nuce_heap_entry){(double)nuce_rng_below(rng, 5), (double)nuce_rng_below(rng, 3),
                                    (int64_t)nuce_rng_below(rng, 50)};
}

static void check_least(const struct nuce_heap *heap, const struct pile *pile)
{
    const struct nuce_heap_entry *least;

    assert_int_equal(heap->count, pile->count);
    if (pile->count == 0)
        return;
    least = &pile->entries[pile_least(pile)];
    assert_false(is_before(least, &heap->entries[0]) || is_before(&heap->entries[0], least));
}

/* Pushes, pops and replacements in any order. */
static void test_heap(void **state)
{
    struct nuce_rng rng = nuce_rng_create(41, 0);
    struct nuce_heap heap = {0};
    struct pile pile = {.count = 0};

    (void)state;
    nuce_heap_reserve(&heap, 3);
    for (int step = 0; step < 20000; step++) {
        struct nuce_heap_entry entry = draw_entry(&rng);
        uint64_t what = nuce_rng_below(&rng, step / 1000 % 2 == 0 ? 3 : 5);

        if (pile.count == 0 || (what < 2 && pile.count < MOST)) {
            nuce_heap_push(&heap, entry);
            pile.entries[pile.count++] = entry;
        } else if (what == 2) {
            nuce_heap_replace(&heap, entry);
            pile.entries[pile_least(&pile)] = entry;
        } else {
            nuce_heap_pop(&heap);
            pile.entries[pile_least(&pile)] = pile.entries[pile.count - 1];
            pile.count--;
        }
        check_least(&heap, &pile);
    }
    nuce_heap_fini(&heap);
    assert_null(heap.entries);
}

/* Everything comes out in order. */
static void test_heap_sorts(void **state)
{
    struct nuce_rng rng = nuce_rng_create(41, 1);
    struct nuce_heap heap = {0};
    struct nuce_heap_entry last = {-1, 0, 0};

    (void)state;
    for (int i = 0; i < MOST; i++)
        nuce_heap_push(&heap, draw_entry(&rng));
    for (int i = MOST; i > 0; i--) {
        assert_int_equal(heap.count, i);
        assert_false(is_before(&heap.entries[0], &last));
        last = heap.entries[0];
        nuce_heap_pop(&heap);
    }
    nuce_heap_fini(&heap);
}

/* Each pair has a message with this probability. */
static struct nuce_pattern draw_pattern(int ranks, double share, struct nuce_rng *rng)
{
    struct nuce_message *messages = calloc((size_t)(ranks * ranks), sizeof *messages);
    struct nuce_pattern pattern;
    struct nuce_error error;
    int64_t count = 0;

    for (int k = 0; k < ranks * ranks; k++) {
        if (nuce_rng_uniform(rng) < share)
            messages[count++] = (struct nuce_message){k / ranks, k % ranks, 1 + k};
    }
    assert_int_equal(nuce_pattern_init(ranks, messages, count, &pattern, &error), NUCE_OK);
    free(messages);
    return pattern;
}

/* One bit a pair, with words that are full, begun, and of a single bit. */
static void check_pairs(int ranks, struct nuce_rng *rng)
{
    struct nuce_pattern pattern = draw_pattern(ranks, 0.4, rng);
    struct nuce_pair_set set;

    nuce_pair_set_init(&pattern, &set);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < ranks; i++) {
            for (int j = 0; j < ranks; j++) {
                int64_t entry = nuce_pattern_find(&pattern, i, j);
                int is_removed = round == 1 && (i + j) % 3 == 0;

                assert_int_equal(nuce_pair_set_has(&set, i, j),
                                 entry >= 0 && i != j && !is_removed);
                if (entry >= 0)
                    assert_int_equal(nuce_pair_set_entry(&set, i, j), entry);
                if (round == 0 && (i + j) % 3 == 0)
                    nuce_pair_set_remove(&set, i, j);
            }
        }
    }
    nuce_pair_set_fini(&set);
    nuce_pattern_fini(&pattern);
}

static void test_pairs(void **state)
{
    static const int ranks[] = {1, 2, 63, 64, 65, 130};
    struct nuce_rng rng = nuce_rng_create(41, 2);

    (void)state;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        check_pairs(ranks[i], &rng);
}

/* One in 16 pairs: of 64 ranks 256 messages. */
static void check_fits(int64_t count, int wanted)
{
    struct nuce_message *messages = calloc((size_t)count, sizeof *messages);
    struct nuce_pattern pattern;
    struct nuce_error error;

    for (int k = 0; k < count; k++)
        messages[k] = (struct nuce_message){k / 64, k % 64, 1};
    assert_int_equal(nuce_pattern_init(64, messages, count, &pattern, &error), NUCE_OK);
    assert_int_equal(nuce_pair_set_fits(&pattern) != 0, wanted);
    nuce_pattern_fini(&pattern);
    free(messages);
}

static void test_fits(void **state)
{
    (void)state;
    check_fits(256, 1);
    check_fits(255, 0);
    check_fits(4096, 1);
    check_fits(1, 0);
}

/* All that the receivers keep in order, looked at anew each time. */
struct looked {
    const struct nuce_pattern *pattern;
    double available[MOST];
    unsigned char *is_left; /* of each message */
};

/* The message of sender to the receiver that is available first, of several to the lowest. */
static int64_t looked_take(struct looked *looked, int sender)
{
    const struct nuce_pattern *pattern = looked->pattern;
    int64_t best = -1;

    for (int64_t k = pattern->row[sender]; k < pattern->row[sender + 1]; k++) {
        if (looked->is_left[k] && (best < 0 || looked->available[pattern->destination[k]] <
                                                   looked->available[pattern->destination[best]]))
            best = k;
    }
    looked->is_left[best] = 0;
    return best;
}

/* Takes every message, senders in any order, each receiver busy for a while after it. */
static void check_receivers(int ranks, double share, struct nuce_rng *rng)
{
    struct nuce_pattern pattern = draw_pattern(ranks, share, rng);
    struct nuce_receivers receivers;
    struct looked looked = {.pattern = &pattern};
    int64_t left = 0;

    looked.is_left = calloc((size_t)pattern.messages + 1, 1);
    for (int i = 0; i < ranks; i++) {
        for (int64_t k = pattern.row[i]; k < pattern.row[i + 1]; k++)
            left += looked.is_left[k] = pattern.destination[k] != i;
    }
    nuce_receivers_init(&pattern, &receivers);
    for (; left > 0; left--) {
        int sender = (int)nuce_rng_below(rng, (uint64_t)ranks);
        struct nuce_receivers_message taken;

        assert_int_equal(receivers.messages, left);
        while (receivers.left[sender] == 0)
            sender = (sender + 1) % ranks;
        taken = nuce_receivers_take(&receivers, sender);
        assert_int_equal(taken.k, looked_take(&looked, sender));
        assert_int_equal(taken.receiver, pattern.destination[taken.k]);
        /* Few times, so that receivers are often available at the same one. */
        looked.available[taken.receiver] += (double)nuce_rng_below(rng, 3);
        nuce_receivers_release(&receivers, taken.receiver, looked.available[taken.receiver]);
    }
    nuce_receivers_fini(&receivers);
    nuce_pattern_fini(&pattern);
    free(looked.is_left);
}

static void test_receivers(void **state)
{
    struct nuce_rng rng = nuce_rng_create(41, 3);

    (void)state;
    for (int draw = 0; draw < 20; draw++) {
        check_receivers(7, 0.9, &rng);
        check_receivers(70, 0.5, &rng);
        check_receivers(70, 0.03, &rng);
        check_receivers(2, 1, &rng);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heap),      cmocka_unit_test(test_heap_sorts),
        cmocka_unit_test(test_pairs),     cmocka_unit_test(test_fits),
        cmocka_unit_test(test_receivers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
