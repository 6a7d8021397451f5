/* Appends records to a raw file. It uses no MPI, prints nothing, and never ends its process: if
 * there is no room, it counts the record and the application goes on. */
#ifndef NUCE_RAW_WRITER_H
#define NUCE_RAW_WRITER_H

#include "capture/raw.h"

struct nuce_raw_writer {
    int file;
    int64_t size;                   /* of file and mapping */
    int64_t refused, ask_at;        /* records since the file found no room; room is requested
                                     * again when there are ask_at of them */
    struct nuce_raw_header *header; /* the mapping; NULL: there is none */
};

/* Creates the file at path, which must not exist, with the header. Returns 0, or -1 with errno. */
int nuce_raw_create(struct nuce_raw_writer *writer, const char *path,
                    const struct nuce_raw_header *header);

/* Reserves a record of type, head included, with bytes rounded up to 8; all but its head is
 * zero. Returns NULL, and counts the record, if there is no room. Only nuce_raw_commit makes it
 * part of the file. */
void *nuce_raw_reserve(struct nuce_raw_writer *writer, enum nuce_raw_type type, int64_t bytes);
void nuce_raw_commit(struct nuce_raw_writer *writer);

/* The place of the next record, from the beginning of the file, and the address of a place. */
int64_t nuce_raw_place(const struct nuce_raw_writer *writer);
void *nuce_raw_at(const struct nuce_raw_writer *writer, int64_t place);

/* Cuts the file to its used size. */
void nuce_raw_close(struct nuce_raw_writer *writer, enum nuce_raw_ending ending);

#endif
