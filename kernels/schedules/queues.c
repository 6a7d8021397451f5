/* The search structures of list schedules, each by itself. */
#include "schedules/queues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

/* A binary heap tuned for schedules, where it is the inner loop: comparisons without branches, and
 * a pop that compares once a level. */

void nuce_heap_reserve(struct nuce_heap *heap, int64_t count)
{
    nuce_allocate_more((void **)&heap->entries, &heap->capacity, count, sizeof *heap->entries);
}

void nuce_heap_fini(struct nuce_heap *heap)
{
    free(heap->entries);
    memset(heap, 0, sizeof *heap);
}

/* Without branches: which of two children comes first cannot be foretold. */
static int heap_before(const struct nuce_heap_entry *a, const struct nuce_heap_entry *b)
{
    return (a->key < b->key) | ((a->key <= b->key) &
                                ((a->tie < b->tie) | ((a->tie <= b->tie) & (a->value < b->value))));
}

/* Puts entry into the hole at place, or above it. */
static void sift_up(struct nuce_heap_entry *entries, int64_t place, struct nuce_heap_entry entry)
{
    while (place > 0 && heap_before(&entry, &entries[(place - 1) / 2])) {
        entries[place] = entries[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    entries[place] = entry;
}

void nuce_heap_push(struct nuce_heap *heap, struct nuce_heap_entry entry)
{
    nuce_heap_reserve(heap, heap->count + 1);
    sift_up(heap->entries, heap->count++, entry);
}

void nuce_heap_replace(struct nuce_heap *heap, struct nuce_heap_entry entry)
{
    struct nuce_heap_entry *entries = heap->entries;
    int64_t place = 0, child;

    for (; (child = 2 * place + 1) < heap->count; place = child) {
        if (child + 1 < heap->count)
            child += heap_before(&entries[child + 1], &entries[child]);
        if (!heap_before(&entries[child], &entry))
            break;
        entries[place] = entries[child];
    }
    entries[place] = entry;
}

/* The last entry belongs near the bottom: the hole goes all the way down, one comparison a level,
 * and the entry up from there (Knuth, "The Art of Computer Programming" 3, 5.2.3, exercise 18). */
void nuce_heap_pop(struct nuce_heap *heap)
{
    struct nuce_heap_entry *entries = heap->entries;
    int64_t place = 0, child, count = --heap->count;

    for (; (child = 2 * place + 1) + 1 < count; place = child) {
        child += heap_before(&entries[child + 1], &entries[child]);
        entries[place] = entries[child];
    }
    if (child < count) {
        entries[place] = entries[child];
        place = child;
    }
    sift_up(entries, place, entries[count]);
}

/* Bits instead of a search in the pattern's rows: on dense patterns list schedules ask for a pair
 * far more often than there are messages.
 *
 * Memory: a bit a pair for what is left, and 16 bytes for each 64 pairs of what there was, which
 * nuce_pair_set_entry counts bits in: ranks^2 / 64 x 24 bytes in all. Used only where the pattern
 * itself is about as large (nuce_pair_set_fits). */

/* One in so many pairs of ranks makes a pattern dense. */
#define DENSE_SHARE 16

int nuce_pair_set_fits(const struct nuce_pattern *pattern)
{
    return pattern->messages >= (int64_t)pattern->ranks * pattern->ranks / DENSE_SHARE;
}

void nuce_pair_set_fini(struct nuce_pair_set *set)
{
    free(set->left);
    free(set->pairs);
    memset(set, 0, sizeof *set);
}

/* Destinations ascend in a row, so one walk along it fills its words in turn. What ranks send to
 * themselves is taken out of what is left, but stays in `all`: entries behind it are counted by
 * it. */
void nuce_pair_set_init(const struct nuce_pattern *pattern, struct nuce_pair_set *out)
{
    struct nuce_pair_set set = {.words = (pattern->ranks + 63) / 64};
    int64_t words = (int64_t)pattern->ranks * set.words;

    set.left = nuce_allocate(words, sizeof *set.left);
    set.pairs = nuce_allocate(words, sizeof *set.pairs);
    for (int i = 0; i < pattern->ranks; i++) {
        int64_t k = pattern->row[i];

        for (int64_t word = (int64_t)i * set.words; word < (int64_t)(i + 1) * set.words; word++) {
            int64_t end = (word - (int64_t)i * set.words + 1) * 64;

            set.pairs[word].before = k;
            for (; k < pattern->row[i + 1] && pattern->destination[k] < end; k++)
                set.pairs[word].all |= UINT64_C(1) << pattern->destination[k] % 64;
            set.left[word] = set.pairs[word].all;
        }
        nuce_pair_set_remove(&set, i, i);
    }
    *out = set;
}

/* The matches are played without branches, since who wins one cannot be foretold.
 *
 * A complete binary tree, in an array, over the ranks' times: the root, entry 1, is the rank of the
 * least time. Setting one is O(log ranks), reading the root O(1); 16 bytes for each of the 2 x
 * leaves entries. */

/* Times are at least 0, of which the bits, read as an integer, are in the order of the values (IEEE
 * 754): integers are compared without branches. */
static int64_t winner_tree_key_of(double time)
{
    int64_t key;

    memcpy(&key, &time, sizeof key);
    return key;
}

/* Leaves beyond the ranks stay at infinity, like ranks that are not set yet; of equals the lowest
 * rank wins. */
void nuce_winner_tree_init(int ranks, struct nuce_winner_tree *out)
{
    int leaves = 1;

    while (leaves < ranks)
        leaves *= 2;
    out->entries = nuce_allocate(2 * (int64_t)leaves, sizeof *out->entries);
    out->leaves = leaves;
    for (int k = 2 * leaves - 1; k > 0; k--) {
        int rank = k >= leaves ? k - leaves : out->entries[2 * k].rank;

        out->entries[k] = (struct nuce_winner_tree_entry){winner_tree_key_of(INFINITY), rank};
    }
}

void nuce_winner_tree_fini(struct nuce_winner_tree *tree)
{
    free(tree->entries);
    memset(tree, 0, sizeof *tree);
}

void nuce_winner_tree_set(struct nuce_winner_tree *tree, int rank, double time)
{
    struct nuce_winner_tree_entry *entries = tree->entries;
    int64_t key = winner_tree_key_of(time);
    int place = tree->leaves + rank;

    entries[place] = (struct nuce_winner_tree_entry){key, rank};
    for (; place > 1; place /= 2) {
        const struct nuce_winner_tree_entry *other = &entries[place ^ 1];
        /* Of equal times the left one wins, whose ranks are lower; places on the right are odd. */
        int loses = other->key < key + (place & 1);

        rank ^= (rank ^ other->rank) & -loses; /* the other, if it has won */
        key = other->key < key ? other->key : key;
        entries[place / 2] = (struct nuce_winner_tree_entry){key, rank};
    }
}

/* Two structures behind one interface (queues.h says which and why): an order of the receivers
 * beside bit sets of the senders, or plain lists of what each sender has left. */

/* Entries that are moved at once. */
#define BLOCK 16

/* Whether a receiver that is available at time is to be taken before another. */
static int is_before(double time, int rank, const struct nuce_receivers_entry *other)
{
    return time < other->time || (time <= other->time && rank < other->rank);
}

void nuce_receivers_init(const struct nuce_pattern *pattern, struct nuce_receivers *out)
{
    int ranks = pattern->ranks;

    *out = (struct nuce_receivers){.pattern = pattern, .is_dense = nuce_pair_set_fits(pattern)};
    out->available = nuce_allocate(ranks, sizeof *out->available);
    out->left = nuce_allocate(ranks, sizeof *out->left);
    out->wanted = nuce_allocate(ranks, sizeof *out->wanted);
    if (!out->is_dense)
        out->rest = nuce_allocate(pattern->messages, sizeof *out->rest);
    /* All messages but those of ranks to themselves; in rest those of each sender are in front of
     * its part. */
    for (int i = 0; i < ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            if (pattern->destination[k] == i)
                continue;
            if (!out->is_dense)
                out->rest[pattern->row[i] + out->left[i]] = nuce_int(k - pattern->row[i]);
            out->left[i]++;
            out->wanted[pattern->destination[k]]++;
            out->messages++;
        }
    }
    if (!out->is_dense)
        return;
    out->room = 2 * ranks;
    out->order = nuce_allocate(out->room, sizeof *out->order);
    for (int j = 0; j < ranks; j++) {
        if (out->wanted[j] > 0)
            out->order[out->end++] = (struct nuce_receivers_entry){0, j};
    }
    nuce_pair_set_init(pattern, &out->pairs);
}

void nuce_receivers_fini(struct nuce_receivers *receivers)
{
    free(receivers->available);
    free(receivers->left);
    free(receivers->rest);
    nuce_pair_set_fini(&receivers->pairs);
    free(receivers->wanted);
    free(receivers->order);
    memset(receivers, 0, sizeof *receivers);
}

/* O(messages that sender has left); of equally early receivers the lowest. */
static struct nuce_receivers_message take_sparse(struct nuce_receivers *receivers, int sender)
{
    int64_t row = receivers->pattern->row[sender];
    const int *destination = receivers->pattern->destination + row;
    int *rest = receivers->rest + row;
    struct nuce_receivers_entry first = {INFINITY, 0};
    struct nuce_receivers_message taken;
    int place = 0;

    for (int k = 0; k < receivers->left[sender]; k++) {
        int j = destination[rest[k]];

        if (is_before(receivers->available[j], j, &first)) {
            first = (struct nuce_receivers_entry){receivers->available[j], j};
            place = k;
        }
    }
    taken = (struct nuce_receivers_message){first.rank, row + rest[place]};
    rest[place] = rest[receivers->left[sender] - 1];
    return taken;
}

/* The first receiver in the order that sender has a message for, near the beginning as a rule:
 * those before it move up. */
static struct nuce_receivers_message take_dense(struct nuce_receivers *receivers, int sender)
{
    const uint64_t *row = receivers->pairs.left + (int64_t)sender * receivers->pairs.words;
    struct nuce_receivers_entry *order = receivers->order;
    int place = receivers->first, j;

    while (!(row[order[place].rank / 64] >> order[place].rank % 64 & 1))
        place++;
    j = order[place].rank;
    for (; place > receivers->first; place--)
        order[place] = order[place - 1];
    receivers->first++;
    nuce_pair_set_remove(&receivers->pairs, sender, j);
    return (struct nuce_receivers_message){j, nuce_pair_set_entry(&receivers->pairs, sender, j)};
}

struct nuce_receivers_message nuce_receivers_take(struct nuce_receivers *receivers, int sender)
{
    struct nuce_receivers_message taken =
        receivers->is_dense ? take_dense(receivers, sender) : take_sparse(receivers, sender);

    receivers->left[sender]--;
    receivers->wanted[taken.receiver]--;
    receivers->messages--;
    return taken;
}

/* Makes room behind the order, which has wandered to the end of its memory. */
static void rewind_order(struct nuce_receivers *receivers)
{
    int count = receivers->end - receivers->first;

    memmove(receivers->order, receivers->order + receivers->first,
            (size_t)count * sizeof *receivers->order);
    receivers->first = 0;
    receivers->end = count;
}

/* Puts an entry into the order as an insertion sort does, from the end, where it belongs as a rule:
 * entries that come after it move up, as long as possible a block at once. */
static void insert_entry(struct nuce_receivers *receivers, int rank, double time)
{
    struct nuce_receivers_entry *place, *first;

    if (receivers->end == receivers->room)
        rewind_order(receivers);
    place = receivers->order + receivers->end++;
    first = receivers->order + receivers->first;
    for (; place - first >= BLOCK && is_before(time, rank, place - BLOCK); place -= BLOCK)
        memmove(place - BLOCK + 1, place - BLOCK, BLOCK * sizeof *place);
    for (; place > first && is_before(time, rank, place - 1); place--)
        *place = place[-1];
    *place = (struct nuce_receivers_entry){time, rank};
}

/* The receiver is available again at time, and goes into the order if anybody still has something
 * for it. */
void nuce_receivers_release(struct nuce_receivers *receivers, int receiver, double time)
{
    receivers->available[receiver] = time;
    if (receivers->is_dense && receivers->wanted[receiver] > 0)
        insert_entry(receivers, receiver, time);
}
