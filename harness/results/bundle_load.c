/* Loads what makes and unpacks archives when a bundle is made or read. libarchive and the dozen
 * libraries that it needs take longer to load than all else of nuce: 12 of 22 ms. */
#include <dlfcn.h>
#include <stdlib.h>

#include "base/data.h"
#include "results/bundle_parts.h"

/* The function of that name; NULL with *error. The library stays until the program ends. */
static void *load(const char *name, struct nuce_error *error)
{
    char *path = nuce_data_program_path("../libexec/nuce/libnuce_bundle_archive.so", error);
    void *library, *function;

    if (path == NULL)
        return NULL;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    function = library == NULL ? NULL : dlsym(library, name);
    if (function == NULL)
        nuce_error_set(error, NUCE_FAILED, "%s", dlerror());
    free(path);
    return function;
}

nuce_status nuce_bundle_create(const struct nuce_bundle_request *request, struct nuce_bundle *out,
                               struct nuce_bundle_report *report, struct nuce_error *error)
{
    __typeof__(nuce_bundle_archive_create) *create = load("nuce_bundle_archive_create", error);

    return create == NULL ? error->status : create(request, out, report, error);
}

nuce_status nuce_bundle_unpack(const char *path, const char *folder,
                               const struct nuce_bundle_limits *limits, json_t *files,
                               struct nuce_bundle_report *report, struct nuce_error *error)
{
    __typeof__(nuce_bundle_archive_unpack) *unpack = load("nuce_bundle_archive_unpack", error);

    return unpack == NULL ? error->status : unpack(path, folder, limits, files, report, error);
}
