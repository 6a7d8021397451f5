/* A capture: the messages of an application's ranks, as patterns. Each pattern is stored once,
 * with its number of calls and their durations. Ranks are always those of MPI_COMM_WORLD.
 * docs/capture-formats.md defines the terms. */
#ifndef NUCE_CAPTURE_H
#define NUCE_CAPTURE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "capture/raw.h"
#include "schedules/pattern.h"
#include "schedules/split.h"

/* How well the messages of a pattern are known. A larger value is worse: a call has the quality
 * of its worst part. */
enum nuce_capture_quality {
    NUCE_CAPTURE_EXACT,  /* one round of each rank, both ends of every message */
    NUCE_CAPTURE_MERGED, /* several rounds of a rank in unknown order, or an end is missing */
    NUCE_CAPTURE_EPOCH,  /* all messages that each rank sent between two collective calls */
    NUCE_CAPTURE_QUALITIES,
};

/* "exact", "merged" or "epoch", as in files, tables and docs/capture-formats.md; static. */
const char *nuce_capture_quality_name(enum nuce_capture_quality quality);

/* Times are counted in classes, four for each power of two, so a quantile is within about 13 %.
 * 256 classes cover all of int64_t. */
#define NUCE_CAPTURE_CLASSES 256

/* Durations over many calls. Empty when all is 0. */
struct nuce_capture_times {
    int64_t count, least, most; /* ns */
    double sum;
    /* NUCE_CAPTURE_CLASSES counts, owned; NULL: not kept, or at most two times, which the
     * extremes give */
    int64_t *classes;
};

/* Adds a time. Negative times count as 0: clocks of two ranks may differ by more than the time
 * between two events. */
void nuce_capture_times_add(struct nuce_capture_times *times, int64_t ns);
/* Returns the class of a time (ns, not negative), and the middle of a class in ns, which
 * represents all of its times. */
int nuce_capture_times_class(int64_t ns);
double nuce_capture_times_middle(int number);
/* In ns; NaN if there are no times. The quantile at `part`, 0 to 1, is the middle of a class,
 * limited to the extremes; NaN if classes were not kept. */
double nuce_capture_times_mean(const struct nuce_capture_times *times);
double nuce_capture_times_quantile(const struct nuce_capture_times *times, double part);

/* A communicator with at least one call. */
struct nuce_capture_communicator {
    int size, ordinal; /* ordinal: its number among those with the same members, from 0 */
    int *members;      /* world ranks in the communicator's order; owned */
};

/* Pairs (source, destination), ascending; a pair occurs once for each of its messages. */
struct nuce_capture_topology {
    int64_t messages;
    int *source, *destination; /* world ranks; owned */
};

#define NUCE_CAPTURE_ID 13 /* 12 hexadecimal digits and the end */

/* One content of calls, with its number of calls and their durations. Times in ns. */
struct nuce_capture_pattern {
    char id[NUCE_CAPTURE_ID]; /* derived from the content: equal patterns have equal ids */
    int kind;                 /* enum nuce_raw_kind */
    enum nuce_capture_quality quality;
    int communicator; /* index of the first communicator, of these members, that it occurred on */
    int topology;     /* index of its topology */
    int64_t *bytes;   /* of each message of the topology, in its order; owned */
    int64_t moved;    /* bytes of all ranks in a collective call that has no messages */
    int64_t calls;    /* number of calls */
    struct nuce_capture_times duration; /* of a call: the longest of its ranks' durations */
    struct nuce_capture_times skew;     /* from the arrival of the first rank to that of the last */
    double rank_ns;                     /* time in its calls, summed over ranks */
    /* mean lateness of each member behind the first; NULL: not kept, or no messages. Owned */
    double *arrival_ns;
    /* number of calls with kept arrivals, spread over all calls; 0: none, use the means */
    int kept;
    unsigned char *kept_class; /* kept x members: the class of each member's lateness; owned */
};

/* Limits of kept arrivals, so that files stay small: calls per pattern, and bytes in a whole
 * capture (one per call and rank). Patterns that took most time come first. Kept arrivals let a
 * race start its ranks as late as the application's were. */
#define NUCE_CAPTURE_MOST_KEPT 8
#define NUCE_CAPTURE_MOST_KEPT_BYTES 6144

/* Limit of kept mean arrivals (one per rank) in a whole capture. Patterns that took most time
 * come first; the first NUCE_CAPTURE_PATTERNS_WITH_MEANS have their means for any number of
 * ranks. */
#define NUCE_CAPTURE_MOST_KEPT_MEANS 3072
#define NUCE_CAPTURE_PATTERNS_WITH_MEANS 16

/* Limit of kept classes of durations and skews in a whole capture. Patterns that took most time
 * come first. */
#define NUCE_CAPTURE_MOST_KEPT_CLASSES 6144

/* Calls that were repeated in a row: a loop of the program. */
struct nuce_capture_run {
    int64_t length; /* calls; their patterns come next in the sequence's `pattern` */
    int64_t times;  /* number of repetitions, at least 1 */
};

/* The time that a rank spent in a call, by rank 0's clock since the first rank began. */
struct nuce_capture_stamp {
    int64_t start_ns;    /* -1: the rank took no part */
    int64_t duration_ns; /* of several rounds, to the end of the last; -1: no end was seen */
};

/* The calls on a communicator in order, as runs. All arrays are owned: run has `runs` entries,
 * pattern has `patterns`. stamp has one entry for each call and member, ordered by call, then by
 * rank in the communicator. */
struct nuce_capture_sequence {
    int64_t count; /* calls */
    int64_t runs, patterns;
    struct nuce_capture_run *run;
    int *pattern;                     /* indices of patterns, run after run */
    struct nuce_capture_stamp *stamp; /* one for each call and member; NULL: none */
};

/* The index of each call's pattern, in order: a new array of sequence->count, which the caller
 * frees. */
int *nuce_capture_sequence_calls(const struct nuce_capture_sequence *sequence);

/* Makes *out, without stamps, from count indices of patterns in the order of calls. Freed with
 * nuce_capture_sequence_fini. */
void nuce_capture_sequence_init(const int *pattern, int64_t count,
                                struct nuce_capture_sequence *out);
void nuce_capture_sequence_fini(struct nuce_capture_sequence *sequence);

/* A whole capture. All arrays are owned. Empty when all is 0. */
struct nuce_capture {
    char library[128], program[128];
    char origin[256]; /* format and file of an imported capture; "": it was captured */
    int ranks, found; /* ranks of the application's start; found: those that left raw files */
    int endings[3];   /* number of ranks by ending: enum nuce_raw_ending */
    int hosts;        /* number of known hosts, in the order of their first ranks */
    char (*host)[64];
    int *host_of; /* rank -> index of its host; -1: unknown */
    /* uncertainty of the comparison of clocks; elapsed time of the rank that ran longest */
    int64_t clock_error_ns, elapsed_ns;
    double all_ranks_ns; /* from MPI_Init to the end, summed over ranks; shares are parts of this */
    int64_t counters[NUCE_RAW_COUNTERS]; /* sums over ranks: enum nuce_raw_counter */
    int64_t unmatched;                   /* messages with only one end seen */
    int64_t cut_files;                   /* raw files that were shorter than their headers say */
    int has_stamps;                      /* sequences have stamps of every call */
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
    int epochs;        /* all messages between two collective calls are one pattern, everywhere */
    int stamps;        /* keep the stamps of each rank in each call */
    int clocks_differ; /* clocks cannot be compared: lateness is unknown */
};

/* Merges the raw files of the folder, all of one start, into *out, freed with nuce_capture_fini.
 * The folder is unchanged. NUCE_BAD_INPUT names the faulty file, or says that there is none. */
nuce_status nuce_capture_merge(const char *folder, struct nuce_capture_merging merging,
                               struct nuce_capture *out, struct nuce_error *error);

/* Writes and reads a file. Writing replaces path as a whole or not at all. Reading, and parsing
 * text in memory (name is used in messages), make a new capture. NUCE_BAD_INPUT: the file is
 * incomplete, altered or of another version, and *out is unchanged. */
nuce_status nuce_capture_write(const struct nuce_capture *capture, const char *path,
                               struct nuce_error *error);
nuce_status nuce_capture_read(const char *path, struct nuce_capture *out, struct nuce_error *error);
nuce_status nuce_capture_parse(const char *name, const void *data, size_t length,
                               struct nuce_capture *out, struct nuce_error *error);

/* Returns the pattern that `call` names. `call` is an id or at least its first 4 digits, or a
 * place by time of up to four digits. Place "1" is the pattern that took most of the ranks'
 * time. Valid as long as the capture is. Returns NULL with NUCE_BAD_INPUT in *error if `call`
 * names no pattern, several, or one without messages. */
const struct nuce_capture_pattern *nuce_capture_find(const struct nuce_capture *capture,
                                                     const char *call, struct nuce_error *error);

/* True if `call` names several patterns: "all", or "top-N". *most is the greatest number of
 * them. */
int nuce_capture_names_several(const char *call, int *most);

/* Fills host[i] with the index of the host of the communicator's i-th rank, for all of the
 * pattern's ranks. Returns 0 if a host is unknown. */
int nuce_capture_hosts_of(const struct nuce_capture *capture,
                          const struct nuce_capture_pattern *pattern, int *host);

/* Counts the hosts of the pattern's ranks, and the most ranks on one host; both are 0 if a host
 * is unknown. */
void nuce_capture_count_hosts(const struct nuce_capture *capture,
                              const struct nuce_capture_pattern *pattern, int *hosts, int *most);

/* A pattern with its place among those with messages, by time from 1; 0: it has no messages.
 * has_bytes is 0 if all of its messages are of 0 bytes. */
struct nuce_capture_row {
    int pattern, place, has_bytes;
};

/* All patterns, with or without messages, by the time that ranks spent in them, longest first. A
 * new array of capture->patterns, which the caller frees. */
struct nuce_capture_row *nuce_capture_rows(const struct nuce_capture *capture);

/* The pattern's messages as a COM on the ranks of its communicator. Several messages of a pair
 * are added up. Freed with nuce_pattern_fini. */
nuce_status nuce_capture_com(const struct nuce_capture *capture,
                             const struct nuce_capture_pattern *pattern, struct nuce_pattern *out,
                             struct nuce_error *error);

/* The entries of that COM that are several messages, or one without bytes. Freed with
 * nuce_splits_fini. */
void nuce_capture_splits(const struct nuce_capture *capture,
                         const struct nuce_capture_pattern *pattern, struct nuce_splits *out);

/* The lateness of each member of the pattern's communicator in one call, in seconds after the
 * first member. late_s has room for one value a member. number: index among the `kept` calls; if
 * none are kept, call 0 has the means of all calls. NUCE_BAD_INPUT: lateness was not measured,
 * as in imported matrices. */
nuce_status nuce_capture_lateness(const struct nuce_capture *capture,
                                  const struct nuce_capture_pattern *pattern, int number,
                                  double *late_s, struct nuce_error *error);

/* Prints a JSON object a line for each pattern, with all its messages; docs/capture-formats.md has
 * the keys. Returns NUCE_FAILED if the file cannot be written. */
nuce_status nuce_capture_print_json(const struct nuce_capture *capture, FILE *file,
                                    struct nuce_error *error);

/* Times in a file are rounded to this number of significant digits: no two runs agree in more.
 * Means of arrivals, one per rank, are rounded to fewer. */
#define NUCE_CAPTURE_TIME_DIGITS 3
#define NUCE_CAPTURE_ARRIVAL_DIGITS 2

/* Converts a rounded time to a small number that grows with the time, and back. 0 .. 10^digits -
 * 1 ns are themselves; the times of each further power of ten follow. Negative times become 0. */
int64_t nuce_capture_rounded_code(double ns, int digits);
double nuce_capture_rounded_time(int64_t code, int digits);

#endif
