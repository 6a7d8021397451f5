/* What can be found out about a pattern and a schedule of it, wherever they are made. */
#ifndef NUCE_SCHEDULE_RESULTS_H
#define NUCE_SCHEDULE_RESULTS_H

#include "schedules/pattern.h"
#include "schedules/schedule.h"
#include "support/result.h"

/* Rows of what nuce_pattern_describe and nuce_schedule_describe set. */
extern const struct nuce_result nuce_pattern_results[];
extern const struct nuce_result nuce_schedule_results[];

void nuce_pattern_describe(const struct nuce_pattern_summary *summary, struct nuce_found *found);

/* pattern_sha256 alone: O(messages) of text, so only for what is recorded. */
nuce_status nuce_pattern_describe_content(const struct nuce_pattern *pattern,
                                          struct nuce_found *found, struct nuce_error *error);

void nuce_schedule_describe(const struct nuce_schedule *schedule, struct nuce_found *found);

#endif
