/* A subcommand of nuce-model: the options of a workload -> every combination of comma lists -> the
 * workload's model -> rows. */
#ifndef NUCE_MODEL_COMMAND_H
#define NUCE_MODEL_COMMAND_H

#include "programs/model_view.h"

/* Runs the subcommand that view describes; argv[0] is "nuce-model NAME". Prints rows to standard
 * output, an error to standard error. Returns the exit status: 0 done, 1 failed, 2 bad input;
 * --help and --version end the process. */
int nuce_model_run(const struct nuce_model_view *view, int argc, char **argv);

#endif
