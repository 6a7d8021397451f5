#include "bundle/sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/contents.h"
#include "support/memory.h"
#include "support/text_file.h"

#define HASH_DIGITS (NUCE_HASH_BYTES - 1)

static nuce_status append(struct nuce_sums *sums, const char *path, const char *hash,
                          struct nuce_error *error)
{
    void *list = sums->list;
    struct nuce_sum sum;

    if (nuce_grow(&list, &sums->capacity, sums->count + 1, sizeof sum, error) != NUCE_OK)
        return error->status;
    sums->list = list;
    memcpy(sum.hash, hash, NUCE_HASH_BYTES);
    sum.path = strdup(path);
    if (sum.path == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    sums->list[sums->count++] = sum;
    return NUCE_OK;
}

nuce_status nuce_sums_add(struct nuce_sums *sums, const char *path, const char *source,
                          const void *data, size_t length, struct nuce_error *error)
{
    char hash[NUCE_HASH_BYTES];
    nuce_status status =
        data != NULL ? nuce_hash(data, length, hash, error) : nuce_hash_file(source, hash, error);

    NUCE_ASSERT(sums->count == 0 || strcmp(sums->list[sums->count - 1].path, path) < 0);
    return status == NUCE_OK ? append(sums, path, hash, error) : status;
}

char *nuce_sums_text(const struct nuce_sums *sums, struct nuce_error *error)
{
    size_t size = 0;
    char *text = NULL;
    FILE *stream = open_memstream(&text, &size);
    int good = stream != NULL;

    for (int64_t i = 0; good && i < sums->count; i++)
        good = fprintf(stream, "%s  %s\n", sums->list[i].hash, sums->list[i].path) > 0;
    good = stream != NULL && fclose(stream) == 0 && good;
    if (good)
        return text;
    free(text);
    (void)nuce_error_set(error, NUCE_FAILED, "out of memory for checksums");
    return NULL;
}

/* "HASH  PATH" without a newline; cuts it in two. */
static nuce_status add_line(struct nuce_sums *sums, char *line, struct nuce_error *error)
{
    size_t digits = strspn(line, "0123456789abcdef");
    char *path = line + HASH_DIGITS + 2;

    if (digits != HASH_DIGITS || strncmp(line + HASH_DIGITS, "  ", 2) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "not a line 'SHA-256, two blanks, name of a file'");
    if (!nuce_contents_is_path(path))
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s' is no file of a bundle", path);
    if (sums->count > 0 && strcmp(sums->list[sums->count - 1].path, path) >= 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s' is there twice, or not in the order of names", path);
    line[HASH_DIGITS] = '\0';
    return append(sums, path, line, error);
}

nuce_status nuce_sums_read(const char *path, struct nuce_sums *out, struct nuce_error *error)
{
    struct nuce_sums sums = {0};
    char *text = NULL, *at, *newline;
    size_t length = 0;
    int64_t line = 1;
    nuce_status status = nuce_text_read(path, &text, &length, error);

    for (at = text; status == NUCE_OK && at < text + length; at = newline + 1, line++) {
        newline = memchr(at, '\n', (size_t)(text + length - at));
        if (newline == NULL) {
            status = nuce_error_set(error, NUCE_BAD_INPUT, "line %lld is cut off", (long long)line);
            break;
        }
        *newline = '\0';
        status = add_line(&sums, at, error);
        if (status != NUCE_OK)
            status = nuce_error_prefix(error, "line %lld", (long long)line);
    }
    free(text);
    if (status != NUCE_OK) {
        nuce_sums_fini(&sums);
        return status;
    }
    *out = sums;
    return NUCE_OK;
}

static int by_path(const void *key, const void *sum)
{
    return strcmp(key, ((const struct nuce_sum *)sum)->path);
}

const struct nuce_sum *nuce_sums_find(const struct nuce_sums *sums, const char *path)
{
    if (sums->count == 0)
        return NULL;
    return bsearch(path, sums->list, (size_t)sums->count, sizeof *sums->list, by_path);
}

void nuce_sums_fini(struct nuce_sums *sums)
{
    for (int64_t i = 0; i < sums->count; i++)
        free(sums->list[i].path);
    free(sums->list);
    *sums = (struct nuce_sums){0};
}
