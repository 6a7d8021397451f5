/* grants: receivers grant pieces, and the port that has most to get goes first.
 *
 * Problem: contention at senders and receivers without a schedule: nothing is computed and nobody
 * needs to know the whole pattern. credits leaves two gaps: a granted sender that is sending to
 * another receiver makes the port of a busy one wait, and a message once granted is sent whole.
 * Steps: messages are cut into pieces of 32 KiB (of more, so that a message has at most 256). A
 * sender tells all its receivers how much it has to send. A receiver takes the ready one that has
 * most to send, and grants it piece by piece until it needs no more grants, then the next, with
 * four pieces under way, which are of several senders where messages are short; `depth` times that
 * at a time, 1 unless told. With each grant a receiver tells how much it still has to get. A sender
 * serves the receiver that has most, and another one only when that needs it no more, or when one
 * has half as much again. Cost: one short message for each message and one for each piece, of which
 * none but the first is waited for, as other pieces are on their way meanwhile. No scheduling.
 * Limits: what has the longest way to go first is the rule for open shops with preemption (Gonzalez
 * and Sahni); by what is known where it is decided here, and so without its guarantee.
 * Source: pieces by grants as in pHost: Gao, Narayan, Kumar, Agarwal, Ratnasamy and Shenker,
 * "pHost: Distributed Near-Optimal Datacenter Transport Over Commodity Network Fabric", CoNEXT
 * 2015, whose receivers prefer the shortest flow, for its own time; here the last one's time
 * counts. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/schedule.h"

/* Four pieces of so many bytes are under way in a turn: about what a port with shallow buffers
 * holds. Messages of more than 8 MiB have larger ones. */
enum { PIECE = 32 * 1024, MOST_PIECES = 256 };

/* Bytes of a piece of the message; what a rank sends to itself is not cut. */
static int64_t piece_of(int source, int destination, int64_t bytes)
{
    int64_t least = (bytes + MOST_PIECES - 1) / MOST_PIECES;

    if (source == destination)
        return bytes;
    return least > PIECE ? least : PIECE;
}

static void grants_fill(const struct nuce_schedule_input *input,
                        struct nuce_schedule_builder *builder)
{
    const struct nuce_pattern *pattern = input->pattern;
    int64_t *sends = nuce_allocate(2 * (int64_t)pattern->ranks, sizeof *sends);
    int64_t *receives = sends + pattern->ranks;

    builder->depth = nuce_int(input->tuning->depth);
    /* Counts the pieces of every rank's sends and receives. */
    NUCE_EACH_MESSAGE (pattern, i, k) {
        int64_t piece = piece_of(i, pattern->destination[k], pattern->bytes[k]);
        int64_t count = (pattern->bytes[k] + piece - 1) / piece;

        sends[i] += count;
        receives[pattern->destination[k]] += count;
    }
    nuce_schedule_expect_pieces(builder, sends, receives);
    NUCE_EACH_MESSAGE (pattern, i, k) {
        int64_t bytes = pattern->bytes[k];
        int64_t piece = piece_of(i, pattern->destination[k], bytes);

        for (int64_t offset = 0; offset < bytes; offset += piece)
            nuce_schedule_add(builder, i, pattern->destination[k], 0, offset,
                              bytes - offset < piece ? bytes - offset : piece);
    }
    free(sends);
}

const struct nuce_schedule_ops nuce_schedule_grants = {
    .name = "grants",
    .summary =
        "no schedule: receivers grant up to depth senders pieces, the busiest port goes first",
    .source = "Gao, Narayan, Kumar, Agarwal, Ratnasamy and Shenker: pHost, CoNEXT 2015",
    .executor = "grants",
    .discipline = NUCE_DYNAMIC,
    .uses = NUCE_USES_DEPTH,
    .concern = NUCE_CONCERN_OWN,
    .fill = grants_fill,
};
