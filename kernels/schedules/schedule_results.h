/* What can be found out about a pattern and a schedule of it, wherever they are made. */
#ifndef NUCE_SCHEDULE_RESULTS_H
#define NUCE_SCHEDULE_RESULTS_H

#include "base/result.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* Rows of what nuce_pattern_describe and nuce_schedule_describe set. */
extern const struct nuce_result nuce_pattern_results[];
extern const struct nuce_result nuce_schedule_results[];

void nuce_pattern_describe(const struct nuce_pattern_summary *summary, struct nuce_found *found);

/* pattern_sha256 alone: O(messages) of text, so only for what is recorded. */
nuce_status nuce_pattern_describe_content(const struct nuce_pattern *pattern,
                                          struct nuce_found *found, struct nuce_error *error);

/* What is summed up over the sends of several ranks. */
struct nuce_schedule_totals {
    int64_t pieces;
    int64_t forwarded_bytes; /* sent more than messages have: on their further ways, and padding */
};

/* Of the ranks first .. end - 1. */
struct nuce_schedule_totals nuce_schedule_total(const struct nuce_schedule *schedule, int first,
                                                int end);

/* totals: of all ranks, which schedule need not have. */
void nuce_schedule_describe(const struct nuce_schedule *schedule,
                            const struct nuce_schedule_totals *totals, struct nuce_found *found);

/* Bytes of memory that a pattern and a schedule take; empty ones none. */
int64_t nuce_pattern_memory(const struct nuce_pattern *pattern);
int64_t nuce_schedule_memory(const struct nuce_schedule *schedule);

#endif
