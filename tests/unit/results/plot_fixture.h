/* What the plots make of a folder's records, and records of each workload. Every function fails the
 * running test if it cannot do its work. */
#ifndef NUCE_TEST_PLOT_FIXTURE_H
#define NUCE_TEST_PLOT_FIXTURE_H

#include "records.h"
#include "results/plot.h"

/* What the plot of that name gives; choice NULL: the newest. *data is released with
 * nuce_plot_data_fini. */
nuce_status find_rows(const struct fixture *f, const char *name,
                      const struct nuce_plot_choice *choice, struct nuce_plot_data *data,
                      struct nuce_error *error);

/* Its table after collecting, with the footer's lines at the end; freed by the caller. */
char *table_of(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
               enum nuce_grid_format format);

/* That the text has the part; after a '!', that it has not. */
void has(const char *text, const char *part);

/* The same of a table and each of the parts, NULL-ended. */
void table_has(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
               enum nuce_grid_format format, const char *const parts[]);

#define TABLE(f, name, choice, format, ...)                                                        \
    table_has(f, name, choice, format, (const char *const[]){__VA_ARGS__, NULL})
#define CSV(f, name, ...) TABLE(f, name, NULL, NUCE_GRID_CSV, __VA_ARGS__)
#define MARKDOWN(f, name, ...) TABLE(f, name, NULL, NUCE_GRID_MARKDOWN, __VA_ARGS__)

/* A job on a platform. */
void append_platform(const struct fixture *f, const char *job, const char *platform);

/* The jobs j1 to j<launches> of campaign a. */
void append_jobs(const struct fixture *f, int launches);

/* What the model says of a decomposition of 1000 rows: a cost, which is its acost as well. params
 * are more members of its params. */
json_t *modelled_decomposition(const char *decomposition, int ranks, int columns,
                               const char *params, double cost);

/* Five parts of 1000 x 1000 around one another, as no cut goes through them, and side by side; a
 * member of a record. */
#define PINWHEEL                                                                                   \
    "'rectangles':[[0,0.0,0.0,400.0,600.0],[1,0.0,600.0,600.0,400.0],[2,600.0,400.0,400.0,600.0]," \
    "[3,400.0,0.0,600.0,400.0],[4,400.0,400.0,200.0,200.0]]"
#define SLABS                                                                                      \
    "'rectangles':[[0,0.0,0.0,1000.0,200.0],[1,0.0,200.0,1000.0,200.0],[2,0.0,400.0,1000.0,"       \
    "200.0],[3,0.0,600.0,1000.0,200.0],[4,0.0,800.0,1000.0,200.0]]"

/* A stencil whose speeds change after 20 sweeps, measured: of so many iterations on an array of
 * side x side, with rebalance (NULL: never), of which a sample takes 0.01 s for each iteration up
 * to 20, then 0.04; cut anew at 30, which takes 0.3 s, 0.02. The model had 0.025 s saved for each
 * and 0.25 s for the cut. Six samples, their median that, from 0.75 to 1.25 times it. */
json_t *measured_rebalance(int side, int iterations, const char *rebalance);

/* The same, never, after-change and when-it-pays, as a heat of that number of iterations in three
 * launches j1 to j3, all alike, with their jobs. */
void append_rebalances(const struct fixture *f, int side, int iterations);

/* A run of four ranks with speeds 1, 1, 1 and 2 on side x side cells, of two iterations that took
 * so long each, in the mean, three quarters of it computing; the interval is 10 % to both sides. */
json_t *swept_decomposition(const char *decomposition, int side, double acost, double iteration_s);

/* What the model says of a square mesh of side x side processes placed on network number instance
 * of the mapping paper's, of so many nodes: its cardinality, microseconds without distant messages,
 * and with 10 and 20 % of them 0.1 and 0.2 more. Of campaign a, job j1. */
json_t *modelled_mapping(const char *placement, int side, int instance, int nodes,
                         double cardinality, double latency_us);

/* A halo exchange under a placement. */
struct placed {
    const char *kind, *placement;
    int seed;
    double s; /* median of six samples, s - spread to s + spread, the interval */
    double spread;
    double cardinality; /* of 1000 bytes in 10 messages */
    double latency_s;
};

json_t *placed_record(const struct placed *what);

/* Appends them as a heat of that number, the first its reference, in four launches j1 to j4, with
 * their jobs; a launch is up to two percent off for each, in the geometric mean not. */
void append_placements(const struct fixture *f, int heat, const struct placed *all, int count);

/* A launch's factor in that mean: number i of launch 1 to 4. */
double launch_noise(int launch, int i);

/* What a redistribution is of, beside its campaign a; NULL and 0: the point does not say. */
struct redistribution {
    const char *job, *schedule;
    int ranks, factor;
    const char *network;
    const char *depth; /* a number, or auto */
    const char *bandwidth;
    int number; /* of the millisecond at which it started; others run in the order of their numbers
                 */
};

/* A run whose communication took s seconds: six samples, their median s, 0.75 s to 1.25 s. */
json_t *measured_redistribution(const struct redistribution *what, double s);

/* What the model says: s seconds, on a network whose single-port bound is bound_s. */
json_t *modelled_redistribution(const struct redistribution *what, double s, double bound_s);

/* A traced run of direct on R_x(3, 4): each of its messages takes a millisecond in the plan and
 * half of one in the trace. */
json_t *traced_redistribution(const struct redistribution *what);

#endif
