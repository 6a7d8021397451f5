/* multi-leader: some ranks of each node, its leaders, carry equal shares of all bytes between the
 * node and the others.
 *
 * Problem: many messages between the same nodes pay for as many startups. A single rank that
 * bundles them all has only one NIC. With agents by partner node, as in node-aware, ranks share
 * unequally.
 * Steps: the leaders of a node of Q ranks are its ranks number l Q / k, l = 0 .. k - 1.
 *   1. All bytes that leave a node form one row: by destination node, starting with the next one,
 *      then by source. Leader l gets the l-th of k equal parts of that row.
 *   2. All bytes that reach a node form one row as well: by source node, starting with the previous
 *      one, then by source; leader l receives the l-th part. So each leader sends its bytes for the
 *      same leader of another node in one transfer, cut where parts end.
 *   3. Each rank gets its bytes from its leaders.
 * Messages that stay on a node go directly, while the leaders send.
 * Cost: each leader carries B / k of a node's B outgoing bytes, rounded up, and the same of the
 * incoming ones. On the network there is at most one transfer for each pair of nodes and 2 (k - 1)
 * more for each node. Each byte is sent once between nodes and up to twice inside them.
 * Limits: on a node with fewer ranks than leaders all ranks are leaders. Messages are cut at any
 * byte.
 * Nodes: as given (node_ranks), else those of the network, else those that the ranks run on. If
 * none is known each rank is a node, and only ac remains.
 * Sources: leaders: Kandalla and others, "Designing multi-leader-based allgather algorithms for
 * multi-core clusters", IPDPS 2009; for all-to-all: Kinkead and others, "Scaling all-to-all
 * operations across emerging many-core supercomputers", SC Workshops 2025 (arXiv 2601.17606). Their
 * messages are equal, and leaders serve ranks of their own; the equal parts are ours. */
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/groups.h"
#include "schedules/plain.h"
#include "schedules/store_forward.h"

/* The bytes of one node for another. */
struct leader_pair {
    int64_t bytes;   /* of all messages */
    int64_t out, in; /* place of the next byte in the source's row, and in the destination's row */
};

/* The lengths of a node's two rows. */
struct leader_row {
    int64_t sent, received;
};

struct multi_leader {
    struct nuce_groups nodes;
    int leaders;               /* of a node, at most */
    struct leader_pair *pairs; /* nodes x nodes, by source */
    struct leader_row *rows;   /* nodes */
    struct nuce_hops hops;
};

static int64_t multi_leader_pair(const struct multi_leader *m, int from, int to)
{
    return (int64_t)from * m->nodes.count + to;
}

/* The leader for the byte `at` of a node's row of that many bytes; *left: the rest of its part from
 * there. */
static int leader_at(const struct multi_leader *m, int node, int64_t bytes, int64_t at,
                     int64_t *left)
{
    int size = nuce_groups_size(&m->nodes, node);
    int64_t leaders = m->leaders > size ? size : m->leaders;
    int64_t part = bytes / leaders + (bytes % leaders > 0), leader = at / part;

    *left = (leader + 1) * part - at;
    return m->nodes.rank[m->nodes.start[node] + (int)(leader * size / leaders)];
}

/* Adds a message to another node, the next of its pair, cut where a part ends on either side. */
static void multi_leader_cross(struct multi_leader *m, const struct nuce_parcel *message)
{
    int from = m->nodes.group_of[message->source], to = m->nodes.group_of[message->destination];
    int64_t pair = multi_leader_pair(m, from, to), left = message->bytes;
    struct nuce_parcel parcel = *message;

    while (left > 0) {
        int64_t left_out, left_in;
        int via = leader_at(m, from, m->rows[from].sent, m->pairs[pair].out, &left_out);
        int other = leader_at(m, to, m->rows[to].received, m->pairs[pair].in, &left_in);

        parcel.bytes = left_out < left_in ? left_out : left_in;
        parcel.bytes = parcel.bytes < left ? parcel.bytes : left;
        nuce_hops_add_relayed(&m->hops, via, other, &parcel);
        m->pairs[pair].out += parcel.bytes;
        m->pairs[pair].in += parcel.bytes;
        parcel.offset += parcel.bytes;
        left -= parcel.bytes;
    }
}

static nuce_status multi_leader_build(const struct nuce_schedule_input *input,
                                      struct nuce_schedule_builder *builder,
                                      struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct multi_leader m = {0};
    const int *node;
    nuce_status status;
    int nodes;

    if (nuce_groups_init(input, &m.nodes, error) != NUCE_OK)
        return error->status;
    status = nuce_groups_leaders(&m.nodes, input->tuning->leaders, &m.leaders, error);
    if (status == NUCE_OK && nuce_groups_are_flat(&m.nodes))
        status = nuce_schedule_as_ac(input, builder, error);
    if (status != NUCE_OK || nuce_groups_are_flat(&m.nodes)) {
        nuce_groups_fini(&m.nodes);
        return status;
    }
    nodes = m.nodes.count;
    node = m.nodes.group_of;
    m.pairs = nuce_allocate((int64_t)nodes * nodes, sizeof *m.pairs);
    m.rows = nuce_allocate(nodes, sizeof *m.rows);
    /* The beginning of each pair of nodes in both rows. */
    NUCE_EACH_MESSAGE (pattern, i, k)
        m.pairs[multi_leader_pair(&m, node[i], node[pattern->destination[k]])].bytes +=
            pattern->bytes[k];
    for (int distance = 1; distance < nodes; distance++) {
        for (int from = 0; from < nodes; from++) {
            int to = (from + distance) % nodes;
            int64_t pair = multi_leader_pair(&m, from, to);

            m.pairs[pair].out = m.rows[from].sent;
            m.pairs[pair].in = m.rows[to].received;
            m.rows[from].sent += m.pairs[pair].bytes;
            m.rows[to].received += m.pairs[pair].bytes;
        }
    }
    for (int n = 0; n < pattern->ranks; n++) {
        int i = m.nodes.rank[n];

        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            struct nuce_parcel message = {i, pattern->destination[k], pattern->bytes[k], 0};

            if (!nuce_groups_make(&m.nodes, node[i], node[message.destination]))
                continue;
            if (node[message.destination] != node[i])
                multi_leader_cross(&m, &message);
            else if (message.destination != i)
                nuce_hops_add(&m.hops, NUCE_RELAY_BETWEEN, i, message.destination, &message);
        }
    }
    nuce_hops_schedule(pattern, NUCE_RELAY_ROUNDS, &m.hops, builder);
    nuce_groups_fini(&m.nodes);
    nuce_hops_fini(&m.hops);
    free(m.pairs);
    free(m.rows);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_multi_leader = {
    .name = "multi-leader",
    .summary = "some ranks of each node carry, in equal shares, all messages between nodes",
    .source = "Kandalla and others, IPDPS 2009; Kinkead and others, arXiv 2601.17606, 2025",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_NODES | NUCE_USES_LEADERS,
    .concern = NUCE_CONCERN_NODES,
    .build = multi_leader_build,
};
