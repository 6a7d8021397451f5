/* held_back LATE WATCHED SECONDS: whether MPI_Alltoallv of 3 or 4 ranks holds messages back. Rank 0
 * watches the place of WATCHED's message while it is in the call; LATE enters the call only after
 * that message has come ("early") or SECONDS have gone by without it ("held"). So "early" waits for
 * an event, and a slow machine can only make it "held". Without arguments: the name of the
 * library. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 4 };
static const char release[] = "release"; /* a file of the current folder */

struct watch {
    volatile const int *place;
    double seconds;
    int is_early;
};

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static double clock_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *watch(void *context)
{
    struct watch *watch = context;
    double begin = clock_s();
    FILE *file;

    while (*watch->place == 0 && clock_s() - begin < watch->seconds)
        pause_shortly();
    watch->is_early = *watch->place != 0;
    file = fopen(release, "w");
    if (file != NULL)
        fclose(file);
    return NULL;
}

int main(int argc, char **argv)
{
    static const int counts[RANKS] = {1, 1, 1, 1}, places[RANKS] = {0, 1, 2, 3};
    int rank, size, provided, send[RANKS] = {1, 1, 1, 1}, received[RANKS] = {0};
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    struct watch watching = {0};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(library, &(int){0});
    if (argc < 4 || size > RANKS) {
        printf("%.*s\n", (int)strcspn(library, "\n"), library);
        MPI_Finalize();
        return 0;
    }
    watching = (struct watch){&received[atoi(argv[2])], atof(argv[3]), 0};
    if (rank == 0 && pthread_create(&thread, NULL, watch, &watching) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    while (rank == atoi(argv[1]) && access(release, F_OK) != 0)
        pause_shortly();
    MPI_Alltoallv(send, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD);
    if (rank == 0) {
        pthread_join(thread, NULL);
        puts(watching.is_early ? "early" : "held");
    }
    MPI_Finalize();
    return 0;
}
