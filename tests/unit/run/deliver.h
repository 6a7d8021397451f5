/* Exchanges between ranks in one process, by copying. */
#ifndef NUCE_TEST_DELIVER_H
#define NUCE_TEST_DELIVER_H

#include "../test.h"

#include "run/payload.h"

/* Messages arrive at each rank, whose payload of[rank] is; backwards: the arriving bytes go back to
 * their source. */
static inline void deliver(const struct nuce_payload *of, int ranks, int is_back)
{
    for (int source = 0; source < ranks; source++) {
        const struct nuce_payload *from = &of[source];

        for (int i = 0; i < from->send.count; i++) {
            const struct nuce_payload *to = &of[from->send.peer[i]];
            int64_t bytes = from->send.at[i + 1] - from->send.at[i];
            const struct nuce_transfer whole = {.peer = source, .bytes = bytes};
            unsigned char *sent = from->send.data + from->send.at[i];
            unsigned char *came = nuce_payload_at(&to->receive, &whole);

            memcpy(is_back ? sent : came, is_back ? came : sent, (size_t)bytes);
        }
    }
}

#endif
