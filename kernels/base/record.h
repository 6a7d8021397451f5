/* The record of a run, which kernels write, collect reads and the database stores. Its fields are
 * common to all runs of all workloads. The writer, the reader and a test of db/schema.sql use the
 * one list of them. The results of a run are in "metrics", as the tables of its workload declare
 * (result.h); a reader accepts any name there.
 *
 * A record file is JSON lines, each an object with "record" and "version":
 *   {"record":"job","version":3,"job":ID,"campaign":NAME,"environment":ID,
 *    "facts":{facts of this job only: hosts by rank, start, load, Slurm variables; "launch":
 *             facts from the launcher about this launch, such as the submission},
 *    "described":{the object whose SHA-256 is `environment`: the program's own SHA-256, library,
 *                 compiler, processor, ...; "cluster": facts from the launcher about the machine}}
 *       once, first in the file
 *   {"record":"begin","version":3,"job":ID,"point":ID,"started":TIME}
 *       before each run is set up: shows which point was running when a job died. In the
 *       rounds of a race all contenders have begun: there FILE.turn shows it (run/point_loop.h)
 *   {"record":"run","version":3,"job":ID, ... the fields below ...}
 *       when a run has ended, in any way
 * Times of day are UTC, ISO 8601 with milliseconds: "2026-11-21T10:00:00.123Z". */
#ifndef NUCE_RECORD_H
#define NUCE_RECORD_H

#include <jansson.h>

#include "base/error.h"

#define NUCE_RECORD_VERSION 3

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

/* The scalar fields of a run, NULL-ended. An optional field may be absent or null: unknown or not
 * applicable. */
extern const struct nuce_record_field nuce_record_fields[];

/* A run also has
 *   "workload": text, "ranks": integer, "params": object      whose SHA-256 is `point`
 *   "metrics":    optional, object: name of a result -> text or finite number; an absent or null
 *               one is unknown
 *   "samples":  object: part name -> array of seconds, one entry per sample, all arrays of one
 *               length. "step" is always there, from the common start to the last rank's end. The
 *               others are maxima over ranks, each by itself: "own", of each rank from its own
 *               start to its end, and the timed parts of a step
 *   "place":    optional, an integer per sample: the run's turn in its round of the race, from 0;
 *               sample i is of round i
 *   "duplicate":     optional, the same contender set up once more: the race's noise. An object of
 *               parts as in "samples", and "place"
 *   "refused": optional, true: the point cannot be run here; the same run again is refused again
 *   "per_rank": optional, array over samples of arrays over ranks: seconds of the step
 *   "counters": optional, array of {"part","event","value": integer or null}
 *   "events":   optional, the transfers of one traced step: array of
 *               [rank, "send" or "receive", peer, phase, bytes, start, end], by rank and start;
 *               seconds from the start of the first rank; with "events_lost" and "clock_error_s"
 *               in found
 *   "planned":  optional, with events: the cost model's prediction of the same transfers, on the
 *               network "planned_network" found. After a send that carries parts of others'
 *               messages the same row again as "forward", with the bytes of these parts
 *   "links":    optional, the network that the run measured ("network_file" found): array of
 *               [source, destination, startup, its standard error, bandwidth, its standard error],
 *               seconds and bytes per second; errors are null if none can be given
 *   "ports":    optional, with links, of the ranks that were tried: array of
 *               [rank, out, in], bytes per second at most; null: no limit was seen
 *   "contention": optional, with links, by ascending partners: array of
 *               [partners, throughput relative to one, gain out, gain in]; a gain is the speed-up
 *               over one message after another
 *   "rectangles": optional, the parts that an array was cut into, by owner: array of
 *               [owner, row, column, rows, columns], cells, real-valued
 *   "speeds":   optional, the sweep rate of each rank: array of [rank, median, low, high], cells
 *               per second with the 95 % interval of the median */

/* The parts of a step, NULL-ended: step, pack, communication, unpack, computation, rebalance, move,
 * own. The view `sample` has the column NAME_s for each. */
extern const char *const nuce_record_sample_parts[];

enum nuce_sample_part {
    NUCE_PART_STEP, /* the whole: from the common start, which is the first rank's exit from the
                       barrier or the given time, to the last rank's end */
    NUCE_PART_PACK,
    NUCE_PART_COMMUNICATION,
    NUCE_PART_UNPACK,
    NUCE_PART_COMPUTATION,
    NUCE_PART_REBALANCE, /* comparing rates, cutting an array again, set-up for it */
    NUCE_PART_MOVE,      /* moving cells of that array to their new owners */
    NUCE_PART_OWN,       /* the whole again: longest time of a rank from its own start */
    NUCE_SAMPLE_PARTS,
};

/* The valid values of `status`, NULL-ended: ok, failed, corrupt, timeout, interrupted. */
extern const char *const nuce_record_statuses[];

/* A new record object of the kind ("job", "begin", "run") with its version, or NULL with *error. */
json_t *nuce_record_create(const char *kind, const char *job, struct nuce_error *error);

/* Checks that a line is a record of the version that this nuce reads. For another version
 * NUCE_BAD_INPUT advises what to do. */
nuce_status nuce_record_check_version(const json_t *record, struct nuce_error *error);

/* Checks a run record: required fields present, types right, status and kind known, sample arrays
 * of one length of finite numbers >= 0, found flat, counters, events and links complete.
 * NUCE_BAD_INPUT names the field. */
nuce_status nuce_record_check_run(const json_t *record, struct nuce_error *error);

/* A run's line, as nuce_jsonl_append writes it, without its times: `samples` has an empty step, and
 * `place` is missing. What is left passes nuce_record_check_run. NULL: another line, or one whose
 * times are not surely right: all of it must be read. NUL or a newline follows the text. */
json_t *nuce_record_read_brief(const char *text, size_t length);

/* Checks that "point" of a run record, or of a line of a plan, is the SHA-256 of its canonical
 * form: "workload", "ranks" and "params". Otherwise NUCE_BAD_INPUT. */
nuce_status nuce_record_check_point(const json_t *record, struct nuce_error *error);

/* The number of environment variables in a job record that records must not keep
 * (known_variables.h): more than 0 in records that are older than that list. */
int nuce_record_unknown_variables(const json_t *record);

/* Checks a job record: its texts are there, and "environment" is the SHA-256 of "described".
 * *described and *facts (may be NULL) are new texts of these without the variables that records
 * must not keep (known_variables.h), freed by the caller. NUCE_BAD_INPUT names the fault. */
nuce_status nuce_record_check_job(const json_t *record, char **described, char **facts,
                                  struct nuce_error *error);

/* Milliseconds since 1970 by the system's clock, not a simulator's. */
int64_t nuce_record_time_ms(void);

/* The current time as records write it; buffer of NUCE_TIME_BYTES. */
#define NUCE_TIME_BYTES 32
const char *nuce_record_time_now(char buffer[NUCE_TIME_BYTES]);

/* Milliseconds since 1970 of such a time; 0 where text is NULL or no such time. */
int64_t nuce_record_parse_time_ms(const char *text);

#endif
