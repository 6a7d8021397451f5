/* libnuce_apply_NAME.so, loaded in front of an application (nuce apply): entries for the calls that
 * a tuning file may name. It is also loaded into processes without MPI, such as the launcher's, so
 * all references to MPI are weak, and what needs MPI (apply.h) is another library, loaded behind
 * MPI_Init. Environment: NUCE_TUNING, the file; NUCE_TUNING_MARK, a file that the first process in
 * MPI_Init removes, if it is not empty; NUCE_TUNING_USED, the file of the rules that replaced
 * calls.
 *
 * There are entries of MPI_X and of PMPI_X, which wrappers in the application and its Fortran
 * library may call. Of nested calls only the outermost counts: calls that tools and nuce make
 * inside it pass through.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/tap.h"
#include "library/apply.h"

#define ENGINE "libnuce_apply_engine.so"

/* The functions of the engine's library, by name; apply NULL: nothing is replaced. */
struct preload {
    struct nuce_apply *apply;
    __typeof__(&nuce_apply_open) open;
    __typeof__(&nuce_apply_exchange) exchange;
    __typeof__(&nuce_apply_count) count;
    __typeof__(&nuce_apply_close) close;
};

/* The only variable: an application's calls pass no state of ours. */
static struct preload *the_preload(void)
{
    static struct preload preload;

    return &preload;
}

/* Loads the engine from the folder of this library. Returns 0 if it cannot be loaded. */
static int load_engine(struct preload *preload)
{
    char path[4096];
    Dl_info own;
    void *engine;
    int folder;

    if (dladdr((void *)(uintptr_t)load_engine, &own) == 0 || strrchr(own.dli_fname, '/') == NULL)
        return 0;
    folder = (int)(strrchr(own.dli_fname, '/') - own.dli_fname);
    if (snprintf(path, sizeof path, "%.*s/" ENGINE, folder, own.dli_fname) >= (int)sizeof path)
        return 0;
    engine = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (engine == NULL) {
        fprintf(stderr, "nuce: %s\n", dlerror());
        return 0;
    }
    *(void **)&preload->open = dlsym(engine, "nuce_apply_open");
    *(void **)&preload->exchange = dlsym(engine, "nuce_apply_exchange");
    *(void **)&preload->count = dlsym(engine, "nuce_apply_count");
    *(void **)&preload->close = dlsym(engine, "nuce_apply_close");
    return preload->open != NULL && preload->exchange != NULL && preload->count != NULL &&
           preload->close != NULL;
}

/* True in one process; in all if there is no mark, or they cannot remove it. */
static int is_first(void)
{
    const char *mark = getenv("NUCE_TUNING_MARK");

    return mark == NULL || *mark == '\0' || unlink(mark) == 0 || errno != ENOENT;
}

/* In front of MPI_Init. Ends a process of another MPI library, whose handles have another form. */
static void check(void)
{
    const char *other = getenv("NUCE_TUNING") != NULL ? nuce_tap_other_library() : NULL;

    if (other == NULL)
        return;
    if (is_first())
        fprintf(stderr,
                "nuce: %s: is of another MPI library (%s), expected %s: in a script, write 'nuce "
                "apply --' before the mpiexec\n",
                program_invocation_name, other, NUCE_TAP_LIBRARY);
    _exit(2);
}

/* Behind MPI_Init. A node may lack the engine: then no rank uses it. */
static void begin(void)
{
    struct preload *preload = the_preload();
    const char *path = getenv("NUCE_TUNING");
    int is_there, rank = 0;

    if (path == NULL || preload->apply != NULL)
        return;
    nuce_tap_go_in(1);
    is_there = load_engine(preload);
    PMPI_Allreduce(MPI_IN_PLACE, &is_there, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        is_first();
    if (is_there)
        preload->apply = preload->open(path);
    else if (rank == 0)
        fprintf(stderr, "nuce: a rank cannot load " ENGINE "; nothing is replaced\n");
    nuce_tap_come_out(1);
}

/* In front of MPI_Finalize. */
static void end(void)
{
    struct preload *preload = the_preload();

    nuce_tap_go_in(1);
    if (preload->apply != NULL)
        preload->close(preload->apply, getenv("NUCE_TUNING_USED"));
    preload->apply = NULL;
    nuce_tap_come_out(1);
}

static int exchange(enum nuce_apply_call call, const struct nuce_mpi_arguments *send,
                    const struct nuce_mpi_arguments *receive, MPI_Comm comm)
{
    struct preload *preload = the_preload();
    int is_done;

    if (preload->apply == NULL)
        return 0;
    nuce_tap_go_in(1);
    is_done = preload->exchange(preload->apply, call, send, receive, comm);
    nuce_tap_come_out(1);
    return is_done;
}

static int count(enum nuce_apply_call call, enum nuce_apply_outcome outcome, MPI_Comm comm)
{
    struct preload *preload = the_preload();

    if (preload->apply != NULL)
        preload->count(preload->apply, call, outcome, comm);
    return 0;
}

/* The entry `symbol_` of MPI_X. is_done_: what is done in front of it, true if the call is then
 * made; after_: behind it. */
#define ENTRY(own_, symbol_, to_, x_, parameters_, arguments_, is_done_, after_)                   \
    NUCE_TAP_EXPORT int own_ parameters_ __asm__(symbol_);                                         \
    int own_ parameters_                                                                           \
    {                                                                                              \
        static struct nuce_tap_link link = {.name = "MPI_" #x_, .real_name = "PMPI_" #x_};         \
        int is_first = !nuce_tap_is_inside(), result;                                              \
                                                                                                   \
        if (is_first && (is_done_))                                                                \
            return MPI_SUCCESS;                                                                    \
        nuce_tap_go_in(1);                                                                         \
        result = ((__typeof__(&PMPI_##x_))nuce_tap_find_link(&link)->to_)arguments_;               \
        nuce_tap_come_out(1);                                                                      \
        if (is_first && result == MPI_SUCCESS) {                                                   \
            after_;                                                                                \
        }                                                                                          \
        return result;                                                                             \
    }
#define ENTRIES(x_, parameters_, arguments_, is_done_, after_)                                     \
    ENTRY(preload_##x_, "MPI_" #x_, next, x_, parameters_, arguments_, is_done_, after_)           \
    ENTRY(preload_P##x_, "PMPI_" #x_, real, x_, parameters_, arguments_, is_done_, after_)

ENTRIES(Init, (int *count_of, char ***words), (count_of, words), (check(), 0), begin())
ENTRIES(Init_thread, (int *count_of, char ***words, int required, int *provided),
        (count_of, words, required, provided), (check(), 0), begin())
ENTRIES(Finalize, (void), (), (end(), 0), )

/* Parameters of calls with one datatype a side (V) and with one per rank (W), whose counts and
 * displacements have these types, and how the calls are made with them. */
#define V(count_, place_)                                                                          \
    const void *s, const count_ *sc, const place_ *sd, MPI_Datatype st, void *r, const count_ *rc, \
        const place_ *rd, MPI_Datatype rt, MPI_Comm comm
#define W(count_, place_)                                                                          \
    const void *s, const count_ *sc, const place_ *sd, const MPI_Datatype *st, void *r,            \
        const count_ *rc, const place_ *rd, const MPI_Datatype *rt, MPI_Comm comm
#define ARGUMENTS s, sc, sd, st, r, rc, rd, rt, comm

#define SIDE(buffer_, counts_, places_, types_, ...)                                               \
    (&(struct nuce_mpi_arguments){                                                                 \
        .buffer = buffer_, .counts = counts_, .places_, .types = types_, __VA_ARGS__})

ENTRIES(Alltoallv, (V(int, int)), (ARGUMENTS),
        exchange(NUCE_APPLY_ALLTOALLV, SIDE(s, sc, displacements = sd, &st, .is_one_type = 1),
                 SIDE(r, rc, displacements = rd, &rt, .is_one_type = 1), comm), )
ENTRIES(Alltoallw, (W(int, int)), (ARGUMENTS),
        exchange(NUCE_APPLY_ALLTOALLW, SIDE(s, sc, displacements = sd, st),
                 SIDE(r, rc, displacements = rd, rt), comm), )
ENTRIES(Neighbor_alltoallv, (V(int, int)), (ARGUMENTS),
        exchange(NUCE_APPLY_NEIGHBOR_ALLTOALLV,
                 SIDE(s, sc, displacements = sd, &st, .is_one_type = 1),
                 SIDE(r, rc, displacements = rd, &rt, .is_one_type = 1), comm), )
ENTRIES(Neighbor_alltoallw, (W(int, MPI_Aint)), (ARGUMENTS),
        exchange(NUCE_APPLY_NEIGHBOR_ALLTOALLW, SIDE(s, sc, byte_places = sd, st),
                 SIDE(r, rc, byte_places = rd, rt), comm), )

/* Forms that are counted and left. */
#define NONBLOCKING(x_, parameters_, call_)                                                        \
    ENTRIES(x_, (parameters_, MPI_Request * request), (ARGUMENTS, request),                        \
            count(NUCE_APPLY_##call_, NUCE_APPLY_NONBLOCKING, comm), )
NONBLOCKING(Ialltoallv, V(int, int), ALLTOALLV)
NONBLOCKING(Ialltoallw, W(int, int), ALLTOALLW)
NONBLOCKING(Ineighbor_alltoallv, V(int, int), NEIGHBOR_ALLTOALLV)
NONBLOCKING(Ineighbor_alltoallw, W(int, MPI_Aint), NEIGHBOR_ALLTOALLW)

#if MPI_VERSION >= 4
#define PERSISTENT(x_, parameters_, call_)                                                         \
    ENTRIES(x_, (parameters_, MPI_Info info, MPI_Request * request), (ARGUMENTS, info, request),   \
            count(NUCE_APPLY_##call_, NUCE_APPLY_PERSISTENT, comm), )
#define LARGE(x_, parameters_, call_)                                                              \
    ENTRIES(x_, (parameters_), (ARGUMENTS), count(NUCE_APPLY_##call_, NUCE_APPLY_LARGE, comm), )
PERSISTENT(Alltoallv_init, V(int, int), ALLTOALLV)
PERSISTENT(Alltoallw_init, W(int, int), ALLTOALLW)
PERSISTENT(Neighbor_alltoallv_init, V(int, int), NEIGHBOR_ALLTOALLV)
PERSISTENT(Neighbor_alltoallw_init, W(int, MPI_Aint), NEIGHBOR_ALLTOALLW)
LARGE(Alltoallv_c, V(MPI_Count, MPI_Aint), ALLTOALLV)
LARGE(Alltoallw_c, W(MPI_Count, MPI_Aint), ALLTOALLW)
LARGE(Neighbor_alltoallv_c, V(MPI_Count, MPI_Aint), NEIGHBOR_ALLTOALLV)
LARGE(Neighbor_alltoallw_c, W(MPI_Count, MPI_Aint), NEIGHBOR_ALLTOALLW)
NONBLOCKING(Ialltoallv_c, V(MPI_Count, MPI_Aint), ALLTOALLV)
NONBLOCKING(Ialltoallw_c, W(MPI_Count, MPI_Aint), ALLTOALLW)
NONBLOCKING(Ineighbor_alltoallv_c, V(MPI_Count, MPI_Aint), NEIGHBOR_ALLTOALLV)
NONBLOCKING(Ineighbor_alltoallw_c, W(MPI_Count, MPI_Aint), NEIGHBOR_ALLTOALLW)
PERSISTENT(Alltoallv_init_c, V(MPI_Count, MPI_Aint), ALLTOALLV)
PERSISTENT(Alltoallw_init_c, W(MPI_Count, MPI_Aint), ALLTOALLW)
PERSISTENT(Neighbor_alltoallv_init_c, V(MPI_Count, MPI_Aint), NEIGHBOR_ALLTOALLV)
PERSISTENT(Neighbor_alltoallw_init_c, W(MPI_Count, MPI_Aint), NEIGHBOR_ALLTOALLW)
#endif
