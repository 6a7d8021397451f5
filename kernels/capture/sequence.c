/* The order of calls. A program's loops repeat it: what is there again at once is kept once, with
 * how often, unless the loop has so few calls that the packer does better with them: it finds what
 * a loop nearly repeats, too. Greedy: at each call the distance to its pattern's next
 * occurrence is tried as a loop's length, and no other; loops in loops are not folded further.
 *
 * Cost: O(n) memory for n calls; time O(n) where loops repeat, O(n l) at worst for loops of length
 * l that nearly do. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "capture/capture.h"

/* Loops that cover fewer calls are not folded. Measured on ten captures: from 64 to 1024 all the
 * same, without it a third more bytes for the order. */
#define LEAST_FOLDED 256

/* How many elements the arrays of a sequence that grows have room for. */
struct sequence_room {
    int64_t runs, patterns;
};

void nuce_capture_sequence_fini(struct nuce_capture_sequence *sequence)
{
    free(sequence->run);
    free(sequence->pattern);
    free(sequence->stamp);
    *sequence = (struct nuce_capture_sequence){0};
}

/* Adds `length` calls, made `times` times over. Neighbours that are made once are put into one
 * run. */
static void append_run(struct nuce_capture_sequence *sequence, struct sequence_room *room,
                       const int *pattern, int64_t length, int64_t times)
{
    struct nuce_capture_run *last = sequence->runs > 0 ? &sequence->run[sequence->runs - 1] : NULL;
    void *runs = sequence->run, *patterns = sequence->pattern;

    nuce_allocate_more(&patterns, &room->patterns, sequence->patterns + length,
                       sizeof *sequence->pattern);
    sequence->pattern = patterns;
    memcpy(sequence->pattern + sequence->patterns, pattern, (size_t)length * sizeof *pattern);
    sequence->patterns += length;
    sequence->count += length * times;
    if (times == 1 && last != NULL && last->times == 1) {
        last->length += length;
        return;
    }
    nuce_allocate_more(&runs, &room->runs, sequence->runs + 1, sizeof *sequence->run);
    sequence->run = runs;
    sequence->run[sequence->runs++] = (struct nuce_capture_run){length, times};
}

/* For each call where its pattern occurs next; count where it does not. New. */
static int64_t *next_places(const int *pattern, int64_t count)
{
    int64_t *next = nuce_allocate(count, sizeof *next), *last;
    int most = 0;

    for (int64_t i = 0; i < count; i++)
        most = pattern[i] > most ? pattern[i] : most;
    last = nuce_allocate((int64_t)most + 1, sizeof *last);
    for (int i = 0; i <= most; i++)
        last[i] = count;
    for (int64_t i = count - 1; i >= 0; i--) {
        next[i] = last[pattern[i]];
        last[pattern[i]] = i;
    }
    free(last);
    return next;
}

/* How often the `length` calls from `at` on are made one after the other; 1 where they are not
 * repeated. length is the distance to where the first of them occurs again. */
static int64_t times_of(const int *pattern, int64_t count, int64_t at, int64_t length)
{
    int64_t same = 0;

    while (at + length + same < count && pattern[at + same] == pattern[at + length + same])
        same++;
    return 1 + same / length;
}

void nuce_capture_sequence_init(const int *pattern, int64_t count,
                                struct nuce_capture_sequence *out)
{
    struct nuce_capture_sequence sequence = {0};
    struct sequence_room room = {0};
    int64_t *next = next_places(pattern, count);

    for (int64_t at = 0; at < count;) {
        int64_t length = next[at] - at, times = 1;

        if (next[at] < count)
            times = times_of(pattern, count, at, length);
        if (times == 1 || length * times < LEAST_FOLDED) {
            length = 1;
            times = 1;
        }
        append_run(&sequence, &room, pattern + at, length, times);
        at += length * times;
    }
    free(next);
    *out = sequence;
}

int *nuce_capture_sequence_calls(const struct nuce_capture_sequence *sequence)
{
    int *calls = nuce_allocate(sequence->count, sizeof *calls);
    const int *pattern = sequence->pattern;
    int64_t at = 0;

    for (int64_t i = 0; i < sequence->runs; i++) {
        const struct nuce_capture_run *run = &sequence->run[i];

        for (int64_t time = 0; time < run->times; time++, at += run->length)
            memcpy(calls + at, pattern, (size_t)run->length * sizeof *calls);
        pattern += run->length;
    }
    return calls;
}
