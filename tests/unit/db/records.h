/* Campaign folders, record files and databases for tests. Every function fails the running test
 * if it cannot do its work. */
#ifndef NUCE_TEST_RECORDS_H
#define NUCE_TEST_RECORDS_H

#include "../folder.h"
#include "../test.h"

#include <jansson.h>

#include "db/collect.h"
#include "db/store.h"

#define PATH_BYTES 512

/* A folder with campaigns, the current one, and databases of them. */
struct fixture {
    char folder[PATH_BYTES];
    char campaigns[PATH_BYTES + 16]; /* the folder, named as users do */
    char database[PATH_BYTES + 16];
    char other[PATH_BYTES + 16];
    int number; /* of records so far, where a test counts them */
};

/* For cmocka; the state is the fixture. The second has the record of job j1 of campaign a. */
int set_up(void **state);
int set_up_job(void **state);
int tear_down(void **state);

/* Another fixture with such a job, in the place of that. */
struct fixture *set_up_again(void **state);

/* The JSON that the text is, ' for ". New. */
json_t *json_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A job record; text stands in it wherever a string of the user's can. New. */
json_t *job_record(const char *campaign, const char *job, const char *text);

/* A run record of schedule on wing-2800 at unit with three samples that depend on number. New. */
json_t *run_record(const char *campaign, const char *job, const char *schedule, int unit,
                   int number);

/* A run record of campaign a, job j1 and a workload without schedules; params, samples (of parts)
 * and per_rank (NULL: not kept) are released. New. */
json_t *workload_record(const char *workload, int ranks, json_t *params, json_t *samples,
                        json_t *per_rank);

/* The record with members as json_of has them, without braces; the second adds to a run's params,
 * the third to what a job record describes, with what is the hash of it. */
json_t *with(json_t *record, const char *format, ...) __attribute__((format(printf, 2, 3)));
json_t *with_params(json_t *record, const char *format, ...) __attribute__((format(printf, 2, 3)));
json_t *describing(json_t *record, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends to FOLDER/CAMPAIGN/records/FILE, made as needed: a record (released here), or text; put
 * to a/records/1.jsonl. */
void append_record(const char *folder, const char *campaign, const char *file, json_t *record);
void append_text(const char *folder, const char *campaign, const char *file, const char *text);
void put(const struct fixture *f, json_t *record);

/* Collects all of folder into database and commits; the messages, each ended by a newline, go to
 * messages (NULL: none wanted). The others collect the fixture's without an error. */
nuce_status collect_all(const char *database, const char *folder,
                        struct nuce_collect_counts *counts, char **messages,
                        struct nuce_error *error);
struct nuce_collect_counts collect_into(const struct fixture *f, const char *database);
struct nuce_collect_counts collect(const struct fixture *f);

/* All rows of all tables as text, in the order of their keys (the first
 * column; tables without rowid are stored in the order of the rest); freed by the caller. */
char *dump_database(const char *database);

/* The integer that a query gives; the second: of the fixture's database, and it is that. */
int64_t query_integer(const char *database, const char *sql);
void gives(const struct fixture *f, int64_t expected, const char *sql);

/* The bytes of a file; freed by the caller. */
char *read_bytes(const char *path, size_t *length);
void write_bytes(const char *path, const char *bytes, size_t length);

/* Made-up records of heats whose ratios are known: ac, the reference, against lp and rs-n. */

enum { HEAT_ROUNDS = 7 };

/* Appends to campaign a the run of schedule in one launch of the heat of the instance with that
 * seed; it takes factor times as long as the reference. twin > 0: it is the reference, whose twin
 * took so many times as long. */
void append_entrant(const struct fixture *f, int launch, int seed, const char *schedule,
                    double factor, double twin);

/* The job of a launch. */
void append_job_of(const struct fixture *f, int launch);

/* A heat in one launch, whose job there is: twin, lp and rs_n are so many times the reference. */
void append_heat(const struct fixture *f, int launch, int seed, double twin, double lp,
                 double rs_n);

/* A launch, its job first, of the heat of seed 1. */
void append_launch(const struct fixture *f, int launch, double twin, double lp, double rs_n);

/* Makes record one of a launch of a heat of that number, whose criterion is the step, in job
 * j<launch> (whose record the caller appends), with its times multiplied by noise; the reference
 * has a twin that is as it is. Returns it. */
json_t *enter_heat(json_t *record, int heat, int launch, double noise, int is_reference);

#endif
