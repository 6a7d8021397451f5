/* Appends records to a raw file. Knows nothing of MPI, prints nothing, and never ends the process
 * that it is in: where there is no room it counts that, and the application goes on. */
#ifndef NUCE_RAW_WRITER_H
#define NUCE_RAW_WRITER_H

#include "capture/raw.h"

struct nuce_raw_writer {
    int file;
    int64_t size;                   /* of file and mapping */
    int64_t refused, ask_at;        /* records since the file found no room; it is asked for again
                                     * when there are ask_at of them */
    struct nuce_raw_header *header; /* the mapping; NULL: there is none */
};

/* Creates the file at path, which must not be there, with the header. 0, or -1 with errno. */
int nuce_raw_create(struct nuce_raw_writer *writer, const char *path,
                    const struct nuce_raw_header *header);

/* Room for a record of type whose bytes, head included, are rounded up to 8, all zero but its head;
 * NULL, counted, where there is none. It becomes part of the file by nuce_raw_commit alone. */
void *nuce_raw_reserve(struct nuce_raw_writer *writer, enum nuce_raw_type type, int64_t bytes);
void nuce_raw_commit(struct nuce_raw_writer *writer);

/* Where the next record will lie, from the beginning of the file, and what lies there. */
int64_t nuce_raw_place(const struct nuce_raw_writer *writer);
void *nuce_raw_at(const struct nuce_raw_writer *writer, int64_t place);

/* Cuts the file to what is used. */
void nuce_raw_close(struct nuce_raw_writer *writer, enum nuce_raw_ending ending);

#endif
