/* The mapped file grows by blocks that the file system has reserved. A full disk is therefore an
 * error of a call here, not a signal at a store.
 *
 * Appending costs a few stores into mapped memory. A system call occurs only when the file
 * grows; it doubles, by MOST_STEP at most. Written pages belong to the kernel, so a killed
 * process loses nothing; a crash of the machine may lose data. */
#include "capture/raw_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "capture/raw.h"

/* The first size, 64 KiB. */
#define LEAST_BYTES ((int64_t)1 << 16)
/* A file grows by its own size, and by at most 64 MiB at once. */
#define MOST_STEP ((int64_t)1 << 26)
/* After a failure, room is requested again only when the number of refused records has doubled,
 * or grown by this number. A request takes 10 to 50 times as long as noting a message. */
#define MOST_REFUSED 65536

/* Returns 0, or -1 with errno. The mapping may move: keep no pointers into it across a call that
 * reserves. */
static int grow(struct nuce_raw_writer *writer, int64_t needed)
{
    static const struct timespec at_once = {0};
    int64_t size = writer->size;
    sigset_t beyond, before;
    void *mapping;
    int result;

    while (size < needed)
        size += size < LEAST_BYTES ? LEAST_BYTES : size < MOST_STEP ? size : MOST_STEP;
    /* Growth beyond the limit of file sizes would raise a signal that ends the application. The
     * signal is blocked and consumed. */
    sigemptyset(&beyond);
    sigaddset(&beyond, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &beyond, &before);
    result = posix_fallocate(writer->file, writer->size, size - writer->size);
    if (result == EFBIG && !sigismember(&before, SIGXFSZ))
        sigtimedwait(&beyond, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = result;
    if (result != 0)
        return -1;
    mapping = writer->header == NULL
                  ? mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, writer->file, 0)
                  : mremap(writer->header, (size_t)writer->size, (size_t)size, MREMAP_MAYMOVE);
    if (mapping == MAP_FAILED)
        return -1;
    writer->header = mapping;
    writer->size = size;
    return 0;
}

/* On failure no file is left. EEXIST is reported like any other error: two processes must not
 * write one file. */
int nuce_raw_create(struct nuce_raw_writer *writer, const char *path,
                    const struct nuce_raw_header *header)
{
    *writer =
        (struct nuce_raw_writer){.file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
    if (writer->file < 0)
        return -1;
    if (grow(writer, (int64_t)sizeof *header) != 0) {
        int number = errno;

        close(writer->file);
        unlink(path);
        errno = number;
        return -1;
    }
    *writer->header = *header;
    memcpy(writer->header->magic, NUCE_RAW_MAGIC, sizeof NUCE_RAW_MAGIC);
    writer->header->version = NUCE_RAW_VERSION;
    writer->header->header_bytes = sizeof *header;
    return 0;
}

int64_t nuce_raw_place(const struct nuce_raw_writer *writer)
{
    return (int64_t)sizeof *writer->header + writer->header->used;
}

/* A later reserve may change the address. */
void *nuce_raw_at(const struct nuce_raw_writer *writer, int64_t place)
{
    return (char *)writer->header + place;
}

/* Zeroed, padding included, because a record that was reserved and never committed may have left
 * bytes. A record has at most 2^32 - 1 bytes. */
void *nuce_raw_reserve(struct nuce_raw_writer *writer, enum nuce_raw_type type, int64_t bytes)
{
    struct nuce_raw_head *head;
    int has_room;

    if (writer->header == NULL)
        return NULL;
    bytes = (bytes + 7) / 8 * 8;
    has_room = bytes <= UINT32_MAX && nuce_raw_place(writer) + bytes <= writer->size;
    /* Not every record asks a full disk for room. */
    if (!has_room && bytes <= UINT32_MAX && writer->refused++ >= writer->ask_at) {
        has_room = grow(writer, nuce_raw_place(writer) + bytes) == 0;
        if (has_room)
            writer->refused = writer->ask_at = 0;
        else
            writer->ask_at += writer->refused < MOST_REFUSED ? writer->refused : MOST_REFUSED;
    }
    if (!has_room) {
        writer->header->counters[NUCE_RAW_FULL]++;
        return NULL;
    }
    head = nuce_raw_at(writer, nuce_raw_place(writer));
    memset(head, 0, (size_t)bytes);
    *head = (struct nuce_raw_head){.type = type, .bytes = (uint32_t)bytes};
    return head;
}

/* A reader of a killed process's file trusts `used`: it must not be updated before the record is
 * complete. */
void nuce_raw_commit(struct nuce_raw_writer *writer)
{
    const struct nuce_raw_head *head = nuce_raw_at(writer, nuce_raw_place(writer));

    __atomic_store_n(&writer->header->used, writer->header->used + head->bytes, __ATOMIC_RELEASE);
}

/* An end by a signal does not come here: the file then keeps its spare room, and `used` gives
 * the valid part. Failures are not reported, because the application is ending. */
void nuce_raw_close(struct nuce_raw_writer *writer, enum nuce_raw_ending ending)
{
    int64_t length;

    if (writer->header == NULL)
        return;
    length = nuce_raw_place(writer);
    writer->header->ending = (int32_t)ending;
    munmap(writer->header, (size_t)writer->size);
    (void)!ftruncate(writer->file, length);
    close(writer->file);
    writer->header = NULL;
}

/* Names of the numbers in a raw file.
 *
 * The order is that of the enumerations in raw.h. These names are printed, and users of captures
 * read them. */

const char *nuce_raw_kind_name(int kind)
{
#define KIND_NAME(name) #name,
    static const char *const names[] = {NUCE_RAW_KINDS(KIND_NAME)};
#undef KIND_NAME

    return kind > NUCE_RAW_NO_KIND && kind < NUCE_RAW_KINDS_END ? names[kind - 1] : NULL;
}
