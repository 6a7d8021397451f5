/* Sampling: the contenders of a heat in rounds in which every one has its turn, in an order drawn
 * anew each time. What a contender leaves behind (caches, unexpected messages) and what others do
 * to the machine meanwhile hits all alike, so that times of one round can be compared.
 *
 * A turn is begun together: all ranks have met in a barrier (sync: barrier), or it is the time on
 * their common clock that rank 0 has given the turn (sync: window). It is one step, or a batch of
 * steps one after another where the clock is too coarse for one: a sample is what it took, by the
 * number of steps. Of each sample there are two times, both on the clocks of clock_sync.h:
 *   step  from the common start, which is the first rank's exit from the barrier or the given time,
 *         to the last rank's end: how far apart the ranks began is in it;
 *   own   the longest of the ranks' own durations, each from its own start: that is not in it.
 * The parts of a step (packing, communication, ...) are maxima over ranks, each by itself, so that
 * they may add up to more than the step. */
#ifndef NUCE_SAMPLING_H
#define NUCE_SAMPLING_H

#include "run/rounds.h"

/* Warms one entrant up and verifies it: NUCE_INTERRUPTED when *interrupted was set on some rank,
 * NUCE_CORRUPT when the check failed; the same on all ranks. Collective. */
nuce_status nuce_sampling_warm_up(const struct nuce_sampling *sampling,
                                  struct nuce_entrant *entrant, struct nuce_error *error);

/* Takes samples of count entrants, which are warm, as many of each. The first is the reference.
 *
 * One alone is sampled until the median is known to the measure's ci. Of several it is the ratios
 * to the reference, round by round, that are to be known so well: a few rounds that are thrown away
 * say how many that takes, and so many new ones are the samples. That number does not depend on
 * what they show, so stopping early bends nothing.
 *
 * NUCE_INTERRUPTED when *interrupted was set on some rank (the samples so far stand), NUCE_FAILED
 * when memory is short or no round ever began in time: the same on all ranks. *facts is filled in
 * but where memory is short. Collective. */
nuce_status nuce_sampling_run(const struct nuce_sampling *sampling, struct nuce_entrant *entrants,
                              int count, struct nuce_sampling_facts *facts,
                              struct nuce_error *error);

/* The part of the steps of an entrant after which the bytes that were received were looked at, the
 * least of the ranks': about the probability that a bit flipped in one of them is seen. batch:
 * steps of a turn, of which the last can be looked at. 0 where there is nothing to look at.
 * Collective. */
double nuce_sampling_looked(const struct nuce_sampling *sampling,
                            const struct nuce_entrant *entrant, int64_t batch);

/* Verifies an entrant that was sampled once more; the same status on all ranks. Collective. */
nuce_status nuce_sampling_verify(const struct nuce_sampling *sampling,
                                 const struct nuce_entrant *entrant, struct nuce_error *error);

/* How many rounds that are thrown away say how many are wanted, from the measure's min to its max
 * or to those of round_s seconds that its limit has room for: no more than a quarter of those that
 * they may save, else none. */
int64_t nuce_sampling_pilot_rounds(const struct nuce_measure *measure, double round_s);

/* How many rounds it takes until the 95 % interval of each entrant's median ratio to the reference
 * (entrants[0]) is within fraction of it, by what the rounds in their samples show. At least 1,
 * INT64_MAX where no number of them would do. scratch: as many values as there are rounds. */
int64_t nuce_sampling_rounds_wanted(const struct nuce_entrant *entrants, int count, double fraction,
                                    double *scratch);

#endif
