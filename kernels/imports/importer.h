/* Formats of others that say who sends how much to whom, each read into a capture. One format is
 * one file and one row of importers.def. */
#ifndef NUCE_IMPORTER_H
#define NUCE_IMPORTER_H

#include "capture/capture.h"

/* A file that was read into memory as a whole, zero-ended or not: `length` bytes count. All is
 * borrowed for the call, and importers keep no pointer into it. */
struct nuce_import_text {
    const char *name, *text; /* name: as the user gave it, stands in messages */
    size_t length;
};

struct nuce_import_input {
    const struct nuce_import_text *files;
    int count;    /* of files, at least 1; formats of a file a rank have rank r's at index r */
    int ranks;    /* how many the user says there are; 0: as many as the files say */
    int64_t unit; /* bytes of a number that has no unit of its own, at least 1 */
    /* Empty, to write raw files to (NUCE_RAW_ENDING); whoever made it removes them */
    const char *folder;
};

/* A format. All of it is static; nothing is kept from one import to the next. */
struct nuce_importer_ops {
    const char *name, *summary, *source;
    /* Whether the text is of this format, by how it begins. Refuses nothing. */
    int (*recognises)(const char *text, size_t length);
    /* Where the first and only file is a list of the files to be read (a .meta): *out is a new
     * NULL-ended array of new paths, which the caller frees. *out NULL with NUCE_OK: the file is to
     * be read itself. The pointer is NULL where the format has no such lists. */
    nuce_status (*named_files)(const struct nuce_import_text *first, char ***out,
                               struct nuce_error *error);
    /* A capture of all files, freed by the caller with nuce_capture_fini; its origin is set by who
     * calls this. NUCE_BAD_INPUT says file and place; then *out is as it was. */
    nuce_status (*import)(const struct nuce_import_input *input, struct nuce_capture *out,
                          struct nuce_error *error);
};

/* All importers, NULL-ended, in the order of importers.def, which is the order in which they are
 * asked whether they recognise a text. It matters to none: their files begin differently. */
extern const struct nuce_importer_ops *const nuce_importers[];

/* The first that recognises the text, or NULL. */
const struct nuce_importer_ops *nuce_importer_recognise(const char *text, size_t length);

#endif
