/* The beginning and the end of a rank's recording, and its communicators. Environment:
 * FOLDER_VARIABLE and YIELD_VARIABLE, both set by nuce capture.
 *
 * The facts of a communicator are its MPI attribute, so MPI finds them and frees them with it.
 * All other state is in one static struct, because an application's calls pass no state of ours.
 * If nothing can be recorded, the application runs as if the interposer were absent; a file in
 * the folder gives the reason. */
#include "capture/tap_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Folder of the raw files; if it is not set, nothing is recorded. */
#define FOLDER_VARIABLE "NUCE_CAPTURE_FOLDER"

/* "1": waits yield. */
#define YIELD_VARIABLE "NUCE_CAPTURE_YIELD"

/* Round trips that compare a clock with rank 0's. The shortest one counts, because it was
 * disturbed least. */
#define ROUND_TRIPS 16

/* The only variable of the interposer: an application's calls pass no state of ours. */
struct nuce_tap_state *nuce_tap_the_state(void)
{
    static struct nuce_tap_state state = {.lock = PTHREAD_MUTEX_INITIALIZER};

    return &state;
}

int64_t nuce_tap_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int nuce_tap_is_on(void)
{
    return __atomic_load_n(&nuce_tap_the_state()->recorder, __ATOMIC_RELAXED) != NULL;
}

int nuce_tap_is_noted(void)
{
    return nuce_tap_is_on() && !nuce_tap_is_inside();
}

struct nuce_tap_state *nuce_tap_enter(void)
{
    struct nuce_tap_state *state = nuce_tap_the_state();

    if (state->is_threaded)
        pthread_mutex_lock(&state->lock);
    if (state->recorder == NULL) {
        nuce_tap_leave(state);
        return NULL;
    }
    nuce_recorder_enter(state->recorder, state->is_threaded ? (uint64_t)pthread_self() : 0);
    return state;
}

void nuce_tap_leave(struct nuce_tap_state *state)
{
    if (state->is_threaded)
        pthread_mutex_unlock(&state->lock);
}

int nuce_tap_is_partly(int result)
{
    return result == MPI_ERR_IN_STATUS;
}

int nuce_tap_yields(const struct nuce_tap_batch *batch)
{
    struct nuce_tap_state *state = nuce_tap_the_state()->yields ? nuce_tap_enter() : NULL;
    int may = 1;

    if (state == NULL)
        return 0;
    for (int i = 0; may && i < batch->count; i++)
        may = nuce_recorder_is_testable(state->recorder, nuce_tap_handle(batch->handles[i])) ||
              batch->handles[i] == MPI_REQUEST_NULL;
    nuce_tap_leave(state);
    return may;
}

int nuce_tap_pause(void)
{
    sched_yield();
    return 1;
}

void nuce_tap_paused(int turns)
{
    if (turns > 0)
        nuce_tap_count(NUCE_RAW_YIELDED);
}

void nuce_tap_count(enum nuce_raw_counter counter)
{
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    nuce_recorder_header(state->recorder)->counters[counter]++;
    nuce_tap_leave(state);
}

/* Writes a file with the text to the folder; the first file of a name is enough. */
static void leave_note(const char *folder, const char *name, const char *text)
{
    char path[4096];
    int file = -1;

    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    /* The text is empty if a limit of file sizes would make even this write end the application. */
    if (*text != '\0')
        (void)!write(file, text, strlen(text));
    close(file);
}

/* The path of the running program, zero-ended. */
static void own_path(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);

    path[length > 0 ? length : 0] = '\0';
}

void nuce_tap_check(void)
{
    const char *folder = getenv(FOLDER_VARIABLE), *other = nuce_tap_other_library();
    char path[4096], text[4096 + 256];

    if (folder == NULL || other == NULL)
        return;
    own_path(path, sizeof path);
    snprintf(text, sizeof text, "%s: is of another MPI library (%s), expected %s\n", path, other,
             NUCE_TAP_LIBRARY);
    leave_note(folder, NUCE_RAW_NOTE, text);
    _exit(2);
}

/* The attribute is not copied to a duplicate: that is a communicator of its own. */
static int leave_uncopied(MPI_Comm comm, int keyval, void *extra, void *value, void *copy,
                          int *is_copied)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    (void)value;
    (void)copy;
    *is_copied = 0;
    return MPI_SUCCESS;
}

/* MPI calls this when a communicator is freed. */
static int forget_comm(MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct nuce_tap_state *state = nuce_tap_the_state();
    struct nuce_tap_comm *known = value;

    (void)comm;
    (void)keyval;
    (void)extra;
    pthread_mutex_lock(&state->lock);
    if (state->recorder != NULL)
        nuce_recorder_drop(state->recorder, known->id);
    if (state->last_comm == known)
        state->last_comm = NULL;
    pthread_mutex_unlock(&state->lock);
    free(known->neighbor);
    free(known);
    return MPI_SUCCESS;
}

/* The world ranks of the communicator's members, in its order: a new array. NULL if memory runs
 * out, or MPI_COMM_WORLD lacks some of them (MPI_Comm_spawn). */
static int *members_of(MPI_Comm comm, int size)
{
    int *own = calloc(2 * (size_t)size, sizeof *own), *world = own + size;
    MPI_Group group, world_group;

    if (own == NULL)
        return NULL;
    for (int i = 0; i < size; i++)
        own[i] = i;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
    PMPI_Group_translate_ranks(group, size, own, world_group, world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world_group);
    memcpy(own, world, (size_t)size * sizeof *own);
    for (int i = 0; i < size; i++) {
        if (own[i] != MPI_UNDEFINED)
            continue;
        free(own);
        return NULL;
    }
    return own;
}

/* Fills *added with the communicator's facts, with a new array of members, and takes the lock.
 * Returns NULL, with nothing to free, if recording is off or the communicator is not captured.
 * The lock is not held during calls of MPI, which may call back (forget_comm). */
static struct nuce_tap_state *enter_with(MPI_Comm comm, struct nuce_tap_later *added)
{
    struct nuce_tap_state *state;
    int is_between = 0;

    if (comm == MPI_COMM_NULL || !nuce_tap_is_on())
        return NULL;
    PMPI_Comm_test_inter(comm, &is_between);
    if (is_between)
        return NULL;
    PMPI_Comm_size(comm, &added->size);
    PMPI_Comm_rank(comm, &added->own);
    added->members = members_of(comm, added->size);
    state = added->members != NULL ? nuce_tap_enter() : NULL;
    if (state == NULL)
        free(added->members);
    return state;
}

/* Attaches the facts of the communicator; NULL if memory runs out. */
static struct nuce_tap_comm *attach(const struct nuce_tap_state *state, MPI_Comm comm,
                                    const struct nuce_tap_later *added)
{
    struct nuce_tap_comm *known = calloc(1, sizeof *known);

    if (known == NULL)
        return NULL;
    known->id = added->id;
    known->size = added->size;
    known->own = added->own;
    if (PMPI_Comm_set_attr(comm, state->keyval, known) == MPI_SUCCESS)
        return known;
    free(known);
    return NULL;
}

void nuce_tap_add(MPI_Comm comm)
{
    struct nuce_tap_later added = {.id = -1};
    struct nuce_tap_state *state = enter_with(comm, &added);

    if (state == NULL)
        return;
    added.id = nuce_recorder_add(state->recorder, added.members, added.size, added.own);
    nuce_tap_leave(state);
    free(added.members);
    if (added.id >= 0)
        attach(state, comm, &added);
}

/* Members must count communicators alike. So the duplicate gets its number here, where all
 * members are, and not at its first use on each. */
void nuce_tap_add_later(MPI_Comm comm, const MPI_Comm *made)
{
    struct nuce_tap_later later = {.id = -1, .made = made != NULL ? *made : MPI_COMM_NULL};
    struct nuce_tap_state *state = enter_with(comm, &later);
    struct nuce_tap_later *more;

    if (state == NULL)
        return;
    more = realloc(state->laters, (size_t)(state->later_count + 1) * sizeof *more);
    if (more != NULL) {
        state->laters = more;
        later.id = nuce_recorder_add(state->recorder, later.members, later.size, later.own);
    }
    if (later.id >= 0)
        state->laters[state->later_count++] = later;
    else
        free(later.members);
    nuce_tap_leave(state);
}

/* The facts of the communicator, attached now if needed. NULL: unknown, or *is_between: it is an
 * intercommunicator. The lock is held. */
static struct nuce_tap_comm *known_comm(struct nuce_tap_state *state, MPI_Comm comm,
                                        int *is_between)
{
    struct nuce_tap_comm *known = NULL;
    int is_there = 0, size = 0, found = -1, several = 0, is_this = 0, *members;

    *is_between = 0;
    if (PMPI_Comm_get_attr(comm, state->keyval, &known, &is_there) == MPI_SUCCESS && is_there)
        return known;
    PMPI_Comm_test_inter(comm, is_between);
    if (*is_between || state->later_count == 0)
        return NULL;
    /* Its creation was not seen: it may be an expected duplicate. It is the one with its handle,
     * or the only one with its members. If there are several, it stays unknown. */
    PMPI_Comm_size(comm, &size);
    members = members_of(comm, size);
    for (int i = 0; members != NULL && !is_this && i < state->later_count; i++) {
        if (state->laters[i].size != size ||
            memcmp(state->laters[i].members, members, (size_t)size * sizeof *members) != 0)
            continue;
        is_this = state->laters[i].made == comm;
        several |= found >= 0;
        found = i;
    }
    free(members);
    known = found >= 0 && (is_this || !several) ? attach(state, comm, &state->laters[found]) : NULL;
    if (known != NULL) {
        free(state->laters[found].members);
        state->laters[found] = state->laters[--state->later_count];
    }
    return known;
}

/* The last communicator is cached, because programs use one over and over. */
struct nuce_tap_comm *nuce_tap_find_comm(struct nuce_tap_state *state, MPI_Comm comm)
{
    struct nuce_tap_comm *known;
    int is_between;

    if (state->last_comm != NULL && state->last == comm)
        return state->last_comm;
    known = known_comm(state, comm, &is_between);
    if (known == NULL) {
        nuce_recorder_header(state->recorder)
            ->counters[is_between ? NUCE_RAW_BETWEEN : NUCE_RAW_OTHER]++;
        return NULL;
    }
    state->last = comm;
    state->last_comm = known;
    return known;
}

/* An unused duplicate becomes known here, so that it is forgotten with the communicator: the
 * next communicator may have its handle. */
void nuce_tap_freeing(MPI_Comm comm)
{
    struct nuce_tap_state *state = comm == MPI_COMM_NULL ? NULL : nuce_tap_enter();
    int is_between;

    if (state == NULL)
        return;
    if (state->later_count > 0)
        known_comm(state, comm, &is_between);
    nuce_tap_leave(state);
}

/* Sets how far this rank's clock is behind rank 0's, and the uncertainty of that. The offset is
 * from the middle of the shortest of ROUND_TRIPS round trips (Cristian's method). O(ranks), one
 * after the other, once. Collective over MPI_COMM_WORLD. */
static void measure_offset(struct nuce_raw_header *header)
{
    int64_t shortest = INT64_MAX, mine, theirs;

    for (int rank = 1; rank < header->ranks; rank++) {
        for (int i = 0; i < ROUND_TRIPS && (header->rank == rank || header->rank == 0); i++) {
            if (header->rank == 0) {
                PMPI_Recv(&mine, 1, MPI_INT64_T, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                mine = nuce_tap_now();
                PMPI_Send(&mine, 1, MPI_INT64_T, rank, 0, MPI_COMM_WORLD);
                continue;
            }
            mine = nuce_tap_now();
            PMPI_Send(&mine, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
            PMPI_Recv(&theirs, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (nuce_tap_now() - mine < shortest) {
                shortest = nuce_tap_now() - mine;
                header->offset_ns = theirs - (mine + shortest / 2);
                header->offset_error_ns = shortest / 2;
            }
        }
    }
}

/* Copies the first line as far as it fits, zero-ended. */
static void copy_line(char *into, size_t size, const char *line)
{
    size_t length = strcspn(line, "\n");

    length = length < size - 1 ? length : size - 1;
    memset(into, 0, size);
    memcpy(into, line, length);
}

void nuce_tap_open(void)
{
    struct nuce_tap_state *state = nuce_tap_the_state();
    const char *folder = getenv(FOLDER_VARIABLE), *yield;
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    struct nuce_raw_header header = {0};
    char host[sizeof header.host];
    struct nuce_recorder *recorder;
    MPI_Comm parent = MPI_COMM_NULL;
    int threads = MPI_THREAD_MULTIPLE, length, is_here, all_here = 0;

    if (folder == NULL || state->recorder != NULL)
        return;
    /* A spawned process has an MPI_COMM_WORLD of its own, and a capture has one world. */
    PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        return;
    /* The rank's identity: host, library and program. */
    PMPI_Comm_rank(MPI_COMM_WORLD, &header.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &header.ranks);
    header.pid = getpid();
    gethostname(header.host, sizeof header.host - 1);
    PMPI_Get_library_version(version, &length);
    /* "MPICH Version:\t4.0.2\nMPICH Release ..." */
    for (char *at = version; *at != '\0'; at++)
        *at = *at == '\t' ? ' ' : *at;
    copy_line(header.library, sizeof header.library, version);
    own_path(version, sizeof version);
    copy_line(header.program, sizeof header.program, version);
    /* All ranks get rank 0's run number, by which the merge recognises the files of one start.
     * If all ranks are on rank 0's host, clocks need no comparison. */
    header.run = (uint64_t)nuce_tap_now() ^ ((uint64_t)getpid() << 40) ^ (uint64_t)time(NULL) << 20;
    PMPI_Bcast(&header.run, 8, MPI_BYTE, 0, MPI_COMM_WORLD);
    memcpy(host, header.host, sizeof host);
    PMPI_Bcast(host, sizeof host, MPI_BYTE, 0, MPI_COMM_WORLD);
    is_here = memcmp(host, header.host, sizeof host) == 0;
    PMPI_Allreduce(&is_here, &all_here, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all_here)
        measure_offset(&header);
    header.begin_ns = header.end_ns = nuce_tap_now();
    if (snprintf(state->path, sizeof state->path, "%s/%d-%d" NUCE_RAW_ENDING, folder, header.rank,
                 header.pid) >= (int)sizeof state->path)
        return;
    PMPI_Comm_create_keyval(leave_uncopied, forget_comm, &state->keyval, NULL);
    recorder = nuce_recorder_create(state->path, &header, nuce_tap_now);
    if (recorder == NULL) {
        int reason = errno;
        char text[512];

        snprintf(text, sizeof text, "rank %d on %s: its file cannot be made: %s\n", header.rank,
                 header.host, strerror(reason));
        /* If there is no room for a word either, the file's name gives the reason. */
        leave_note(folder, NUCE_RAW_ROOM, reason == EFBIG ? "" : text);
    }
    state->pid = header.pid;
    nuce_tap_first_indices(state->first_index);
    state->tells_pairs = nuce_tap_tells_pairs();
    yield = getenv(YIELD_VARIABLE);
    PMPI_Query_thread(&threads);
    state->is_threaded = threads == MPI_THREAD_MULTIPLE;
    state->yields = yield != NULL && strcmp(yield, "1") == 0;
    /* Stored last, and with release: nuce_tap_is_on reads it without the lock, and its reader
     * must see everything that was set before. */
    __atomic_store_n(&state->recorder, recorder, __ATOMIC_RELEASE);
    nuce_tap_add(MPI_COMM_WORLD);
    nuce_tap_add(MPI_COMM_SELF);
    nuce_tap_watch_open();
    nuce_tap_leave_open();
}

/* With the lock held, so that no other thread is in the recorder when it ends; releases it. Waiting
 * for others in MPI_Finalize is not the application's time, unless the application called MPI
 * there. */
static void stop_recording(enum nuce_raw_ending ending)
{
    struct nuce_tap_state *state = nuce_tap_the_state();
    struct nuce_recorder *recorder = state->recorder;
    int64_t now_ns = nuce_tap_now();

    __atomic_store_n(&state->recorder, NULL, __ATOMIC_RELEASE);
    if (state->finalize_ns != 0 && state->finalize_calls == state->calls)
        now_ns = state->finalize_ns;
    if (recorder != NULL) {
        nuce_tap_watch_close(nuce_recorder_header(recorder)->counters);
        if (ending == NUCE_RAW_EXITED && state->exit_status == 0)
            nuce_recorder_header(recorder)->counters[NUCE_RAW_LEFT_WITH_0] = 1;
        nuce_recorder_destroy(recorder, ending, now_ns);
    }
    pthread_mutex_unlock(&state->lock);
}

/* A rank that is ended in MPI_Finalize has called it. */
void nuce_tap_finalizing(void)
{
    struct nuce_tap_state *state = nuce_tap_enter();

    if (state == NULL)
        return;
    state->finalize_ns = nuce_tap_now();
    state->finalize_calls = state->calls;
    nuce_recorder_header(state->recorder)->ending = NUCE_RAW_FINALIZED;
    nuce_tap_watch_close(nuce_recorder_header(state->recorder)->counters);
    nuce_tap_leave(state);
}

void nuce_tap_close(void)
{
    pthread_mutex_lock(&nuce_tap_the_state()->lock);
    stop_recording(NUCE_RAW_FINALIZED);
}

/* Waits at most LOCK_TRIES milliseconds: a signal handler that calls exit() may have interrupted
 * the thread that holds the lock. */
#define LOCK_TRIES 100
static int lock_at_exit(struct nuce_tap_state *state)
{
    const struct timespec pause = {.tv_nsec = 1000000};

    for (int i = 0; i < LOCK_TRIES; i++) {
        if (pthread_mutex_trylock(&state->lock) == 0)
            return 1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* Called on exit() without MPI_Finalize, or with an MPI_Finalize that bypassed the wrappers,
 * which the library knows. MPI_Abort may come here too. A child of fork is skipped: the file is
 * its parent's. */
__attribute__((destructor)) static void end_of_process(void)
{
    struct nuce_tap_state *state = nuce_tap_the_state();
    int is_over = 0;

    if (!nuce_tap_is_on() || state->pid != getpid())
        return;
    PMPI_Finalized(&is_over);
    if (!lock_at_exit(state)) {
        nuce_tap_leave_at_once(state->exit_status);
        return;
    }
    stop_recording(is_over || state->finalize_ns != 0 ? NUCE_RAW_FINALIZED
                   : state->is_aborting               ? NUCE_RAW_RUNNING
                                                      : NUCE_RAW_EXITED);
}
