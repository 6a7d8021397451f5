/* Lists and tables of what an archive of OTF2 defines. */
#include <stdlib.h>
#include <string.h>

#include "imports/otf2_reader.h"
#include "support/allocate.h"

/* data is the address of a list of any type, which a void * cannot alias: it is copied in and
 * out. */
void *nuce_otf2_append(struct nuce_otf2_reader *reader, void *data, int64_t *capacity,
                       int64_t count, size_t size)
{
    void *list;

    memcpy(&list, data, sizeof list);
    if (reader->status != NUCE_OK)
        return NULL;
    reader->status = nuce_allocate_more(&list, capacity, count + 1, size, reader->error);
    if (reader->status != NUCE_OK)
        return NULL;
    memcpy(data, &list, sizeof list);
    return (char *)list + (size_t)count * size;
}

OTF2_CallbackCode nuce_otf2_add(struct nuce_otf2_reader *reader, struct nuce_otf2_table *table,
                                struct nuce_otf2_row row)
{
    struct nuce_otf2_row *added =
        nuce_otf2_append(reader, &table->rows, &table->capacity, table->count, sizeof *added);

    if (added == NULL)
        return OTF2_CALLBACK_INTERRUPT;
    *added = row;
    table->count++;
    return OTF2_CALLBACK_SUCCESS;
}

static int order_of_otf2_rows(const void *a, const void *b)
{
    const struct nuce_otf2_row *x = a, *y = b;

    return (x->ref > y->ref) - (x->ref < y->ref);
}

/* A number that is defined twice is found in one of its rows; OTF2 defines each once. */
void nuce_otf2_sort(struct nuce_otf2_table *table)
{
    if (table->count > 0)
        qsort(table->rows, (size_t)table->count, sizeof *table->rows, order_of_otf2_rows);
}

struct nuce_otf2_row *nuce_otf2_find(const struct nuce_otf2_table *table, uint64_t ref)
{
    struct nuce_otf2_row wanted = {.ref = ref};

    return table->count == 0 ? NULL
                             : bsearch(&wanted, table->rows, (size_t)table->count,
                                       sizeof *table->rows, order_of_otf2_rows);
}

nuce_status nuce_otf2_refuse(struct nuce_otf2_reader *reader, const char *what)
{
    return nuce_error_set(reader->error, NUCE_BAD_INPUT, "%s: %s", reader->path, what);
}

nuce_status nuce_otf2_fail(struct nuce_otf2_reader *reader)
{
    if (reader->status != NUCE_OK)
        return reader->status;
    return nuce_error_set(reader->error, NUCE_BAD_INPUT, "%s: no whole archive of OTF2: %s",
                          reader->path,
                          reader->problem == NULL ? "it cannot be read" : reader->problem);
}
