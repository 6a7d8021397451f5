/* A subcommand of nuce-model: the options of a workload -> every combination of comma lists -> the
 * workload's model -> rows. */
#ifndef NUCE_MODEL_COMMAND_H
#define NUCE_MODEL_COMMAND_H

#include "model/view.h"

/* argv[0] is "nuce-model NAME". Prints; returns the exit status. */
int nuce_model_run(const struct nuce_model_view *view, int argc, char **argv);

#endif
