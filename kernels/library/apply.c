/* The vote on a call, the plans of a communicator, and the counts of calls. What is kept of a
 * communicator is its attribute, so MPI finds it and frees it with the communicator. */
#include "library/apply.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "base/text_file.h"
#include "base/units.h"
#include "library/exchange.h"
#include "library/mpi_tuning.h"
#include "run/check.h"
#include "run/wait.h"

/* A vote has a bit for each plan, and VALID: this rank's arguments can be planned. */
#define MOST_PLANS 62
#define VALID (UINT64_C(1) << MOST_PLANS)

/* A reduction that finds no plan is lost time. After PATIENCE such calls in a row the next ones go
 * to the MPI library without a vote: 1, 2, 4 ... calls, up to MOST_RESTS. All ranks count alike,
 * because they make the calls of a communicator in the same order. */
#define PATIENCE 8
#define MOST_RESTS 4096

/* From this many bytes of one side on (a copy takes 10 us or more), messages are sent from and
 * received into the caller's buffers. The plan is then for these buffers alone. */
#define BOUND_BYTES (64 * 1024)

/* One call as planned; row is what a call must be equal to. */
struct apply_plan {
    unsigned char *row;
    size_t row_bytes;
    int is_bound; /* to these buffers */
    const void *send_buffer, *receive_buffer;
    enum nuce_apply_outcome outcome;
    int64_t rule;                      /* its place in the file, if there is one */
    struct nuce_mpi_exchange exchange; /* empty unless NUCE_APPLY_REPLACED */
};

/* The attribute of a communicator. Threads do not share it: MPI lets one thread at a time make
 * collective calls of a communicator. */
struct apply_comm {
    int rank, size, is_inter;
    int counts;                          /* this rank counts the calls */
    int may[NUCE_APPLY_CALLS];           /* some rule is for this call on so many ranks */
    struct nuce_mpi_neighbors neighbors; /* if it may replace neighbours' calls */
    int has_world;
    /* Made for the first plan that needs one. All plans share it: their messages never mix, because
     * receives name their source, and a rank ends one step before it begins another. */
    struct nuce_world world;
    int plans, vain, rests; /* vain: calls in a row that no plan was known for */
    struct apply_plan *plan[MOST_PLANS];
    unsigned char *row; /* of the current call */
    size_t row_bytes;
    int64_t row_capacity;
};

struct nuce_apply {
    struct nuce_mpi_tuning tuning;
    MPI_Comm self;          /* reports errors of datatypes instead of ending the job */
    int comm_key, type_key; /* of attributes */
    atomic_uintptr_t types; /* derived datatypes so far, to number them */
    atomic_int_least64_t count[NUCE_APPLY_CALLS][NUCE_APPLY_OUTCOMES];
    atomic_int_least64_t *uses; /* calls that each rule of the file replaced */
};

/* Rows: the arguments of a rank as bytes. */

static void put(struct apply_comm *known, const void *data, size_t bytes)
{
    nuce_allocate_more((void **)&known->row, &known->row_capacity,
                       (int64_t)(known->row_bytes + bytes), 1);
    memcpy(known->row + known->row_bytes, data, bytes);
    known->row_bytes += bytes;
}

/* A number that no other datatype of this process has or had; 0 for predefined ones. The number
 * goes with the datatype, while its handle may be that of a later one: that MPICH and Open MPI keep
 * the handle as long as a plan has a duplicate is nothing that MPI promises. Two threads that
 * number one datatype at a time cost a vote. */
static uintptr_t number_of(struct nuce_apply *apply, MPI_Datatype type)
{
    int integers, addresses, types, combiner, is_numbered;
    void *number;

    NUCE_MPI(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    if (combiner == MPI_COMBINER_NAMED)
        return 0;
    NUCE_MPI(MPI_Type_get_attr(type, apply->type_key, &number, &is_numbered));
    if (!is_numbered) {
        number = (void *)(atomic_fetch_add(&apply->types, 1) + 1);
        NUCE_MPI(MPI_Type_set_attr(type, apply->type_key, number));
    }
    return (uintptr_t)number;
}

/* Adds one side to the row. Returns 0 for what the MPI library is to judge: invalid arguments, and
 * MPI_BOTTOM, which may be a missing buffer. */
static int put_side(struct nuce_apply *apply, struct apply_comm *known,
                    const struct nuce_mpi_arguments *side)
{
    size_t entries = (size_t)side->entries;
    int is_empty = 1;

    put(known, &side->entries, sizeof side->entries);
    if (entries == 0)
        return 1;
    if (side->counts == NULL || side->types == NULL ||
        (side->displacements == NULL && side->byte_places == NULL))
        return 0;
    for (size_t i = 0; i < entries; i++) {
        if (side->counts[i] < 0)
            return 0;
        is_empty &= side->counts[i] == 0;
    }
    if (!is_empty && side->buffer == MPI_BOTTOM)
        return 0;
    put(known, side->counts, entries * sizeof *side->counts);
    if (side->byte_places != NULL)
        put(known, side->byte_places, entries * sizeof *side->byte_places);
    else
        put(known, side->displacements, entries * sizeof *side->displacements);
    for (size_t i = 0; i < (side->is_one_type ? 1 : entries); i++) {
        uintptr_t type[2] = {0};

        if (!side->is_one_type && side->counts[i] == 0)
            continue; /* such a type may be anything */
        if (side->types[i] == MPI_DATATYPE_NULL)
            return 0;
        if (i > 0 && side->counts[i - 1] > 0 && side->types[i] == side->types[i - 1])
            continue;
        type[0] = (uintptr_t)side->types[i];
        type[1] = number_of(apply, side->types[i]);
        put(known, &i, sizeof i);
        put(known, type, sizeof type);
    }
    return 1;
}

/* Communicators. */

static void free_plan(struct apply_plan *plan)
{
    nuce_mpi_exchange_fini(&plan->exchange);
    free(plan->row);
    free(plan);
}

/* MPI calls this when the communicator is freed, on all of its ranks. */
static int forget_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    struct apply_comm *known = value;

    (void)comm;
    (void)key;
    (void)extra;
    for (int i = 0; i < known->plans; i++)
        free_plan(known->plan[i]);
    if (known->has_world)
        nuce_world_fini(&known->world);
    free(known->neighbors.of);
    free(known->row);
    free(known);
    return MPI_SUCCESS;
}

/* False if some members are of another MPI_COMM_WORLD, which may have no tuning file. All ranks
 * find the same, each in its own world. Local. */
static int is_within_world(MPI_Comm comm, int size)
{
    int *ranks = nuce_allocate(2 * (int64_t)size, sizeof *ranks), is_within = 1;
    MPI_Group group, world;

    for (int i = 0; i < size; i++)
        ranks[i] = i;
    NUCE_MPI(MPI_Comm_group(comm, &group));
    NUCE_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    NUCE_MPI(MPI_Group_translate_ranks(group, size, ranks, world, ranks + size));
    for (int i = size; i < 2 * size; i++)
        is_within &= ranks[i] != MPI_UNDEFINED;
    NUCE_MPI(MPI_Group_free(&group));
    NUCE_MPI(MPI_Group_free(&world));
    free(ranks);
    return is_within;
}

/* The rank in MPI_COMM_WORLD of the first member; below 0: it is of another world. Frees the group.
 */
static int leader_of(MPI_Group group)
{
    int first = 0, leader;
    MPI_Group world;

    NUCE_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    NUCE_MPI(MPI_Group_translate_ranks(group, 1, &first, world, &leader));
    NUCE_MPI(MPI_Group_free(&world));
    NUCE_MPI(MPI_Group_free(&group));
    return leader == MPI_UNDEFINED ? -1 : leader;
}

/* True on the one rank of the communicator, in this world, that counts its calls: the first, of two
 * groups that with the lower leader. Local. */
static int counts_calls(MPI_Comm comm, int is_inter)
{
    MPI_Group own, other;
    int rank, leader;

    NUCE_MPI(MPI_Comm_rank(comm, &rank));
    if (rank != 0 || !is_inter)
        return rank == 0;
    NUCE_MPI(MPI_Comm_group(comm, &own));
    NUCE_MPI(MPI_Comm_remote_group(comm, &other));
    leader = leader_of(other);
    return leader_of(own) < leader || leader < 0;
}

/* Finds the calls that some rule is for: the same on all ranks. Calls between the groups of an
 * intercommunicator have none. Local. */
static struct apply_comm *make_comm(struct nuce_apply *apply, MPI_Comm comm)
{
    struct apply_comm *made = nuce_allocate(1, sizeof *made);
    int kind, any = 0;

    NUCE_MPI(MPI_Comm_test_inter(comm, &made->is_inter));
    NUCE_MPI(MPI_Comm_rank(comm, &made->rank));
    NUCE_MPI(MPI_Comm_size(comm, &made->size));
    made->counts = counts_calls(comm, made->is_inter);
    for (int64_t i = 0; i < apply->tuning.file.count && !made->is_inter; i++) {
        const struct nuce_tuning_rule *rule = &apply->tuning.file.rules[i];

        for (int call = 0; call < NUCE_APPLY_CALLS && rule->ranks == made->size; call++)
            any |= made->may[call] |= strcmp(rule->call, nuce_tuning_calls[call]) == 0;
    }
    if (any && !is_within_world(comm, made->size))
        memset(made->may, 0, sizeof made->may);
    if (made->may[NUCE_APPLY_NEIGHBOR_ALLTOALLV] || made->may[NUCE_APPLY_NEIGHBOR_ALLTOALLW]) {
        NUCE_MPI(MPI_Topo_test(comm, &kind));
        if (kind == MPI_UNDEFINED ||
            nuce_mpi_neighbors_find(comm, &made->neighbors) != MPI_SUCCESS) {
            made->neighbors.of = NULL;
            made->may[NUCE_APPLY_NEIGHBOR_ALLTOALLV] = 0;
            made->may[NUCE_APPLY_NEIGHBOR_ALLTOALLW] = 0;
        }
    }
    NUCE_MPI(MPI_Comm_set_attr(comm, apply->comm_key, made));
    return made;
}

/* Plans. */

/* A world of comm's ranks. Made by a split: a duplicate would copy the application's attributes,
 * which calls its functions. Collective. */
static void need_world(struct apply_comm *known, MPI_Comm comm)
{
    MPI_Comm plain;

    if (known->has_world)
        return;
    NUCE_MPI(MPI_Comm_split(comm, 0, known->rank, &plain));
    nuce_world_init_on(plain, &known->world);
    NUCE_MPI(MPI_Comm_free(&plain));
    known->has_world = 1;
}

/* Makes the engine of the rule. NUCE_BAD_INPUT, with the reason: it cannot run here. Collective;
 * the same status on all ranks. */
static nuce_status apply_rule(struct apply_comm *known, const struct nuce_tuning_rule *rule,
                              int is_in_place, MPI_Comm comm, struct apply_plan *plan,
                              struct nuce_error *error)
{
    struct nuce_tuning tuning = rule->tuning;

    if (nuce_mpi_exchange_check(rule->schedule, &tuning, known->size, error) != NUCE_OK)
        return error->status;
    need_world(known, comm);
    return nuce_mpi_exchange_init(&known->world, rule->schedule, &tuning,
                                  !plan->is_bound || is_in_place, !plan->is_bound, &plan->exchange,
                                  error);
}

/* The sums over all ranks that a plan begins with: those by which its rule is found, and these. */
enum { FAILED = NUCE_MPI_TUNING_SUMS, OTHER_BYTES, OTHER_PARTS, SUMS };

/* Adds this rank's part: of OTHER_BYTES and OTHER_PARTS, what it sends less what it expects, which
 * are 0 in all if each rank expects what it is sent. */
static void sum_sides(const struct nuce_mpi_exchange *exchange, int rank, int ranks,
                      int is_in_place, uint64_t sums[SUMS])
{
    const struct nuce_mpi_side *send = &exchange->send, *receive = &exchange->receive;

    nuce_mpi_tuning_add(rank, ranks, send->bytes, is_in_place, sums);
    for (int i = 0; i < ranks; i++) {
        if (send->bytes[i] > 0) {
            sums[OTHER_BYTES] += nuce_pattern_fingerprint_message(rank, i, send->bytes[i]);
            sums[OTHER_PARTS] += nuce_pattern_fingerprint_message(rank, i, (int64_t)send->shape[i]);
        }
        if (receive->bytes[i] > 0) {
            sums[OTHER_BYTES] -= nuce_pattern_fingerprint_message(i, rank, receive->bytes[i]);
            sums[OTHER_PARTS] -=
                nuce_pattern_fingerprint_message(i, rank, (int64_t)receive->shape[i]);
        }
    }
}

static int64_t bytes_of(const struct nuce_mpi_side *side, int ranks)
{
    int64_t bytes = 0;

    for (int i = 0; i < ranks; i++)
        bytes += side->bytes[i];
    return bytes;
}

/* True if an earlier plan is for the same row: its buffers were others. */
static int has_row(const struct apply_comm *known)
{
    for (int i = 0; i < known->plans; i++) {
        if (known->plan[i]->row_bytes == known->row_bytes &&
            memcmp(known->plan[i]->row, known->row, known->row_bytes) == 0)
            return 1;
    }
    return 0;
}

/* Plans the call of known->row. NULL: it is unequal. Collective; the same outcome on all ranks. */
static struct apply_plan *make_plan(struct nuce_apply *apply, struct apply_comm *known,
                                    enum nuce_apply_call call,
                                    const struct nuce_mpi_arguments *send,
                                    const struct nuce_mpi_arguments *receive, MPI_Comm comm)
{
    int is_in_place = send->buffer == MPI_IN_PLACE, ranks = known->size;
    struct apply_plan *plan = nuce_allocate(1, sizeof *plan);
    struct nuce_mpi_exchange *exchange = &plan->exchange;
    struct nuce_tuning_call asked;
    const struct nuce_tuning_rule *rule;
    uint64_t sums[SUMS] = {0};
    struct nuce_error error;

    if (nuce_mpi_side_init(is_in_place ? receive : send, ranks, apply->self, &exchange->send,
                           &error) != NUCE_OK ||
        nuce_mpi_side_init(receive, ranks, apply->self, &exchange->receive, &error) != NUCE_OK)
        sums[FAILED] = 1;
    else
        sum_sides(exchange, known->rank, ranks, is_in_place, sums);
    NUCE_MPI(MPI_Allreduce(MPI_IN_PLACE, sums, SUMS, MPI_UINT64_T, MPI_SUM, comm));
    if (sums[FAILED] != 0 || sums[OTHER_BYTES] != 0 || sums[OTHER_PARTS] != 0) {
        free_plan(plan);
        return NULL;
    }
    asked = nuce_mpi_tuning_call(nuce_tuning_calls[call], ranks, sums);
    rule = nuce_tuning_file_find(&apply->tuning.file, &asked);
    plan->rule = rule == NULL ? -1 : rule - apply->tuning.file.rules;
    plan->is_bound = !has_row(known) && (bytes_of(&exchange->send, ranks) >= BOUND_BYTES ||
                                         bytes_of(&exchange->receive, ranks) >= BOUND_BYTES);
    plan->send_buffer = send->buffer;
    plan->receive_buffer = receive->buffer;
    plan->outcome = rule == NULL ? NUCE_APPLY_UNKNOWN
                    : rule->schedule == NULL || strcmp(rule->schedule->name, "alltoallv") == 0
                        ? NUCE_APPLY_ADVISED
                        : NUCE_APPLY_REPLACED;
    if (plan->outcome == NUCE_APPLY_REPLACED &&
        apply_rule(known, rule, is_in_place, comm, plan, &error) != NUCE_OK) {
        plan->outcome = NUCE_APPLY_REFUSED;
        if (known->rank == 0)
            fprintf(stderr, "nuce: %s of %d ranks under %s: %s; it stays the MPI library's\n",
                    asked.name, ranks, rule->schedule->name, nuce_error_flatten(&error));
    }
    if (plan->outcome != NUCE_APPLY_REPLACED) {
        plan->is_bound = 0;
        nuce_mpi_exchange_fini(exchange);
    }
    plan->row_bytes = known->row_bytes;
    plan->row = nuce_allocate_unset((int64_t)plan->row_bytes);
    memcpy(plan->row, known->row, plan->row_bytes);
    known->plan[known->plans++] = plan;
    return plan;
}

/* The vote of this rank, VALID and the plans that are of its row. */
static uint64_t vote_of(struct nuce_apply *apply, struct apply_comm *known,
                        enum nuce_apply_call call, const struct nuce_mpi_arguments *send,
                        const struct nuce_mpi_arguments *receive)
{
    int is_in_place = send->buffer == MPI_IN_PLACE, words[2] = {(int)call, is_in_place};
    uint64_t vote = VALID;

    known->row_bytes = 0;
    put(known, words, sizeof words);
    if ((is_in_place && call >= NUCE_APPLY_NEIGHBOR_ALLTOALLV) ||
        (!is_in_place && !put_side(apply, known, send)) || !put_side(apply, known, receive))
        return 0;
    for (int i = 0; i < known->plans; i++) {
        const struct apply_plan *plan = known->plan[i];

        if (plan->row_bytes == known->row_bytes &&
            memcmp(plan->row, known->row, known->row_bytes) == 0 &&
            (!plan->is_bound ||
             (plan->send_buffer == send->buffer && plan->receive_buffer == receive->buffer)))
            vote |= UINT64_C(1) << i;
    }
    return vote;
}

/* Reduces *vote to what all ranks have voted for. A rank that spins in the library takes the
 * processor from those that it waits for, where they share one; known->world says so, and has the
 * same wait on all ranks. Without a plan yet there is no world, and ranks spin. */
static void agree(const struct apply_comm *known, uint64_t *vote, MPI_Comm comm)
{
    MPI_Request request;

    if (!known->has_world || !known->world.wait.yield) {
        NUCE_MPI(MPI_Allreduce(MPI_IN_PLACE, vote, 1, MPI_UINT64_T, MPI_BAND, comm));
        return;
    }
    NUCE_MPI(MPI_Iallreduce(MPI_IN_PLACE, vote, 1, MPI_UINT64_T, MPI_BAND, comm, &request));
    nuce_wait_all(&known->world.wait, 1, &request);
}

/* Finds or makes the plan of the call, and the outcome. *plan is set for NUCE_APPLY_REPLACED.
 * Collective; the same outcome on all ranks. */
static enum nuce_apply_outcome decide(struct nuce_apply *apply, struct apply_comm *known,
                                      enum nuce_apply_call call,
                                      const struct nuce_mpi_arguments *send,
                                      const struct nuce_mpi_arguments *receive, MPI_Comm comm,
                                      struct apply_plan **plan)
{
    enum nuce_apply_outcome outcome;
    uint64_t vote;

    if (known->rests > 0) {
        known->rests--;
        return NUCE_APPLY_RESTING;
    }
    vote = vote_of(apply, known, call, send, receive);
    agree(known, &vote, comm);
    if (vote > VALID) {
        *plan = known->plan[__builtin_ctzll(vote)];
        outcome = (*plan)->outcome;
        if (outcome == NUCE_APPLY_REPLACED) {
            known->vain = 0;
            return outcome;
        }
    } else if (vote == 0) {
        outcome = NUCE_APPLY_UNEQUAL;
    } else if (known->plans == MOST_PLANS) {
        outcome = NUCE_APPLY_FULL;
    } else {
        *plan = make_plan(apply, known, call, send, receive, comm);
        outcome = *plan == NULL ? NUCE_APPLY_UNEQUAL : (*plan)->outcome;
    }
    known->vain++;
    if (known->vain >= PATIENCE) {
        int doublings = known->vain - PATIENCE;

        known->rests = doublings < 12 ? 1 << doublings : MOST_RESTS;
    }
    return outcome;
}

int nuce_apply_exchange(struct nuce_apply *apply, enum nuce_apply_call call,
                        const struct nuce_mpi_arguments *send,
                        const struct nuce_mpi_arguments *receive, MPI_Comm comm)
{
    struct nuce_mpi_arguments s = *send, r = *receive;
    enum nuce_apply_outcome outcome;
    struct apply_plan *plan = NULL;
    struct apply_comm *known;
    int is_known;

    if (comm == MPI_COMM_NULL)
        return 0;
    NUCE_MPI(MPI_Comm_get_attr(comm, apply->comm_key, &known, &is_known));
    if (!is_known)
        known = make_comm(apply, comm);
    outcome = known->is_inter ? NUCE_APPLY_BETWEEN : NUCE_APPLY_NO_RULE;
    if (known->may[call]) {
        s.entries = r.entries = known->size;
        if (call >= NUCE_APPLY_NEIGHBOR_ALLTOALLV) {
            r.entries = known->neighbors.sources;
            r.peers = known->neighbors.of;
            s.entries = known->neighbors.destinations;
            s.peers = known->neighbors.of + known->neighbors.sources;
        }
        outcome = decide(apply, known, call, &s, &r, comm, &plan);
    }
    if (known->counts)
        atomic_fetch_add_explicit(&apply->count[call][outcome], 1, memory_order_relaxed);
    if (outcome != NUCE_APPLY_REPLACED)
        return 0;
    if (known->rank == 0)
        atomic_fetch_add_explicit(&apply->uses[plan->rule], 1, memory_order_relaxed);
    nuce_mpi_side_follow(&plan->exchange.send, s.buffer == MPI_IN_PLACE ? r.buffer : s.buffer);
    nuce_mpi_side_follow(&plan->exchange.receive, r.buffer);
    nuce_mpi_side_pack(&plan->exchange.send, known->world.comm);
    nuce_engine_run(&plan->exchange.engine);
    nuce_mpi_side_unpack(&plan->exchange.receive, known->world.comm);
    return 1;
}

void nuce_apply_count(struct nuce_apply *apply, enum nuce_apply_call call,
                      enum nuce_apply_outcome outcome, MPI_Comm comm)
{
    int is_inter;

    if (comm == MPI_COMM_NULL)
        return;
    NUCE_MPI(MPI_Comm_test_inter(comm, &is_inter));
    if (counts_calls(comm, is_inter))
        atomic_fetch_add_explicit(&apply->count[call][outcome], 1, memory_order_relaxed);
}

/* The beginning and the end. */

struct nuce_apply *nuce_apply_open(const char *path)
{
    struct nuce_apply *apply = nuce_allocate(1, sizeof *apply);
    char text[NUCE_ERROR_TEXT_BYTES];
    struct nuce_error error;
    struct nuce_world world;
    int is_first;

    nuce_world_init_on(MPI_COMM_WORLD, &world);
    is_first = world.rank == 0;
    if (nuce_mpi_tuning_read(&world, path, &apply->tuning, &error) != NUCE_OK && is_first)
        fprintf(stderr, "nuce: %s; nothing is replaced\n",
                nuce_error_text(&error, NUCE_ERROR_KEYS, text));
    if (apply->tuning.elsewhere != NULL && is_first)
        fprintf(stderr, "nuce: %s %s; nothing is replaced\n", apply->tuning.path,
                apply->tuning.elsewhere);
    nuce_world_fini(&world);
    if (apply->tuning.path == NULL || apply->tuning.elsewhere != NULL) {
        nuce_mpi_tuning_fini(&apply->tuning);
        free(apply);
        return NULL;
    }
    apply->uses = nuce_allocate(apply->tuning.file.count, sizeof *apply->uses);
    NUCE_MPI(MPI_Comm_dup(MPI_COMM_SELF, &apply->self));
    NUCE_MPI(MPI_Comm_set_errhandler(apply->self, MPI_ERRORS_RETURN));
    NUCE_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_comm, &apply->comm_key, NULL));
    NUCE_MPI(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN,
                                    &apply->type_key, NULL));
    return apply;
}

/* The reason of apply.h, if such calls were left. */
static void print_forms(int64_t count[NUCE_APPLY_CALLS][NUCE_APPLY_OUTCOMES])
{
    int64_t nonblocking = 0, persistent = 0;

    for (int call = 0; call < NUCE_APPLY_CALLS; call++) {
        nonblocking += count[call][NUCE_APPLY_NONBLOCKING];
        persistent += count[call][NUCE_APPLY_PERSISTENT];
    }
    if (nonblocking + persistent > 0)
        fputs("Nonblocking and persistent calls are left: only the MPI library advances them while "
              "a rank is in another call.\n",
              stderr);
    if (persistent > 0)
        fputs("A persistent call counts once, however often it is started.\n", stderr);
}

/* One line for each call that was made. */
static void print_counts(const struct nuce_apply *apply,
                         int64_t count[NUCE_APPLY_CALLS][NUCE_APPLY_OUTCOMES])
{
    static const char *const reasons[NUCE_APPLY_OUTCOMES] = {
        [NUCE_APPLY_ADVISED] = "by a rule",
        [NUCE_APPLY_NO_RULE] = "no rule for its ranks",
        [NUCE_APPLY_UNKNOWN] = "no rule for its pattern",
        [NUCE_APPLY_RESTING] = "no vote, because the last ones found no plan",
        [NUCE_APPLY_UNEQUAL] = "unusual or unequal arguments",
        [NUCE_APPLY_REFUSED] = "the schedule cannot run here",
        [NUCE_APPLY_FULL] = "too many patterns",
        [NUCE_APPLY_NONBLOCKING] = "nonblocking",
        [NUCE_APPLY_PERSISTENT] = "persistent",
        [NUCE_APPLY_LARGE] = "large counts",
        [NUCE_APPLY_BETWEEN] = "on an intercommunicator",
    };

    fprintf(stderr, "nuce: calls under %s\n%-20s %12s %12s %12s\n", apply->tuning.path, "call",
            "calls", "replaced", "left");
    for (int call = 0; call < NUCE_APPLY_CALLS; call++) {
        int64_t all = 0, replaced = count[call][NUCE_APPLY_REPLACED];
        const char *between = "  ";

        for (int i = 0; i < NUCE_APPLY_OUTCOMES; i++)
            all += count[call][i];
        if (all == 0)
            continue;
        fprintf(stderr, "%-20s %12" PRId64 " %12" PRId64 " %12" PRId64, nuce_tuning_calls[call],
                all, replaced, all - replaced);
        for (int i = 1; i < NUCE_APPLY_OUTCOMES; i++) {
            if (count[call][i] == 0)
                continue;
            fprintf(stderr, "%s%" PRId64 " %s", between, count[call][i], reasons[i]);
            between = ", ";
        }
        fputc('\n', stderr);
    }
    print_forms(count);
}

/* The time saved if replaced calls took the times of the races, in the mean of all ranks. */
static void print_saved(const struct nuce_tuning_file *file, const int64_t uses[])
{
    char saved[NUCE_UNITS_BYTES], before[NUCE_UNITS_BYTES];
    double saved_s = 0, before_s = 0;
    int64_t calls = 0, all = 0;
    int ranks;

    NUCE_MPI(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    for (int64_t i = 0; i < file->count; i++) {
        const struct nuce_tuning_rule *rule = &file->rules[i];
        double rule_s = (double)uses[i] * rule->call_time_s * rule->ranks / ranks;

        all += uses[i];
        calls += rule->ratio > 0 ? uses[i] : 0;
        before_s += rule_s;
        saved_s += rule_s * (1 - rule->ratio);
    }
    if (calls > 0)
        fprintf(stderr,
                "Estimate, not measured: %" PRId64 " of %" PRId64
                " replaced calls saved %s of %s in "
                "the mean of all ranks (call-time and ratio of their rules, without the agreement "
                "on each call).\n",
                calls, all, nuce_units_format_seconds(saved_s, saved),
                nuce_units_format_seconds(before_s, before));
}

/* Adds the rules with uses, of which there may be none, to a tuning file. A command may start the
 * application several times: a rule that the file has from an earlier start becomes a comment. */
static void write_used(const struct nuce_tuning_file *file, const int64_t uses[], const char *path)
{
    struct nuce_error ignored;
    char *before = NULL;
    FILE *out = fopen(path, "a");

    if (out != NULL &&
        (nuce_text_read(path, &before, NULL, &ignored) != NUCE_OK || *before == '\0'))
        nuce_tuning_file_print_head(file->machine, file->mpi, out);
    for (int64_t i = 0; out != NULL && i < file->count; i++) {
        struct nuce_text_print rule;

        if (uses[i] == 0)
            continue;
        /* Whole lines are compared: "alltoallv ..." ends a line "neighbor_alltoallv ..." too. */
        nuce_text_print_begin(&rule);
        fputc('\n', rule.file);
        nuce_tuning_rule_print(&file->rules[i], rule.file);
        nuce_text_print_end(&rule);
        fprintf(out, "# calls replaced: %" PRId64 "\n%s%s", uses[i],
                before != NULL && strstr(before, rule.text) != NULL ? "# again: " : "",
                rule.text + 1);
        free(rule.text);
    }
    free(before);
    if (out == NULL || fclose(out) != 0)
        fprintf(stderr, "nuce: %s: %s\n", path, strerror(errno));
}

void nuce_apply_close(struct nuce_apply *apply, const char *used)
{
    int64_t rules = apply->tuning.file.count;
    int64_t *uses = nuce_allocate(2 * rules, sizeof *uses);
    int64_t count[NUCE_APPLY_CALLS][NUCE_APPLY_OUTCOMES],
        all[NUCE_APPLY_CALLS][NUCE_APPLY_OUTCOMES];
    int rank, is_known;
    void *known;

    for (int call = 0; call < NUCE_APPLY_CALLS; call++) {
        for (int i = 0; i < NUCE_APPLY_OUTCOMES; i++)
            count[call][i] = atomic_load(&apply->count[call][i]);
    }
    NUCE_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    NUCE_MPI(MPI_Reduce(count, all, NUCE_APPLY_CALLS * NUCE_APPLY_OUTCOMES, MPI_INT64_T, MPI_SUM, 0,
                        MPI_COMM_WORLD));
    for (int64_t i = 0; i < rules; i++)
        uses[i] = atomic_load(&apply->uses[i]);
    NUCE_MPI(MPI_Reduce(uses, uses + rules, (int)rules, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD));
    if (rank == 0) {
        print_counts(apply, all);
        print_saved(&apply->tuning.file, uses + rules);
    }
    if (rank == 0 && used != NULL)
        write_used(&apply->tuning.file, uses + rules, used);
    free(uses);
    NUCE_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, apply->comm_key, &known, &is_known));
    if (is_known)
        NUCE_MPI(MPI_Comm_delete_attr(MPI_COMM_WORLD, apply->comm_key));
    NUCE_MPI(MPI_Comm_free_keyval(&apply->comm_key));
    NUCE_MPI(MPI_Type_free_keyval(&apply->type_key));
    NUCE_MPI(MPI_Comm_free(&apply->self));
    free(apply->uses);
    nuce_mpi_tuning_fini(&apply->tuning);
    free(apply);
}
