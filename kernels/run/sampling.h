/* Sampling: the contenders of a race in rounds. Each has its turn in every round, in an order
 * drawn for each round. The state that a contender leaves (caches, unexpected messages), and
 * other load on the machine, affect all alike, so times of one round are comparable.
 *
 * All ranks begin a turn together: after a barrier (sync: barrier), or at a time on their common
 * clock that rank 0 has given the turn (sync: window). A turn is one step, or a batch of
 * consecutive steps if the clock is too coarse for one. A sample is its time divided by the
 * number of steps. Each sample has two times, both on the clocks of clock_sync.h:
 *   step  from the common start, which is the first rank's exit from the barrier or the given time,
 *         to the last rank's end: it includes the distance between the ranks' starts;
 *   own   the longest of the ranks' own durations, each from its own start: it excludes that.
 *
 * The parts of a step (packing, communication, ...) are maxima over ranks, each by itself, so
 * they may add up to more than the step. */
#ifndef NUCE_SAMPLING_H
#define NUCE_SAMPLING_H

#include "run/rounds.h"

/* Warms one entrant up and verifies it. NUCE_INTERRUPTED if *interrupted was set on some rank,
 * NUCE_CORRUPT if the check failed; the same on all ranks. Collective. */
nuce_status nuce_sampling_warm_up(const struct nuce_sampling *sampling,
                                  struct nuce_entrant *entrant, struct nuce_error *error);

/* Takes the same number of samples of count entrants, which are warm. The first is the
 * reference.
 *
 * One entrant alone is sampled until its median is known to the measure's ci. For several, the
 * ratios to the reference, round by round, must be known that well. A pilot of dropped rounds
 * estimates the number of rounds, and that many new ones are the samples. Their number does not
 * depend on their times, so stopping early causes no bias.
 *
 * NUCE_INTERRUPTED if *interrupted was set on some rank (the samples so far remain). NUCE_FAILED
 * if memory is short or no round ever began in time. The same on all ranks. *facts is filled in
 * unless memory is short. Collective. */
nuce_status nuce_sampling_run(const struct nuce_sampling *sampling, struct nuce_entrant *entrants,
                              int count, struct nuce_sampling_facts *facts,
                              struct nuce_error *error);

/* The share of an entrant's steps after which the received bytes were checked, the least over
 * ranks: about the probability of detecting a flipped bit in one of them. batch: steps of a
 * turn, of which the last can be checked. 0 if there is nothing to check. Collective. */
double nuce_sampling_looked(const struct nuce_sampling *sampling,
                            const struct nuce_entrant *entrant, int64_t batch);

/* Verifies an entrant once more after its samples; the same status on all ranks. Collective. */
nuce_status nuce_sampling_verify(const struct nuce_sampling *sampling,
                                 const struct nuce_entrant *entrant, struct nuce_error *error);

/* The number of pilot rounds that estimate the number of rounds. The latter is from the
 * measure's min to its max, or to the number of round_s seconds that fit its limit. The pilot is
 * at most a quarter of the rounds that it may save, else none. */
int64_t nuce_sampling_pilot_rounds(const struct nuce_measure *measure, double round_s);

/* The number of rounds until the 95 % interval of each entrant's median ratio to the reference
 * (entrants[0]) is within fraction of it, estimated from their samples. At least 1, INT64_MAX if
 * no number suffices. scratch: as many values as there are rounds. */
int64_t nuce_sampling_rounds_wanted(const struct nuce_entrant *entrants, int count, double fraction,
                                    double *scratch);

#endif
