/* Records of modelled decompositions for tests of what is drawn and printed of them. */
#ifndef NUCE_TEST_DECOMPOSITION_RECORDS_H
#define NUCE_TEST_DECOMPOSITION_RECORDS_H

#include <jansson.h>

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

#endif
