/* A folder with records, their database, and what the plots make of it; and records of each
 * workload. Every function fails the
 * running test if it cannot do its work. */
#ifndef NUCE_TEST_PLOT_FIXTURE_H
#define NUCE_TEST_PLOT_FIXTURE_H

#include "../test.h"

#include "records.h"
#include "results/plot.h"

struct fixture {
    char folder[PATH_BYTES];
    char database[PATH_BYTES + 16];
    char before[PATH_BYTES]; /* where the test ran: it works in its own folder */
    int number;              /* of records so far, where a test counts them */
};

/* For cmocka; the state is the fixture. */
int set_up(void **state);
int tear_down(void **state);

/* The same, with the record of job j1 of campaign a. */
int set_up_job(void **state);

/* Collects the folder's records into its database. */
void collect(const struct fixture *f);

/* What the plot of that name gives; choice NULL: the newest. *data is released with
 * nuce_plot_data_fini. */
nuce_status find_rows(const struct fixture *f, const char *name,
                      const struct nuce_plot_choice *choice, struct nuce_plot_data *data,
                      struct nuce_error *error);

/* Its table, after collecting; freed by the caller. */
char *table_text(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
                 enum nuce_grid_format format);

/* The same with the footer's lines at the end. */
char *table_of(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
               enum nuce_grid_format format);

/* Whether the text has the part. */
void has(const char *text, const char *part);
void has_not(const char *text, const char *part);

/* Records of modelled decompositions for tests of what is drawn and printed of them. */

/* What a record is of, beside its campaign a and job j1; NULL, 0 and -1: the point does not say. */
struct decomposition {
    const char *decomposition;
    int ranks, columns;  /* of 1000 rows */
    const char *weights; /* given, or */
    double ratio;        /* drawn: samples of them, or that of number instance */
    int samples, instance;
    double latency;
    const char *edges;
};

/* What the model says: a cost, which is its acost as well. */
json_t *modelled_decomposition(const struct decomposition *what, double cost);

/* The same with rectangles, an array as of records, which is released. */
json_t *drawn_decomposition(const struct decomposition *what, double cost, json_t *rectangles);

/* A stencil whose speeds change after 20 sweeps, measured: of so many iterations on an array of
 * side x side, with rebalance (NULL: never), of which a sample takes 0.01 s for each iteration up
 * to 20, then 0.04; cut anew at 30, which takes 0.3 s, 0.02. The model had 0.025 s saved for each
 * and 0.25 s for the cut. Six samples, their median that, from 0.75 to 1.25 times it. */
json_t *measured_rebalance(int side, int iterations, const char *rebalance);

/* The same, never, after-change and when-it-pays, as a heat of that number of iterations in three
 * launches j1 to j3, all alike, with their jobs. */
void append_rebalances(const char *folder, int side, int iterations);

/* Five parts of 1000 x 1000 around one another, as no cut goes through them, and side by side. */
json_t *pinwheel(void);
json_t *slabs(void);

/* A run of four ranks with speeds 1, 1, 1 and 2 on side x side cells, of two iterations that took
 * so long each, in the mean, three quarters of it computing; the interval is 10 % to both sides. */
json_t *swept_decomposition(const char *decomposition, int side, double acost, double iteration_s);

/* What the four ranks were calibrated to: 1000 cells a second each, of sweeps over side x side
 * cells, and a millisecond a message and a microsecond a byte. */
json_t *calibrated_speeds(int side);
json_t *calibrated_links(void);

/* At least one run for every plot of decompositions. */
void write_decompositions(const char *folder);

/* Records of placements for tests of what is drawn and printed of them. */

/* What the model says of a square mesh of side x side processes placed on network number instance
 * of the mapping paper's: its cardinality, microseconds without distant messages, and with 10 and
 * 20 % of them 0.1 and 0.2 more. Of campaign a, job j1. */
json_t *modelled_mapping(const char *placement, int side, int instance, double cardinality,
                         double latency_us);

/* That placing side x side processes on as many nodes took place_s seconds. Of the same. */
json_t *timed_mapping(const char *placement, int side, double place_s);

/* At least one run for every plot of placements. */
void write_mappings(const char *folder);

/* Records of halo exchanges under placements for tests of what is drawn and printed of them. */

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
void append_placements(const char *folder, int heat, const struct placed *all, int count);

/* At least one run for every plot of placements, of job j1. */
void write_placements(const char *folder);

/* Records of redistributions for tests of what is drawn and printed of them. */

/* What a record is of, beside its campaign a; NULL and 0: the point does not say. */
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

/* At least one run for every plot of redistributions, of job, which is described elsewhere. */
void write_redistributions(const char *folder, const char *job);

#endif
