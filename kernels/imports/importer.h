/* Formats of others that say who sends how much to whom, each read into a capture. One format is
 * one file and one row of importers.def. */
#ifndef NUCE_IMPORTER_H
#define NUCE_IMPORTER_H

#include "capture/capture.h"

/* A file, in memory; its name stands in messages. Borrowed. */
struct nuce_import_text {
    const char *name, *text;
    size_t length;
};

struct nuce_import_input {
    const struct nuce_import_text *files;
    int count;          /* at least one */
    int ranks;          /* how many there are; 0: as many as the files say */
    int64_t unit;       /* bytes of a number that has no unit */
    const char *folder; /* an empty one, for raw files; they are left there */
};

struct nuce_importer_ops {
    const char *name, *summary, *source;
    /* Whether a text that begins so is one of this format. */
    int (*recognises)(const char *text, size_t length);
    /* The files that the first and only one names, and stands for: their paths, NULL-ended, each
     * and the list new; *out NULL: it is to be read itself. NULL: no file of the format does. */
    nuce_status (*named_files)(const struct nuce_import_text *first, char ***out,
                               struct nuce_error *error);
    /* A capture of all files; its origin is set by who calls this. NUCE_BAD_INPUT says where. */
    nuce_status (*import)(const struct nuce_import_input *input, struct nuce_capture *out,
                          struct nuce_error *error);
};

/* All of them, NULL-ended: importers.def. */
extern const struct nuce_importer_ops *const nuce_importers[];

/* Their names; NULL past the end. */
const char *nuce_importer_name(size_t index);

/* The first that recognises the text, or NULL. */
const struct nuce_importer_ops *nuce_importer_recognise(const char *text, size_t length);

#endif
