/* Made-up records of heats whose ratios are known: ac, the reference, against lp and rs-n. Every
 * function fails the running test if it cannot do its work. */
#ifndef NUCE_TEST_HEAT_RECORDS_H
#define NUCE_TEST_HEAT_RECORDS_H

#include <jansson.h>

enum { HEAT_ROUNDS = 7 };

/* Appends to campaign a below folder the run of schedule in one launch of the heat of the instance
 * with that seed; it takes factor times as long as the reference. twin > 0: it is the reference,
 * whose twin took so many times as long. */
void append_entrant(const char *folder, int launch, int seed, const char *schedule, double factor,
                    double twin);

/* A heat in one launch, whose job there is: twin, lp and rs_n are so many times the reference. */
void append_heat(const char *folder, int launch, int seed, double twin, double lp, double rs_n);

/* A launch, its job first, of the heat of seed 1. */
void append_launch(const char *folder, int launch, double twin, double lp, double rs_n);

/* Makes record one of a launch of a heat of that number, whose criterion is the step, in job
 * j<launch> (whose record the caller appends), with its times multiplied by noise; the reference
 * has a twin that is as it is. */
void enter_heat(json_t *record, int heat, int launch, double noise, int is_reference);

#endif
