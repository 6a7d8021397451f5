/* The circle method (Kirkman: "On a problem in combinations", Cambridge and Dublin Math. J. 2,
 * 1847). With an even number n of seats, the last seat stays. In round r seats i and j of the
 * others meet if i + j = r modulo n - 1; the remaining one, 2 i = r, meets the last. With an odd
 * number of ranks the last seat is empty. */
#include "schedules/tournament.h"

/* The number of ranks, rounded up to an even number. */
static int tournament_seats(int ranks)
{
    return ranks + ranks % 2;
}

int nuce_tournament_rounds(int ranks)
{
    return tournament_seats(ranks) - 1;
}

/* Symmetric: the partner of a rank's partner is that rank. A partner beyond the ranks is the empty
 * seat. */
int nuce_tournament_partner(int round, int rank, int ranks)
{
    int last = tournament_seats(ranks) - 1;
    int partner;

    if (rank == last)
        /* Twice (n / 2) is 1 modulo n - 1: half of the round. */
        partner = (int)((long long)round * (tournament_seats(ranks) / 2) % last);
    else
        partner = (round - rank + last) % last;
    if (partner == rank)
        partner = last;
    return partner < ranks ? partner : NUCE_TOURNAMENT_NOBODY;
}
