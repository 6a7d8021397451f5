/* The subcommands of nuce-model: what the papers' cost models say, without MPI. */
#ifndef NUCE_MODEL_H
#define NUCE_MODEL_H

/* A subcommand: a file in this folder and a row in models.def. */
struct nuce_model_command {
    const char *name;
    const char *summary;
    /* argv[0] is "nuce-model NAME". Returns the exit status. */
    int (*run)(int argc, char **argv);
};

#endif
