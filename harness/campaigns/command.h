/* One start of a user's command, and the number that it printed. */
#ifndef NUCE_COMMAND_H
#define NUCE_COMMAND_H

#include <jansson.h>

#include "campaigns/process.h"
#include "points/workload.h"

/* The end of a start; the strings are owned. */
struct nuce_command_end {
    const char *status; /* as in records: ok, failed, timeout or interrupted */
    char *message;      /* the reason of another status than ok; NULL: none */
    double wall_s;      /* from the start of the process to its end */
    char *out, *err;    /* what it printed */
};

/* The words of a contender's command (nuce_program_words), behind env with its variables and, if
 * they are its own, in a shell. params and factors are those of its line in the plan, factors NULL:
 * none. A new array; NULL with *error, NUCE_BAD_INPUT. */
json_t *nuce_command_words(const struct nuce_program_params *params, const json_t *factors,
                           int ranks, struct nuce_error *error);

/* The same start of a program that does nothing: the words up to the application, which is the
 * first word behind an MPI launcher that names a program, and "true". A new array; NULL: the words
 * begin with no launcher. */
json_t *nuce_command_null(const json_t *words);

/* Starts words in the folder of params and waits for the end of all its processes. After timeout_s
 * they are ended (timeout); so they are when a signal comes (interrupted). Another exit status than
 * 0, output without a match of `expect`, or a program that cannot be started is failed. Between
 * nuce_process_prepare and nuce_process_restore. */
void nuce_command_run(const struct nuce_program_params *params, const json_t *words,
                      double timeout_s, const struct nuce_signals *signals,
                      struct nuce_command_end *out);
void nuce_command_end_fini(struct nuce_command_end *end);

/* The metric of a start that ended ok. *value is as printed, *cost what is compared: seconds where
 * the unit is one of time, else the value itself; its inverse where higher is better.
 * NUCE_BAD_INPUT with the end of the output: there is no such number, or it is not above 0. */
nuce_status nuce_command_metric(const struct nuce_program_params *params,
                                const struct nuce_command_end *end, double *value, double *cost,
                                struct nuce_error *error);

/* The first column of the rows of the table that a command printed, as texts: a new array. Its rows
 * are the lines that begin with a number and have a number in that column; blanks, tabs, | , and ;
 * are between columns. */
json_t *nuce_command_rows(const char *output, int64_t column);

#endif
