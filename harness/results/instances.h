/* How the instances that `nuce compare` compares are told apart, for people and for programs. */
#ifndef NUCE_INSTANCES_H
#define NUCE_INSTANCES_H

#include <jansson.h>

#include "base/error.h"
#include "db/store.h"

/* Reads the temporary table `compared` (workload, ranks, problem: JSON, contender, environment,
 * wait), and makes another, `instance`, a row for each workload and problem. Its columns:
 *
 *   instance   "pattern=uniform unit=64": the parameters in which the problems of a workload differ
 *   described  "pattern uniform, unit 64": those of them that are among *keys
 *   cells      their values, a JSON array of strings, null where a problem has no such parameter
 *   place      a text to sort by: numbers in their order
 *
 * Where rows of `compared` differ in nothing but environment or wait, `problem` gets those too.
 * *keys, an array of strings that the caller releases: the parameters that differ, but for those
 * with one value wherever they are if the others suffice. */
nuce_status nuce_instances_make(struct nuce_store *store, json_t **keys, struct nuce_error *error);

/* A column of row, a JSON array, as one that the caller releases. */
nuce_status nuce_instances_array(sqlite3_stmt *row, int column, json_t **out,
                                 struct nuce_error *error);

#endif
