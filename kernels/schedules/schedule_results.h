/* The results of a pattern and of a schedule of it, for all programs that make them. */
#ifndef NUCE_SCHEDULE_RESULTS_H
#define NUCE_SCHEDULE_RESULTS_H

#include "base/result.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* Rows of the results that nuce_pattern_describe and nuce_schedule_describe set. */
extern const struct nuce_result nuce_pattern_results[];
extern const struct nuce_result nuce_schedule_results[];

void nuce_pattern_describe(const struct nuce_pattern_summary *summary, struct nuce_metrics *found);

/* pattern_sha256 alone: O(messages) of text, so only for records. */
void nuce_pattern_describe_content(const struct nuce_pattern *pattern, struct nuce_metrics *found);

/* Sums over the sends of several ranks. */
struct nuce_schedule_totals {
    int64_t pieces;
    int64_t forwarded_bytes; /* bytes sent beyond the messages' own: their further hops, and
                                padding */
};

/* The totals of the ranks first .. end - 1. */
struct nuce_schedule_totals nuce_schedule_total(const struct nuce_schedule *schedule, int first,
                                                int end);

/* totals: of all ranks; schedule itself need not have them all. */
void nuce_schedule_describe(const struct nuce_schedule *schedule,
                            const struct nuce_schedule_totals *totals, struct nuce_metrics *found);

/* Bytes of memory of a pattern and of a schedule; 0 for empty ones. */
int64_t nuce_pattern_memory(const struct nuce_pattern *pattern);
int64_t nuce_schedule_memory(const struct nuce_schedule *schedule);

#endif
