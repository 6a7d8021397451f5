/* The cost of a call under nuce apply: nuce-bench-apply left-alone | replaced, on ranks that each
 * send 8 bytes to each. left-alone: a call for which no rule is, beside the MPI library's.
 * replaced: a known call under ac, beside the same of libnuce_mpi, which agrees on nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "library/apply.h"
#include "mpi_turns.h"
#include "nuce_mpi.h"
#include "run/check.h"

#define TURNS 201
#define REPEATS 2000

struct exchange {
    struct nuce_apply *apply;
    nuce_request library;
    int *count, *place;
    double *sent, *received;
    int is_replaced;
};

static void call_mpi(void *context)
{
    struct exchange *exchange = context;

    NUCE_MPI(MPI_Alltoallv(exchange->sent, exchange->count, exchange->place, MPI_DOUBLE,
                           exchange->received, exchange->count, exchange->place, MPI_DOUBLE,
                           MPI_COMM_WORLD));
}

static void call_apply(void *context)
{
    struct exchange *exchange = context;
    const MPI_Datatype type = MPI_DOUBLE;
    struct nuce_mpi_arguments send = {.buffer = exchange->sent,
                                      .counts = exchange->count,
                                      .displacements = exchange->place,
                                      .types = &type,
                                      .is_one_type = 1};
    struct nuce_mpi_arguments receive = send;
    int is_replaced;

    receive.buffer = exchange->received;
    is_replaced =
        nuce_apply_exchange(exchange->apply, NUCE_APPLY_ALLTOALLV, &send, &receive, MPI_COMM_WORLD);
    NUCE_ASSERT(is_replaced == exchange->is_replaced);
    if (!is_replaced)
        call_mpi(context);
}

static void call_library(void *context)
{
    struct exchange *exchange = context;

    nuce_start(exchange->library);
    nuce_wait(exchange->library);
}

/* A tuning file with one rule, for as many ranks. */
static struct nuce_apply *open_rule(const struct nuce_world *world, int ranks)
{
    char path[] = "/tmp/nuce-bench-apply-XXXXXX";
    struct nuce_apply *apply;

    if (world->rank == 0) {
        FILE *file = fdopen(mkstemp(path), "w");

        NUCE_ASSERT(file != NULL);
        fprintf(file, "nuce-tuning 1\nalltoallv ranks=%d bytes=0..99 degree=0..99 schedule=ac\n",
                ranks);
        fclose(file);
    }
    apply = nuce_apply_open(path);
    if (world->rank == 0)
        unlink(path);
    NUCE_ASSERT(apply != NULL);
    return apply;
}

int main(int argc, char **argv)
{
    struct exchange exchange = {.is_replaced = argc > 1 && strcmp(argv[1], "replaced") == 0};
    struct nuce_world world;
    MPI_Info info;

    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&world);
    exchange.count = nuce_allocate(world.size, sizeof *exchange.count);
    exchange.place = nuce_allocate(world.size, sizeof *exchange.place);
    exchange.sent = nuce_allocate(world.size, sizeof *exchange.sent);
    exchange.received = nuce_allocate(world.size, sizeof *exchange.received);
    for (int i = 0; i < world.size; i++) {
        exchange.count[i] = 1;
        exchange.place[i] = i;
    }
    exchange.apply = open_rule(&world, world.size + !exchange.is_replaced);
    NUCE_MPI(MPI_Info_create(&info));
    NUCE_MPI(MPI_Info_set(info, "nuce_schedule", "ac"));
    NUCE_ASSERT(nuce_alltoallv_init(exchange.sent, exchange.count, exchange.place, MPI_DOUBLE,
                                    exchange.received, exchange.count, exchange.place, MPI_DOUBLE,
                                    MPI_COMM_WORLD, info, &exchange.library) == MPI_SUCCESS);
    NUCE_MPI(MPI_Info_free(&info));
    nuce_mpi_turns(&world, TURNS, REPEATS, call_apply,
                   exchange.is_replaced ? call_library : call_mpi, &exchange);
    NUCE_ASSERT(nuce_request_free(&exchange.library) == MPI_SUCCESS);
    NUCE_ASSERT(freopen("/dev/null", "w", stderr) != NULL); /* its table of calls */
    nuce_apply_close(exchange.apply, NULL);
    free(exchange.count);
    free(exchange.place);
    free(exchange.sent);
    free(exchange.received);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    return 0;
}
