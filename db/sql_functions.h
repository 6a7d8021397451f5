/* What views and queries can call beside SQLite's own functions.
 *
 * Results of several numbers are JSON arrays, as a function of SQLite gives one value:
 * json_extract(over_launches(x), '$[1]') is the mean. What cannot be told is NULL, or null in an
 * array. */
#ifndef NUCE_SQL_FUNCTIONS_H
#define NUCE_SQL_FUNCTIONS_H

#include <sqlite3.h>

/* Adds to the connection, for as long as it is open,
 *
 *   student(df [, confidence])  half the width of the interval of a mean, in standard errors, by
 *                               its degrees of freedom; of 95 % where no confidence is given
 *   sample_part(name)           the number of a part of a sample, from 0 (record.h)
 *   race_ratio(times, reference's times, part)
 *                               [rounds, ratio, low, high] of one launch (race_ratio.h)
 *   race_side(mean, reach, control)
 *                               1: shown to be slower, -1: faster, 0: neither (race_ratio.h)
 *   tie_of(kind)                up to which ratio, a logarithm, times that were computed are a tie
 *   is_slower(launches, mean, error, rivals, control)
 *                               1: the contender is not among the fastest (race_ratio.h)
 *   launches_needed(launches, mean, error, rivals, control)
 *                               in how many launches that would likely show
 *   contender_name(contender, params, compared)
 *                               what a point is called among those that it races with
 *   told_time(s), told_bytes(b) as people read them: "3.01 ms"
 *   told_library(version)       name and version of an MPI library
 *   over_launches(x)            aggregate: [launches, mean, standard error, half its 95 % interval]
 *                               of values that have one a launch, logarithms of ratios mostly
 *   median_of(x)                aggregate: the median with its 95 % interval, three figures
 *   medians_of_parts(times)     aggregate: three such figures for each part of the samples of a
 *                               group of runs; of several runs what these say together
 *   figure_of(figures, i)       one of the figures of these two, which are no text
 *   rank_correlation(x, y)      aggregate: Spearman's, of the pairs without a NULL, as
 *                               [rho, low, high] with its 95 % interval (rank_correlation.h)
 *
 * All are deterministic and look at nothing but their arguments. Returns SQLite's code. */
int nuce_sql_functions_add(sqlite3 *handle);

#endif
