/* A capture: what an application's ranks sent each other, as patterns, each once, with how often
 * and how long. Ranks are those of MPI_COMM_WORLD everywhere. docs/capture-formats.md says what the
 * words mean. */
#ifndef NUCE_CAPTURE_H
#define NUCE_CAPTURE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "capture/raw.h"
#include "schedules/pattern.h"
#include "schedules/split.h"

/* What is known of the messages of a pattern. Worse is greater: a call is as good as its worst
 * part. */
enum nuce_capture_quality {
    NUCE_CAPTURE_EXACT,  /* one round of each rank, every message with its two ends */
    NUCE_CAPTURE_MERGED, /* several rounds of a rank, whose order is lost, or an end is missing */
    NUCE_CAPTURE_EPOCH,  /* what each rank sent between two collective calls */
    NUCE_CAPTURE_QUALITIES,
};

/* "exact", "merged" or "epoch": as in files, tables and docs/capture-formats.md; static. */
const char *nuce_capture_quality_name(enum nuce_capture_quality quality);

/* Times are counted in classes, four for each power of two, so that a quantile is within 13 % or
 * so. 256 classes hold all of int64_t. */
#define NUCE_CAPTURE_CLASSES 256

/* How long something took, over many calls. Empty when all is 0. */
struct nuce_capture_times {
    int64_t count, least, most; /* ns */
    double sum;
    /* NUCE_CAPTURE_CLASSES counts, owned; NULL: they were not kept, or there are two times at most,
     * of which the extremes tell all */
    int64_t *classes;
};

/* Adds a time, one below 0 as 0 (clocks of two ranks may differ by more than was between them). */
void nuce_capture_times_add(struct nuce_capture_times *times, int64_t ns);
/* The class that a time (ns, not negative) belongs to, and the middle of a class in ns, which is
 * what a time is known to by its class. */
int nuce_capture_times_class(int64_t ns);
double nuce_capture_times_middle(int number);
/* In ns; NaN of none. The quantile at `part`, 0 to 1, is the middle of a class, within the
 * extremes; NaN where classes were not kept. */
double nuce_capture_times_mean(const struct nuce_capture_times *times);
double nuce_capture_times_quantile(const struct nuce_capture_times *times, double part);

/* A communicator that some call was made on. */
struct nuce_capture_communicator {
    int size, ordinal; /* ordinal: which one of those with the same members, from 0 on */
    int *members;      /* world ranks in the communicator's order; owned */
};

/* Who sends to whom: pairs (source, destination) ascending; a pair occurs as often as it sends a
 * message. */
struct nuce_capture_topology {
    int64_t messages;
    int *source, *destination; /* world ranks; owned */
};

#define NUCE_CAPTURE_ID 13 /* 12 hexadecimal digits and the end */

/* One content of calls, with how often it was made and how long it took. Times in ns. */
struct nuce_capture_pattern {
    char id[NUCE_CAPTURE_ID]; /* from what it is made of: equal patterns have equal ones */
    int kind;                 /* enum nuce_raw_kind */
    enum nuce_capture_quality quality;
    int communicator; /* index of the first one that it occurred on, of these members */
    int topology;     /* index of who sends to whom */
    int64_t *bytes;   /* of each message of the topology, in its order; owned */
    int64_t moved;    /* bytes of all ranks in a collective call that has no messages */
    int64_t calls;    /* how often it was made */
    struct nuce_capture_times duration; /* of a call: the longest of its ranks' */
    struct nuce_capture_times skew;     /* from the first rank's arrival to the last one's */
    double rank_ns;                     /* that its ranks spent in it, all together */
    /* mean of each member behind the first one; NULL: not kept, or it has no messages. Owned */
    double *arrival_ns;
    /* calls whose arrivals are kept, spread over all of them; 0: none, use the means */
    int kept;
    unsigned char *kept_class; /* kept x members: the class of each one's lateness; owned */
};

/* Arrivals that are kept: of so many calls of a pattern at most, so that a race can come late as
 * the application did; and bytes of them (one a call and rank) in a whole capture, patterns that
 * took most time first, so that files stay small. */
#define NUCE_CAPTURE_MOST_KEPT 8
#define NUCE_CAPTURE_MOST_KEPT_BYTES 6144

/* Means of arrivals (one a rank) that are kept in a whole capture, those of the patterns that took
 * most time; the first of these have theirs however many ranks there are. */
#define NUCE_CAPTURE_MOST_KEPT_MEANS 3072
#define NUCE_CAPTURE_PATTERNS_WITH_MEANS 16

/* Classes of durations and skews that are kept in a whole capture, those of the patterns that took
 * most time. */
#define NUCE_CAPTURE_MOST_KEPT_CLASSES 6144

/* Calls that were made several times over, one after the other: a loop of the program. */
struct nuce_capture_run {
    int64_t length; /* calls, whose patterns are the next ones of the sequence's `pattern` */
    int64_t times;  /* how often in a row, at least 1 */
};

/* When a rank was in a call, by rank 0's clock since the first rank began. */
struct nuce_capture_stamp {
    int64_t start_ns;    /* -1: it had no part in it */
    int64_t duration_ns; /* of several rounds up to the end of the last; -1: not seen to end */
};

/* The calls on a communicator in their order, as runs. All arrays are owned: run has `runs`
 * entries, pattern has `patterns`. stamp has one for each call and member, by call, then by rank in
 * the communicator. */
struct nuce_capture_sequence {
    int64_t count; /* calls */
    int64_t runs, patterns;
    struct nuce_capture_run *run;
    int *pattern;                     /* indices, those of one run behind those of the other */
    struct nuce_capture_stamp *stamp; /* of each call each member's; NULL: there are none */
};

/* The index of each call's pattern, in their order: a new array of sequence->count, which the
 * caller frees. */
int *nuce_capture_sequence_calls(const struct nuce_capture_sequence *sequence);

/* Makes *out, which has no stamps, of count indices of patterns in the order of calls. Freed with
 * nuce_capture_sequence_fini. */
void nuce_capture_sequence_init(const int *pattern, int64_t count,
                                struct nuce_capture_sequence *out);
void nuce_capture_sequence_fini(struct nuce_capture_sequence *sequence);

/* A whole capture. All arrays are owned. Empty when all is 0. */
struct nuce_capture {
    char library[128], program[128];
    char origin[256]; /* of an imported one: the format and the file; "": it was captured */
    int ranks, found; /* of the application's start; of these left raw files */
    int endings[3];   /* how many ranks ended how: enum nuce_raw_ending */
    int hosts;        /* how many are known, in the order of their first ranks */
    char (*host)[64];
    int *host_of; /* rank -> index of its host; -1: it is not known */
    /* clocks are compared to within this; of the rank that was there longest */
    int64_t clock_error_ns, elapsed_ns;
    double all_ranks_ns; /* from MPI_Init to the end, the sum over ranks: what shares are of */
    int64_t counters[NUCE_RAW_COUNTERS]; /* sums over ranks: enum nuce_raw_counter */
    int64_t unmatched;                   /* messages of which one end was seen */
    int64_t cut_files;                   /* raw files that were shorter than they said */
    int has_stamps;                      /* of every call: its sequences have them */
    int communicators, topologies, patterns;
    struct nuce_capture_communicator *communicator;
    struct nuce_capture_topology *topology;
    struct nuce_capture_pattern *pattern;
    struct nuce_capture_sequence *sequence; /* one for each communicator */
};

/* Frees what it holds and empties it; accepts an empty (all zero) one. */
void nuce_capture_fini(struct nuce_capture *capture);

/* How raw files are merged. */
struct nuce_capture_merging {
    int epochs;        /* what lies between two collective calls is one pattern, everywhere */
    int stamps;        /* with when each rank was in each call */
    int clocks_differ; /* they cannot be compared: nothing is known of who came how late */
};

/* Merges the raw files of the folder, all of one start, into *out, freed with nuce_capture_fini.
 * The folder stays as it is. NUCE_BAD_INPUT names the file that is wrong, or says that there is
 * none. */
nuce_status nuce_capture_merge(const char *folder, struct nuce_capture_merging merging,
                               struct nuce_capture *out, struct nuce_error *error);

/* To and from a file. Writing replaces path as a whole or not at all. Reading, and parsing what is
 * in memory (name stands in messages), give a new capture; NUCE_BAD_INPUT: it is not whole,
 * altered, or of another version, and *out is as it was. */
nuce_status nuce_capture_write(const struct nuce_capture *capture, const char *path,
                               struct nuce_error *error);
nuce_status nuce_capture_read(const char *path, struct nuce_capture *out, struct nuce_error *error);
nuce_status nuce_capture_parse(const char *name, const void *data, size_t length,
                               struct nuce_capture *out, struct nuce_error *error);

/* The pattern that `call` names: its id or at least 4 digits of its beginning, or its place by time
 * from 1 on, up to four digits ("1": the one that took most of the ranks' time). Valid as long as
 * the capture is. NULL with NUCE_BAD_INPUT in *error: none, several, or one without messages. */
const struct nuce_capture_pattern *nuce_capture_find(const struct nuce_capture *capture,
                                                     const char *call, struct nuce_error *error);

/* Whether `call` names several patterns: "all", or "top-N", the N that took most time; *most is how
 * many at most. */
int nuce_capture_names_several(const char *call, int *most);

/* The places by time of such patterns of so many ranks (0: of any number), those that sent
 * anything: a new array of *count; NULL with *error. */
int *nuce_capture_places(const struct nuce_capture *capture, int ranks, int most, int *count);

/* Fills host[i] with the index of the host of the communicator's i-th rank, for all of the
 * pattern's ranks. 0: of some it is not known. */
int nuce_capture_hosts_of(const struct nuce_capture *capture,
                          const struct nuce_capture_pattern *pattern, int *host);

/* On how many hosts the pattern's ranks were, and how many at most on one; both 0: of some that is
 * not known. */
void nuce_capture_count_hosts(const struct nuce_capture *capture,
                              const struct nuce_capture_pattern *pattern, int *hosts, int *most);

/* A pattern with its place among those that have messages, by time from 1 on; 0: it has none. */
struct nuce_capture_row {
    int pattern, place;
};

/* All patterns by the time that ranks spent in them, most first, whether they have messages or not:
 * a new array of capture->patterns, which the caller frees. */
struct nuce_capture_row *nuce_capture_rows(const struct nuce_capture *capture);

/* Its messages as a COM on the ranks of its communicator; several of a pair are one of their sum.
 * Freed with nuce_pattern_fini. */
nuce_status nuce_capture_com(const struct nuce_capture *capture,
                             const struct nuce_capture_pattern *pattern, struct nuce_pattern *out,
                             struct nuce_error *error);

/* Which entries of that COM are several messages, or one without bytes. Freed with
 * nuce_splits_fini. */
void nuce_capture_splits(const struct nuce_capture *capture,
                         const struct nuce_capture_pattern *pattern, struct nuce_splits *out);

/* How late the members of the pattern's communicator were in one call, in seconds behind the first
 * of them: late_s has room for one a member. number: which of the `kept` calls; where none are kept
 * the means of all calls stand for call 0. NUCE_BAD_INPUT: nobody measured it, as in imported
 * matrices. */
nuce_status nuce_capture_lateness(const struct nuce_capture *capture,
                                  const struct nuce_capture_pattern *pattern, int number,
                                  double *late_s, struct nuce_error *error);

/* Prints a JSON object a line for each pattern, with all its messages; docs/capture-formats.md has
 * the keys. NUCE_FAILED: it cannot be written. */
nuce_status nuce_capture_print_json(const struct nuce_capture *capture, FILE *file,
                                    struct nuce_error *error);

/* Times of a file are rounded to so many significant digits, which is what their last ones are
 * worth: no two runs agree in more. Means of arrivals, of which there is one a rank, to fewer. */
#define NUCE_CAPTURE_TIME_DIGITS 3
#define NUCE_CAPTURE_ARRIVAL_DIGITS 2

/* A rounded time as a small number, greater for a greater time: 0 .. 10^digits - 1 ns are
 * themselves, then those of each power of ten, one behind the other. Below 0 is 0. And back. */
int64_t nuce_capture_rounded_code(double ns, int digits);
double nuce_capture_rounded_time(int64_t code, int digits);

#endif
