/* Tuning files: which schedule an exchange is to have, as text. 'nuce advise --write' writes them
 * from races; a library or an application looks its calls up in them.
 *
 *   nuce-tuning 1
 *   machine: x86_64 AMD EPYC
 *   mpi: MPICH 4.0.2
 *   alltoallv ranks=8 pattern=0123456789abcdef schedule=tuna radix=2 call-time=31us ratio=0.65
 *   alltoallv ranks=8 bytes=16..256 degree=4..7 schedule=library
 *
 * The first line is the format and its version; `#` begins a comment. A rule is a call, a number of
 * ranks, one pattern (its fingerprint) or a class of patterns, a schedule, and options of
 * tuning.inc. bytes is the mean size of a message, degree the mean number of messages per rank
 * sends; messages of 0 bytes count in neither. schedule=library leaves the call to the MPI library.
 * call-time and ratio are of the races: the time of a call without the rule, and the ratio of the
 * schedule to it. They decide nothing, and a rule may lack them.
 */
#ifndef NUCE_TUNING_FILE_H
#define NUCE_TUNING_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/option.h"
#include "schedules/schedule.h"

/* low .. high, both included. */
struct nuce_tuning_span {
    int64_t low, high;
};

struct nuce_tuning_rule {
    char call[NUCE_NAME_BYTES]; /* one of nuce_tuning_calls */
    int ranks;
    int is_class;
    uint64_t fingerprint;                     /* of the pattern, unless is_class */
    struct nuce_tuning_span bytes, degree;    /* of a class */
    const struct nuce_schedule_ops *schedule; /* NULL: the MPI library's own call */
    struct nuce_tuning tuning;                /* options that are not given have their preset */
    double call_time_s, ratio;                /* of the races; both 0: not given */
};

/* All of it is owned; empty when all is 0. */
struct nuce_tuning_file {
    char *machine, *mpi; /* where the races ran; "": not given */
    int64_t count, capacity;
    struct nuce_tuning_rule *rules;
};

/* The calls that a rule may name: alltoallv, alltoallw, neighbor_alltoallv, neighbor_alltoallw.
 * NULL-ended. */
extern const char *const nuce_tuning_calls[];

/* The options of a rule, whose members are those of struct nuce_tuning. */
extern const struct nuce_option nuce_tuning_options[];

/* Reads the file at path, or length bytes at text; name replaces the path in messages.
 * NUCE_BAD_INPUT names file, line and column; *out is then unchanged. Freed with
 * nuce_tuning_file_fini, which accepts an empty one. */
nuce_status nuce_tuning_file_read(const char *path, struct nuce_tuning_file *out,
                                  struct nuce_error *error);
nuce_status nuce_tuning_file_parse(const char *name, const char *text, size_t length,
                                   struct nuce_tuning_file *out, struct nuce_error *error);
void nuce_tuning_file_fini(struct nuce_tuning_file *file);

/* The first two kinds of lines of a file, and the line of a rule. Lines written in these forms are
 * read back unchanged. */
void nuce_tuning_file_print_head(const char *machine, const char *mpi, FILE *out);
void nuce_tuning_rule_print(const struct nuce_tuning_rule *rule, FILE *out);

/* A call as all of its ranks know it. bytes and degree are means, as in rules. */
struct nuce_tuning_call {
    const char *name;
    int ranks;
    uint64_t fingerprint;
    double bytes, degree;
};

/* The rule of the call's pattern, else the first class that contains the call; NULL: there is
 * none. Valid as long as the file is. */
const struct nuce_tuning_rule *nuce_tuning_file_find(const struct nuce_tuning_file *file,
                                                     const struct nuce_tuning_call *call);

#endif
