/* AC by the engine beside the same Irecv, Isend and Waitall written straight: every rank exchanges
 * 64 KiB with every other. */
#include <stdlib.h>

#include "mpi_turns.h"
#include "run/check.h"
#include "run/engine.h"

#define MESSAGE_BYTES 65536
#define TURNS 201
#define REPEATS 50
#define RANKS_MOST 64

struct exchange {
    struct nuce_engine engine;
    struct nuce_payload payload;
    MPI_Comm comm;
};

static void by_engine(void *context)
{
    struct exchange *exchange = context;

    nuce_engine_run(&exchange->engine);
}

static void straight(void *context)
{
    struct exchange *exchange = context;
    struct nuce_payload *payload = &exchange->payload;
    MPI_Request requests[2 * RANKS_MOST];
    int count = 0;

    for (int i = 0; i < payload->receive.count; i++)
        NUCE_MPI(MPI_Irecv(payload->receive.data + payload->receive.at[i], MESSAGE_BYTES, MPI_BYTE,
                           payload->receive.peer[i], 0, exchange->comm, &requests[count++]));
    for (int i = 0; i < payload->send.count; i++)
        NUCE_MPI(MPI_Isend(payload->send.data + payload->send.at[i], MESSAGE_BYTES, MPI_BYTE,
                           payload->send.peer[i], 0, exchange->comm, &requests[count++]));
    NUCE_MPI(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
}

static void make_pattern(int ranks, struct nuce_pattern *pattern)
{
    struct nuce_message messages[RANKS_MOST * RANKS_MOST];
    struct nuce_error error;
    int count = 0;

    NUCE_ASSERT(ranks <= RANKS_MOST);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            if (i != j)
                messages[count++] = (struct nuce_message){i, j, MESSAGE_BYTES};
        }
    }
    NUCE_ASSERT(nuce_pattern_init(ranks, messages, count, pattern, &error) == NUCE_OK);
}

int main(int argc, char **argv)
{
    struct nuce_schedule_input schedule_input = {.rng = nuce_rng_create(1, 0)};
    struct nuce_pattern pattern;
    struct nuce_schedule schedule;
    struct exchange exchange;
    struct nuce_world world;
    struct nuce_error error;

    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&world);
    make_pattern(world.size, &pattern);
    schedule_input.pattern = &pattern;
    exchange.comm = world.comm;
    NUCE_ASSERT(nuce_schedule_create(nuce_schedule_find("ac"), &schedule_input, &schedule,
                                     &error) == NUCE_OK);
    NUCE_ASSERT(nuce_payload_init(&pattern, world.rank, NULL, NULL, &exchange.payload, &error) ==
                NUCE_OK);
    NUCE_ASSERT(nuce_engine_init(&(struct nuce_engine_input){.world = &world,
                                                             .schedule = &schedule,
                                                             .payload = &exchange.payload},
                                 &exchange.engine, &error) == NUCE_OK);
    nuce_mpi_turns(&world, TURNS, REPEATS, by_engine, straight, &exchange);
    nuce_engine_fini(&exchange.engine);
    nuce_payload_fini(&exchange.payload);
    nuce_schedule_fini(&schedule);
    nuce_pattern_fini(&pattern);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    return 0;
}
