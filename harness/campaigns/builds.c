/* Finds the builds of the programs by their folders. CMake writes the MPI library of a build down
 * when it configures it, so that nuce need start nothing to know it.
 *
 * A build lies in PREFIX/bin, with its PREFIX/share/nuce/mpi.conf. Further MPI libraries have a
 * PREFIX each, below the PREFIX/mpi/NAME of nuce's own build. mpi.conf has lines "name NAME" and
 * "launcher PATH"; other lines are for other readers. */
#include "campaigns/builds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/folder.h"
#include "base/text.h"
#include "campaigns/process.h"
#include "points/workload.h"

/* Builds found so far; each owns the path of its programs. */
struct build_list {
    struct nuce_build *list;
    int64_t count, capacity;
};

/* Adds the build whose programs are in the folder `programs`, PREFIX/bin. Takes over no argument.
 * Skips a folder without mpi.conf, or whose mpi.conf gives no name. Exception: nuce's own build is
 * then called "mpi", as a build tree older than this file. */
static void add_build(struct build_list *all, const char *programs, int is_own)
{
    struct nuce_build build = {.is_own = is_own};
    char *path = nuce_text_format("%s/../share/nuce/mpi.conf", programs);
    FILE *file = fopen(path, "re");
    char line[NUCE_PATH_BYTES + 16];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "name ", 5) == 0 && nuce_text_is_name(line + 5))
            nuce_text_copy(build.name, sizeof build.name, line + 5);
        else if (strncmp(line, "launcher ", 9) == 0)
            nuce_text_copy(build.launcher, sizeof build.launcher, line + 9);
    }
    if (file != NULL)
        fclose(file);
    free(path);
    if (build.name[0] == '\0' && !is_own)
        return;
    if (build.name[0] == '\0')
        nuce_text_copy(build.name, sizeof build.name, "mpi");
    build.programs = nuce_text_duplicate(programs);
    nuce_allocate_more((void **)&all->list, &all->capacity, all->count + 1, sizeof *all->list);
    all->list[all->count++] = build;
}

/* nuce's own first: a sweep that names no build uses it. */
static int build_by_name(const void *a, const void *b)
{
    const struct nuce_build *first = a, *second = b;

    if (first->is_own != second->is_own)
        return second->is_own - first->is_own;
    return strcmp(first->name, second->name);
}

void nuce_builds_free(struct nuce_build *builds, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        free(builds[i].programs);
    free(builds);
}

/* nuce's own build, and those below PREFIX/mpi if that folder exists. */
nuce_status nuce_builds_list(const char *programs, struct nuce_build **out, int64_t *count,
                             struct nuce_error *error)
{
    struct build_list all = {NULL, 0, 0};
    struct nuce_folder others;
    char *own =
        programs != NULL ? nuce_text_duplicate(programs) : nuce_data_program_path("nuce", error);

    if (own == NULL)
        return error->status;
    if (programs == NULL && strrchr(own, '/') != NULL)
        *strrchr(own, '/') = '\0';
    add_build(&all, own, 1);
    error->status = nuce_folder_read(&others, error, "%s/../mpi", own);
    free(own);
    for (int i = 0; i < others.count && error->status == NUCE_OK; i++) {
        const char *name = others.entries[i]->d_name;
        char *folder = nuce_text_format("%s/%s/bin", others.path, name);

        if (nuce_text_is_name(name))
            add_build(&all, folder, 0);
        free(folder);
    }
    nuce_folder_fini(&others);
    if (error->status != NUCE_OK) {
        nuce_builds_free(all.list, all.count);
        return error->status;
    }
    qsort(all.list, (size_t)all.count, sizeof *all.list, build_by_name);
    *out = all.list;
    *count = all.count;
    return NUCE_OK;
}

/* If no build has the name, the message lists those that exist. */
nuce_status nuce_builds_find(const char *programs, const char *name, struct nuce_build *out,
                             struct nuce_error *error)
{
    struct nuce_build *builds;
    char *names = NULL;
    int64_t count, found = -1;

    if (nuce_builds_list(programs, &builds, &count, error) != NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < count; i++) {
        if (strcmp(builds[i].name, name) == 0)
            found = found < 0 ? i : found;
        nuce_text_append(&names, "%s%s", i > 0 ? ", " : "", builds[i].name);
    }
    if (found >= 0) {
        *out = builds[found];
        builds[found].programs = NULL;
        error->status = NUCE_OK;
    } else {
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "mpi: '%s': expected a library that the programs are built for: %s (nuce "
                       "doctor)",
                       name, names);
    }
    free(names);
    nuce_builds_free(builds, count);
    return error->status;
}

nuce_status nuce_builds_check(const char *programs, const char *name, struct nuce_error *error)
{
    struct nuce_build build;

    if (nuce_builds_find(programs, name, &build, error) != NUCE_OK)
        return error->status;
    error->status = nuce_builds_check_whole(&build, error);
    free(build.programs);
    return error->status;
}

/* An interrupted build, or one of an older nuce, may lack programs. Checks those of every workload,
 * so that a campaign does not fail at the first point that needs one. */
nuce_status nuce_builds_check_whole(const struct nuce_build *build, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    for (int i = 0; status == NUCE_OK && nuce_workloads[i] != NULL; i++) {
        const char *program = nuce_workloads[i]->program;
        char *path;

        if (program == NULL || nuce_workloads[i]->is_command)
            continue;
        path = nuce_text_format("%s/%s", build->programs, program);
        if (access(path, X_OK) != 0)
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "mpi: '%s': the build is incomplete: %s is missing; make it by "
                                    "./quickstart.sh, or cmake --build BUILD --target "
                                    "nuce-kernels",
                                    build->name, path);
        free(path);
    }
    return status;
}

/* The table of MPI libraries. A library is recognised by the name of a build, by its launcher's
 * output for --version, or by the shared libraries that a program is linked to. Sources: mpiexec(1)
 * of Hydra and of Open MPI 4.1 and 5.0; the page "MPI Users Guide" of Slurm. A library without a
 * row is started without extra words. */

/* Seconds. A launcher that hangs when asked for its version would not start ranks either. */
#define LIMIT_S 10

/* Open MPI refuses more ranks than processors without --oversubscribe, and refuses root unless both
 * variables are set. MPICH accepts both. */
static const char *const oversubscribe[] = {"--oversubscribe", NULL};
static const char *const as_root[] = {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                      NULL};
static const char *const hydra[] = {"HYDRA", NULL};
/* "mpirun (Open MPI) 4.1.4" or "mpiexec.openmpi (OpenRTE) 4.1.4". */
static const char *const openmpi[] = {"Open MPI", "OpenRTE", NULL};
static const char *const nothing[] = {NULL};
/* Other MPI libraries share MPICH's ABI (Intel, Cray, MVAPICH): libmpi.so.12. */
static const char *const mpich_sonames[] = {"libmpich.so.", "libmpi.so.12", NULL};
static const char *const openmpi_sonames[] = {"libmpi.so.40", "libmpi.so.20", NULL};

/* The last row has no name. */
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

/* Looks for a line of the list that begins, after blanks, with the name of a library. */
const struct nuce_mpi_kind *nuce_mpi_kind_linked(const char *list)
{
    for (const struct nuce_mpi_kind *kind = mpi_kinds; kind->name != NULL; kind++) {
        for (int i = 0; kind->sonames[i] != NULL; i++) {
            for (const char *line = list; line != NULL; line = strchr(line, '\n')) {
                line += strspn(line, "\n\t ");
                if (strncmp(line, kind->sonames[i], strlen(kind->sonames[i])) == 0)
                    return kind;
            }
        }
    }
    return NULL;
}

/* Starts the launcher, which may be a script of the site. Its output counts, whatever its exit
 * status. */
const struct nuce_mpi_kind *nuce_mpi_kind_of_launcher(const char *path)
{
    json_t *argv = nuce_process_argv(NULL, path, "--version", NULL);
    const struct nuce_mpi_kind *kind = NULL;
    struct nuce_process_reply reply;
    struct nuce_error ignored;

    if (nuce_process_run(argv, LIMIT_S, &reply, &ignored) == NUCE_OK) {
        kind = nuce_mpi_kind_telling(reply.out);
        nuce_process_reply_fini(&reply);
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
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s does not start programs as root: expected another user, or, "
                                  "in a container, where root can do no harm: export %s=1 %s=1",
                                  kind->title, kind->root[0],
                                  kind->root[1] != NULL ? kind->root[1] : kind->root[0]);
    }
    return NUCE_OK;
}
