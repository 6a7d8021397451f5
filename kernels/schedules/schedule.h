/* Schedules: for each rank its ordered sends and receives, and the discipline that the engine
 * follows in working them off. */
#ifndef NUCE_SCHEDULE_H
#define NUCE_SCHEDULE_H

#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "base/rng.h"
#include "schedules/network.h"
#include "schedules/pattern.h"

enum nuce_discipline {
    NUCE_POST_ALL, /* every send and receive at once */
    NUCE_LOCKSTEP, /* phase by phase: a rank starts the next phase when its own send and receive of
                      this one are done, whatever the others do (the papers' loose execution) */
    NUCE_STREAMS,  /* the queue of sends and the queue of receives advance on their own, each with
                      up to `depth` in flight; 1 is the papers' single port */
    NUCE_BLOCKING, /* every receive at once; sends in their order, up to `depth` at a time: the next
                      one starts when a receiver has the whole of one before; 1 is a blocking send
                    */
    NUCE_FORWARD,  /* phase by phase as lockstep, but what a rank receives may be for others: it
                      sends that on in a later phase; and it may have several partners in a phase */
    NUCE_DYNAMIC,  /* the order is found while it runs, by the executor that the ops name: a call of
                      the MPI library, or a protocol of ours */
};

/* "post-all", "lockstep", "streams", "blocking", "forward", "dynamic". */
const char *nuce_discipline_name(enum nuce_discipline discipline);

/* One of the schedules that an algorithm made to choose from. Kept with the schedule that was made
 * in the end, so that a record says what it was preferred to. */
struct nuce_candidate {
    char name[NUCE_NAME_BYTES]; /* "load-list", "lambda 0.875" */
    int phases;
    int64_t pieces;
    double makespan; /* seconds, in the execution that fits its discipline */
};

/* What making a schedule took, where the algorithm has such a part. */
struct nuce_schedule_costs {
    int64_t heap_operations; /* levels sifted through are not counted: insertions and removals */
    double heap_s;           /* processor seconds of building the heaps; NaN: has none */
    double sort_s;           /* processor seconds of sorting rows; NaN: sorts none */
};

/* A message on its way, or a part of one that stays together: of what a rank sends to another that
 * forwards. */
struct nuce_parcel {
    int source, destination;
    int64_t bytes;  /* > 0 */
    int64_t offset; /* in the message; 0 of a whole one */
};

/* Which parcels a send carries. */
struct nuce_load {
    int64_t first, count;
};

/* One piece of a message, as one of its two ranks sees it; of a schedule that forwards, what goes
 * from one rank to another in one phase: its parcels one behind the other, and what it has more
 * than they have is padding. */
struct nuce_transfer {
    int peer;
    int phase;      /* 0-based; nondecreasing along a rank's list */
    int64_t offset; /* of the piece in the message, bytes */
    int64_t bytes;  /* > 0; 0 of what an application sent so (split.h) */
};

/* What each rank sends and receives, in order. Rank i's sends are in the order in which it does
 * them, and its receives in theirs; between the two only the discipline says what waits for what.
 * All arrays are owned and freed by nuce_schedule_fini; executor is borrowed from the ops. Offsets
 * and sizes are bytes. */
struct nuce_schedule {
    int ranks;
    int phases; /* 1 + the last phase number that the algorithm counts, empty phases included */
    enum nuce_discipline discipline;
    const char *executor; /* dynamic only: the ops' executor; else NULL */
    int depth;            /* >= 1; streams, blocking, and those dynamic ones that use it */
    /* Lists: in one block of memory, freed by nuce_schedule_fini alone. */
    int64_t pieces;         /* length of sends and of receives */
    int64_t *send_start;    /* ranks + 1: rank i's sends are send_start[i] .. send_start[i+1] - 1 */
    int64_t *receive_start; /* ranks + 1 */
    struct nuce_transfer *sends;
    struct nuce_transfer *receives;
    int64_t *receive_of; /* pieces: the receive that belongs to each send */
    /* Forward only, else NULL. */
    struct nuce_load *loads;     /* pieces: of each send */
    struct nuce_parcel *parcels; /* of all loads */
    struct nuce_schedule_costs costs;
    int candidates;                   /* 0: the algorithm makes one schedule only */
    int chosen;                       /* index of the candidate that this schedule is */
    struct nuce_candidate *candidate; /* candidates */
};

/* Frees what *schedule holds and empties it; accepts an empty (all zero) one. */
void nuce_schedule_fini(struct nuce_schedule *schedule);

/* *out: room for the lists of so many pieces, which whoever makes them without a builder fills;
 * what the lists begin with is 0, and so is all else. Freed with nuce_schedule_fini. */
void nuce_schedule_make_room(int ranks, int64_t pieces, struct nuce_schedule *out);

/* Collects the pieces of a schedule in the order in which they are to happen. That one order gives
 * every rank's order of sends and of receives, so the rank whose next piece comes first can always
 * go on: what is built this way cannot deadlock. Arrays are owned. An algorithm may set phases,
 * discipline, depth, costs and chosen itself; all else is changed by the functions below alone. */
struct nuce_schedule_builder {
    int ranks;
    int phases;
    enum nuce_discipline discipline;
    int depth;
    int64_t count, capacity;
    struct nuce_piece *pieces;
    int64_t parcel_count, parcel_capacity;
    struct nuce_parcel *parcels;   /* of all pieces, in the order in which they were added */
    struct nuce_schedule expected; /* the lists, of nuce_schedule_expect; else all zero */
    struct nuce_schedule_costs costs;
    int chosen;
    int64_t candidates, candidate_capacity;
    struct nuce_candidate *candidate;
};

/* discipline with depth 1 and no phases yet; the builder is freed by nuce_schedule_build_end or
 * nuce_schedule_builder_fini. */
void nuce_schedule_builder_init(struct nuce_schedule_builder *builder, int ranks,
                                enum nuce_discipline discipline);
void nuce_schedule_builder_fini(struct nuce_schedule_builder *builder);

/* Promises that each message of pattern is added once, whole, and that the
 * phases of every rank's sends and of its receives ascend as they are added. The lists are then
 * filled at once; other pieces, or fewer, are a bug. Nothing has been added before. */
void nuce_schedule_expect(struct nuce_schedule_builder *builder,
                          const struct nuce_pattern *pattern);

/* The same where messages are cut: promises so many sends and receives of each rank. */
void nuce_schedule_expect_pieces(struct nuce_schedule_builder *builder, const int64_t *sends,
                                 const int64_t *receives);

/* The same of a schedule that forwards: promises so many parcels or less of all of them, too. */
void nuce_schedule_expect_loads(struct nuce_schedule_builder *builder, const int64_t *sends,
                                const int64_t *receives, int64_t parcels);

/* Adds a piece. Phases may come in any order (they are sorted, stably, at the end); `phases` grows
 * to phase + 1. Ranks that do not exist, a negative phase or offset and no bytes are a bug. */
void nuce_schedule_add(struct nuce_schedule_builder *builder, int source, int destination,
                       int phase, int64_t offset, int64_t bytes);

/* The same of a schedule that forwards: bytes from source to destination in phase, of which count
 * parcels are copied. Less bytes than they have, or none, are a bug. */
void nuce_schedule_add_load(struct nuce_schedule_builder *builder, int source, int destination,
                            int phase, int64_t bytes, const struct nuce_parcel *parcels,
                            int64_t count);

/* Makes room for all messages, and adds what every rank sends to itself, in phase 0: it needs no
 * wire, so it waits for nothing, nothing waits for it, and it counts as no message of a phase. */
void nuce_schedule_add_own(struct nuce_schedule_builder *builder,
                           const struct nuce_pattern *pattern);

/* Notes one of the schedules that were tried, by name and makespan; whoever notes several sets
 * builder->chosen. */
void nuce_schedule_add_candidate(struct nuce_schedule_builder *builder, const char *name,
                                 const struct nuce_schedule *tried, double makespan);

/* Turns what was collected into *out (freed with nuce_schedule_fini) and empties the builder, also
 * on failure. */
void nuce_schedule_build_end(struct nuce_schedule_builder *builder, struct nuce_schedule *out);

/* What algorithms are told: the options of tuning.inc, a member each, and what the caller adds. */
struct nuce_tuning {
    double unit;          /* bytes per unit of COM, the unit in which rs-nh weighs sizes; > 0 */
    double startup_units; /* tau / phi in units of COM; >= 0 */
    int64_t factor;       /* K of a redistribution from cyclic(x) to cyclic(Kx) or back; 0: not
                             told, the most messages that a rank sends or receives, its own included */
#define NUCE_TUNING(bit, type, member, ...) NUCE_OPTION_MEMBER_##type(member)
#include "schedules/tuning.inc"
#undef NUCE_TUNING
};

/* What algorithms take untold. unit 1 byte, startup_units 32 (one fit of the phase counts that
 * Ranka, Wang and Kumar print), window 32 (what MPICH 4.3 has under way in its all-to-all of long
 * messages, MPIR_CVAR_ALLTOALL_THROTTLE). */
extern const struct nuce_tuning nuce_tuning_preset;

/* What a schedule is made from; algorithms see no NULL in it. */
struct nuce_schedule_input {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network; /* of as many ranks: what its messages cost; NULL: the cm5
                                           preset */
    const struct nuce_tuning *tuning;   /* NULL: nuce_tuning_preset */
    const int *node_of;  /* ranks: the number of each one's node, from 0, none left out; NULL: not
                            known, each is on one of its own. tuning's node_ranks come before it, and
                            the network's nodes */
    const int *group_of; /* ranks: the number of each one's group of nodes, from 0, none left out;
                            NULL: as the network says. tuning's group_ranks come before it */
    struct nuce_rng rng; /* from nuce_rng_create, the same on every rank: all compute the same
                            schedule */
    const char *wanted;  /* ranks: 1 of those whose lists are looked at. NULL: of all; always where
                            the algorithm leaves nothing out (NUCE_CONCERN_NODES) */
};

/* An input as algorithms see it: with what was left out. It points at itself, so it must stay where
 * it is; it holds no memory. */
struct nuce_schedule_given {
    struct nuce_schedule_input input;
    struct nuce_tuning tuning;
    struct nuce_network preset;
};
void nuce_schedule_given(const struct nuce_schedule_input *input, struct nuce_schedule_given *out);

/* Which options an algorithm looks at, as bits of its ops' `uses`: NUCE_USES_BIT of each row of
 * tuning.inc. The others are left out of a point's identity, as they change nothing. */
enum {
#define NUCE_TUNING(bit, ...) NUCE_TUNING_##bit,
#include "schedules/tuning.inc"
#undef NUCE_TUNING
};
enum {
#define NUCE_TUNING(bit, ...) NUCE_USES_##bit = 1 << NUCE_TUNING_##bit,
#include "schedules/tuning.inc"
#undef NUCE_TUNING
    NUCE_USES_STARTUP = NUCE_USES_TAU | NUCE_USES_PHI, /* as unit and startup_units */
    NUCE_USES_GROUPS =
        NUCE_USES_GROUP_RANKS | NUCE_USES_GROUP_TOPOLOGY, /* as group_of of the input */
    NUCE_USES_PARTS = NUCE_USES_WITHIN | NUCE_USES_BETWEEN,
};

/* What an algorithm, or its executor, has to be given. */
enum nuce_needs {
    NUCE_NEEDS_PATTERN, /* any will do */
    NUCE_NEEDS_GROUPS,  /* the same, where groups of nodes are known: else build refuses it */
    NUCE_NEEDS_REDISTRIBUTION, /* that of a block-cyclic one: build refuses others */
    NUCE_NEEDS_ARRAYS, /* block-cyclic arrays, which its executor moves themselves: no workload
                          can run under it that has none, or messages of other lengths */
};

/* "pattern", "groups", "redistribution", "arrays". */
const char *nuce_needs_name(enum nuce_needs needs);

/* Which messages say what one rank does. */
enum nuce_concern {
    NUCE_CONCERN_ALL,     /* all of the pattern */
    NUCE_CONCERN_NODES,   /* all, but build leaves out the messages of which neither end is on the
                             node of a wanted rank, all of their ways */
    NUCE_CONCERN_OWN,     /* those that it sends or receives */
    NUCE_CONCERN_PASSING, /* those, and what others send by way of it, where a radix is given */
};

/* A schedule algorithm: one file, one row in schedules.def. An ops struct is all that the rest of
 * the program knows of it. */
struct nuce_schedule_ops {
    const char *name; /* stored in results: never reuse one */
    const char *summary;
    const char *source;   /* paper and section, or the standard */
    const char *executor; /* NUCE_DYNAMIC only: the name of the executor (run/executors.def) that
                             does it; else NULL */
    enum nuce_discipline discipline;
    unsigned uses; /* NUCE_USES_... */
    enum nuce_needs needs;
    enum nuce_concern concern; /* the schedule of these messages alone has the rank's lists of the
                                  schedule of all (nuce_schedule_concern) */
    /* Pure: the same input gives the same pieces on every rank. Adds pieces to a builder that has
     * been set up with ranks and discipline; the caller ends or frees it. */
    nuce_status (*build)(const struct nuce_schedule_input *input,
                         struct nuce_schedule_builder *builder, struct nuce_error *error);
    /* Instead of build, where the algorithm takes any pattern. */
    void (*fill)(const struct nuce_schedule_input *input, struct nuce_schedule_builder *builder);
};

/* Adds the pieces of input under ops to builder, by whichever of the two. */
nuce_status nuce_schedule_build(const struct nuce_schedule_ops *ops,
                                const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error);

/* The schedule of input under ops: builder, build and build_end in one. NUCE_BAD_INPUT: the
 * algorithm cannot take this pattern; the message says why. */
nuce_status nuce_schedule_create(const struct nuce_schedule_ops *ops,
                                 const struct nuce_schedule_input *input, struct nuce_schedule *out,
                                 struct nuce_error *error);

/* The same, a few times over where that is quick: *seconds is the median of processor time, so that
 * processes which share a processor do not count one another's work. */
nuce_status nuce_schedule_create_timed(const struct nuce_schedule_ops *ops,
                                       const struct nuce_schedule_input *input,
                                       struct nuce_schedule *out, double *seconds,
                                       struct nuce_error *error);

/* NUCE_BAD_INPUT unless every name of the comma list is one that `best` can choose. */
nuce_status nuce_schedule_check_choices(const char *choices, struct nuce_error *error);

/* Whether the schedule called name can be a part of another, for an option: one that has an order,
 * needs a pattern alone, or groups too, and has no parts or choices of its own. NUCE_BAD_INPUT. */
nuce_status nuce_schedule_check_part(const char *option, const char *name,
                                     struct nuce_error *error);

/* By whom messages come whose ranks alone say what they do: 0: by their two ends; more: by those of
 * store and forward in that radix; -1: what a rank does follows from the messages of all. */
int64_t nuce_schedule_own_radix(const struct nuce_schedule_ops *ops,
                                const struct nuce_tuning *tuning);

/* *out: the messages of input's pattern that say what rank does under ops, as a pattern of as many
 * ranks; its schedule under ops has the same lists of that rank, in time and memory that grow with
 * its own messages and the number of ranks. NUCE_BAD_INPUT: it takes them all. Freed with
 * nuce_pattern_fini. */
nuce_status nuce_schedule_concern(const struct nuce_schedule_ops *ops,
                                  const struct nuce_schedule_input *input, int rank,
                                  struct nuce_pattern *out, struct nuce_error *error);

/* *out: the messages that the schedule of input has (NUCE_CONCERN_NODES), and what each rank sends
 * to itself: it is validated against these. Freed with nuce_pattern_fini. */
nuce_status nuce_schedule_wanted(const struct nuce_schedule_input *input, struct nuce_pattern *out,
                                 struct nuce_error *error);

/* All algorithms in the order of schedules.def, NULL-ended. */
extern const struct nuce_schedule_ops *const nuce_schedules[];

/* The name of the index-th; NULL past the end. */
const char *nuce_schedule_name(size_t index);

/* The one called name, or NULL. */
const struct nuce_schedule_ops *nuce_schedule_find(const char *name);

/* Checks schedule against pattern; NUCE_CORRUPT says which rule is broken, where:
 * every byte of every message is in exactly one piece; every send has its receive (same peers,
 * phase, offset and bytes) and the reverse; phases do not decrease along a list and lie in 0 ..
 * phases - 1; lockstep: a rank sends at most one and receives at most one piece a phase besides
 * what it sends to itself; forward: at most one to, and one from, each other rank a phase, and
 * instead of the first rule, every part of a message is in no parcel before it has come to the
 * parcel's sender in an earlier phase, and ends at its destination, and the parts are all of the
 * message; streams: working off the queues with `depth` in flight on each side, with sends that
 * wait for their receive, comes to an end. */
nuce_status nuce_schedule_validate(const struct nuce_schedule *schedule,
                                   const struct nuce_pattern *pattern, struct nuce_error *error);

#endif
