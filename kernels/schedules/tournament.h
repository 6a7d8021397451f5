/* The rounds in which every rank meets every other: pairs of one round share no rank, so they can
 * be measured at the same time. */
#ifndef NUCE_TOURNAMENT_H
#define NUCE_TOURNAMENT_H

#define NUCE_TOURNAMENT_NOBODY (-1)

/* How many rounds: ranks - 1, or ranks if their number is odd, when one sits out each. ranks > 0.
 */
int nuce_tournament_rounds(int ranks);

/* Whom rank meets in a round; NUCE_TOURNAMENT_NOBODY: it sits out. */
int nuce_tournament_partner(int round, int rank, int ranks);

#endif
