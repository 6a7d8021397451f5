/* The .meta file of a trace of sst-dumpi, which libdumpi writes beside those of the ranks. */
#ifndef NUCE_DUMPI_META_H
#define NUCE_DUMPI_META_H

#include "imports/importer.h"

/* Whether a file that begins so is one. */
int nuce_dumpi_is_meta(const char *text, size_t length);

/* The ranks' files: as named_files of struct nuce_importer_ops. NUCE_BAD_INPUT says which is not
 * there. */
nuce_status nuce_dumpi_meta_files(const struct nuce_import_text *first, char ***out,
                                  struct nuce_error *error);

#endif
