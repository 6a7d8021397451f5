/* Raw files, read and checked: whatever is in one, what is handed out is consistent. */
#ifndef NUCE_RAW_READ_H
#define NUCE_RAW_READ_H

#include "recorder/raw.h"
#include "support/error.h"

/* One rank's. Everything points into text. */
struct nuce_raw_rank {
    char *text;
    const struct nuce_raw_header *header;
    const struct nuce_raw_communicator **communicators; /* by id */
    const struct nuce_raw_definition **definitions;     /* by id - 1 */
    const struct nuce_raw_call **calls;                 /* in their order */
    const struct nuce_raw_flags **flags;
    int64_t communicator_count, definition_count, call_count, flags_count;
    int is_cut; /* the file is shorter than its header says */
};

void nuce_raw_rank_fini(struct nuce_raw_rank *rank);

/* The members of a communicator, and the messages of a definition. */
const int32_t *nuce_raw_members(const struct nuce_raw_communicator *communicator);
const struct nuce_raw_message *nuce_raw_messages(const struct nuce_raw_definition *definition);

/* Reads the file at path. NUCE_BAD_INPUT: it is none, or of another version. What lies behind its
 * whole records is passed over. */
nuce_status nuce_raw_read(const char *path, struct nuce_raw_rank *out, struct nuce_error *error);
nuce_status nuce_raw_parse(const char *name, char *text, size_t length, struct nuce_raw_rank *out,
                           struct nuce_error *error);

/* All of a folder, in the order of their ranks; a new array of *count. */
nuce_status nuce_raw_read_folder(const char *folder, struct nuce_raw_rank **out, int *count,
                                 struct nuce_error *error);
void nuce_raw_free_ranks(struct nuce_raw_rank *ranks, int count);

#endif
