/* The sends of one rank in a redistribution, or its receives, as places in its local part. They are
 * strided line segments (Banerjee et al., as in section 3 of the redistribution paper), for each
 * peer and dimension. The elements of a message are in ascending order of their global column, then
 * of their global row, so both of its ends agree on them without communication. */
#ifndef NUCE_INDEX_SET_H
#define NUCE_INDEX_SET_H

#include <stdint.h>

#include "instances/cyclic.h"
#include "instances/redistribution.h"

/* The rows, or columns, of one message, ascending: period[], repeated `repeats` times, each time
 * `stride` further, then tail[] once. Contiguous runs are merged, and so are runs at equal
 * distances. */
struct nuce_lines {
    int peer;         /* rank along this dimension of the other grid */
    int64_t elements; /* all together */
    const struct nuce_line *period;
    int64_t period_lines;
    int64_t repeats;
    int64_t stride; /* elements; 0 if repeats is 1 */
    const struct nuce_line *tail;
    int64_t tail_lines;
};

/* One dimension: the other grid's ranks along it that share elements with this rank. */
struct nuce_index_dimension {
    int64_t elements; /* of this rank */
    int peers;
    struct nuce_lines *peer; /* peers, ascending */
    struct nuce_line *line;  /* the lines of all */
};

/* Every combination of a peer along the rows and one along the columns is a peer. */
struct nuce_index_set {
    int rank;
    int64_t element_bytes;
    int grid_columns; /* of the other grid */
    struct nuce_index_dimension rows, columns;
};

enum nuce_index_side {
    NUCE_SENDS,    /* places in the local part before, peers of the target grid */
    NUCE_RECEIVES, /* places in the local part after, peers of the source grid */
};

/* The index set of rank; empty for a rank beyond its grid. It goes through the rank's own blocks,
 * or its peers', of one period: time and memory grow with those, not with the array. Free with
 * nuce_index_set_fini. */
void nuce_index_set_create(const struct nuce_redistribution *redistribution, int rank,
                           enum nuce_index_side direction, struct nuce_index_set *out);

/* Frees the content of *set and empties it; accepts an empty (all zero) one. */
void nuce_index_set_fini(struct nuce_index_set *set);

/* The number of peers. For the k-th, ranks ascending: its rows and columns in the local part
 * (borrowed from *set), its rank, the bytes of its message. */
int nuce_index_set_peers(const struct nuce_index_set *set);
const struct nuce_lines *nuce_index_set_rows(const struct nuce_index_set *set, int k);
const struct nuce_lines *nuce_index_set_columns(const struct nuce_index_set *set, int k);
int nuce_index_set_rank(const struct nuce_index_set *set, int k);
int64_t nuce_index_set_bytes(const struct nuce_index_set *set, int k);

/* The number of the peer with that rank, or -1. */
int nuce_index_set_find(const struct nuce_index_set *set, int rank);

#endif
