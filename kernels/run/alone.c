/* The launcher of another MPI library starts so many worlds of one rank: each measures itself, and
 * its times look fine. A launcher tells what it starts how many it starts, by variables of its own.
 *
 * A variable may be inherited from something further out, where one rank is right: so all that name
 * a number must name more than one, and those of mpiexec come before Slurm's, whose step may hold
 * the shell in which mpiexec -n 1 was typed. A batch script has SLURM_NTASKS and is task 0 without
 * being a step: there it means nothing. */
#include "run/alone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "run/check.h"
#include "run/simulation.h"

/* How many the variable says; 0: it is not set, or no number. */
static long number_in(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    long number = text == NULL ? 0 : strtol(text, &end, 10);

    return number > 0 && *end == '\0' ? number : 0;
}

/* The variable that says that several were started; NULL: none, or one that says one. */
static const char *variable_of_launcher(void)
{
    static const char *const variables[] = {
        "OMPI_COMM_WORLD_SIZE", /* Open MPI: mpirun(1) */
        "PMI_SIZE",             /* MPICH's Hydra and what is made of it; srun --mpi=pmi2 */
        "MPI_LOCALNRANKS",      /* Hydra: on this node */
        "MV2_COMM_WORLD_SIZE",  /* MVAPICH2: mpirun_rsh */
        "FLUX_JOB_SIZE",        /* flux-run(1) */
        "JSM_NAMESPACE_SIZE",   /* IBM's jsrun */
    };
    const char *found = NULL;
    int is_step;

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        long number = number_in(variables[i]);

        if (number == 1)
            return NULL;
        if (number > 1 && found == NULL)
            found = variables[i];
    }
    if (found != NULL)
        return found;
    if (number_in("SLURM_STEP_NUM_TASKS") > 0)
        return number_in("SLURM_STEP_NUM_TASKS") > 1 ? "SLURM_STEP_NUM_TASKS" : NULL;
    is_step = number_in("SLURM_PROCID") > 0 || getenv("SLURM_STEP_ID") != NULL;
    return number_in("SLURM_NTASKS") > 1 && is_step ? "SLURM_NTASKS" : NULL;
}

void nuce_alone_warn(const struct nuce_world *world, const char *name)
{
    const char *variable =
        world->size > 1 || nuce_simulation_blocks() ? NULL : variable_of_launcher();
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    if (variable == NULL)
        return;
    NUCE_MPI(MPI_Get_library_version(text, &length));
    text[strcspn(text, "\n")] = '\0';
    for (char *at = strchr(text, '\t'); at != NULL; at = strchr(at, '\t'))
        *at = ' ';
    fprintf(stderr,
            "%s: warning: %ld were started (%s) and each is alone, a world of one rank: "
            "another library's launcher? This program is of %s: start it by that library's "
            "mpiexec, or srun with the --mpi that it knows ('nuce doctor')\n",
            name, number_in(variable), variable, nuce_text_library(text, library, sizeof library));
}
