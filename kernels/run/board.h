/* Memory that the ranks of a node share, in which each says what it is doing, so that the watchdog
 * of any of them sees who keeps the others waiting. */
#ifndef NUCE_WORLD_BOARD_H
#define NUCE_WORLD_BOARD_H

#include "run/wait.h"

struct nuce_board {
    struct nuce_watch *ranks; /* by rank in node; this rank's alone where memory is not shared */
    struct nuce_watch *mine;  /* one of them */
    int count;
};

/* rank: of this process in the world, for messages. node: the ranks that may share memory. Where
 * they turn out to share none, each has a board of its own. Collective over node. Ended by
 * nuce_board_fini, local. */
void nuce_board_init(const struct nuce_wait *wait, MPI_Comm node, int rank, struct nuce_board *out);
void nuce_board_fini(struct nuce_board *board);

#endif
