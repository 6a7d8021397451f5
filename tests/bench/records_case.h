/* What the benches of the database share: made-up records of 100 000 runs with 20 samples each,
 * every run another point, all of them in exchange-table7, which is the most that reading can have
 * to do. */
#ifndef NUCE_BENCH_RECORDS_CASE_H
#define NUCE_BENCH_RECORDS_CASE_H

#include "bench.h"
#include "scratch.h"

/* For bench rows; self is a struct nuce_scratch. create makes the records; create_collected the
 * database as well. */
nuce_status nuce_records_case_create(struct nuce_bench_case *out, struct nuce_error *error);
nuce_status nuce_records_case_create_collected(struct nuce_bench_case *out,
                                               struct nuce_error *error);
void nuce_records_case_destroy(void *self);

/* nuce collect, into the database that is there. */
nuce_status nuce_records_case_collect(void *self, struct nuce_error *error);

/* The rows of exchange-table7 and exchange-figure16, straight from SQLite. */
nuce_status nuce_records_case_query(void *self, struct nuce_error *error);

#endif
