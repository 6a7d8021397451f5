/* The host and the platform of the ranks, from the simulator or from the system. */
#include "run/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "run/check.h"

void nuce_simulation_host(char *name, size_t size)
{
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int length;

    if (!nuce_simulation_is_on()) {
        gethostname(name, size);
        return;
    }
    NUCE_MPI(MPI_Get_processor_name(host, &length));
    snprintf(name, size, "%s", host);
}

/* Reads the simulator's own command line: itself, the program, options, and then the platform. */
int nuce_simulation_platform(char *path, size_t size)
{
    FILE *file = nuce_simulation_is_on() ? fopen("/proc/self/cmdline", "re") : NULL;
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
