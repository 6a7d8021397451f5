/* Schedules: for each rank its ordered sends and receives, and the discipline by which the engine
 * executes them. */
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
                      this one are done, regardless of the others (the papers' loose execution) */
    NUCE_STREAMS,  /* the queue of sends and the queue of receives advance independently, each with
                      up to `depth` in flight; 1 is the papers' single port */
    NUCE_BLOCKING, /* every receive at once; sends in their order, up to `depth` at a time: the next
                      one starts when a receiver has the whole of one before; 1 is a blocking
                      send */
    NUCE_FORWARD,  /* phase by phase as lockstep, but a rank may forward received parts to others in
                      a later phase, and may have several partners in a phase */
    NUCE_DYNAMIC,  /* the executor that the ops name finds the order at run time: a call of the MPI
                      library, or a protocol of nuce */
};

/* "post-all", "lockstep", "streams", "blocking", "forward", "dynamic". */
const char *nuce_discipline_name(enum nuce_discipline discipline);

/* One of the schedules that an algorithm made to choose from. It is kept with the final schedule,
 * so that a record shows the alternatives. */
struct nuce_candidate {
    char name[NUCE_NAME_BYTES]; /* "load-list", "lambda 0.875" */
    int phases;
    int64_t pieces;
    double makespan; /* seconds, in the execution that fits its discipline */
};

/* The cost of making a schedule, for algorithms with such parts. */
struct nuce_schedule_costs {
    int64_t heap_operations; /* insertions and removals; sifting through levels is not counted */
    double heap_s;           /* processor seconds of building the heaps; NaN: has none */
    double sort_s;           /* processor seconds of sorting rows; NaN: sorts none */
};

/* A message in transit, or a part of one that stays together, from one rank to another that
 * forwards. */
struct nuce_parcel {
    int source, destination;
    int64_t bytes;  /* > 0 */
    int64_t offset; /* in the message; 0 for a whole one */
};

/* The parcels of a send. */
struct nuce_load {
    int64_t first, count;
};

/* One piece of a message, from the view of one of its two ranks. In a schedule that forwards, it is
 * the transfer from one rank to another in one phase: its parcels one after the other, and any
 * bytes beyond them are padding. */
struct nuce_transfer {
    int peer;
    int phase;      /* 0-based; nondecreasing along a rank's list */
    int64_t offset; /* of the piece in the message, bytes */
    int64_t bytes;  /* 0; 0 only for an application's message of 0 bytes (split.h) */
};

/* The sends and receives of each rank, in order. Rank i does its sends in their order, and its
 * receives in theirs; between the two only the discipline determines the order. All arrays are
 * owned and freed by nuce_schedule_fini; executor is borrowed from the ops. Offsets and sizes are
 * bytes. */
struct nuce_schedule {
    int ranks;
    int phases; /* 1 + the last phase number that the algorithm counts, including empty phases */
    enum nuce_discipline discipline;
    const char *executor; /* dynamic only: the ops' executor; else NULL */
    int depth;            /* >= 1; for streams, blocking, and those dynamic ones that use it */
    /* Lists: in one block of memory, which only nuce_schedule_fini frees. */
    int64_t pieces;         /* length of sends and of receives */
    int64_t *send_start;    /* ranks + 1: rank i's sends are send_start[i] .. send_start[i+1] - 1 */
    int64_t *receive_start; /* ranks + 1 */
    struct nuce_transfer *sends;
    struct nuce_transfer *receives;
    int64_t *receive_of; /* pieces: the receive of each send */
    /* Forward only, else NULL. */
    struct nuce_load *loads;     /* pieces: parcels of each send */
    struct nuce_parcel *parcels; /* of all loads */
    struct nuce_schedule_costs costs;
    int candidates;                   /* 0: the algorithm makes one schedule only */
    int chosen;                       /* index of the candidate that this schedule is */
    struct nuce_candidate *candidate; /* candidates */
};

/* Frees the content of *schedule and empties it; accepts an empty (all zero) one. */
void nuce_schedule_fini(struct nuce_schedule *schedule);

/* *out: room for the lists of that many pieces, for a caller that fills them without a builder. The
 * starts of the lists are 0, and so is all else. Freed with nuce_schedule_fini. */
void nuce_schedule_make_room(int ranks, int64_t pieces, struct nuce_schedule *out);

/* Collects the pieces of a schedule in the order of their execution. That one order gives every
 * rank's order of sends and of receives, so the rank whose next piece comes first can always
 * proceed: such a schedule cannot deadlock. Arrays are owned. An algorithm may set phases,
 * discipline, depth, costs and chosen itself; only the functions below change all else. */
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

/* Sets the discipline, with depth 1 and no phases yet. nuce_schedule_build_end or
 * nuce_schedule_builder_fini frees the builder. */
void nuce_schedule_builder_init(struct nuce_schedule_builder *builder, int ranks,
                                enum nuce_discipline discipline);
void nuce_schedule_builder_fini(struct nuce_schedule_builder *builder);

/* Promises that each message of pattern is added once, whole, and that the phases of every rank's
 * sends and of its receives ascend in the order of their addition. The lists are then filled at
 * once; other pieces, or fewer, are a bug. Called before any piece is added. */
void nuce_schedule_expect(struct nuce_schedule_builder *builder,
                          const struct nuce_pattern *pattern);

/* The same for cut messages: promises that many sends and receives of each rank. */
void nuce_schedule_expect_pieces(struct nuce_schedule_builder *builder, const int64_t *sends,
                                 const int64_t *receives);

/* The same for a schedule that forwards: also promises at most that many parcels in all. */
void nuce_schedule_expect_loads(struct nuce_schedule_builder *builder, const int64_t *sends,
                                const int64_t *receives, int64_t parcels);

/* Adds a piece. Phases may come in any order (they are sorted, stably, at the end); `phases` grows
 * to phase + 1. Ranks out of range, a negative phase or offset and a piece without bytes are a
 * bug. */
void nuce_schedule_add(struct nuce_schedule_builder *builder, int source, int destination,
                       int phase, int64_t offset, int64_t bytes);

/* The same for a schedule that forwards: bytes from source to destination in phase, with count
 * parcels, which are copied. Fewer bytes than the parcels have, or none, are a bug. */
void nuce_schedule_add_load(struct nuce_schedule_builder *builder, int source, int destination,
                            int phase, int64_t bytes, const struct nuce_parcel *parcels,
                            int64_t count);

/* Makes room for all messages, and adds every rank's message to itself, in phase 0. It needs no
 * wire, so it waits for nothing and nothing waits for it. It does not count as a message of a
 * phase. */
void nuce_schedule_add_own(struct nuce_schedule_builder *builder,
                           const struct nuce_pattern *pattern);

/* Notes one of the tried schedules, by name and makespan. A caller that notes several sets
 * builder->chosen. */
void nuce_schedule_add_candidate(struct nuce_schedule_builder *builder, const char *name,
                                 const struct nuce_schedule *tried, double makespan);

/* Turns the collected pieces into *out (freed with nuce_schedule_fini) and empties the builder,
 * also on failure. */
void nuce_schedule_build_end(struct nuce_schedule_builder *builder, struct nuce_schedule *out);

/* The parameters of algorithms: the options of tuning.inc, a member each, and additions of the
 * caller. */
struct nuce_tuning {
    double unit;          /* bytes of an item of COM, the unit in which rs-nh weighs sizes; > 0 */
    double startup_units; /* tau / phi in items of COM; >= 0 */
    int64_t factor;       /* K of a redistribution from cyclic(x) to cyclic(Kx) or back; 0: not
                             given, the most messages that a rank sends or receives, its own
                             included */
#define NUCE_TUNING(bit, type, member, ...) NUCE_OPTION_MEMBER_##type(member)
#include "schedules/tuning.inc"
#undef NUCE_TUNING
};

/* The defaults. unit 1 byte, startup_units 32 (one fit of the phase counts that Ranka, Wang and
 * Kumar print), window 32 (the sends in flight in MPICH 4.3's all-to-all of long messages,
 * MPIR_CVAR_ALLTOALL_THROTTLE). */
extern const struct nuce_tuning nuce_tuning_preset;

/* The input of a schedule; algorithms see no NULL in it. */
struct nuce_schedule_input {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network; /* of as many ranks: the cost of the messages; NULL: the cm5
                                           preset */
    const struct nuce_tuning *tuning;   /* NULL: nuce_tuning_preset */
    const int *node_of;  /* ranks: the number of each one's node, from 0, without gaps; NULL: not
                            known, each is on one of its own. tuning's node_ranks and the network's
                            nodes take precedence */
    const int *group_of; /* ranks: the number of each one's group of nodes, from 0, without gaps;
                            NULL: as in the network. tuning's group_ranks take precedence */
    struct nuce_rng rng; /* from nuce_rng_create, the same on every rank: all compute the same
                            schedule */
    const char *wanted;  /* ranks: 1 for those whose lists are needed. NULL: all; always NULL if the
                            algorithm cannot leave out messages (NUCE_CONCERN_NODES) */
};

/* An input as algorithms see it, with its defaults. It points at itself, so it must not be moved;
 * it holds no memory. */
struct nuce_schedule_given {
    struct nuce_schedule_input input;
    struct nuce_tuning tuning;
    struct nuce_network preset;
};
void nuce_schedule_given(const struct nuce_schedule_input *input, struct nuce_schedule_given *out);

/* The options that an algorithm uses, as bits of its ops' `uses`: NUCE_USES_BIT of each row of
 * tuning.inc. The others are not part of a point's identity, as they change nothing. */
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

/* The input that an algorithm, or its executor, needs. */
enum nuce_needs {
    NUCE_NEEDS_PATTERN,        /* any pattern */
    NUCE_NEEDS_GROUPS,         /* any pattern, with known groups of nodes: else build refuses it */
    NUCE_NEEDS_REDISTRIBUTION, /* that of a block-cyclic redistribution: build refuses others */
    NUCE_NEEDS_ARRAYS, /* block-cyclic arrays, which its executor moves themselves: a workload
                          without them, or with messages of other lengths, cannot use it */
};

/* "pattern", "groups", "redistribution", "arrays". */
const char *nuce_needs_name(enum nuce_needs needs);

/* The messages that determine the lists of one rank. */
enum nuce_concern {
    NUCE_CONCERN_ALL,     /* all of the pattern */
    NUCE_CONCERN_NODES,   /* all, but build leaves out messages with neither end on the node of a
                             wanted rank, on all of their way */
    NUCE_CONCERN_OWN,     /* those that the rank sends or receives */
    NUCE_CONCERN_PASSING, /* those, and others' messages that it forwards, if a radix is given */
};

/* A schedule algorithm: one file, one row in schedules.def. The rest of the program knows only its
 * ops struct. */
struct nuce_schedule_ops {
    const char *name;  /* stored in results: never reuse one */
    const char *label; /* beside the name in tables for people, a few words; NULL: the name says
                          enough */
    const char *summary;
    const char *source;   /* paper and section, or the standard */
    const char *executor; /* NUCE_DYNAMIC only: the name of its executor (run/executors.def); else
                             NULL */
    enum nuce_discipline discipline;
    unsigned uses; /* NUCE_USES_... */
    int in_flight; /* the option in-flight, where it is not set; 0: no limit, or not used */
    enum nuce_needs needs;
    enum nuce_concern concern; /* the schedule of only these messages has the same lists of the rank
                                  as that of all (nuce_schedule_concern) */
    /* Pure: the same input gives the same pieces on every rank. Adds pieces to a builder that has
     * been set up with ranks and discipline; the caller ends or frees it. */
    nuce_status (*build)(const struct nuce_schedule_input *input,
                         struct nuce_schedule_builder *builder, struct nuce_error *error);
    /* In place of build, for an algorithm that takes any pattern. */
    void (*fill)(const struct nuce_schedule_input *input, struct nuce_schedule_builder *builder);
};

/* Adds the pieces of input under ops to builder, by whichever of the two. in_flight 0 of the tuning
 * is that of ops. */
nuce_status nuce_schedule_build(const struct nuce_schedule_ops *ops,
                                const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error);

/* The schedule of input under ops: builder, build and build_end in one. NUCE_BAD_INPUT: the
 * algorithm cannot take this pattern; the message gives the reason. */
nuce_status nuce_schedule_create(const struct nuce_schedule_ops *ops,
                                 const struct nuce_schedule_input *input, struct nuce_schedule *out,
                                 struct nuce_error *error);

/* The same, a few times if that is quick. *seconds is the median of processor time, so that
 * processes which share a processor do not count one another's work. */
nuce_status nuce_schedule_create_timed(const struct nuce_schedule_ops *ops,
                                       const struct nuce_schedule_input *input,
                                       struct nuce_schedule *out, double *seconds,
                                       struct nuce_error *error);

/* NUCE_BAD_INPUT unless every name of the comma list is one that `best` can choose. */
nuce_status nuce_schedule_check_choices(const char *choices, struct nuce_error *error);

/* Checks that the schedule called name can be a part of another, for an option. It must have an
 * order, need only a pattern, or groups too, and have no parts or choices of its own.
 * NUCE_BAD_INPUT otherwise. */
nuce_status nuce_schedule_check_part(const char *option, const char *name,
                                     struct nuce_error *error);

/* Checks values of a schedule that uses these options (NUCE_USES_...). Values that are invalid for
 * any schedule are refused even if it does not use them. NUCE_BAD_INPUT names the option. */
nuce_status nuce_tuning_check(const struct nuce_tuning *tuning, unsigned uses,
                              struct nuce_error *error);

/* The same for what needs only the rank count, so that a bad value is refused before anything
 * runs. */
nuce_status nuce_tuning_check_ranks(const struct nuce_tuning *tuning, unsigned uses, int ranks,
                                    struct nuce_error *error);

/* The ranks by which a message passes, for an algorithm in which only these messages determine a
 * rank's lists. 0: its two ends; more: those of store and forward in that radix; -1: the messages
 * of all ranks determine a rank's lists. */
int64_t nuce_schedule_own_radix(const struct nuce_schedule_ops *ops,
                                const struct nuce_tuning *tuning);

/* *out: the messages of input's pattern that determine the lists of rank under ops, as a pattern of
 * as many ranks. Its schedule under ops has the same lists of that rank, in time and memory that
 * grow with its own messages and the number of ranks. NUCE_BAD_INPUT: the algorithm needs all
 * messages. Freed with nuce_pattern_fini. */
nuce_status nuce_schedule_concern(const struct nuce_schedule_ops *ops,
                                  const struct nuce_schedule_input *input, int rank,
                                  struct nuce_pattern *out, struct nuce_error *error);

/* *out: the messages of the schedule of input (NUCE_CONCERN_NODES), and each rank's message to
 * itself, for its validation. Freed with nuce_pattern_fini. */
nuce_status nuce_schedule_wanted(const struct nuce_schedule_input *input, struct nuce_pattern *out,
                                 struct nuce_error *error);

/* How much an application takes on with a schedule, from the least: it calls its MPI library; posts
 * all messages; holds some of them back; keeps to an order made beforehand; forwards messages of
 * others; and does so by nodes, which it has to know. Each step needs what those before it need,
 * and more that can go wrong. */
enum nuce_effort {
    NUCE_EFFORT_CALL,
    NUCE_EFFORT_POST,
    NUCE_EFFORT_HOLD,
    NUCE_EFFORT_ORDER,
    NUCE_EFFORT_FORWARD,
    NUCE_EFFORT_NODES,
};
enum nuce_effort nuce_schedule_effort(const struct nuce_schedule_ops *ops);

/* All algorithms in the order of schedules.def, NULL-ended. */
extern const struct nuce_schedule_ops *const nuce_schedules[];

/* The name of the index-th schedule; NULL past the end. */
const char *nuce_schedule_name(size_t index);

/* The schedule called name, or NULL. */
const struct nuce_schedule_ops *nuce_schedule_find(const char *name);

/* Checks schedule against pattern. NUCE_CORRUPT names the broken rule and its place:
 *   - every byte of every message is in exactly one piece;
 *   - every send has its receive (same peers, phase, offset and bytes) and the reverse;
 *   - phases do not decrease along a list and lie in 0 .. phases - 1;
 *   - lockstep: a rank sends at most one and receives at most one piece per phase besides its
 *     message to itself;
 *   - forward: at most one to, and one from, each other rank per phase. Instead of the first rule:
 *     no parcel contains a part of a message before that part has come to the parcel's sender in an
 *     earlier phase, every part ends at its destination, and the parts are all of the message;
 *   - streams: executing the queues with `depth` in flight on each side, with sends that wait for
 *     their receive, ends. */
nuce_status nuce_schedule_validate(const struct nuce_schedule *schedule,
                                   const struct nuce_pattern *pattern, struct nuce_error *error);

#endif
