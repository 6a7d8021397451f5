/* Under SMPI all ranks are threads of one simulator, each in a copy of the program of its own, and
 * time is the simulator's. Source: SimGrid 3.32's SMPI manual, "Limitations". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "run/check.h"
#include "run/simulation.h"

const char *nuce_simulation_kind(void)
{
    return "simulated";
}

int nuce_simulation_times_computation(void)
{
    return 0;
}

int nuce_simulation_blocks(void)
{
    return 1;
}

void nuce_simulation_host(char *name, size_t size)
{
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int length;

    NUCE_MPI(MPI_Get_processor_name(host, &length));
    snprintf(name, size, "%s", host);
}

/* The simulator's own command line: itself, the program, options, and the platform behind them. */
int nuce_simulation_platform(char *path, size_t size)
{
    FILE *file = fopen("/proc/self/cmdline", "re");
    char *word = NULL;
    size_t capacity = 0;
    int found = 0;

    for (int i = 0; file != NULL && !found && getdelim(&word, &capacity, '\0', file) > 0; i++)
        found = i >= 2 && word[0] != '-' && nuce_text_copy(path, size, word);
    free(word);
    if (file != NULL)
        fclose(file);
    return found;
}

const char *nuce_simulation_program(const char *started_as)
{
    return started_as;
}
