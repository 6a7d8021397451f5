/* Round trips. Out: messages, each answered by an empty one. In: empty messages, each answered by
 * one. Either way the leader's clock alone is looked at, so that clocks need not agree; and either
 * way a trip has one startup of data and one of an empty message. Receives are posted first. */
#include "programs/links.h"
#include "run/check.h"
#include "run/fault.h"

enum { TAG_DATA = 1, TAG_EMPTY };

static void wait_all(struct nuce_links *links, int count)
{
    nuce_wait_all(&links->world->wait, count, links->requests);
}

/* Posts the receives of the messages laid out, in the requests from first; returns how many. Sizes
 * are below 2^31: the plan's largest is an int's worth (nuce_links_sizes). */
static int receive_data(struct nuce_links *links, int first)
{
    struct nuce_payload *p = &links->payload;

    for (int k = 0; k < p->receives; k++)
        NUCE_MPI(MPI_Irecv(p->receive + p->receive_at[k],
                           (int)(p->receive_at[k + 1] - p->receive_at[k]), MPI_BYTE, p->source[k],
                           TAG_DATA, links->world->comm, &links->requests[first + k]));
    return p->receives;
}

static int send_data(struct nuce_links *links, int first)
{
    struct nuce_payload *p = &links->payload;

    for (int k = 0; k < p->sends; k++)
        NUCE_MPI(MPI_Isend(p->send + p->send_at[k], (int)(p->send_at[k + 1] - p->send_at[k]),
                           MPI_BYTE, p->destination[k], TAG_DATA, links->world->comm,
                           &links->requests[first + k]));
    return p->sends;
}

static int receive_empty(struct nuce_links *links, int first, const int *from, int count)
{
    for (int k = 0; k < count; k++)
        NUCE_MPI(MPI_Irecv(NULL, 0, MPI_BYTE, from[k], TAG_EMPTY, links->world->comm,
                           &links->requests[first + k]));
    return count;
}

static int send_empty(struct nuce_links *links, int first, const int *to, int count)
{
    for (int k = 0; k < count; k++)
        NUCE_MPI(MPI_Isend(NULL, 0, MPI_BYTE, to[k], TAG_EMPTY, links->world->comm,
                           &links->requests[first + k]));
    return count;
}

/* Tells the watchdog whom this rank waits for; -1: several. */
static void links_trip_watch(struct nuce_links *links, int peer)
{
    nuce_watch_set(links->world->watch, NUCE_ACTIVITY_EXCHANGE, peer, 0);
}

double nuce_links_lead(struct nuce_links *links, int is_out)
{
    struct nuce_payload *p = &links->payload;
    const int *peers = is_out ? p->destination : p->source;
    int peer_count = is_out ? p->sends : p->receives;
    double begin = nuce_clock(), seconds;
    int count;

    links_trip_watch(links, peer_count == 1 ? peers[0] : -1);
    if (is_out) {
        count = receive_empty(links, 0, peers, peer_count);
        count += send_data(links, count);
    } else {
        count = receive_data(links, 0);
        count += send_empty(links, count, peers, peer_count);
    }
    wait_all(links, count);
    seconds = nuce_clock() - begin;
    if (!is_out)
        nuce_fault_after_exchange(p, NULL);
    return seconds;
}

/* A follower has one peer, the leader. On the way out the answer is sent once the data are
 * there. */
void nuce_links_follow(struct nuce_links *links, int is_out)
{
    struct nuce_payload *p = &links->payload;

    if (is_out) {
        links_trip_watch(links, p->source[0]);
        wait_all(links, receive_data(links, 0));
        wait_all(links, send_empty(links, 0, p->source, 1));
        nuce_fault_after_exchange(p, NULL);
    } else {
        links_trip_watch(links, p->destination[0]);
        wait_all(links, receive_empty(links, 0, p->destination, 1));
        wait_all(links, send_data(links, 0));
    }
}
