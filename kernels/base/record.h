/* The record of a run: what kernels write, collect reads and the database stores. Its fields are
 * what every run has, of whatever workload; the writer, the reader and a test of db/schema.sql go
 * through the one list of them. What a run found is in "found", as the tables of its workload
 * declare (result.h); a reader takes any name there.
 *
 * A record file is JSON lines, each an object with "record" and "version":
 *   {"record":"job","version":2,"job":ID,"campaign":NAME,"environment":ID,
 *    "facts":{what holds for this job only: hosts by rank, start, load, Slurm variables; "launch":
 *             what the launcher said of this launch, such as the submission},
 *    "described":{what `environment` is the SHA-256 of: the program's own SHA-256, library,
 *                 compiler, processor, ...; "cluster": what the launcher said of the machine}}
 *       once, first in the file
 *   {"record":"begin","version":2,"job":ID,"point":ID,"started":TIME}
 *       before each run is set up: tells which point was in flight when a job died, but in the
 *       rounds of a heat, whose contenders have all begun: there FILE.turn does (run/point_loop.h)
 *   {"record":"run","version":2,"job":ID, ... the fields below ...}
 *       when a run has ended, in whatever way
 * Times of day are UTC, ISO 8601 with milliseconds: "2026-11-21T10:00:00.123Z". */
#ifndef NUCE_RECORD_H
#define NUCE_RECORD_H

#include <jansson.h>

#include "base/error.h"

#define NUCE_RECORD_VERSION 2

enum nuce_field_type {
    NUCE_FIELD_TEXT,
    NUCE_FIELD_INTEGER,
    NUCE_FIELD_REAL,
};

struct nuce_record_field {
    const char *name; /* JSON key and column of the table `run` */
    enum nuce_field_type type;
    int required; /* never null */
    const char *meaning;
};

/* The scalar fields of a run, NULL-ended. A field that is not required may be absent or null:
 * unknown or not applicable. */
extern const struct nuce_record_field nuce_record_fields[];

/* Beside them a run has
 *   "workload": text, "ranks": integer, "params": object      what `point` is the SHA-256 of
 *   "found":    optional, object: name of a result -> text or finite number; what is absent or null
 *               is unknown
 *   "samples":  object: part name -> array of seconds, one entry a sample, all arrays of one
 *               length: "step", always there, from the common start to the last rank's end; the
 *               others maxima over ranks, each by itself: "own", of each rank from its own start to
 *               its end, and the parts of a step that were timed
 *   "place":    optional, an integer a sample: the run's turn in its round of the heat, from 0;
 *               sample i is of round i
 *   "twin":     optional, the same contender set up once more: the heat's control. An object of
 *               parts as in "samples", and "place"
 *   "refused": optional, true: the point cannot be run here; the same run again is refused again
 *   "per_rank": optional, array over samples of arrays over ranks: seconds of the step
 *   "counters": optional, array of {"part","event","value": integer or null}
 *   "events":   optional, the transfers of one traced step: array of
 *               [rank, "send" or "receive", peer, phase, bytes, start, end], by rank and start;
 *               seconds from the start of the first rank; with "events_lost" and "clock_error_s"
 *               in found
 *   "planned":  optional, beside events: what the cost model says of the same transfers, on the
 *               network "planned_network" found; behind a send that has parts of others' messages
 *               the same as "forward", its bytes those of these parts
 *   "links":    optional, the network that the run measured ("network_file" found): array of
 *               [source, destination, startup, its standard error, bandwidth, its standard error],
 *               seconds and bytes per second; errors are null where none can be given
 *   "ports":    optional, beside links, of the ranks that were tried: array of
 *               [rank, out, in], bytes per second at most; null: no limit was seen
 *   "contention": optional, beside links, by ascending partners: array of
 *               [partners, throughput relative to one, gain out, gain in], a gain being how many
 *               times as fast as one message after another
 *   "rectangles": optional, the parts that an array was cut into, by owner: array of
 *               [owner, row, column, rows, columns], cells, real-valued
 *   "speeds":   optional, how fast each rank swept: array of [rank, median, low, high], cells per
 *               second with the 95 % interval of the median */

/* The parts of a step, NULL-ended: step, pack, communication, unpack, computation, rebalance, move,
 * own.
 * The view `sample` has the column NAME_s for each. */
extern const char *const nuce_record_sample_parts[];

enum nuce_sample_part {
    NUCE_PART_STEP, /* the whole: from the common start, which is the first rank's exit from the
                       barrier or the given time, to the last rank's end */
    NUCE_PART_PACK,
    NUCE_PART_COMMUNICATION,
    NUCE_PART_UNPACK,
    NUCE_PART_COMPUTATION,
    NUCE_PART_REBALANCE, /* looking at rates, cutting an array anew, setting up for it */
    NUCE_PART_MOVE,      /* cells of that array, to their new owners */
    NUCE_PART_OWN,       /* the whole again: of each rank from its own start, then the longest */
    NUCE_SAMPLE_PARTS,
};

/* The valid values of `status`, NULL-ended: ok, failed, corrupt, timeout, interrupted. */
extern const char *const nuce_record_statuses[];

/* A new record object of the kind ("job", "begin", "run") with its version, or NULL with *error. */
json_t *nuce_record_create(const char *kind, const char *job, struct nuce_error *error);

/* Checks that a line is a record, and of the version that this nuce reads. NUCE_BAD_INPUT says what
 * to do about one of another version. */
nuce_status nuce_record_check_version(const json_t *record, struct nuce_error *error);

/* Checks a run record: required fields there, types right, status and kind known, sample arrays of
 * one length of finite numbers >= 0, found flat, counters, events and links complete.
 * NUCE_BAD_INPUT names the field. */
nuce_status nuce_record_check_run(const json_t *record, struct nuce_error *error);

/* Checks that "point" of a run record, or of a line of a plan, is the SHA-256 of its canonical
 * form: "workload", "ranks" and "params". NUCE_BAD_INPUT says that it is not. */
nuce_status nuce_record_check_point(const json_t *record, struct nuce_error *error);

/* How many environment variables a job record holds that nobody is to keep (known_variables.h):
 * more than 0 in records of before that list was made. */
int nuce_record_unknown_variables(const json_t *record);

/* Checks a job record: its texts there, "environment" the SHA-256 of "described". *described and
 * *facts (may be NULL) are new texts of these without the variables that nobody is to keep
 * (known_variables.h), freed by the caller. NUCE_BAD_INPUT says what is wrong. */
nuce_status nuce_record_check_job(const json_t *record, char **described, char **facts,
                                  struct nuce_error *error);

/* Milliseconds since 1970, by the system's clock: not by a simulator's. */
int64_t nuce_record_time_ms(void);

/* The current time as records write it; buffer of NUCE_TIME_BYTES. */
#define NUCE_TIME_BYTES 32
const char *nuce_record_time_now(char buffer[NUCE_TIME_BYTES]);

#endif
