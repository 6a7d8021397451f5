/* Calls that carry data and are not followed, by what they are counted as: all that MPI has, of
 * which a trace may have more than dumpi knew of when this was written. */
#include "imports/dumpi_left_out.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Names without MPI_, in the form of a blocking call. */
static const struct {
    const char *name;
    enum nuce_raw_counter counter;
} unfollowed[] = {
    {"Barrier", NUCE_RAW_OTHER},
    {"Bcast", NUCE_RAW_OTHER},
    {"Gather", NUCE_RAW_OTHER},
    {"Gatherv", NUCE_RAW_OTHER},
    {"Scatter", NUCE_RAW_OTHER},
    {"Scatterv", NUCE_RAW_OTHER},
    {"Allgather", NUCE_RAW_OTHER},
    {"Allgatherv", NUCE_RAW_OTHER},
    {"Alltoall", NUCE_RAW_OTHER},
    {"Alltoallv", NUCE_RAW_OTHER},
    {"Alltoallw", NUCE_RAW_OTHER},
    {"Reduce", NUCE_RAW_OTHER},
    {"Allreduce", NUCE_RAW_OTHER},
    {"Reduce_scatter", NUCE_RAW_OTHER},
    {"Reduce_scatter_block", NUCE_RAW_OTHER},
    {"Scan", NUCE_RAW_OTHER},
    {"Exscan", NUCE_RAW_OTHER},
    {"Neighbor_allgather", NUCE_RAW_OTHER},
    {"Neighbor_allgatherv", NUCE_RAW_OTHER},
    {"Neighbor_alltoall", NUCE_RAW_OTHER},
    {"Neighbor_alltoallv", NUCE_RAW_OTHER},
    {"Neighbor_alltoallw", NUCE_RAW_OTHER},
    {"Send", NUCE_RAW_OTHER},
    {"Bsend", NUCE_RAW_OTHER},
    {"Ssend", NUCE_RAW_OTHER},
    {"Rsend", NUCE_RAW_OTHER},
    {"Recv", NUCE_RAW_OTHER},
    {"Mrecv", NUCE_RAW_OTHER},
    {"Sendrecv", NUCE_RAW_OTHER},
    {"Sendrecv_replace", NUCE_RAW_OTHER},
    {"Psend", NUCE_RAW_PARTITIONED},
    {"Precv", NUCE_RAW_PARTITIONED},
    {"Put", NUCE_RAW_ONE_SIDED},
    {"Get", NUCE_RAW_ONE_SIDED},
    {"Accumulate", NUCE_RAW_ONE_SIDED},
    {"Get_accumulate", NUCE_RAW_ONE_SIDED},
    {"Fetch_and_op", NUCE_RAW_ONE_SIDED},
    {"Compare_and_swap", NUCE_RAW_ONE_SIDED},
};

/* Takes the ending off, if the text has it. */
static void take_off(char *text, const char *ending)
{
    size_t length = strlen(text), less = strlen(ending);

    if (length > less && strcmp(text + length - less, ending) == 0)
        text[length - less] = '\0';
}

/* The counter of the call of that name in `unfollowed`; -1: it is not in there. */
static int counter_of(const char *name)
{
    for (size_t i = 0; i < sizeof unfollowed / sizeof *unfollowed; i++) {
        if (strcmp(name, unfollowed[i].name) == 0)
            return (int)unfollowed[i].counter;
    }
    return -1;
}

/* MPI 3 and 4 made more forms of the same calls: MPI_Ibcast, MPI_Rput, MPI_Bcast_init, MPI_Bcast_c,
 * MPI_Bcast_init_c. Their names are taken apart, endings first, instead of listed. */
int nuce_dumpi_left_out(const char *call)
{
    char name[64];
    int counter;

    if (strncmp(call, "MPI_", 4) != 0 || strlen(call) >= sizeof name)
        return -1;
    (void)snprintf(name, sizeof name, "%s", call + 4);
    take_off(name, "_c");
    take_off(name, "_init");
    counter = counter_of(name);
    if (counter >= 0 || (name[0] != 'I' && name[0] != 'R') || !islower((unsigned char)name[1]))
        return counter;
    name[1] = (char)toupper((unsigned char)name[1]);
    return counter_of(name + 1);
}
