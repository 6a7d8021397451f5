/* How a subcommand of nuce-model shows a workload's model: which options it has besides the
 * workload's, and under which keys and heads the results stand. */
#ifndef NUCE_MODEL_VIEW_H
#define NUCE_MODEL_VIEW_H

#include <jansson.h>
#include <stdio.h>

#include "model/means.h"
#include "model/point_model.h"
#include "support/error.h"
#include "tables/rows.h"
#include "workloads/point.h"

enum nuce_model_source {
    NUCE_FROM_OPTION, /* the workload's, by its name; the rest by the name of a result */
    NUCE_FROM_RANKS,
    NUCE_FROM_SAMPLES,
    NUCE_FROM_TEXT,
    NUCE_FROM_MEAN,
    NUCE_FROM_DEVIATION, /* standard */
    NUCE_FROM_LARGEST,
    NUCE_FROM_LEAST,
    NUCE_FROM_LIST, /* of the last instance, by its name */
};

/* What is unknown is null, unless a flag has the key left out then. */
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

struct nuce_model_column {
    const char *key;
    const char *within; /* key in the object that is there; NULL: the value itself. Text and CSV
                           call it KEY_WITHIN */
    enum nuce_model_source from;
    const char *of;
    double scale; /* what numbers are multiplied by; 0: 1 */
    unsigned flags;
    enum nuce_look look;
};

/* What a command line asks for beside the workload's options. */
struct nuce_model_wish {
    int64_t ranks;         /* 0: not given */
    int format;            /* enum nuce_grid_format */
    const char *execution; /* NULL: what fits the discipline */
    int emit;              /* the transfers */
    int naive_edges;
};

struct nuce_model_row;

struct nuce_model_view {
    const char *about;
    void (*list)(FILE *file); /* at the end of --help; NULL: nothing */
    const struct nuce_workload_ops *workload;
    unsigned hidden;   /* flags of the workload's options that mean nothing here */
    const char *ranks; /* what their number is called */
    int most_ranks;
    const struct nuce_option *own; /* further options, of struct nuce_model_wish; NULL: none */
    const char *contenders;        /* where none are given; NULL: they must be */
    const char *reference;         /* the contender that others are set beside; NULL: none */
    const struct nuce_result *own_results; /* what beside finds; NULL: nothing */
    int of_schedule, of_workload;          /* whose models it shows (struct nuce_model_question) */
    int digits;                            /* of reals in JSON and CSV; 0: all */
    const struct nuce_model_column *columns; /* the last one has no key */
    /* Checks what was given together, and puts options where others stand for them: option -> text.
     * NULL: nothing to do. */
    nuce_status (*arrange)(json_t *given, const struct nuce_model_wish *wish,
                           struct nuce_error *error);
    /* Adds what is known of an instance by what the reference finds in it. */
    void (*beside)(struct nuce_found *found, const struct nuce_found *reference);
    /* Adds the lists of an instance to those kept, which are a row's at the end. NULL: they take
     * their place. */
    nuce_status (*keep)(json_t *kept, json_t *lists, struct nuce_error *error);
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

/* What view shows of a row: a new object, NULL with *error. */
json_t *nuce_model_view_row(const struct nuce_model_view *view, const struct nuce_model_row *row,
                            struct nuce_error *error);

/* Prints an array of those to file. */
nuce_status nuce_model_view_print(const struct nuce_model_view *view, const json_t *rows,
                                  enum nuce_grid_format format, FILE *file,
                                  struct nuce_error *error);

#endif
