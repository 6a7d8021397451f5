/* The continuation of a wrapper. Other tools that wrap MPI, linked or loaded after this library,
 * are called in turn, as they would be without it. MPI 4.1, 15.2.7, leaves this to the linker.
 * The next definition of MPI_X is looked up; if it is the library's own, PMPI_X is called.
 *
 * A program with wrappers of its own comes before this library in every search. Its wrappers
 * call PMPI_X. This library therefore exports PMPI_X as well, and records it as a call of the
 * application if the program makes it. Calls of PMPI_X by the MPI library, tools and this
 * library pass through. */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "capture/tap.h"

/* True if the name begins as those of the MPI library that this was built for. */
static int is_own_name(const char *name)
{
    const char *own[] = {NUCE_TAP_SONAMES};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strncmp(name, own[i], strlen(own[i])) == 0)
            return 1;
    }
    return 0;
}

/* The same for a library, which may be loaded by a link without a version, "libmpi.so". */
static int is_own_path(const char *path)
{
    char *file = strncmp(basename(path), "libmpi", 6) == 0 ? realpath(path, NULL) : NULL;
    int is_own = is_own_name(basename(path)) || (file != NULL && is_own_name(basename(file)));

    free(file);
    return is_own;
}

/* Finds a libmpi of another kind. */
static int is_other_library(struct dl_phdr_info *info, size_t size, void *found)
{
    const char *name = basename(info->dlpi_name), *known[] = {"libmpi.so", "libmpich.so"};
    int is_mpi = 0;

    (void)size;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_mpi |= strncmp(name, known[i], strlen(known[i])) == 0;
    if (!is_mpi || is_own_path(info->dlpi_name))
        return 0;
    *(const char **)found = name;
    return 1;
}

static int is_own_library(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    if (!is_own_path(info->dlpi_name))
        return 0;
    *(const char **)found = info->dlpi_name;
    return 1;
}

void *nuce_tap_object(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

const char *nuce_tap_other_library(void)
{
    const char *other = NULL;

    dl_iterate_phdr(is_other_library, &other);
    return other;
}

/* A program may load an MPI library for itself alone, as Python does, which hides it from here.
 * Makes that library's symbols visible to this one. */
static void bring_into_view(void)
{
    const char *own = NULL;

    if (dl_iterate_phdr(is_own_library, &own) != 0)
        dlopen(own, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

/* True if both addresses are in one program or library. */
static int is_same_object(const void *one, const void *other)
{
    Dl_info first, second;

    return dladdr(one, &first) != 0 && dladdr(other, &second) != 0 &&
           first.dli_fbase == second.dli_fbase;
}

/* The first object is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *program)
{
    uintptr_t *range = program;

    (void)size;
    range[0] = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        range[0] = begin < range[0] ? begin : range[0];
        if (begin + info->dlpi_phdr[i].p_memsz > range[1])
            range[1] = begin + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

/* Several threads may search at once: they find the same. */
struct nuce_tap_link *nuce_tap_find_link(struct nuce_tap_link *link)
{
    void *real, *next, *front;
    uintptr_t program[2] = {0};

    if (__atomic_load_n(&link->next, __ATOMIC_ACQUIRE) != NULL)
        return link;
    real = dlsym(RTLD_NEXT, link->real_name);
    if (real == NULL) {
        bring_into_view();
        real = dlsym(RTLD_NEXT, link->real_name);
    }
    next = dlsym(RTLD_NEXT, link->name);
    front = dlsym(RTLD_DEFAULT, link->name);
    if (next == NULL || (real != NULL && is_same_object(next, real)))
        next = real;
    link->is_front = front != NULL && !is_same_object(front, __builtin_return_address(0));
    link->is_wrapped = next != real || link->is_front;
    dl_iterate_phdr(find_program, program);
    link->program_begin = program[0];
    link->program_end = program[1];
    link->real = real != NULL ? real : next;
    __atomic_store_n(&link->next, next, __ATOMIC_RELEASE);
    return link;
}

/* A program's wrapper that ends in a tail call leaves no address of its own, so the caller may
 * seem to be any library. */
int nuce_tap_is_direct(const struct nuce_tap_link *link, const void *caller)
{
    uintptr_t at = (uintptr_t)caller;

    return (at >= link->program_begin && at < link->program_end) ||
           (link->is_front && !is_same_object(caller, link->real) &&
            !is_same_object(caller, __builtin_return_address(0)));
}

/* Nesting depth of calls in this thread. It needs no lock and no process-wide state. */
static int *depth_of_thread(void)
{
    static _Thread_local int depth __attribute__((tls_model("initial-exec")));

    return &depth;
}

int nuce_tap_is_inside(void)
{
    return *depth_of_thread() > 0;
}

void nuce_tap_go_in(int by)
{
    *depth_of_thread() += by;
}

void nuce_tap_come_out(int by)
{
    *depth_of_thread() -= by;
}
