/* A subcommand of nuce-model: the options of a workload -> every combination of comma lists ->
 * the workload's model -> rows. */
#ifndef NUCE_MODEL_COMMAND_H
#define NUCE_MODEL_COMMAND_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "base/rows.h"
#include "points/point.h"
#include "points/workload.h"
#include "programs/point_model.h"

/* The source of a column: the workload's option or result called `of`, over the instances of a
 * row. */
enum nuce_model_source {
    NUCE_FROM_OPTION, /* the workload's option, by its name */
    NUCE_FROM_RANKS,
    NUCE_FROM_SAMPLES, /* number of the row's instances */
    NUCE_FROM_TEXT,    /* a text, of the last instance */
    NUCE_FROM_MEAN,
    NUCE_FROM_DEVIATION, /* standard deviation */
    NUCE_FROM_LARGEST,
    NUCE_FROM_LEAST,
    NUCE_FROM_LIST, /* of the last instance, by its name */
};

/* Flags of columns. Unknown values are null, unless a flag omits their key. */
enum {
    NUCE_COLUMN_WHOLE = 1,       /* integer if the value is a whole number */
    NUCE_COLUMN_COUNT = 2,       /* integer; for several instances a real number */
    NUCE_COLUMN_TRUTH = 4,       /* true or false */
    NUCE_COLUMN_IF_KNOWN = 8,    /* omitted if unknown or 0 */
    NUCE_COLUMN_IF_FOUND = 512,  /* omitted if unknown */
    NUCE_COLUMN_IF_GIVEN = 1024, /* omitted if instances are drawn */
    NUCE_COLUMN_IF_SEVERAL = 16, /* omitted for one instance */
    NUCE_COLUMN_IF_SINGLE = 32,  /* omitted for several instances */
    NUCE_COLUMN_IF_BESIDE = 64,  /* omitted if the reference is not among the contenders */
    NUCE_COLUMN_JSON = 128,      /* JSON only */
    NUCE_COLUMN_WIDE = 256,      /* JSON and CSV only: too wide for text */
};

/* A column of the output, in the order of the table. */
struct nuce_model_column {
    const char *key;    /* in JSON; NULL ends the columns */
    const char *within; /* key within a nested object; NULL: the value itself. Text and CSV call
                         * it KEY_WITHIN */
    enum nuce_model_source from;
    const char *of;
    double scale;        /* factor for numbers (1e6: s to us); 0: 1 */
    unsigned flags;      /* NUCE_COLUMN_... */
    enum nuce_look look; /* format in text */
};

/* Options of the command line other than the workload's. */
struct nuce_model_wish {
    int64_t ranks;         /* 0: not given */
    int format;            /* enum nuce_grid_format */
    const char *execution; /* a model of execution by name; NULL: by the discipline */
    int emit;              /* 1: show the transfers */
    int naive_edges;       /* of arrays: 1: count coinciding corners twice, as --edges naive */
};

struct nuce_model_row;

/* A subcommand as data; nuce_model_run does the rest. Borrowed, usually static. */
struct nuce_model_view {
    const char *about;                   /* the first paragraph of --help */
    void (*list)(FILE *file);            /* at the end of --help; NULL: nothing */
    const struct nuce_example *examples; /* behind it */
    const struct nuce_workload_ops *workload;
    unsigned hidden;               /* flags of the workload's options without meaning here */
    const char *ranks;             /* option name of the number of ranks ("processors") */
    int most_ranks;                /* largest accepted number */
    const struct nuce_option *own; /* further options, of struct nuce_model_wish; NULL: none */
    const char *contenders;        /* comma list used if none is given; NULL: one must be given */
    const char *reference;         /* the contender that others are compared with; NULL: none */
    const struct nuce_result *own_results;   /* results of `beside`; NULL: none */
    int of_schedule, of_workload;            /* models shown (struct nuce_model_question) */
    int digits;                              /* of reals in JSON and CSV; 0: all */
    const struct nuce_model_column *columns; /* the last one has no key */
    /* Checks combinations of options, and replaces options that abbreviate others: option ->
     * text. NULL: nothing to do. */
    nuce_status (*arrange)(json_t *given, const struct nuce_model_wish *wish,
                           struct nuce_error *error);
    /* Adds results relative to the reference's results in the same instance to *found. Also
     * called for the reference itself. NULL if there is no reference. */
    void (*beside)(struct nuce_metrics *found, const struct nuce_metrics *reference);
    /* Adds an instance's lists to the kept ones, which are a row's at the end. NULL: they
     * replace the kept ones. */
    void (*keep)(json_t *kept, json_t *lists);
    /* Changes the output of a row. NULL: nothing. */
    void (*finish)(json_t *row, const struct nuce_model_row *of);
};

/* A contender, or point: its results over its instances. */
struct nuce_model_row {
    struct nuce_point point;
    struct nuce_model_means means;
    int64_t samples;
    int is_beside; /* the reference is among its contenders */
    json_t *kept;  /* lists, an object, owned */
};

/* The output of a row in a view: a new object. */
json_t *nuce_model_view_row(const struct nuce_model_view *view, const struct nuce_model_row *row);

/* Prints an array of rows to file. */
nuce_status nuce_model_view_print(const struct nuce_model_view *view, const json_t *rows,
                                  enum nuce_grid_format format, FILE *file,
                                  struct nuce_error *error);

/* How a subcommand of nuce-model shows a workload's model: its options other than the
 * workload's, and the keys and headers of its results. */
/* Runs the subcommand that view describes; argv[0] is "nuce-model NAME". Prints rows to standard
 * output, an error to standard error. Returns the exit status: 0 done, 1 failed, 2 bad input;
 * --help and --version end the process. */
int nuce_model_run(const struct nuce_model_view *view, int argc, char **argv);

/* The subcommands of nuce-model: the papers' cost models, without MPI. */

/* A subcommand: a file in this folder and a row in models.def. */
struct nuce_model_command {
    const char *name;
    const char *summary;
    /* argv[0] is "nuce-model NAME". Returns the exit status. */
    int (*run)(int argc, char **argv);
};

/* Parts that the subcommands for schedules share: everything but the workload. */

/* Runs the subcommand for a workload that runs under a schedule; as nuce_model_run. */
int nuce_model_run_schedules(const struct nuce_workload_ops *workload,
                             const struct nuce_example *examples, int argc, char **argv);

#endif
