/* Reads files of another format into a capture: nuce capture import.
 *
 * Files are checked and read whole, the format is told by the first of them unless the user names
 * it, and its importer (kernels/imports) makes the capture. A file that only names others, such as
 * the .meta of a trace, is read in their place, once (nuce_capturing_bring). Raw files that an
 * importer makes on the way lie in OUTPUT.parts and are removed whatever happens. */
#include "capturing/bring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capturing/take.h"
#include "support/allocate.h"
#include "support/data.h"
#include "support/text.h"
#include "support/text_file.h"

/* Files longer than this, all together, are not read. */
#define MOST_IMPORTED_BYTES ((int64_t)4 << 30)

/* The format of that name; NULL with *error: there is none. */
static const struct nuce_importer_ops *find_named(const char *from, struct nuce_error *error)
{
    char names[128] = "";

    for (int i = 0; nuce_importers[i] != NULL; i++) {
        size_t length = strlen(names);

        if (strcmp(nuce_importers[i]->name, from) == 0)
            return nuce_importers[i];
        (void)snprintf(names + length, sizeof names - length, "%s%s", i == 0 ? "" : ", ",
                       nuce_importers[i]->name);
    }
    (void)nuce_error_refuse(error, "from", "'%.60s': expected one of %s", from, names);
    return NULL;
}

static const struct nuce_importer_ops *
find_importer(const char *from, const struct nuce_import_text *first, struct nuce_error *error)
{
    if (from != NULL)
        return find_named(from, error);
    if (nuce_importer_recognise(first->text, first->length) == NULL)
        (void)nuce_error_set(
            error, NUCE_BAD_INPUT,
            "%s: of no format that is known: expected rows of bytes, or a head line "
            "source,destination,bytes",
            first->name);
    return nuce_importer_recognise(first->text, first->length);
}

/* Before anything is read: what is no file, and what is too long. */
static nuce_status check_files(char *const *files, int *count, struct nuce_error *error)
{
    int64_t bytes = 0;

    for (*count = 0; files[*count] != NULL; ++*count) {
        struct stat file;

        if (nuce_data_check_file(files[*count], "a file to import", error) != NUCE_OK)
            return error->status;
        bytes += stat(files[*count], &file) == 0 ? file.st_size : 0;
        if (bytes > MOST_IMPORTED_BYTES)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "%s: the files have more than 4 GiB: nothing that large is read",
                                  files[*count]);
    }
    return NUCE_OK;
}

/* What was read before a failure is the caller's to free. */
static nuce_status read_files(char *const *files, int count, struct nuce_import_text *texts,
                              struct nuce_error *error)
{
    for (int i = 0; i < count; i++) {
        char *text;

        if (nuce_text_read(files[i], &text, &texts[i].length, error) != NUCE_OK)
            return error->status;
        texts[i].name = files[i];
        texts[i].text = text;
    }
    return NUCE_OK;
}

/* What capture->origin says of where it comes from: "dumpi app.meta and 3 more". */
static void name_origin(struct nuce_capture *capture, const struct nuce_importer_ops *importer,
                        const struct nuce_import_input *input)
{
    const char *slash = strrchr(input->files[0].name, '/');
    const char *name = slash == NULL ? input->files[0].name : slash + 1;
    char *at = capture->origin;

    (void)snprintf(at, sizeof capture->origin, "%s %.200s", importer->name, name);
    if (input->count > 1)
        (void)snprintf(at + strlen(at), sizeof capture->origin - strlen(at), " and %d more",
                       input->count - 1);
}

/* Makes the capture of what was read and writes it to output. */
static nuce_status import_texts(const struct nuce_importer_ops *importer,
                                struct nuce_import_input *input, const char *output,
                                struct nuce_capture *out, struct nuce_error *error)
{
    struct nuce_capture capture = {0};
    char *folder = nuce_capturing_make_parts(output, error);

    if (folder == NULL)
        return error->status;
    input->folder = folder;
    error->status = importer->import(input, &capture, error);
    nuce_capturing_remove_parts(folder);
    free(folder);
    if (error->status == NUCE_OK) {
        name_origin(&capture, importer, input);
        error->status = nuce_capture_write(&capture, output, error);
    }
    if (error->status == NUCE_OK)
        *out = capture;
    else
        nuce_capture_fini(&capture);
    return error->status;
}

/* What a single file stands for; *out NULL: itself. */
static nuce_status find_named_files(const struct nuce_importer_ops *importer,
                                    const struct nuce_import_input *input, char ***out,
                                    struct nuce_error *error)
{
    *out = NULL;
    return importer->named_files == NULL || input->count != 1
               ? NUCE_OK
               : importer->named_files(&input->files[0], out, error);
}

/* A list that an importer's named_files gave, NULL-ended; NULL: there is none. */
static void free_file_names(char **names)
{
    for (char **name = names; name != NULL && *name != NULL; name++)
        free(*name);
    free(names);
}

/* Of the files, or of those that they stand for, *named (NULL: they were read themselves). */
static nuce_status bring_files(char *const *files, const char *from,
                               struct nuce_import_input *input, const char *output,
                               struct nuce_capture *out, char ***named, struct nuce_error *error)
{
    const struct nuce_importer_ops *importer = NULL;
    struct nuce_import_text *texts;

    *named = NULL;
    if (check_files(files, &input->count, error) != NUCE_OK)
        return error->status;
    texts = nuce_allocate(input->count, sizeof *texts, error);
    if (texts == NULL)
        return error->status;
    input->files = texts;
    error->status = read_files(files, input->count, texts, error);
    if (error->status == NUCE_OK)
        importer = find_importer(from, &texts[0], error);
    if (importer != NULL)
        error->status = find_named_files(importer, input, named, error);
    if (importer != NULL && error->status == NUCE_OK && *named == NULL)
        error->status = import_texts(importer, input, output, out, error);
    for (int i = 0; i < input->count; i++)
        free((void *)texts[i].text);
    free(texts);
    return error->status;
}

nuce_status nuce_capturing_bring(char *const *files, const char *from, int ranks, int64_t unit,
                                 const char *output, struct nuce_capture *out,
                                 struct nuce_error *error)
{
    struct nuce_import_input input = {.ranks = ranks, .unit = unit};
    char **named, **further = NULL;
    nuce_status status = bring_files(files, from, &input, output, out, &named, error);

    if (status == NUCE_OK && named != NULL)
        status = bring_files(named, from, &input, output, out, &further, error);
    if (status == NUCE_OK && further != NULL)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: names further files: expected a trace, which %s names",
                                named[0], files[0]);
    free_file_names(named);
    free_file_names(further);
    return status;
}
