/* The table of importers, made from importers.def. A new format is a file and a row there. */
#include "imports/importer.h"

#define NUCE_REGISTRY importer
#define NUCE_REGISTRY_ROWS "imports/importers.def"
#include "support/registry.inc"

const struct nuce_importer_ops *nuce_importer_recognise(const char *text, size_t length)
{
    for (size_t i = 0; nuce_importers[i] != NULL; i++) {
        if (nuce_importers[i]->recognises(text, length))
            return nuce_importers[i];
    }
    return NULL;
}
