/* Permutations (Ranka, Wang, Kumar, section 3.2, Figures 4 and 5, Table 3): every rank sends one
 * message and receives one, under another permutation in every step. The permutations are
 * random, or i xor D.
 *
 * All permutations are computed before the first step, so a step only looks up two numbers.
 * Cost: O(P) for each permutation, and 8 bytes each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"
#include "programs/calibrate.h"
#include "run/bytes_type.h"
#include "run/check.h"
#include "run/fault.h"
#include "run/payload.h"

/* No partner: i xor D exceeds the ranks, if their number is not a power of two. */
#define NOBODY (-1)

/* This rank's part of a permutation; both NOBODY: no part. */
struct partners {
    int destination, source;
};

struct permutations {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    int64_t count, next;            /* next: index of the next step's permutation */
    struct partners *partners;      /* count */
    int64_t bytes;
    MPI_Datatype type; /* a message is type_count elements of it */
    int type_count;
    struct nuce_payload payload; /* of permutation 0; all use its buffers */
};

static void permutations_destroy(void *self)
{
    struct permutations *permutations = self;

    nuce_bytes_type_free(&permutations->type);
    nuce_payload_fini(&permutations->payload);
    free(permutations->partners);
}

/* Makes image[i] for every rank i; NOBODY if it has no partner. Random permutations use the
 * point's seed and are the same on all ranks; there is one for each sample. They are made from
 * the last to the first, so image ends as number 0. The buffers are laid out as its payload, so
 * that they can be filled and checked. */
static nuce_status permutations_build(void *self, void *session, const struct nuce_point *point,
                                      struct nuce_counters *counters, struct nuce_run_info *info,
                                      struct nuce_error *error)
{
    const struct nuce_permutations_params *params = point->params;
    struct permutations *p = self;
    struct nuce_world *world = session;
    int ranks = world->size, distance = nuce_permutations_distance(params);
    int *image = nuce_allocate(ranks, sizeof *image);
    struct nuce_message *messages = nuce_allocate(ranks, sizeof *messages);
    struct nuce_pattern pattern = {0};
    int64_t count = 0;
    nuce_status status;

    p->world = world;
    p->counters = counters;
    p->bytes = params->size;
    p->count = distance == 0 ? params->count : 1;
    p->partners = nuce_allocate(p->count, sizeof *p->partners);
    for (int64_t k = p->count - 1; k >= 0; k--) {
        struct nuce_rng rng = nuce_rng_create((uint64_t)params->seed, (uint64_t)k);

        for (int i = 0; i < ranks; i++)
            image[i] = (i ^ distance) < ranks ? i ^ distance : NOBODY;
        if (distance == 0)
            nuce_rng_shuffle(&rng, image, ranks);
        p->partners[k] = (struct partners){image[world->rank], NOBODY};
        for (int i = 0; i < ranks; i++) {
            if (image[i] == world->rank)
                p->partners[k].source = i;
        }
    }
    for (int i = 0; i < ranks; i++) {
        if (image[i] != NOBODY)
            messages[count++] = (struct nuce_message){i, image[i], p->bytes};
    }
    status = nuce_pattern_init(ranks, messages, count, &pattern, error);
    free(messages);
    free(image);
    if (status == NUCE_OK)
        status = nuce_payload_init(&pattern, world->rank, NULL, NULL, &p->payload, error);
    nuce_pattern_fini(&pattern);
    nuce_bytes_type(p->bytes, &p->type, &p->type_count);
    info->parts = 1U << NUCE_PART_COMMUNICATION;
    info->criterion = NUCE_PART_COMMUNICATION;
    if (distance == 0)
        info->samples = params->count;
    nuce_metrics_integer(&info->found, "port_bytes", params->size);
    nuce_metrics_integer(&info->found, "max_degree", 1);
    return nuce_world_agree(world, status, error);
}

/* A rank that sends to itself copies, as the engine does. */
static void permutations_exchange(struct permutations *p, int64_t k)
{
    const struct partners *partners = &p->partners[k];
    struct nuce_world *world = p->world;
    MPI_Request requests[2];

    if (partners->destination == world->rank) {
        memcpy(p->payload.receive.data, p->payload.send.data, (size_t)p->bytes);
    } else if (partners->destination != NOBODY) {
        nuce_watch_set(world->watch, NUCE_ACTIVITY_EXCHANGE, partners->source, 0);
        NUCE_MPI(MPI_Irecv(p->payload.receive.data, p->type_count, p->type, partners->source, 0,
                           world->comm, &requests[0]));
        NUCE_MPI(MPI_Isend(p->payload.send.data, p->type_count, p->type, partners->destination, 0,
                           world->comm, &requests[1]));
        nuce_wait_all(&world->wait, 2, requests);
    }
    nuce_fault_after_exchange(&p->payload, NULL);
}

static void permutations_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct permutations *p = self;
    double begin = nuce_clock();

    nuce_counters_begin(p->counters);
    permutations_exchange(p, p->next);
    parts[NUCE_PART_COMMUNICATION] = nuce_clock() - begin;
    nuce_counters_end(p->counters, NUCE_PART_COMMUNICATION);
    p->next = (p->next + 1) % p->count;
}

/* Checks permutation 0. Counts from the warm-up are dropped, so sample k is permutation k. */
static nuce_status permutations_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct permutations *p = self;

    p->next = 0;
    nuce_payload_fill(&p->payload, salt);
    nuce_world_barrier(p->world);
    permutations_exchange(p, 0);
    return nuce_payload_check(&p->payload, salt, error);
}

/* The results of Figures 4 and 5 and Table 3. The paper's `ave` is the mean. */

/* The paper's distance from the mean (section 3.2: "within +-10 % of average cost"). */
#define TENTH 0.1

/* The plan has a sample for each permutation. */
void nuce_permutations_summarise(const json_t *record, json_t *row)
{
    const json_t *samples = json_object_get(json_object_get(record, "samples"), "communication");
    const char *name = json_string_value(json_object_get(row, "permutation"));
    struct nuce_permutations_params params = {.permutation = ""};
    double count = (double)json_array_size(samples);
    double mean = 0, least = INFINITY, most = 0, within = 0;
    const json_t *value;
    size_t index;
    int distance;

    strncpy(params.permutation, name, sizeof params.permutation - 1);
    distance = nuce_permutations_distance(&params);
    json_object_set_new(row, "distance", distance > 0 ? json_integer(distance) : json_null());
    if (json_array_size(samples) == 0)
        return;
    json_array_foreach(samples, index, value)
    {
        mean += json_number_value(value) / count;
        least = fmin(least, json_number_value(value));
        most = fmax(most, json_number_value(value));
    }
    json_array_foreach(samples, index, value)
    {
        within += fabs(json_number_value(value) - mean) <= TENTH * mean;
    }
    json_object_set_new(row, "mean_s", json_real(mean));
    json_object_set_new(row, "least_s", json_real(least));
    json_object_set_new(row, "most_s", json_real(most));
    json_object_set_new(row, "within_tenth", json_real(within / count));
}

static int is_random(const json_t *row)
{
    return json_is_null(json_object_get(row, "distance"));
}

/* O(rows^2): some dozens of rows. */
void nuce_permutations_compare(json_t *rows)
{
    json_t *row;
    const json_t *other;
    size_t index, j;

    json_array_foreach(rows, index, row)
    {
        double mean = json_number_value(json_object_get(row, "mean_s"));

        json_array_foreach(rows, j, other)
        {
            double random = json_number_value(json_object_get(other, "mean_s"));

            if (is_random(row) || !is_random(other) || mean <= 0 || random <= 0 ||
                !json_equal(json_object_get(row, "size"), json_object_get(other, "size")))
                continue;
            json_object_set_new(row, "random_mean_s", json_real(random));
            json_object_set_new(row, "against_random", json_real(mean / random));
        }
    }
}

const struct nuce_workload_run nuce_permutations_run = {
    .name = "permutations",
    .self_size = sizeof(struct permutations),
    .build = permutations_build,
    .step = permutations_step,
    .verify = permutations_verify,
    .destroy = permutations_destroy,
    .summarise = nuce_permutations_summarise,
    .compare = nuce_permutations_compare,
};
