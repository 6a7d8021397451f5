/* The rounds in which every rank meets every other: pairs of one round share no rank, so they can
 * be measured at the same time. */
#ifndef NUCE_TOURNAMENT_H
#define NUCE_TOURNAMENT_H

#define NUCE_TOURNAMENT_NOBODY (-1)

/* The number of rounds: ranks - 1, or ranks if their number is odd, because one rank then pauses in
 * each. ranks > 0. */
int nuce_tournament_rounds(int ranks);

/* The partner of rank in a round; NUCE_TOURNAMENT_NOBODY: the rank pauses. */
int nuce_tournament_partner(int round, int rank, int ranks);

#endif
