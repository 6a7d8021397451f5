/* Descriptions of the workloads: their parameters and checks, without MPI. The driver plans with
 * them and the kernels run by them; both use one list. */
#ifndef NUCE_WORKLOAD_H
#define NUCE_WORKLOAD_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/command_line.h"
#include "base/error.h"
#include "base/option.h"
#include "base/result.h"
#include "instances/redistribution.h"
#include "mapping/processes.h"
#include "points/facts.h"
#include "points/placing.h"
#include "points/scheduling.h"
#include "schedules/generator.h"
#include "schedules/pattern.h"
#include "schedules/split.h"

/* Data that a model keeps from one contender of an instance to the next; all zero at first. destroy
 * takes kept. */
struct nuce_model_memory {
    void *kept;
    void (*destroy)(void *kept);
};

/* The values that one value stands for. The caller frees values and note. */
struct nuce_several {
    const struct nuce_option *option;
    int count;
    char (*values)[NUCE_NAME_BYTES];
    char *note; /* what the value leaves out and why; NULL: nothing */
};

/* A workload as data: one const struct, found by its name (workloads.def). params is a struct of
 * its own, of params_size bytes, whose members the option table names by offset. Functions are
 * pure: the same params give the same on every rank. Those that fail return NUCE_BAD_INPUT with the
 * option as the error's subject. */
struct nuce_workload_ops {
    const char *name; /* stored in results: never reuse one */
    const char *summary;
    const char *source;  /* paper and section */
    const char *program; /* that runs it, "nuce-exchange"; NULL: none, there is only a model */
    int is_command;      /* its contenders are the user's commands, which the harness starts itself:
                            program is only the name to tell */
    const char *subcommand; /* of program: its first argument; NULL: it runs this workload alone */
    const char *model_command; /* of nuce-model: what models a point of it by hand; NULL: none */
    const struct nuce_example *examples; /* of program's --help; NULL: it has none */
    const struct nuce_option *options;
    const struct nuce_result *const *results; /* tables of a run's possible results (result.h) */
    size_t params_size;
    /* Fills in values that follow from other parameters (such as the pattern from the mesh) and
     * makes all checks that need no files. Completing complete params changes nothing. */
    nuce_status (*complete)(void *params, int ranks, struct nuce_error *error);
    /* True if option has an effect for these (complete) params, in addition to the conditions of
     * its row; NULL: all have. Call nuce_workload_applies instead. */
    int (*applies)(const struct nuce_option *option, const void *params);
    /* Reads the files that params names and checks them against ranks; facts stores their content.
     * NULL: there are none. */
    nuce_status (*inspect)(const void *params, int ranks, struct nuce_facts *facts,
                           struct nuce_error *error);
    /* The value of an option that is not given when the program is run by hand: writes a comma
     * list, or nothing if the preset is used. NULL: presets for all. */
    void (*by_hand)(const struct nuce_option *option, int ranks, char list[NUCE_PATH_BYTES]);
    /* Writes a remark for the user on (complete) params that are legal but odd; nothing if there is
     * no remark. NULL: never. */
    void (*remark)(const void *params, int ranks, char text[NUCE_MESSAGE_BYTES]);
    /* For workloads that run under a schedule, all of these; for others all are NULL. params are
     * complete. */
    const struct nuce_scheduling *(*scheduling)(const void *params);
    struct nuce_tuning (*tuning)(const void *params); /* choices is borrowed from params */
    /* The whole COM in bytes, on one process. Freed with nuce_pattern_fini. */
    nuce_status (*pattern)(const void *params, int ranks, struct nuce_pattern *out,
                           struct nuce_error *error);
    /* The entries of that COM that are sent as several messages, or are one without bytes. Freed
     * with nuce_splits_fini. NULL: none. */
    nuce_status (*splits)(const void *params, struct nuce_splits *out, struct nuce_error *error);
    int (*is_random)(const void *params); /* true if its instances differ */
    /* True if ranks begin one after the other: then a model, in which all begin together, predicts
     * no time. NULL: never. */
    int (*is_late)(const void *params);
    /* The placement of its processes; NULL: they cannot be placed. */
    const struct nuce_placing *(*placing)(const void *params);
    /* The sides of the mesh of the processes of (complete) params, numbered row by row, the last
     * side changing fastest; side[0] is 0 if they have no mesh. NULL: they never have. */
    nuce_status (*sides)(const void *params, int ranks, int side[NUCE_SIDES],
                         struct nuce_error *error);
    /* The values that an option's value stands for, if there are several: *out names them. params
     * need not be complete. ranks 0: each value's own number. For other params out->count stays 0.
     * NULL: never several. */
    nuce_status (*several)(const void *params, int ranks, struct nuce_several *out,
                           struct nuce_error *error);
    /* The number of ranks of params, which need not be complete, if nothing else gives it: that of
     * their files and lists. Without an answer *out is unchanged. NULL: never. */
    nuce_status (*ranks)(const void *params, struct nuce_facts *facts, int *out,
                         struct nuce_error *error);
    /* The number of nodes of those ranks, if their files have it. Without an answer *out is
     * unchanged. NULL: never. */
    nuce_status (*nodes)(const void *params, struct nuce_facts *facts, struct nuce_told_nodes *out,
                         struct nuce_error *error);
    /* A model's results for (complete) params of one instance that do not depend on their schedule:
     * values, and lists of them, which it adds to lists. memory, which the caller destroys, is for
     * calls that differ only in compared options. NULL: none. */
    nuce_status (*model)(const void *params, int ranks, struct nuce_model_memory *memory,
                         struct nuce_metrics *found, json_t *lists, struct nuce_error *error);
};

/* All workloads in the order of workloads.def, NULL-ended. */
extern const struct nuce_workload_ops *const nuce_workloads[];

/* The workload called name; NULL: there is none. */
const struct nuce_workload_ops *nuce_workload_find(const char *name);

/* True if option has an effect for these (complete) params. An option without effect is not in the
 * canonical form, and setting it is an error. */
int nuce_workload_applies(const struct nuce_workload_ops *workload,
                          const struct nuce_option *option, const void *params);

/* True if (complete) params stand for the mean over several instances, by their option `samples`.
 * Then there is no single pattern, and nothing to run. */
int nuce_workload_is_mean(const struct nuce_workload_ops *workload, const void *params);

/* The number of those instances; 1 if params stand for no mean. */
int64_t nuce_workload_samples(const struct nuce_workload_ops *workload, const void *params);

/* Turns params, which stand for a mean, into the k-th of its instances alone, from 0 on. */
void nuce_workload_choose_sample(const struct nuce_workload_ops *workload, void *params, int64_t k);

/* Upper limit of launches, beyond any reasonable number. */
#define NUCE_MEASURE_LAUNCHES_MOST 1000

#define NUCE_UNTIL_KNOWN "known"

/* How to measure: not part of a point's identity. Times in seconds. */
struct nuce_measure {
    int64_t warmup; /* steps before the first sample */
    int64_t min_samples;
    int64_t max_samples;
    /* starts of the processes that a campaign measures it in: the upper level of its interval */
    int64_t launches;
    int job_per_launch; /* under Slurm each in a job of its own */
    int precise;        /* more effort: a difference of 2 % is to be seen */
    double target_ci;  /* stop when the 95 % interval of the median is within this fraction of it */
    double time_limit; /* seconds of sampling; then stop with what there is */
    double start;      /* seconds beside timeout until a rank has started */
    double timeout;    /* seconds for the whole run, set-up included; then abort it */
    char until[NUCE_NAME_BYTES]; /* the end of a race: launches, or NUCE_UNTIL_KNOWN */
    double margin;               /* of the time: a smaller difference does not matter */
    double at_least;             /* of the reference's speed; 0: nothing is demanded */
    double budget;               /* seconds of all commands of a race */
    char wait[NUCE_NAME_BYTES];
    char sync[NUCE_NAME_BYTES]; /* how the ranks begin a turn together: barrier or window */
    int64_t batch;              /* steps of a turn; 0: as many as the clock's resolution requires */
    char papi[NUCE_PATH_BYTES]; /* comma list of events; "" for none */
    int per_rank;               /* keep every rank's time of every sample */
    int trace;                  /* one more step, whose transfers are recorded */
    int64_t trace_events;       /* most events of all ranks together */
};

/* The options of struct nuce_measure, the same for all workloads. */
extern const struct nuce_option nuce_measure_options[];

/* Sets the limit of a sweep without `limit`, as in the help of that option. */
void nuce_measure_share_limit(struct nuce_measure *measure);

/* Adjusts the options to their meaning: `precise` raises lower effort to the level that shows a
 * difference of 2 % (docs/evidence/statistics.md). Then checks them: max >= min and the like. A
 * second call changes nothing. */
nuce_status nuce_measure_settle(struct nuce_measure *measure, struct nuce_error *error);

/* Parameters of the workload `exchange`. */
enum nuce_exchange_arrival {
    NUCE_ARRIVAL_TOGETHER, /* all ranks begin a turn at once */
    NUCE_ARRIVAL_CAPTURED, /* as late as in the calls of the capture */
};

/* Parameters of the workload `exchange`. */
struct nuce_exchange_params {
    struct nuce_scheduling scheduling;
    struct nuce_placing placing;
    char pattern[NUCE_NAME_BYTES];        /* mesh, com, capture or a generator; "" until complete */
    char mesh[NUCE_PATH_BYTES];           /* a shipped mesh's name or a file; "": none */
    int graph;                            /* enum nuce_mesh_graph */
    char partition[NUCE_NAME_BYTES];      /* how the mesh is cut: a name of partitions.def */
    char partition_file[NUCE_PATH_BYTES]; /* the part of each node; "": as partition says */
    char com[NUCE_PATH_BYTES];            /* a COM file; "": none */
    char capture[NUCE_PATH_BYTES];
    char call[NUCE_NAME_BYTES]; /* call of the capture: an id, or a place by time */
    int arrival;                /* enum nuce_exchange_arrival */
    int64_t item_bytes;         /* bytes of an item of COM: for a mesh, the state of a node */
    int64_t degree;             /* meaning depends on the generator */
    struct nuce_generator_input generator; /* options of the generator; ranks and degree: set
                                              later */
    int overlap;                           /* compute interior edges while the exchange runs */
};

extern const struct nuce_workload_ops nuce_workload_exchange;

/* Parameters of the workload `redistribute`. */
struct nuce_redistribute_params {
    struct nuce_scheduling scheduling;
    int64_t elements;              /* rows of the array */
    int64_t block;                 /* x: rows of a block before */
    int64_t factor;                /* K: blocks become K x long; 0: see to_block */
    int64_t to_block;              /* rows of a block after; 0: see factor */
    int reverse;                   /* exchanges before and after */
    int64_t element_bytes;         /* bytes */
    int64_t columns;               /* of the array */
    int64_t column_block;          /* columns of a block before */
    int64_t to_column_block;       /* after; 0: the same */
    char grid[NUCE_PATH_BYTES];    /* "2x4": ranks before; "": all by 1 */
    char to_grid[NUCE_PATH_BYTES]; /* after */
};

/* The redistribution of (complete or not) params on ranks ranks, checked. NUCE_BAD_INPUT names the
 * option. */
nuce_status nuce_redistribute_instance(const struct nuce_redistribute_params *params, int ranks,
                                       struct nuce_redistribution *out, struct nuce_error *error);

extern const struct nuce_workload_ops nuce_workload_redistribute;

/* Room for the weights of some 800 processors in full. */
#define NUCE_WEIGHTS_BYTES 16384

/* Parameters of the workload `stencil`. */
struct nuce_stencil_params {
    struct nuce_scheduling scheduling; /* of the exchange of halos */
    struct nuce_placing placing;
    char decomposition[NUCE_NAME_BYTES];
    int64_t rows, columns;            /* of the array */
    int64_t points;                   /* 5 or 9 */
    char element[NUCE_NAME_BYTES];    /* double or float */
    char border[NUCE_NAME_BYTES];     /* fixed or periodic */
    int64_t halo_depth;               /* layers of ghost cells: sweeps for each exchange */
    int64_t iterations;               /* sweeps of a step */
    int overlap;                      /* sweep over the interior while the exchange runs */
    char weights[NUCE_WEIGHTS_BYTES]; /* a list, equal or measured; "" once complete: drawn */
    double ratio;                     /* of drawn weights, largest to least; 0: none are drawn */
    char emulate_speeds[NUCE_PATH_BYTES]; /* a list; "": processors keep their own speeds */
    char speeds_after[NUCE_PATH_BYTES];   /* ITERATION:LIST/...; "": speeds do not change */
    char rebalance[NUCE_NAME_BYTES];      /* when the array is cut again: stencil_periods.h */
    int64_t look_every;                   /* sweeps between two comparisons of the ranks' rates */
    double latency;                       /* cost of an internal edge, cells */
    char edges[NUCE_NAME_BYTES];          /* exact or naive */
    int allow_empty;                      /* parts may have no cell */
    int integer;                          /* a model cuts in whole cells, as runs do */
};

extern const struct nuce_workload_ops nuce_workload_stencil;

/* Parameters of the workload `contention`. */
struct nuce_contention_params {
    char direction[NUCE_NAME_BYTES]; /* to-one or from-one */
    int64_t size;                    /* bytes of each message */
    int64_t partners;                /* ranks 0 .. partners - 1 exchange with the one, the last
                                        rank */
};

extern const struct nuce_workload_ops nuce_workload_contention;

/* Parameters of the workload `permutations`. */
struct nuce_permutations_params {
    char permutation[NUCE_NAME_BYTES]; /* random or xor-D */
    int64_t size;                      /* bytes of each message */
    int64_t count;                     /* random permutations: sample k is number k */
    int64_t seed;
};

/* D of xor-D, 0 for random. */
int nuce_permutations_distance(const struct nuce_permutations_params *params);

extern const struct nuce_workload_ops nuce_workload_permutations;

/* Parameters of the workload `links`. */
struct nuce_links_params {
    int64_t smallest, largest; /* bytes */
    int64_t sizes;             /* number of sizes from smallest to largest */
    int64_t repetitions;       /* of each size of each pair */
    int64_t centres;           /* most ranks whose ports are measured */
};

#define NUCE_LINKS_SIZES_MOST 32

/* The sizes of complete params, params->sizes of them, ascending: a geometric series, rounded. */
void nuce_links_sizes(const struct nuce_links_params *params, int64_t bytes[NUCE_LINKS_SIZES_MOST]);

extern const struct nuce_workload_ops nuce_workload_links;

/* Parameters of the workload `speeds`. */
struct nuce_speeds_params {
    int64_t points;                       /* of the stencil: 5 or 9 */
    char element[NUCE_NAME_BYTES];        /* double or float */
    int64_t side;                         /* cells of a row and of a column */
    char emulate_speeds[NUCE_PATH_BYTES]; /* a list; "": processors keep their own speeds */
    struct nuce_scheduling scheduling;    /* network alone: "", or the target of the speeds */
};

extern const struct nuce_workload_ops nuce_workload_speeds;

/* Parameters of the workload `mapping`. */
struct nuce_mapping_params {
    char placement[NUCE_NAME_BYTES];
    char mesh[NUCE_PATH_BYTES];     /* sides of the processes, 16x16; "" until complete */
    char com[NUCE_PATH_BYTES];      /* a file: processes that exchange its messages; "": a mesh */
    char topology[NUCE_PATH_BYTES]; /* a file; "": the network is drawn */
    /* for a drawn network; ports 0 with a topology: as many as are used */
    int64_t switches, ports, nodes;
    double connectivity; /* share of linked ports, among those of connectivity_of */
    char connectivity_of[NUCE_NAME_BYTES]; /* free or all */
    char routing[NUCE_NAME_BYTES];
    int64_t per_node; /* processes */
    int64_t instance; /* number of the network, or of the subset of the nodes of a given one */
    int64_t samples;  /* number of instances, from that one on, for a model's mean */
    int64_t seed;
    int layout; /* record the data for a drawing of network and placement */
};

extern const struct nuce_workload_ops nuce_workload_mapping;

/* Room for a command with its arguments. */
#define NUCE_COMMAND_BYTES 8192

/* Parameters of the workload `program`. */
struct nuce_program_params {
    char command[NUCE_COMMAND_BYTES];
    char name[NUCE_NAME_BYTES];      /* of the contender; "": its command */
    char variables[NUCE_PATH_BYTES]; /* of its environment, NAME=VALUE ... */
    char metric[NUCE_PATH_BYTES]; /* wall, a regular expression with one group, or json:/POINTER */
    int64_t series;           /* column of the printed table that holds the metric; 0: no table */
    char at[NUCE_NAME_BYTES]; /* the table's row, by its first column; "": no table */
    char unit[NUCE_NAME_BYTES];
    char better[NUCE_NAME_BYTES];    /* lower or higher */
    char expect[NUCE_PATH_BYTES];    /* regular expression; "": any output is right */
    int shell;                       /* the command is a text for /bin/sh */
    char directory[NUCE_PATH_BYTES]; /* in which it runs; "" until complete */
};

/* Metrics that no program prints, and prefix of those in JSON. */
#define NUCE_METRIC_WALL "wall"
#define NUCE_METRIC_JSON "json:"

/* The words of command, in the way of a shell: blanks between them; quotes '...' and "..." and \
 * keep what they hold. Nothing else has a meaning: no variables, patterns, pipes. {NAME} becomes
 * the value of NAME in values (a JSON object of texts and numbers; NULL: words stay as they are). A
 * new array of strings; NULL with *error, NUCE_BAD_INPUT: an open quote, no word, an unknown
 * NAME. */
json_t *nuce_program_words(const char *command, const json_t *values, struct nuce_error *error);

/* The values that {NAME} stands for: a point's launch factors (NULL: none), and its ranks. A new
 * object. */
json_t *nuce_program_values(const json_t *factors, int ranks);

/* NUCE_BAD_INPUT: a {NAME} of the command or of its variables has no value there. */
nuce_status nuce_program_check_values(const struct nuce_program_params *params,
                                      const json_t *factors, int ranks, struct nuce_error *error);

/* Seconds that one of unit is, for the units of time s, ms, us, ns, min and h; 0: no time. */
double nuce_program_unit_seconds(const char *unit);

extern const struct nuce_workload_ops nuce_workload_program;

#endif
