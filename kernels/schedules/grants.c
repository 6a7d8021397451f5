/* grants: receivers grant pieces, and the port with the most bytes to get goes first.
 *
 * Problem: avoid contention at senders and receivers without a schedule. Nothing is computed and no
 * rank needs the whole pattern. credits leaves two gaps: a granted sender that is busy with another
 * receiver makes the port of a busy receiver wait, and a granted message is sent whole.
 * Steps: messages are cut into pieces of 32 KiB (larger ones for messages that would have more than
 * 256). A sender sends all its receivers the number of its bytes for them. A receiver takes the
 * ready sender with the most bytes, and grants it piece by piece until it needs no more grants,
 * then the next. Four pieces are in flight for each unit of `depth` (1 by default), of several
 * senders if messages are short. With each grant a receiver sends the number of bytes that it still
 * has to get. A sender serves the receiver with the most. It changes to another only when that one
 * needs it no more, or when another has half as much again.
 * Cost: one short message for each message and one for each piece. Only the first is waited for,
 * because other pieces are in flight meanwhile. No scheduling.
 * Limits: the rule "the longest remaining work first" is that of open shops with preemption
 * (Gonzalez and Sahni). Ranks decide here with local knowledge, and so without its guarantee.
 * Source: pieces by grants as in pHost: Gao, Narayan, Kumar, Agarwal, Ratnasamy and Shenker,
 * "pHost: Distributed Near-Optimal Datacenter Transport Over Commodity Network Fabric", CoNEXT
 * 2015. Its receivers prefer the shortest flow, for its own time; here the last one's time
 * counts. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/schedule.h"

/* Four pieces of this many bytes are in flight for each unit of depth: about the capacity of a port
 * with shallow buffers. Messages of more than 8 MiB have larger ones. */
enum { PIECE = 32 * 1024, MOST_PIECES = 256 };

/* Bytes of a piece of the message; a rank's message to itself is not cut. */
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

    builder->depth = nuce_int(input->tuning->in_flight);
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
    .label = "receiver grants",
    .summary = "no schedule: receivers grant pieces of in-flight senders, the busiest port first",
    .source = "Gao, Narayan, Kumar, Agarwal, Ratnasamy and Shenker: pHost, CoNEXT 2015",
    .executor = "grants",
    .discipline = NUCE_DYNAMIC,
    .uses = NUCE_USES_IN_FLIGHT,
    .in_flight = 1,
    .concern = NUCE_CONCERN_OWN,
    .fill = grants_fill,
};
