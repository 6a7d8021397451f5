/* The table of MPI libraries, and how one is recognised: by the name of a build, by what its
 * launcher says of its version, by the names of shared libraries that a program is linked to.
 * Sources: mpiexec(1) of Hydra and of Open MPI 4.1 and 5.0, and of Slurm its page "MPI Users
 * Guide". A library that has no row is started without any word of its own. */
#include "campaigns/mpi_kinds.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaigns/command.h"

/* A launcher that hangs when it is asked for its version will not start ranks either. */
#define LIMIT_S 10

/* Open MPI starts no more ranks than there are processors unless it is told to, and nothing as root
 * unless both variables are set; MPICH does either. */
static const char *const oversubscribe[] = {"--oversubscribe", NULL};
static const char *const as_root[] = {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                      NULL};
static const char *const hydra[] = {"HYDRA", NULL};
/* "mpirun (Open MPI) 4.1.4" or "mpiexec.openmpi (OpenRTE) 4.1.4". */
static const char *const openmpi[] = {"Open MPI", "OpenRTE", NULL};
static const char *const nothing[] = {NULL};
/* MPICH's ABI has other makers too (Intel, Cray, MVAPICH): libmpi.so.12. */
static const char *const mpich_sonames[] = {"libmpich.so.", "libmpi.so.12", NULL};
static const char *const openmpi_sonames[] = {"libmpi.so.40", "libmpi.so.20", NULL};

/* Ended by a row without name. */
static const struct nuce_mpi_kind mpi_kinds[] = {
    {.name = "mpich",
     .title = "MPICH",
     .told_by = hydra,
     .crowded = nothing,
     .sonames = mpich_sonames,
     .srun = "pmi2"},
    {.name = "openmpi",
     .title = "Open MPI",
     .told_by = openmpi,
     .crowded = oversubscribe,
     .root = as_root,
     .exports = "-x",
     .sonames = openmpi_sonames,
     .srun = "pmix"},
    {.name = NULL},
};

const struct nuce_mpi_kind *nuce_mpi_kind_named(const char *name)
{
    for (const struct nuce_mpi_kind *kind = mpi_kinds; kind->name != NULL; kind++) {
        if (strcmp(kind->name, name) == 0)
            return kind;
    }
    return NULL;
}

const struct nuce_mpi_kind *nuce_mpi_kind_telling(const char *version)
{
    for (const struct nuce_mpi_kind *kind = mpi_kinds; kind->name != NULL; kind++) {
        for (int i = 0; kind->told_by[i] != NULL; i++) {
            if (strstr(version, kind->told_by[i]) != NULL)
                return kind;
        }
    }
    return NULL;
}

/* Whether a line of the list begins, behind blanks, with the name or a longer one. */
static int has_line(const char *list, const char *name)
{
    while (list != NULL) {
        list += strspn(list, "\n\t ");
        if (strncmp(list, name, strlen(name)) == 0)
            return 1;
        list = strchr(list, '\n');
    }
    return 0;
}

const struct nuce_mpi_kind *nuce_mpi_kind_linked(const char *list)
{
    for (const struct nuce_mpi_kind *kind = mpi_kinds; kind->name != NULL; kind++) {
        for (int i = 0; kind->sonames[i] != NULL; i++) {
            if (has_line(list, kind->sonames[i]))
                return kind;
        }
    }
    return NULL;
}

/* The launcher is started for that, and may be a script of the site's: what it prints counts,
 * whatever it ends with. */
const struct nuce_mpi_kind *nuce_mpi_kind_of_launcher(const char *path)
{
    json_t *argv = nuce_command_argv(NULL, path, "--version", NULL);
    const struct nuce_mpi_kind *kind = NULL;
    struct nuce_command_reply reply;
    struct nuce_error ignored;

    if (nuce_command_run(argv, LIMIT_S, &reply, &ignored) == NUCE_OK) {
        kind = nuce_mpi_kind_telling(reply.out);
        nuce_command_reply_fini(&reply);
    }
    json_decref(argv);
    return kind;
}

nuce_status nuce_mpi_kind_check_root(const struct nuce_mpi_kind *kind, struct nuce_error *error)
{
    if (kind == NULL || kind->root == NULL || geteuid() != 0)
        return NUCE_OK;
    for (int i = 0; kind->root[i] != NULL; i++) {
        if (getenv(kind->root[i]) == NULL)
            return nuce_error_set(
                error, NUCE_BAD_INPUT,
                "%s does not start programs as root: expected another user, or, in "
                "a container, where root can do no harm: export %s=1 %s=1",
                kind->title, kind->root[0], kind->root[1] != NULL ? kind->root[1] : kind->root[0]);
    }
    return NUCE_OK;
}
