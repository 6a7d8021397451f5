/* Reads and checks raw files: the result is consistent for any input. */
#ifndef NUCE_RAW_READ_H
#define NUCE_RAW_READ_H

#include "base/error.h"
#include "capture/raw.h"

/* One rank's checked file. All pointers are into text; all arrays are owned. */
struct nuce_raw_rank {
    char *text;
    const struct nuce_raw_header *header;
    const struct nuce_raw_communicator **communicators; /* by id */
    const struct nuce_raw_definition **definitions;     /* by id - 1 */
    const struct nuce_raw_call **calls;                 /* in the order of the file */
    const struct nuce_raw_flags **flags;
    struct nuce_raw_open **open; /* rounds still open; calls and definitions include them */
    int64_t communicator_count, definition_count, call_count, flags_count, open_count;
    int is_cut; /* the file is shorter than its header says, as on a full disk */
};

void nuce_raw_rank_fini(struct nuce_raw_rank *rank);

/* The `size` members after a communicator's record, and the `count` messages after a
 * definition's. */
const int32_t *nuce_raw_members(const struct nuce_raw_communicator *communicator);
const struct nuce_raw_message *nuce_raw_messages(const struct nuce_raw_definition *definition);

/* Reads a file's text and takes it over, also on failure; freed with nuce_raw_rank_fini. name is
 * used in messages. NUCE_BAD_INPUT: the text is not a raw file, damaged, or of another version.
 * Bytes after the complete records are ignored: the rank was killed there. */
nuce_status nuce_raw_parse(const char *name, char *text, size_t length, struct nuce_raw_rank *out,
                           struct nuce_error *error);

/* All raw files of a folder, in the order of their ranks: a new array of *count, at least 1,
 * freed with nuce_raw_free_ranks. NUCE_BAD_INPUT: there is none, one is damaged, two are of one
 * rank, or they are of several starts of a program. */
nuce_status nuce_raw_read_folder(const char *folder, struct nuce_raw_rank **out, int *count,
                                 struct nuce_error *error);
void nuce_raw_free_ranks(struct nuce_raw_rank *ranks, int count);

#endif
