/* A line a key: hostname=, numprocs=, username=, startime=, fileprefix=, version=. The file of rank
 * R is PREFIX-R.bin, R with 4 digits at least, wherever the trace was moved to: beside the .meta.
 * Source: sstsimulator/sst-dumpi, dumpi/libdumpi/init.c, dumpi/bin/metadata.cc. */
#include "imports/dumpi_meta.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/allocate.h"
#include "support/scanner.h"
#include "support/text.h"

/* More ranks than this are taken for damage. Digits: libdumpi pads to 4; more are tried for files
 * that were renamed. */
#define MOST_META_RANKS 1000000
#define LEAST_DIGITS 4
#define MOST_DIGITS 10

int nuce_dumpi_is_meta(const char *text, size_t length)
{
    static const char first[] = "hostname=", other[] = "\nfileprefix=";

    return length > sizeof first && memcmp(text, first, sizeof first - 1) == 0 &&
           memmem(text, length, other, sizeof other - 1) != NULL;
}

/* What stands behind the key in the first line that begins with it, and in *end its end; NULL:
 * there is no such line. The scanner is left in that line. */
static const char *meta_value(struct nuce_scanner *scanner, const char *key, const char **end)
{
    scanner->at = scanner->text;
    do {
        const char *newline = memchr(scanner->at, '\n', (size_t)nuce_scanner_left(scanner));

        *end = newline == NULL ? scanner->end : newline;
        if ((size_t)(*end - scanner->at) > strlen(key) &&
            memcmp(scanner->at, key, strlen(key)) == 0)
            return scanner->at + strlen(key);
    } while (nuce_scanner_next_line(scanner));
    return NULL;
}

/* How many ranks there are, from numprocs=. */
static nuce_status meta_ranks(struct nuce_scanner *scanner, int *out, struct nuce_error *error)
{
    const char *end;
    int64_t ranks;

    scanner->at = meta_value(scanner, "numprocs=", &end);
    if (scanner->at == NULL)
        return nuce_scanner_fail(scanner, scanner->text, error,
                                 "there is no line numprocs=: expected how many ranks there are");
    if (nuce_scanner_integer(scanner, "how many ranks there are", 1, MOST_META_RANKS, &ranks,
                             error) != NUCE_OK)
        return error->status;
    *out = (int)ranks;
    return NUCE_OK;
}

/* The beginning of the ranks' files' names, in the folder of the .meta: the folder of fileprefix=
 * is that of the run, and traces are moved. *place: where it stands, for messages. New; NULL with
 * *error. */
static char *meta_prefix(struct nuce_scanner *scanner, const char **place, struct nuce_error *error)
{
    const char *slash = strrchr(scanner->path, '/'), *end, *at;
    int folder = slash == NULL ? 0 : (int)(slash + 1 - scanner->path);

    *place = meta_value(scanner, "fileprefix=", &end);
    if (*place == NULL) {
        (void)nuce_scanner_fail(scanner, scanner->text, error,
                                "there is no line fileprefix=: expected how the names of the "
                                "ranks' files begin");
        return NULL;
    }
    at = *place;
    for (const char *c = at; c < end; c++)
        at = *c == '/' ? c + 1 : at;
    end -= end > at && end[-1] == '\r';
    return nuce_text_format(error, "%.*s%.*s", folder, scanner->path, (int)(end - at), at);
}

/* The path of a rank's file, new; NULL with *error. */
static char *meta_file(const char *prefix, int digits, int rank, struct nuce_error *error)
{
    return nuce_text_format(error, "%s-%0*d.bin", prefix, digits, rank);
}

/* How many digits the first rank's file has: the most with which there is one, or as libdumpi
 * writes them, where there is none, so that the message names what is expected. */
static nuce_status meta_digits(const char *prefix, int *out, struct nuce_error *error)
{
    *out = LEAST_DIGITS;
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        char *path = meta_file(prefix, digits, 0, error);

        if (path == NULL)
            return error->status;
        if (access(path, F_OK) == 0)
            *out = digits;
        free(path);
    }
    return NUCE_OK;
}

/* Fills list with the paths of all ranks' files, each of which must be there. On failure those that
 * were made stay in the list, for the caller to free. */
static nuce_status list_meta_files(struct nuce_scanner *scanner, const char *prefix,
                                   const char *place, int ranks, char **list,
                                   struct nuce_error *error)
{
    int digits;

    if (meta_digits(prefix, &digits, error) != NUCE_OK)
        return error->status;
    for (int rank = 0; rank < ranks; rank++) {
        list[rank] = meta_file(prefix, digits, rank, error);
        if (list[rank] == NULL)
            return error->status;
        if (access(list[rank], F_OK) != 0)
            return nuce_scanner_fail(scanner, place, error,
                                     "%s is not there: expected the files of %d ranks beside this "
                                     "one",
                                     list[rank], ranks);
    }
    return NUCE_OK;
}

/* A first file that is no .meta is a trace itself: *out stays NULL. */
nuce_status nuce_dumpi_meta_files(const struct nuce_import_text *first, char ***out,
                                  struct nuce_error *error)
{
    struct nuce_scanner scanner;
    const char *place;
    char **list = NULL, *prefix;
    int ranks = 0;

    *out = NULL;
    if (!nuce_dumpi_is_meta(first->text, first->length))
        return NUCE_OK;
    nuce_scanner_init(&scanner, first->name, first->text, first->length);
    if (meta_ranks(&scanner, &ranks, error) != NUCE_OK)
        return error->status;
    prefix = meta_prefix(&scanner, &place, error);
    if (prefix != NULL)
        list = nuce_allocate(ranks + 1, sizeof *list, error);
    if (list != NULL && list_meta_files(&scanner, prefix, place, ranks, list, error) == NUCE_OK) {
        *out = list;
        list = NULL;
    }
    for (int rank = 0; list != NULL && rank < ranks; rank++)
        free(list[rank]);
    free(list);
    free(prefix);
    return *out != NULL ? NUCE_OK : error->status;
}
