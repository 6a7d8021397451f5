/* The command line of a measuring program, made from the workload's table of options. */
#ifndef NUCE_ARGUMENTS_H
#define NUCE_ARGUMENTS_H

#include <jansson.h>

#include "base/error.h"
#include "base/grid.h"
#include "points/facts.h"
#include "points/workload.h"
#include "run/environment.h"

/* The parsed command line. given is owned; all texts are borrowed from argv. */
struct nuce_arguments {
    const struct nuce_workload_ops *workload;
    json_t *given;        /* workload and measure options as given: name -> text */
    const char *points;   /* borrowed from argv, as all texts here; NULL: not given */
    const char *records;  /* new file for the records; NULL: rows are printed */
    const char *campaign; /* "" if not given */
    const char *networks; /* folder of measured networks */
    enum nuce_grid_format format;
    struct nuce_launch launch; /* of the launcher; paths borrowed from argv */
};

/* Parses argv; --help, --usage and --version print and exit, as usual. Prints nothing else.
 * NUCE_BAD_INPUT names the option, and *out is unchanged. Freed with nuce_arguments_fini. Local,
 * and called before MPI_Init. */
nuce_status nuce_arguments_parse(const struct nuce_workload_ops *workload, int argc, char **argv,
                                 struct nuce_arguments *out, struct nuce_error *error);
void nuce_arguments_fini(struct nuce_arguments *arguments);

/* Returns the points for this many ranks as an array of plan lines, completed and checked. They
 * are the lines of --points for that many ranks, else every combination of the given lists. The
 * compared option changes fastest, so contenders are adjacent. New reference; NULL with *error:
 * NUCE_BAD_INPUT if one of them is invalid or none is left. Local, on rank 0. */
json_t *nuce_arguments_points(const struct nuce_arguments *arguments, int ranks,
                              struct nuce_facts *facts, struct nuce_error *error);

#endif
