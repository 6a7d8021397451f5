/* A subcommand of nuce-model: the options of a workload -> every combination of comma lists -> the
 * workload's model -> rows. */
#ifndef NUCE_MODEL_COMMAND_H
#define NUCE_MODEL_COMMAND_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "base/rows.h"
#include "points/point.h"
#include "points/workload.h"
#include "programs/point_model.h"

/* What a column shows: of the workload's option called `of`, or of the result called so, over the
 * instances of a row. */
enum nuce_model_source {
    NUCE_FROM_OPTION, /* the workload's option, by its name */
    NUCE_FROM_RANKS,
    NUCE_FROM_SAMPLES, /* how many instances the row is of */
    NUCE_FROM_TEXT,    /* a text, of the last instance */
    NUCE_FROM_MEAN,
    NUCE_FROM_DEVIATION, /* standard */
    NUCE_FROM_LARGEST,
    NUCE_FROM_LEAST,
    NUCE_FROM_LIST, /* of the last instance, by its name */
};

/* Flags of columns. What is unknown is null, unless a flag has the key left out then. */
enum {
    NUCE_COLUMN_WHOLE = 1,       /* an integer where it is a whole number */
    NUCE_COLUMN_COUNT = 2,       /* an integer, of several instances a real number */
    NUCE_COLUMN_TRUTH = 4,       /* true or false */
    NUCE_COLUMN_IF_KNOWN = 8,    /* left out where it is unknown or 0 */
    NUCE_COLUMN_IF_FOUND = 512,  /* left out where it is unknown */
    NUCE_COLUMN_IF_GIVEN = 1024, /* left out of instances that are drawn */
    NUCE_COLUMN_IF_SEVERAL = 16, /* left out of one instance */
    NUCE_COLUMN_IF_SINGLE = 32,  /* left out of several */
    NUCE_COLUMN_IF_BESIDE = 64,  /* left out where the reference is not among the contenders */
    NUCE_COLUMN_JSON = 128,      /* for JSON alone */
    NUCE_COLUMN_WIDE = 256,      /* for JSON and CSV: text has no room */
};

/* A column of what is shown, in the order of the table. */
struct nuce_model_column {
    const char *key;    /* in JSON; NULL ends the columns */
    const char *within; /* key in the object that is there; NULL: the value itself. Text and CSV
                           call it KEY_WITHIN */
    enum nuce_model_source from;
    const char *of;
    double scale;        /* numbers are multiplied by it (1e6: s as us); 0: 1 */
    unsigned flags;      /* NUCE_COLUMN_... */
    enum nuce_look look; /* how text shows it */
};

/* What a command line asks for beside the workload's options. */
struct nuce_model_wish {
    int64_t ranks;         /* 0: not given */
    int format;            /* enum nuce_grid_format */
    const char *execution; /* a model of execution by name; NULL: what fits the discipline */
    int emit;              /* 1: show the transfers */
    int naive_edges;       /* of arrays: 1: count corners that coincide twice, as --edges naive */
};

struct nuce_model_row;

/* All that a subcommand is, as data; nuce_model_run does the rest. Borrowed, static as a rule. */
struct nuce_model_view {
    const char *about;        /* the first paragraph of --help */
    void (*list)(FILE *file); /* at the end of --help; NULL: nothing */
    const struct nuce_workload_ops *workload;
    unsigned hidden;               /* flags of the workload's options that mean nothing here */
    const char *ranks;             /* what their number is called as an option ("processors") */
    int most_ranks;                /* refused beyond it */
    const struct nuce_option *own; /* further options, of struct nuce_model_wish; NULL: none */
    const char *contenders;        /* comma list where none are given; NULL: they must be */
    const char *reference;         /* the contender that others are set beside; NULL: none */
    const struct nuce_result *own_results; /* what beside finds; NULL: nothing */
    int of_schedule, of_workload;          /* whose models it shows (struct nuce_model_question) */
    int digits;                            /* of reals in JSON and CSV; 0: all */
    const struct nuce_model_column *columns; /* the last one has no key */
    /* Checks what was given together, and puts options where others stand for them: option -> text.
     * NULL: nothing to do. */
    nuce_status (*arrange)(json_t *given, const struct nuce_model_wish *wish,
                           struct nuce_error *error);
    /* Adds to *found what is known of an instance by what the reference found in it. Called of the
     * reference itself as well. NULL where there is no reference. */
    void (*beside)(struct nuce_found *found, const struct nuce_found *reference);
    /* Adds the lists of an instance to those kept, which are a row's at the end. NULL: they take
     * their place. */
    void (*keep)(json_t *kept, json_t *lists);
    /* Changes what is shown of a row. NULL: nothing. */
    void (*finish)(json_t *row, const struct nuce_model_row *of);
};

/* A contender, or point: what is found of it over its instances. */
struct nuce_model_row {
    struct nuce_point point;
    struct nuce_model_means means;
    int64_t samples;
    int is_beside; /* the reference is among its contenders */
    json_t *kept;  /* lists, an object, owned */
};

/* What view shows of a row: a new object. */
json_t *nuce_model_view_row(const struct nuce_model_view *view, const struct nuce_model_row *row);

/* Prints an array of those to file. */
nuce_status nuce_model_view_print(const struct nuce_model_view *view, const json_t *rows,
                                  enum nuce_grid_format format, FILE *file,
                                  struct nuce_error *error);

/* How a subcommand of nuce-model shows a workload's model: which options it has besides the
 * workload's, and under which keys and heads the results stand. */
/* Runs the subcommand that view describes; argv[0] is "nuce-model NAME". Prints rows to standard
 * output, an error to standard error. Returns the exit status: 0 done, 1 failed, 2 bad input;
 * --help and --version end the process. */
int nuce_model_run(const struct nuce_model_view *view, int argc, char **argv);

/* The subcommands of nuce-model: what the papers' cost models say, without MPI. */

/* A subcommand: a file in this folder and a row in models.def. */
struct nuce_model_command {
    const char *name;
    const char *summary;
    /* argv[0] is "nuce-model NAME". Returns the exit status. */
    int (*run)(int argc, char **argv);
};

/* What the subcommands of nuce-model that show schedules share: all but the workload. */

/* Runs the subcommand for a workload that runs under a schedule; as nuce_model_run. */
int nuce_model_run_schedules(const struct nuce_workload_ops *workload, int argc, char **argv);

#endif
